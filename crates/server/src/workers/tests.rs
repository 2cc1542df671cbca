//! Masters and workers over loopback.

mod masters;
mod means;
mod proxy;
mod strangers;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use paidia_arena::Playable;
use paidia_game::{BatchPlayouts, Rules};
use paidia_gdl::program::Program;
use paidia_gdl::{Dialect, Source, syntax};
use paidia_reason::propnet::engine::State;
use paidia_reason::propnet::{GroundGame, Propnet, ground_game};
use paidia_search::leaves::{Decisive, LeafOptions, LeafPlayouts, LeafSource, LeafValue};

use super::master::Patience;
use super::{RemoteRules, Token, Worker, Workers};

/// A guard against tests that never end; far more than anything takes.
const FOREVER: Duration = Duration::from_secs(120);

const OPTIONS: LeafOptions = LeafOptions {
    seed: 7,
    stream: 0,
    discount: 0.9,
    step_limit: 1_000,
    decisive: Decisive::No,
    is_weighted: false,
};

fn token() -> Token {
    Token::new(b"a secret that only tests know\n").unwrap()
}

/// A worker that runs until the tests end.
fn worker(threads: usize) -> SocketAddr {
    let worker = Worker::bind("127.0.0.1:0", token(), threads).unwrap();
    let address = worker.address().unwrap();
    std::thread::spawn(move || worker.serve(|_| {}));
    address
}

fn rules(name: &str) -> RemoteRules {
    RemoteRules {
        name: name.to_owned(),
        text: paidia_library::find(name).unwrap().rules.to_owned(),
        dialect: Dialect::Gdl,
    }
}

fn ground(name: &str) -> GroundGame {
    let reading = syntax::read(&Source::new(name, rules(name).text));
    let program = Program::new(&reading.sheet, Dialect::Gdl).unwrap();
    ground_game(name, &program, Default::default()).unwrap()
}

fn playable(name: &str) -> Playable<Propnet> {
    Playable::ground(ground(name))
}

/// Workers that are missed soon and looked for often.
fn workers(game: &Propnet, name: &str, addresses: &[SocketAddr]) -> Workers {
    let addresses: Vec<String> = addresses.iter().map(SocketAddr::to_string).collect();
    let patience = Patience {
        retry: Duration::from_millis(20),
        ..Patience::default()
    };
    Workers::with_patience(game, rules(name), &addresses, token(), patience)
}

/// Works, but never asks for work.
struct Modest(Box<dyn LeafPlayouts<State>>);

impl LeafPlayouts<State> for Modest {
    fn submit(&mut self, from: &State, tag: u32, playouts: u32) {
        self.0.submit(from, tag, playouts);
    }
    fn run(&mut self, done: &mut dyn FnMut(LeafValue<'_>)) {
        self.0.run(done);
    }
    fn room(&self) -> u32 {
        0
    }
    fn cancel(&mut self) {
        self.0.cancel();
    }
}

/// The source of a game that gets only the leaves that are not placed elsewhere.
fn modest(playable: &Playable<Propnet>) -> LeafSource<State> {
    let source = Arc::clone(playable.leaves().unwrap());
    Arc::new(move |options| Box::new(Modest(source(options))))
}

/// Works until something is so.
fn run_until(
    leaves: &mut dyn LeafPlayouts<State>,
    done: &mut dyn FnMut(LeafValue<'_>),
    is_so: &mut dyn FnMut(&dyn LeafPlayouts<State>) -> bool,
) {
    let started = Instant::now();
    while !is_so(leaves) {
        assert!(started.elapsed() < FOREVER, "this takes for ever");
        leaves.run(done);
        std::thread::sleep(Duration::from_micros(100));
    }
}

/// Works until a worker has come, so that there is room.
fn await_room(leaves: &mut dyn LeafPlayouts<State>) {
    run_until(
        leaves,
        &mut |_| panic!("nothing was asked for"),
        &mut |leaves| leaves.room() > 0,
    );
}

/// Submits leaves, and works until all of them came back; how many playouts each had, by tag.
fn play_all(leaves: &mut dyn LeafPlayouts<State>, from: &State, tags: u32) -> BTreeMap<u32, u32> {
    for tag in 0..tags {
        leaves.submit(from, tag, 8);
    }
    let told = std::cell::RefCell::new(BTreeMap::new());
    run_until(
        leaves,
        &mut |value| {
            let before = told.borrow_mut().insert(value.tag, value.playouts);
            assert_eq!(before, None, "leaf {} was told of twice", value.tag);
        },
        &mut |_| told.borrow().len() == tags as usize,
    );
    told.into_inner()
}

/// Each of these leaves with its eight playouts.
fn eight_each(tags: u32) -> BTreeMap<u32, u32> {
    (0..tags).map(|tag| (tag, 8)).collect()
}

/// The playouts that came from the first worker.
fn from_worker(workers: &Workers) -> u64 {
    workers.report()[0].playouts
}

/// The length and the first role's goal of every playout from the start, by the engine below
/// everything else.
fn recorded(game: &GroundGame, seed: u64, playouts: u32) -> Vec<(u32, f64)> {
    let options = paidia_accel::BatchOptions {
        seed,
        step_limit: OPTIONS.step_limit,
        blocks: 1,
        ..Default::default()
    };
    let mut batch = paidia_accel::Batch::new(&game.network, options);
    let initial = Propnet::new(game.clone()).initial();
    batch.submit(initial.words(), 0, playouts);
    let mut recorded = Vec::new();
    while batch.open() > 0 {
        batch.run(1, &mut |playout| {
            let goal = playout.goals[0].value().unwrap();
            recorded.push((playout.playout.length, f64::from(goal)));
        });
    }
    recorded
}
