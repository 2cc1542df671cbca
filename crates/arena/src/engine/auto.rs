//! The choice among engines: the network where there is one, else whichever of the others is
//! fastest.
//!
//! Making the network can take as long as its budget, so that the others are made and measured
//! beside it, once it is not there in a moment. They are made one after the other, the most
//! promising first, and only the fastest so far is kept, so that this takes no more memory than two
//! of them.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::{ProcessTime, ThreadTime};
use paidia_accel::Batches;
use paidia_game::{Chance, Effort, Extent, Game, Legible, Walker};
use paidia_gdl::grounding::Budget;
use paidia_reason::{Compiled, Forward, LoadError, Prover};

use super::memory::{Measured, Memory, fingerprint};
use super::report::{EngineReport, Rate, Uses};
use super::{Engine, EngineError, EngineSpec, Grounded, Loaded, Machine, OnGame, Purpose, ground};
use crate::playable::Playable;
use crate::rules::{GdlRules, Ruleset};

/// How long the network may take before others are made beside it.
const MOMENT: Duration = Duration::from_millis(400);

/// Once there is an engine and nothing to wait for, no other is begun after this.
const PATIENCE: Duration = Duration::from_secs(1);

/// Once there is an engine, no other is begun after this, even while the network is waited for:
/// where making the first ones took long, making the next would, too.
const ENOUGH: Duration = Duration::from_secs(3);

/// How much CPU time a measurement of an engine takes.
const MEASUREMENT: Duration = Duration::from_millis(100);

/// How long a measurement may take on a busy machine, beyond which at most one more move is made.
const LONGEST: Duration = Duration::from_millis(400);

/// Joint moves of a playout that is measured, at most.
const STEPS: u32 = 30;

/// A network with fewer operations is fastest at everything.
const SMALL: usize = 4_000;

/// How many times as fast as the network compiled rules must be to be taken for walking: less is
/// noise.
const GAIN: f64 = 1.2;

/// The stack of the thread that grounds: as deep as rules are nested.
const STACK_BYTES: usize = 8 << 20;

/// Makes engines that need no network; more than one where that is less work than one by one.
type Make = fn(&GdlRules) -> Result<Vec<(Engine, Machine)>, LoadError>;

/// The engines that need no network, the most promising first.
const OTHERS: &[Make] = &[compiled_and_reference, prover, forward];

fn compiled_and_reference(rules: &GdlRules) -> Result<Vec<(Engine, Machine)>, LoadError> {
    let (compiled, reference) = Compiled::beside_reference(rules.name(), &rules.program)?;
    Ok(vec![
        (Engine::Compiled, Machine::compiled(compiled, true)),
        (Engine::Reference, Machine::other(reference)),
    ])
}

/// What is asked for is sometimes so little of what could be derived that proving it is fastest, as
/// in chess.
fn prover(rules: &GdlRules) -> Result<Vec<(Engine, Machine)>, LoadError> {
    let prover = Prover::new(rules.name(), &rules.program)?;
    Ok(vec![(Engine::Prover, Machine::other(prover))])
}

fn forward(rules: &GdlRules) -> Result<Vec<(Engine, Machine)>, LoadError> {
    let forward = Forward::new(rules.name(), &rules.program)?;
    Ok(vec![(Engine::Forward, Machine::other(forward))])
}

/// The engine that `auto` takes for a purpose.
pub(super) fn choose(
    spec: &EngineSpec,
    rules: &Arc<GdlRules>,
    budget: Budget,
    purpose: Purpose,
) -> Result<Loaded, EngineError> {
    let is_walking = purpose == Purpose::Walking;
    let memory = is_walking.then(|| (Memory::of_user(), fingerprint(spec, rules)));
    let known = memory.as_ref().and_then(|(file, key)| file.recall(key));
    if let Some(loaded) = known.as_ref().and_then(|known| remembered(known, rules)) {
        return Ok(loaded);
    }
    let mut candidates = Candidates::new(rules);
    let (grounded, cpu) = beside(&mut candidates, || {
        let start = ThreadTime::now();
        (ground(spec, rules, budget), start.elapsed())
    });
    let mut loaded = match grounded {
        Ok((game, making)) if purpose == Purpose::Playouts => {
            let mut loaded = Loaded::of_batches(spec, game, &making);
            loaded.report = loaded.report.because(IN_BATCHES);
            loaded
        }
        Ok((game, making)) => {
            let loaded = Loaded::of_network(spec, game, &making);
            let mut loaded = loaded.advised(rules, budget);
            loaded.report = loaded.report.because("the rules became a network");
            if !candidates.rates.is_empty() {
                loaded.report.rates = candidates.rates_after(Engine::Propnet, &loaded.machine);
            }
            match memory {
                Some(memory) if known.is_none() => for_walking(loaded, candidates, &memory),
                _ => loaded,
            }
        }
        Err(error) => {
            candidates.try_all();
            let (engine, machine, rates) = candidates.fastest()?;
            let report = EngineReport::of_fallback(&engine.into(), &error);
            let report = EngineReport {
                rates,
                native: machine.native_in_words(),
                ..report
            };
            Loaded { machine, report }
        }
    };
    loaded.report.load_cpu_ms += cpu.as_secs_f64() * 1000.0;
    Ok(loaded)
}

/// Why batches are taken.
const IN_BATCHES: &str = "the rules became a network, which makes many playouts at a time";

/// Why compiled rules are taken though there is a network.
const FASTER: &str = "compiled rules go from state to state faster than the network";

/// Compiled rules, if they are remembered to walk faster than the network of the same sheet.
fn remembered(known: &Measured, rules: &GdlRules) -> Option<Loaded> {
    if known.engine != Engine::Compiled {
        return None;
    }
    let compiled = Compiled::new(rules.name(), &rules.program).ok()?;
    let machine = Machine::compiled(compiled, true);
    let report = EngineReport::new(&Engine::Compiled.into()).because(FASTER);
    let report = EngineReport {
        rates: known.rates.clone(),
        native: machine.native_in_words(),
        ..report
    };
    Some(Loaded { machine, report })
}

/// The faster of a network and compiled rules in going from state to state, by a measurement that
/// is remembered.
fn for_walking(
    network: Loaded,
    mut candidates: Candidates<'_>,
    memory: &(Memory, String),
) -> Loaded {
    if is_small(&network) {
        return network;
    }
    let own = rate(Engine::Propnet, &network.machine);
    if candidates.best.is_none() {
        candidates.try_next();
    }
    let least = own.states_per_cpu_s * GAIN;
    let mut rates = candidates.rates;
    let loaded = match candidates.best {
        Some((speed, Engine::Compiled, machine)) if speed > least => {
            rates.push(own);
            let report = EngineReport::new(&Engine::Compiled.into()).because(FASTER);
            let report = EngineReport {
                rates,
                native: machine.native_in_words(),
                ..report
            };
            Loaded { machine, report }
        }
        _ => {
            rates.insert(0, own);
            let report = EngineReport {
                rates,
                ..network.report
            };
            Loaded { report, ..network }
        }
    };
    let (file, key) = memory;
    let engine = match loaded.machine {
        Machine::Compiled(_) => Engine::Compiled,
        _ => Engine::Propnet,
    };
    let rates = loaded.report.rates.clone();
    file.note(key, &Measured { engine, rates });
    loaded
}

/// Whether a network is so small that nothing is faster.
fn is_small(loaded: &Loaded) -> bool {
    let network = loaded.report.network.as_ref();
    network.is_some_and(|network| network.operations < SMALL)
}

/// Grounds in a thread of its own, and tries other engines meanwhile.
fn beside(
    candidates: &mut Candidates<'_>,
    ground: impl Fn() -> (Grounded, Duration) + Sync,
) -> (Grounded, Duration) {
    let work = &ground;
    let outcome = thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let work = move || {
            // Sending fails only if the waiting thread is gone.
            let _ = sender.send(work());
        };
        let builder = thread::Builder::new().stack_size(STACK_BYTES);
        // Without a thread nothing comes.
        let _ = builder.spawn_scoped(scope, work);
        candidates.try_until(&receiver)
    });
    outcome.unwrap_or_else(ground)
}

/// Engines that need no network: the fastest of those that were tried, and how fast each is.
struct Candidates<'a> {
    rules: &'a GdlRules,
    begun: Instant,
    /// The engines that have not been tried.
    left: std::slice::Iter<'static, Make>,
    best: Option<(f64, Engine, Machine)>,
    /// The fastest first.
    rates: Vec<Rate>,
    /// Why the first that failed did.
    error: Option<LoadError>,
}

impl<'a> Candidates<'a> {
    fn new(rules: &'a GdlRules) -> Self {
        Self {
            rules,
            begun: Instant::now(),
            left: OTHERS.iter(),
            best: None,
            rates: Vec::new(),
            error: None,
        }
    }

    /// Makes and measures the next; whether there was one, and time for it.
    fn try_next(&mut self) -> bool {
        if self.best.is_some() && self.begun.elapsed() > ENOUGH {
            return false;
        }
        let Some(make) = self.left.next() else {
            return false;
        };
        match make(self.rules) {
            Ok(made) => {
                for (engine, machine) in made {
                    self.measure(engine, machine);
                }
            }
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
        true
    }

    fn measure(&mut self, engine: Engine, machine: Machine) {
        let rate = rate(engine, &machine);
        let speed = rate.states_per_cpu_s;
        self.rates.push(rate);
        self.rates
            .sort_by(|one, other| other.states_per_cpu_s.total_cmp(&one.states_per_cpu_s));
        if self.best.as_ref().is_none_or(|(best, ..)| *best < speed) {
            self.best = Some((speed, engine, machine));
        }
    }

    /// Tries engines until something else is there, and waits for that if none is left. Nothing if
    /// it never comes.
    fn try_until<T>(&mut self, awaited: &Receiver<T>) -> Option<T> {
        let mut come = awaited.recv_timeout(MOMENT).ok();
        while come.is_none() && self.try_next() {
            come = awaited.try_recv().ok();
        }
        come.or_else(|| awaited.recv().ok())
    }

    /// Tries engines for a while, until there is at least one.
    fn try_all(&mut self) {
        let begun = Instant::now();
        while (self.best.is_none() || begun.elapsed() < PATIENCE) && self.try_next() {}
    }

    /// The fastest engine, and how fast it and the others are.
    fn fastest(self) -> Result<(Engine, Machine, Vec<Rate>), EngineError> {
        match self.best {
            Some((_, engine, machine)) => Ok((engine, machine, self.rates)),
            // If there is none, there was a first that failed.
            None => Err(self.error.unwrap_or(LoadError::NoRoles).into()),
        }
    }

    /// How fast an engine is, and after it the others.
    fn rates_after(&self, engine: Engine, machine: &Machine) -> Vec<Rate> {
        let mut rates = vec![rate(engine, machine)];
        rates.extend(self.rates.iter().cloned());
        rates
    }
}

/// Measures a game that was loaded from these rules for players beside the other engines, as far as
/// that was not done when it was chosen, and tells what serves which use.
pub fn measure(loaded: &mut Loaded, rules: &Ruleset) {
    let Ruleset::Gdl(rules) = rules else { return };
    if matches!(loaded.machine, Machine::Propnet(_)) && loaded.report.rates.is_empty() {
        let mut candidates = Candidates::new(rules);
        candidates.try_all();
        loaded.report.rates = candidates.rates_after(Engine::Propnet, &loaded.machine);
    }
    loaded.report.uses = uses(loaded);
}

/// What serves which use, by what was measured.
fn uses(loaded: &Loaded) -> Option<Uses> {
    let rates = &loaded.report.rates;
    let search = rates.first()?.clone();
    let Machine::Propnet(playable) = &loaded.machine else {
        return Some(Uses {
            playouts: search.clone(),
            walking: search.clone(),
            search,
        });
    };
    let compiled = rates
        .iter()
        .find(|rate| rate.engine == Engine::Compiled.name());
    let least = search.states_per_cpu_s * GAIN;
    let faster = compiled.filter(|rate| !is_small(loaded) && rate.states_per_cpu_s > least);
    Some(Uses {
        playouts: batch_rate(playable.batches()?),
        walking: faster.unwrap_or(&search).clone(),
        search,
    })
}

/// How fast a network makes playouts in batches.
fn batch_rate(batches: &Batches) -> Rate {
    batches.prepare();
    let effort = Effort {
        extent: Extent::Time(MEASUREMENT),
        threads: 1,
        seed: 0,
        step_limit: STEPS,
    };
    // Batches play in threads of their own.
    let cpu = ProcessTime::now();
    let figures = batches.simulate(&batches.initial(), effort, &mut |_| {});
    Rate {
        engine: Engine::Batch.name().to_owned(),
        states_per_cpu_s: figures.states as f64 / cpu.elapsed().as_secs_f64().max(1e-9),
    }
}

/// How fast an engine plays at random, by a short measurement.
fn rate(engine: Engine, machine: &Machine) -> Rate {
    Rate {
        engine: engine.name().to_owned(),
        // Engines for whole playouts only are not measured move by move.
        states_per_cpu_s: machine.run(Measurement).unwrap_or_default(),
    }
}

/// Joint moves in a second of CPU time.
struct Measurement;

impl OnGame for Measurement {
    type Output = f64;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> f64 {
        let game = &playable.game;
        let (mut walker, start) = (game.walker(), game.initial());
        let (mut chance, mut joint) = (Chance::from_seed(0), Vec::new());
        let (wall, cpu) = (Instant::now(), ThreadTime::now());
        let mut states = 0u64;
        while cpu.elapsed() < MEASUREMENT && wall.elapsed() < LONGEST {
            walker.jump(&start);
            let mut steps = 0;
            while steps < STEPS && !walker.is_terminal() && wall.elapsed() < LONGEST {
                if walker.draw(&mut chance, &mut joint).is_err() {
                    break;
                }
                walker.advance(&joint, &mut chance);
                steps += 1;
            }
            if walker.is_terminal() {
                let roles = game.facts().role_ids();
                roles.for_each(|role| _ = walker.goal(role));
            }
            if walker.fault().is_some() {
                // An engine that runs into a limit is not to be chosen.
                return 0.0;
            }
            states += u64::from(steps);
        }
        states as f64 / cpu.elapsed().as_secs_f64().max(1e-9)
    }
}
