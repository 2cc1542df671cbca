//! What came out of matches, beside what the paper has.

use std::collections::BTreeMap;

use serde::Serialize;

use super::claims::{CellTally, Ratio, tournaments};
use super::{Cell, Matches, Measure, Paper, Rates, halving};
use crate::contest::{Ending, Outcome, Setup};
use crate::statistics::{Estimate, Interval, Tally, percent};
use crate::study::bundled;
use crate::study::error::StudyError;
use crate::study::front::Run;
use crate::study::kernel::{Experiment, Summary};
use crate::study::ledger::Ledger;
use crate::study::report::{NOTHING, Report, bounds, games_and_players, percentages};
use crate::table::{TextTable, with_interval};

/// What came out of a study of matches.
#[derive(Clone, Debug, Serialize)]
pub struct MatchFigures {
    /// The games, and which rules exactly they are.
    pub games: BTreeMap<String, String>,
    /// The players as the study calls them, and as the catalogue writes them.
    pub players: BTreeMap<String, String>,
    /// What counts in a game.
    pub measure: Measure,
    /// Games that were played.
    pub played: usize,
    /// Games that the scale wants.
    pub wanted: usize,
    /// Games that do not count: the engine or the rules failed.
    pub faulty: usize,
    /// The cells.
    pub cells: Vec<CellFigures>,
    /// The players' win ratios, where three or more meet each other.
    pub ratios: Vec<RatioFigures>,
    /// How fast the players are.
    pub rates: Vec<RateFigures>,
    /// All cells, played or not, for claims.
    #[serde(skip)]
    pub(super) results: Vec<CellTally>,
    /// The cells of other studies that claims name, if these were played in full.
    #[serde(skip)]
    pub(super) others: BTreeMap<String, Vec<CellTally>>,
}

/// What came out of a cell.
#[derive(Clone, Debug, Serialize)]
pub struct CellFigures {
    /// The cell.
    pub name: String,
    /// Its group.
    pub group: String,
    /// The game.
    pub game: String,
    /// The players; points are the first one's.
    pub players: Vec<String>,
    /// How much thinking each has.
    pub thinking: Vec<String>,
    /// Games, wins, draws, losses.
    #[serde(flatten)]
    pub tally: Tally,
    /// Games of these that were cut.
    pub cut: usize,
    /// Joint moves of a game, on average.
    pub mean_steps: f64,
    /// Points in percent with their 95 % interval, if there are games.
    pub points: Option<Estimate>,
    /// What the paper has.
    pub paper: Option<Paper>,
}

/// A player's win ratio in a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct RatioFigures {
    /// The game and the group.
    pub tournament: String,
    /// The player.
    pub player: String,
    /// The ratio in percent with its 95 % interval.
    pub points: Option<Estimate>,
    /// What the paper has, in percent.
    pub paper: Option<f64>,
}

/// How fast a player is.
#[derive(Clone, Debug, Serialize)]
pub struct RateFigures {
    /// The player, or two whose rates are compared.
    pub what: String,
    /// States a second, or their ratio.
    pub ours: Option<f64>,
    /// What the paper has.
    pub paper: Option<f64>,
}

impl MatchFigures {
    pub(super) fn new(
        study: &Matches,
        run: Run,
        ledger: &Ledger<Outcome>,
    ) -> Result<Self, StudyError> {
        let crowned = halving::crown(study, run, ledger)?;
        let agenda = crowned.agenda(run)?;
        let records = counted(&agenda, ledger);
        let results = results(&crowned, &records);
        let faulty = records
            .iter()
            .filter(|record| study.measure.of(record).is_none());
        let is_planned = |cell: &Cell| agenda.iter().any(|setup| setup.cell == cell.name);
        let planned = results.iter().filter(|(cell, _)| is_planned(cell));
        let rates = study.rates.as_ref();
        Ok(Self {
            games: study.games.clone(),
            players: study.players.clone(),
            measure: study.measure,
            played: records.len(),
            wanted: agenda.len(),
            faulty: faulty.count(),
            cells: planned
                .map(|(cell, tally)| cell_figures(cell, *tally, &agenda, &records))
                .collect(),
            ratios: ratios(&results),
            rates: rates.map_or_else(Vec::new, |rates| rate_results(rates, &records)),
            others: others(study, run, ledger)?,
            results,
        })
    }
}

/// The results of the studies that claims name. Their ledgers lie beside this one; what is there in
/// part is left out, since it would be judged as if it were all.
fn others(
    study: &Matches,
    run: Run,
    ledger: &Ledger<Outcome>,
) -> Result<BTreeMap<String, Vec<CellTally>>, StudyError> {
    let mut known = BTreeMap::new();
    for name in study.claims.iter().flat_map(|claim| &claim.about.also) {
        let other = bundled::find(name)?.matches()?;
        let agenda = other.agenda(run)?;
        let ledger = Ledger::read(&ledger.path().with_file_name(format!("{name}.jsonl")))?;
        let records = counted(&agenda, &ledger);
        if records.len() == agenda.len() {
            known.insert(name.clone(), results(&other, &records));
        }
    }
    Ok(known)
}

/// The records that belong to the agenda, one for each game, in its order.
fn counted<'a>(agenda: &[Setup], ledger: &'a Ledger<Outcome>) -> Vec<&'a Outcome> {
    let known = ledger.by_fingerprint();
    let records = agenda.iter();
    records
        .filter_map(|setup| known.get(setup.fingerprint().as_str()).copied())
        .collect()
}

fn results(study: &Matches, records: &[&Outcome]) -> Vec<CellTally> {
    let tally = |cell: &Cell| {
        let mut tally = Tally::default();
        let records = records.iter().filter(|record| record.cell == cell.name);
        let points = records.filter_map(|record| study.measure.of(record));
        points.for_each(|points| tally.add(points));
        tally
    };
    let cells = study.cells.iter();
    cells.map(|cell| (cell.clone(), tally(cell))).collect()
}

fn cell_figures(cell: &Cell, tally: Tally, agenda: &[Setup], records: &[&Outcome]) -> CellFigures {
    let own: Vec<&&Outcome> = records
        .iter()
        .filter(|record| record.cell == cell.name)
        .collect();
    let steps: usize = own.iter().map(|record| record.steps).sum();
    let setup = agenda.iter().find(|setup| setup.cell == cell.name);
    let thinking = |place: usize| {
        let contestants = setup.map(|setup| setup.contestants.iter());
        let contestant =
            contestants.and_then(|mut all| all.find(|contestant| contestant.place == place));
        contestant.map_or_else(String::new, |contestant| contestant.thinking.to_string())
    };
    CellFigures {
        name: cell.name.clone(),
        group: cell.group.clone(),
        game: cell.game.clone(),
        players: cell.players.clone(),
        thinking: (0..cell.players.len()).map(thinking).collect(),
        tally,
        cut: own
            .iter()
            .filter(|record| record.ending == Ending::Cut)
            .count(),
        mean_steps: steps as f64 / own.len().max(1) as f64,
        points: tally.estimate(Interval::TwoSided95).map(percent),
        paper: cell.paper,
    }
}

fn ratios(own: &[CellTally]) -> Vec<RatioFigures> {
    let cells = own.iter().filter(|(_, tally)| tally.games > 0);
    let cells: Vec<&CellTally> = cells.collect();
    let mut results = Vec::new();
    for (tournament, cells) in tournaments(&cells) {
        let ratios = Ratio::of_all(&cells);
        // All pairs meet, once.
        let all = ratios.len() * ratios.len().saturating_sub(1) / 2;
        if ratios.len() < 3 || cells.len() != all {
            continue;
        }
        results.extend(ratios.iter().map(|ratio| RatioFigures {
            tournament: tournament.clone(),
            player: ratio.player.clone(),
            points: ratio.estimate(&cells).map(percent),
            paper: ratio.paper(&cells).map(|share| share * 100.0),
        }));
    }
    results
}

fn rate_results(rates: &Rates, records: &[&Outcome]) -> Vec<RateFigures> {
    let takes_part =
        |record: &&&Outcome| record.seats.iter().any(|seat| seat.player == rates.against);
    let ours = |player: &str| {
        let seats = records
            .iter()
            .filter(takes_part)
            .flat_map(|record| &record.seats);
        let (mut states, mut seconds) = (0.0, 0.0);
        for seat in seats.filter(|seat| seat.player == player) {
            states += seat.states as f64;
            seconds += seat.seconds;
        }
        (seconds > 0.0).then(|| states / seconds)
    };
    let paper = |player: &str| rates.paper.get(player).copied();
    let single = rates.paper.keys().map(|player| RateFigures {
        what: player.clone(),
        ours: ours(player),
        paper: paper(player),
    });
    let ratio =
        |one: Option<f64>, other: Option<f64>| one.zip(other).map(|(one, other)| one / other);
    let compared = rates.ratios.iter().map(|[one, other]| RateFigures {
        what: format!("{one} / {other}"),
        ours: ratio(ours(one), ours(other)),
        paper: ratio(paper(one), paper(other)),
    });
    single.chain(compared).collect()
}

impl Measure {
    /// What a game counts, from 0 to 1; `None` if it does not count.
    fn of(self, record: &Outcome) -> Option<f64> {
        match self {
            Measure::Points => record.points(0),
            Measure::Perfect => record
                .is_perfect
                .map(|is_perfect| f64::from(u8::from(is_perfect))),
        }
    }

    /// What percentages are of, as a title.
    fn title(self) -> &'static str {
        match self {
            Measure::Points => "Points of the first player in percent",
            Measure::Perfect => "Games in which every move was best, in percent",
        }
    }

    /// What is counted.
    fn counted(self) -> &'static str {
        match self {
            Measure::Points => "won/drawn/lost",
            Measure::Perfect => "perfect/not",
        }
    }

    /// The counts.
    fn counts(self, tally: &Tally) -> String {
        let Tally {
            wins,
            draws,
            losses,
            ..
        } = tally;
        match self {
            Measure::Points => format!("{wins}/{draws}/{losses}"),
            Measure::Perfect => format!("{wins}/{losses}"),
        }
    }
}

pub(super) fn report(summary: &Summary<MatchFigures>) -> Report {
    let figures = &summary.figures;
    let rows = figures.cells.iter().map(|cell| {
        let paper = cell.paper.as_ref();
        let paper = paper.map(|paper| (paper.points, paper.half_width.unwrap_or(0.0)));
        (&cell.name, cell.points, paper)
    });
    let tables = [
        figures.cells_table(),
        figures.ratios_table(),
        figures.rates_table(),
    ];
    let filled = tables.into_iter().filter(|table| !table.rows.is_empty());
    Report {
        standing: figures.standing(),
        tables: filled.collect(),
        section: "What was played",
        materials: games_and_players(&figures.games, &figures.players),
        shows: "Our points beside the paper's",
        plot: percentages(&figures.measure.title().to_lowercase(), rows),
        csv_head: "cell,group,game,players,thinking,games,wins,draws,losses,cut,mean_steps,\
                   points,low,high,paper,paper_half_width",
        csv_rows: figures.cells.iter().map(CellFigures::csv_row).collect(),
        ..summary.begin_report()
    }
}

impl CellFigures {
    fn csv_row(&self) -> Vec<String> {
        let number =
            |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.2}"));
        let Tally {
            games,
            wins,
            draws,
            losses,
            ..
        } = self.tally;
        let mut row = vec![
            self.name.clone(),
            self.group.clone(),
            self.game.clone(),
            self.players.join(" v "),
            self.thinking.join(" v "),
        ];
        row.extend([games, wins, draws, losses].map(|count| count.to_string()));
        row.extend([self.cut.to_string(), format!("{:.1}", self.mean_steps)]);
        row.extend(bounds(self.points, number));
        row.push(number(self.paper.map(|paper| paper.points)));
        row.push(number(self.paper.and_then(|paper| paper.half_width)));
        row
    }
}

impl MatchFigures {
    fn standing(&self) -> String {
        let mut text = format!("{} of {} games.", self.played, self.wanted);
        if self.faulty > 0 {
            text += &format!(
                " {} of them do not count: the engine ran into a limit, a role had no move, or it could not be worked out which moves were best.",
                self.faulty
            );
        }
        let cut: usize = self.cells.iter().map(|cell| cell.cut).sum();
        if cut > 0 {
            text += &format!(" {cut} were too long, and count as draws.");
        }
        text
    }

    fn cells_table(&self) -> TextTable<String> {
        let paper = |paper: Paper| match paper.half_width {
            Some(half) => with_interval(Some(Estimate {
                value: paper.points,
                low: paper.points - half,
                high: paper.points + half,
            })),
            None => format!("{:.1}", paper.points),
        };
        let row = |cell: &CellFigures| {
            vec![
                cell.name.clone(),
                cell.thinking.join(" v "),
                self.measure.counts(&cell.tally),
                format!("{:.0}", cell.mean_steps),
                with_interval(cell.points),
                cell.paper.map_or_else(|| NOTHING.to_owned(), paper),
            ]
        };
        let counted = self.measure.counted();
        let head = ["cell", "a move", counted, "steps", "ours", "paper"];
        TextTable {
            title: format!("{}, with 95 % intervals", self.measure.title()),
            head: head.map(str::to_owned).to_vec(),
            rows: self.cells.iter().map(row).collect(),
        }
    }

    fn ratios_table(&self) -> TextTable<String> {
        let row = |ratio: &RatioFigures| {
            vec![
                ratio.tournament.clone(),
                ratio.player.clone(),
                with_interval(ratio.points),
                optional(ratio.paper, 1),
            ]
        };
        let head = ["tournament", "player", "ours", "paper"];
        TextTable {
            title: "Win ratios: the mean of a player's pairings, in percent".to_owned(),
            head: head.map(str::to_owned).to_vec(),
            rows: self.ratios.iter().map(row).collect(),
        }
    }

    fn rates_table(&self) -> TextTable<String> {
        let row = |rate: &RateFigures| {
            let digits = if rate.what.contains('/') { 3 } else { 0 };
            let figures = [rate.ours, rate.paper].map(|figure| optional(figure, digits));
            [rate.what.clone()].into_iter().chain(figures).collect()
        };
        TextTable {
            title: "States a second, and their ratios (reported, not judged)".to_owned(),
            head: ["player", "ours", "paper"].map(str::to_owned).to_vec(),
            rows: self.rates.iter().map(row).collect(),
        }
    }
}

/// A figure with a number of digits after the point, if there is one.
fn optional(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| NOTHING.to_owned(), |value| format!("{value:.digits$}"))
}
