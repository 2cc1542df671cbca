//! Matches: players meet on games, with as much thinking as their cells give them.
//!
//! A trial is one game with a seed of its own. In games of two a player may meet the champion of
//! some candidates, which is found first, by successive [`halving`].

mod claims;
mod figures;
pub mod halving;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use claims::Test;
pub use figures::{CellFigures, MatchFigures, RateFigures, RatioFigures};
use halving::{CHAMPION, Halving};

use super::claims::{Claim, Finding, check_claims};
use super::error::StudyError;
use super::front::{
    Front, Run, Scale, bad, check_names, check_percent, check_players, check_told, player,
};
use super::kernel::{Bench, Contents, Equipment, Experiment, Stage, Summary};
use super::ledger::{Ledger, Record};
use super::report::Report;
use crate::contest::{
    ContestGames, Contestant, Opening, Outcome, Setup, StartClock, Thinking, game_seed,
};
use crate::spec::Guest;

/// A study of matches.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matches {
    #[serde(flatten)]
    front: Front,
    /// The games, and which rules exactly they are.
    pub games: BTreeMap<String, String>,
    /// The players as the study calls them, and as the catalogue writes them.
    players: BTreeMap<String, String>,
    #[serde(default)]
    measure: Measure,
    /// Whether each player may use one more budget before the first move.
    #[serde(default)]
    start_clock: bool,
    /// Seconds that each player may use before the first move, instead.
    start_seconds: Option<f64>,
    /// Joint moves after which a game is cut; a cut game is a draw.
    #[serde(default = "default_step_limit")]
    step_limit: usize,
    scales: BTreeMap<Scale, Games>,
    /// The pairings.
    pub cells: Vec<Cell>,
    rates: Option<Rates>,
    champion: Option<Box<Halving>>,
    /// What the paper claims.
    #[serde(default)]
    pub claims: Vec<Claim<About>>,
}

fn default_step_limit() -> usize {
    1_000
}

/// What claims are about: sums of the cells' results, also of other studies.
#[derive(Clone, Debug, Deserialize)]
pub struct About {
    test: Test,
    /// Whether each bound alone is right 95 times of 100, so that it may lie closer.
    #[serde(default)]
    one_sided: bool,
    /// Other studies whose cells count, too.
    #[serde(default)]
    pub also: Vec<String>,
}

/// What counts in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The points of the first player.
    #[default]
    Points,
    /// Whether no move changed what the game is worth from its beginning.
    Perfect,
}

/// What a scale means: games a cell, of which the role orders take equal parts, the part of each
/// budget that is given, and the groups of cells that are played, all if none is named.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Games {
    games: u32,
    #[serde(default = "whole")]
    budget: f64,
    #[serde(default)]
    groups: Vec<String>,
    /// Cells that have more games, since something is to be decided there.
    #[serde(default)]
    longer: Vec<Longer>,
}

/// Cells with more games than others.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Longer {
    cells: Selector,
    games: u32,
}

fn whole() -> f64 {
    1.0
}

/// A pairing: the players, the game, and how much thinking each of them has.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Its name; no other cell of the study has it.
    pub name: String,
    /// What it has in common with others, such as the clock.
    pub group: String,
    /// The game.
    pub game: String,
    /// The players; results are the first one's.
    pub players: Vec<String>,
    states: Option<Vec<u64>>,
    simulations: Option<Vec<u64>>,
    seconds: Option<Vec<f64>>,
    /// Whether players think as much at every scale.
    #[serde(default)]
    whole: bool,
    paper: Option<Paper>,
}

/// What a paper found in a cell.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// The points of the cell's first player, in percent.
    pub points: f64,
    /// Half of the paper's 95 % interval, if it gives one.
    pub half_width: Option<f64>,
}

/// How fast the paper's players were.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rates {
    /// The table of the paper; for readers of the file.
    #[serde(rename = "source")]
    _source: String,
    /// Only the cells in which this player takes part count.
    against: String,
    /// For each player its states a second.
    paper: BTreeMap<String, f64>,
    /// Pairs of players whose rates are compared.
    ratios: Vec<[String; 2]>,
}

/// Chooses cells: those that fit everything that is given.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selector {
    /// The players, in this order.
    players: Option<Vec<String>>,
    /// The game is one of these.
    games: Option<Vec<String>>,
    /// The group is one of these.
    groups: Option<Vec<String>>,
}

impl Selector {
    /// Whether the cell is chosen.
    fn takes(&self, cell: &Cell) -> bool {
        let among = |names: &Option<Vec<String>>, name: &String| {
            names.as_ref().is_none_or(|names| names.contains(name))
        };
        let players = self.players.as_ref();
        players.is_none_or(|players| *players == cell.players)
            && among(&self.games, &cell.game)
            && among(&self.groups, &cell.group)
    }
}

impl Games {
    /// How many games a cell has.
    fn of(&self, cell: &Cell) -> u32 {
        let longer = self.longer.iter().filter(|longer| longer.cells.takes(cell));
        longer.fold(self.games, |most, longer| most.max(longer.games))
    }
}

impl Cell {
    /// What the player at a place is given.
    fn thinking(&self, place: usize) -> Thinking {
        if let Some(states) = &self.states {
            Thinking::States(states[place])
        } else if let Some(simulations) = &self.simulations {
            Thinking::Simulations(simulations[place])
        } else {
            Thinking::Seconds(self.seconds.as_ref().map_or(0.0, |seconds| seconds[place]))
        }
    }
}

impl Record for Outcome {
    fn fingerprint(&self) -> &str {
        &self.setup
    }
}

impl Matches {
    /// The player at a place of a cell that the study calls so. Until champions are known, the
    /// first candidate stands for each.
    fn contestant(
        &self,
        place: usize,
        name: &str,
        thinking: Thinking,
    ) -> Result<Contestant, StudyError> {
        let champion = self.champion.as_ref().filter(|_| name == CHAMPION);
        let first = champion.and_then(|halving| halving.candidates.first());
        let player = player(&self.players, first.map_or(name, String::as_str))?;
        Ok(Contestant {
            place,
            name: name.to_owned(),
            player: Guest::BuiltIn(player),
            thinking,
        })
    }

    /// The cells that are played at a scale.
    fn cells_of<'a>(&'a self, scale: &'a Games) -> impl Iterator<Item = &'a Cell> {
        let played = |cell: &&Cell| scale.groups.is_empty() || scale.groups.contains(&cell.group);
        self.cells.iter().filter(played)
    }

    fn setup(
        &self,
        scale: &Games,
        cell: &Cell,
        number: u32,
        seed: u64,
    ) -> Result<Setup, StudyError> {
        let count = cell.players.len();
        let contestant = |role: usize| {
            let place = (role + number as usize) % count;
            let part = if cell.whole { 1.0 } else { scale.budget };
            let thinking = cell.thinking(place).part(part);
            self.contestant(place, &cell.players[place], thinking)
        };
        let contestants = (0..count).map(contestant);
        Ok(Setup {
            cell: cell.name.clone(),
            number,
            game: cell.game.clone(),
            // Studies have bundled games; their ledgers name them only.
            rules: None,
            seed: game_seed(seed, &cell.name, number),
            contestants: contestants.collect::<Result<_, StudyError>>()?,
            start_clock: match (self.start_seconds, self.start_clock) {
                (Some(seconds), _) => StartClock::Thinking(Thinking::Seconds(seconds)),
                (None, true) => StartClock::OneMove,
                (None, false) => StartClock::None,
            },
            opening: Opening::default(),
            step_limit: self.step_limit,
            is_judged: self.measure == Measure::Perfect,
        })
    }

    fn check_cell(&self, cell: &Cell) -> Result<(), StudyError> {
        let place = format!("cell `{}`", cell.name);
        check_told(&place, "games", &self.games, &cell.game)?;
        let is_champion = |name: &str| name == CHAMPION && self.champion.is_some();
        let named = cell.players.iter().filter(|name| !is_champion(name));
        for name in named {
            check_told(&place, "players", &self.players, name)?;
        }
        if cell.players.iter().any(|name| is_champion(name)) && cell.players.len() != 2 {
            return Err(bad(place, "a champion is met in games of two"));
        }
        if cell.players.is_empty() {
            return Err(bad(place, "it has no players"));
        }
        let lengths = [
            cell.states.as_ref().map(Vec::len),
            cell.simulations.as_ref().map(Vec::len),
            cell.seconds.as_ref().map(Vec::len),
        ];
        let mut given = lengths.iter().flatten();
        if given.next() != Some(&cell.players.len()) || given.next().is_some() {
            let problem =
                "give one of `states`, `simulations` and `seconds`, with a number for each player";
            return Err(bad(place, problem));
        }
        let mut seconds = cell.seconds.iter().flatten();
        if seconds.any(|seconds| !(0.0..=1e6).contains(seconds)) {
            return Err(bad(place, "seconds are numbers from 0 to 1000000"));
        }
        let paper = cell.paper.as_ref();
        let half_width = paper.and_then(|paper| paper.half_width);
        check_percent(&place, paper.map(|paper| paper.points), half_width)
    }

    fn check_scale(&self, scale: &Games) -> Result<(), StudyError> {
        if scale.budget <= 0.0 {
            return Err(bad("scales", "`budget` is a part, such as 0.5"));
        }
        for longer in &scale.longer {
            if !self.cells_of(scale).any(|cell| longer.cells.takes(cell)) {
                return Err(bad("scales", "`longer` chooses cells that are not played"));
            }
        }
        for cell in self.cells_of(scale) {
            let orders = cell.players.len() as u32;
            let games = scale.of(cell);
            if games == 0 || !games.is_multiple_of(orders) {
                let problem = format!(
                    "{games} games cannot be shared equally by {orders} orders of the players"
                );
                return Err(bad("scales", problem));
            }
        }
        Ok(())
    }
}

impl Experiment for Matches {
    const TRIALS: &'static str = "games";
    const CELL: &'static str = "pairing";

    type Trial = Setup;
    type Record = Outcome;
    type Ready = ContestGames;
    type Figures = MatchFigures;

    fn front(&self) -> &Front {
        &self.front
    }

    fn front_mut(&mut self) -> &mut Front {
        &mut self.front
    }

    fn contents(&self) -> Contents {
        Contents {
            games: self.games.keys().cloned().collect(),
            cells: self.cells.len(),
            claims: self.claims.len(),
            scales: self.scales.keys().copied().collect(),
        }
    }

    fn check(&self) -> Result<(), StudyError> {
        check_players(&self.players)?;
        check_names("cell", self.cells.iter().map(|cell| &cell.name))?;
        self.cells
            .iter()
            .try_for_each(|cell| self.check_cell(cell))?;
        let start = self.start_seconds.unwrap_or_default();
        if !(0.0..=3_600.0).contains(&start) {
            return Err(bad("start_seconds", "seconds are a number from 0 to 3600"));
        }
        if self.step_limit == 0 {
            return Err(bad("step_limit", "a game has at least one joint move"));
        }
        let mut scales = self.scales.values();
        scales.try_for_each(|scale| self.check_scale(scale))?;
        if let Some(halving) = &self.champion {
            halving.check(self)?;
        }
        if let Some(rates) = &self.rates {
            let named = rates.paper.keys().chain([&rates.against]);
            for name in named.chain(rates.ratios.iter().flatten()) {
                check_told("rates", "players", &self.players, name)?;
            }
        }
        check_claims(&self.claims, |claim| {
            match claim.about.test.is_about(self) {
                true => Ok(()),
                false => Err(bad(claim.place(), "it is about no cell of the study")),
            }
        })
    }

    /// The first game of every cell, then the second of every cell, and so on, so that an agenda
    /// that is done in part is done in equal parts.
    fn agenda(&self, run: Run) -> Result<Vec<Setup>, StudyError> {
        let scale = run.scale.of(&self.scales)?;
        let cells: Vec<&Cell> = self.cells_of(scale).collect();
        let most = cells.iter().map(|cell| scale.of(cell)).max();
        let mut setups = Vec::new();
        for number in 0..most.unwrap_or(0) {
            for cell in cells.iter().filter(|cell| number < scale.of(cell)) {
                setups.push(self.setup(scale, cell, number, run.seed)?);
            }
        }
        Ok(setups)
    }

    /// First the rounds that tell the champions, then the games of the study.
    fn stage(
        &self,
        run: Run,
        number: usize,
        ledger: &Ledger<Outcome>,
    ) -> Result<Option<Stage<Self>>, StudyError> {
        if let Some(round) = halving::round(self, run, number, ledger)? {
            return Ok(Some(("games for champions", round)));
        }
        let rounds = self.champion.as_ref();
        let rounds = rounds.map_or(0, |halving| halving.rounds(run.scale).len());
        let games = || {
            Ok((
                Self::TRIALS,
                halving::crown(self, run, ledger)?.agenda(run)?,
            ))
        };
        (number == rounds).then(games).transpose()
    }

    fn fingerprint(setup: &Setup) -> String {
        setup.fingerprint()
    }

    /// Loads the games, and checks that they have as many roles as cells have players.
    fn prepare(
        &self,
        missing: &[Setup],
        equipment: &dyn Equipment,
    ) -> Result<ContestGames, StudyError> {
        let mut tables = ContestGames::new();
        for setup in missing {
            if !tables.contains_key(&setup.game) {
                tables.insert(setup.game.clone(), equipment.table(&setup.game)?);
            }
            let (players, roles) = (setup.contestants.len(), tables[&setup.game].players());
            if players != roles {
                return Err(StudyError::Seats {
                    cell: setup.cell.clone(),
                    game: setup.game.clone(),
                    players,
                    roles,
                });
            }
        }
        Ok(tables)
    }

    fn make(
        &self,
        bench: &Bench<'_, Self>,
        lot: &[Setup],
        add: &mut dyn FnMut(Outcome) -> Result<(), StudyError>,
    ) -> Result<(), StudyError> {
        for setup in lot {
            let outcome = bench.ready[&setup.game].play(setup, bench.run.seed);
            add(outcome.map_err(|reason| StudyError::Player {
                player: setup.cell.clone(),
                reason,
            })?)?;
        }
        Ok(())
    }

    fn figures(&self, run: Run, ledger: &Ledger<Outcome>) -> Result<MatchFigures, StudyError> {
        MatchFigures::new(self, run, ledger)
    }

    fn remarks(&self, run: Run, ledger: &Ledger<Outcome>) -> Vec<String> {
        let champions = self
            .champion
            .as_ref()
            .map(|halving| halving.note(run.scale));
        let mut remarks: Vec<String> = champions.into_iter().collect();
        remarks.extend(self.scale_remarks(run));
        let timed = |setup: &Setup| {
            let mut contestants = setup.contestants.iter();
            contestants.any(|contestant| matches!(contestant.thinking, Thinking::Seconds(_)))
        };
        if self
            .agenda(run)
            .is_ok_and(|agenda| agenda.iter().any(timed))
        {
            let runs = ledger.runs.iter().filter(|note| note.seed == run.seed);
            let runs: Vec<String> = runs
                .map(|run| format!("{} at a time on {} processors", run.jobs, run.processors))
                .collect();
            remarks.push(format!(
                "Players think by the clock, so that another machine gives other results. Games were played {}.",
                runs.join(", then ")
            ));
        }
        remarks
    }

    fn findings(&self, figures: &MatchFigures) -> Vec<Finding> {
        let judge = |claim| claims::judge(claim, &figures.results, &figures.others);
        self.claims.iter().map(judge).collect()
    }

    fn is_blank(figures: &MatchFigures) -> bool {
        figures.played == 0
    }

    fn report(summary: &Summary<MatchFigures>) -> Report {
        figures::report(summary)
    }
}

impl Matches {
    /// How a scale differs from the paper.
    fn scale_remarks(&self, run: Run) -> Vec<String> {
        let mut remarks = Vec::new();
        let Some(scale) = self.scales.get(&run.scale) else {
            return remarks;
        };
        let paper = self
            .scales
            .get(&Scale::Paper)
            .map_or(0, |paper| paper.games);
        if scale.games < paper {
            remarks.push(format!(
                "At this scale a cell has {} games; the paper has {paper}.",
                scale.games
            ));
        }
        if !scale.longer.is_empty() {
            let cells = self
                .cells_of(scale)
                .filter(|cell| scale.of(cell) > scale.games);
            let cells: Vec<String> = cells
                .map(|cell| format!("{} ({})", cell.name, scale.of(cell)))
                .collect();
            remarks.push(format!("Some cells have more games: {}.", cells.join("; ")));
        }
        if scale.budget != 1.0 {
            remarks.push(format!(
                "At this scale players get {:.0} % of the thinking that the study's data gives them.",
                scale.budget * 100.0
            ));
        }
        if !scale.groups.is_empty() {
            remarks.push(format!(
                "At this scale only these groups are played: {}.",
                scale.groups.join("; ")
            ));
        }
        remarks
    }
}
