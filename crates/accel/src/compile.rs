//! From a network to a program, in stages: [`crate::lower`] makes a circuit, [`order`] puts its gates in an order and decides
//! which of them are kept inverted, [`group`] brings operations of one kind together, [`allocate`] gives every value a
//! slot.

mod allocate;
mod group;
mod order;

use paidia_reason::propnet::Network;

use crate::lower::Logic;
use crate::program::Program;

/// How operations are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Every value soon before it is used: few values wait at any time. For machine code, to which the kinds of operations in a row
    /// do not matter.
    Depth,
    /// Within stretches of that many operations, operations of one kind together: long runs that an interpreter goes
    /// through without looking at the kind.
    Runs(usize),
}

/// Compiles a network for random play.
pub fn compile(network: &Network, order: Order) -> Program {
    let logic = Logic::new(network);
    let mut ordered = order::order(&logic);
    if let Order::Runs(window) = order {
        group::group(&mut ordered, window);
    }
    allocate::allocate(network, &logic, &ordered)
}
