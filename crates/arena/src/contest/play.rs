//! Playing one game.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use paidia_game::{Game, Goal, Information, Legible, RoleId};
use paidia_search::Budget;

use super::choose::{BadPlace, Chosen, Place};
use super::judge::Judge;
use super::outcome::{Ending, Outcome, PlayerResult};
use super::setup::{Contestant, Setup, Thinking, hash, part_seed};
use crate::catalogue::{alone, make};
use crate::engine::EngineNote;
use crate::playable::Playable;
use crate::playing::{Match, MatchEnd, Move};
use crate::record::{Heading, MatchRecord, Recorder, match_id};
use crate::referee::Referee;
use crate::seat::{Local, Seat, Seats};
use crate::spec::{BadPlayer, Guest, PlayerSpec};

/// The games by name.
pub type ContestGames = BTreeMap<String, Box<dyn ContestGame>>;

/// Where games of one kind are played; it may be used by several threads at a time.
pub trait ContestGame: Send + Sync {
    /// How many players the game wants.
    fn players(&self) -> usize;

    /// A hash of the rules, if they are known as text.
    fn rules(&self) -> Option<u64>;

    /// Checks that a player can be made, before anything is played.
    ///
    /// # Errors
    /// If it cannot.
    fn try_player(&self, player: &Guest) -> Result<(), BadPlayer>;

    /// Plays a game; the seed of the study is noted in the outcome.
    ///
    /// # Errors
    /// If a player cannot be made.
    fn play(&self, setup: &Setup, study_seed: u64) -> Result<Outcome, BadPlayer>;

    /// Plays a game and writes it down. The heading needs nothing but the names of match, game and
    /// tournament.
    ///
    /// # Errors
    /// If a player cannot be made.
    fn play_recorded(
        &self,
        setup: &Setup,
        study_seed: u64,
        heading: Heading,
    ) -> Result<(Outcome, MatchRecord), BadPlayer>;

    /// The moves of the role that moves in a place.
    ///
    /// # Errors
    /// If there is no such place, or no role has a choice there.
    fn moves(&self, place: &Place) -> Result<Vec<String>, BadPlace>;

    /// Lets a new player choose in a place.
    ///
    /// # Errors
    /// If there is no such place, no role has a choice there, or the player cannot be made.
    fn choose(
        &self,
        place: &Place,
        player: &PlayerSpec,
        budget: Budget,
        seed: u64,
    ) -> Result<Chosen, BadPlace>;
}

/// What a player elsewhere is invited to.
pub struct Invitation<'a> {
    /// Where the player can be reached.
    pub address: &'a str,
    /// What it is to play.
    pub role: RoleId,
    /// The name of the match.
    pub id: &'a str,
    /// How long it has before the first move.
    pub start_clock: Duration,
    /// How long it has for each move.
    pub play_clock: Duration,
}

/// Makes the seats of players elsewhere.
pub type Elsewhere<G> =
    Arc<dyn Fn(&Invitation<'_>) -> Result<Box<dyn Seat<G>>, BadPlayer> + Send + Sync>;

/// A game on any engine as a [`ContestGame`].
pub struct EngineContest<G: Game + Legible> {
    pub(super) playable: Playable<G>,
    rules: Option<String>,
    engine: Option<EngineNote>,
    elsewhere: Option<Elsewhere<G>>,
    judge: Judge<G>,
}

impl<G: Game + Legible> EngineContest<G> {
    /// A table for a game.
    pub fn new(playable: Playable<G>) -> Self {
        Self {
            playable,
            rules: None,
            engine: None,
            elsewhere: None,
            judge: Judge::new(),
        }
    }

    /// The same, with the rules as text in its records.
    #[must_use]
    pub fn with_rules(self, rules: &str) -> Self {
        Self {
            rules: Some(rules.to_owned()),
            ..self
        }
    }

    /// The same, with the engine in its records.
    #[must_use]
    pub fn with_engine(self, engine: EngineNote) -> Self {
        Self {
            engine: Some(engine),
            ..self
        }
    }

    /// The same, open to players elsewhere.
    #[must_use]
    pub fn with_elsewhere(self, elsewhere: Elsewhere<G>) -> Self {
        Self {
            elsewhere: Some(elsewhere),
            ..self
        }
    }

    /// The seats in the order of the roles.
    fn seats(&self, setup: &Setup, id: &str) -> Result<Seats<G>, BadPlayer> {
        let facts = self.playable.game.facts();
        let mut seats: Seats<G> = Vec::new();
        seats.resize_with(facts.roles.len(), || None);
        for (role, contestant) in facts.players().zip(&setup.contestants) {
            seats[role.index()] = Some(match &contestant.player {
                Guest::BuiltIn(spec) => {
                    let seed = part_seed(setup.seed, u64::from(role.0) + 1);
                    let player = make(&alone(spec), &self.playable, role, seed)?;
                    let seat = Local::new(player, contestant.thinking.budget());
                    Box::new(seat.preparing(setup.start_clock.budget(contestant.thinking)))
                }
                Guest::InTime(text) => return Err(BadPlayer::InTime(text.clone())),
                Guest::Elsewhere(address) => {
                    let (start_clock, play_clock) = clocks(setup, contestant.thinking);
                    self.invite(&Invitation {
                        address,
                        role,
                        id,
                        start_clock,
                        play_clock,
                    })?
                }
            });
        }
        Ok(seats)
    }

    fn invite(&self, invitation: &Invitation<'_>) -> Result<Box<dyn Seat<G>>, BadPlayer> {
        let refused = || BadPlayer::Elsewhere("players elsewhere cannot take part here".to_owned());
        self.elsewhere.as_ref().ok_or_else(refused)?(invitation)
    }

    fn part(
        &self,
        role: RoleId,
        contestant: &Contestant,
        moves: &[Vec<Move>],
        goal: Option<i32>,
    ) -> PlayerResult {
        let made = moves.iter().filter_map(|joint| joint.get(role.index()));
        let reports =
            made.filter_map(|made| made.decision.as_ref().map(|decision| &decision.report));
        let mut part = PlayerResult {
            place: contestant.place,
            player: contestant.name.clone(),
            role: self.playable.game.facts().role_name(role).to_owned(),
            goal,
            states: 0,
            simulations: 0,
            seconds: 0.0,
        };
        for report in reports {
            part.states += report.states;
            part.simulations += report.simulations;
            part.seconds += report.time.as_secs_f64();
        }
        part
    }
}

impl<G: Game + Legible> ContestGame for EngineContest<G> {
    fn players(&self) -> usize {
        self.playable.game.facts().players().count()
    }

    fn rules(&self) -> Option<u64> {
        self.rules.as_ref().map(|rules| hash(rules.as_bytes()))
    }

    fn try_player(&self, player: &Guest) -> Result<(), BadPlayer> {
        let role = self.playable.game.facts().players().next();
        if let Guest::InTime(text) = player {
            return Err(BadPlayer::InTime(text.clone()));
        }
        let (Guest::BuiltIn(spec), Some(role)) = (player, role) else {
            return Ok(());
        };
        make(&alone(spec), &self.playable, role, 0).map(drop)
    }

    fn play(&self, setup: &Setup, study_seed: u64) -> Result<Outcome, BadPlayer> {
        let id = match_id(&setup.game);
        let played = self.run(setup, study_seed, &id, &mut |_| {})?;
        Ok(played.0)
    }

    fn play_recorded(
        &self,
        setup: &Setup,
        study_seed: u64,
        heading: Heading,
    ) -> Result<(Outcome, MatchRecord), BadPlayer> {
        let game = &self.playable.game;
        let heading = self.heading(setup, heading);
        let id = heading.id.clone();
        let mut recorder = Recorder::new(game, heading, &game.initial());
        let mut noted = None;
        let (outcome, result) = self.run(setup, study_seed, &id, &mut |game| {
            if noted.is_none() {
                recorder.open(&game.opening);
            }
            // An opening is there before anything is watched.
            let known = noted.replace(game.moves.len()).unwrap_or(0);
            let arrivals = game.states().skip(1);
            for (moves, state) in game.moves.iter().zip(arrivals).skip(known) {
                recorder.step(moves, state);
            }
        })?;
        Ok((outcome, recorder.finish(&result)))
    }

    fn moves(&self, place: &Place) -> Result<Vec<String>, BadPlace> {
        self.moves_in(place)
    }

    fn choose(
        &self,
        place: &Place,
        player: &PlayerSpec,
        budget: Budget,
        seed: u64,
    ) -> Result<Chosen, BadPlace> {
        self.choose_in(place, player, budget, seed)
    }
}

impl<G: Game + Legible> EngineContest<G> {
    /// Plays a game; `watch` sees it once it is open and after each joint move.
    fn run(
        &self,
        setup: &Setup,
        study_seed: u64,
        id: &str,
        watch: &mut dyn FnMut(&Match<G>),
    ) -> Result<(Outcome, MatchEnd), BadPlayer> {
        let mut referee = Referee::new(&self.playable.game, setup.step_limit);
        let mut contestants = setup.contestants.iter();
        if contestants.any(|contestant| contestant.player.is_elsewhere()) {
            referee = referee.asking_together();
        }
        let mut seats = self.seats(setup, id)?;
        let start = self.playable.game.initial();
        let mut game = match setup.opening.moves {
            0 => referee.start(&start, part_seed(setup.seed, 0)),
            _ => self.opened(&referee, setup),
        };
        let watched = |game: &Match<G>| {
            watch(game);
            Ok::<(), BadPlayer>(())
        };
        let result = referee.watch(&mut game, &mut seats, watched)?;
        let mut outcome = self.outcome(setup, study_seed, &game.moves, &result);
        if setup.is_judged && outcome.ending == Ending::Over {
            let states: Vec<G::State> = game.states().cloned().collect();
            outcome.is_perfect = self.judge.is_perfect(&self.playable.game, &states);
        }
        Ok((outcome, result))
    }

    /// A match that stands after the setup's opening: where that would end the game, another is
    /// drawn, and a shorter one in the end. Where things are hidden there is none, since players
    /// would have to be told of it.
    fn opened(&self, referee: &Referee<G>, setup: &Setup) -> Match<G> {
        const TRIES: u64 = 16;
        let game = &self.playable.game;
        let start = game.initial();
        let mut moves = match game.facts().information {
            Information::Perfect => setup.opening.moves,
            Information::Hidden => 0,
        };
        loop {
            for number in 0..TRIES {
                let seed = part_seed(setup.opening.seed, number);
                let mut opened = referee.start(&start, seed);
                // Roles that have not chosen get moves drawn at random.
                (0..moves).for_each(|_| opened.advance());
                if opened.end().is_none() || moves == 0 {
                    return opened;
                }
            }
            moves /= 2;
        }
    }

    fn outcome(
        &self,
        setup: &Setup,
        study_seed: u64,
        moves: &[Vec<Move>],
        result: &MatchEnd,
    ) -> Outcome {
        let (ending, goals) = ending(result);
        let goal = |role: RoleId| goals.get(role.index()).and_then(|goal| goal.value());
        let facts = self.playable.game.facts();
        let roles = facts.players().zip(&setup.contestants);
        let seats = roles
            .map(|(role, contestant)| self.part(role, contestant, moves, goal(role)))
            .collect();
        Outcome {
            cell: setup.cell.clone(),
            number: setup.number,
            seed: study_seed,
            setup: setup.fingerprint(),
            ending,
            steps: moves.len(),
            seats,
            goal_range: (*facts.goal_range.start(), *facts.goal_range.end()),
            is_perfect: None,
        }
    }

    /// The heading with what the setup tells: the players and their thinking.
    fn heading(&self, setup: &Setup, heading: Heading) -> Heading {
        let facts = self.playable.game.facts();
        let mut players = vec![None; facts.roles.len()];
        let mut thinking = vec![String::new(); facts.roles.len()];
        let mut seconds: Option<f64> = None;
        for (role, contestant) in facts.players().zip(&setup.contestants) {
            players[role.index()] = Some(contestant.name.clone());
            thinking[role.index()] = contestant.thinking.to_string();
            if let Thinking::Seconds(own) = contestant.thinking {
                seconds = Some(seconds.map_or(own, |most| most.max(own)));
            }
        }
        let id = match heading.id.is_empty() {
            true => match_id(&heading.game),
            false => heading.id,
        };
        Heading {
            id,
            rules: self.rules.clone(),
            players,
            thinking,
            engine: self.engine.clone(),
            clocks: seconds.map(|seconds| (start_seconds(setup, seconds), seconds)),
            ..heading
        }
    }
}

/// Seconds before the first move, where each move has `seconds`.
fn start_seconds(setup: &Setup, seconds: f64) -> f64 {
    let budget = setup.start_clock.budget(Thinking::Seconds(seconds));
    let time = budget.and_then(|budget| budget.time);
    time.map_or(0.0, |time| time.as_secs_f64())
}

/// The clocks of a player elsewhere. It needs some time to read the rules, even if the others get
/// none.
fn clocks(setup: &Setup, thinking: Thinking) -> (Duration, Duration) {
    let play = thinking.budget().time.unwrap_or_default();
    let start = setup.start_clock.budget(thinking);
    let start = start.and_then(|budget| budget.time);
    (start.unwrap_or(play), play)
}

fn ending(result: &MatchEnd) -> (Ending, &[Goal]) {
    match result {
        MatchEnd::Over(goals) => (Ending::Over, goals),
        MatchEnd::Cut => (Ending::Cut, &[]),
        MatchEnd::Stuck(_) => (Ending::Stuck, &[]),
        MatchEnd::Fault(_) => (Ending::Fault, &[]),
    }
}
