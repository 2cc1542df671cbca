//! `paidia verify`: whether a game has a property, also one about what players know.

mod backend;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use cpu_time::ThreadTime;
use paidia_arena::rules::Ruleset;
use paidia_game::{AnyGame, Rules};
use paidia_gdl::grounding::Budget;
use paidia_imperfect::epistemic::{Answer, Checker, Formula, Run, standard};
use paidia_imperfect::filter::try_out;
use paidia_imperfect::symbolic::Symbolic;
use paidia_imperfect::{Explorer, Limits};
use serde::Serialize;

use super::replay::with_derive;
use super::write_json;
use crate::engine::EngineChoice;
use crate::game_choice::GameChoice;
use crate::terminal::Progress;
use crate::{Verdict, terminal, text};
use backend::{Backend, BackendChoice, SystemReport, decide, run_along, trace};
pub(super) use backend::{options, translate, usual_nodes};

/// Decides whether a game has a property, also one about what players know
#[derive(Args)]
#[command(after_help = "Examples:
  paidia verify monty-hall --standard
  paidia verify kuhn-poker --filter --matches 1000
  paidia verify kuhn-poker '(A (F terminal))'
  paidia verify kuhn-poker '(A (G (-> terminal (K alice (true (holds bert king))))))'
  paidia verify monty-hall '(E (F (and (not terminal) (K candidate (true (car 1))))))'
  paidia verify monty-hall --standard --backend both              by lists of states and by decision diagrams
  paidia verify monty-hall --standard --backend symbolic --leave-out typed
  paidia verify kuhn-poker --standard --trace run.jsonl           a run on which something fails
  paidia replay kuhn-poker run.jsonl                              repeats it

A formula is a list with the operator first: not, and, or, ->, <->; X (at the next moment), F (at some time), G (at all
times), U (until); A (on all runs), E (on some run); K PLAYER (knows), M PLAYER (holds possible), EK (PLAYERS) (all of
them know), CK (PLAYERS) (common knowledge). Everything else is an atom of the rules: terminal, (true FLUENT),
(legal ROLE MOVE), (goal ROLE VALUE), (does ROLE MOVE) and (sees ROLE PERCEPT) for the last step, or a derived relation.
Players remember all their moves and percepts, and know the time. A formula is true if it holds at the start of all
runs. Exit code 1 means that a formula is false; a run on which it fails is shown where there is one.")]
pub(crate) struct Verify {
    #[command(flatten)]
    game: GameChoice,

    /// Formulas
    #[arg(required_unless_present_any = ["standard", "filter"])]
    formulas: Vec<String>,

    /// Check the six properties that a well-made game has
    #[arg(long)]
    standard: bool,

    /// Follow random matches with a filter, which knows without a list of states, and tell whether
    /// each role always knew its moves, the end and its goal
    #[arg(long, conflicts_with_all = ["standard", "formulas"])]
    filter: bool,

    /// With --filter: random matches; the time is of the processor
    #[arg(long, value_name = "N", default_value_t = 100)]
    matches: u32,

    /// With --filter: conclude nothing from what was not perceived
    #[arg(long)]
    percepts_only: bool,

    /// With --filter: the seed of the matches
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How many states, and points of states with beliefs, may be looked at
    #[arg(long, value_name = "N", default_value_t = Limits::default().points)]
    max_points: usize,

    #[command(flatten)]
    backend: BackendChoice,

    /// Write the run on which the first false formula fails to a file that `paidia replay` repeats
    #[arg(long, value_name = "FILE", conflicts_with = "filter")]
    trace: Option<PathBuf>,

    #[command(flatten)]
    engine: EngineChoice,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    engine: String,
    /// The size of the translated rules, where decision diagrams decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<SystemReport>,
    formulas: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    /// The number of a property of every game.
    property: Option<u8>,
    player: Option<String>,
    meaning: Option<String>,
    formula: String,
    /// None where it could not be decided.
    holds: Option<bool>,
    because: Option<String>,
    points: Option<usize>,
    /// Moments that decision diagrams told apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    moments: Option<usize>,
    /// Nodes of decision diagrams.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<usize>,
    /// The joint moves of a run on which it fails.
    run: Option<Vec<Vec<String>>>,
    /// What each role perceived in each of them.
    percepts: Option<Vec<Vec<Vec<String>>>>,
    /// The step with which the run goes on for ever after its last.
    repeats: Option<usize>,
    notes: Vec<String>,
    seconds: f64,
}

/// A formula with what is known about it.
struct Question {
    property: Option<u8>,
    player: Option<String>,
    meaning: Option<String>,
    formula: Formula,
}

impl Verify {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let read = |text: &String| {
            Ok(Question {
                property: None,
                player: None,
                meaning: None,
                formula: Formula::read(text)?,
            })
        };
        let mut questions = self
            .formulas
            .iter()
            .map(read)
            .collect::<anyhow::Result<Vec<Question>>>()?;
        let rules = self.game.find()?;
        if self.filter {
            return self.filter(out, &rules);
        }
        let (game, engine) = self.engine.load_game(&rules)?;
        let limits = Limits {
            states: self.max_points.min(Limits::default().states),
            points: self.max_points,
            ..Limits::default()
        };
        let mut checker = Checker::new(Explorer::new(&game, limits)?);
        if self.standard {
            let properties = standard::properties(checker.explorer())?;
            questions.extend(properties.into_iter().map(|property| Question {
                property: Some(property.number),
                player: property.player,
                meaning: Some(property.meaning),
                formula: property.formula,
            }));
        }
        if questions.is_empty() {
            bail!("give a formula, or --standard");
        }
        let mut symbolic = self.backend.symbolic(&rules)?;
        let system = symbolic
            .as_ref()
            .map(|symbolic| SystemReport::new(symbolic.statistics(), &self.backend.leave_out));
        let rows = with_derive(&rules, &game, |derive| {
            let mut progress = Progress::new(Some(questions.len() as u64), "formulas");
            let mut rows = Vec::new();
            for (place, question) in questions.into_iter().enumerate() {
                progress.set(place as u64);
                let listed = (self.backend.backend != Backend::Symbolic).then(|| {
                    let started = std::time::Instant::now();
                    let answer = checker.check(&question.formula, derive);
                    let answer = answer.map_err(|error| error.to_string());
                    (answer, started.elapsed().as_secs_f64())
                });
                rows.push(join(question, listed, symbolic.as_mut(), &game)?);
            }
            Ok(rows)
        })?;
        let report = Report {
            game: rules.name().to_owned(),
            engine: engine.engine,
            system,
            formulas: rows,
        };
        self.write_trace(&report, &game)?;
        match self.json {
            true => write_json(out, &report)?,
            false => write_report(out, &report, &game.facts().roles)?,
        }
        let undecided = report.formulas.iter().find(|row| row.holds.is_none());
        if let Some(Row {
            formula, because, ..
        }) = undecided
        {
            let short: String = formula.chars().take(60).collect();
            bail!(
                "`{short}` was not decided: {}",
                because.as_deref().unwrap_or("?")
            );
        }
        Ok(report
            .formulas
            .iter()
            .all(|row| row.holds == Some(true))
            .into())
    }
}

#[derive(Serialize)]
struct FilterRow {
    role: String,
    legal: bool,
    terminal: bool,
    goal: bool,
    rounds: u64,
    unsound: u64,
    seconds_per_1000_rounds: f64,
}

/// Joint moves after which a random match is cut.
const STEP_LIMIT: u32 = 1_000;

impl Verify {
    fn filter(&self, out: &mut dyn Write, rules: &Ruleset) -> anyhow::Result<Verdict> {
        let built = rules.gdl()?.built(Budget::default())?;
        let game = built.game();
        let mut progress = Progress::new(Some(game.facts.players().count() as u64), "roles");
        let mut rows = Vec::new();
        for role in game.facts.players() {
            progress.set(rows.len() as u64);
            // As the paper does: what else the machine does shall not count.
            let started = ThreadTime::now();
            let verdict = try_out(
                game,
                role,
                self.matches,
                STEP_LIMIT,
                self.percepts_only,
                self.seed,
            );
            let rounds = verdict.rounds.max(1) as f64;
            rows.push(FilterRow {
                role: game.facts.role_name(role).to_owned(),
                legal: verdict.legal,
                terminal: verdict.terminal,
                goal: verdict.goal,
                rounds: verdict.rounds,
                unsound: verdict.unsound,
                seconds_per_1000_rounds: started.elapsed().as_secs_f64() * 1000.0 / rounds,
            });
        }
        drop(progress);
        if self.json {
            write_json(out, &rows)?;
        } else {
            let word = |yes: bool| if yes { "yes" } else { "no" };
            writeln!(
                out,
                "{:16} {:>6} {:>9} {:>5} {:>8} {:>14}",
                "role", "moves", "end", "goal", "rounds", "s/1000 rounds"
            )?;
            for row in &rows {
                let (legal, terminal, goal) = (word(row.legal), word(row.terminal), word(row.goal));
                let (role, rounds, seconds) = (&row.role, row.rounds, row.seconds_per_1000_rounds);
                writeln!(
                    out,
                    "{role:16} {legal:>6} {terminal:>9} {goal:>5} {rounds:>8} {seconds:>14.3}"
                )?;
            }
        }
        if let Some(row) = rows.iter().find(|row| row.unsound > 0) {
            bail!(
                "the filter of {} concluded {} things that were false: please report this",
                row.role,
                row.unsound
            );
        }
        Ok(rows.iter().all(|row| row.legal).into())
    }
}

impl Verify {
    /// Writes the run of the first formula that fails.
    fn write_trace(&self, report: &Report, game: &AnyGame) -> anyhow::Result<()> {
        let Some(path) = &self.trace else {
            return Ok(());
        };
        let run = report.formulas.iter().find_map(|row| row.run.as_ref());
        let Some(moves) = run else {
            bail!(
                "no formula fails on a run, so that there is nothing to write to {}",
                path.display()
            );
        };
        let text = trace(&report.game, game, &run_along(game, moves));
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// The answers of both ways to decide a formula as one row.
fn join(
    question: Question,
    listed: Option<(Result<Answer, String>, f64)>,
    symbolic: Option<&mut Symbolic>,
    game: &AnyGame,
) -> anyhow::Result<Row> {
    let formula = question.formula.clone();
    let mut row = match listed {
        Some((answer, seconds)) => row(question, answer, seconds),
        None => row(question, Err(String::new()), 0.0),
    };
    let Some(symbolic) = symbolic else {
        return Ok(row);
    };
    let started = std::time::Instant::now();
    let verdict = decide(symbolic, &formula);
    let seconds = started.elapsed().as_secs_f64();
    match verdict {
        Ok(verdict) => {
            if row.holds.is_some_and(|holds| holds != verdict.holds) {
                bail!("both ways to decide `{formula}` differ: please report this");
            }
            if row.holds.is_none() {
                row.seconds = seconds;
                row.because = None;
                let run = verdict.run.as_ref().map(|moves| run_along(game, moves));
                row.run = run.as_ref().map(moves_of);
                row.percepts = run.as_ref().map(percepts_of);
                row.notes = verdict.notes;
            }
            row.holds = Some(verdict.holds);
            row.moments = Some(verdict.moments);
            row.nodes = Some(verdict.nodes);
        }
        Err(error) if row.holds.is_some() => row.notes.push(format!("not by diagrams: {error}")),
        Err(error) => row.because = Some(error),
    }
    Ok(row)
}

fn moves_of(run: &Run) -> Vec<Vec<String>> {
    run.steps.iter().map(|step| step.moves.clone()).collect()
}

fn percepts_of(run: &Run) -> Vec<Vec<Vec<String>>> {
    run.steps.iter().map(|step| step.percepts.clone()).collect()
}

fn row(question: Question, answer: Result<Answer, String>, seconds: f64) -> Row {
    let (answer, because) = match answer {
        Ok(answer) => (Some(answer), None),
        Err(error) => (None, Some(error)),
    };
    let run = answer.as_ref().and_then(|answer| answer.run.as_ref());
    Row {
        property: question.property,
        player: question.player,
        meaning: question.meaning,
        formula: question.formula.to_string(),
        holds: answer.as_ref().map(|answer| answer.holds),
        because,
        points: answer.as_ref().map(|answer| answer.points),
        moments: None,
        nodes: None,
        run: run.map(moves_of),
        percepts: run.map(percepts_of),
        repeats: run.and_then(|run| run.repeats),
        notes: answer.map(|answer| answer.notes).unwrap_or_default(),
        seconds,
    }
}

fn write_report(out: &mut dyn Write, report: &Report, roles: &[String]) -> anyhow::Result<()> {
    let (strong, faint) = (terminal::STRONG, terminal::FAINT);
    writeln!(
        out,
        "{strong}{}{strong:#} {faint}with the {} engine{faint:#}",
        report.game, report.engine
    )?;
    if let Some(system) = &report.system {
        writeln!(out, "{faint}{}{faint:#}", system.in_words())?;
    }
    for row in &report.formulas {
        let (style, word) = match row.holds {
            Some(true) => (terminal::GOOD, "holds"),
            Some(false) => (terminal::BAD, "fails"),
            None => (terminal::BAD, "undecided"),
        };
        let what = match (&row.property, &row.meaning) {
            (Some(number), Some(meaning)) => format!("({number}) {meaning}"),
            _ => row.formula.clone(),
        };
        let points = row
            .points
            .map_or(String::new(), |points| text::count(points as u128, "point"));
        let diagrams = row
            .nodes
            .map_or(String::new(), |nodes| text::count(nodes as u128, "node"));
        let size: Vec<String> = [points, diagrams]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        let size = size.join(", ");
        writeln!(
            out,
            "  {style}{word}{style:#}  {what} {faint}{size}, {:.2} s{faint:#}",
            row.seconds
        )?;
        for note in row.notes.iter().filter(|_| row.property.is_none()) {
            writeln!(out, "         note: {note}")?;
        }
        if let Some(because) = &row.because {
            writeln!(out, "         {because}")?;
        }
        if let (Some(run), Some(percepts)) = (&row.run, &row.percepts) {
            write_run(out, run, percepts, roles, row.repeats)?;
        }
    }
    Ok(())
}

/// A run, in a form that `--after` of other commands takes, with what each role saw.
fn write_run(
    out: &mut dyn Write,
    run: &[Vec<String>],
    percepts: &[Vec<Vec<String>>],
    roles: &[String],
    repeats: Option<usize>,
) -> anyhow::Result<()> {
    writeln!(out, "         it fails on the run")?;
    for (moves, percepts) in run.iter().zip(percepts) {
        let told = roles
            .iter()
            .zip(percepts)
            .filter(|(_, percepts)| !percepts.is_empty());
        let told: Vec<String> = told
            .map(|(role, percepts)| format!("{role} sees {}", percepts.join(" ")))
            .collect();
        let (faint, told) = (terminal::FAINT, told.join("; "));
        writeln!(
            out,
            "           ({}) {faint}{told}{faint:#}",
            moves.join(" ")
        )?;
    }
    match repeats {
        Some(step) => writeln!(out, "           and for ever again from step {}", step + 1)?,
        None => writeln!(out, "           and STOP for ever")?,
    }
    Ok(())
}
