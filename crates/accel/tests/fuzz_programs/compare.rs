//! One sheet, all engines: whether they agree on everything.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use paidia_accel::{Backend, Batch, BatchOptions, LANES, Lanes, Order, Program, compile, native};
use paidia_game::{
    BatchPlayouts, Chance, CrossCheck, Game, Goal, LegalMoves, Legible, MoveId, Playout, RoleId,
    Walker,
};
use paidia_gdl::check::check_source;
use paidia_gdl::grounding::Budget;
use paidia_gdl::{Source, program};
use paidia_reason::compiled::{Demand, Optimisations};
use paidia_reason::propnet::{GroundGame, LoadNetworkError, Propnet, ground_game_with};
use paidia_reason::{Compiled, Reference};

use crate::record::{Step, after, position, record};

/// What came of a sheet on which the engines do not differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// They agree on that many different states.
    Equal(usize),
    /// The rules ask for more than a test should take.
    OverBudget,
}

/// Why a sheet does not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The checks find errors in it, which the text lists.
    Invalid(String),
    /// Engines differ, or one fails.
    Differs(String),
}

/// Enough for any sheet without terms that grow.
const BUDGET: Budget = Budget {
    time: Duration::from_secs(60),
    atoms: 50_000,
    rules: 500_000,
    literals: 3_000_000,
};

/// Compiled rules as they are written.
const PLAIN: Optimisations = Optimisations {
    share: false,
    order: false,
    cut: false,
    restrict: false,
    carry: false,
    demand: Demand::Never,
};

/// Compiled rules in which whatever can be asked for is.
const DEMANDED: Optimisations = Optimisations {
    demand: Demand::Always,
    share: true,
    order: true,
    cut: true,
    restrict: true,
    carry: true,
};

const PLAYOUTS: u32 = 4;

/// More steps than any counter has; sheets that are being shrunk may have lost theirs.
const STEP_LIMIT: u32 = 20;

/// Compares all engines on a sheet.
pub(crate) fn compare(text: &str, seed: u64) -> Result<Outcome, Failure> {
    let program = read(text)?;
    let differs = |what: &str| {
        let what = what.to_owned();
        move |because: String| Failure::Differs(format!("{what}: {because}"))
    };
    let [whole, bare] = match networks(&program) {
        Ok(games) => games,
        Err(LoadNetworkError::OverBudget(_)) => return Ok(Outcome::OverBudget),
        Err(error) => return Err(differs("network")(error.to_string())),
    };
    let reference = Reference::new("made up", &program)
        .map_err(|error| differs("reference")(error.to_string()))?;
    let mut chance = Chance::from_seed(seed);
    // The reference engine gives up where rules multiply beyond all measure, which is no
    // difference.
    let Ok(steps) = record(&reference, &whole.fluents, LANES, &mut chance) else {
        return Ok(Outcome::OverBudget);
    };
    for optimisations in [Optimisations::default(), PLAIN, DEMANDED] {
        let made = || Compiled::with("made up", &program, optimisations);
        for (made, name) in [(made(), "compiled"), (made().map(native), "machine code")] {
            let engine = made.map_err(|error| differs(name)(error.to_string()))?;
            cross_check(&reference, &engine, seed).map_err(differs(name))?;
            follow(&engine, &steps, &mut chance).map_err(differs(name))?;
        }
    }
    for (game, name) in [(&whole, "all passes"), (&bare, "no passes")] {
        let propnet = Propnet::new(game.clone());
        cross_check(&reference, &propnet, seed).map_err(differs(name))?;
        follow(&propnet, &steps, &mut chance).map_err(differs(name))?;
    }
    for backend in backends() {
        let batch = batch(&whole, seed, backend);
        in_lanes(&whole, batch.program(), backend, &steps).map_err(differs(backend.name()))?;
    }
    let simple = Arc::new(compile(&bare.network, Order::Depth));
    in_lanes(&bare, &simple, Backend::Portable, &steps).map_err(differs("no passes, lanes"))?;
    same_playouts(&whole, seed).map_err(differs("playouts"))?;
    let states: BTreeSet<&[String]> = steps.iter().map(|step| &*step.state).collect();
    Ok(Outcome::Equal(states.len()))
}

fn read(text: &str) -> Result<program::Program, Failure> {
    let (reading, report) = check_source(&Source::new("made up", text), None);
    let errors = report.problems.iter().filter(|problem| problem.is_error());
    let errors: Vec<&str> = errors.map(|problem| problem.message.as_str()).collect();
    if !errors.is_empty() {
        return Err(Failure::Invalid(errors.join("\n")));
    }
    program::Program::new(&reading.sheet, report.dialect)
        .map_err(|error| Failure::Invalid(error.to_string()))
}

/// The network with all passes and the one with none.
fn networks(program: &program::Program) -> Result<[GroundGame; 2], LoadNetworkError> {
    let (whole, _) = ground_game_with("made up", program, BUDGET, |_| true)?;
    let (bare, _) = ground_game_with("made up", program, BUDGET, |_| false)?;
    Ok([whole, bare])
}

fn backends() -> impl Iterator<Item = Backend> {
    let all = Backend::ALL.into_iter();
    all.filter(|backend| backend.is_available())
}

fn cross_check<G: Game + Legible>(
    reference: &Reference,
    suspect: &G,
    seed: u64,
) -> Result<(), String> {
    let check = CrossCheck {
        trusted: reference.clone(),
        suspect: suspect.clone(),
    };
    let agreement = check.run(PLAYOUTS, STEP_LIMIT, seed);
    agreement
        .map(|_| ())
        .map_err(|difference| difference.to_string())
}

/// Goes to the state of every step, asks, and makes its moves.
fn follow<G: Game + Legible>(game: &G, steps: &[Step], chance: &mut Chance) -> Result<(), String> {
    let mut walker = game.walker();
    for step in steps {
        let state: Vec<&str> = step.state.iter().map(String::as_str).collect();
        let state = game.state(&state).map_err(|error| error.to_string())?;
        walker.jump(&state);
        let (is_terminal, legal, goals) = position(game, &mut walker);
        let found = Step {
            state: step.state.clone(),
            is_terminal,
            legal,
            goals,
            after: match &step.after {
                Some(expected) => {
                    let joint = joint(game.moves(), &expected.joint)?;
                    Some(after(game, &mut walker, &joint, chance))
                }
                None => None,
            },
        };
        same(step, &found)?;
    }
    Ok(())
}

fn joint(moves: &paidia_game::MoveTable, texts: &[String]) -> Result<Vec<MoveId>, String> {
    let find = |text: &String| moves.find(text).ok_or(format!("no move {text}"));
    texts.iter().map(find).collect()
}

fn same(expected: &Step, found: &Step) -> Result<(), String> {
    match expected == found {
        true => Ok(()),
        false => Err(format!("expected {expected:#?}\nfound {found:#?}")),
    }
}

/// Puts every step into a lane, asks in all of them, and makes all moves at once.
fn in_lanes(
    game: &GroundGame,
    program: &Arc<Program>,
    backend: Backend,
    steps: &[Step],
) -> Result<(), String> {
    let mut lanes = Lanes::new(Arc::clone(program), backend);
    for (lane, step) in steps.iter().enumerate() {
        lanes.load(lane, &bits(game, &step.state)?);
    }
    lanes.evaluate();
    let mut found: Vec<Step> = Vec::new();
    for (lane, step) in steps.iter().enumerate() {
        found.push(in_lane(game, &lanes, lane, step));
        if let Some(after) = &step.after {
            let joint = joint(&game.moves, &after.joint)?;
            lanes
                .choose(lane, &joint)
                .map_err(|role| format!("lane {lane}: role {} cannot do that", role.0))?;
        }
    }
    lanes.advance();
    for (lane, (step, found)) in steps.iter().zip(&mut found).enumerate() {
        if let Some(after) = &mut found.after {
            after.state = texts(game, &lanes.state(lane));
        }
        same(step, found).map_err(|because| format!("lane {lane}: {because}"))?;
    }
    Ok(())
}

/// What a lane says about its state; what comes after is as expected, because lanes are not asked
/// for percepts.
fn in_lane(game: &GroundGame, lanes: &Lanes, lane: usize, step: &Step) -> Step {
    let mut legal = LegalMoves::new();
    lanes.legal(lane, &mut legal);
    let name = |&id: &MoveId| game.moves.name(id).to_string();
    let names = |(_, moves): (RoleId, &[MoveId])| moves.iter().map(name).collect();
    let goals = game.facts.role_ids().map(|role| lanes.goal(lane, role));
    Step {
        state: texts(game, &lanes.state(lane)),
        is_terminal: lanes.is_terminal(lane),
        legal: legal.iter().map(names).collect(),
        goals: goals.collect(),
        after: step.after.clone(),
    }
}

/// A state as the bits of its fluents.
fn bits(game: &GroundGame, texts: &[String]) -> Result<Vec<u64>, String> {
    let mut state = vec![0; game.fluents.len().div_ceil(64)];
    for text in texts {
        let fluent = game.fluents.binary_search(text);
        let fluent = fluent.map_err(|_| format!("no fluent {text}"))?;
        state[fluent / 64] |= 1 << (fluent % 64);
    }
    Ok(state)
}

fn texts(game: &GroundGame, state: &[u64]) -> Vec<String> {
    let holds = |fluent: &usize| state[fluent / 64] >> (fluent % 64) & 1 == 1;
    let holding = (0..game.fluents.len()).filter(holds);
    holding.map(|fluent| game.fluents[fluent].clone()).collect()
}

fn batch(game: &GroundGame, seed: u64, backend: Backend) -> Batch {
    let options = BatchOptions {
        seed,
        step_limit: STEP_LIMIT,
        blocks: 1,
        backend,
        ..BatchOptions::default()
    };
    Batch::new(&game.network, options)
}

/// Random playouts from the start are the same with every backend.
fn same_playouts(game: &GroundGame, seed: u64) -> Result<(), String> {
    let names = game.fluents.iter().zip(&game.network.initial);
    let start = names.filter(|(_, holds)| **holds);
    let start: Vec<String> = start.map(|(name, _)| name.clone()).collect();
    let start = bits(game, &start)?;
    let play = |backend: Backend| -> Vec<(Playout, Vec<Goal>)> {
        let mut batch = batch(game, seed, backend);
        // More than there are lanes, so that some are used again.
        batch.submit(&start, 0, LANES as u32 + 50);
        let mut playouts = Vec::new();
        batch.run(u32::MAX, &mut |done| {
            playouts.push((done.playout, done.goals.to_vec()));
        });
        playouts
    };
    let mut all = backends().map(play);
    let first = all.next();
    match all.all(|other| Some(other) == first) {
        true => Ok(()),
        false => Err("the backends differ".to_owned()),
    }
}
