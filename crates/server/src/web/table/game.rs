//! The match at a table: who sits where, what was played, what is being waited for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use paidia_arena::record::{MatchRecord, Recorder};
use paidia_arena::{Failure, Move};
use paidia_game::{
    AnyGame, AnyState, AnyWalker, Chance, Game, Legible, MoveId, RoleId, Rules as _, Walker,
    find_move,
};
use serde_json::json;

use super::seat::Seat;
use crate::web::decision::DecisionView;
use crate::web::events::event;
use crate::web::frame::{Camera, Frame, Made};
use crate::web::game_list::PreparedGame;
use crate::web::line::{self, Joint};
use crate::web::refusal::Refusal;
use crate::web::thinker::Chosen;

/// A match.
pub(super) struct Match {
    pub(super) game: AnyGame,
    rules: Arc<PreparedGame>,
    pub(super) walker: AnyWalker,
    chance: Chance,
    pub(super) seats: Vec<Seat>,
    /// How long players think about a move.
    pub(super) seconds: Duration,
    /// The least time between two moves where no person is asked.
    pub(super) pace: Duration,
    /// Whether players stop.
    pub(super) paused: bool,
    /// Joint moves that players may make all the same.
    pub(super) steps: usize,
    /// Joint moves after which it is cut.
    pub(super) longest: usize,
    /// All positions, the first before the first move.
    pub(super) stops: Vec<Stop>,
    /// For each role what it chose in this position.
    pub(super) choices: Vec<Option<Choice>>,
    /// Who is thinking.
    pub(super) thinking: Option<usize>,
    /// Changes when what is being searched is of no use any more.
    pub(super) version: u64,
    pub(super) recorder: Recorder<AnyGame>,
    pub(super) recording: Recording,
    pub(super) closed: bool,
    /// What has happened and was not told yet.
    pub(super) news: Vec<Bytes>,
    /// When somebody last did something.
    pub(super) touched: Instant,
    /// When the last move was made.
    moved: Instant,
}

/// A position.
pub(super) struct Stop {
    pub(super) state: AnyState,
    /// What may be done is told in the last one only.
    pub(super) frame: Frame,
}

/// What a role does in a position.
pub(super) struct Choice {
    id: MoveId,
    decision: Option<DecisionView>,
    failure: Option<String>,
}

impl Choice {
    /// A move about which there is nothing to say.
    pub(super) fn plain(id: MoveId) -> Self {
        Self {
            id,
            decision: None,
            failure: None,
        }
    }
}

/// Whether the match was written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Recording {
    /// Not yet.
    Open,
    /// It is being written.
    Writing,
    /// By this name, or not because of this.
    Done(Result<String, String>),
}

/// Something to do that takes time.
pub(super) enum Task {
    /// A player is to choose.
    Think(Asked),
    /// The match is to be written down.
    Record(Box<MatchRecord>),
}

/// What a player is asked.
pub(super) struct Asked {
    pub(super) role: RoleId,
    pub(super) player: Chosen,
    pub(super) fluents: Vec<String>,
    pub(super) time: Duration,
    version: u64,
}

/// What is to be done next.
pub(super) enum Next {
    /// This.
    Do(Task),
    /// Something was done; ask again.
    Again,
    /// Nothing before then.
    WaitUntil(Instant),
    /// Nothing, unless somebody does something.
    Wait,
    /// Nothing ever.
    Closed,
}

impl Match {
    pub(super) fn new(
        game: AnyGame,
        rules: Arc<PreparedGame>,
        recorder: Recorder<AnyGame>,
        seats: Vec<Seat>,
        seed: u64,
    ) -> Self {
        let mut walker = game.walker();
        let camera = Camera::new(&game, &rules.scene);
        let first = Stop {
            state: game.initial(),
            frame: camera.frame(&mut walker, 0),
        };
        Self {
            walker,
            chance: Chance::from_seed(seed),
            seconds: Duration::from_secs(1),
            pace: Duration::ZERO,
            paused: false,
            steps: 0,
            longest: usize::MAX,
            choices: seats.iter().map(|_| None).collect(),
            stops: vec![first],
            thinking: None,
            version: 0,
            recorder,
            recording: Recording::Open,
            closed: false,
            news: Vec::new(),
            touched: Instant::now(),
            moved: Instant::now(),
            game,
            rules,
            seats,
        }
    }

    /// Makes moves that were made before.
    pub(super) fn follow(&mut self, moves: &[Joint]) -> Result<(), Refusal> {
        line::check_length(moves.len(), self.longest.saturating_sub(1))?;
        for joint in moves {
            let ply = self.ply();
            let ids = line::make(&self.game, &mut self.walker, ply, joint)?;
            let parts = ids.into_iter().map(Choice::plain);
            self.arrive(parts.collect());
        }
        self.news.clear();
        Ok(())
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// How many joint moves were made.
    pub(super) fn ply(&self) -> usize {
        self.stops.len() - 1
    }

    pub(super) fn last(&self) -> &Frame {
        // There is a position before the first move.
        &self.stops[self.stops.len() - 1].frame
    }

    /// How it ended, if it did.
    pub(super) fn ended(&self) -> Option<String> {
        self.last().ended.clone()
    }

    /// Whether nothing more is played here.
    pub(super) fn is_over(&self) -> bool {
        self.closed || self.last().ended.is_some()
    }

    /// What is to be done next; does what can be done at once.
    pub(super) fn next(&mut self, now: Instant) -> Next {
        if let Some(record) = self.take_record() {
            return Next::Do(Task::Record(Box::new(record)));
        }
        if self.closed {
            return Next::Closed;
        }
        if self.is_over() {
            return Next::Wait;
        }
        self.choose_the_obvious();
        let may_play = !self.paused || self.steps > 0;
        let open: Vec<usize> = (0..self.seats.len())
            .filter(|&role| self.choices[role].is_none())
            .collect();
        let player = open.iter().find_map(|&role| match &self.seats[role] {
            Seat::Player(chosen) => Some((role, chosen.clone())),
            _ => None,
        });
        match player {
            Some((role, chosen)) if may_play => Next::Do(Task::Think(self.ask(role, chosen))),
            Some(_) => Next::Wait,
            None if !open.is_empty() => Next::Wait,
            None if !self.asks_person() && !may_play => Next::Wait,
            None if !self.asks_person() && now < self.moved + self.pace => {
                Next::WaitUntil(self.moved + self.pace)
            }
            None => {
                self.advance();
                self.steps = self.steps.saturating_sub(1);
                Next::Again
            }
        }
    }

    /// Whether a person has something to do in this position.
    fn asks_person(&self) -> bool {
        let turn = &self.last().turn;
        turn.iter().any(|&role| self.seats[role] == Seat::Human)
    }

    /// Makes the choices that nobody has to think about.
    pub(super) fn choose_the_obvious(&mut self) {
        let turn = self.last().turn.clone();
        let legal = self.walker.legal();
        for (role, moves) in legal.iter() {
            let place = role.index();
            if self.choices[place].is_some() {
                continue;
            }
            let id = match (&self.seats[place], moves) {
                (Seat::Chance, moves) => self.chance.pick(moves),
                (Seat::Human, &[only]) if !turn.contains(&place) => Some(only),
                (Seat::Player(_), &[only]) => Some(only),
                _ => None,
            };
            self.choices[place] = id.map(Choice::plain);
        }
    }

    fn ask(&mut self, role: usize, player: Chosen) -> Asked {
        self.thinking = Some(role);
        let told =
            json!({"role": role, "player": player.name, "seconds": self.seconds.as_secs_f64()});
        self.news.push(event("thinking", &told));
        Asked {
            role: RoleId(role as u16),
            player,
            fluents: self.game.fluents(&self.stops[self.ply()].state),
            time: self.seconds,
            version: self.version,
        }
    }

    /// Takes in what a player found, if it is still of use.
    pub(super) fn decide(&mut self, asked: &Asked, decision: DecisionView) {
        let legal = self.walker.legal().of(asked.role).to_vec();
        let found = find_move(self.game.moves(), &legal, &decision.text);
        let failure = found
            .is_none()
            .then(|| Failure::Illegal(decision.text.clone()).to_string());
        self.settle(asked, found, Some(decision), failure);
    }

    /// Takes in that a player found nothing: a move is drawn for it.
    pub(super) fn fail(&mut self, asked: &Asked, why: String) {
        self.settle(asked, None, None, Some(why));
    }

    fn settle(
        &mut self,
        asked: &Asked,
        found: Option<MoveId>,
        decision: Option<DecisionView>,
        failure: Option<String>,
    ) {
        if asked.version != self.version {
            return;
        }
        self.thinking = None;
        let legal = self.walker.legal().of(asked.role);
        let drawn = self.chance.pick(legal);
        if let Some(id) = found.or(drawn) {
            self.choices[asked.role.index()] = Some(Choice {
                id,
                decision,
                failure,
            });
            self.tell_pending();
        }
    }

    /// Tells who has chosen already, where others have not.
    pub(super) fn tell_pending(&mut self) {
        let pending = self.pending();
        if pending.len() < self.last().turn.len() {
            self.news
                .push(event("pending", &json!({"pending": pending})));
        }
    }

    /// The roles that have something to do and have done it.
    pub(super) fn pending(&self) -> Vec<usize> {
        let turn = self.last().turn.iter();
        turn.copied()
            .filter(|&role| self.choices[role].is_some())
            .collect()
    }

    /// Makes the joint move that everybody chose.
    pub(super) fn advance(&mut self) {
        let choices: Option<Vec<Choice>> = self.choices.iter_mut().map(Option::take).collect();
        let Some(choices) = choices else {
            return;
        };
        let joint: Vec<MoveId> = choices.iter().map(|choice| choice.id).collect();
        self.walker.advance(&joint, &mut self.chance);
        self.arrive(choices);
        self.news.push(self.frame_event());
    }

    /// The position where the walker stands.
    pub(super) fn look(&mut self, ply: usize) -> Frame {
        Camera::new(&self.game, &self.rules.scene).frame(&mut self.walker, ply)
    }

    /// Takes down the position to which these choices led.
    fn arrive(&mut self, choices: Vec<Choice>) {
        let mut state = self.game.initial();
        self.walker.save(&mut state);
        let ply = self.stops.len();
        let mut frame = self.look(ply);
        let moves: Vec<Move> = choices.iter().map(recorded).collect();
        self.recorder.step(&moves, &state);
        let name = |choice: &Choice| self.game.moves().name(choice.id).to_string();
        let joint: Vec<String> = choices.iter().map(name).collect();
        let mut made = Made::plain(joint, &self.rules.scene, self.last(), &frame);
        made.failures = choices
            .iter()
            .map(|choice| choice.failure.clone())
            .collect();
        made.by = choices.into_iter().map(|choice| choice.decision).collect();
        frame.made = Some(made);
        if ply >= self.longest && frame.ended.is_none() {
            frame.end("cut");
        }
        if let Some(before) = self.stops.last_mut() {
            before.frame.legal = None;
        }
        self.stops.push(Stop { state, frame });
        self.choices.iter_mut().for_each(|choice| *choice = None);
        self.moved = Instant::now();
    }
}

/// A choice as records have it.
fn recorded(choice: &Choice) -> Move {
    Move {
        id: choice.id,
        decision: None,
        failure: choice.failure.clone().map(Failure::Connection),
    }
}
