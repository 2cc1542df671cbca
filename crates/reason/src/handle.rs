//! What all handles to rules say in the same words.
//!
//! A handle is an `Arc` of what all walkers of a game share: the field `rules`, in which `facts`,
//! `moves`, `percepts` and `initial` are.

/// The methods of [`paidia_game::Rules`] that tell what is shared.
macro_rules! shared_rules {
    () => {
        fn facts(&self) -> &paidia_game::GameFacts {
            &self.rules.facts
        }

        fn moves(&self) -> &paidia_game::MoveTable {
            &self.rules.moves
        }

        fn percepts(&self) -> &paidia_game::PerceptTable {
            &self.rules.percepts
        }

        fn initial(&self) -> State {
            self.rules.initial.clone()
        }
    };
}

/// The game of an engine whose walkers are made of what is shared.
macro_rules! shared_game {
    ($engine:ty, $walker:ty) => {
        impl paidia_game::Game for $engine {
            type Walker = $walker;

            fn walker(&self) -> $walker {
                <$walker>::new(std::sync::Arc::clone(&self.rules))
            }
        }
    };
}

/// All that the game of an engine on ground rules is: `fluents` are shared as well, and states are
/// sets of them.
macro_rules! ground_game {
    ($engine:ty, $walker:ty) => {
        impl paidia_game::Rules for $engine {
            type State = State;

            crate::handle::shared_rules!();

            fn snapshot(&self, state: &State, into: &mut Vec<u8>) {
                crate::ground::snapshot_of(&self.rules.fluents, state, into);
            }

            fn restore(&self, bytes: &[u8]) -> Result<State, paidia_game::Damaged> {
                crate::ground::restored(&self.rules.fluents, bytes)
            }

            fn features(&self) -> Option<&dyn paidia_game::Features<State>> {
                Some(self)
            }
        }

        impl paidia_game::Features<State> for $engine {
            fn names(&self) -> &[String] {
                &self.rules.fluents
            }

            fn write(&self, state: &State, into: &mut [u64]) {
                into.copy_from_slice(&state.words()[..paidia_game::Features::<State>::width(self)]);
            }
        }

        crate::handle::shared_game!($engine, $walker);

        impl paidia_game::Legible for $engine {
            fn fluents(&self, state: &State) -> Vec<String> {
                crate::ground::texts_of(&self.rules.fluents, state)
            }

            fn state(&self, fluents: &[&str]) -> Result<State, paidia_game::UnknownFluent> {
                crate::ground::state_of(&self.rules.fluents, fluents)
            }
        }
    };
}

pub(crate) use {ground_game, shared_game, shared_rules};
