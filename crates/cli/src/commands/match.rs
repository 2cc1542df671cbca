//! `paidia match`: players against each other.

use std::io::Write;

use anyhow::{Context, bail};
use clap::Args;
use paidia_arena::record::Recorder;
use paidia_arena::{MatchResult, Move, Playable, PlayerSpec, Referee, make};
use paidia_game::{Goal, Information, Legible};
use paidia_search::{Budget, Player, StopReason};
use serde::Serialize;

use super::write_json;
use crate::engine::{EngineChoice, EngineReport, Machine};
use crate::position::Start;
use crate::recording::Recording;
use crate::remote::{HelperReport, Helpers, RemoteOptions};
use crate::rules::GameText;
use crate::stage::Stage;
use crate::thinking::Thinking;
use crate::{Verdict, text};

/// Plays one match between players, and shows it as it goes
#[derive(Args)]
#[command(after_help = "Examples:
  paidia match connect-four                                 our best player against itself
  paidia match othello --player paidia --player random      one player a role, in the order of the roles
  paidia match breakthrough --player paidia --player 'uct(exploration=30)' --simulations 2000 --seed 3
  paidia match chinese-checkers-3 --player uct --json       one player is taken for all roles
  paidia match othello --record                             writes the match down; `paidia matches` lists and shows such

`paidia players` lists the players.")]
pub(crate) struct MatchCommand {
    /// A bundled game or a rule file
    game: String,

    /// A player, written `name(key=value, ...)`; once for each role, or one for all
    #[arg(long = "player", value_name = "PLAYER", default_value = "paidia")]
    players: Vec<String>,

    #[command(flatten)]
    thinking: Thinking,

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

    /// Cut the match after so many joint moves
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    step_limit: usize,

    #[command(flatten)]
    recording: Recording,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    #[serde(flatten)]
    engine: EngineReport,
    seed: u64,
    roles: Vec<String>,
    /// For each role its player; none for `random`.
    players: Vec<Option<String>>,
    /// For each joint move, each role's move.
    moves: Vec<Vec<String>>,
    /// Illegal choices that the referee replaced: joint move, role, and what was chosen.
    refused: Vec<(usize, String, String)>,
    result: &'static str,
    goals: Vec<Option<i32>>,
    /// What workers elsewhere did.
    workers: Vec<HelperReport>,
}

impl MatchCommand {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let text = GameText::find(&self.game)?;
        let loaded = self.engine.load(&text)?;
        match &loaded.machine {
            Machine::Reference(game) => {
                self.remote.do_without();
                let (playable, nobody) = (Playable::new(game.clone()), Helpers::default());
                self.play(out, &text, &playable, &nobody, &loaded.report)
            }
            Machine::Propnet(game) => {
                let remote = self.remote.join(&text, game)?;
                let (playable, helpers) = (&remote.playable, &remote.helpers);
                self.play(out, &text, playable, helpers, &loaded.report)
            }
            Machine::Batch(_) => {
                bail!("the batch engine plays whole playouts only; use --engine propnet")
            }
        }
    }

    fn play<G: Legible>(
        &self,
        out: &mut dyn Write,
        text: &GameText,
        playable: &Playable<G>,
        helpers: &Helpers,
        engine: &EngineReport,
    ) -> anyhow::Result<Verdict> {
        let game = &playable.game;
        let start = self.start.state(game)?;
        let (names, mut players) = self.make_players(playable)?;
        self.recording.check(&self.start)?;
        let stage = Stage::new(text, game);
        let mut referee = Referee::new(game, self.step_limit);
        if self.ponder {
            referee = referee.with_pondering();
        }
        let mut record = referee.start(&start, self.seed);
        let budget = self.thinking.budget();
        warn_of_hidden(game);
        prepare(&mut players, &start, budget);
        let heading = self.recording.heading(text, &names, budget);
        let mut recorder = Recorder::new(game, heading, &start);
        if !self.json {
            stage.write_title(out, text)?;
        }
        let result = loop {
            if !self.json {
                stage.write_state(out, record.state())?;
                out.flush()?;
            }
            if let Some(result) = referee.step(&mut record, &mut players, budget) {
                break result;
            }
            let Some(moves) = record.moves.last() else {
                continue;
            };
            recorder.step(moves, record.state());
            if !self.json {
                write_moves(out, &stage, game, moves, record.moves.len())?;
            }
        };
        self.recording.write(&recorder.finish(&result))?;
        if self.json {
            let report = self.report(text, game, engine, names, &record.moves, &result);
            let workers = helpers.report();
            write_json(out, &Report { workers, ..report })?;
        } else {
            writeln!(out, "{}", ending(&stage, &result, record.moves.len()))?;
            helpers.write(out)?;
        }
        Ok(matches!(result, MatchResult::Over(_)).into())
    }

    /// The players with their names, one a role.
    fn make_players<G: Legible>(
        &self,
        playable: &Playable<G>,
    ) -> anyhow::Result<(Vec<Option<String>>, Players<G>)> {
        let facts = playable.game.facts();
        let needed = facts.players().count();
        if self.players.len() != 1 && self.players.len() != needed {
            bail!(
                "{} has {}, and {} given; give one for each, or one for all: {}",
                facts.name,
                text::count(needed as u128, "player"),
                text::count(self.players.len() as u128, "player"),
                facts.roles.join(", ")
            );
        }
        let (mut names, mut players) = (Vec::new(), Vec::new());
        let mut given = self.players.iter().cycle();
        for role in facts.role_ids() {
            let written = (Some(role) != facts.random).then(|| given.next()).flatten();
            names.push(written.cloned());
            let player = written.map(|written| {
                let spec: PlayerSpec = written.parse()?;
                make(
                    &spec,
                    playable,
                    role,
                    self.seed.wrapping_mul(31).wrapping_add(u64::from(role.0)),
                )
            });
            players.push(player.transpose().context("in --player")?);
        }
        Ok((names, players))
    }

    fn report<G: Legible>(
        &self,
        text: &GameText,
        game: &G,
        engine: &EngineReport,
        players: Vec<Option<String>>,
        moves: &[Vec<Move>],
        result: &MatchResult,
    ) -> Report {
        let name = |id| game.moves().name(id).to_string();
        let mut refused = Vec::new();
        for (step, joint) in moves.iter().enumerate() {
            for (made, role) in joint.iter().zip(&game.facts().roles) {
                if let Some(id) = made.refused {
                    refused.push((step + 1, role.clone(), name(id)));
                }
            }
        }
        let goals = match result {
            MatchResult::Over(goals) => goals.iter().map(|goal| goal.value()).collect(),
            _ => vec![None; game.facts().roles.len()],
        };
        Report {
            game: text.name.clone(),
            engine: engine.clone(),
            seed: self.seed,
            roles: game.facts().roles.clone(),
            moves: moves
                .iter()
                .map(|joint| joint.iter().map(|made| name(made.id)).collect())
                .collect(),
            result: match result {
                MatchResult::Over(_) => "over",
                MatchResult::Cut => "cut",
                MatchResult::Stuck(_) => "stuck",
                MatchResult::Fault(_) => "fault",
            },
            players,
            refused,
            goals,
            workers: Vec::new(),
        }
    }
}

/// The players of a match, one a role; `random` has none.
pub(super) type Players<G> = Vec<Option<Box<dyn Player<G>>>>;

/// Says so where players see what their role would not be told.
pub(super) fn warn_of_hidden<G: Legible>(game: &G) {
    if game.facts().information == Information::Hidden {
        eprintln!(
            "note: this game hides things from its players, but the players there are so far see the whole state"
        );
    }
}

/// Lets everybody use the time before the first move.
pub(super) fn prepare<G: Legible>(players: &mut Players<G>, start: &G::State, budget: Budget) {
    for player in players.iter_mut().flatten() {
        player.prepare(start, budget);
    }
}

/// A joint move: the parts of those who had something to choose, with what they thought.
pub(super) fn write_moves<G: Legible>(
    out: &mut dyn Write,
    stage: &Stage<G>,
    game: &G,
    moves: &[Move],
    number: usize,
) -> anyhow::Result<()> {
    let had_a_choice = |made: &Move| {
        let decision = made.decision.as_ref();
        decision.is_some_and(|decision| decision.report.stopped != StopReason::OnlyMove)
    };
    let anybody = moves.iter().any(had_a_choice);
    for (role, made) in game.facts().role_ids().zip(moves) {
        if anybody && !had_a_choice(made) {
            continue;
        }
        let thoughts = made
            .decision
            .as_ref()
            .map(|decision| stage.thoughts(role, decision));
        let faint = crate::terminal::FAINT;
        let thoughts = thoughts
            .filter(|thoughts| !thoughts.is_empty())
            .map_or(String::new(), |thoughts| {
                format!("  {faint}{thoughts}{faint:#}")
            });
        writeln!(out, "{number}. {}{thoughts}", stage.made(role, made.id))?;
    }
    Ok(())
}

/// How a match ended, in a sentence.
pub(super) fn ending<G: Legible>(stage: &Stage<G>, result: &MatchResult, moves: usize) -> String {
    let after = text::count(moves as u128, "move");
    match result {
        MatchResult::Over(goals) => {
            let strong = crate::terminal::STRONG;
            let goals: &[Goal] = goals;
            format!(
                "The game is over after {after}: {strong}{}{strong:#}.",
                stage.results(goals)
            )
        }
        MatchResult::Cut => format!("The match was cut after {after}."),
        MatchResult::Stuck(_) => {
            "A role has no legal move, and the game is not over: the rules are faulty.".to_owned()
        }
        MatchResult::Fault(fault) => format!("The match stopped: {fault}."),
    }
}
