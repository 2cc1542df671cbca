//! `paidia info`: what is known about a game.

mod passes;
mod values;

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use paidia_arena::about::About;
use paidia_arena::engine::{Engine, EngineReport, NetworkReport};
use paidia_arena::knowledge::KnowledgeReport;
use paidia_arena::rules::Ruleset;
use paidia_game::{
    AnyGame, AnyState, Chance, Figures, Game, Legible, PlayoutRunner, RoleId, Rules, Walker,
    observe_turn_order,
};
use paidia_gdl::grounding::Budget;
use paidia_imperfect::filter::try_out;
use serde::Serialize;

use super::write_json;
use crate::draw::Artist;
use crate::engine::{EngineChoice, seconds};
use crate::game_choice::GameChoice;
use crate::position::Start;
use crate::realtime::{self, ReadingChoice};
use crate::{Verdict, terminal, text};

/// Shows facts about a game
#[derive(Args)]
#[command(after_help = "Examples:
  paidia info connect-four
  paidia info my-game.kif --json
  paidia info chess --values --seconds 10          what pieces and squares are worth, learnt from random playouts
  paidia info kuhn-poker --role alice              whether it always knows its moves, the end and its goal
  paidia info chess --passes                       what became of the rules: gates after each pass
  paidia info chess --passes --without factor      the same if one pass is left out
  paidia info tic-tac-toe --after '(mark 2 2)'     the legal moves are those of that position")]
pub(crate) struct Info {
    #[command(flatten)]
    game: GameChoice,

    #[command(flatten)]
    engine: EngineChoice,

    #[command(flatten)]
    start: Start,

    /// How many random playouts to learn turn order and length from
    #[arg(long, value_name = "N", default_value_t = 5)]
    playouts: u32,

    /// Follow random matches with a filter by what this role is told, and tell whether it always
    /// knows its moves, the end and its goal
    #[arg(long, value_name = "ROLE", conflicts_with = "passes")]
    role: Option<String>,

    /// Show how large the network of the rules is after each pass that makes it smaller
    #[arg(long)]
    passes: bool,

    #[command(flatten)]
    reading: ReadingChoice,

    /// Show what pieces and squares are worth, as learnt from random playouts
    #[arg(long, conflicts_with = "passes")]
    values: bool,

    /// With --values, how long to learn
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = seconds, requires = "values")]
    seconds: f64,

    /// Print one JSON object, with the passes in it
    #[arg(long)]
    json: bool,
}

/// Playouts are cut after this many joint moves.
const STEP_LIMIT: u32 = 2_000;

/// Random matches that a filter follows.
const FILTERED: u32 = 100;

/// What a role knows by filtering what it was told.
#[derive(Serialize)]
struct RoleKnowledge {
    game: String,
    role: String,
    legal: bool,
    terminal: bool,
    goal: bool,
    matches: u32,
    rounds: u64,
}

#[derive(Serialize)]
struct Report {
    game: String,
    title: Option<String>,
    #[serde(flatten)]
    about: About,
    terminal: bool,
    state: Vec<String>,
    /// The same for pictures.
    #[serde(skip)]
    shown: Vec<String>,
    legal: Vec<Vec<String>>,
    goals: Vec<Option<i32>>,
    mean_length: Option<f64>,
    mean_goals: Vec<Option<f64>>,
    /// Whether the rules, or batches of playouts, run as machine code, and if not, why.
    native: String,
    /// Which GPU there is for `--engine gpu`, or why there is none; nothing where the program was
    /// built without.
    #[serde(skip_serializing_if = "Option::is_none")]
    gpu: Option<String>,
    /// What the rules prove, if they became a network.
    knowledge: Option<KnowledgeReport>,
}

impl Info {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let rules = self.game.find()?;
        if rules.is_real_time() {
            let game = self.reading.load(&self.engine.engine, &rules)?;
            return realtime::info(out, &rules, &game, u64::from(self.playouts), self.json);
        }
        self.reading.refuse()?;
        if self.passes && !self.json {
            return self.show_passes(out, &rules);
        }
        if self.values {
            return self.show_values(out, &rules);
        }
        if let Some(role) = &self.role {
            return self.show_role(out, &rules, role);
        }
        self.start.check(&rules)?;
        let (game, engine) = self.engine.load_game_measured(&rules)?;
        let start = self.start.state(&game)?;
        let report = self.report(&rules, &game, &start, engine);
        if self.json {
            write_json(out, &report)?;
        } else {
            write_report(out, &rules, &report)?;
            write_position(out, &rules, &game, &report, self.start.is_given())?;
        }
        Ok(Verdict::Yes)
    }

    /// What a role knows by filtering.
    fn show_role(
        &self,
        out: &mut dyn Write,
        rules: &Ruleset,
        name: &str,
    ) -> anyhow::Result<Verdict> {
        let built = rules.gdl()?.built(Budget::default())?;
        let game = built.game();
        let mut players = game.facts.players();
        let role = players.find(|&role| game.facts.role_name(role) == name);
        let role = role.with_context(|| {
            let players = game.facts.players();
            let names: Vec<&str> = players.map(|role| game.facts.role_name(role)).collect();
            format!(
                "`{name}` is no player; the players are {}",
                names.join(", ")
            )
        })?;
        let verdict = try_out(game, role, FILTERED, STEP_LIMIT, false, 1);
        let known = RoleKnowledge {
            game: rules.name().to_owned(),
            role: name.to_owned(),
            legal: verdict.legal,
            terminal: verdict.terminal,
            goal: verdict.goal,
            matches: FILTERED,
            rounds: verdict.rounds,
        };
        if verdict.unsound > 0 {
            bail!("the filter concluded something false: please report this");
        }
        if self.json {
            write_json(out, &known)?;
            return Ok(Verdict::Yes);
        }
        let word = |knows: bool| if knows { "always" } else { "not always" };
        writeln!(
            out,
            "In {FILTERED} random matches, by filtering what it was told, {name} knew\n  \
             its legal moves   {}\n  the end           {}\n  its goal          {}",
            word(verdict.legal),
            word(verdict.terminal),
            word(verdict.goal)
        )?;
        Ok(Verdict::Yes)
    }

    fn show_passes(&self, out: &mut dyn Write, rules: &Ruleset) -> anyhow::Result<Verdict> {
        let loaded = self.engine.with(Engine::Auto).load(rules)?;
        let Some(network) = &loaded.report.network else {
            let because = loaded.report.because.unwrap_or_default();
            writeln!(out, "{} has no network: {because}", rules.name())?;
            return Ok(Verdict::No);
        };
        passes::write_passes(out, rules.name(), network)?;
        Ok(Verdict::Yes)
    }

    fn show_values(&self, out: &mut dyn Write, rules: &Ruleset) -> anyhow::Result<Verdict> {
        let loaded = self.engine.load_walking(rules)?;
        let learn = values::Learn(Duration::from_secs_f64(self.seconds));
        let values = loaded.machine.run(learn)??;
        match self.json {
            true => write_json(out, &values)?,
            false => values.write(out, rules.name())?,
        }
        Ok(values.predicts().into())
    }

    fn report(
        &self,
        rules: &Ruleset,
        game: &AnyGame,
        start: &AnyState,
        engine: EngineReport,
    ) -> Report {
        let facts = game.facts();
        let figures = self.play(game, start);
        let mut walker = game.walker();
        walker.jump(start);
        let turns = observe_turn_order(game, self.playouts, 1);
        // A game without a network has none here either, and finding that out again may take long.
        let has_network = engine.network.is_some();
        let knowledge = || KnowledgeReport::new(rules.gdl().ok()?, Budget::default()).ok();
        Report {
            knowledge: has_network.then(knowledge).flatten(),
            game: rules.name().to_owned(),
            title: rules.metadata().map(|metadata| metadata.title.clone()),
            native: (engine.native.clone()).unwrap_or_else(paidia_accel::native_in_words),
            gpu: paidia_accel::gpu_in_words(),
            about: About::new(rules, facts, turns, engine),
            terminal: walker.is_terminal(),
            state: game.fluents(start),
            shown: game.shown(start),
            legal: walker
                .legal()
                .iter()
                .map(|(_, moves)| {
                    moves
                        .iter()
                        .map(|&id| game.moves().name(id).to_string())
                        .collect()
                })
                .collect(),
            goals: facts
                .role_ids()
                .map(|role| walker.goal(role).value())
                .collect(),
            mean_length: figures.mean_length(),
            mean_goals: facts
                .role_ids()
                .map(|role: RoleId| figures.mean_goal(role))
                .collect(),
        }
    }

    fn play(&self, game: &AnyGame, start: &AnyState) -> Figures {
        let mut runner = PlayoutRunner::new(game, start.clone(), STEP_LIMIT);
        let mut chance = Chance::from_seed(1);
        (0..self.playouts).for_each(|_| {
            runner.run(&mut chance);
        });
        runner.figures().clone()
    }
}

fn write_report(out: &mut dyn Write, rules: &Ruleset, report: &Report) -> anyhow::Result<()> {
    let (strong, faint) = (terminal::STRONG, terminal::FAINT);
    let title = report.title.as_ref().unwrap_or(&report.game);
    writeln!(
        out,
        "{strong}{title}{strong:#} {faint}{}{faint:#}",
        rules.source().name
    )?;
    if let Some(metadata) = rules.metadata() {
        writeln!(
            out,
            "{}\n{faint}{}{faint:#}",
            metadata.rules.trim(),
            metadata.idea
        )?;
    }
    let known = |count: Option<usize>| {
        count.map_or(String::new(), |count| {
            format!(" ({} in all)", text::grouped(count as u128))
        })
    };
    let about = &report.about;
    let goals = about.roles.iter().zip(&report.mean_goals);
    let goals: Vec<String> = goals
        .filter_map(|(role, goal)| Some(format!("{role} {:.0}", (*goal)?)))
        .collect();
    let length = report.mean_length.map_or("?".to_owned(), |length| {
        format!("{length:.0} joint moves, goals {}", goals.join(", "))
    });
    let rows = [
        (
            "dialect",
            format!("{}, {} information", about.dialect, about.information),
        ),
        ("roles", about.roles.join(", ")),
        ("turns", about.turn_order.to_owned()),
        (
            "rules",
            format!(
                "{} clauses, {} relations of their own, {} strata",
                about.clauses, about.relations, about.strata
            ),
        ),
        (
            "fluents",
            about.fluents.join(", ") + &known(about.fluent_count),
        ),
        ("moves", about.moves.join(", ") + &known(about.move_count)),
        ("percepts", about.percepts.join(", ")),
        ("random play", length),
        ("engine", engine(&about.engine)),
        ("native", report.native.clone()),
        ("gpu", report.gpu.clone().unwrap_or_default()),
        ("rates", about.engine.rates_in_words()),
        ("uses", about.engine.uses_in_words()),
        (
            "network",
            (about.engine.network.as_ref()).map_or(String::new(), NetworkReport::describe),
        ),
    ];
    let knowledge = report.knowledge.as_ref().map(KnowledgeReport::in_words);
    let rows = rows.iter().chain(knowledge.iter().flatten());
    for (what, value) in rows.filter(|(_, value)| !value.is_empty()) {
        writeln!(out, "  {what:12} {value}")?;
    }
    Ok(())
}

fn engine(report: &EngineReport) -> String {
    let because = report.because.as_ref();
    let because = because.map_or(String::new(), |because| format!(" (auto: {because})"));
    let (engine, load_ms) = (&report.engine, report.load_ms);
    format!("{engine}, loaded in {load_ms:.0} ms{because}")
}

/// The state to start in, with its legal moves.
fn write_position(
    out: &mut dyn Write,
    rules: &Ruleset,
    game: &AnyGame,
    report: &Report,
    moved: bool,
) -> anyhow::Result<()> {
    let coloured = terminal::colour_on_stdout();
    let artist = Artist::new(rules, game, coloured);
    let drawing = artist.draw(&report.shown);
    writeln!(
        out,
        "\n{}",
        if moved { "The position:" } else { "The start:" }
    )?;
    for line in &drawing.lines {
        writeln!(out, "  {line}")?;
    }
    let rest: Vec<String> = drawing.rest.iter().map(|&fact| fact.to_owned()).collect();
    if !rest.is_empty() {
        writeln!(out, "  {}", text::wrapped(&rest, 100, 2))?;
    }
    for (role, moves) in report.about.roles.iter().zip(&report.legal) {
        let indent = role.len() + 4;
        writeln!(out, "  {role}: {}", text::wrapped(moves, 100, indent))?;
    }
    if report.terminal {
        let goals = report.about.roles.iter().zip(&report.goals);
        let goals: Vec<String> = goals
            .filter_map(|(role, goal)| Some(format!("{role} {}", (*goal)?)))
            .collect();
        writeln!(out, "  The game is over: {}", goals.join(", "))?;
    }
    Ok(())
}
