//! Controllers of video games: each plays levels of games, and what counts is how many it wins.
//!
//! A trial is one game of a controller on a level, with a seed of its own. Games are those of a
//! folder with public ones, where there is one (`PAIDIA_VGDL`, else `../shared/vgdl`), and else our
//! own that stand in for them; the report says which.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use paidia_game::{AnyGame, Chance, Game, RoleId, Rules, Walker};
use paidia_search::{Budget, Informed};
use paidia_video::State;
use serde::{Deserialize, Serialize};

use super::claims::{Claim, Finding, Quantifier, check_claims};
use super::error::StudyError;
use super::front::{Front, Run, Scale, bad};
use super::kernel::{Bench, Contents, Equipment, Experiment, Summary};
use super::ledger::{Ledger, Record};
use super::report::{NOTHING, Report};
use crate::contest::{game_seed, hash};
use crate::playable::Playable;
use crate::plot::{Intervals, Mark, Plot, Row};
use crate::rules::Ruleset;
use crate::spec::PlayerSpec;
use crate::statistics::{Estimate, Interval, Tally, percent, weighted};
use crate::table::TextTable;

/// A study of controllers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Controllers {
    #[serde(flatten)]
    front: Front,
    /// The public games in their order, each with the one of ours that stands in for it.
    games: Vec<GameData>,
    /// The controllers as the study calls them, and as the catalogue writes them, in their order.
    controllers: Vec<Named>,
    /// Wins of the paper: for each game those of the controllers, in percent of its games.
    #[serde(default)]
    paper: BTreeMap<String, Vec<f64>>,
    scales: BTreeMap<Scale, Extent>,
    #[serde(default)]
    claims: Vec<Claim<About>>,
}

/// A game of the study.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameData {
    /// Its name among the public games.
    name: String,
    /// Ours; a game without one is left out where there are no public ones.
    own: Option<String>,
}

/// A controller of the study.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
    player: String,
}

impl Named {
    fn spec(&self) -> Result<PlayerSpec, StudyError> {
        let spec = self.player.parse::<PlayerSpec>();
        spec.map_err(|reason| StudyError::Player {
            player: self.name.clone(),
            reason: reason.into(),
        })
    }
}

/// How much is played at a scale: levels of each game, runs on each, and what a decision may cost:
/// calls of the forward model, or milliseconds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Extent {
    levels: u32,
    runs: u32,
    calls: Option<u64>,
    milliseconds: Option<u64>,
    /// The games that are played; all if none is named.
    #[serde(default)]
    games: Vec<String>,
    /// Ticks after which a game is given up as lost.
    #[serde(default = "last_tick")]
    ticks: i32,
}

fn last_tick() -> i32 {
    2_001
}

/// What claims are about: how much more of all games a controller wins than another, in percent.
#[derive(Clone, Debug, Deserialize)]
pub struct About {
    controller: String,
    than: String,
    /// The games that count; all if none is named.
    #[serde(default)]
    among: Vec<String>,
}

/// A game to play.
#[derive(Clone, Debug)]
pub struct Trial {
    game: usize,
    level: u32,
    controller: usize,
    seed: u64,
    calls: Option<u64>,
    milliseconds: Option<u64>,
    ticks: i32,
    fingerprint: String,
}

/// How a game went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The game.
    pub game: String,
    /// The level.
    pub level: u32,
    /// The controller.
    pub controller: String,
    /// The fingerprint of the trial.
    pub setup: String,
    /// Whether it was won.
    pub won: bool,
    /// The score.
    pub score: i64,
    /// Ticks that were played.
    pub ticks: i32,
    /// Calls of the forward model.
    pub calls: u64,
    /// Decisions, and those that took longer than allowed, by the processor's time of the thread.
    pub decisions: u64,
    /// See above; only where time is what a decision may cost.
    pub late: u64,
}

impl Record for GameRecord {
    fn fingerprint(&self) -> &str {
        &self.setup
    }
}

/// What came out.
#[derive(Clone, Debug, Serialize)]
pub struct WinFigures {
    /// Games that were played.
    pub played: usize,
    /// Games that the scale wants.
    pub wanted: usize,
    /// The controllers.
    pub controllers: Vec<String>,
    /// The games.
    pub games: Vec<GameFigures>,
    /// For each controller its wins of all.
    pub totals: Vec<Cell>,
    /// For each controller the paper's wins of all, in percent.
    pub paper: Vec<Option<f64>>,
    /// Decisions that took too long, of all.
    pub late: [u64; 2],
}

/// What came out on a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameFigures {
    /// Its name.
    pub name: String,
    /// For each controller.
    pub cells: Vec<Cell>,
    /// For each controller the paper's wins, in percent.
    pub paper: Vec<f64>,
}

/// Results of a controller.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Cell {
    /// Games won, as a tally.
    pub tally: Tally,
    /// The mean score.
    pub score: f64,
    /// The mean number of calls of a decision.
    pub calls: f64,
}

impl Cell {
    fn of<'a>(records: impl Iterator<Item = &'a GameRecord>) -> Self {
        let mut cell = Self::default();
        let (mut scores, mut calls, mut decisions) = (0, 0, 0);
        for record in records {
            cell.tally.add(f64::from(u8::from(record.won)));
            scores += record.score;
            calls += record.calls;
            decisions += record.decisions;
        }
        cell.score = scores as f64 / f64::from(cell.tally.games.max(1));
        cell.calls = calls as f64 / decisions.max(1) as f64;
        cell
    }
}

/// The public games, if they are there.
fn public() -> Option<PathBuf> {
    let named = std::env::var_os("PAIDIA_VGDL").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| Path::new("../shared/vgdl").to_owned());
    folder.join("games").is_dir().then(|| folder.join("games"))
}

impl Controllers {
    /// The games that are played, and what each is found by.
    fn played(&self, extent: &Extent) -> Vec<(usize, String)> {
        let folder = public();
        let wanted = |game: &GameData| extent.games.is_empty() || extent.games.contains(&game.name);
        let games = self.games.iter().enumerate();
        let games = games.filter(|(_, game)| wanted(game));
        let found = games.filter_map(|(place, game)| {
            let file = |folder: &PathBuf| {
                let file = folder.join(&game.name).join(format!("{}.txt", game.name));
                file.is_file().then_some(file)
            };
            match folder.as_ref().and_then(file) {
                Some(file) => Some((place, file.to_str()?.to_owned())),
                None => Some((place, game.own.clone()?)),
            }
        });
        found.collect()
    }

    fn trial(
        &self,
        (place, path): &(usize, String),
        level: u32,
        controller: usize,
        run: u32,
        extent: &Extent,
        seed: u64,
    ) -> Trial {
        let game = &self.games[*place].name;
        let named = &self.controllers[controller];
        // All controllers play with the same draws of the game's own.
        let seed = game_seed(seed, &format!("{game} {level}"), run);
        let own = match path.contains('/') {
            true => "public",
            false => path,
        };
        let text = format!(
            "{game} {own} {level} {} {seed} {:?} {:?} {}",
            named.player, extent.calls, extent.milliseconds, extent.ticks
        );
        Trial {
            game: *place,
            level,
            controller,
            seed,
            calls: extent.calls,
            milliseconds: extent.milliseconds,
            ticks: extent.ticks,
            fingerprint: format!("{:016x}", hash(text.as_bytes())),
        }
    }

    fn play(
        &self,
        trial: &Trial,
        found: &BTreeMap<usize, String>,
    ) -> Result<GameRecord, StudyError> {
        let named = &self.controllers[trial.controller];
        let name = &self.games[trial.game].name;
        let missing = || StudyError::Game(format!("there is no game `{name}` to play"));
        let path = found.get(&trial.game).ok_or_else(missing)?;
        let rules = Ruleset::find(&format!("{path}@{}", trial.level));
        let rules = rules.map_err(|error| StudyError::Game(error.sentence()))?;
        let Ruleset::Other(rules) = rules else {
            return Err(missing());
        };
        let game = rules.game().map_err(StudyError::Game)?;
        let spec = named.spec()?;
        let playable = Playable::any(game.clone());
        let search = playable.search(&spec, RoleId(0), trial.seed ^ 0x5EED);
        let search = search.map_err(|error| StudyError::Game(error.to_string()))?;
        let match_of = Playing { game, trial };
        let record = match_of.run(search);
        Ok(GameRecord {
            game: name.clone(),
            level: trial.level,
            controller: named.name.clone(),
            setup: trial.fingerprint.clone(),
            ..record
        })
    }
}

/// One game at work.
struct Playing<'a> {
    game: AnyGame,
    trial: &'a Trial,
}

impl Playing<'_> {
    fn budget(&self) -> Budget {
        match (self.trial.calls, self.trial.milliseconds) {
            (Some(calls), _) => Budget::states(calls),
            (None, milliseconds) => Budget::time(Duration::from_millis(milliseconds.unwrap_or(40))),
        }
    }

    /// The budget before the first action: 25 times that of an action, as in the framework.
    fn start_budget(&self) -> Budget {
        let budget = self.budget();
        Budget {
            states: budget.states.map(|states| states * 25),
            time: budget.time.map(|time| time * 25),
            ..budget
        }
    }

    fn run(&self, mut search: Box<dyn Informed<AnyGame>>) -> GameRecord {
        let (mut walker, mut state) = (self.game.walker(), self.game.initial());
        let mut record = GameRecord {
            game: String::new(),
            level: 0,
            controller: String::new(),
            setup: String::new(),
            won: false,
            score: 0,
            ticks: 0,
            calls: 0,
            decisions: 0,
            late: 0,
        };
        let limit = self.trial.milliseconds.map(Duration::from_millis);
        search.prepare(&state, self.start_budget());
        let mut chance = Chance::from_seed(self.trial.seed);
        let mut tick = 0;
        while !walker.is_terminal() && tick < self.trial.ticks {
            let begun = cpu_time::ThreadTime::now();
            let decision = search.choose(&state, self.budget());
            record.late += u64::from(limit.is_some_and(|limit| begun.elapsed() > limit));
            record.decisions += 1;
            record.calls += decision.report.states;
            walker.advance(&[decision.id], &mut chance);
            walker.save(&mut state);
            tick += 1;
        }
        if let Some(state) = state.inside::<State>() {
            record.won = state.win() == 1;
            record.score = state.score();
            record.ticks = state.tick();
        }
        record
    }
}

impl Experiment for Controllers {
    const TRIALS: &'static str = "games";
    const CELL: &'static str = "controller";

    type Trial = Trial;
    type Record = GameRecord;
    type Ready = BTreeMap<usize, String>;
    type Figures = WinFigures;

    fn front(&self) -> &Front {
        &self.front
    }

    fn front_mut(&mut self) -> &mut Front {
        &mut self.front
    }

    fn contents(&self) -> Contents {
        Contents {
            games: self
                .games
                .iter()
                .filter_map(|game| game.own.clone())
                .collect(),
            cells: self.controllers.len(),
            claims: self.claims.len(),
            scales: self.scales.keys().copied().collect(),
        }
    }

    fn check(&self) -> Result<(), StudyError> {
        let games: BTreeSet<&String> = self.games.iter().map(|game| &game.name).collect();
        let names: BTreeSet<&String> = self.controllers.iter().map(|one| &one.name).collect();
        if games.len() < self.games.len() || names.len() < self.controllers.len() {
            return Err(bad(
                "games",
                "games and controllers have names of their own",
            ));
        }
        for named in &self.controllers {
            named.spec()?;
        }
        for (game, wins) in &self.paper {
            if !games.contains(game) || wins.len() != self.controllers.len() {
                let problem = "it has a figure for each controller, on a game of the study";
                return Err(bad(format!("paper, `{game}`"), problem));
            }
        }
        for extent in self.scales.values() {
            let sound = (1..=5).contains(&extent.levels) && (1..=1_000).contains(&extent.runs);
            let known = extent.games.iter().all(|game| games.contains(game));
            if !sound || !known || extent.calls.is_some() == extent.milliseconds.is_some() {
                let problem = "one to five levels, runs, games of the study, and either `calls` or `milliseconds`";
                return Err(bad("scales", problem));
            }
        }
        check_claims(&self.claims, |claim| {
            let About {
                controller,
                than,
                among,
            } = &claim.about;
            let known = names.contains(controller) && names.contains(than);
            match known && among.iter().all(|game| games.contains(game)) {
                true => Ok(()),
                false => Err(bad(claim.place(), "it is about two controllers, and games")),
            }
        })
    }

    /// The first run of every controller on every level, then the second, and so on.
    fn agenda(&self, run: Run) -> Result<Vec<Trial>, StudyError> {
        let extent = run.scale.of(&self.scales)?;
        let played = self.played(extent);
        let mut trials = Vec::new();
        for number in 0..extent.runs {
            for level in 0..extent.levels {
                for game in &played {
                    for controller in 0..self.controllers.len() {
                        trials.push(self.trial(game, level, controller, number, extent, run.seed));
                    }
                }
            }
        }
        Ok(trials)
    }

    fn fingerprint(trial: &Trial) -> String {
        trial.fingerprint.clone()
    }

    fn prepare(&self, _: &[Trial], _: &dyn Equipment) -> Result<Self::Ready, StudyError> {
        let extent = self.scales.values().next();
        let all = Extent {
            games: Vec::new(),
            ..extent
                .cloned()
                .ok_or_else(|| bad("scales", "there must be one"))?
        };
        Ok(self.played(&all).into_iter().collect())
    }

    fn make(
        &self,
        bench: &Bench<'_, Self>,
        lot: &[Trial],
        add: &mut dyn FnMut(GameRecord) -> Result<(), StudyError>,
    ) -> Result<(), StudyError> {
        lot.iter()
            .try_for_each(|trial| add(self.play(trial, bench.ready)?))
    }

    fn figures(&self, run: Run, ledger: &Ledger<GameRecord>) -> Result<WinFigures, StudyError> {
        let (agenda, known) = (self.agenda(run)?, ledger.by_fingerprint());
        let records: Vec<&GameRecord> = agenda
            .iter()
            .filter_map(|trial| known.get(trial.fingerprint.as_str()).copied())
            .collect();
        let of = |game: Option<&String>, controller: &Named| {
            let own = records.iter().copied().filter(|record| {
                record.controller == controller.name && game.is_none_or(|game| record.game == *game)
            });
            Cell::of(own)
        };
        let extent = run.scale.of(&self.scales)?;
        let games = self.played(extent).into_iter().map(|(place, _)| {
            let name = &self.games[place].name;
            GameFigures {
                name: name.clone(),
                cells: self
                    .controllers
                    .iter()
                    .map(|one| of(Some(name), one))
                    .collect(),
                paper: self.paper.get(name).cloned().unwrap_or_default(),
            }
        });
        let games: Vec<GameFigures> = games.collect();
        let paper = (0..self.controllers.len()).map(|place| {
            let own: Option<Vec<f64>> = games
                .iter()
                .map(|game| game.paper.get(place).copied())
                .collect();
            own.filter(|own| !own.is_empty())
                .map(|own| own.iter().sum::<f64>() / own.len() as f64)
        });
        Ok(WinFigures {
            played: records.len(),
            wanted: agenda.len(),
            controllers: self
                .controllers
                .iter()
                .map(|one| one.name.clone())
                .collect(),
            paper: paper.collect(),
            games,
            totals: self.controllers.iter().map(|one| of(None, one)).collect(),
            late: [
                records.iter().map(|record| record.late).sum(),
                records.iter().map(|record| record.decisions).sum(),
            ],
        })
    }

    fn remarks(&self, run: Run, _: &Ledger<GameRecord>) -> Vec<String> {
        let mut remarks = Vec::new();
        if let Some(extent) = self.scales.get(&run.scale) {
            let budget = match (extent.calls, extent.milliseconds) {
                (Some(calls), _) => format!("{calls} calls of the forward model"),
                (None, time) => format!("{} ms", time.unwrap_or_default()),
            };
            remarks.push(format!(
                "At this scale a decision may cost {budget}; there are {} levels of each game and {} runs on each, of at most {} ticks.",
                extent.levels, extent.runs, extent.ticks
            ));
        }
        remarks.push(match public() {
            Some(_) => "The games are the public ones, in their versions of 2021.".to_owned(),
            None => "There are no public games here: our own stand in for them.".to_owned(),
        });
        remarks
    }

    fn findings(&self, figures: &WinFigures) -> Vec<Finding> {
        let judge = |claim: &Claim<About>| {
            let About {
                controller,
                than,
                among,
            } = &claim.about;
            let what = format!("{controller} and {than}");
            let difference = figures.difference(controller, than, among);
            claim.judge(Quantifier::All, [(what, difference)])
        };
        self.claims.iter().map(judge).collect()
    }

    fn is_blank(figures: &WinFigures) -> bool {
        figures.played == 0
    }

    fn report(summary: &Summary<WinFigures>) -> Report {
        let figures = &summary.figures;
        Report {
            standing: format!("{} of {} games.", figures.played, figures.wanted),
            tables: figures.tables(),
            written: |estimate| {
                estimate.map_or(NOTHING.to_owned(), |estimate| {
                    let half = (estimate.high - estimate.low) / 2.0;
                    format!("{:+.1} ± {half:.1}", estimate.value)
                })
            },
            section: "Notes",
            shows: "Games won",
            plot: figures.plot(),
            csv_head: "game,controller,games,wins,score,calls,paper",
            csv_rows: figures.csv_rows(),
            ..summary.begin_report()
        }
    }
}

impl WinFigures {
    /// How many percent of the games one controller wins more than another, with Newcombe's
    /// interval of a difference of two shares, which is wide where games are few.
    fn difference(&self, one: &str, other: &str, among: &[String]) -> Option<Estimate> {
        let games = || {
            let games = self.games.iter();
            games.filter(|game| among.is_empty() || among.contains(&game.name))
        };
        let tally = |name: &str| {
            let place = self.controllers.iter().position(|own| own == name)?;
            let mut sum = Tally::default();
            for game in games() {
                let own = game.cells[place].tally;
                (0..own.games).for_each(|number| sum.add(f64::from(u8::from(number < own.wins))));
            }
            Some(sum)
        };
        let parts = [(1.0, tally(one)?), (-1.0, tally(other)?)];
        weighted(0.0, &parts, Interval::TwoSided95).map(percent)
    }

    fn tables(&self) -> Vec<TextTable<String>> {
        let head = |first: &str| {
            let names = self.controllers.iter().cloned();
            [first.to_owned()].into_iter().chain(names).collect()
        };
        let percent = |cell: &Cell| match cell.tally.games {
            0 => NOTHING.to_owned(),
            games => format!(
                "{:.0}",
                100.0 * f64::from(cell.tally.wins) / f64::from(games)
            ),
        };
        let wins = |cells: &[Cell], paper: &[Option<f64>]| -> Vec<String> {
            let told = |place: usize| paper.get(place).copied().flatten();
            let cells = cells.iter().enumerate();
            let cells = cells.map(|(place, cell)| match told(place) {
                Some(paper) => format!("{} ({paper:.0})", percent(cell)),
                None => percent(cell),
            });
            cells.collect()
        };
        let row = |name: &str, cells: Vec<String>| -> Vec<String> {
            [name.to_owned()].into_iter().chain(cells).collect()
        };
        let mut won: Vec<Vec<String>> = self
            .games
            .iter()
            .map(|game| {
                let paper: Vec<Option<f64>> = game.paper.iter().map(|&wins| Some(wins)).collect();
                row(&game.name, wins(&game.cells, &paper))
            })
            .collect();
        won.push(row("all", wins(&self.totals, &self.paper)));
        let figure = |figure: fn(&Cell) -> String| {
            let rows = self
                .games
                .iter()
                .map(|game| row(&game.name, game.cells.iter().map(figure).collect()));
            let mut rows: Vec<Vec<String>> = rows.collect();
            rows.push(row("all", self.totals.iter().map(figure).collect()));
            rows
        };
        vec![
            TextTable {
                title: "Games won in percent, the paper's in brackets".to_owned(),
                head: head("game"),
                rows: won,
            },
            TextTable {
                title: "Mean scores".to_owned(),
                head: head("game"),
                rows: figure(|cell| format!("{:.1}", cell.score)),
            },
            TextTable {
                title: format!(
                    "Calls of the forward model in a decision; {} of {} decisions were late",
                    self.late[0], self.late[1]
                ),
                head: head("game"),
                rows: figure(|cell| format!("{:.0}", cell.calls)),
            },
        ]
    }

    fn plot(&self) -> Plot {
        let rows = self.controllers.iter().zip(&self.totals);
        let rows = rows.zip(&self.paper).map(|((name, cell), paper)| {
            let own = cell.tally.estimate(Interval::TwoSided95);
            let own = own.map(|own| Mark {
                estimate: Estimate {
                    value: 100.0 * own.value,
                    low: 100.0 * own.low,
                    high: 100.0 * own.high,
                },
                series: 0,
            });
            let paper = paper.map(|value| Mark {
                estimate: Estimate {
                    value,
                    low: value,
                    high: value,
                },
                series: 1,
            });
            Row::marks(name, [own, paper])
        });
        Plot::Intervals(Intervals {
            axis: "games won, in percent".to_owned(),
            range: (0.0, 100.0),
            names: &[("here", 0), ("in the paper", 1)],
            rows: rows.collect(),
        })
    }

    fn csv_rows(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for game in &self.games {
            for (place, cell) in game.cells.iter().enumerate() {
                let paper = game.paper.get(place);
                rows.push(vec![
                    game.name.clone(),
                    self.controllers[place].clone(),
                    cell.tally.games.to_string(),
                    cell.tally.wins.to_string(),
                    format!("{:.2}", cell.score),
                    format!("{:.0}", cell.calls),
                    paper.map(|wins| format!("{wins:.1}")).unwrap_or_default(),
                ]);
            }
        }
        rows
    }
}
