//! `paidia play`: a person against players, in the terminal.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::Args;
use paidia_arena::rules::Ruleset;
use paidia_arena::{Failure, Local, Playable, PlayerSpec, Referee, Seat, Seats, Turn, make};
use paidia_game::{Game, Legible, MoveId, RoleId};
use paidia_search::{Budget, Decision, StopReason};

use crate::engine::EngineChoice;
use crate::position::Start;
use crate::ready::{Ready, WithPlayers, run_with_players};
use crate::remote::RemoteOptions;
use crate::stage::Stage;
use crate::thinking::Thinking;
use crate::{Verdict, terminal, text};

/// Play a game in the terminal
#[derive(Args)]
#[command(after_help = "Examples:
  paidia play tic-tac-toe                            you are the first role, our best player is the others
  paidia play connect-four --as yellow --seconds 3   the other colour, and a stronger opponent
  paidia play breakthrough --against random          an easy one

Type the number of a move, or the move itself. `hint` asks our best player, `moves` lists your moves again, `quit` ends
the match.")]
pub(crate) struct Play {
    /// A bundled game or a rule file
    game: String,

    /// The role that you play; the first one if nothing is said
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,

    /// Who plays the other roles
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
}

impl Play {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let rules = Ruleset::find(&self.game)?;
        run_with_players(self, out, &rules, &self.engine, &self.remote)
    }

    fn role<G: Game + Legible>(&self, game: &G) -> anyhow::Result<RoleId> {
        let facts = game.facts();
        let Some(name) = &self.role else {
            return facts.players().next().context("nobody plays this game");
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
        ready: &Ready<'_, G>,
    ) -> anyhow::Result<Verdict> {
        let (playable, game) = (ready.playable, &ready.playable.game);
        let own = self.role(game)?;
        let start = self.start.state(game)?;
        let budget = self.thinking.budget();
        let mut seats = self.seats(playable, own, budget)?;
        let stage = Stage::new(ready.rules, game);
        let referee = Referee::new(game, usize::MAX);
        let mut record = referee.start(&start, self.seed);
        stage.write_title(out, ready.rules)?;
        stage.warn_of_hidden();
        let strong = terminal::STRONG;
        writeln!(
            out,
            "You are {strong}{}{strong:#}.\n",
            game.facts().role_name(own)
        )?;
        out.flush()?;
        referee.open(&mut record, &mut seats);
        // What a person types decides how long others think meanwhile, so that nothing of it can be repeated.
        let ponders = budget.time.is_some() && io::stdin().is_terminal();
        let mut input = io::stdin().lock();
        loop {
            stage.write_state(out, record.state())?;
            if !record.is_over() {
                let legal = record.legal(own);
                let state = record.state().clone();
                let mut hint = || make_hint(playable, own, &state, budget, self.seed);
                let asked = while_pondering(&mut seats, &state, ponders, || {
                    ask(out, &mut input, &stage, game, own, &legal, &mut hint)
                });
                let Some(id) = asked? else {
                    return Ok(Verdict::Yes);
                };
                seats[own.index()] = Some(Box::new(Person { id }));
            }
            if let Some(result) = referee.step(&mut record, &mut seats) {
                writeln!(out, "{}", stage.ending(&result, record.moves.len()))?;
                return Ok(Verdict::Yes);
            }
            if let Some(moves) = record.moves.last() {
                stage.write_moves(out, moves, record.moves.len())?;
            }
        }
    }
}

/// Does something while the players think on, if they are to.
fn while_pondering<G: Game + Legible, T>(
    seats: &mut Seats<G>,
    state: &G::State,
    ponders: bool,
    work: impl FnOnce() -> T,
) -> T {
    let enough = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        for seat in seats.iter_mut().flatten().filter(|_| ponders) {
            scope.spawn(move || seat.ponder(state, enough));
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
    fn start(&mut self, _: &G::State) -> Result<(), Failure> {
        Ok(())
    }

    fn play(&mut self, _: &Turn<'_, G>) -> Result<Decision, Failure> {
        Ok(Decision::without_search(self.id, StopReason::NoSearch))
    }
}

fn make_hint<G: Game + Legible>(
    playable: &Playable<G>,
    role: RoleId,
    state: &G::State,
    budget: Budget,
    seed: u64,
) -> Option<Decision> {
    let spec: PlayerSpec = "paidia".parse().ok()?;
    let mut player = make(&spec, playable, role, seed).ok()?;
    Some(player.choose(state, budget))
}

/// Asks for a move until there is one; `None` if the person wants to stop.
fn ask<G: Game + Legible>(
    out: &mut dyn Write,
    input: &mut dyn BufRead,
    stage: &Stage<G>,
    game: &G,
    role: RoleId,
    legal: &[MoveId],
    hint: &mut dyn FnMut() -> Option<Decision>,
) -> anyhow::Result<Option<MoveId>> {
    if let [only] = legal {
        return Ok(Some(*only));
    }
    write_choices(out, game, legal)?;
    loop {
        write!(out, "Your move: ")?;
        out.flush()?;
        let mut line = String::new();
        if io::Read::take(&mut *input, 10_000).read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(None);
        }
        match line.trim() {
            "" => {}
            "quit" | "exit" | "q" => return Ok(None),
            "moves" => write_choices(out, game, legal)?,
            "hint" => match hint() {
                Some(decision) => {
                    let thoughts = stage.thoughts(role, &decision);
                    writeln!(out, "{}: {thoughts}", game.moves().name(decision.id))?;
                }
                None => writeln!(out, "There is no hint.")?,
            },
            answer => match read_choice(game, legal, answer) {
                Ok(id) => return Ok(Some(id)),
                Err(why) => writeln!(out, "{why}")?,
            },
        }
    }
}

fn write_choices<G: Game + Legible>(
    out: &mut dyn Write,
    game: &G,
    legal: &[MoveId],
) -> anyhow::Result<()> {
    let numbered =
        |(index, &id): (usize, &MoveId)| format!("{}: {}", index + 1, game.moves().name(id));
    let choices: Vec<String> = legal.iter().enumerate().map(numbered).collect();
    let faint = terminal::FAINT;
    Ok(writeln!(
        out,
        "{faint}{}{faint:#}",
        text::wrapped(&choices, 100, 0)
    )?)
}

/// The move that a person means: by number, or by its text, with or without the parentheses.
fn read_choice<G: Game + Legible>(
    game: &G,
    legal: &[MoveId],
    answer: &str,
) -> Result<MoveId, String> {
    if let Ok(number) = answer.parse::<usize>() {
        let chosen = number.checked_sub(1).and_then(|index| legal.get(index));
        return chosen
            .copied()
            .ok_or_else(|| format!("There are only {} moves.", legal.len()));
    }
    let spaced = |text: &str| {
        let inner = text.replace(['(', ')'], " ");
        inner
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let wanted = spaced(answer);
    let fits = |id: &&MoveId| spaced(&game.moves().name(**id)) == wanted;
    let mut found = legal.iter().filter(fits);
    match (found.next(), found.next()) {
        (Some(&id), None) => Ok(id),
        _ => Err(
            "That is not one of your moves; `moves` lists them, `hint` helps, `quit` ends."
                .to_owned(),
        ),
    }
}
