//! From a network to a program, in stages: [`crate::lower`] makes a circuit, [`cover`] takes its
//! gates together, [`order`] puts them in an order and decides which of them are kept inverted,
//! [`group`] brings operations of one kind together, [`allocate`] gives every value a slot.

mod allocate;
mod cover;
mod group;
mod order;

use paidia_reason::propnet::Network;

use crate::decisive::{Decisive, Refusal, Seen};
use crate::lower::Logic;
use crate::program::Program;

/// How operations are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Every value soon before it is used: few values wait at any time. For machine code, to which
    /// the kinds of operations in a row do not matter.
    Depth,
    /// The same with gates of up to three inputs, which AVX-512 computes in one instruction.
    Triples,
    /// Within stretches of that many operations, operations of one kind together: long runs that an
    /// interpreter goes through without looking at the kind.
    Runs(usize),
    /// Gates of three inputs, for [`crate::SoftThreads`] and GPUs alone: goals are evaluated where
    /// the state is, and lanes that are not told to go keep their state.
    Held,
    /// The same, and what moves need is computed again after they were drawn: more operations, and
    /// fewer values that wait.
    HeldAgain,
}

/// Compiles a network for random play.
pub fn compile(network: &Network, order: Order) -> Program {
    let logic = match order {
        Order::Held | Order::HeldAgain => Logic::held(network),
        Order::Depth | Order::Triples | Order::Runs(_) => Logic::new(network),
    };
    compiled(network, &logic, order)
}

/// Compiles a network for random play in which moves have weights.
pub(crate) fn compile_weighted(network: &Network, order: Order) -> Program {
    compiled(network, &Logic::weighted(network), order)
}

/// Compiles a network for play that looks a move ahead, in which moves may have weights.
///
/// # Errors
/// If that is too much for it.
pub(crate) fn compile_decisive(
    network: &Network,
    order: Order,
    seen: &Seen,
    kind: Decisive,
    is_weighted: bool,
) -> Result<Program, Refusal> {
    let logic = Logic::decisive(network, seen, kind, is_weighted)?;
    Ok(compiled(network, &logic, order))
}

fn compiled(network: &Network, logic: &Logic, order: Order) -> Program {
    let gates = match order {
        Order::Triples | Order::Held | Order::HeldAgain => order::Gates::Three,
        Order::Depth | Order::Runs(_) => order::Gates::Two,
    };
    let mut ordered = order::order(logic, gates, order == Order::HeldAgain);
    if let Order::Runs(window) = order {
        group::group(&mut ordered, window);
    }
    allocate::allocate(network, logic, &ordered)
}
