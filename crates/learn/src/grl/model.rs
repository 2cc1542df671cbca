//! What was learned, and the moves that it makes.

use std::collections::{BTreeMap, BTreeSet};

use paidia_languages::board::Automaton;

use super::actions::{action, traces};
use super::locm::{self, Domain, Machine};
use super::scene::{Does, EMPTY, Hand, Micro, Record, Scene};
use super::segments::{SegmentJudge, micro};
use super::watch::Sight;
use crate::rules::{Settings, learn_for};

/// What was learned of a game.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// For each kind of pieces, by its upper case letter, the steps that it makes in hand: when a
    /// move begins with it, and when it was added.
    pub automata: BTreeMap<(u8, bool), Automaton>,
    /// For each kind that moves begin with, what follows what in a move.
    pub domains: BTreeMap<u8, Domain>,
}

/// Learns of what was seen. Kinds whose moves contradict each other are left out.
pub fn learn(seen: &[Sight], settings: Settings) -> Model {
    let mut kinds = BTreeSet::new();
    let mut starts = BTreeSet::new();
    for sight in seen {
        let pieces = sight
            .scene
            .board
            .iter()
            .chain(sight.scene.waiting.iter().flatten());
        let pieces = pieces.filter(|piece| piece.is_ascii_alphabetic());
        kinds.extend(pieces.map(u8::to_ascii_uppercase));
        let from = sight.records.iter().map(|record| record.from);
        starts.extend(from.map(|from| sight.scene.board[from].to_ascii_uppercase()));
    }
    let kinds = kinds.iter().flat_map(|&kind| [(kind, false), (kind, true)]);
    let automaton = |(kind, is_added): (u8, bool)| {
        let judge = SegmentJudge::new(seen, kind, is_added);
        Some(((kind, is_added), learn_for(&judge, settings)?))
    };
    let domain = |&kind: &u8| (kind, locm::learn(&traces(seen, kind)));
    Model {
        automata: kinds.filter_map(automaton).collect(),
        domains: starts.iter().map(domain).collect(),
    }
}

/// The states in which each machine of traces may be.
type States = Vec<BTreeSet<usize>>;

impl Model {
    /// The legal moves of a position, in order.
    pub fn moves(&self, scene: &Scene) -> Vec<Record> {
        self.moves_by(scene, true)
    }

    /// The same without asking what follows what in a move.
    pub fn moves_by_steps(&self, scene: &Scene) -> Vec<Record> {
        self.moves_by(scene, false)
    }

    fn moves_by(&self, scene: &Scene, is_bound: bool) -> Vec<Record> {
        let mut records = BTreeSet::new();
        for from in 0..scene.board.len() {
            let Some(hand) = scene.lift(from) else {
                continue;
            };
            let domain = self.domains.get(&hand.piece.to_ascii_uppercase());
            let Some(domain) = domain else { continue };
            let machines = if is_bound { domain.zero() } else { &[] };
            let mut maker = Maker {
                model: self,
                scene,
                machines,
                from,
                steps: Vec::new(),
                path: Vec::new(),
                records: &mut records,
            };
            let states = machines.iter().map(|machine| machine.first.clone());
            maker.go(&hand, false, &states.collect(), 0);
        }
        records.into_iter().collect()
    }
}

/// A move as it grows: the way through the product of both automata.
struct Maker<'a> {
    model: &'a Model,
    scene: &'a Scene,
    machines: &'a [Machine],
    from: usize,
    steps: Vec<Micro>,
    /// Kinds, squares and states on the way.
    path: Vec<((u8, bool), usize, u32, States)>,
    records: &'a mut BTreeSet<Record>,
}

/// Moves of more steps are not looked for.
const MOST_STEPS: usize = 256;

impl Maker<'_> {
    fn go(&mut self, hand: &Hand, is_added: bool, states: &States, state: u32) {
        let kind = hand.piece.to_ascii_uppercase();
        let Some(automaton) = self.model.automata.get(&(kind, is_added)) else {
            return;
        };
        let place = ((kind, is_added), hand.square, state, states.clone());
        if self.path.contains(&place) || self.steps.len() >= MOST_STEPS {
            return;
        }
        self.path.push(place);
        // A piece may be added, or the move may end, where what it does in hand is complete.
        if automaton.is_accepting(state) {
            let adds = self.add(hand, states);
            let mut pairs = self.machines.iter().zip(states);
            let may_end = pairs.all(|(machine, states)| !machine.last.is_disjoint(states));
            // A move does not end where a piece can be added.
            if may_end && !adds {
                self.records.insert(Record {
                    from: self.from,
                    steps: self.steps.clone(),
                });
            }
        }
        for &(letter, to) in automaton.edges(state) {
            let micro = micro(letter);
            let name = action(micro.does, kind);
            let next = self.scene.step(hand, micro);
            if let Some((next, states)) = next.zip(self.after(states, &name)) {
                self.steps.push(micro);
                self.go(&next, is_added, &states, to);
                self.steps.pop();
            }
        }
        self.path.pop();
    }

    /// Adds a piece, if one waits and may be added; whether that was so.
    fn add(&mut self, hand: &Hand, states: &States) -> bool {
        let waiting = self.scene.waiting(hand.square);
        if waiting == EMPTY {
            return false;
        }
        let after = self.after(states, &action(Does::Adds, waiting));
        let Some((next, states)) = self.scene.step(hand, Micro::ADD).zip(after) else {
            return false;
        };
        self.steps.push(Micro::ADD);
        self.go(&next, true, &states, 0);
        self.steps.pop();
        true
    }

    /// The states of all machines after an action, if it may follow.
    fn after(&self, states: &States, name: &str) -> Option<States> {
        let transition = (name.to_owned(), 0);
        let pairs = self.machines.iter().zip(states);
        pairs
            .enumerate()
            .map(
                |(place, (machine, states))| match machine.transitions.get(&transition) {
                    Some((start, end)) => states.contains(start).then(|| BTreeSet::from([*end])),
                    // The machine of all transitions knows all that may happen.
                    None => (place > 0).then(|| states.clone()),
                },
            )
            .collect()
    }
}
