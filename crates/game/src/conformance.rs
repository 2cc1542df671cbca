//! What every engine must do, checked from outside on random play.
//!
//! An engine passes if [`conformance`] returns an empty list. The kit asks nothing about the
//! meaning of rules, for which there are [`crate::perft()`], [`crate::crosscheck`] and recorded
//! play; it asks whether walkers keep the promises of the contract.

use std::collections::hash_map::Entry;
use std::fmt;

use rustc_hash::FxHashMap;

use crate::chance::Chance;
use crate::contract::{Game, Legible, Walker};
use crate::ids::{Goal, MoveId, PerceptId, RoleId};

/// How much random play is checked.
#[derive(Clone, Copy, Debug)]
pub struct ConformanceOptions {
    /// How many playouts.
    pub playouts: u32,
    /// How many joint moves in each, at most.
    pub step_limit: u32,
    /// Where the random choices come from.
    pub seed: u64,
}

impl Default for ConformanceOptions {
    fn default() -> Self {
        Self {
            playouts: 3,
            step_limit: 200,
            seed: 1,
        }
    }
}

/// A promise that the engine did not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The promise, as a short name.
    pub check: &'static str,
    /// Where it failed, and what was seen there.
    pub detail: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.check, self.detail)
    }
}

/// More failures than this say nothing new.
const FAILURE_LIMIT: usize = 20;

/// Checks an engine, through one of its games, against the contract; the failures, at most twenty.
pub fn conformance<G: Game + Legible>(game: &G, options: ConformanceOptions) -> Vec<Failure> {
    let mut kit = Kit::new(game);
    kit.start();
    let mut trails = Vec::new();
    for repetition in 0..2 {
        // The second time round everything random must come out as before.
        let mut chance = Chance::from_seed(options.seed);
        for playout in 0..options.playouts {
            let trail = kit.playout(playout, options.step_limit, &mut chance);
            if repetition == 0 {
                trails.push(trail);
            } else if trails[playout as usize] != trail {
                kit.fail(
                    "same seed, same play",
                    format!("playout {playout} differs when repeated"),
                );
            }
            if kit.failures.len() >= FAILURE_LIMIT {
                return kit.failures;
            }
        }
    }
    kit.failures
}

struct Kit<'a, G: Game + Legible> {
    game: &'a G,
    walker: G::Walker,
    /// Jumps to every state that `walker` walks to, and never walks.
    jumper: G::Walker,
    /// Jumps like it, and makes one move from there.
    follower: G::Walker,
    hashes: FxHashMap<G::State, u64>,
    states: FxHashMap<u64, G::State>,
    /// Where the walker stands, for messages.
    place: String,
    failures: Vec<Failure>,
}

/// Everything that can be asked in a state.
#[derive(Debug, PartialEq, Eq)]
struct View {
    terminal: bool,
    goals: Vec<Goal>,
    legal: Vec<Vec<MoveId>>,
    hash: u64,
}

fn view<W: Walker>(walker: &mut W, roles: u16) -> View {
    let legal = walker
        .legal()
        .iter()
        .map(|(_, moves)| moves.to_vec())
        .collect();
    View {
        legal,
        terminal: walker.is_terminal(),
        goals: (0..roles).map(|role| walker.goal(RoleId(role))).collect(),
        hash: walker.hash64(),
    }
}

impl<'a, G: Game + Legible> Kit<'a, G> {
    fn new(game: &'a G) -> Self {
        Self {
            game,
            walker: game.walker(),
            jumper: game.walker(),
            follower: game.walker(),
            hashes: FxHashMap::default(),
            states: FxHashMap::default(),
            place: String::new(),
            failures: Vec::new(),
        }
    }

    fn fail(&mut self, check: &'static str, mut detail: String) {
        if self.failures.len() < FAILURE_LIMIT {
            detail.insert_str(0, &self.place);
            self.failures.push(Failure { check, detail });
        }
    }

    fn roles(&self) -> u16 {
        self.game.facts().roles.len() as u16
    }

    fn state(&self) -> G::State {
        let mut state = self.game.initial();
        self.walker.save(&mut state);
        state
    }

    fn start(&mut self) {
        if self.state() != self.game.initial() {
            self.fail(
                "a new walker stands in the initial state",
                "it does not".into(),
            );
        }
        if self.roles() == 0 {
            self.fail("there are roles", "there are none".into());
        }
        if let Some(random) = self.game.facts().random()
            && random.0 >= self.roles()
        {
            self.fail("`random` is a role", format!("it is number {}", random.0));
        }
    }

    /// Plays once at random and checks every state on the way; the hashes of these.
    fn playout(&mut self, playout: u32, step_limit: u32, chance: &mut Chance) -> Vec<u64> {
        self.walker.jump(&self.game.initial());
        let mut trail = Vec::new();
        let mut joint = Vec::new();
        for step in 0..=step_limit {
            self.place = format!("playout {playout}, step {step}: ");
            let terminal = self.check_state();
            trail.push(self.walker.hash64());
            if let Some(fault) = self.walker.fault() {
                let fault = fault.to_string();
                self.fail("no limit is reached", fault);
                break;
            }
            if terminal || !self.draw(chance, &mut joint) {
                break;
            }
            self.check_advance(&joint, chance);
            self.walker.advance(&joint, chance);
        }
        self.place.clear();
        trail
    }

    /// Draws a joint move and compares it with what the list of legal moves gives; false if a role
    /// has none.
    fn draw(&mut self, chance: &mut Chance, joint: &mut Vec<MoveId>) -> bool {
        let mut same_chance = chance.clone();
        let mut expected = Vec::new();
        let listed = self.walker.legal().draw(&mut same_chance, &mut expected);
        let drawn = self.walker.draw(chance, joint);
        let same = drawn == listed && (drawn.is_err() || *joint == expected);
        if !same || *chance != same_chance {
            self.fail(
                "a drawn joint move is that of the list",
                format!("{joint:?}, not {expected:?}"),
            );
        }
        drawn.is_ok()
    }

    fn check_state(&mut self) -> bool {
        let state = self.state();
        self.check_hash(&state);
        self.check_text(&state);
        self.check_snapshot(&state);
        self.check_features(&state);
        self.check_round_trip(&state);
        let terminal = self.walker.is_terminal();
        if terminal {
            self.check_goals();
        }
        self.check_legal(terminal);
        terminal
    }

    fn check_hash(&mut self, state: &G::State) {
        let hash = self.walker.hash64();
        if *self.hashes.entry(state.clone()).or_insert(hash) != hash {
            self.fail(
                "equal states have equal hashes",
                format!("{hash:#x} is a second hash of one state"),
            );
        }
        let same = match self.states.entry(hash) {
            Entry::Occupied(known) => known.get() == state,
            Entry::Vacant(free) => {
                free.insert(state.clone());
                true
            }
        };
        if !same {
            self.fail(
                "different states have different hashes",
                format!("{hash:#x} is the hash of two"),
            );
        }
    }

    fn check_text(&mut self, state: &G::State) {
        let fluents = self.game.fluents(state);
        if !fluents.is_sorted_by(|one, other| one < other) {
            self.fail("fluents are sorted and unique", fluents.join(" "));
        }
        let texts: Vec<&str> = fluents.iter().rev().map(String::as_str).collect();
        match self.game.state(&texts) {
            Ok(read) if read == *state => {}
            Ok(read) => {
                let read = self.game.fluents(&read);
                let detail = format!("{} became {}", fluents.join(" "), read.join(" "));
                self.fail("a state survives being written and read", detail);
            }
            Err(unknown) => self.fail(
                "a state survives being written and read",
                unknown.to_string(),
            ),
        }
    }

    /// The features that are set are the fluents that hold.
    fn check_features(&mut self, state: &G::State) {
        let Some(features) = self.game.features() else {
            return;
        };
        let mut words = vec![u64::MAX; features.width()];
        features.write(state, &mut words);
        let is_set = |place: usize| words[place / 64] >> (place % 64) & 1 == 1;
        let named = features.names().iter().enumerate();
        let set: Vec<&String> = named
            .filter(|&(place, _)| is_set(place))
            .map(|(_, name)| name)
            .collect();
        let beyond = (features.names().len()..words.len() * 64).any(is_set);
        let fluents = self.game.fluents(state);
        if beyond || !set.iter().copied().eq(&fluents) {
            let detail = format!("{set:?}, not {fluents:?}");
            self.fail("the features of a state are its fluents", detail);
        }
    }

    fn check_snapshot(&mut self, state: &G::State) {
        let mut bytes = vec![7];
        self.game.snapshot(state, &mut bytes);
        match self.game.restore(&bytes[1..]) {
            Ok(read) if read == *state && bytes[0] == 7 => {}
            Ok(_) => self.fail("a state survives its snapshot", "it changed".into()),
            Err(damaged) => self.fail("a state survives its snapshot", damaged.to_string()),
        }
        let cut = self.game.restore(&bytes[1..bytes.len() - 1]);
        if cut.is_ok_and(|read| read == *state) {
            self.fail("a snapshot has no bytes that do not count", "it has".into());
        }
    }

    fn check_round_trip(&mut self, state: &G::State) {
        let roles = self.roles();
        // What it was asked elsewhere must not be left over here.
        self.jumper.jump(&self.game.initial());
        view(&mut self.jumper, roles);
        self.jumper.jump(state);
        let (here, there) = (view(&mut self.walker, roles), view(&mut self.jumper, roles));
        if here != there {
            let detail = format!("walked: {here:?}, jumped: {there:?}");
            self.fail("a state looks the same after save and jump", detail);
        }
        let mut saved = self.game.initial();
        self.jumper.save(&mut saved);
        if saved != *state {
            self.fail("a state survives jump and save", "it changed".into());
        }
        if (0..roles).any(|role| !self.jumper.percepts(RoleId(role)).is_empty()) {
            self.fail("there are no percepts after a jump", "there are".into());
        }
        let again = view(&mut self.walker, roles);
        if again != here {
            self.fail(
                "asking changes nothing",
                format!("first {here:?}, then {again:?}"),
            );
        }
    }

    fn check_goals(&mut self) {
        let range = self.game.facts().goal_range.clone();
        for role in self.game.facts().role_ids() {
            // The rules need not say anything about what chance wins.
            if self.game.facts().random() == Some(role) {
                continue;
            }
            let goal = self.walker.goal(role);
            if !goal.value().is_some_and(|value| range.contains(&value)) {
                let name = self.game.facts().role_name(role);
                self.fail(
                    "every role has one goal in range at the end",
                    format!("{name} has {goal:?}"),
                );
            }
        }
    }

    fn check_legal(&mut self, terminal: bool) {
        let legal = self.walker.legal().clone();
        if legal.roles() != usize::from(self.roles()) {
            self.fail(
                "there is a list of legal moves for each role",
                format!("there are {}", legal.roles()),
            );
        }
        for (role, moves) in legal.iter() {
            let names: Vec<_> = moves.iter().map(|&id| self.game.moves().get(id)).collect();
            let role = self.game.facts().role_name(role);
            if names.iter().any(Option::is_none) {
                self.fail("legal moves have names", format!("{role}: {moves:?}"));
            }
            if !names.is_sorted_by(|one, other| one < other) {
                self.fail(
                    "legal moves are sorted and unique",
                    format!("{role}: {names:?}"),
                );
            }
            if moves.is_empty() && !terminal {
                self.fail("every role has a legal move", format!("{role} has none"));
            }
        }
    }

    /// Makes the same move after a jump and in line, and once with chance in charge.
    fn check_advance(&mut self, joint: &[MoveId], chance: &Chance) {
        let before = self.state();
        let mut walked = self.walker_at(&before);
        self.follower.jump(&before);
        self.follower.advance(joint, &mut chance.clone());
        // `walked` has been asked everything before it moves; the follower moves right after its
        // jump.
        let roles = self.roles();
        view(&mut walked, roles);
        walked.advance(joint, &mut chance.clone());
        self.compare_advanced(&mut walked);
        if self.game.facts().is_repeatable() {
            self.check_repeatable(&before, joint, chance);
        }
        if let Some(random) = self.game.facts().random() {
            self.check_chance(&before, joint, random, chance);
        }
    }

    fn walker_at(&self, state: &G::State) -> G::Walker {
        let mut walker = self.game.walker();
        walker.jump(state);
        walker
    }

    fn compare_advanced(&mut self, walked: &mut G::Walker) {
        let roles = self.roles();
        let (one, other) = (view(walked, roles), view(&mut self.follower, roles));
        if one != other {
            let detail = format!("asked before: {one:?}, not asked before: {other:?}");
            self.fail("advance does not depend on what was asked before", detail);
        }
        for role in (0..roles).map(RoleId) {
            let percepts = walked.percepts(role).to_vec();
            if percepts != self.follower.percepts(role) {
                self.fail(
                    "percepts do not depend on what was asked before",
                    "they do".into(),
                );
            }
            self.check_percepts(&percepts);
        }
    }

    fn check_percepts(&mut self, percepts: &[PerceptId]) {
        let names: Vec<_> = percepts
            .iter()
            .map(|&id| self.game.percepts().get(id))
            .collect();
        if names.iter().any(Option::is_none) || !names.is_sorted_by(|one, other| one < other) {
            self.fail(
                "percepts are named, sorted and unique",
                format!("{names:?}"),
            );
        }
    }

    /// Without chance inside the rules, a joint move leads to one state whatever chance would draw.
    fn check_repeatable(&mut self, before: &G::State, joint: &[MoveId], chance: &Chance) {
        let mut expected = before.clone();
        self.follower.save(&mut expected);
        let mut other = chance.clone();
        other.bits();
        self.follower.jump(before);
        self.follower.advance(joint, &mut other);
        let mut reached = before.clone();
        self.follower.save(&mut reached);
        if reached != expected {
            self.fail(
                "a joint move leads to one state, as the facts say",
                "it led to another with other draws".into(),
            );
        }
    }

    /// A move that chance draws must lead where one of the legal moves leads.
    fn check_chance(
        &mut self,
        before: &G::State,
        joint: &[MoveId],
        random: RoleId,
        chance: &Chance,
    ) {
        let mut walker = self.walker_at(before);
        let choices = walker.legal().of(random).to_vec();
        let mut joint = joint.to_vec();
        let mut drawn = before.clone();
        joint[random.index()] = MoveId::CHANCE;
        walker.advance(&joint, &mut chance.clone());
        walker.save(&mut drawn);
        let mut chosen = before.clone();
        let found = choices.iter().any(|&choice| {
            joint[random.index()] = choice;
            walker.jump(before);
            walker.advance(&joint, &mut chance.clone());
            walker.save(&mut chosen);
            chosen == drawn
        });
        if !found {
            self.fail(
                "chance draws a legal move",
                "it led where no legal move leads".into(),
            );
        }
    }
}
