//! The rates of other programs, and how ours compare.

use std::path::Path;

use anyhow::{Context, bail};
use serde::Serialize;

use super::Row;
use super::run::Run;

/// The table that comes with the program.
const BUILT_IN: &str = include_str!("../../../../../docs/data/reference-rates.csv");

/// A table of rates by game.
pub(super) struct Rates {
    rows: Vec<(String, Rivals)>,
}

/// What others make of one game: playouts a CPU second, and milliseconds to load it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rivals {
    prover: Option<f64>,
    sancho: Option<f64>,
    sancho_load_ms: Option<f64>,
    rbg: Option<f64>,
    /// Joint moves of a playout: if ours are different, it is not the same game.
    pub(super) mean_length: Option<f64>,
}

impl Rates {
    /// The table that comes with the program.
    pub(super) fn built_in() -> anyhow::Result<Self> {
        Self::parse(BUILT_IN).context("in the built-in table")
    }

    /// Reads a table from a file.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("in {}", path.display()))
    }

    /// The first line names the columns, of which `game` must be there. Empty cells are unknown;
    /// lines that start with `#` are remarks.
    fn parse(text: &str) -> anyhow::Result<Self> {
        let lines = text
            .lines()
            .enumerate()
            .map(|(line, text)| (line + 1, text.trim()));
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let (_, head) = lines.next().context("the table is empty")?;
        let columns: Vec<&str> = head.split(',').map(str::trim).collect();
        if !columns.contains(&"game") {
            bail!("the first line has no column `game`");
        }
        let rows = lines.map(|(number, line)| {
            let cells: Vec<&str> = line.split(',').map(str::trim).collect();
            row(&columns, &cells).with_context(|| format!("line {number}"))
        });
        Ok(Self {
            rows: rows.collect::<Result<_, _>>()?,
        })
    }

    /// The games of the table.
    pub(super) fn games(&self) -> Vec<String> {
        self.rows.iter().map(|(game, _)| game.clone()).collect()
    }

    /// What others make of a game.
    pub(super) fn of(&self, game: &str) -> Option<&Rivals> {
        self.rows
            .iter()
            .find(|(name, _)| name == game)
            .map(|(_, rivals)| rivals)
    }
}

fn row(columns: &[&str], cells: &[&str]) -> anyhow::Result<(String, Rivals)> {
    if cells.len() != columns.len() {
        bail!(
            "there are {} cells for {} columns",
            cells.len(),
            columns.len()
        );
    }
    let (mut game, mut rivals) = (String::new(), Rivals::default());
    for (&column, &cell) in columns.iter().zip(cells) {
        let place = match column {
            "game" => {
                game = cell.to_owned();
                continue;
            }
            "prover" => &mut rivals.prover,
            "sancho" => &mut rivals.sancho,
            "sancho_load_ms" => &mut rivals.sancho_load_ms,
            "rbg" => &mut rivals.rbg,
            "mean_length" => &mut rivals.mean_length,
            _ => continue,
        };
        if !cell.is_empty() {
            let number: Option<f64> = cell.parse().ok();
            let number = number.filter(|number| number.is_finite() && *number > 0.0);
            *place = Some(number.with_context(|| format!("`{cell}` is no positive number"))?);
        }
    }
    Ok((game, rivals))
}

/// How many times as fast as others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Ratios {
    pub(super) prover: Option<f64>,
    pub(super) sancho: Option<f64>,
    pub(super) rbg: Option<f64>,
    /// How many times as quick to load as Sancho.
    pub(super) load: Option<f64>,
    /// The mean length of our playouts as a multiple of theirs: 1 if it is the same game.
    pub(super) length: Option<f64>,
}

impl Ratios {
    pub(super) fn new(run: &Run, rivals: &Rivals) -> Self {
        let times = |theirs: Option<f64>| theirs.map(|theirs| run.playouts_per_cpu_s / theirs);
        Self {
            prover: times(rivals.prover),
            sancho: times(rivals.sancho),
            rbg: times(rivals.rbg),
            // Less than a thousandth of a millisecond is not measured.
            load: rivals
                .sancho_load_ms
                .map(|theirs| theirs / run.load_cpu_ms.max(1e-3)),
            length: rivals.mean_length.map(|theirs| run.mean_length / theirs),
        }
    }
}

/// Ratios over all games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Summary {
    pub(super) engine: String,
    /// What the rate is compared with, and in which respect.
    pub(super) than: &'static str,
    pub(super) geometric_mean: f64,
    pub(super) games: usize,
    /// The lowest ratio, and the game that has it.
    pub(super) least: f64,
    pub(super) least_game: String,
}

/// One of the ratios of a row.
type Ratio = fn(&Row) -> Option<f64>;

/// For every engine and rival the geometric mean of the ratios, where there are any.
pub(super) fn summaries(rows: &[Row]) -> Vec<Summary> {
    let rivals: [(&str, Ratio); 5] = [
        ("prover", |row| row.ratios?.prover),
        ("sancho", |row| row.ratios?.sancho),
        ("rbg", |row| row.ratios?.rbg),
        ("load", |row| row.ratios?.load),
        ("avx2", |row| Some(row.narrow?.avx512_by_avx2)),
    ];
    let mut engines: Vec<&str> = Vec::new();
    for row in rows {
        if !engines.contains(&row.asked.as_str()) {
            engines.push(&row.asked);
        }
    }
    let mut summaries = Vec::new();
    for engine in engines {
        for (than, ratio) in rivals {
            let of_engine = rows.iter().filter(|row| row.asked == engine);
            let ratios = of_engine.filter_map(|row| Some((ratio(row)?, row.game.as_str())));
            summaries.extend(summary(engine, than, &ratios.collect::<Vec<_>>()));
        }
    }
    summaries
}

fn summary(engine: &str, than: &'static str, ratios: &[(f64, &str)]) -> Option<Summary> {
    let &(least, game) = ratios
        .iter()
        .min_by(|one, other| one.0.total_cmp(&other.0))?;
    let logarithms: f64 = ratios.iter().map(|(ratio, _)| ratio.ln()).sum();
    Some(Summary {
        engine: engine.to_owned(),
        than,
        geometric_mean: (logarithms / ratios.len() as f64).exp(),
        games: ratios.len(),
        least,
        least_game: game.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Rates, summary};

    #[test]
    fn the_built_in_table_is_whole() {
        let rates = Rates::built_in().unwrap();
        assert_eq!(rates.games().len(), 34);
        for game in rates.games() {
            let rivals = rates.of(&game).unwrap();
            let known = [
                rivals.prover,
                rivals.sancho,
                rivals.sancho_load_ms,
                rivals.mean_length,
            ];
            assert!(known.iter().all(Option::is_some), "{game}");
        }
        assert_eq!(rates.of("hex").unwrap().rbg, Some(23_300.0));
        assert_eq!(rates.of("peg").unwrap().rbg, None);
    }

    #[test]
    fn broken_tables_are_refused_with_their_line() {
        let error = |text| format!("{:#}", Rates::parse(text).err().unwrap());
        assert!(error("").contains("empty"));
        assert!(error("sancho\n3").contains("no column `game`"));
        assert!(error("# a remark\ngame,sancho\nhex,fast").contains("line 3"));
        assert!(error("game,sancho\nhex,0").contains("`0` is no positive number"));
        assert!(error("game,sancho\nhex").contains("1 cells for 2 columns"));
    }

    #[test]
    fn columns_may_be_missing_or_unknown() {
        let rates = Rates::parse("sancho, game ,author\n 5 , hex,somebody\n").unwrap();
        let rivals = rates.of("hex").unwrap();
        assert_eq!((rivals.sancho, rivals.prover), (Some(5.0), None));
    }

    #[test]
    fn the_mean_of_ratios_is_geometric() {
        let found = summary("batch", "rbg", &[(2.0, "a"), (8.0, "b")]).unwrap();
        assert!((found.geometric_mean - 4.0).abs() < 1e-12);
        assert_eq!(
            (found.games, found.least, found.least_game.as_str()),
            (2, 2.0, "a")
        );
        assert_eq!(summary("batch", "rbg", &[]), None);
    }
}
