//! Two engines in step: the one we trust and the one we suspect, compared by text until they
//! differ.

use std::fmt;

use crate::chance::Chance;
use crate::contract::{Fault, Game, Legible, Walker};
use crate::facts::GameFacts;
use crate::ids::{Goal, MoveId, RoleId};

/// Runs two engines on the same game in step and stops at the first difference.
#[derive(Clone, Debug)]
pub struct CrossCheck<A, B> {
    /// The engine whose answers count.
    pub trusted: A,
    /// The engine that is checked.
    pub suspect: B,
}

/// How far two engines agreed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Playouts that were compared.
    pub playouts: u32,
    /// States that were compared.
    pub states: u64,
}

/// The first difference between two engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The playout, from 0.
    pub playout: u32,
    /// The joint moves that lead to the state, in words.
    pub moves: Vec<Vec<String>>,
    /// What differs.
    pub what: String,
    /// What the trusted engine says that the other does not.
    pub trusted: Vec<String>,
    /// What the suspect engine says that the other does not.
    pub suspect: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = self.moves.len();
        writeln!(
            formatter,
            "playout {}, step {step}: {} differ",
            self.playout, self.what
        )?;
        writeln!(formatter, "  only trusted: {}", self.trusted.join(" "))?;
        writeln!(formatter, "  only suspect: {}", self.suspect.join(" "))?;
        write!(formatter, "  after:")?;
        self.moves
            .iter()
            .try_for_each(|joint| write!(formatter, " ({})", joint.join(" ")))
    }
}

impl std::error::Error for Difference {}

impl<A: Game + Legible, B: Game + Legible> CrossCheck<A, B> {
    /// Plays at random, the trusted engine leading, and compares states, legal moves, ends, goals
    /// and percepts.
    ///
    /// # Errors
    /// The first difference. A limit that one engine runs into is a difference too.
    pub fn run(
        &self,
        playouts: u32,
        step_limit: u32,
        seed: u64,
    ) -> Result<Agreement, Box<Difference>> {
        let mut chance = Chance::from_seed(seed);
        let mut agreement = Agreement::default();
        let mut pair = Pair::new(self);
        pair.compare_roles()?;
        for playout in 0..playouts {
            agreement.states += pair.playout(playout, step_limit, &mut chance)?;
            agreement.playouts += 1;
        }
        Ok(agreement)
    }
}

/// Both engines' walkers in one playout.
struct Pair<'a, A: Game + Legible, B: Game + Legible> {
    engines: &'a CrossCheck<A, B>,
    trusted: A::Walker,
    suspect: B::Walker,
    playout: u32,
    moves: Vec<Vec<String>>,
}

impl<'a, A: Game + Legible, B: Game + Legible> Pair<'a, A, B> {
    fn new(engines: &'a CrossCheck<A, B>) -> Self {
        Self {
            engines,
            trusted: engines.trusted.walker(),
            suspect: engines.suspect.walker(),
            playout: 0,
            moves: Vec::new(),
        }
    }

    /// Says what differs if the two lists do.
    fn compare(
        &self,
        what: &str,
        trusted: Vec<String>,
        suspect: Vec<String>,
    ) -> Result<(), Box<Difference>> {
        if trusted == suspect {
            return Ok(());
        }
        let only = |these: &[String], those: &[String]| -> Vec<String> {
            these
                .iter()
                .filter(|text| !those.contains(text))
                .cloned()
                .collect()
        };
        let (mut only_trusted, mut only_suspect) =
            (only(&trusted, &suspect), only(&suspect, &trusted));
        if only_trusted.is_empty() && only_suspect.is_empty() {
            // The same members in another order, or repeated.
            (only_trusted, only_suspect) = (trusted, suspect);
        }
        Err(Box::new(Difference {
            playout: self.playout,
            moves: self.moves.clone(),
            what: what.to_owned(),
            trusted: only_trusted,
            suspect: only_suspect,
        }))
    }

    fn compare_roles(&self) -> Result<(), Box<Difference>> {
        let CrossCheck { trusted, suspect } = self.engines;
        self.compare(
            "roles",
            trusted.facts().roles.clone(),
            suspect.facts().roles.clone(),
        )?;
        let random = |facts: &GameFacts| vec![format!("{:?}", facts.randomness)];
        self.compare(
            "sources of chance",
            random(trusted.facts()),
            random(suspect.facts()),
        )
    }

    fn playout(
        &mut self,
        playout: u32,
        step_limit: u32,
        chance: &mut Chance,
    ) -> Result<u64, Box<Difference>> {
        self.playout = playout;
        self.moves.clear();
        self.trusted.jump(&self.engines.trusted.initial());
        self.suspect.jump(&self.engines.suspect.initial());
        let mut joint = Vec::new();
        for step in 0..=step_limit {
            self.compare_state()?;
            let over = self.trusted.is_terminal() || self.trusted.fault().is_some();
            if over || self.trusted.legal().draw(chance, &mut joint).is_err() {
                self.compare_snapshots()?;
                return Ok(u64::from(step) + 1);
            }
            self.advance(&joint, chance)?;
        }
        Ok(u64::from(step_limit) + 1)
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) -> Result<(), Box<Difference>> {
        let CrossCheck { trusted, suspect } = self.engines;
        let names: Vec<String> = joint
            .iter()
            .map(|&id| trusted.moves().name(id).to_string())
            .collect();
        // The legal moves were equal by text, so the suspect engine knows every one of them.
        let same: Vec<MoveId> = names
            .iter()
            .map(|name| suspect.moves().find(name).unwrap_or(MoveId::CHANCE))
            .collect();
        // Where the rules draw, both engines must draw the same.
        let mut same_chance = chance.clone();
        self.trusted.advance(joint, chance);
        self.suspect.advance(&same, &mut same_chance);
        self.moves.push(names);
        self.compare_percepts()
    }

    fn compare_state(&mut self) -> Result<(), Box<Difference>> {
        let CrossCheck { trusted, suspect } = self.engines;
        let faults = (fault(self.trusted.fault()), fault(self.suspect.fault()));
        self.compare("limits", faults.0, faults.1)?;
        self.compare(
            "fluents",
            fluents(trusted, &self.trusted),
            fluents(suspect, &self.suspect),
        )?;
        let terminal = (self.trusted.is_terminal(), self.suspect.is_terminal());
        self.compare(
            "ends",
            vec![terminal.0.to_string()],
            vec![terminal.1.to_string()],
        )?;
        for role in trusted.facts().role_ids() {
            let name = trusted.facts().role_name(role);
            let legal = (
                legal(trusted, &mut self.trusted, role),
                legal(suspect, &mut self.suspect, role),
            );
            self.compare(&format!("legal moves of {name}"), legal.0, legal.1)?;
            let goals = (goal(&mut self.trusted, role), goal(&mut self.suspect, role));
            self.compare(&format!("goals of {name}"), goals.0, goals.1)?;
        }
        Ok(())
    }

    /// Engines of one language write the same bytes for the same state.
    fn compare_snapshots(&self) -> Result<(), Box<Difference>> {
        let CrossCheck { trusted, suspect } = self.engines;
        let snapshots = (
            snapshot(trusted, &self.trusted),
            snapshot(suspect, &self.suspect),
        );
        self.compare("snapshots", snapshots.0, snapshots.1)
    }

    fn compare_percepts(&self) -> Result<(), Box<Difference>> {
        let CrossCheck { trusted, suspect } = self.engines;
        for role in trusted.facts().role_ids() {
            let what = format!("percepts of {}", trusted.facts().role_name(role));
            let percepts = (
                percepts(trusted, &self.trusted, role),
                percepts(suspect, &self.suspect, role),
            );
            self.compare(&what, percepts.0, percepts.1)?;
        }
        Ok(())
    }
}

fn fault(fault: Option<&Fault>) -> Vec<String> {
    fault.map(Fault::to_string).into_iter().collect()
}

fn fluents<G: Game + Legible>(game: &G, walker: &G::Walker) -> Vec<String> {
    let mut state = game.initial();
    walker.save(&mut state);
    game.fluents(&state)
}

fn snapshot<G: Game + Legible>(game: &G, walker: &G::Walker) -> Vec<String> {
    let (mut state, mut bytes) = (game.initial(), Vec::new());
    walker.save(&mut state);
    game.snapshot(&state, &mut bytes);
    vec![format!("{bytes:02x?}")]
}

fn legal<G: Game + Legible>(game: &G, walker: &mut G::Walker, role: RoleId) -> Vec<String> {
    let moves = walker.legal().of(role);
    moves
        .iter()
        .map(|&id| game.moves().name(id).to_string())
        .collect()
}

fn goal<W: Walker>(walker: &mut W, role: RoleId) -> Vec<String> {
    match walker.goal(role) {
        Goal::One(value) => vec![value.to_string()],
        Goal::None => vec!["none".to_owned()],
        Goal::Several => vec!["several".to_owned()],
    }
}

fn percepts<G: Game + Legible>(game: &G, walker: &G::Walker, role: RoleId) -> Vec<String> {
    walker
        .percepts(role)
        .iter()
        .map(|&id| game.percepts().name(id).to_string())
        .collect()
}
