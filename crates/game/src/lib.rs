//! The vocabulary of games, and what can be said about any game through it.
//!
//! Engines implement [`Rules`], [`Game`] and [`Walker`]; everything else in the project uses a game
//! through these traits alone. [`Rules`] is what any rules have, [`Game`] is for those in turns,
//! [`TimedGame`] for those in real time, [`Legible`] for text and [`Features`] for bits. Rules are
//! shared and immutable, a *walker* is one thread's cursor with its scratch memory, and a *state*
//! is a small value that can be stored, hashed and compared. Moves, percepts and facts have a
//! canonical text (prefix form with single spaces, such as `(mark 1 1)`), and engines are compared
//! by text, never by id.
//!
//! Beside the contract stand the things that are written once for every game: [`playout()`],
//! [`PlayoutRunner`] and [`simulate()`], [`perft()`], [`mod@solve`], and two ways to check an
//! engine, [`mod@conformance`] and [`crosscheck`].
//!
//! Nothing here knows about rule languages, files or search.

mod any;
mod batch;
mod chance;
pub mod conformance;
mod contract;
pub mod crosscheck;
mod facts;
mod glimpse;
mod ids;
mod joint;
mod legal;
mod line;
mod names;
mod observe;
mod perft;
mod play;
mod playout;
mod sample;
mod sight;
mod simulate;
pub mod snapshot;
pub mod solve;
mod timed;

pub use any::{AnyGame, AnyState, AnyWalker};
pub use batch::{BatchPlayout, BatchPlayouts};
pub use chance::Chance;
pub use conformance::{ConformanceOptions, conformance};
pub use contract::{Fault, Features, Game, Legible, Resource, Rules, UnknownFluent, Walker};
pub use crosscheck::CrossCheck;
pub use facts::{GameFacts, Information, Randomness, TurnOrder};
pub use glimpse::glimpse;
pub use ids::{Goal, MoveId, PerceptId, RoleId};
pub use joint::JointMoves;
pub use legal::LegalMoves;
pub use line::{LineError, find_move, follow, read_state, split};
pub use names::{MoveTable, NameId, NameTable, PerceptTable, TableFull};
pub use observe::observe_turn_order;
pub use perft::{Depth, MOST_DEPTHS, MOST_JOINT_MOVES, Perft, PerftStop, perft, perft_watched};
pub use play::{IllegalMove, play};
pub use playout::{Ending, Figures, Lengths, Playout, PlayoutRunner, playout};
pub use sample::Sample;
pub use sight::Sight;
pub use simulate::{Effort, Extent, simulate, simulate_batch, simulate_until};
pub use snapshot::Damaged;
pub use solve::{NotApplicable, Solution, SolveBudget, SolveError, solve, solve_watched};
pub use timed::{Lasting, Reading, Ticks, TimedGame, TimedWalker};
