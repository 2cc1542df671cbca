//! One game under two engines.

use std::time::{Duration, Instant};

use paidia_accel::Batches;
use paidia_game::{
    AnyGame, CrossCheck, Effort, Extent, Figures, Game, GameFacts, Legible, Sample, simulate,
};
use serde::Serialize;

use crate::engine::{self, Engine, EngineError, Loaded, Machine, OnGame};
use crate::playable::Playable;
use crate::rules::Ruleset;

/// Means that are more standard deviations apart than this count as different.
const FAR: f64 = 4.0;

/// How far two engines agreed.
#[derive(Debug, Default, Serialize)]
pub struct Comparison {
    /// Playouts of the engine that were compared.
    pub playouts: u64,
    /// States that were compared, or gone through in playouts.
    pub states: u64,
    /// The first difference, in words.
    pub difference: Option<String>,
    /// The means that were compared.
    pub distances: Vec<Distance>,
    /// Why there was nothing to compare.
    pub skipped: Option<String>,
}

/// A mean under two engines.
#[derive(Debug, Serialize)]
pub struct Distance {
    /// What the mean is of.
    pub what: String,
    /// The other engine.
    pub against: &'static str,
    /// The mean of the engine that is checked.
    pub ours: f64,
    /// The other engine's.
    pub theirs: f64,
    /// How many numbers the other engine's mean is of.
    pub their_count: u64,
    /// How many standard deviations they are apart.
    pub distance: f64,
}

impl Distance {
    /// Whether chance hardly explains it.
    pub fn is_far(&self) -> bool {
        // A distance that is no number is no agreement either.
        self.distance.is_nan() || self.distance.abs() >= FAR
    }
}

impl Comparison {
    /// Whether the engines do not agree.
    pub fn differs(&self) -> bool {
        self.difference.is_some() || self.distances.iter().any(Distance::is_far)
    }

    /// The largest distance in either direction.
    pub fn furthest(&self) -> Option<f64> {
        let distances = self.distances.iter().map(|found| found.distance.abs());
        distances.max_by(f64::total_cmp)
    }
}

/// How much is compared.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// How many playouts.
    pub playouts: u64,
    /// No playout of the reference engine is started after this long.
    pub time: Duration,
    /// Where the random choices come from.
    pub seed: u64,
    /// The joint moves after which a playout is cut.
    pub step_limit: u32,
}

impl Trial {
    /// Compares an engine that was loaded from these rules with the reference engine: state by
    /// state, or, where it only knows whole playouts, by the means of lengths and goals.
    ///
    /// # Errors
    /// If the reference engine cannot play the rules.
    pub fn compare(&self, rules: &Ruleset, loaded: Loaded) -> Result<Comparison, EngineError> {
        let Loaded { machine, report } = loaded;
        if report.engine == Engine::Reference.name() {
            let skipped = report.because.map_or_else(
                || "this is the reference engine itself".to_owned(),
                |because| format!("auto takes the reference engine: {because}"),
            );
            return Ok(Comparison {
                skipped: Some(skipped),
                ..Comparison::default()
            });
        }
        let trusted = engine::at_once(rules)?;
        Ok(match machine {
            Machine::Batch(batch) => self.by_means(&trusted, &batch),
            machine => machine.run(InStep {
                trial: self,
                trusted,
            })?,
        })
    }

    /// Compares every state of every playout. Each has its own seed, so that it can be repeated
    /// alone.
    fn in_step<G: Game + Legible>(&self, trusted: AnyGame, suspect: G) -> Comparison {
        let pair = CrossCheck { trusted, suspect };
        let started = Instant::now();
        let mut comparison = Comparison::default();
        for seed in (self.seed..).take(self.playouts as usize) {
            match pair.run(1, self.step_limit, seed) {
                Ok(agreement) => {
                    comparison.playouts += 1;
                    comparison.states += agreement.states;
                }
                Err(difference) => {
                    comparison.difference = Some(format!("with --seed {seed}: {difference}"));
                    break;
                }
            }
            if started.elapsed() >= self.time {
                break;
            }
        }
        comparison
    }

    /// Compares means over playouts.
    fn by_means(&self, trusted: &AnyGame, batch: &Batches) -> Comparison {
        let many = self.effort(Extent::Playouts(self.playouts), self.seed);
        let ours = batch.simulate(&batch.initial(), many, &mut |_| {});
        let scalar = play(&batch.propnet(), many);
        // With the seed of the others the reference would play what the network plays.
        let time = Extent::Time(self.time);
        let reference = play(trusted, self.effort(time, self.seed.wrapping_add(1)));
        let facts = &batch.ground().facts;
        let mut distances = distances(facts, &ours, &scalar, Engine::Propnet);
        distances.extend(self::distances(facts, &ours, &reference, Engine::Reference));
        Comparison {
            playouts: ours.playouts,
            states: ours.states,
            distances,
            ..Comparison::default()
        }
    }

    fn effort(&self, extent: Extent, seed: u64) -> Effort {
        Effort {
            extent,
            threads: 1,
            seed,
            step_limit: self.step_limit,
        }
    }
}

/// A comparison state by state.
struct InStep<'a> {
    trial: &'a Trial,
    trusted: AnyGame,
}

impl OnGame for InStep<'_> {
    type Output = Comparison;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> Comparison {
        self.trial.in_step(self.trusted, playable.game.clone())
    }
}

fn play<G: Game + Legible>(game: &G, effort: Effort) -> Figures {
    simulate(game, &game.initial(), effort, &mut |_| {})
}

/// How far the means of lengths and of every role's goals lie apart.
fn distances(facts: &GameFacts, ours: &Figures, theirs: &Figures, engine: Engine) -> Vec<Distance> {
    let found = |what: String, ours: Sample, theirs: Sample| {
        let (our_mean, their_mean) = (ours.mean(), theirs.mean());
        // A role without goals under both engines has nothing to compare; under one of them it
        // differs.
        if our_mean.is_none() && their_mean.is_none() {
            return None;
        }
        Some(Distance {
            what,
            against: engine.name(),
            ours: our_mean.unwrap_or(f64::NAN),
            theirs: their_mean.unwrap_or(f64::NAN),
            their_count: theirs.count(),
            distance: ours.distance(theirs).unwrap_or(f64::INFINITY),
        })
    };
    let lengths = found("length".to_owned(), ours.lengths(), theirs.lengths());
    let goals = facts.role_ids().map(|role| {
        let what = format!("goal of {}", facts.role_name(role));
        found(what, ours.goals(role), theirs.goals(role))
    });
    std::iter::once(lengths).chain(goals).flatten().collect()
}
