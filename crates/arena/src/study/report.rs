//! What came out of a study, beside what the paper has.

mod csv;
mod heading;
mod markdown;
mod plot;
mod table;
mod text;

use std::collections::BTreeMap;

pub use heading::Heading;
pub(super) use heading::{games, lines_text, list, players};
pub(super) use plot::{beside_paper, percentages};
pub(super) use table::{claims_table, claims_text, evidence};

use serde::Serialize;

use super::claims::{Finding, Judgement, Ratio, Results, tournaments};
use super::experiment::{Cell, Experiment, Paper, Rates, Scale};
use super::ledger::Ledger;
use super::measure::Measure;
use super::plan::Plan;
use crate::contest::{Ending, Outcome};
use crate::statistics::{Estimate, Interval, Tally, percent};

/// The results of a study at a scale.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// What it is, and how it was run.
    #[serde(flatten)]
    pub heading: Heading,
    /// What to know before believing it.
    pub notes: Vec<String>,
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
    pub cells: Vec<CellResult>,
    /// The players' win ratios, where three or more meet each other.
    pub ratios: Vec<RatioResult>,
    /// How fast the players are.
    pub rates: Vec<RateResult>,
    /// The claims.
    pub claims: Vec<Finding>,
}

/// What came out of a cell.
#[derive(Clone, Debug, Serialize)]
pub struct CellResult {
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
pub struct RatioResult {
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
pub struct RateResult {
    /// The player, or two whose rates are compared.
    pub what: String,
    /// States a second, or their ratio.
    pub ours: Option<f64>,
    /// What the paper has.
    pub paper: Option<f64>,
}

/// Sums up what the ledger has of the plan. `others` are the studies that claims name, with their plans and ledgers.
pub fn summarise(
    experiment: &Experiment,
    plan: &Plan,
    ledger: &Ledger,
    others: &[(Experiment, Plan, Ledger)],
) -> Summary {
    let records = counted(plan, ledger);
    let own = results(experiment, &records);
    let mut known = BTreeMap::new();
    for (other, plan, ledger) in others {
        let records = counted(plan, ledger);
        // What is there in part would be judged as if it were all.
        if records.len() == plan.games.len() {
            known.insert(other.name.clone(), results(other, &records));
        }
    }
    let cell = |(cell, tally): &(Cell, Tally)| cell_result(cell, *tally, plan, &records);
    let planned = |cell: &&(Cell, Tally)| plan.games.iter().any(|setup| setup.cell == cell.0.name);
    let judged = experiment.claims.iter();
    Summary {
        heading: Heading {
            study: experiment.name.clone(),
            title: experiment.title.clone(),
            source: experiment.source.clone(),
            about: experiment.about.clone(),
            scale: plan.scale,
            seed: plan.seed,
        },
        notes: notes(experiment, plan, ledger),
        games: experiment.games.clone(),
        players: experiment.players.clone(),
        measure: experiment.measure,
        played: records.len(),
        wanted: plan.games.len(),
        faulty: records
            .iter()
            .filter(|record| experiment.measure.of(record).is_none())
            .count(),
        cells: own.cells.iter().filter(planned).map(cell).collect(),
        ratios: ratios(&own),
        rates: experiment
            .rates
            .as_ref()
            .map_or_else(Vec::new, |rates| rate_results(rates, &records)),
        claims: judged.map(|claim| claim.judge(&own, &known)).collect(),
    }
}

impl Summary {
    /// Whether no claim fails.
    pub fn stands(&self) -> bool {
        let mut claims = self.claims.iter();
        claims.all(|claim| claim.judgement != Judgement::Fails)
    }
}

/// The records that belong to the plan, one for each game, in the order of the plan.
fn counted<'a>(plan: &Plan, ledger: &'a Ledger) -> Vec<&'a Outcome> {
    let mut by_setup: BTreeMap<&String, &Outcome> = BTreeMap::new();
    for record in &ledger.records {
        by_setup.entry(&record.setup).or_insert(record);
    }
    let games = plan.games.iter();
    games
        .filter_map(|setup| by_setup.get(&setup.fingerprint()).copied())
        .collect()
}

fn results(experiment: &Experiment, records: &[&Outcome]) -> Results {
    let tally = |cell: &Cell| {
        let mut tally = Tally::default();
        let records = records.iter().filter(|record| record.cell == cell.name);
        records
            .filter_map(|record| experiment.measure.of(record))
            .for_each(|points| tally.add(points));
        tally
    };
    Results {
        cells: experiment
            .cells
            .iter()
            .map(|cell| (cell.clone(), tally(cell)))
            .collect(),
    }
}

fn cell_result(cell: &Cell, tally: Tally, plan: &Plan, records: &[&Outcome]) -> CellResult {
    let own: Vec<&&Outcome> = records
        .iter()
        .filter(|record| record.cell == cell.name)
        .collect();
    let steps: usize = own.iter().map(|record| record.steps).sum();
    let setup = plan.games.iter().find(|setup| setup.cell == cell.name);
    let thinking = |place: usize| {
        let contestants = setup.map(|setup| setup.contestants.iter());
        let contestant =
            contestants.and_then(|mut all| all.find(|contestant| contestant.place == place));
        contestant.map_or_else(String::new, |contestant| contestant.thinking.to_string())
    };
    CellResult {
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

fn ratios(own: &Results) -> Vec<RatioResult> {
    let cells: Vec<&(Cell, Tally)> = own
        .cells
        .iter()
        .filter(|(_, tally)| tally.games > 0)
        .collect();
    let mut results = Vec::new();
    for (tournament, cells) in tournaments(&cells) {
        let ratios = Ratio::of_all(&cells);
        // Everybody meets everybody once.
        let all = ratios.len() * ratios.len().saturating_sub(1) / 2;
        if ratios.len() < 3 || cells.len() != all {
            continue;
        }
        results.extend(ratios.iter().map(|ratio| RatioResult {
            tournament: tournament.clone(),
            player: ratio.player.clone(),
            points: ratio.estimate(&cells).map(percent),
            paper: ratio.paper(&cells).map(|share| share * 100.0),
        }));
    }
    results
}

fn rate_results(rates: &Rates, records: &[&Outcome]) -> Vec<RateResult> {
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
    let single = rates.paper.keys().map(|player| RateResult {
        what: player.clone(),
        ours: ours(player),
        paper: paper(player),
    });
    let ratio =
        |one: Option<f64>, other: Option<f64>| one.zip(other).map(|(one, other)| one / other);
    let compared = rates.ratios.iter().map(|[one, other]| RateResult {
        what: format!("{one} / {other}"),
        ours: ratio(ours(one), ours(other)),
        paper: ratio(paper(one), paper(other)),
    });
    single.chain(compared).collect()
}

/// The notes of the experiment, and those about how it was run.
fn notes(experiment: &Experiment, plan: &Plan, ledger: &Ledger) -> Vec<String> {
    let mut notes = experiment.notes.clone();
    if let Ok(scale) = experiment.scale(plan.scale) {
        let paper = experiment
            .scale(Scale::Paper)
            .map_or(0, |paper| paper.games);
        if scale.games < paper {
            notes.push(format!(
                "At this scale a cell has {} games; the paper has {paper}.",
                scale.games
            ));
        }
        if !scale.longer.is_empty() {
            let cells = experiment.cells_of(scale);
            let cells = cells.filter(|cell| scale.games_of(cell) > scale.games);
            let cells: Vec<String> = cells
                .map(|cell| format!("{} ({})", cell.name, scale.games_of(cell)))
                .collect();
            notes.push(format!("Some cells have more games: {}.", cells.join("; ")));
        }
        if scale.budget != 1.0 {
            notes.push(format!(
                "At this scale players get {:.0} % of the thinking that the study's data gives them.",
                scale.budget * 100.0
            ));
        }
        if !scale.groups.is_empty() {
            notes.push(format!(
                "At this scale only these groups are played: {}.",
                scale.groups.join("; ")
            ));
        }
    }
    if plan.is_timed() {
        let runs = ledger.runs.iter().filter(|run| run.seed == plan.seed);
        let runs: Vec<String> = runs
            .map(|run| format!("{} at a time on {} processors", run.jobs, run.processors))
            .collect();
        notes.push(format!(
            "Players think by the clock, so that another machine gives other results. Games were played {}.",
            runs.join(", then ")
        ));
    }
    notes
}
