//! A legal player's knowledge by filtering: what surely holds and what may hold, without a list of
//! states (Thielscher, GIGA'13).
//!
//! Of every fluent and move it is known that it holds, known that it does not, or neither. A
//! *support* of a gate is a set of signed unknowns that make it true whatever the other unknowns
//! are. Supports of a gate and of its negation are found together, inputs first: those of a
//! conjunction are the consistent unions of one support of each input, those of its negation are
//! the supports of the inputs' negations. That is the backward chaining of the paper with its
//! hitting sets, on the network of the rules. Supports that contain another are dropped, which
//! changes nothing that is asked for. Where a gate has too many, nothing is concluded from it,
//! which keeps the filter sound.

use std::ops::Deref;

use paidia_game::{Chance, Game, MoveId, PerceptId, RoleId, Rules, Walker};
use paidia_reason::propnet::{GroundGame, Network, Node, Propnet, Wire};

/// The most supports of one gate that are kept.
const MOST_SUPPORTS: usize = 256;
/// The most passes through gates that depend on each other.
const MOST_PASSES: usize = 64;

/// A signed unknown: twice its number, and one more if it must not hold.
type Signed = u32;
/// Signed unknowns in order.
type Support = Vec<Signed>;

/// The supports of a gate, the smallest sets alone.
#[derive(Clone, Debug, PartialEq)]
enum Supports {
    Sets(Vec<Support>),
    /// More than are kept; at least one is not empty, as far as is known.
    TooMany,
}

impl Supports {
    fn never() -> Self {
        Supports::Sets(Vec::new())
    }

    fn always() -> Self {
        Supports::Sets(vec![Vec::new()])
    }

    /// Whether it surely holds.
    fn is_certain(&self) -> bool {
        matches!(self, Supports::Sets(sets) if sets.iter().any(Vec::is_empty))
    }

    /// Whether it may hold.
    fn is_possible(&self) -> bool {
        !matches!(self, Supports::Sets(sets) if sets.is_empty())
    }

    /// Those of a disjunction.
    fn or(&mut self, other: &Supports) {
        if self.is_certain() || other.is_certain() {
            *self = Supports::always();
            return;
        }
        match (&mut *self, other) {
            (Supports::Sets(own), Supports::Sets(sets)) => {
                for set in sets {
                    add(own, set.clone());
                }
                if own.len() > MOST_SUPPORTS {
                    *self = Supports::TooMany;
                }
            }
            _ => *self = Supports::TooMany,
        }
    }

    /// Those of a conjunction.
    fn and(&mut self, other: &Supports) {
        if !self.is_possible() || !other.is_possible() {
            *self = Supports::never();
            return;
        }
        if self.is_certain() {
            self.clone_from(other);
            return;
        }
        if other.is_certain() {
            return;
        }
        let (Supports::Sets(own), Supports::Sets(sets)) = (&*self, other) else {
            *self = Supports::TooMany;
            return;
        };
        let mut unions = Vec::new();
        for one in own {
            for two in sets {
                if let Some(union) = union(one, two) {
                    add(&mut unions, union);
                }
                if unions.len() > MOST_SUPPORTS {
                    *self = Supports::TooMany;
                    return;
                }
            }
        }
        *self = Supports::Sets(unions);
    }
}

/// Adds a set unless it contains one of the others, and drops those that contain it.
fn add(sets: &mut Vec<Support>, set: Support) {
    if sets.iter().any(|other| contains(&set, other)) {
        return;
    }
    sets.retain(|other| !contains(other, &set));
    sets.push(set);
}

fn contains(large: &Support, small: &Support) -> bool {
    small
        .iter()
        .all(|signed| large.binary_search(signed).is_ok())
}

/// The union of two supports, if it is consistent.
fn union(one: &Support, two: &Support) -> Option<Support> {
    let mut union = [&one[..], &two[..]].concat();
    union.sort_unstable();
    union.dedup();
    let consistent = union.windows(2).all(|pair| pair[0] ^ 1 != pair[1]);
    consistent.then_some(union)
}

/// What is known of a fluent or a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It holds.
    Yes,
    /// It does not.
    No,
    /// Neither is known.
    Unknown,
}

/// What was told is impossible by what is known: the rules or what was told are other ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what was told cannot be: it is of another game, or the filter is at fault")]
pub struct Impossible;

/// What one role knows.
pub struct Filter<B> {
    game: B,
    role: RoleId,
    /// Whether only percepts that came are used, not those that did not.
    percepts_only: bool,
    /// For each fluent what is known.
    fluents: Vec<Known>,
    /// For each role and each of its moves what is known of the last joint move.
    moves: Vec<Vec<Known>>,
    /// For each node the supports of its being true and of its being false.
    supports: Vec<(Supports, Supports)>,
    /// Where the moves of each role begin among the unknowns.
    offsets: Vec<u32>,
}

impl<B: Deref<Target = GroundGame> + Clone> Filter<B> {
    /// The start of a match of a game, which is borrowed or shared.
    pub fn new(game: B, role: RoleId, percepts_only: bool) -> Self {
        let shared = game.clone();
        let network = &shared.network;
        let known = |&holds: &bool| if holds { Known::Yes } else { Known::No };
        let mut end = network.next.len() as u32;
        let offsets = network.legal.iter().map(|moves| {
            let start = end;
            end += moves.len() as u32;
            start
        });
        let offsets = offsets.collect();
        let mut this = Self {
            game,
            role,
            percepts_only,
            fluents: network.initial.iter().map(known).collect(),
            moves: network
                .legal
                .iter()
                .map(|moves| vec![Known::No; moves.len()])
                .collect(),
            supports: Vec::new(),
            offsets,
        };
        this.work_out();
        this
    }

    /// What is known of each fluent, in the order of [`GroundGame::fluents`].
    pub fn fluents(&self) -> &[Known] {
        &self.fluents
    }

    /// Whether the game is over.
    pub fn terminal(&self) -> Known {
        self.known(self.game.network.terminal)
    }

    /// Whether a move of the role is legal.
    pub fn legal(&self, id: MoveId) -> Known {
        let moves = self.game.network.legal[self.role.index()].iter();
        let found = moves.into_iter().find(|&&(other, _)| other == id.0);
        found.map_or(Known::No, |&(_, wire)| self.known(wire))
    }

    /// The moves of the role that are known to be legal.
    pub fn known_legal(&self) -> Vec<MoveId> {
        let moves = self.game.network.legal[self.role.index()].iter();
        let known = moves.filter(|&&(_, wire)| self.known(wire) == Known::Yes);
        known.map(|&(id, _)| MoveId(id)).collect()
    }

    /// Whether it knows of all its moves whether they are legal.
    pub fn knows_legal(&self) -> bool {
        let mut moves = self.game.network.legal[self.role.index()].iter();
        moves.all(|&(_, wire)| self.known(wire) != Known::Unknown)
    }

    /// Its goal, if that is known.
    pub fn goal(&self) -> Option<i32> {
        let mut goals = self.game.network.goals[self.role.index()].iter();
        goals
            .find(|&&(_, wire)| self.known(wire) == Known::Yes)
            .map(|&(value, _)| value)
    }

    /// Takes in what was told of a joint move.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn see(&mut self, made: MoveId, percepts: &[PerceptId]) -> Result<(), Impossible> {
        let game = self.game.clone();
        let network = &game.network;
        for (role, moves) in network.legal.iter().enumerate() {
            for (place, &(id, wire)) in moves.iter().enumerate() {
                self.moves[role][place] = if role == self.role.index() {
                    if id == made.0 { Known::Yes } else { Known::No }
                } else if self.of(wire).is_possible() {
                    Known::Unknown
                } else {
                    Known::No
                };
            }
        }
        loop {
            self.work_out();
            self.filter(percepts)?;
            if !self.exclude_other_moves() {
                break;
            }
        }
        self.work_out();
        let next = network.next.iter().map(|&wire| self.known(wire));
        self.fluents = next.collect();
        self.moves
            .iter_mut()
            .flatten()
            .for_each(|known| *known = Known::No);
        self.work_out();
        Ok(())
    }

    /// Concludes from what was perceived, and from what was not, which unknowns hold.
    fn filter(&mut self, percepts: &[PerceptId]) -> Result<(), Impossible> {
        let mut common: Vec<Signed> = Vec::new();
        for &(id, wire) in &self.game.network.percepts[self.role.index()] {
            let seen = percepts.contains(&PerceptId(id));
            if !seen && self.percepts_only {
                continue;
            }
            if let Supports::Sets(sets) = self.of(if seen { wire } else { !wire }) {
                let (first, rest) = sets.split_first().ok_or(Impossible)?;
                let in_all =
                    |signed: &&Signed| rest.iter().all(|set| set.binary_search(signed).is_ok());
                common.extend(first.iter().filter(in_all));
            }
        }
        for signed in common {
            let known = if signed & 1 == 0 {
                Known::Yes
            } else {
                Known::No
            };
            *self.base(signed >> 1) = known;
        }
        Ok(())
    }

    /// Concludes from each role making one move alone; whether that told something new.
    fn exclude_other_moves(&mut self) -> bool {
        let mut is_new = false;
        for moves in &mut self.moves {
            let made = moves.iter().position(|&known| known == Known::Yes);
            let mut possible = moves.iter().filter(|&&known| known != Known::No);
            let is_last = possible.next().is_some() && possible.next().is_none();
            for (place, known) in moves.iter_mut().enumerate() {
                let holds = match made {
                    Some(made) => made == place,
                    None if is_last => true,
                    None => continue,
                };
                if *known == Known::Unknown {
                    *known = if holds { Known::Yes } else { Known::No };
                    is_new = true;
                }
            }
        }
        is_new
    }

    /// What is known of an unknown, by its number.
    fn base(&mut self, number: u32) -> &mut Known {
        if (number as usize) < self.fluents.len() {
            return &mut self.fluents[number as usize];
        }
        let role = self.offsets.partition_point(|&offset| offset <= number) - 1;
        &mut self.moves[role][(number - self.offsets[role]) as usize]
    }

    fn of(&self, wire: Wire) -> &Supports {
        let (holds, fails) = &self.supports[wire.node()];
        if wire.is_inverted() { fails } else { holds }
    }

    fn known(&self, wire: Wire) -> Known {
        if self.of(wire).is_certain() || !self.of(!wire).is_possible() {
            Known::Yes
        } else if self.of(!wire).is_certain() || !self.of(wire).is_possible() {
            Known::No
        } else {
            Known::Unknown
        }
    }

    /// Works out the supports of all gates.
    fn work_out(&mut self) {
        let game = self.game.clone();
        let network = &game.network;
        self.supports.clear();
        let mut regions = network.regions.iter().peekable();
        let mut node = 0;
        while node < network.nodes.len() {
            if let Some(region) = regions.next_if(|region| region.nodes.start == node) {
                self.work_out_region(network, region);
                node = region.nodes.end;
            } else {
                let supports = self.gate(network, node);
                self.supports.push(supports);
                node += 1;
            }
        }
    }

    /// Gates that depend on each other: what they derive at first is nothing, and grows.
    fn work_out_region(&mut self, network: &Network, region: &paidia_reason::propnet::Region) {
        for _ in region.nodes.clone() {
            self.supports.push((Supports::never(), Supports::always()));
        }
        for _ in 0..MOST_PASSES {
            let before = self.supports[region.nodes.clone()].to_vec();
            for node in region.nodes.clone() {
                if network.nodes[node] != Node::Feedback {
                    self.supports[node] = self.gate(network, node);
                }
            }
            for (node, &wire) in region.nodes.clone().zip(&region.definitions) {
                self.supports[node] = (self.of(wire).clone(), self.of(!wire).clone());
            }
            if self.supports[region.nodes.clone()] == before[..] {
                return;
            }
        }
        // What is not settled tells nothing.
        for node in region.nodes.clone() {
            self.supports[node] = (Supports::TooMany, Supports::TooMany);
        }
    }

    fn gate(&self, network: &Network, node: usize) -> (Supports, Supports) {
        match network.nodes[node] {
            Node::True => (Supports::always(), Supports::never()),
            Node::Fluent(fluent) => base_supports(self.fluents[fluent as usize], fluent),
            Node::Does { role, index } => {
                let number = self.offsets[usize::from(role)] + index;
                base_supports(self.moves[usize::from(role)][index as usize], number)
            }
            Node::And { start, end } => {
                let inputs = &network.inputs[start as usize..end as usize];
                let (mut holds, mut fails) = (Supports::always(), Supports::never());
                for &wire in inputs {
                    holds.and(self.of(wire));
                    fails.or(self.of(!wire));
                }
                (holds, fails)
            }
            Node::Feedback => (Supports::never(), Supports::always()),
        }
    }
}

fn base_supports(known: Known, number: u32) -> (Supports, Supports) {
    match known {
        Known::Yes => (Supports::always(), Supports::never()),
        Known::No => (Supports::never(), Supports::always()),
        Known::Unknown => (
            Supports::Sets(vec![vec![number << 1]]),
            Supports::Sets(vec![vec![number << 1 | 1]]),
        ),
    }
}

/// What came of following random matches with a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the role always knew which of its moves are legal.
    pub legal: bool,
    /// Whether it always knew whether the game is over.
    pub terminal: bool,
    /// Whether it knew its goal at the end.
    pub goal: bool,
    /// Joint moves that were followed.
    pub rounds: u64,
    /// What was concluded against the truth: always 0, or the filter is at fault.
    pub unsound: u64,
}

/// Follows random matches with a role's filter, and checks all that it concludes.
pub fn try_out(
    game: &GroundGame,
    role: RoleId,
    matches: u32,
    step_limit: u32,
    percepts_only: bool,
    seed: u64,
) -> Verdict {
    let propnet = Propnet::new(game.clone());
    let (mut walker, mut chance) = (propnet.walker(), Chance::from_seed(seed));
    let mut verdict = Verdict {
        legal: true,
        terminal: true,
        goal: true,
        rounds: 0,
        unsound: 0,
    };
    let mut joint = Vec::new();
    let mut state = propnet.initial();
    for _ in 0..matches {
        walker.jump(&propnet.initial());
        let mut filter = Filter::new(game, role, percepts_only);
        for step in 0..=step_limit {
            let over = walker.is_terminal();
            walker.save(&mut state);
            verdict.judge(&filter, &propnet, &mut walker, &state, over);
            if over || step == step_limit || walker.draw(&mut chance, &mut joint).is_err() {
                break;
            }
            walker.advance(&joint, &mut chance);
            verdict.rounds += 1;
            let percepts = walker.percepts(role).to_vec();
            if filter.see(joint[role.index()], &percepts).is_err() {
                verdict.unsound += 1;
                break;
            }
        }
    }
    verdict
}

impl Verdict {
    fn judge(
        &mut self,
        filter: &Filter<&GroundGame>,
        game: &Propnet,
        walker: &mut <Propnet as Game>::Walker,
        state: &<Propnet as Rules>::State,
        over: bool,
    ) {
        use paidia_game::Legible;
        let fluents = game.fluents(state);
        for (name, &known) in filter.game.fluents.iter().zip(filter.fluents()) {
            self.compare(known, fluents.binary_search(name).is_ok());
        }
        self.compare(filter.terminal(), over);
        self.terminal &= filter.terminal() != Known::Unknown;
        if over {
            self.goal &= filter.goal().is_some();
            let wrong = filter
                .goal()
                .is_some_and(|goal| walker.goal(filter.role).value() != Some(goal));
            self.unsound += u64::from(wrong);
            return;
        }
        self.legal &= filter.knows_legal();
        let legal = walker.legal().of(filter.role).to_vec();
        for &(id, _) in &filter.game.network.legal[filter.role.index()] {
            self.compare(filter.legal(MoveId(id)), legal.contains(&MoveId(id)));
        }
    }

    fn compare(&mut self, known: Known, truth: bool) {
        let wrong = matches!((known, truth), (Known::Yes, false) | (Known::No, true));
        self.unsound += u64::from(wrong);
    }
}
