//! Decision diagrams with an error where they become too large.
//!
//! OxiDD, and not biodivine-lib-bdd, which was as fast on the eight queens: there every function is
//! a list of nodes of its own, and variables are renamed by an `unsafe` function. Here functions
//! share nodes, so that the sets of all moments together are not much larger than one, equality is
//! a comparison of numbers, a join and the leaving out of variables are one operation, and the
//! number of nodes has a limit.

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::{AllocResult, OptBool};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager,
    ManagerRef, Subst,
};

use super::TooHard;

/// A variable of diagrams.
pub(super) type Bit = u32;

/// The store of all diagrams of a space.
pub(super) struct Store {
    manager: BCDDManagerRef,
    nodes: usize,
}

/// A set of assignments.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Diagram {
    function: BCDDFunction,
    nodes: u32,
}

impl Store {
    /// A store with so many variables, the first on top, for at most so many nodes.
    pub(super) fn new(bits: u32, nodes: usize) -> Self {
        let nodes = nodes.clamp(1_000, u32::MAX as usize / 2);
        let cache = (nodes / 2).next_power_of_two().clamp(1 << 12, 1 << 21);
        let manager = oxidd::bcdd::new_manager(nodes, cache, 1);
        manager.with_manager_exclusive(|manager| manager.add_vars(bits));
        Self { manager, nodes }
    }

    fn wrap(&self, function: BCDDFunction) -> Diagram {
        Diagram {
            function,
            nodes: self.nodes as u32,
        }
    }

    /// Everything, or nothing.
    pub(super) fn constant(&self, truth: bool) -> Diagram {
        self.wrap(self.manager.with_manager_shared(|manager| match truth {
            true => BCDDFunction::t(manager),
            false => BCDDFunction::f(manager),
        }))
    }

    /// Where a bit is set.
    pub(super) fn bit(&self, bit: Bit) -> Result<Diagram, TooHard> {
        let function = self
            .manager
            .with_manager_shared(|manager| BCDDFunction::var(manager, bit));
        let function = function.map_err(|_| TooHard::Nodes(self.nodes))?;
        Ok(self.wrap(function))
    }

    /// The bits that an operation leaves out.
    pub(super) fn cube(&self, bits: impl IntoIterator<Item = Bit>) -> Result<Diagram, TooHard> {
        let mut bits: Vec<Bit> = bits.into_iter().collect();
        bits.sort_unstable();
        let mut cube = self.constant(true);
        for bit in bits.into_iter().rev() {
            cube = cube.and(&self.bit(bit)?)?;
        }
        Ok(cube)
    }

    /// A renaming of bits.
    pub(super) fn renaming(&self, pairs: &[(Bit, Bit)]) -> Result<Renaming, TooHard> {
        let mut to = Vec::with_capacity(pairs.len());
        for &(_, bit) in pairs {
            to.push(self.bit(bit)?.function);
        }
        Ok(Renaming(Subst::new(
            pairs.iter().map(|&(from, _)| from).collect(),
            to,
        )))
    }

    /// Nodes that are in use.
    pub(super) fn used(&self) -> usize {
        self.manager
            .with_manager_shared(|manager| manager.num_inner_nodes())
    }
}

/// Which bits become which.
pub(super) struct Renaming(Subst<BCDDFunction>);

impl Diagram {
    /// Does something, again after a collection of garbage where there was no room.
    fn attempt(&self, work: impl Fn() -> AllocResult<BCDDFunction>) -> Result<Diagram, TooHard> {
        let function = work().or_else(|_| {
            self.function.with_manager_shared(|manager, _| manager.gc());
            work()
        });
        match function {
            Ok(function) => Ok(Diagram {
                function,
                nodes: self.nodes,
            }),
            Err(_) => Err(TooHard::Nodes(self.nodes as usize)),
        }
    }

    pub(super) fn and(&self, other: &Self) -> Result<Self, TooHard> {
        self.attempt(|| self.function.and(&other.function))
    }

    pub(super) fn or(&self, other: &Self) -> Result<Self, TooHard> {
        self.attempt(|| self.function.or(&other.function))
    }

    pub(super) fn not(&self) -> Result<Self, TooHard> {
        self.attempt(|| self.function.not())
    }

    /// This, and not the other.
    pub(super) fn without(&self, other: &Self) -> Result<Self, TooHard> {
        self.and(&other.not()?)
    }

    /// Where both are the same.
    pub(super) fn equals(&self, other: &Self) -> Result<Self, TooHard> {
        self.attempt(|| self.function.equiv(&other.function))
    }

    /// One thing where this holds, another elsewhere.
    pub(super) fn choose(&self, then: &Self, other: &Self) -> Result<Self, TooHard> {
        self.attempt(|| self.function.ite(&then.function, &other.function))
    }

    /// Whether some value of the bits of a cube is in this.
    pub(super) fn exists(&self, cube: &Self) -> Result<Self, TooHard> {
        self.attempt(|| self.function.exists(&cube.function))
    }

    /// Both, without the bits of a cube.
    pub(super) fn join(&self, other: &Self, cube: &Self) -> Result<Self, TooHard> {
        self.attempt(|| {
            let and = BooleanOperator::And;
            self.function
                .apply_exists(and, &other.function, &cube.function)
        })
    }

    pub(super) fn rename(&self, renaming: &Renaming) -> Result<Self, TooHard> {
        self.attempt(|| self.function.substitute(&renaming.0))
    }

    pub(super) fn is_false(&self) -> bool {
        !self.function.satisfiable()
    }

    pub(super) fn size(&self) -> usize {
        self.function.node_count()
    }

    /// One assignment of this, if there is one: for each bit its value, or any.
    pub(super) fn pick(&self) -> Option<Vec<Option<bool>>> {
        let cube = self.function.pick_cube(|_, _, _| false)?;
        let truth = |bit: OptBool| match bit {
            OptBool::None => None,
            OptBool::False => Some(false),
            OptBool::True => Some(true),
        };
        Some(cube.into_iter().map(truth).collect())
    }
}
