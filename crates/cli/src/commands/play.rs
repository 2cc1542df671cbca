//! `paidia play`: a person against players, in the terminal.

mod prompt;

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::Args;
use console::Term;
use paidia_arena::explain::{Explanations, Topic};
use paidia_arena::rules::Ruleset;
use paidia_arena::{
    Failure, Guest, Local, Match, Playable, PlayerSpec, Referee, Seat, Seats, Turn, Turns, make,
};
use paidia_game::{Game, GameFacts, Information, Legible, MoveId, RoleId, Rules, Sight, Walker};
use paidia_search::belief::{Belief, Effort, Told};
use paidia_search::{Budget, Decision, StopReason};
use paidia_server::ggp::host::elsewhere_in_time;

use crate::engine::EngineChoice;
use crate::game_choice::GameChoice;
use crate::interrupt::on_interrupt;
use crate::position::Start;
use crate::realtime::{
    self, ClockChoice, LiveMatch, ReadingChoice, TimedStage, play_match, usual_pace,
};
use crate::remote::RemoteOptions;
use crate::stage::{Stage, check_start};
use crate::thinking::Thinking;
use crate::with_players::{LoadedGame, WithPlayers, run_with_players};
use crate::{Verdict, terminal};
use prompt::{Answer, Helpers, Prompt};

/// Play a game in the terminal
#[derive(Args)]
#[command(after_help = "Examples:
  paidia play tic-tac-toe                            you are the first role, our best player is the others
  paidia play connect-four --as yellow --seconds 3   the other colour, and a stronger opponent
  paidia play breakthrough --against random          an easy one
  paidia play real-time-chicken --against search     in real time: type a move whenever you like
  paidia play cheshire-cat < script.txt              lines such as `4.2 grab` are moves at game times

Type the number of a move, its short name or its text; on a terminal arrows choose one and Enter makes it. `hint` and
`eval` ask our best player, `undo` takes back, `why` explains by the rules, `help` tells the rest, `quit` ends the match.")]
pub(crate) struct Play {
    #[command(flatten)]
    game: GameChoice,

    /// The role that you play; the first one if nothing is said
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,

    /// The player of the other roles
    #[arg(long, value_name = "PLAYER", default_value = "paidia")]
    against: String,

    #[command(flatten)]
    thinking: Thinking,

    #[command(flatten)]
    engine: EngineChoice,

    #[command(flatten)]
    remote: RemoteOptions,

    #[command(flatten)]
    start: Start,

    /// Where the random choices come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    reading: ReadingChoice,

    #[command(flatten)]
    clock: ClockChoice,
}

impl Play {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let rules = self.game.find()?;
        if rules.is_real_time() {
            return self.run_in_time(out, &rules);
        }
        self.against.parse::<PlayerSpec>().context("in --against")?;
        self.reading.refuse()?;
        self.clock.refuse()?;
        self.start.check(&rules)?;
        run_with_players(self, out, &rules, &self.engine, &self.remote)
    }

    /// Plays rules in real time, always on the real clock.
    fn run_in_time(&self, out: &mut dyn Write, rules: &Ruleset) -> anyhow::Result<Verdict> {
        let game = self.reading.load(&self.engine.engine, rules)?;
        let own = self.role(game.facts())?;
        let against: Guest = self.against.parse().context("in --against")?;
        let seats = game.facts().players().map(|role| match role == own {
            true => realtime::Seat::Person,
            false => realtime::Seat::Guest(against.clone()),
        });
        let seats = seats.collect();
        let id = paidia_arena::record::match_id(rules.name());
        let setting = LiveMatch {
            rules,
            game: &game,
            id: &id,
            seats,
            pace: Some(self.clock.pace().unwrap_or_else(|| usual_pace(rules))),
            until: self.clock.until(),
            reaction: self.clock.reaction(),
            seed: self.seed,
            stop: on_interrupt("the match stops here")?,
            elsewhere: elsewhere_in_time(rules, &game)?,
        };
        let stage = TimedStage::new(rules, &game, terminal::colour_on_stdout());
        stage.write_title(out, rules)?;
        let strong = terminal::STRONG;
        let (name, seconds) = (
            game.facts().role_name(own),
            setting.pace.map_or(1.0, |p| p.seconds),
        );
        writeln!(
            out,
            "You are {strong}{name}{strong:#}. A unit of time takes {seconds} s. Type the number of a move or the move, \
             whenever you like; `4.2 MOVE` makes it at that time, `quit` ends the match.\n"
        )?;
        out.flush()?;
        let (outcome, ..) = play_match(&setting, Some(&mut *out))?;
        writeln!(out, "{}", stage.ending(&outcome))?;
        Ok(Verdict::Yes)
    }

    fn role(&self, facts: &GameFacts) -> anyhow::Result<RoleId> {
        let Some(name) = &self.role else {
            return facts.players().next().context("no role plays this game");
        };
        let players: Vec<&str> = facts.players().map(|role| facts.role_name(role)).collect();
        let role = facts
            .role(name)
            .filter(|&role| Some(role) != facts.random());
        role.with_context(|| {
            format!(
                "there is no role `{name}` to play; the roles are {}",
                players.join(", ")
            )
        })
    }

    /// The players of the other roles.
    fn seats<G: Game + Legible>(
        &self,
        playable: &Playable<G>,
        own: RoleId,
        budget: Budget,
    ) -> anyhow::Result<Seats<G>> {
        let facts = playable.game.facts();
        let spec: PlayerSpec = self.against.parse().context("in --against")?;
        let mut seats: Seats<G> = Vec::new();
        for role in facts.role_ids() {
            if role == own || Some(role) == facts.random() {
                seats.push(None);
                continue;
            }
            let seed = self.seed.wrapping_add(u64::from(role.0));
            let player = make(&spec, playable, role, seed).context("in --against")?;
            let seat = Local::new(player, budget).preparing(Some(budget));
            seats.push(Some(Box::new(seat)));
        }
        Ok(seats)
    }
}

impl WithPlayers for Play {
    fn run_on<G: Game + Legible>(
        &self,
        out: &mut dyn Write,
        loaded: &LoadedGame<'_, G>,
    ) -> anyhow::Result<Verdict> {
        let (playable, game) = (loaded.playable, &loaded.playable.game);
        let own = self.role(game.facts())?;
        check_start(game.facts(), self.start.is_given())?;
        let start = self.start.state(game)?;
        let budget = self.thinking.budget_in(loaded.rules);
        let mut seats = self.seats(playable, own, budget)?;
        let stage = Stage::new(loaded.rules, game);
        let referee = Referee::new(game, usize::MAX);
        let mut played = referee.start(&start, self.seed);
        stage.write_title(out, loaded.rules)?;
        let strong = terminal::STRONG;
        writeln!(
            out,
            "You are {strong}{}{strong:#}.\n",
            game.facts().role_name(own)
        )?;
        out.flush()?;
        referee.open(&mut played, &mut seats);
        // What a person types decides how long others think meanwhile, so that nothing of it can be
        // repeated.
        let ponders = budget.time.is_some() && io::stdin().is_terminal();
        let keys = Term::stdout();
        let keys = (keys.is_term() && io::stdin().is_terminal()).then_some(keys);
        let mut input = io::stdin().lock();
        let mut belief = Belief::new(game, own, self.seed);
        // What happened since the screen was drawn.
        let mut news: Vec<u8> = Vec::new();
        loop {
            let turns = played.turns();
            if let Some(screen) = keys.as_ref().filter(|_| played.ply() > 0) {
                out.flush()?;
                screen.clear_screen()?;
            }
            out.write_all(&std::mem::take(&mut news))?;
            if played.end().is_none() {
                stage.write_turn(out, &turns.of(own), &belief)?;
                let mut hint = || make_hint(playable, own, &played, budget, self.seed);
                let why = |made: Option<&str>| explained(loaded.rules, game, own, &played, made);
                let asked = while_pondering(&mut seats, &turns, ponders, || {
                    let prompt = Prompt {
                        stage: &stage,
                        game,
                        role: own,
                        legal: turns.of(own).legal,
                    };
                    let mut helpers = Helpers {
                        hint: &mut hint,
                        why: &why,
                    };
                    prompt.ask(out, &mut input, keys.as_ref(), &mut helpers)
                });
                drop(turns);
                match asked? {
                    Answer::Quit => return Ok(Verdict::Yes),
                    Answer::Undo => {
                        news = taken_back(&mut played, own)?;
                        seats = self.seats(playable, own, budget)?;
                        referee.open(&mut played, &mut seats);
                        continue;
                    }
                    Answer::Move(id) => seats[own.index()] = Some(Box::new(Person { id })),
                }
            } else {
                drop(turns);
                stage.write_state(out, played.state())?;
            }
            if let Some(end) = referee.step(&mut played, &mut seats) {
                writeln!(out, "{}", stage.ending(&end, played.ply()))?;
                return Ok(Verdict::Yes);
            }
            let (made, percepts) = played.told(own).last().context("a move was made")?;
            if game.facts().information == Information::Hidden {
                stage.write_own_move(&mut news, (own, made), played.ply())?;
                let percepts = percepts
                    .iter()
                    .map(|&id| game.percepts().name(id).to_string());
                let told = Told::new(game.moves().name(made).to_string(), percepts.collect());
                // What is shown is what is certain, which is nothing if the effort does not
                // suffice.
                let _ = belief.see(told, Effort::steps(KNOWLEDGE_STEPS));
            } else if let Some(moves) = played.moves.last() {
                stage.write_moves(&mut news, moves, played.ply())?;
            }
        }
    }
}

/// Takes back to the last position in which a role had a choice; tells what came of that.
fn taken_back<G: Game + Legible>(played: &mut Match<G>, own: RoleId) -> anyhow::Result<Vec<u8>> {
    if played.game().facts().information == Information::Hidden {
        return Ok(b"This game hides things: moves cannot be taken back.\n".to_vec());
    }
    let had_a_choice = |place: &usize| {
        let mut walker = played.game().walker();
        let state = played.states().nth(*place);
        state.is_some_and(|state| {
            walker.jump(state);
            walker.legal().of(own).len() > 1
        })
    };
    let Some(to) = (0..played.ply()).rev().find(had_a_choice) else {
        return Ok(b"There is nothing to take back.\n".to_vec());
    };
    played.take_back(to);
    Ok(b"Taken back.\n".to_vec())
}

/// Why a move is legal or is not, or what a role needs to win, as lines of text.
fn explained<G: Game + Legible>(
    rules: &Ruleset,
    game: &G,
    own: RoleId,
    played: &Match<G>,
    made: Option<&str>,
) -> String {
    if game.facts().information == Information::Hidden {
        return "This game hides things; its positions are not explained while it is played.\n"
            .to_owned();
    }
    let role = game.facts().role_name(own).to_owned();
    let topic = match made {
        Some(made) => Topic::Move {
            role,
            made: made.to_owned(),
        },
        None => Topic::Win { role },
    };
    let fluents = game.fluents(played.state());
    let told = Explanations::new(rules).and_then(|explanations| explanations.ask(&fluents, &topic));
    match told {
        Ok(lines) => {
            let line = |line: &paidia_arena::explain::Told| {
                format!("{}{}\n", "  ".repeat(line.depth), line.text)
            };
            lines.iter().map(line).collect()
        }
        Err(error) => format!("{error}\n"),
    }
}

/// Joint moves that may be tried to find out what a person can be certain of.
const KNOWLEDGE_STEPS: u64 = 20_000;

/// Does something while the players think on, if they are to.
fn while_pondering<G: Game + Legible, T>(
    seats: &mut Seats<G>,
    turns: &Turns<'_, G>,
    ponders: bool,
    work: impl FnOnce() -> T,
) -> T {
    let enough = &AtomicBool::new(false);
    let seats = turns.roles().zip(seats.iter_mut());
    std::thread::scope(|scope| {
        for (role, seat) in seats.filter(|_| ponders) {
            if let Some(seat) = seat {
                let turn = turns.of(role);
                let think_on = Some(enough);
                scope.spawn(move || seat.ponder(&Turn { think_on, ..turn }));
            }
        }
        let done = work();
        enough.store(true, Ordering::Relaxed);
        done
    })
}

/// A person's move, which has been read already.
struct Person {
    id: MoveId,
}

impl<G: Game + Legible> Seat<G> for Person {
    fn start(&mut self, _: &Sight<'_, G::State>) -> Result<(), Failure> {
        Ok(())
    }

    fn play(&mut self, _: &Turn<'_, G>) -> Result<Decision, Failure> {
        Ok(Decision::without_search(self.id, StopReason::NoSearch))
    }
}

/// What our best player would do with what the role was told.
fn make_hint<G: Game + Legible>(
    playable: &Playable<G>,
    role: RoleId,
    played: &Match<G>,
    budget: Budget,
    seed: u64,
) -> Option<Decision> {
    let spec: PlayerSpec = "paidia".parse().ok()?;
    let mut player = make(&spec, playable, role, seed).ok()?;
    played.brief(role, &mut *player);
    Some(player.choose(played.legal(role), budget, &AtomicBool::new(false)))
}
