//! Threads as a GPU runs them: their playouts are those of the rules.

use std::time::Duration;

use paidia_accel::{Batches, Shape, SoftThreads};
use paidia_game::{Effort, Extent, Figures, RoleId, Sample};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_reason::propnet::{GroundGame, ground_game};

fn ground(name: &str) -> GroundGame {
    try_ground(name).unwrap()
}

/// The game as a network, if it becomes one soon.
fn try_ground(name: &str) -> Option<GroundGame> {
    let rules = paidia_library::find(name).unwrap().rules;
    let (reading, report) = check_source(&Source::new(name, rules), None);
    let program = Program::new(&reading.sheet, report.dialect).ok()?;
    let budget = Budget {
        time: Duration::from_secs(60),
        ..Budget::default()
    };
    ground_game(name, &program, budget).ok()
}

fn effort(playouts: u64, step_limit: u32) -> Effort {
    Effort {
        extent: Extent::Playouts(playouts),
        threads: 1,
        seed: 5,
        step_limit,
    }
}

/// Whether two samples can well be from one source.
fn agree(one: Sample, other: Sample) -> bool {
    match one.distance(other) {
        Some(distance) => distance.abs() < 5.0,
        None => one.count() == other.count(),
    }
}

fn compare(name: &str, found: &Figures, expected: &Figures, roles: usize) {
    assert!(
        agree(found.lengths(), expected.lengths()),
        "{name}: lengths {:?}, not {:?}",
        found.lengths().mean(),
        expected.lengths().mean()
    );
    for role in (0..roles as u16).map(RoleId) {
        assert!(
            agree(found.goals(role), expected.goals(role)),
            "{name}: goals {:?}, not {:?}",
            found.mean_goal(role),
            expected.mean_goal(role)
        );
    }
}

#[test]
fn playouts_are_those_of_batches() {
    for (name, step_limit, playouts) in [
        ("tic-tac-toe", 100, 4_000),
        ("connect-four", 100, 2_000),
        ("breakthrough", 200, 500),
        ("othello", 20, 150),
        ("atari-go-7x7", 60, 500),
        ("hex-7x7", 60, 500),
    ] {
        let game = ground(name);
        let roles = game.facts.roles.len();
        let batches = Batches::new(game.clone());
        let effort = effort(playouts, step_limit);
        let expected = batches.simulate(&batches.initial(), effort, &mut |_| {});
        let soft = SoftThreads::new(&game.network, step_limit, Shape::default());
        let found = soft.simulate(&batches.initial(), effort);
        assert_eq!(found.playouts, playouts, "{name}");
        compare(name, &found, &expected, roles);
        // The same in memory and functions.
        let shape = Shape {
            in_registers: 0,
            ..Shape::default()
        };
        let cut = SoftThreads::new(&game.network, step_limit, shape);
        assert_eq!(cut.simulate(&batches.initial(), effort), found, "{name}");
    }
}

/// Where a playout is cut, all lanes are.
#[test]
fn playouts_are_cut_after_as_many_moves_as_are_allowed() {
    let game = ground("connect-four");
    let soft = SoftThreads::new(&game.network, 5, Shape::default());
    let found = soft.simulate(&Batches::new(game).initial(), effort(333, 5));
    assert_eq!((found.playouts, found.cut), (333, 333));
    assert_eq!(
        (found.shortest, found.longest, found.states),
        (5, 5, 333 * 5)
    );
}

/// The code of a game is the same text each time, which the cache of machine code goes by.
#[test]
fn code_is_the_same_each_time() {
    let game = ground("tic-tac-toe");
    let text = || SoftThreads::new(&game.network, 100, Shape::default()).ptx();
    assert_eq!(text(), text());
    assert!(text().contains(".visible .entry play("));
}

/// All bundled games that become networks, where there is a GPU.
#[cfg(feature = "gpu")]
#[test]
fn a_gpu_plays_what_plain_code_plays() {
    let gpu = match paidia_accel::Gpu::find() {
        Ok(gpu) => gpu,
        Err(error) => {
            eprintln!("skipped: {error}");
            return;
        }
    };
    let playouts = std::env::var("PAIDIA_GPU_PLAYOUTS").ok();
    let playouts = playouts.and_then(|text| text.parse().ok()).unwrap_or(100);
    let never = std::sync::atomic::AtomicBool::new(false);
    let (mut count, mut skipped) = (0, Vec::new());
    for game in paidia_library::sheets() {
        let Some(ground) = try_ground(game.name) else {
            skipped.push(game.name);
            continue;
        };
        let shape = Shape::default();
        let (network, limit) = (&ground.network, 1_000);
        let threads = paidia_accel::GpuThreads::new(&gpu, network, limit, shape, None).unwrap();
        let soft = SoftThreads::new(network, limit, shape);
        let start = Batches::new(ground.clone()).initial();
        let effort = effort(playouts, limit);
        let found = threads
            .simulate(&start, effort, &mut |_| {}, &never)
            .unwrap();
        assert_eq!(found, soft.simulate(&start, effort), "{}", game.name);
        count += 1;
    }
    eprintln!("{count} games, {playouts} playouts each; without a network: {skipped:?}");
    assert!(count >= 20, "{count} games");
}
