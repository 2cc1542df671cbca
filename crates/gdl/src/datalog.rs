//! A small, quick Datalog machine: interned terms, indexed tables, compiled joins, semi-naive
//! evaluation.
//!
//! It evaluates the rules of a [`crate::program::Program`] bottom up, one
//! [component](crate::analysis::Component) at a time. [`terms`] gives every ground term a number,
//! [`table`] keeps the facts of a relation with an index for every way in which they are looked up,
//! [`plan`] turns a rule into a sequence of look-ups, and [`machine`] runs them. Relations that are
//! too large to derive as a whole can be evaluated on demand instead, top down with tables of
//! answers, or [rewritten](demand) so that what is asked is derived, too, and then drives what else
//! is.

pub mod calls;
pub mod demand;
pub mod fixed;
pub mod machine;
pub mod narrow;
pub mod plan;
pub mod table;
pub mod terms;

pub use calls::{Calling, Tabling};
pub use fixed::Fixed;
pub use machine::{Exhausted, Limits, Machine};
pub use plan::{Calls, ComponentPlan, Estimates};
pub use table::Table;
pub use terms::{NoRoom, TermId, Terms};
