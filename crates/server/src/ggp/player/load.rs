//! From rules to a player.
//!
//! The reference engine is there at once, so that there is always a legal move. The engine that is
//! wanted, `auto` by default, is made in a thread of its own; the session switches to it when it is
//! ready.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use paidia_arena::engine::{self, Engine, EngineReport, EngineSpec, OnGame};
use paidia_arena::rules::Ruleset;
use paidia_arena::{Playable, PlayerSpec};
use paidia_game::{Game, GameFacts, Legible, RoleId, Rules};
use paidia_gdl::grounding::Budget;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Log;
use super::thinker::{Thinker, Thinking};
use crate::ggp::message::Start;
use crate::ggp::text::find_role;
use crate::threads::STACK_BYTES;

/// The player to make, and the engine.
pub(super) struct Recipe {
    pub(super) start: Arc<Start>,
    pub(super) spec: PlayerSpec,
    pub(super) engine: EngineSpec,
    pub(super) seed: u64,
    pub(super) log: Log,
    /// How many engines may be made at a time.
    pub(super) makers: Arc<Semaphore>,
}

/// A player that is ready, and perhaps a better one to come.
pub(super) struct Loaded {
    pub(super) thinker: Box<dyn Thinker>,
    /// The place of the role among the roles.
    pub(super) role: RoleId,
    /// Disconnected if no better player will come.
    pub(super) better: Receiver<Box<dyn Thinker>>,
}

impl Recipe {
    /// Checks the rules and begins to play by them.
    ///
    /// # Errors
    /// Says in words why they cannot be played.
    pub(super) fn load(self) -> Result<Loaded, String> {
        let rules = Ruleset::from_text(&self.start.id, &self.start.rules);
        let rules = rules.map_err(|error| error.sentence())?;
        let (sender, better) = channel();
        let recipe = Arc::new(self);
        if recipe.engine.engine() != Engine::Reference
            && let Ok(place) = Arc::clone(&recipe.makers).try_acquire_owned()
        {
            let (recipe, rules) = (Arc::clone(&recipe), rules.clone());
            let make = move || {
                if let Some(thinker) = recipe.make_better(&rules, place) {
                    // The match may be over.
                    let _ = sender.send(thinker);
                }
            };
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            // Without a thread there is no better player.
            let _ = builder.name("engine".to_owned()).spawn(make);
        }
        let game = engine::at_once(&rules).map_err(|error| error.to_string())?;
        let role = recipe.role(game.facts())?;
        let thinker = recipe.thinker(&Playable::any(game).with_board(rules.board()), role)?;
        Ok(Loaded {
            thinker,
            role,
            better,
        })
    }

    /// Makes the engine that is wanted, and a player on it; `None` if that is the reference engine.
    fn make_better(
        &self,
        rules: &Ruleset,
        place: OwnedSemaphorePermit,
    ) -> Option<Box<dyn Thinker>> {
        let (id, begun) = (&self.start.id, Instant::now());
        let loaded = engine::load(&self.engine, rules, Budget::default());
        drop(place);
        let made = loaded.map_err(|error| error.to_string()).and_then(|made| {
            let thinker = match made.report.engine == Engine::Reference.name() {
                true => None,
                false => Some(
                    made.run(Seating(self))
                        .map_err(|error| error.to_string())??,
                ),
            };
            Ok((thinker, made.report))
        });
        match made {
            Ok((thinker, report)) => {
                let (told, time) = (told(&report), begun.elapsed());
                (self.log)(format_args!("{id:?}: {told}, after {time:.1?}"));
                thinker
            }
            Err(why) => {
                (self.log)(format_args!(
                    "{id:?}: played by the reference engine: {why}"
                ));
                None
            }
        }
    }

    fn role(&self, facts: &GameFacts) -> Result<RoleId, String> {
        let role = &self.start.role;
        let found = find_role(facts, role).filter(|&found| Some(found) != facts.random());
        found.ok_or_else(|| {
            let roles = facts.roles.join(", ");
            format!("there is no role {role:?} for players among {roles}")
        })
    }

    fn thinker<G: Game>(
        &self,
        playable: &Playable<G>,
        role: RoleId,
    ) -> Result<Box<dyn Thinker>, String> {
        let thinker = Thinking::new(playable, &self.spec, role, self.seed);
        let thinker = thinker.map_err(|error| error.to_string())?;
        Ok(Box::new(thinker))
    }
}

/// A player that is to be made on an engine.
struct Seating<'a>(&'a Recipe);

impl OnGame for Seating<'_> {
    type Output = Result<Box<dyn Thinker>, String>;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> Self::Output {
        let role = self.0.role(playable.game.facts())?;
        self.0.thinker(playable, role)
    }
}

/// What there is to tell about an engine.
fn told(report: &EngineReport) -> String {
    let rates = report.rates_in_words();
    match (&report.network, rates.is_empty()) {
        (Some(_), _) => "the rules became a network".to_owned(),
        (None, true) => format!("played by {}", report.title()),
        (None, false) => format!("played by {}: {rates}", report.title()),
    }
}
