//! LOCM and LOCM2: what objects do, from traces of actions alone. (Stephen Cresswell, Thomas
//! McCluskey and Margaret West, Acquisition of Object-Centred Domain Models from Planning Examples,
//! ICAPS 2009; Stephen Cresswell and Peter Gregory, Generalised Domain Model Acquisition from
//! Action Traces, ICAPS 2011.)
//!
//! Each place among the arguments of an action is a transition of the objects that stand there.
//! A machine has every transition once, so that what follows a transition for some object begins
//! where it ends. Where one machine would allow what was never seen, LOCM2 adds machines for fewer
//! transitions, which all have to agree. Place 0 belongs to an object of its own for each trace:
//! its machines are the structure of traces.

use std::collections::{BTreeMap, BTreeSet};

/// An action of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The name of the action.
    pub action: String,
    /// Its arguments.
    pub objects: Vec<usize>,
}

/// A place of an action: 0 for the trace itself, else an argument from 1.
pub type Transition = (String, usize);

/// A machine of the objects of a sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// For each transition the states where it begins and ends.
    pub transitions: BTreeMap<Transition, (usize, usize)>,
    /// How many states there are.
    pub states: usize,
    /// States in which objects begin.
    pub first: BTreeSet<usize>,
    /// States in which objects were left.
    pub last: BTreeSet<usize>,
    /// For each state what it remembers: for each transition into it and out of it, the argument
    /// that is the same object.
    pub parameters: Vec<Vec<BTreeMap<(Transition, bool), usize>>>,
}

/// The objects that stand in the same places, with their machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The places.
    pub transitions: BTreeSet<Transition>,
    /// The machines; the first has all transitions.
    pub machines: Vec<Machine>,
}

/// What was learned of traces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Domain {
    /// The sorts; the first is that of traces.
    pub sorts: Vec<Sort>,
    /// For each action its number of arguments.
    pub actions: BTreeMap<String, usize>,
}

/// What one object did: transitions, each with the arguments of its action.
type Life<'a> = Vec<(Transition, &'a [usize])>;

/// Larger sets of transitions are not tried by LOCM2.
const MOST_TRANSITIONS: usize = 16;

/// Learns from traces.
pub fn learn(traces: &[Vec<Event>]) -> Domain {
    let mut actions = BTreeMap::new();
    for event in traces.iter().flatten() {
        actions.insert(event.action.clone(), event.objects.len());
    }
    let mut sorts = vec![actions.keys().map(|name| (name.clone(), 0)).collect()];
    sorts.extend(sorts_of(traces));
    let sort = |transitions: BTreeSet<Transition>| {
        let lives = lives(traces, &transitions);
        Sort {
            machines: machines(&transitions, &lives),
            transitions,
        }
    };
    Domain {
        sorts: sorts.into_iter().map(sort).collect(),
        actions,
    }
}

/// Places that have an object in common belong together.
fn sorts_of(traces: &[Vec<Event>]) -> Vec<BTreeSet<Transition>> {
    let mut places: BTreeMap<Transition, BTreeSet<usize>> = BTreeMap::new();
    for event in traces.iter().flatten() {
        for (place, &object) in event.objects.iter().enumerate() {
            let place = (event.action.clone(), place + 1);
            places.entry(place).or_default().insert(object);
        }
    }
    let mut sorts: Vec<(BTreeSet<Transition>, BTreeSet<usize>)> = Vec::new();
    for (place, objects) in places {
        let (mut members, mut all) = (BTreeSet::from([place]), objects);
        sorts.retain(|(others, known)| {
            let is_apart = known.is_disjoint(&all);
            if !is_apart {
                members.extend(others.iter().cloned());
                all.extend(known);
            }
            is_apart
        });
        sorts.push((members, all));
    }
    sorts.into_iter().map(|(members, _)| members).collect()
}

/// What each object of some places did, trace by trace.
fn lives<'a>(traces: &'a [Vec<Event>], places: &BTreeSet<Transition>) -> Vec<Life<'a>> {
    let mut lives = Vec::new();
    for trace in traces {
        let mut of: BTreeMap<Option<usize>, Life<'a>> = BTreeMap::new();
        for event in trace {
            let zero = [None].into_iter();
            let all = zero.chain(event.objects.iter().map(|&object| Some(object)));
            for (place, object) in all.enumerate() {
                let transition = (event.action.clone(), place);
                if places.contains(&transition) {
                    let life = of.entry(object).or_default();
                    life.push((transition, &event.objects));
                }
            }
        }
        lives.extend(of.into_values());
    }
    lives
}

/// The pairs of transitions that follow each other in some life, others being left out.
fn pairs(lives: &[Life<'_>], wanted: &BTreeSet<Transition>) -> BTreeSet<(Transition, Transition)> {
    let mut pairs = BTreeSet::new();
    for life in lives {
        let of = life.iter().map(|(transition, _)| transition);
        let of: Vec<&Transition> = of
            .filter(|&transition| wanted.contains(transition))
            .collect();
        for pair in of.windows(2) {
            if !pairs.contains(&(pair[0].clone(), pair[1].clone())) {
                pairs.insert((pair[0].clone(), pair[1].clone()));
            }
        }
    }
    pairs
}

fn machines(transitions: &BTreeSet<Transition>, lives: &[Life<'_>]) -> Vec<Machine> {
    let known = pairs(lives, transitions);
    // A trace begins in one state; other objects may be in any when they are first met.
    let is_trace = transitions.iter().all(|transition| transition.1 == 0);
    let whole = Machine::new(transitions, lives, is_trace);
    let mut machines = vec![whole];
    for hole in machines[0].holes(&known) {
        let is_filled = |machine: &Machine| {
            let ends = machine.transitions.get(&hole.0);
            let begins = machine.transitions.get(&hole.1);
            ends.zip(begins)
                .is_some_and(|(one, other)| one.1 != other.0)
        };
        if machines.iter().any(is_filled) {
            continue;
        }
        if let Some(machine) = smallest(transitions, lives, &known, &hole).filter(is_filled) {
            machines.push(machine);
        }
    }
    machines
}

/// The machine of the fewest transitions that has two of them and allows nothing that was not
/// seen.
fn smallest(
    transitions: &BTreeSet<Transition>,
    lives: &[Life<'_>],
    known: &BTreeSet<(Transition, Transition)>,
    hole: &(Transition, Transition),
) -> Option<Machine> {
    let both = BTreeSet::from([hole.0.clone(), hole.1.clone()]);
    let others: Vec<&Transition> = transitions.difference(&both).collect();
    if others.len() > MOST_TRANSITIONS {
        return None;
    }
    let mut sets: Vec<u32> = (0..1 << others.len()).collect();
    sets.sort_by_key(|set| set.count_ones());
    sets.into_iter().find_map(|set| {
        let chosen = others.iter().enumerate();
        let chosen = chosen.filter(|(place, _)| set >> place & 1 == 1);
        let mut wanted = both.clone();
        wanted.extend(chosen.map(|(_, &transition)| transition.clone()));
        let is_valid = pairs(lives, &wanted).is_subset(known);
        let machine = is_valid.then(|| Machine::new(&wanted, lives, false))?;
        machine.holes(known).is_empty().then_some(machine)
    })
}

impl Machine {
    /// The machine of some transitions; `begins_once` if all objects begin in one state.
    fn new(wanted: &BTreeSet<Transition>, lives: &[Life<'_>], begins_once: bool) -> Self {
        // The states before and after each transition, of which some are one.
        let numbers: BTreeMap<&Transition, usize> = wanted.iter().zip(0..).collect();
        let mut same: Vec<usize> = (0..2 * wanted.len()).collect();
        let find = |same: &[usize], mut state: usize| {
            while same[state] != state {
                state = same[state];
            }
            state
        };
        for (one, other) in pairs(lives, wanted) {
            let end = find(&same, 2 * numbers[&one] + 1);
            let start = find(&same, 2 * numbers[&other]);
            same[end.max(start)] = end.min(start);
        }
        let firsts = lives
            .iter()
            .filter_map(|life| numbers.get(&life.first()?.0));
        let firsts: BTreeSet<usize> = firsts.copied().collect();
        if let (true, Some(one)) = (begins_once, firsts.first()) {
            for other in &firsts {
                let (one, other) = (find(&same, 2 * one), find(&same, 2 * other));
                same[one.max(other)] = one.min(other);
            }
        }
        let mut order = Vec::new();
        let mut state = |raw: usize| {
            let root = find(&same, raw);
            order
                .iter()
                .position(|&known| known == root)
                .unwrap_or_else(|| {
                    order.push(root);
                    order.len() - 1
                })
        };
        let transitions: BTreeMap<Transition, (usize, usize)> = wanted
            .iter()
            .enumerate()
            .map(|(place, transition)| {
                let ends = (state(2 * place), state(2 * place + 1));
                (transition.clone(), ends)
            })
            .collect();
        let (mut first, mut last) = (BTreeSet::new(), BTreeSet::new());
        let mut is_idle = false;
        for life in lives {
            let mut of = life.iter().filter_map(|(name, _)| transitions.get(name));
            match of.next() {
                Some(&(start, end)) => {
                    first.insert(start);
                    last.insert(of.next_back().map_or(end, |&(_, end)| end));
                }
                None => is_idle = true,
            }
        }
        if is_idle {
            last.extend(first.iter().copied());
        }
        let mut machine = Self {
            transitions,
            states: order.len(),
            first,
            last,
            parameters: Vec::new(),
        };
        machine.parameters = (0..machine.states)
            .map(|state| machine.parameters(state, lives))
            .collect();
        machine
    }

    /// What the machine allows to follow each other and was not seen to.
    fn holes(&self, known: &BTreeSet<(Transition, Transition)>) -> Vec<(Transition, Transition)> {
        let mut holes = Vec::new();
        for (one, (_, end)) in &self.transitions {
            for (other, (start, _)) in &self.transitions {
                let pair = (one.clone(), other.clone());
                if end == start && !known.contains(&pair) {
                    holes.push(pair);
                }
            }
        }
        holes
    }

    /// What a state remembers: arguments of transitions into it that always are the same object
    /// as an argument of what follows.
    fn parameters(
        &self,
        state: usize,
        lives: &[Life<'_>],
    ) -> Vec<BTreeMap<(Transition, bool), usize>> {
        // Whether all pairs that were seen agree, by arguments into the state and out of it.
        type Pair = ((Transition, usize), (Transition, usize));
        let mut agree: BTreeMap<Pair, bool> = BTreeMap::new();
        for life in lives {
            let of = life
                .iter()
                .filter(|(name, _)| self.transitions.contains_key(name));
            let of: Vec<&(Transition, &[usize])> = of.collect();
            for pair in of.windows(2) {
                let [(one, left), (other, right)] = [pair[0], pair[1]];
                if self.transitions[one].1 != state {
                    continue;
                }
                for (k, object) in left.iter().enumerate().filter(|(k, _)| k + 1 != one.1) {
                    for (l, next) in right.iter().enumerate().filter(|(l, _)| l + 1 != other.1) {
                        let pair = ((one.clone(), k + 1), (other.clone(), l + 1));
                        *agree.entry(pair).or_insert(true) &= object == next;
                    }
                }
            }
        }
        let mut groups: Vec<BTreeMap<(Transition, bool), usize>> = Vec::new();
        for ((one, other), _) in agree.into_iter().filter(|(_, agrees)| *agrees) {
            let [into, out] = [((one.0, true), one.1), ((other.0, false), other.1)];
            let has = |group: &BTreeMap<(Transition, bool), usize>| {
                group.get(&into.0) == Some(&into.1) || group.get(&out.0) == Some(&out.1)
            };
            match groups.iter().position(has) {
                Some(place) => groups[place].extend([into, out]),
                None => groups.push(BTreeMap::from([into, out])),
            }
        }
        // A parameter must be set by all that leads into the state.
        let into = self.transitions.iter().filter(|(_, ends)| ends.1 == state);
        let into: Vec<(Transition, bool)> = into.map(|(name, _)| (name.clone(), true)).collect();
        groups.retain(|group| into.iter().all(|name| group.contains_key(name)));
        groups
    }
}

impl Domain {
    /// The machines of traces.
    pub fn zero(&self) -> &[Machine] {
        self.sorts.first().map_or(&[], |sort| &sort.machines)
    }
}
