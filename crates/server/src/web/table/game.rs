//! The match at a table: the seats, what was played, what is being waited for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use paidia_arena::record::{MatchRecord, Recorder};
use paidia_arena::{Failure, Match};
use paidia_game::{AnyGame, Information, Legible, MoveId, RoleId, Rules as _, find_move};
use paidia_search::belief::{Belief, Effort, Told};
use paidia_search::{Decision, StopReason};
use serde_json::json;

use super::clock::Clocks;
use super::seat::Occupant;
use crate::web::decision::DecisionView;
use crate::web::frame::{Camera, Frame};
use crate::web::game_list::PreparedGame;
use crate::web::keep::{Journal, Line, MadeLine};
use crate::web::line::{self, Joint};
use crate::web::person::Person;
use crate::web::refusal::Refusal;
use crate::web::thinker::{Chosen, Known};

/// Joint moves that may be tried, for each move, to find out what a person can be certain of.
const KNOWLEDGE_STEPS: u64 = 2_000;

/// A match, and how it is played at a table.
pub(super) struct TableMatch {
    pub(super) played: Match<AnyGame>,
    rules: Arc<PreparedGame>,
    pub(super) seats: Vec<Occupant>,
    /// For each role the person who has it, if one does.
    pub(super) people: Vec<Option<Person>>,
    /// How long players think about a move.
    pub(super) seconds: Duration,
    /// The least time between two moves where no person is asked.
    pub(super) pace: Duration,
    /// Whether players stop.
    pub(super) paused: bool,
    /// Joint moves that players may make all the same.
    pub(super) steps: usize,
    /// All positions, the first before the first move; what may be done is told in the last one
    /// only.
    pub(super) frames: Vec<Frame>,
    /// Where the game hides things, for each person's role what it may know.
    pub(super) own: BTreeMap<usize, OwnView>,
    /// For each role what its player found in this position.
    pub(super) decisions: Vec<Option<DecisionView>>,
    /// The role whose player is thinking.
    pub(super) thinking: Option<usize>,
    /// Changes when what is being searched is of no use any more.
    pub(super) version: u64,
    pub(super) recorder: Recorder<AnyGame>,
    pub(super) recording: Recording,
    pub(super) closed: bool,
    /// Whether another table goes on from here.
    pub(super) away: bool,
    /// Where what happens is kept.
    pub(super) journal: Journal,
    /// Events that were not sent yet, each with its channel.
    pub(super) news: Vec<(usize, Bytes)>,
    /// When something was last done.
    pub(super) touched: Instant,
    /// When the last move was made.
    moved: Instant,
    pub(super) clocks: Option<Clocks>,
}

/// What a person may know of a match that hides things.
pub(super) struct OwnView {
    belief: Belief<AnyGame>,
    pub(super) frames: Vec<Frame>,
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
    pub(super) known: Known,
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
    /// Nothing, until a request changes something.
    Wait,
    /// Nothing ever.
    Closed,
}

impl TableMatch {
    pub(super) fn new(
        played: Match<AnyGame>,
        rules: Arc<PreparedGame>,
        recorder: Recorder<AnyGame>,
        seats: Vec<Occupant>,
    ) -> Self {
        let first = Camera::new(played.game(), &rules.scene).frame(&played);
        let mut game = Self {
            played,
            seconds: Duration::from_secs(1),
            pace: Duration::ZERO,
            paused: false,
            steps: 0,
            people: vec![None; seats.len()],
            decisions: seats.iter().map(|_| None).collect(),
            frames: vec![first],
            own: BTreeMap::new(),
            thinking: None,
            version: 0,
            recorder,
            recording: Recording::Open,
            closed: false,
            away: false,
            journal: Journal::default(),
            news: Vec::new(),
            touched: Instant::now(),
            moved: Instant::now(),
            clocks: None,
            rules,
            seats,
        };
        game.look_for_people();
        game
    }

    /// Makes moves that were made before.
    pub(super) fn follow(&mut self, moves: &[Joint], longest: usize) -> Result<(), Refusal> {
        line::check_length(moves.len(), longest.saturating_sub(1))?;
        if self.hides() && self.has_people() && !moves.is_empty() {
            return Err(Refusal::unusable(
                "this game hides things from those who play: a match with people starts at its beginning",
            ));
        }
        for joint in moves {
            line::make(&mut self.played, joint)?;
            self.arrive();
        }
        Ok(())
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    pub(super) fn game(&self) -> &AnyGame {
        self.played.game()
    }

    /// How many joint moves were made.
    pub(super) fn ply(&self) -> usize {
        self.played.ply()
    }

    pub(super) fn last(&self) -> &Frame {
        // There is a position before the first move.
        &self.frames[self.frames.len() - 1]
    }

    /// How it ended, if it did.
    pub(super) fn ended(&self) -> Option<String> {
        self.last().ended.clone()
    }

    /// Whether nothing more is played here.
    pub(super) fn is_over(&self) -> bool {
        self.closed || self.last().ended.is_some()
    }

    /// Whether nothing is to be written down now.
    pub(super) fn is_settled(&self) -> bool {
        !self.is_over() || self.ply() == 0 || matches!(self.recording, Recording::Done(_))
    }

    /// Whether the game hides things from its roles.
    pub(super) fn hides(&self) -> bool {
        self.game().facts().information == Information::Hidden
    }

    /// Whether a person plays.
    pub(super) fn has_people(&self) -> bool {
        self.seats.contains(&Occupant::Human)
    }

    /// Whether a person plays in a game that hides things.
    pub(super) fn is_secret(&self) -> bool {
        self.hides() && self.has_people() && !self.is_over()
    }

    /// Starts to work out what each person may know, before the first move of a game that hides
    /// things.
    pub(super) fn look_for_people(&mut self) {
        self.own.clear();
        if !self.hides() {
            return;
        }
        let camera = Camera::new(self.played.game(), &self.rules.scene);
        for (role, _) in self
            .seats
            .iter()
            .enumerate()
            .filter(|(_, seat)| **seat == Occupant::Human)
        {
            // The same for every match, so that what is shown depends on nothing but what the role
            // was told.
            let belief = Belief::new(self.played.game(), RoleId(role as u16), 1);
            let certain = belief.certain().unwrap_or_default();
            let first = camera.of_role(&self.frames[0], role, &certain);
            self.own.insert(
                role,
                OwnView {
                    belief,
                    frames: vec![first],
                },
            );
        }
    }

    /// What is to be done next; does what can be done at once.
    pub(super) fn next(&mut self, now: Instant) -> Next {
        if let Some(record) = self.take_record() {
            return Next::Do(Task::Record(Box::new(record)));
        }
        if self.closed || self.away {
            return Next::Closed;
        }
        if self.is_over() {
            return Next::Wait;
        }
        self.choose_the_obvious();
        if let Some(role) = self.fallen(now) {
            self.fall(role);
            return Next::Again;
        }
        let may_play = !self.paused || self.steps > 0;
        let wait = self.falls().map_or(Next::Wait, Next::WaitUntil);
        let open: Vec<usize> = self.open_roles().collect();
        let player = open.iter().find_map(|&role| match &self.seats[role] {
            Occupant::Player(chosen) => Some((role, chosen.clone())),
            _ => None,
        });
        match player {
            Some((role, chosen)) if may_play => Next::Do(Task::Think(self.ask(role, chosen))),
            Some(_) => wait,
            None if !open.is_empty() => wait,
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

    /// The roles that have still to choose; chance draws when the joint move is made.
    pub(super) fn open_roles(&self) -> impl Iterator<Item = usize> {
        let is_open = |role: &usize| {
            self.seats[*role] != Occupant::Chance && !self.played.has_chosen(RoleId(*role as u16))
        };
        (0..self.seats.len()).filter(is_open)
    }

    /// Whether a person has something to do in this position.
    fn asks_person(&self) -> bool {
        let turn = &self.last().turn;
        turn.iter().any(|&role| self.seats[role] == Occupant::Human)
    }

    /// Makes the choices that need no thought.
    pub(super) fn choose_the_obvious(&mut self) {
        let open: Vec<usize> = self.open_roles().collect();
        for place in open {
            let role = RoleId(place as u16);
            let only = match (&self.seats[place], self.played.legal(role)) {
                (Occupant::Human, &[only]) if !self.last().turn.contains(&place) => only,
                (Occupant::Player(_), &[only]) => only,
                _ => continue,
            };
            self.choose(role, only);
        }
    }

    /// A role's choice.
    pub(super) fn choose(&mut self, role: RoleId, id: MoveId) {
        self.stop_clock(role.index());
        let decision = Decision::without_search(id, StopReason::NoSearch);
        self.played.choose(role, Ok(decision));
    }

    fn ask(&mut self, role: usize, player: Chosen) -> Asked {
        self.thinking = Some(role);
        let time = self.thinking_time(role);
        let thinking = json!({"role": role, "player": player.name, "seconds": time.as_secs_f64()});
        self.tell_watchers("thinking", &thinking);
        let role = RoleId(role as u16);
        Asked {
            known: match self.hides() {
                true => Known::Own(self.told(role)),
                false => Known::State(self.game().fluents(self.played.state())),
            },
            role,
            player,
            time,
            version: self.version,
        }
    }

    /// What a role was told of each joint move.
    fn told(&self, role: RoleId) -> Vec<Told> {
        let (moves, percepts) = (self.game().moves(), self.game().percepts());
        let told = self.played.told(role).map(|(made, seen)| {
            let seen = seen.iter().map(|&id| percepts.name(id).to_string());
            Told::new(moves.name(made).to_string(), seen.collect())
        });
        told.collect()
    }

    /// Takes in what a player found, if it is still of use.
    pub(super) fn decide(&mut self, asked: &Asked, decision: DecisionView) {
        let legal = self.played.legal(asked.role);
        let found = find_move(self.game().moves(), legal, &decision.text);
        let reply = match found {
            Some(id) => Ok(Decision::without_search(id, StopReason::NoSearch)),
            None => Err(Failure::Illegal(decision.text.clone())),
        };
        self.settle(asked, reply, Some(decision));
    }

    /// Tells what a player has found so far.
    pub(super) fn tell_thought(&mut self, asked: &Asked, found: &DecisionView) {
        if asked.version == self.version && !self.away {
            self.tell_watchers("thought", found);
        }
    }

    /// Takes in that a player found nothing: a move is drawn for it.
    pub(super) fn fail(&mut self, asked: &Asked, why: String) {
        self.settle(asked, Err(Failure::Connection(why)), None);
    }

    fn settle(
        &mut self,
        asked: &Asked,
        reply: Result<Decision, Failure>,
        decision: Option<DecisionView>,
    ) {
        if asked.version != self.version {
            return;
        }
        self.thinking = None;
        self.decisions[asked.role.index()] = decision;
        self.stop_clock(asked.role.index());
        self.played.choose(asked.role, reply);
        self.tell_pending(asked.role.index());
    }

    /// The roles that have something to do and have done it.
    pub(super) fn pending(&self) -> Vec<usize> {
        let turn = self.last().turn.iter();
        turn.copied()
            .filter(|&role| self.played.has_chosen(RoleId(role as u16)))
            .collect()
    }

    /// Makes the joint move that was chosen.
    pub(super) fn advance(&mut self) {
        self.played.advance();
        self.arrive();
        self.tell_frame();
    }

    /// Takes down the position to which the last joint move led.
    pub(super) fn arrive(&mut self) {
        let Some(moves) = self.played.moves.last() else {
            return;
        };
        self.recorder.step(moves, self.played.state());
        let camera = Camera::new(self.played.game(), &self.rules.scene);
        let mut frame = camera.after(&self.played, self.last());
        if let Some(made) = &mut frame.made {
            let failures = moves.iter().map(|made| made.failure.as_ref());
            made.failures = failures.map(|failure| failure.map(reason)).collect();
            made.by = self.decisions.iter_mut().map(Option::take).collect();
        }
        for (&role, own) in &mut self.own {
            let role_id = RoleId(role as u16);
            if let Some((made, seen)) = self.played.told(role_id).last() {
                let (moves, percepts) = (self.played.game().moves(), self.played.game().percepts());
                let seen = seen.iter().map(|&id| percepts.name(id).to_string());
                let told = Told::new(moves.name(made).to_string(), seen.collect());
                // What is shown is what is certain, which is nothing if the effort does not
                // suffice.
                let _ = own.belief.see(told, Effort::steps(KNOWLEDGE_STEPS));
            }
            let certain = own.belief.certain().unwrap_or_default();
            own.frames.iter_mut().for_each(|frame| frame.legal = None);
            own.frames.push(camera.of_role(&frame, role, &certain));
        }
        if let Some(before) = self.frames.last_mut() {
            before.legal = None;
        }
        if let Some(made) = &frame.made {
            self.journal.note(&Line::Made(MadeLine {
                joint: made.joint.clone(),
                by: made.by.clone(),
                failures: made.failures.clone(),
                ended: frame.ended.clone(),
                clock: self.clocks_noted(),
            }));
        }
        self.frames.push(frame);
        self.start_clocks();
        self.moved = Instant::now();
    }

    /// Goes back to the position after the first `to` joint moves.
    pub(super) fn go_back(&mut self, to: usize) {
        self.journal.note(&Line::Back(to));
        self.played.take_back(to);
        self.frames.truncate(to + 1);
        self.recorder.take_back(to);
        self.recording = Recording::Open;
        let again = Camera::new(self.played.game(), &self.rules.scene).frame(&self.played);
        if let Some(frame) = self.frames.last_mut() {
            (frame.legal, frame.turn) = (again.legal, again.turn);
            (frame.ended, frame.goals) = (again.ended, again.goals);
        }
        self.turn_clocks_back();
    }

    /// Forgets what is being thought about and what was chosen in this position.
    pub(super) fn start_over(&mut self) {
        self.look_at_clocks(Instant::now());
        self.version += 1;
        self.thinking = None;
        self.played.forget_choices();
        self.decisions
            .iter_mut()
            .for_each(|decision| *decision = None);
        self.touched = Instant::now();
    }

    /// Ends the match for a reason that is none of the rules.
    pub(super) fn end(&mut self, ended: &str) {
        self.journal.note(&Line::Ended(ended.to_owned()));
        self.played.cut();
        if let Some(last) = self.frames.last_mut() {
            last.end(ended);
        }
    }
}

/// Why a move was drawn.
fn reason(failure: &Failure) -> String {
    match failure {
        Failure::Connection(why) => why.clone(),
        other => other.to_string(),
    }
}
