//! Fast machines for what [`paidia_reason`] makes: rules as machine code, and batches of playouts.
//!
//! [`native`] translates the code of compiled rules. Batches are the network of a game evaluated
//! for 256 playouts at a time, one bit a playout: a network becomes a [`Program`] of word
//! operations over numbered slots ([`compile()`]), random choice of moves included; a [`Backend`]
//! runs it on blocks of 256 lanes; [`Batch`] keeps the lanes filled with playouts, [`Stepping`] has
//! lanes go on by given moves, and [`Batches`] makes these for each thread of what all share. A
//! seed gives the same playouts on every machine.
//!
//! This crate is the only home of the project's own `unsafe`, each in a small module of its own and
//! tested against safe code.

#![deny(unsafe_op_in_unsafe_fn)]

mod batch;
mod batches;
mod choose;
mod circuit;
mod compile;
#[cfg(all(target_arch = "x86_64", not(paidia_portable), not(miri)))]
mod compiled;
mod decisive;
mod gpu;
mod kernel;
mod lanes;
mod lower;
mod native;
mod program;
mod random;
mod stepping;
mod word;

pub use batch::{Batch, BatchOptions, MOST_WEIGHT};
pub use batches::{Batches, Draws};
pub use compile::{Order, compile};
pub use decisive::{Decisive, Refusal};
pub use gpu::{Gpu, GpuError, GpuThreads, Loading, Shape, SoftThreads, gpu_in_words};
pub use kernel::{Backend, BackendError};
pub use lanes::Lanes;
pub use native::{native, native_in_time, native_in_words, rules_in_words, why_off};
pub use program::Program;
pub use stepping::{Ended, IllegalMove, MOST_LANES, NoStart, Stepping};
pub use word::{LANES, Word};
