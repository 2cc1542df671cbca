//! Decision diagrams with an error where they become too large.
//!
//! biodivine-lib-bdd, and not OxiDD: both were about as fast on the eight queens, and there
//! functions share nodes, so that equal ones are found at once; but it stands on some thirty other
//! crates, which would also make everything else of ours that shares them be built anew, and its
//! store takes its memory beforehand. Here a function is a list of nodes of its own, made by each
//! operation in one go, and an operation may be given the most nodes of its result. Bits are left
//! out by an operation of our own on such lists ([`product`]).

mod product;

use std::cell::Cell;
use std::rc::Rc;

use biodivine_lib_bdd::{Bdd, BddNode, BddVariable, BddVariableSet, op_function};

use super::TooHard;

/// A variable of diagrams.
pub(super) type Bit = u32;

/// What all diagrams of a space have in common.
pub(super) struct Store {
    set: BddVariableSet,
    bits: Vec<BddVariable>,
    size: Rc<Size>,
}

/// How large diagrams may be, and were.
#[derive(Debug)]
struct Size {
    most: usize,
    largest: Cell<usize>,
}

/// A set of assignments.
#[derive(Clone)]
pub(super) struct Diagram {
    function: Rc<Bdd>,
    size: Rc<Size>,
}

impl PartialEq for Diagram {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.function, &other.function) || self.function == other.function
    }
}

/// Bits that an operation leaves out: for each bit whether it is one.
#[derive(Clone)]
pub(super) struct Cube {
    out: Rc<[bool]>,
    is_empty: bool,
}

/// Which bits become which.
pub(super) struct Renaming {
    /// For each bit what it becomes where that changes no order.
    to: Vec<BddVariable>,
    /// Bits that become others that lie elsewhere: where they are equal, and what is left out then.
    moved: Vec<(Diagram, Cube)>,
}

impl Store {
    /// A store with this number of bits, the first on top, and a limit for the nodes of diagrams.
    pub(super) fn new(bits: u16, nodes: usize) -> Self {
        let set = BddVariableSet::new_anonymous(bits);
        Self {
            bits: set.variables(),
            set,
            size: Rc::new(Size {
                most: nodes,
                largest: Cell::new(0),
            }),
        }
    }

    fn wrap(&self, function: Bdd) -> Diagram {
        Diagram {
            function: Rc::new(function),
            size: Rc::clone(&self.size),
        }
    }

    /// Everything, or nothing.
    pub(super) fn constant(&self, truth: bool) -> Diagram {
        self.wrap(match truth {
            true => self.set.mk_true(),
            false => self.set.mk_false(),
        })
    }

    /// Where a bit is set, or is not.
    pub(super) fn literal(&self, bit: Bit, is_set: bool) -> Diagram {
        self.wrap(self.set.mk_literal(self.bits[bit as usize], is_set))
    }

    /// Bits to leave out.
    pub(super) fn cube(&self, bits: impl IntoIterator<Item = Bit>) -> Cube {
        let mut out = vec![false; self.bits.len()];
        bits.into_iter().for_each(|bit| out[bit as usize] = true);
        Cube {
            is_empty: !out.contains(&true),
            out: out.into(),
        }
    }

    /// Where bits are equal, pair by pair.
    pub(super) fn equal(&self, pairs: &[(Bit, Bit)]) -> Result<Diagram, TooHard> {
        let mut all = self.constant(true);
        for &(one, other) in pairs.iter().rev() {
            let equal = self.literal(one, true).equals(&self.literal(other, true))?;
            all = all.and(&equal)?;
        }
        Ok(all)
    }

    /// A renaming of bits to others that lie as they do, and of some, `at_once` at a time, to bits
    /// that lie elsewhere.
    pub(super) fn renaming(
        &self,
        pairs: &[(Bit, Bit)],
        moved: &[(Bit, Bit)],
        at_once: usize,
    ) -> Result<Renaming, TooHard> {
        let mut to = self.bits.clone();
        for &(from, bit) in pairs {
            to[from as usize] = self.bits[bit as usize];
        }
        let same = |pairs: &[(Bit, Bit)]| {
            let from = pairs.iter().map(|&(from, _)| from);
            Ok((self.equal(pairs)?, self.cube(from)))
        };
        let moved = moved.chunks(at_once);
        let moved = moved.map(same).collect::<Result<_, TooHard>>()?;
        Ok(Renaming { to, moved })
    }

    /// Nodes of the largest diagram there was.
    pub(super) fn largest(&self) -> usize {
        self.size.largest.get()
    }
}

impl Diagram {
    /// What an operation gave, if it is not too large.
    fn checked(&self, function: Option<Bdd>) -> Result<Self, TooHard> {
        let most = self.size.most;
        let function = function.filter(|function| function.size() <= most);
        let function = function.ok_or(TooHard::Nodes(most))?;
        let largest = self.size.largest.get().max(function.size());
        self.size.largest.set(largest);
        Ok(Self {
            function: Rc::new(function),
            size: Rc::clone(&self.size),
        })
    }

    fn apply(
        &self,
        other: &Self,
        operation: impl Fn(Option<bool>, Option<bool>) -> Option<bool>,
    ) -> Result<Self, TooHard> {
        let most = self.size.most;
        self.checked(Bdd::binary_op_with_limit(
            most,
            &self.function,
            &other.function,
            operation,
        ))
    }

    pub(super) fn and(&self, other: &Self) -> Result<Self, TooHard> {
        self.apply(other, op_function::and)
    }

    /// Both, if that has no more nodes than this.
    pub(super) fn and_within(&self, other: &Self, most: usize) -> Option<Self> {
        let most = most.min(self.size.most);
        let both =
            Bdd::binary_op_with_limit(most, &self.function, &other.function, op_function::and);
        self.checked(both).ok()
    }

    pub(super) fn or(&self, other: &Self) -> Result<Self, TooHard> {
        self.apply(other, op_function::or)
    }

    pub(super) fn not(&self) -> Result<Self, TooHard> {
        self.checked(Some(self.function.not()))
    }

    /// This, and not the other.
    pub(super) fn without(&self, other: &Self) -> Result<Self, TooHard> {
        self.apply(other, op_function::and_not)
    }

    /// Where both are the same.
    pub(super) fn equals(&self, other: &Self) -> Result<Self, TooHard> {
        self.apply(other, op_function::iff)
    }

    /// One thing where this holds, another elsewhere.
    pub(super) fn choose(&self, then: &Self, other: &Self) -> Result<Self, TooHard> {
        self.and(then)?.or(&other.without(self)?)
    }

    /// Whether some value of the bits of a cube is in this.
    pub(super) fn exists(&self, cube: &Cube) -> Result<Self, TooHard> {
        let everything = self.function.as_bool() == Some(true);
        match cube.is_empty || everything {
            true => Ok(self.clone()),
            false => self.without_bits(&everything_like(&self.function), cube),
        }
    }

    /// Both, without the bits of a cube.
    pub(super) fn join(&self, other: &Self, cube: &Cube) -> Result<Self, TooHard> {
        match cube.is_empty {
            true => self.and(other),
            false => self.without_bits(&other.function, cube),
        }
    }

    fn without_bits(&self, other: &Bdd, cube: &Cube) -> Result<Self, TooHard> {
        let most = self.size.most;
        self.checked(product::product(&self.function, other, &cube.out, most))
    }

    pub(super) fn rename(&self, renaming: &Renaming) -> Result<Self, TooHard> {
        let mut nodes = (*self.function).clone().to_nodes();
        // The first two are no nodes of bits.
        for node in nodes.iter_mut().skip(2) {
            node.var = renaming.to[node.var.to_index()];
        }
        let renamed = Bdd::from_nodes(&nodes);
        debug_assert!(renamed.is_ok(), "renaming keeps the order of bits");
        let mut renamed = self.checked(renamed.ok())?;
        for (same, from) in &renaming.moved {
            renamed = renamed.join(same, from)?;
        }
        Ok(renamed)
    }

    pub(super) fn is_false(&self) -> bool {
        self.function.is_false()
    }

    /// One assignment of this, if there is one: for each bit its value, or any.
    pub(super) fn pick(&self) -> Option<Vec<Option<bool>>> {
        let clause = self.function.first_clause()?;
        let bits = (0..usize::from(self.function.num_vars())).map(BddVariable::from_index);
        Some(bits.map(|bit| clause.get_value(bit)).collect())
    }
}

/// Everything, with the bits of another diagram.
fn everything_like(other: &Bdd) -> Bdd {
    let bits = other.num_vars();
    let nodes = [BddNode::mk_zero(bits), BddNode::mk_one(bits)];
    let everything = Bdd::from_nodes(&nodes);
    everything.unwrap_or_else(|_| unreachable!("two constants are a diagram"))
}
