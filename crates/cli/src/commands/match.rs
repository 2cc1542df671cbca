//! `paidia match`: players against each other.

mod report;
mod seating;

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use clap::Args;
use paidia_arena::engine::EngineReport;
use paidia_arena::realtime::match_record;
use paidia_arena::record::Recorder;
use paidia_arena::rules::{Language, Ruleset};
use paidia_arena::{Match, MatchEnd, Referee, Seats};
use paidia_game::{Game, Legible, Rules};
use paidia_search::Budget;
use paidia_server::ggp::host::elsewhere_in_time;

use self::report::{Report, TimedReport};
use self::seating::{
    ClockOptions, Guest, Seating, guests, guests_by_role, read_guests, timed_guests,
};
use super::write_json;
use crate::engine::EngineChoice;
use crate::game_choice::GameChoice;
use crate::interrupt::on_interrupt;
use crate::position::Start;
use crate::realtime::{
    self, ClockChoice, LiveMatch, ReadingChoice, TimedStage, play_match, usual_pace,
};
use crate::recording::Recording;
use crate::remote::RemoteOptions;
use crate::stage::{Stage, check_start};
use crate::thinking::{self, Thinking};
use crate::with_players::{LoadedGame, WithPlayers, run_with_players};
use crate::{Verdict, terminal};

/// Plays one match between players, and shows it as it goes
#[derive(Args)]
#[command(after_help = "Examples:
  paidia match connect-four                                 our best player against itself
  paidia match othello --player paidia --player random      one player a role, in the order of the roles
  paidia match breakthrough --player paidia --player 'uct(exploration=30)' --simulations 2000 --seed 3
  paidia match chinese-checkers-3 --player uct --json       one player is taken for all roles
  paidia match othello --player paidia --player http://127.0.0.1:9147 --start-clock 10 --play-clock 5
                                                            against a player elsewhere; `paidia player` is such a one
  paidia match othello --record                             writes the match down; `paidia matches` lists and shows such
  paidia match real-time-tron --player search --player 'random(rate=4)'
                                                            in real time, on a virtual clock: nothing waits
  paidia match cheshire-cat --player 'script(0.5 grab; 4.25 grab)' --pace 1
                                                            on the real clock, a second a unit of game time

`paidia players` lists the players.")]
pub(crate) struct MatchCommand {
    #[command(flatten)]
    game: GameChoice,

    /// A player, written `name(key=value, ...)`, or the address of one elsewhere; once for each
    /// role, or one for all
    #[arg(long = "player", value_name = "PLAYER", default_value = "paidia")]
    players: Vec<String>,

    #[command(flatten)]
    thinking: Thinking,

    #[command(flatten)]
    clocks: ClockOptions,

    #[command(flatten)]
    engine: EngineChoice,

    #[command(flatten)]
    remote: RemoteOptions,

    #[command(flatten)]
    start: Start,

    /// Let players think on while others choose, each in a thread of its own
    #[arg(long)]
    ponder: bool,

    /// Where the random choices come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Cut the match after N joint moves; 1000 if nothing is said, and 2001 ticks of a video game
    #[arg(long, value_name = "N")]
    step_limit: Option<NonZeroUsize>,

    #[command(flatten)]
    recording: Recording,

    #[command(flatten)]
    reading: ReadingChoice,

    #[command(flatten)]
    clock: ClockChoice,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl MatchCommand {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        // What is wrong with the call is said before an engine is made.
        self.recording.check(&self.start)?;
        let rules = self.game.find()?;
        if rules.is_real_time() {
            return self.run_in_time(out, &rules);
        }
        read_guests(&self.players)?;
        self.reading.refuse()?;
        self.clock.refuse()?;
        self.start.check(&rules)?;
        run_with_players(self, out, &rules, &self.engine, &self.remote)
    }

    /// How much built-in players think about a move; `None` if all players think by the clock.
    fn budget(&self, rules: &Ruleset, elsewhere: bool) -> anyhow::Result<Option<Budget>> {
        if elsewhere && self.thinking.is_given() {
            bail!(
                "players elsewhere know nothing but clocks: use --start-clock and --play-clock instead of --seconds, \
                 --simulations and --states"
            );
        }
        if elsewhere && self.start.is_given() {
            bail!(
                "players elsewhere start at the beginning: they go neither with --after nor with --from"
            );
        }
        let by_clock = elsewhere || self.clocks.are_given();
        Ok((!by_clock).then(|| self.thinking.budget_in(rules)))
    }

    fn referee<G: Game + Legible>(
        &self,
        (game, rules): (&G, &Ruleset),
        elsewhere: bool,
        interrupt: &Arc<AtomicBool>,
    ) -> Referee<G> {
        let usual = match rules.text().language {
            Language::Video => 2_001,
            _ => 1_000,
        };
        let limit = self.step_limit.map_or(usual, NonZeroUsize::get);
        let mut referee = Referee::new(game, limit).until(Arc::clone(interrupt));
        if elsewhere {
            referee = referee.asking_together();
        }
        match self.ponder {
            true => referee.with_pondering(),
            false => referee,
        }
    }
}

impl MatchCommand {
    /// Plays rules in real time.
    fn run_in_time(&self, out: &mut dyn Write, rules: &Ruleset) -> anyhow::Result<Verdict> {
        if self.thinking.is_given() || self.start.is_given() {
            bail!(
                "rules in real time start at the beginning, and players think while time goes by: \
                 `search(playouts=N)` says how much"
            );
        }
        let game = self.reading.load(&self.engine.engine, rules)?;
        let guests = timed_guests(&self.players, game.facts())?;
        let names = guests_by_role(game.facts(), &guests);
        let heading = self.recording.heading(rules, &names, None);
        let is_elsewhere = guests.iter().any(paidia_arena::Guest::is_elsewhere);
        let pace = self.clock.pace();
        let setting = LiveMatch {
            rules,
            game: &game,
            id: &heading.id,
            seats: guests.into_iter().map(realtime::Seat::Guest).collect(),
            pace: pace.or_else(|| is_elsewhere.then(|| usual_pace(rules))),
            until: self.clock.until(),
            reaction: self.clock.reaction(),
            seed: self.seed,
            stop: on_interrupt("the match stops here")?,
            elsewhere: elsewhere_in_time(rules, &game)?,
        };
        let stage = TimedStage::new(rules, &game, terminal::colour_on_stdout());
        if !self.json {
            stage.write_title(out, rules)?;
        }
        let (outcome, punctuality, timed) =
            play_match(&setting, (!self.json).then_some(&mut *out))?;
        if self.json {
            let report = TimedReport::new(rules, &outcome, punctuality.as_ref(), &timed);
            write_json(out, &report)?;
        } else {
            writeln!(out, "{}", stage.ending(&outcome))?;
        }
        let id = heading.id.clone();
        let heading = paidia_arena::record::Heading { id, ..heading };
        self.recording.write(&match_record(heading, timed))?;
        Ok(match setting.stop.load(Ordering::Relaxed) {
            true => Verdict::Interrupted,
            false => outcome.is_over.into(),
        })
    }
}

impl WithPlayers for MatchCommand {
    fn run_on<G: Game + Legible>(
        &self,
        out: &mut dyn Write,
        loaded: &LoadedGame<'_, G>,
    ) -> anyhow::Result<Verdict> {
        let game = &loaded.playable.game;
        let guests = guests(&self.players, game.facts())?;
        let elsewhere = guests.iter().flatten().any(Guest::is_elsewhere);
        let budget = self.budget(loaded.rules, elsewhere)?;
        check_start(game.facts(), self.start.is_given())?;
        let start = self.start.state(game)?;
        let names = self.clocks.names(&guests);
        let mut heading = self.recording.heading(loaded.rules, &names, budget);
        heading.engine = Some(loaded.engine.note());
        if budget.is_none() {
            heading = self.clocks.heading(heading, elsewhere);
        }
        let interrupt = on_interrupt(match elsewhere {
            true => "the match stops after this move, and players elsewhere are told so",
            false => "the match stops here",
        })?;
        let seating = Seating {
            playable: loaded.playable,
            budget,
            preparation: budget.map(|budget| thinking::before_first(loaded.rules, budget)),
            interrupt: &interrupt,
            terms: Arc::new(
                self.clocks
                    .terms(loaded.rules, &heading.id, self.seed, elsewhere)?,
            ),
            seed: self.seed,
        };
        let mut setting = Setting {
            seats: seating.seats(&guests)?,
            referee: self.referee((game, loaded.rules), elsewhere, &interrupt),
            recorder: Recorder::new(game, heading, &start),
            stage: Stage::new(loaded.rules, game),
        };
        if !self.json {
            setting.stage.write_title(out, loaded.rules)?;
            write_engine(out, loaded.engine)?;
        }
        let mut played = setting.referee.start(&start, self.seed);
        let result = setting.play(&mut played, (!self.json).then_some(&mut *out))?;
        let record = setting.recorder.finish(&result);
        self.recording.write(&record)?;
        if self.json {
            let played = (&played, self.seed);
            write_json(out, &Report::new(loaded, played, &result, record))?;
        } else {
            let ending = setting.stage.ending(&result, played.moves.len());
            writeln!(out, "{ending}")?;
            loaded.helpers.write(out)?;
        }
        Ok(
            match interrupt.load(Ordering::Relaxed) && result == MatchEnd::Cut {
                true => Verdict::Interrupted,
                false => matches!(result, MatchEnd::Over(_)).into(),
            },
        )
    }
}

/// Which engine plays, and how fast it and others are if that was measured.
fn write_engine(out: &mut dyn Write, engine: &EngineReport) -> anyhow::Result<()> {
    let faint = terminal::FAINT;
    let (title, rates) = (engine.title(), engine.rates_in_words());
    let rates = match rates.is_empty() {
        true => rates,
        false => format!("; {rates}"),
    };
    writeln!(out, "{faint}played by {title}{rates}{faint:#}\n")?;
    Ok(())
}

/// What a match needs while it is played.
struct Setting<G: Game + Legible> {
    seats: Seats<G>,
    referee: Referee<G>,
    recorder: Recorder<G>,
    stage: Stage<G>,
}

impl<G: Game + Legible> Setting<G> {
    /// Plays a match to its end, shows it as it goes if it is to be shown, and records it. Players
    /// are told of its end, too, if it ends because nothing can be shown any more.
    fn play(
        &mut self,
        game: &mut Match<G>,
        mut out: Option<&mut dyn Write>,
    ) -> anyhow::Result<MatchEnd> {
        let (recorder, stage) = (&mut self.recorder, &self.stage);
        self.referee.watch(game, &mut self.seats, |game| {
            match game.moves.last() {
                Some(moves) => recorder.step(moves, game.state()),
                None => recorder.open(&game.opening),
            }
            let Some(out) = &mut out else {
                return Ok(());
            };
            match game.moves.last() {
                Some(moves) => stage.write_moves(out, moves, game.ply())?,
                None => stage.write_opening(out, &game.opening)?,
            }
            stage.write_state(out, game.state())?;
            Ok(out.flush()?)
        })
    }
}
