//! From rules to somebody who plays.
//!
//! The reference engine is there at once, so that there is always a legal move. The network is made in a thread of its own; whoever
//! waits for it takes it when it comes.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use paidia_arena::{Playable, PlayerSpec};
use paidia_game::{Game, GameFacts, RoleId};
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_reason::Reference;
use paidia_reason::propnet::ground_game;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::thinker::{Thinker, Thinking};
use super::{Engine, Log};
use crate::ggp::message::Start;
use crate::ggp::text::find_role;
use crate::rules::checked;
use crate::threads::STACK_BYTES;

/// Who plays, and by what.
pub(super) struct Recipe {
    pub(super) start: Arc<Start>,
    pub(super) spec: PlayerSpec,
    pub(super) engine: Engine,
    pub(super) seed: u64,
    pub(super) log: Log,
    /// How many networks may be made at a time.
    pub(super) makers: Arc<Semaphore>,
}

/// Somebody who plays, and somebody better who may come.
pub(super) struct Loaded {
    pub(super) thinker: Box<dyn Thinker>,
    /// The place of the role among the roles.
    pub(super) role: RoleId,
    /// Disconnected if nobody comes any more.
    pub(super) better: Receiver<Box<dyn Thinker>>,
}

impl Recipe {
    /// Checks the rules and begins to play by them.
    ///
    /// # Errors
    /// Says in words why they cannot be played.
    pub(super) fn load(self) -> Result<Loaded, String> {
        let program = checked(&self.start.rules, None)?;
        let (sender, better) = channel();
        // One clone of the program for each engine, so that they are made at the same time.
        let reference = program.clone();
        let recipe = Arc::new(self);
        if recipe.engine == Engine::Auto
            && let Ok(place) = Arc::clone(&recipe.makers).try_acquire_owned()
        {
            let recipe = Arc::clone(&recipe);
            let make = move || {
                if let Some(thinker) = recipe.make_network(&program, place) {
                    // Nobody may be waiting any more.
                    let _ = sender.send(thinker);
                }
            };
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            // Without a thread there is no network.
            let _ = builder.name("network".to_owned()).spawn(make);
        }
        let game =
            Reference::new(&recipe.start.id, &reference).map_err(|error| error.to_string())?;
        let role = recipe.role(game.facts())?;
        let thinker = recipe.thinker(&Playable::new(game), role)?;
        Ok(Loaded {
            thinker,
            role,
            better,
        })
    }

    /// Makes the network of the rules, and a player of it.
    fn make_network(
        &self,
        program: &Program,
        place: OwnedSemaphorePermit,
    ) -> Option<Box<dyn Thinker>> {
        let begun = Instant::now();
        let game = ground_game(&self.start.id, program, Budget::default());
        let thinker = game.map_err(|error| error.to_string()).and_then(|game| {
            let playable = Playable::ground(game);
            let role = self.role(playable.game.facts())?;
            self.thinker(&playable, role)
        });
        drop(place);
        let (id, time) = (&self.start.id, begun.elapsed());
        match thinker {
            Ok(thinker) => {
                (self.log)(format_args!(
                    "{id:?}: the rules became a network in {time:.1?}"
                ));
                Some(thinker)
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
        let found = find_role(facts, role).filter(|&found| Some(found) != facts.random);
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
