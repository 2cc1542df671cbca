//! Which atoms are one typed variable together, and how large the state is.
//!
//! The paper asks for sets of atoms of which exactly one holds in every state and does not say how
//! they are found. We take sets of which at most one holds, with a value for none. Candidates are
//! the fluents, or the percepts of a role, that differ in one argument, or in anything but their
//! function. A candidate is good if at most one of it holds at the start, and after every legal
//! move from a state in which that is so of *all* candidates that are left; those that are not good
//! are struck out until nothing changes. That looks at rules alone, and at no list of states.

use paidia_game::split;
use rustc_hash::{FxHashMap, FxHashSet};

use super::space::{Diagram, Room, Space};
use super::system::{Kind, System};
use super::{Options, TooHard};

/// Fluents of the start with which sets are tried together.
const BEGINNINGS: usize = 8;

/// A variable of the translated system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variable {
    /// True or false.
    Boolean(u32),
    /// One of some atoms holds, or none.
    Typed(Vec<u32>),
}

impl Variable {
    /// Its atoms.
    pub fn atoms(&self) -> &[u32] {
        match self {
            Variable::Boolean(atom) => std::slice::from_ref(atom),
            Variable::Typed(atoms) => atoms,
        }
    }

    /// How many bits it takes.
    pub fn bits(&self) -> u32 {
        match self {
            Variable::Boolean(_) => 1,
            Variable::Typed(atoms) => bits_for(atoms.len() + 1),
        }
    }
}

/// The bits that tell this number of values apart.
pub(super) fn bits_for(values: usize) -> u32 {
    values.next_power_of_two().trailing_zeros()
}

/// The size of a translated system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Variables that are true or false.
    pub booleans: usize,
    /// Variables with several values, the moves of roles among them.
    pub enumerated: usize,
    /// The bits of all of them.
    pub bits: u32,
    /// What is a definition.
    pub definitions: usize,
}

/// Whether an atom is a variable, by the options of its system.
pub(super) fn is_variable(system: &System, id: u32) -> bool {
    let recursive = || {
        let mut groups = system.order.iter();
        groups.any(|group| group.contains(&id) && system.is_recursive(group))
    };
    system.is_state(id) || !system.options.definitions || recursive()
}

/// The size of a system with these variables. A fluent is counted twice, as the paper does: for
/// its value before the moves and after.
pub(super) fn statistics(system: &System, variables: &[Variable]) -> Statistics {
    let mut found = Statistics::default();
    for variable in variables {
        let is_fluent = system.atoms[variable.atoms()[0] as usize].kind == Kind::Fluent;
        let copies = if is_fluent { 2 } else { 1 };
        match variable {
            Variable::Boolean(_) => found.booleans += copies,
            Variable::Typed(_) => found.enumerated += copies,
        }
        found.bits += variable.bits() * copies as u32;
    }
    for moves in &system.moves {
        found.enumerated += 1;
        found.bits += bits_for(moves.len() + 2);
    }
    let variables: usize = variables.iter().map(|one| one.atoms().len()).sum();
    found.definitions = system.atoms.len() - variables;
    found
}

/// The variables of a system.
///
/// # Errors
/// If the decision diagrams become too large.
pub(super) fn variables(system: &System, nodes: usize) -> Result<Vec<Variable>, TooHard> {
    let typed = match system.options.typed {
        true => groups(system, nodes)?,
        false => Vec::new(),
    };
    let within: FxHashSet<u32> = typed.iter().flatten().copied().collect();
    let mut all: Vec<Variable> = (0..system.atoms.len() as u32)
        .filter(|id| !within.contains(id) && is_variable(system, *id))
        .map(Variable::Boolean)
        .chain(typed.into_iter().map(Variable::Typed))
        .collect();
    all.sort_by_key(|variable| variable.atoms()[0]);
    Ok(all)
}

/// Sets of atoms of which at most one holds, none in two of them.
fn groups(system: &System, nodes: usize) -> Result<Vec<Vec<u32>>, TooHard> {
    let sets = candidates(system);
    let mut invariants = with_beginnings(system, &sets);
    let mut plain = system.clone();
    plain.options = Options {
        definitions: true,
        ..system.options
    };
    let state: Vec<Variable> = (0..system.atoms.len() as u32)
        .filter(|&id| is_variable(&plain, id))
        .map(Variable::Boolean)
        .collect();
    let space = Space::new(&plain, &state, &Room::plain(nodes))?;
    let at_start = |group: &Vec<u32>| {
        let initially = |id: &&u32| system.atoms[**id as usize].initially;
        group.iter().filter(initially).count() <= 1
    };
    invariants.retain(at_start);
    strike_out(system, &space, &mut invariants)?;
    let proven = |set: &Vec<u32>| {
        let within = |other: &Vec<u32>| set.iter().all(|id| other.contains(id));
        invariants.iter().any(within)
    };
    Ok(choose(sets.into_iter().filter(proven).collect()))
}

/// The sets, and each once more with a fluent of the start. What is drawn once at the beginning
/// holds at most once because it does not hold while that fluent does.
fn with_beginnings(system: &System, sets: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut beginnings: Vec<u32> = (0..system.atoms.len() as u32)
        .filter(|&id| system.atoms[id as usize].initially)
        .collect();
    beginnings.sort_by_key(|&id| system.atoms[id as usize].rules.len());
    beginnings.truncate(BEGINNINGS);
    let mut all = sets.to_vec();
    for set in sets {
        let begins = |id: &u32| system.atoms[*id as usize].initially;
        if system.atoms[set[0] as usize].kind == Kind::Fluent && !set.iter().any(begins) {
            for &id in &beginnings {
                all.push([&set[..], &[id]].concat());
            }
        }
    }
    all
}

/// Strikes out sets of which two may hold after a step, until there are none.
fn strike_out(system: &System, space: &Space<'_>, sets: &mut Vec<Vec<u32>>) -> Result<(), TooHard> {
    let after = space.after()?;
    let steps = space.legal_steps()?;
    loop {
        let mut possible = steps.clone();
        for set in sets.iter() {
            if system.atoms[set[0] as usize].kind == Kind::Fluent {
                let values = set.iter().map(|&id| space.now(id));
                let values = values.collect::<Result<Vec<_>, _>>()?;
                possible = possible.without(&overlap(space, &values)?)?;
            }
        }
        let mut good = Vec::with_capacity(sets.len());
        for set in sets.iter() {
            let values: Vec<Diagram> = set.iter().map(|id| after[id].clone()).collect();
            good.push(overlap(space, &values)?.and(&possible)?.is_false());
        }
        if good.iter().all(|&good| good) {
            return Ok(());
        }
        let mut places = good.into_iter();
        sets.retain(|_| places.next().unwrap_or(false));
    }
}

/// Where two of some values hold.
fn overlap(space: &Space, values: &[Diagram]) -> Result<Diagram, TooHard> {
    let (mut one, mut two) = (space.no(), space.no());
    for value in values {
        two = two.or(&one.and(value)?)?;
        one = one.or(value)?;
    }
    Ok(two)
}

/// Sets that may be typed variables, the largest first.
fn candidates(system: &System) -> Vec<Vec<u32>> {
    let mut sets: FxHashMap<(Kind, String), Vec<u32>> = FxHashMap::default();
    for (id, atom) in system.atoms.iter().enumerate() {
        if atom.kind == Kind::Helper {
            continue;
        }
        let mut add = |key: String| sets.entry((atom.kind, key)).or_default().push(id as u32);
        if let Kind::Percept(_) = atom.kind {
            add(String::new());
        }
        let inner = atom.name.trim_start_matches('(').trim_end_matches(')');
        let subject = atom.name[1..atom.name.len().saturating_sub(1)].to_owned();
        let subject = split(&subject)
            .unwrap_or_default()
            .pop()
            .unwrap_or_default();
        let within = subject
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let Some(within) = within else {
            // Constants are a set together.
            add(inner.split(' ').next().unwrap_or_default().to_owned());
            continue;
        };
        let parts = split(within).unwrap_or_default();
        add(format!("({}", parts[0]));
        for place in 1..parts.len() {
            let mut others = parts.clone();
            "?".clone_into(&mut others[place]);
            add(others.join(" "));
        }
    }
    let mut sets: Vec<Vec<u32>> = sets.into_values().filter(|set| set.len() > 1).collect();
    sets.sort_by_key(|set| (std::cmp::Reverse(set.len()), set[0]));
    sets.dedup();
    sets
}

/// Good sets that share nothing, larger ones first.
fn choose(sets: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let mut taken: FxHashSet<u32> = FxHashSet::default();
    let mut chosen = Vec::new();
    for mut set in sets {
        set.retain(|id| !taken.contains(id));
        if set.len() > 1 {
            taken.extend(&set);
            chosen.push(set);
        }
    }
    chosen
}
