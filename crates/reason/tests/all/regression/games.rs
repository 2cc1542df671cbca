//! Over the bundled games: with certain fluents, a move's formula is true exactly if the move
//! reaches the goal at once.

use std::time::Duration;

use paidia_game::{Chance, Game, Goal, MoveId, RoleId, Rules, Walker};
use paidia_gdl::grounding::Budget as Grounding;
use paidia_library::BundledGame;
use paidia_reason::knowledge::Turns;
use paidia_reason::propnet::Propnet;
use paidia_reason::regression::{Budget, Evaluator, FluentWeights, Heuristics};

use crate::regression::as_written;

/// How many states of each game are looked at if nothing is said.
const FEW: usize = 50;
/// Joint moves after which random play starts anew.
const LONGEST: usize = 300;

/// How many states the environment asks for, if it does.
fn asked() -> Option<usize> {
    std::env::var("PAIDIA_STATES").ok()?.parse().ok()
}

/// How large rules may be. A program that is not optimised would take minutes for those of some
/// games.
fn budget() -> Grounding {
    let (atoms, literals) = match asked() {
        Some(_) => (4_000_000, 20_000_000),
        None => (20_000, 20_000),
    };
    Grounding {
        time: Duration::from_secs(600),
        atoms,
        literals,
        ..Grounding::default()
    }
}

/// What came of a game.
enum Outcome {
    /// The numbers of states and moves that were compared.
    Compared(usize, usize),
    /// Why it was left out.
    LeftOut(String),
}

#[test]
fn formulas_are_one_step_of_lookahead() {
    let mut compared = 0;
    for bundled in paidia_library::sheets() {
        match compare(bundled) {
            Outcome::Compared(states, moves) => {
                println!("{}: {states} states, {moves} moves", bundled.name);
                compared += 1;
            }
            Outcome::LeftOut(because) => println!("{}: left out, {because}", bundled.name),
        }
    }
    assert!(compared >= 20, "only {compared} games were compared");
}

fn compare(bundled: &BundledGame) -> Outcome {
    let game = match as_written(bundled.name, bundled.rules, budget()) {
        Ok(game) => game,
        Err(error) => return Outcome::LeftOut(error.to_string()),
    };
    let engine = Propnet::new(game.clone());
    let turns = Turns::prove(&game.network).unwrap_or_else(|| Turns::observe(&engine, 3, 1));
    if !turns.are_known() {
        return Outcome::LeftOut(format!("its moves are {}", turns.order.name()));
    }
    match Heuristics::new(&game, &turns, Budget::default()) {
        Ok(heuristics) => {
            let evaluator = heuristics.evaluator(&FluentWeights::CERTAIN);
            let best = game.network.goals.iter().map(|goals| {
                let values = goals.iter().map(|&(value, _)| value);
                values.max().unwrap_or(0)
            });
            Comparison::new(engine, turns, evaluator, best.collect()).run()
        }
        Err(error) => Outcome::LeftOut(error.to_string()),
    }
}

struct Comparison {
    engine: Propnet,
    turns: Turns,
    evaluator: Evaluator,
    /// For each role its best goal.
    best: Vec<i32>,
    chance: Chance,
    moves: usize,
}

impl Comparison {
    fn new(engine: Propnet, turns: Turns, evaluator: Evaluator, best: Vec<i32>) -> Self {
        Self {
            engine,
            turns,
            evaluator,
            best,
            chance: Chance::from_seed(5),
            moves: 0,
        }
    }

    fn run(mut self) -> Outcome {
        let wanted = asked().unwrap_or(FEW);
        let mut walker = self.engine.walker();
        let start = self.engine.initial();
        let (mut states, mut steps, mut joint) = (0, 0, Vec::new());
        // Games in which no role ever chooses would never end otherwise.
        for _ in 0..wanted * 50 {
            if states == wanted {
                break;
            }
            if steps == LONGEST || walker.is_terminal() {
                walker.jump(&start);
                steps = 0;
            }
            if walker.legal().draw(&mut self.chance, &mut joint).is_err() {
                break;
            }
            states += usize::from(self.look(&mut walker));
            walker.advance(&joint, &mut self.chance);
            steps += 1;
        }
        Outcome::Compared(states, self.moves)
    }

    /// Compares all moves of the role that chooses, if one does and all others are idle.
    fn look(&mut self, walker: &mut <Propnet as Game>::Walker) -> bool {
        let legal = walker.legal().clone();
        let mut choosing = legal.iter().filter(|(_, moves)| moves.len() > 1);
        let Some((mover, moves)) = choosing.next() else {
            return false;
        };
        let idle = |role: RoleId| role == mover || self.turns.idle(role) == Some(legal.of(role)[0]);
        let roles: Vec<RoleId> = self.engine.facts().role_ids().collect();
        if choosing.next().is_some() || !roles.iter().copied().all(idle) {
            return false;
        }
        let mut here = self.engine.initial();
        walker.save(&mut here);
        let mut values = Vec::new();
        self.evaluator
            .evaluate(here.words(), mover, moves, &mut values);
        for (&id, value) in moves.iter().zip(values) {
            let joint: Vec<MoveId> = roles
                .iter()
                .map(|&role| if role == mover { id } else { legal.of(role)[0] })
                .collect();
            walker.jump(&here);
            walker.advance(&joint, &mut self.chance);
            let reached = walker.goal(mover) == Goal::One(self.best[mover.index()]);
            let facts = self.engine.facts();
            let text = self.engine.moves().name(id);
            assert_eq!(value == 1.0, reached, "{}: {text} is {value}", facts.name);
            assert!(value == 0.0 || value == 1.0, "{}: {value}", facts.name);
            self.moves += 1;
        }
        walker.jump(&here);
        true
    }
}
