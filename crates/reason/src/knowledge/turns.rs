//! Whether roles take turns, and the idle moves of the waiting roles.
//!
//! The proof: every move of a role but one needs a fluent, its *token*, and of the tokens of two
//! roles never both hold. That is shown by induction over all pairs of tokens at once: a pair that
//! does not hold together at the start, and of which one of the pairs would have to hold together
//! before both can hold, never holds together.

use paidia_game::{Chance, Game, MoveId, RoleId, TurnOrder, Walker};

use super::Certainty;
use crate::propnet::Network;
use crate::propnet::passes::{Needs, tokens};

/// How roles take turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turns {
    /// Which roles choose in a state.
    pub order: TurnOrder,
    /// For each role what it does while another role chooses, if that is always the same.
    idle: Vec<Option<MoveId>>,
    /// How sure that is.
    pub certainty: Certainty,
}

/// The longest play that is watched.
const LONGEST: u32 = 2_000;

impl Turns {
    /// What a role does while another chooses, if roles take turns and it is always the same.
    pub fn idle(&self, role: RoleId) -> Option<MoveId> {
        self.idle.get(role.index()).copied().flatten()
    }

    /// Whether it is known of every role what it does while another chooses.
    pub fn are_known(&self) -> bool {
        match self.order {
            TurnOrder::SinglePlayer => self.idle.len() == 1,
            TurnOrder::Alternating => self.idle.iter().all(Option::is_some),
            TurnOrder::Simultaneous | TurnOrder::Unknown => false,
        }
    }

    /// What the rules of a network prove, if they prove that roles take turns.
    pub fn prove(network: &Network) -> Option<Self> {
        let roles = network.legal.len();
        if roles == 1 {
            return Some(Self {
                order: TurnOrder::SinglePlayer,
                idle: vec![None],
                certainty: Certainty::Proven,
            });
        }
        let needs = Needs::new(network);
        let exclusions = Exclusions::new(network, &needs);
        let mut idle = Vec::new();
        let mut fluents: Vec<u64> = Vec::new();
        for legal in &network.legal {
            match (tokens(&needs, legal), &legal[..]) {
                (Some(tokens), _) => {
                    idle.push(Some(MoveId(legal[tokens.idle as usize].0)));
                    fluents.push(tokens.fluents);
                }
                // A role with one move never has a choice.
                (None, [(only, _)]) => idle.push(Some(MoveId(*only))),
                (None, _) => return None,
            }
        }
        let pairs = (0..fluents.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
        let mut pairs = pairs.map(|(one, other)| (fluents[one], fluents[other]));
        pairs
            .all(|(one, other)| exclusions.never_both(one, other))
            .then_some(Self {
                order: TurnOrder::Alternating,
                idle,
                certainty: Certainty::Proven,
            })
    }

    /// What some random play looks like. That several roles choose at once is certain if it was
    /// seen.
    pub fn observe<G: Game>(game: &G, playouts: u32, seed: u64) -> Self {
        let roles = game.facts().roles.len();
        let mut seen = Seen::new(roles);
        let (mut walker, mut joint) = (game.walker(), Vec::new());
        let (mut chance, start) = (Chance::from_seed(seed), game.initial());
        for _ in 0..playouts {
            walker.jump(&start);
            for _ in 0..LONGEST {
                if walker.is_terminal() || seen.together {
                    break;
                }
                let legal = walker.legal();
                seen.look(legal);
                if legal.draw(&mut chance, &mut joint).is_err() {
                    break;
                }
                walker.advance(&joint, &mut chance);
            }
        }
        seen.turns(roles)
    }
}

/// What was seen of roles that wait.
struct Seen {
    /// Several roles had a choice at once.
    together: bool,
    moved: bool,
    /// For each role the move that it had while another had a choice, and whether it was always
    /// that one.
    waiting: Vec<Option<(MoveId, bool)>>,
}

impl Seen {
    fn new(roles: usize) -> Self {
        Self {
            together: false,
            moved: false,
            waiting: vec![None; roles],
        }
    }

    fn look(&mut self, legal: &paidia_game::LegalMoves) {
        let choosing = legal.iter().filter(|(_, moves)| moves.len() > 1).count();
        self.moved = true;
        self.together |= choosing > 1;
        if choosing != 1 {
            return;
        }
        for (role, moves) in legal.iter() {
            if let [only] = moves {
                let waiting = self.waiting[role.index()].get_or_insert((*only, true));
                waiting.1 &= waiting.0 == *only;
            }
        }
    }

    fn turns(self, roles: usize) -> Turns {
        let order = match (roles, self.together, self.moved) {
            (1, _, _) => TurnOrder::SinglePlayer,
            (_, true, _) => TurnOrder::Simultaneous,
            (_, false, true) => TurnOrder::Alternating,
            (_, false, false) => TurnOrder::Unknown,
        };
        let always = |seen: &Option<(MoveId, bool)>| seen.filter(|seen| seen.1).map(|seen| seen.0);
        let idle = match order {
            TurnOrder::Alternating => self.waiting.iter().map(always).collect(),
            _ => vec![None; roles],
        };
        let certainty = match order {
            TurnOrder::Alternating | TurnOrder::Unknown => Certainty::Guessed,
            TurnOrder::SinglePlayer | TurnOrder::Simultaneous => Certainty::Proven,
        };
        Turns {
            order,
            idle,
            certainty,
        }
    }
}

/// Pairs of fluents of which never both hold, as bits among the fluents that needs are about.
struct Exclusions {
    /// For each fluent those with which it never holds together.
    with: Vec<u64>,
}

impl Exclusions {
    fn new(network: &Network, needs: &Needs) -> Self {
        let chosen = needs.fluents(network);
        let holds = |bit: usize| network.initial[chosen[bit]];
        let mut with: Vec<u64> = (0..chosen.len())
            .map(|one| {
                let others = (0..chosen.len()).filter(|&other| other != one);
                let apart = others.filter(|&other| !holds(one) || !holds(other));
                apart.fold(0, |set, other| set | 1 << other)
            })
            .collect();
        let needed: Vec<u64> = chosen
            .iter()
            .map(|&fluent| needs.of(network.next[fluent]))
            .collect();
        loop {
            let known = Self { with: with.clone() };
            let mut changed = false;
            for one in 0..chosen.len() {
                for other in 0..one {
                    let both = needed[one] | needed[other];
                    if with[one] >> other & 1 == 1 && !known.never_both(both, both) {
                        with[one] &= !(1 << other);
                        with[other] &= !(1 << one);
                        changed = true;
                    }
                }
            }
            if !changed {
                return known;
            }
        }
    }

    /// Whether not all of these fluents and all of those ever hold together.
    fn never_both(&self, these: u64, those: u64) -> bool {
        let bits = (0..self.with.len()).filter(|bit| these >> bit & 1 == 1);
        bits.into_iter().any(|bit| self.with[bit] & those != 0)
    }
}
