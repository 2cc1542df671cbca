//! What was seen in random play: fluents that exclude each other, and whose turn it is.

use paidia_game::{Chance, Game, MoveId, Walker};
use paidia_reason::propnet::{Network, Propnet};

/// Games with more fluents are not watched.
pub(crate) const MOST_FLUENTS: usize = 4_096;

/// States that are watched, and how often fluents must have been seen to say something.
const STATES: usize = 1_500;
const OFTEN: u32 = 40;

/// The longest game that is watched.
const LONGEST: usize = 300;

/// The moves of a role while a fluent held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moves {
    Unseen,
    /// Always this one, by its place, and no other.
    Only(u32),
    Several,
}

/// What was seen of the fluents of a game.
pub(crate) struct Seen {
    width: usize,
    roles: usize,
    counts: Vec<u32>,
    /// For each fluent a row of bits: those that held with it.
    together: Vec<u64>,
    /// For each fluent and role, what it could do.
    moves: Vec<Moves>,
}

impl Seen {
    /// Watches random games; nothing if there are too many fluents.
    pub(crate) fn watch(game: &Propnet, network: &Network) -> Option<Self> {
        let fluents = game.fluent_names().len();
        if fluents > MOST_FLUENTS {
            return None;
        }
        let (width, roles) = (fluents.div_ceil(64), network.legal.len());
        let mut seen = Self {
            width,
            roles,
            counts: vec![0; fluents],
            together: vec![0; fluents * width],
            moves: vec![Moves::Unseen; fluents * roles],
        };
        let start = paidia_game::Rules::initial(game);
        let (mut walker, mut state) = (game.walker(), start.clone());
        let (mut chance, mut joint) = (Chance::from_seed(1), Vec::new());
        let mut could = vec![Moves::Unseen; roles];
        let mut states = 0;
        while states < STATES {
            walker.jump(&start);
            let before = states;
            for _ in 0..LONGEST {
                if walker.is_terminal() || walker.draw(&mut chance, &mut joint).is_err() {
                    break;
                }
                walker.save(&mut state);
                for (role, moves) in walker.legal().iter() {
                    could[role.index()] = only(network, role.index(), moves);
                }
                seen.add(state.words(), &could);
                states += 1;
                walker.advance(&joint, &mut chance);
            }
            if states == before {
                break;
            }
        }
        Some(seen)
    }

    fn add(&mut self, state: &[u64], could: &[Moves]) {
        let state = &state[..self.width];
        for (fluent, count) in self.counts.iter_mut().enumerate() {
            if state[fluent / 64] >> (fluent % 64) & 1 == 0 {
                continue;
            }
            *count += 1;
            let row = &mut self.together[fluent * self.width..(fluent + 1) * self.width];
            row.iter_mut()
                .zip(state)
                .for_each(|(row, word)| *row |= word);
            let moves = &mut self.moves[fluent * self.roles..(fluent + 1) * self.roles];
            for (moves, &could) in moves.iter_mut().zip(could) {
                if *moves == Moves::Unseen {
                    *moves = could;
                } else if *moves != could {
                    *moves = Moves::Several;
                }
            }
        }
    }

    /// The words of a row of fluents.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Sets the bits of the fluents that were never seen with this one, though both were often.
    pub(super) fn exclude(&self, fluent: usize, excluded: &mut [u64]) {
        if self.counts[fluent] < OFTEN {
            return;
        }
        let row = &self.together[fluent * self.width..(fluent + 1) * self.width];
        for (other, &count) in self.counts.iter().enumerate() {
            if count >= OFTEN && row[other / 64] >> (other % 64) & 1 == 0 {
                excluded[other / 64] |= 1 << (other % 64);
            }
        }
    }

    /// The place of the only move that a role was ever seen to have while a fluent held, which was
    /// often.
    pub(super) fn only_move(&self, fluent: usize, role: usize) -> Option<u32> {
        match self.moves[fluent * self.roles + role] {
            Moves::Only(place) if self.counts[fluent] >= OFTEN => Some(place),
            _ => None,
        }
    }
}

fn only(network: &Network, role: usize, moves: &[MoveId]) -> Moves {
    let [only] = moves else {
        return Moves::Several;
    };
    let place = network.legal[role].iter().position(|&(id, _)| id == only.0);
    place.map_or(Moves::Several, |place| Moves::Only(place as u32))
}
