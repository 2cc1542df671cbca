//! Contests in real time: the same players, records and tournaments for rules in which players move
//! whenever they like.
//!
//! A match is played on a virtual clock, where nothing waits and a seed tells all, or on the real
//! one, between players in threads of their own and players elsewhere. [`TimedContest`] lets
//! tournaments play such matches.

mod record;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Sender};

use paidia_game::{RoleId, Rules, Ticks};
use paidia_realtime::agent::Agent;
use paidia_realtime::clock::Pace;
use paidia_realtime::contest;
use paidia_realtime::live::{self, Line, LiveSettings, LocalPlayer, Punctuality, Sent};
use paidia_realtime::players::{self, TimedPlayer};
use paidia_realtime::{Outcome, TimedRecord, TimedRecorder, Watch};
use paidia_reason::timed::{Timed, Walker};

use crate::contest::{
    BadPlace, Chosen, ContestGame, Ending, Outcome as ContestOutcome, Place, PlayerResult, Setup,
    Thinking, hash, part_seed,
};
use crate::record::{Heading, MatchRecord, match_id};
use crate::spec::{BadPlayer, Guest, PlayerSpec};
use paidia_search::Budget;

pub use record::{match_record, verify_in_time};

/// Until when a match is played if nothing else is said, in units of game time.
pub const USUAL_END: f64 = 1_000.0;

/// How long it takes on the virtual clock from a decision to the host, in units of game time.
pub const USUAL_REACTION: f64 = 0.01;

/// What a player elsewhere is invited to.
pub struct TimedInvitation<'a> {
    /// Where the player can be reached.
    pub address: &'a str,
    /// What it is to play.
    pub role: RoleId,
    /// The name of the match.
    pub id: &'a str,
    /// How game time goes by.
    pub pace: Pace,
    /// Where its moves go.
    pub host: Sender<Sent>,
}

/// Makes the lines to players elsewhere; comes back when the player is ready.
pub type ElsewhereInTime =
    Arc<dyn Fn(&TimedInvitation<'_>) -> Result<Box<dyn Line>, BadPlayer> + Send + Sync>;

/// How a match is played.
pub struct TimedMatch<'a> {
    /// Its name.
    pub id: &'a str,
    /// How game time goes by; on the virtual clock if it is not said.
    pub pace: Option<Pace>,
    /// Until what game time, at most.
    pub until: Ticks,
    /// How long it takes on the virtual clock from a decision to the host.
    pub reaction: Ticks,
    /// Where random choices come from.
    pub seed: u64,
    /// Stops a match on the real clock.
    pub stop: &'a AtomicBool,
    /// The way to players elsewhere, if there is one.
    pub elsewhere: Option<&'a ElsewhereInTime>,
}

/// The player of a guest, who is not elsewhere.
///
/// # Errors
/// If there is no such player, or it plays in turns alone.
pub fn make(
    guest: &Guest,
    thinking: Option<Thinking>,
    game: &Timed,
    role: RoleId,
    seed: u64,
) -> Result<Box<dyn TimedPlayer<Timed>>, BadPlayer> {
    let text = match guest {
        Guest::InTime(text) => text.clone(),
        Guest::BuiltIn(spec) => match (spec.entry().name, thinking) {
            ("paidia", Some(Thinking::Simulations(count))) => {
                format!("search(playouts={count}, updates=1000000000)")
            }
            ("paidia", Some(Thinking::States(count))) => {
                format!("search(playouts=10000000, updates={count})")
            }
            ("paidia", _) => "search".to_owned(),
            ("random", _) => "random".to_owned(),
            (name, _) => return Err(BadPlayer::InTurns(name)),
        },
        Guest::Elsewhere(_) => {
            let why = "players elsewhere take part on the real clock alone";
            return Err(BadPlayer::Elsewhere(why.to_owned()));
        }
    };
    Ok(players::make(&text, game, role, seed)?)
}

/// Plays a match between guests, one for each role that is played.
///
/// # Errors
/// If a player cannot be made or invited.
pub fn play(
    game: &Timed,
    guests: &[(Guest, Option<Thinking>)],
    settings: &TimedMatch<'_>,
    watch: &mut dyn Watch<Walker>,
) -> Result<(Outcome, Option<Punctuality>), BadPlayer> {
    let seed = |role: RoleId| part_seed(settings.seed, u64::from(role.0) + 1);
    let roles: Vec<RoleId> = game.facts().players().collect();
    let Some(pace) = settings.pace else {
        let made = roles.iter().zip(guests);
        let made =
            made.map(|(&role, (guest, thinking))| make(guest, *thinking, game, role, seed(role)));
        let mut made: Vec<_> = made.collect::<Result<_, _>>()?;
        let (until, reaction) = (settings.until, settings.reaction);
        let seed = part_seed(settings.seed, 0);
        let outcome = contest::play(game, &mut made, until, reaction, seed, watch);
        return Ok((outcome, None));
    };
    let (host, moves) = mpsc::channel();
    let mut lines: Vec<(RoleId, Box<dyn Line>)> = Vec::new();
    for (&role, (guest, thinking)) in roles.iter().zip(guests) {
        let line: Box<dyn Line> = match (guest, settings.elsewhere) {
            (Guest::Elsewhere(address), Some(elsewhere)) => elsewhere(&TimedInvitation {
                address,
                role,
                id: settings.id,
                pace,
                host: host.clone(),
            })?,
            _ => {
                let player = make(guest, *thinking, game, role, seed(role))?;
                let agent = Agent::new(game, settings.id, role, pace, player);
                Box::new(LocalPlayer::start(agent, role, host.clone()))
            }
        };
        lines.push((role, line));
    }
    drop(host);
    let live = LiveSettings {
        name: settings.id,
        pace,
        until: settings.until,
        seed: part_seed(settings.seed, 0),
        stop: settings.stop,
    };
    let (outcome, punctuality) = live::play(game, &live, lines, &moves, watch);
    Ok((outcome, Some(punctuality)))
}

/// Rules in real time as a [`ContestGame`]. Thinking by states or simulations is on the virtual
/// clock: that many updates or playouts a decision. Thinking by seconds is on the real clock, and
/// tells how long a unit of game time takes.
pub struct TimedContest {
    game: Timed,
    rules: String,
    elsewhere: Option<ElsewhereInTime>,
}

impl TimedContest {
    /// A table for a game with these rules.
    pub fn new(game: Timed, rules: &str) -> Self {
        Self {
            game,
            rules: rules.to_owned(),
            elsewhere: None,
        }
    }

    /// The same, open to players elsewhere.
    #[must_use]
    pub fn with_elsewhere(self, elsewhere: ElsewhereInTime) -> Self {
        Self {
            elsewhere: Some(elsewhere),
            ..self
        }
    }

    fn run(
        &self,
        setup: &Setup,
        study_seed: u64,
        heading: Heading,
    ) -> Result<(ContestOutcome, MatchRecord), BadPlayer> {
        let id = match heading.id.is_empty() {
            true => match_id(&heading.game),
            false => heading.id.clone(),
        };
        let contestants = setup.contestants.iter();
        let guests = contestants.map(|own| (own.player.clone(), Some(own.thinking)));
        let guests: Vec<(Guest, Option<Thinking>)> = guests.collect();
        let seconds = guests.iter().filter_map(|(_, thinking)| match thinking {
            Some(Thinking::Seconds(seconds)) => Some(*seconds),
            _ => None,
        });
        let pace = seconds.reduce(f64::max).filter(|&seconds| seconds > 0.0);
        let settings = TimedMatch {
            id: &id,
            pace: pace.map(|seconds| Pace { seconds }),
            until: Ticks::from_units(USUAL_END),
            reaction: Ticks::from_units(USUAL_REACTION),
            seed: setup.seed,
            stop: &AtomicBool::new(false),
            elsewhere: self.elsewhere.as_ref(),
        };
        let blank = TimedRecord {
            play_clock: pace.unwrap_or(0.0),
            ..TimedRecord::default()
        };
        let mut recorder = TimedRecorder::new(&self.game, blank);
        let (outcome, _) = play(&self.game, &guests, &settings, &mut recorder)?;
        let heading = Heading {
            id,
            rules: Some(self.rules.clone()),
            ..self.heading(setup, heading)
        };
        let result = self.outcome(setup, study_seed, &outcome);
        Ok((result, match_record(heading, recorder.finish(&outcome))))
    }

    fn heading(&self, setup: &Setup, heading: Heading) -> Heading {
        let facts = self.game.facts();
        let mut players = vec![None; facts.roles.len()];
        let mut thinking = vec![String::new(); facts.roles.len()];
        for (role, contestant) in facts.players().zip(&setup.contestants) {
            players[role.index()] = Some(contestant.name.clone());
            thinking[role.index()] = contestant.thinking.to_string();
        }
        Heading {
            players,
            thinking,
            ..heading
        }
    }

    fn outcome(&self, setup: &Setup, study_seed: u64, outcome: &Outcome) -> ContestOutcome {
        let facts = self.game.facts();
        let ending = match (outcome.is_over, outcome.fault) {
            (true, _) => Ending::Over,
            (false, Some(_)) => Ending::Fault,
            (false, None) => Ending::Cut,
        };
        let roles = facts.players().zip(&setup.contestants);
        let seats = roles.map(|(role, contestant)| {
            let goal = outcome
                .goals
                .get(role.index())
                .and_then(|goal| goal.value());
            PlayerResult {
                place: contestant.place,
                player: contestant.name.clone(),
                role: facts.role_name(role).to_owned(),
                goal: goal.filter(|_| outcome.is_over),
                states: 0,
                simulations: 0,
                seconds: 0.0,
            }
        });
        ContestOutcome {
            cell: setup.cell.clone(),
            number: setup.number,
            seed: study_seed,
            setup: setup.fingerprint(),
            ending,
            steps: outcome.updates as usize,
            seats: seats.collect(),
            goal_range: (*facts.goal_range.start(), *facts.goal_range.end()),
            is_perfect: None,
        }
    }
}

impl ContestGame for TimedContest {
    fn players(&self) -> usize {
        self.game.facts().players().count()
    }

    fn rules(&self) -> Option<u64> {
        Some(hash(self.rules.as_bytes()))
    }

    fn try_player(&self, player: &Guest) -> Result<(), BadPlayer> {
        match self.game.facts().players().next() {
            Some(role) if !player.is_elsewhere() => {
                make(player, None, &self.game, role, 0).map(drop)
            }
            _ => Ok(()),
        }
    }

    fn play(&self, setup: &Setup, study_seed: u64) -> Result<ContestOutcome, BadPlayer> {
        let heading = Heading {
            game: setup.game.clone(),
            ..Heading::default()
        };
        Ok(self.run(setup, study_seed, heading)?.0)
    }

    fn play_recorded(
        &self,
        setup: &Setup,
        study_seed: u64,
        heading: Heading,
    ) -> Result<(ContestOutcome, MatchRecord), BadPlayer> {
        self.run(setup, study_seed, heading)
    }

    fn moves(&self, _: &Place) -> Result<Vec<String>, BadPlace> {
        Err(BadPlace::RealTime)
    }

    fn choose(&self, _: &Place, _: &PlayerSpec, _: Budget, _: u64) -> Result<Chosen, BadPlace> {
        Err(BadPlace::RealTime)
    }
}
