//! One game under two engines.

use std::time::{Duration, Instant};

use paidia_arena::Playable;
use paidia_arena::engine::{self, BatchGame, Engine, Loaded, Machine, OnGame};
use paidia_arena::rules::Ruleset;
use paidia_game::{
    AnyGame, CrossCheck, Effort, Extent, Figures, Game, GameFacts, Legible, Sample, simulate,
};
use serde::Serialize;

use super::Crosscheck;

/// Means that are further apart than so many standard deviations count as different.
const FAR: f64 = 4.0;

/// How far two engines agreed.
#[derive(Debug, Default, Serialize)]
pub(super) struct Comparison {
    /// Playouts of the engine that were compared.
    pub(super) playouts: u64,
    /// States that were compared, or gone through in playouts.
    pub(super) states: u64,
    /// The first difference, in words.
    pub(super) difference: Option<String>,
    /// The means that were compared.
    pub(super) distances: Vec<Distance>,
    /// Why there was nothing to compare.
    pub(super) skipped: Option<String>,
}

/// A mean under two engines.
#[derive(Debug, Serialize)]
pub(super) struct Distance {
    /// What the mean is of.
    pub(super) what: String,
    /// The other engine.
    pub(super) against: &'static str,
    pub(super) ours: f64,
    pub(super) theirs: f64,
    /// How many numbers the other engine's mean is of.
    pub(super) their_count: u64,
    /// How many standard deviations they are apart.
    pub(super) distance: f64,
}

impl Distance {
    pub(super) fn is_far(&self) -> bool {
        // A distance that is no number is no agreement either.
        self.distance.is_nan() || self.distance.abs() >= FAR
    }
}

impl Comparison {
    pub(super) fn differs(&self) -> bool {
        self.difference.is_some() || self.distances.iter().any(Distance::is_far)
    }

    /// The largest distance in either direction.
    pub(super) fn furthest(&self) -> Option<f64> {
        let distances = self.distances.iter().map(|found| found.distance.abs());
        distances.max_by(f64::total_cmp)
    }
}

impl Crosscheck {
    pub(super) fn compare(&self, rules: &Ruleset) -> anyhow::Result<Comparison> {
        let Loaded { machine, report } = self.engine.load(rules)?;
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
                crosscheck: self,
                trusted,
            })?,
        })
    }

    /// Compares every state of every playout. Each has its own seed, so that it can be repeated alone.
    fn in_step<G: Game + Legible>(&self, trusted: AnyGame, suspect: G) -> Comparison {
        let pair = CrossCheck { trusted, suspect };
        let (started, time) = (Instant::now(), Duration::from_secs_f64(self.seconds));
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
            if started.elapsed() >= time {
                break;
            }
        }
        comparison
    }

    /// Compares means over playouts.
    fn by_means(&self, trusted: &AnyGame, batch: &BatchGame) -> Comparison {
        let many = self.effort(Extent::Playouts(self.playouts), self.seed);
        let ours = batch.simulate(&batch.initial(), many, &mut |_| {});
        let scalar = play(&batch.propnet(), many);
        // With the seed of the others the reference would play what the network plays.
        let time = Extent::Time(Duration::from_secs_f64(self.seconds));
        let reference = play(trusted, self.effort(time, self.seed.wrapping_add(1)));
        let facts = &batch.ground.facts;
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
    crosscheck: &'a Crosscheck,
    trusted: AnyGame,
}

impl OnGame for InStep<'_> {
    type Output = Comparison;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> Comparison {
        self.crosscheck.in_step(self.trusted, playable.game.clone())
    }
}

fn play<G: Game + Legible>(game: &G, effort: Effort) -> Figures {
    simulate(game, &game.initial(), effort, &mut |_| {})
}

/// How far the means of lengths and of every role's goals lie apart.
fn distances(facts: &GameFacts, ours: &Figures, theirs: &Figures, engine: Engine) -> Vec<Distance> {
    let found = |what: String, ours: Sample, theirs: Sample| {
        let (our_mean, their_mean) = (ours.mean(), theirs.mean());
        // A role without goals under both engines has nothing to compare; under one of them it differs.
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
