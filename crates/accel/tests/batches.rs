//! Bundled games on every backend: the same figures for a seed, whether playouts are told one by
//! one or added up, and on however many threads machine code is shared.

use std::time::Duration;

use paidia_accel::{Backend, Batch, BatchOptions, Batches};
use paidia_game::{BatchPlayouts, Effort, Extent, Figures, Goal, RoleId};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_reason::propnet::{GroundGame, Propnet, ground_game};

/// Few and many moves, several roles, recursion, goals that are expensive.
const GAMES: [&str; 6] = [
    "tic-tac-toe",
    "connect-four",
    "breakthrough",
    "othello",
    "atari-go-7x7",
    "hex-7x7",
];

const STEP_LIMIT: u32 = 60;

fn ground(name: &str) -> GroundGame {
    let rules = paidia_library::find(name).unwrap().rules;
    let (reading, report) = check_source(&Source::new(name, rules), None);
    let program = Program::new(&reading.sheet, report.dialect).unwrap();
    let budget = Budget {
        time: Duration::from_secs(600),
        ..Budget::default()
    };
    ground_game(name, &program, budget).unwrap()
}

fn backends() -> impl Iterator<Item = Backend> {
    let all = Backend::ALL.into_iter();
    all.filter(|backend| backend.is_available())
}

/// The figures of playouts that are told one by one.
fn one_by_one(batches: &Batches, playouts: u32) -> Figures {
    let mut batch: Batch = batches.open(BatchOptions {
        seed: 7,
        step_limit: STEP_LIMIT,
        ..BatchOptions::default()
    });
    let mut figures = Figures::new(batches.ground().facts.roles.len());
    batch.submit(&batches.initial(), 0, playouts);
    batch.run(u32::MAX, &mut |ended| {
        figures.add(ended.playout, |role: RoleId| ended.goals[role.index()]);
    });
    figures
}

fn effort(threads: usize, playouts: u64) -> Effort {
    Effort {
        extent: Extent::Playouts(playouts),
        threads,
        seed: 7,
        step_limit: STEP_LIMIT,
    }
}

#[test]
fn figures_are_the_same_on_every_backend_and_however_they_are_added_up() {
    for name in GAMES {
        let game = ground(name);
        let mut expected: Option<(Figures, Figures)> = None;
        for backend in backends() {
            let batches = Batches::with_backend(game.clone(), backend);
            let start = batches.initial();
            let alone = batches.simulate(&start, effort(1, 2_000), &mut |_| {});
            assert_eq!(alone, one_by_one(&batches, 2_000), "{name}, {backend:?}");
            assert!(alone.playouts == 2_000 && alone.states > 2_000);
            let shared = batches.simulate(&start, effort(3, 2_001), &mut |_| {});
            let found = (alone, shared);
            let expected = expected.get_or_insert_with(|| found.clone());
            assert_eq!(found, *expected, "{name}, {backend:?}");
        }
    }
}

#[test]
fn states_of_the_network_and_sets_of_bits_are_the_same() {
    let batches = Batches::new(ground("connect-four"));
    let game = batches.propnet();
    let options = BatchOptions {
        blocks: 1,
        ..BatchOptions::default()
    };
    let initial = paidia_game::Rules::initial(&game);
    let mut states: Batch<<Propnet as paidia_game::Rules>::State> = batches.open(options);
    states.submit(&initial, 0, 300);
    let mut bits: Batch = batches.open(options);
    bits.submit(&batches.initial(), 0, 300);
    let mut found = [Vec::new(), Vec::new()];
    states.run(u32::MAX, &mut |ended| {
        found[0].push(first_goal(ended.goals));
    });
    bits.run(u32::MAX, &mut |ended| {
        found[1].push(first_goal(ended.goals));
    });
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0].len(), 300);
    let texts = batches.fluents(&batches.initial());
    assert_eq!(batches.state(&texts).unwrap(), batches.initial());
    assert!(batches.state(&["nonsense".to_owned()]).is_err());
}

fn first_goal(goals: &[Goal]) -> Option<i32> {
    goals[0].value()
}
