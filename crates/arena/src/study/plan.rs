//! The list of games that a study plays, each with a seed of its own.

use super::error::StudyError;
use super::experiment::{Cell, Experiment, Scale, ScaleData};
use super::measure::Measure;
use crate::contest::{Contestant, Setup, StartClock, Thinking, game_seed};
use crate::spec::{Guest, PlayerSpec};

/// All games of a study at a scale.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scale.
    pub scale: Scale,
    /// The seed of the study.
    pub seed: u64,
    /// The games: the first of every cell, then the second of every cell, and so on, so that a plan that is done in part is done
    /// in equal parts.
    pub games: Vec<Setup>,
}

impl Plan {
    /// Plans an experiment.
    ///
    /// # Errors
    /// If it does not have that scale.
    pub fn new(experiment: &Experiment, scale: Scale, seed: u64) -> Result<Self, StudyError> {
        let data = experiment.scale(scale)?;
        let cells: Vec<&Cell> = experiment.cells_of(data).collect();
        let mut games = Vec::new();
        let most = cells.iter().map(|cell| data.games_of(cell)).max();
        for number in 0..most.unwrap_or(0) {
            for cell in cells.iter().filter(|cell| number < data.games_of(cell)) {
                games.push(setup(experiment, data, cell, number, seed)?);
            }
        }
        Ok(Self { scale, seed, games })
    }

    /// Whether any player thinks by the clock, so that results depend on the machine and on what else it does.
    pub fn is_timed(&self) -> bool {
        let contestants = self.games.iter().flat_map(|setup| &setup.contestants);
        contestants
            .into_iter()
            .any(|contestant| matches!(contestant.thinking, Thinking::Seconds(_)))
    }
}

fn setup(
    experiment: &Experiment,
    scale: &ScaleData,
    cell: &Cell,
    number: u32,
    seed: u64,
) -> Result<Setup, StudyError> {
    let count = cell.players.len();
    let contestant = |role: usize| {
        let place = (role + number as usize) % count;
        let part = if cell.whole { 1.0 } else { scale.budget };
        let thinking = thinking(cell, place).part(part);
        contestant(experiment, place, &cell.players[place], thinking)
    };
    Ok(Setup {
        cell: cell.name.clone(),
        number,
        game: cell.game.clone(),
        // Studies have bundled games; their result files name them only.
        rules: None,
        seed: game_seed(seed, &cell.name, number),
        contestants: (0..count)
            .map(contestant)
            .collect::<Result<_, StudyError>>()?,
        start_clock: start_clock(experiment),
        step_limit: experiment.step_limit,
        is_judged: experiment.measure == Measure::Perfect,
    })
}

/// What everybody may use before the first move.
fn start_clock(experiment: &Experiment) -> StartClock {
    match (experiment.start_seconds, experiment.start_clock) {
        (Some(seconds), _) => StartClock::Thinking(Thinking::Seconds(seconds)),
        (None, true) => StartClock::OneMove,
        (None, false) => StartClock::None,
    }
}

/// The player that an experiment calls so, at a place of a cell.
pub(super) fn contestant(
    experiment: &Experiment,
    place: usize,
    name: &str,
    thinking: Thinking,
) -> Result<Contestant, StudyError> {
    let written = experiment.written(name).parse::<PlayerSpec>();
    let player = written.map_err(|reason| StudyError::Player {
        player: name.to_owned(),
        reason: reason.into(),
    })?;
    Ok(Contestant {
        place,
        name: name.to_owned(),
        player: Guest::BuiltIn(player),
        thinking,
    })
}

/// What the cell gives the player at a place.
fn thinking(cell: &Cell, place: usize) -> Thinking {
    if let Some(states) = &cell.states {
        Thinking::States(states[place])
    } else if let Some(simulations) = &cell.simulations {
        Thinking::Simulations(simulations[place])
    } else {
        Thinking::Seconds(cell.seconds.as_ref().map_or(0.0, |seconds| seconds[place]))
    }
}

#[cfg(test)]
mod tests {
    use super::Plan;
    use crate::contest::game_seed;
    use crate::study::{Experiment, Scale};
    use std::collections::BTreeSet;

    const TEXT: &str = r#"
        title = "T"
        source = "S"
        about = "A"
        games = { chinese-checkers-3 = "ours" }
        players = { One = "uct", Two = "mc-flat", Three = "random" }
        scales.quick = { games = 6 }
        scales.paper = { games = 12, budget = 0.5 }
        [[cells]]
        name = "all"
        group = "g"
        game = "chinese-checkers-3"
        players = ["One", "Two", "Three"]
        states = [100, 50, 1]
    "#;

    #[test]
    fn every_player_has_every_role_equally_often() {
        let experiment = Experiment::parse("test", TEXT).unwrap();
        let plan = Plan::new(&experiment, Scale::Quick, 1).unwrap();
        for role in 0..3 {
            for place in 0..3 {
                let there = |setup: &&super::Setup| setup.contestants[role].place == place;
                assert_eq!(plan.games.iter().filter(there).count(), 2);
            }
        }
        let states: Vec<String> = plan.games[1]
            .contestants
            .iter()
            .map(|contestant| contestant.thinking.to_string())
            .collect();
        assert_eq!(states, ["50 states", "1 states", "100 states"]);
    }

    #[test]
    fn a_cell_can_keep_its_budget_at_every_scale() {
        let states = |text: &str| {
            let experiment = Experiment::parse("test", text).unwrap();
            let plan = Plan::new(&experiment, Scale::Paper, 1).unwrap();
            plan.games[0].contestants[0].thinking.to_string()
        };
        assert_eq!(states(TEXT), "50 states");
        assert_eq!(states(&format!("{TEXT}whole = true")), "100 states");
    }

    #[test]
    fn some_cells_may_have_more_games() {
        let second = TEXT[TEXT.find("[[cells]]").unwrap()..].replace("all", "more");
        let second = second.replace(r#""g""#, r#""h""#);
        let longer = r#"{ games = 12, longer = [{ cells = { groups = ["h"] }, games = 15 }] }"#;
        let text = TEXT.replace("{ games = 12, budget = 0.5 }", longer);
        let experiment = Experiment::parse("test", &format!("{text}{second}")).unwrap();
        let plan = Plan::new(&experiment, Scale::Paper, 1).unwrap();
        let count = |cell| plan.games.iter().filter(|setup| setup.cell == cell).count();
        assert_eq!((count("all"), count("more")), (12, 15));
        assert_eq!(plan.games.last().unwrap().number, 14);
        let unplayed = text.replace(r#""h""#, r#""i""#);
        let error = Experiment::parse("test", &unplayed)
            .unwrap_err()
            .to_string();
        assert!(error.contains("not played"), "{error}");
    }

    #[test]
    fn a_larger_scale_begins_with_the_smaller_one_if_budgets_are_the_same() {
        let half = Experiment::parse("test", TEXT).unwrap();
        let same = Experiment::parse("test", &TEXT.replace("budget = 0.5", "budget = 1")).unwrap();
        let fingerprints = |experiment: &Experiment, scale| -> Vec<String> {
            let plan = Plan::new(experiment, scale, 1).unwrap();
            plan.games.iter().map(super::Setup::fingerprint).collect()
        };
        let quick = fingerprints(&same, Scale::Quick);
        assert!(fingerprints(&same, Scale::Paper).starts_with(&quick));
        let other: BTreeSet<String> = fingerprints(&half, Scale::Paper).into_iter().collect();
        assert!(quick.iter().all(|print| !other.contains(print)));
    }

    #[test]
    fn seeds_are_all_different_and_stay_as_they_are() {
        let mut seeds = BTreeSet::new();
        for seed in 0..10 {
            for cell in ["a", "b", "ab"] {
                seeds.extend((0..100).map(|number| game_seed(seed, cell, number)));
            }
        }
        assert_eq!(seeds.len(), 3000);
        // A change here would make every result file worthless.
        assert_eq!(game_seed(1, "a", 0), 5_437_381_769_764_386_858);
    }
}
