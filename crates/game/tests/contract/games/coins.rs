//! Two players guess a coin that chance throws, three times; both guess at once, and each hears
//! whether it was right.
//!
//! Moves are interned when they are first legal, so ids do not follow the order of texts.

use std::sync::Arc;

use paidia_game::{
    Chance, Damaged, Fault, Game, GameFacts, Goal, Information, LegalMoves, Legible, MoveId,
    MoveTable, PerceptId, PerceptTable, Randomness, Resource, RoleId, Rules, TurnOrder,
    UnknownFluent, Walker, snapshot,
};

/// The throws made and the right guesses of the two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Score {
    throws: u8,
    right: [u8; 2],
}

const THROWS: u8 = 3;

#[derive(Clone, Debug)]
pub(crate) struct Coins {
    facts: Arc<GameFacts>,
    moves: MoveTable,
    percepts: PerceptTable,
}

impl Coins {
    pub(crate) fn new() -> Self {
        Self::with_move_limit(10)
    }

    pub(crate) fn with_move_limit(limit: u32) -> Self {
        Self {
            facts: Arc::new(GameFacts {
                name: "coins".into(),
                roles: vec!["left".into(), "right".into(), "random".into()],
                randomness: Randomness::Role(RoleId(2)),
                turn_order: TurnOrder::Simultaneous,
                information: Information::Hidden,
                goal_range: 0..=100,
                fluents: None,
                moves: None,
            }),
            moves: MoveTable::with_limit(limit),
            percepts: PerceptTable::with_limit(2),
        }
    }
}

impl Rules for Coins {
    type State = Score;

    fn facts(&self) -> &GameFacts {
        &self.facts
    }

    fn moves(&self) -> &MoveTable {
        &self.moves
    }

    fn percepts(&self) -> &PerceptTable {
        &self.percepts
    }

    fn initial(&self) -> Score {
        Score::default()
    }

    fn snapshot(&self, state: &Score, into: &mut Vec<u8>) {
        snapshot::write(self, state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<Score, Damaged> {
        snapshot::read(self, bytes)
    }
}

impl Game for Coins {
    type Walker = CoinsWalker;

    fn walker(&self) -> CoinsWalker {
        CoinsWalker {
            game: self.clone(),
            score: Score::default(),
            legal: LegalMoves::new(),
            joint: Vec::new(),
            heard: [Vec::new(), Vec::new()],
            fault: None,
        }
    }
}

impl Legible for Coins {
    fn fluents(&self, state: &Score) -> Vec<String> {
        vec![
            format!("(right left {})", state.right[0]),
            format!("(right right {})", state.right[1]),
            format!("(throws {})", state.throws),
        ]
    }

    fn state(&self, fluents: &[&str]) -> Result<Score, UnknownFluent> {
        let mut score = Score::default();
        for &text in fluents {
            let words: Vec<&str> = text.trim_matches(['(', ')']).split(' ').collect();
            let value = words.last().and_then(|word| word.parse().ok());
            match (&words[..words.len() - 1], value) {
                (["throws"], Some(value)) => score.throws = value,
                (["right", "left"], Some(value)) => score.right[0] = value,
                (["right", "right"], Some(value)) => score.right[1] = value,
                _ => {
                    return Err(UnknownFluent {
                        text: text.into(),
                        because: "not a score".into(),
                    });
                }
            }
        }
        Ok(score)
    }
}

pub(crate) struct CoinsWalker {
    game: Coins,
    score: Score,
    legal: LegalMoves,
    joint: Vec<MoveId>,
    heard: [Vec<PerceptId>; 2],
    fault: Option<Fault>,
}

impl CoinsWalker {
    fn fill(&mut self) {
        self.legal.clear();
        // Not in the order of bytes, on purpose.
        for guesses in [["tails", "heads"], ["heads", "tails"], ["tails", "heads"]] {
            for guess in guesses {
                match self.game.moves.intern(guess) {
                    Ok(id) => self.legal.push(id),
                    Err(full) => {
                        self.fault = Some(Fault {
                            resource: Resource::Moves,
                            limit: full.limit.into(),
                        });
                    }
                }
            }
            self.legal.end_role_sorted(&self.game.moves);
        }
    }
}

impl Walker for CoinsWalker {
    type State = Score;

    fn jump(&mut self, state: &Score) {
        self.score = *state;
        self.heard.iter_mut().for_each(Vec::clear);
        self.fault = None;
    }

    fn save(&self, into: &mut Score) {
        *into = self.score;
    }

    fn hash64(&self) -> u64 {
        let Score {
            throws,
            right: [left, right],
        } = self.score;
        u64::from_le_bytes([throws, left, right, 0, 0, 0, 0, 0])
    }

    fn is_terminal(&mut self) -> bool {
        self.score.throws == THROWS || self.fault.is_some()
    }

    fn legal(&mut self) -> &LegalMoves {
        self.fill();
        &self.legal
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        match self.score.right.get(role.index()) {
            _ if self.fault.is_some() => Goal::None,
            Some(&right) => Goal::One(100 * i32::from(right) / i32::from(THROWS)),
            None => Goal::None,
        }
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        self.fill();
        self.legal.resolve(joint, chance, &mut self.joint);
        self.score.throws += 1;
        for (player, heard) in self.heard.iter_mut().enumerate() {
            let right = self.joint[player] == self.joint[2];
            self.score.right[player] += u8::from(right);
            heard.clear();
            let percept = if right { "right" } else { "wrong" };
            heard.extend(self.game.percepts.intern(percept));
        }
    }

    fn percepts(&self, role: RoleId) -> &[PerceptId] {
        self.heard.get(role.index()).map_or(&[], Vec::as_slice)
    }

    fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }
}
