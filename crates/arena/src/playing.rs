//! A match as it is played: the one place where joint moves are made.
//!
//! A [`Match`] keeps the state, collects what roles choose and makes the joint move; whatever
//! drives it (a referee with its seats, a table of the page) decides which role is asked and when.
//! What a role may know of it is a [`Sight`].

use paidia_game::{
    Chance, Fault, Game, GameFacts, Goal, Information, MoveId, PerceptId, RoleId, Sight, Walker,
};
use paidia_search::{Decision, Player};

use crate::seat::{Failure, Turn};

/// A move that was made, and how it came about.
#[derive(Clone, Debug)]
pub struct Move {
    /// The move.
    pub id: MoveId,
    /// What the player said about the move it chose, whether that was legal or not.
    pub decision: Option<Decision>,
    /// Why the move was drawn, if the player did not choose a legal one.
    pub failure: Option<Failure>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchEnd {
    /// Over, with a goal for each role.
    Over(Vec<Goal>),
    /// Cut: it has as many joint moves as it may have, or was interrupted.
    Cut,
    /// This role has no legal move though the game is not over.
    Stuck(RoleId),
    /// The engine ran into a limit.
    Fault(Fault),
}

/// What roles are told of a position.
pub struct Turns<'a, G: Game> {
    facts: &'a GameFacts,
    number: usize,
    position: &'a Position<G::State>,
    legal: &'a [Vec<MoveId>],
    /// The last joint move.
    last: Option<Vec<MoveId>>,
}

impl<G: Game> Turns<'_, G> {
    /// All roles.
    pub fn roles(&self) -> impl Iterator<Item = RoleId> + use<G> {
        self.facts.role_ids()
    }

    /// What a role is told.
    pub fn of(&self, role: RoleId) -> Turn<'_, G> {
        let Position { state, percepts } = self.position;
        let percepts = percepts.get(role.index()).map_or(&[][..], Vec::as_slice);
        Turn {
            number: self.number,
            sight: Sight::new(self.facts, role, state, self.last.as_deref(), percepts),
            legal: self.legal.get(role.index()).map_or(&[], Vec::as_slice),
            think_on: None,
        }
    }
}

/// A position of a match.
struct Position<State> {
    state: State,
    /// For each role what it perceived of the joint move that led here; empty where nothing is
    /// hidden.
    percepts: Vec<Vec<PerceptId>>,
}

/// What a role does in the present position.
struct Choice {
    /// The move, if it is legal; else one is drawn.
    id: Option<MoveId>,
    decision: Option<Decision>,
    failure: Option<Failure>,
}

/// A match that is being played.
pub struct Match<G: Game> {
    game: G,
    walker: G::Walker,
    chance: Chance,
    /// The most joint moves.
    limit: usize,
    /// All positions, the first before the first move.
    positions: Vec<Position<G::State>>,
    /// For each role its legal moves in the present position; none at the end.
    legal: Vec<Vec<MoveId>>,
    choices: Vec<Option<Choice>>,
    end: Option<MatchEnd>,
    /// What went wrong when it was opened, for each role.
    pub opening: Vec<Option<Failure>>,
    /// For each joint move, each role's part in it.
    pub moves: Vec<Vec<Move>>,
}

impl<G: Game> Match<G> {
    /// A match that starts in a state and is cut after `limit` joint moves; the seed decides what
    /// chance draws.
    pub fn new(game: &G, start: &G::State, limit: usize, seed: u64) -> Self {
        let mut walker = game.walker();
        walker.jump(start);
        let mut started = Self {
            game: game.clone(),
            walker,
            chance: Chance::from_seed(seed),
            limit,
            positions: vec![Position {
                state: start.clone(),
                percepts: Vec::new(),
            }],
            legal: Vec::new(),
            choices: Vec::new(),
            end: None,
            opening: Vec::new(),
            moves: Vec::new(),
        };
        started.look();
        started
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// How many joint moves were made.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// The state now. Seats are told a [`Sight`] instead.
    pub fn state(&self) -> &G::State {
        &self.positions[self.ply()].state
    }

    /// All states, from the first to the present one.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &G::State> {
        self.positions.iter().map(|position| &position.state)
    }

    /// The legal moves of a role now; none at the end.
    pub fn legal(&self, role: RoleId) -> &[MoveId] {
        self.legal.get(role.index()).map_or(&[], Vec::as_slice)
    }

    /// How it ended, if it did.
    pub fn end(&self) -> Option<&MatchEnd> {
        self.end.as_ref()
    }

    /// What roles are told now.
    pub fn turns(&self) -> Turns<'_, G> {
        let last = self.moves.last();
        Turns {
            facts: self.game.facts(),
            number: self.ply(),
            position: &self.positions[self.ply()],
            legal: &self.legal,
            last: last.map(|joint| joint.iter().map(|made| made.id).collect()),
        }
    }

    /// Tells a player that comes late all that its role was told, from the start of the match on.
    pub fn brief(&self, role: RoleId, player: &mut dyn Player<G>) {
        for (ply, position) in self.positions.iter().enumerate() {
            let last = ply.checked_sub(1).map(|before| &self.moves[before]);
            let last = last.map(|joint| joint.iter().map(|made| made.id).collect());
            let turns = Turns::<G> {
                facts: self.game.facts(),
                number: ply,
                position,
                legal: &[],
                last,
            };
            player.observe(&turns.of(role).sight);
        }
    }

    /// The role's own moves and what it perceived of each joint move, from the first on.
    pub fn told(&self, role: RoleId) -> impl Iterator<Item = (MoveId, &[PerceptId])> {
        let arrivals = self.positions.iter().skip(1);
        self.moves
            .iter()
            .zip(arrivals)
            .map(move |(joint, position)| {
                let percepts = position.percepts.get(role.index());
                (
                    joint[role.index()].id,
                    percepts.map_or(&[][..], Vec::as_slice),
                )
            })
    }

    /// Whether a role has chosen in the present position.
    pub fn has_chosen(&self, role: RoleId) -> bool {
        self.choices.get(role.index()).is_some_and(Option::is_some)
    }

    /// Takes in what a role replied. Where that is no legal move, one is drawn.
    pub fn choose(&mut self, role: RoleId, reply: Result<Decision, Failure>) {
        let legal = self.legal(role);
        let choice = match reply {
            Ok(decision) if legal.contains(&decision.id) => Choice {
                id: Some(decision.id),
                decision: Some(decision),
                failure: None,
            },
            Ok(decision) => Choice {
                id: None,
                failure: Some(Failure::Illegal(
                    self.game.moves().name(decision.id).to_string(),
                )),
                decision: Some(decision),
            },
            Err(failure) => Choice {
                id: None,
                decision: None,
                failure: Some(failure),
            },
        };
        if let Some(place) = self.choices.get_mut(role.index()) {
            *place = Some(choice);
        }
    }

    /// Makes the joint move that was chosen; a role that has not chosen gets a move drawn at
    /// random. Nothing happens after the end.
    pub fn advance(&mut self) {
        if self.end.is_some() {
            return;
        }
        let mut moves = Vec::with_capacity(self.legal.len());
        for (legal, choice) in self.legal.iter().zip(&mut self.choices) {
            // Drawn even if it is not needed: a seed means the same chance, whatever players do.
            let drawn = self.chance.pick(legal).unwrap_or(MoveId::CHANCE);
            let choice = choice.take();
            moves.push(Move {
                id: choice
                    .as_ref()
                    .and_then(|choice| choice.id)
                    .unwrap_or(drawn),
                failure: choice.as_ref().and_then(|choice| choice.failure.clone()),
                decision: choice.and_then(|choice| choice.decision),
            });
        }
        let joint: Vec<MoveId> = moves.iter().map(|made| made.id).collect();
        self.walker.advance(&joint, &mut self.chance);
        self.moves.push(moves);
        self.arrive();
    }

    /// Keeps the position where the walker stands.
    fn arrive(&mut self) {
        let mut state = self.state_before().clone();
        self.walker.save(&mut state);
        let facts = self.game.facts();
        let percepts = match facts.information {
            Information::Perfect => Vec::new(),
            Information::Hidden => {
                let roles = facts.role_ids();
                roles
                    .map(|role| self.walker.percepts(role).to_vec())
                    .collect()
            }
        };
        self.positions.push(Position { state, percepts });
        self.look();
    }

    fn state_before(&self) -> &G::State {
        &self.positions[self.positions.len() - 1].state
    }

    /// Takes back all but the first `to` joint moves.
    pub fn take_back(&mut self, to: usize) {
        self.moves.truncate(to);
        self.positions.truncate(to + 1);
        let state = &self.positions[self.positions.len() - 1].state;
        self.walker.jump(state);
        self.look();
    }

    /// Forgets what was chosen in the present position.
    pub fn forget_choices(&mut self) {
        self.choices.iter_mut().for_each(|choice| *choice = None);
    }

    /// Ends the match before its time.
    pub fn cut(&mut self) {
        self.end = Some(MatchEnd::Cut);
        self.legal.iter_mut().for_each(Vec::clear);
    }

    /// Works out how things are where the walker stands.
    fn look(&mut self) {
        let roles = self.game.facts().roles.len();
        self.choices.clear();
        self.choices.resize_with(roles, || None);
        self.legal = vec![Vec::new(); roles];
        self.end = self.ending();
        if self.end.is_some() {
            return;
        }
        for (role, moves) in self.walker.legal().iter() {
            self.legal[role.index()] = moves.to_vec();
        }
        if let Some(stuck) = self.legal.iter().position(Vec::is_empty) {
            self.end = Some(MatchEnd::Stuck(RoleId(stuck as u16)));
        }
    }

    fn ending(&mut self) -> Option<MatchEnd> {
        if let Some(fault) = self.walker.fault() {
            return Some(MatchEnd::Fault(*fault));
        }
        if self.walker.is_terminal() {
            let roles = self.game.facts().role_ids();
            let goals = roles.map(|role| self.walker.goal(role)).collect();
            let fault = self.walker.fault().copied();
            return Some(fault.map_or(MatchEnd::Over(goals), MatchEnd::Fault));
        }
        (self.ply() >= self.limit).then_some(MatchEnd::Cut)
    }
}
