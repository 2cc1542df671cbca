//! The part of `paidia solve` for games in which players do not see everything, or chance draws, or
//! several choose at once.

use std::io::Write;

use paidia_game::{AnyGame, Information, Rules};
use paidia_imperfect::equilibrium::{self, Effort, Equilibrium, NoEquilibrium};
use paidia_imperfect::values::{self, Play};
use paidia_imperfect::{Explorer, Limits, Table, Unfolding, unfold};
use serde::Serialize;

use super::super::write_json;
use super::Solve;
use crate::terminal::Progress;
use crate::{Verdict, terminal, text};

#[derive(Default, Serialize)]
struct Report {
    game: String,
    engine: String,
    solved: bool,
    because: Option<String>,
    method: Option<&'static str>,
    roles: Vec<String>,
    /// The value for each player.
    values: Vec<f64>,
    /// What the first player's strategy guarantees, and what the second's holds it to.
    bounds: Option<[f64; 2]>,
    /// The mean of what both players could win by a best response.
    exploitability: Option<f64>,
    rounds: Option<u32>,
    /// Information sets with a choice, of each player.
    information_sets: Vec<usize>,
    points: usize,
    states: usize,
    strategy: Vec<Choice>,
}

/// What a player does in an information set.
#[derive(Serialize)]
struct Choice {
    role: String,
    /// Its own moves and percepts so far.
    history: Vec<(String, Vec<String>)>,
    moves: Vec<(String, f64)>,
}

/// Whether a game is solved here.
pub(super) fn applies(game: &AnyGame) -> bool {
    let facts = game.facts();
    facts.information == Information::Hidden || facts.random().is_some()
}

pub(super) fn solve(
    out: &mut dyn Write,
    name: &str,
    engine: String,
    game: &AnyGame,
    options: &Solve,
) -> anyhow::Result<Verdict> {
    let mut report = Report {
        game: name.to_owned(),
        engine,
        ..Report::default()
    };
    let limits = Limits {
        states: options.max_states,
        ..Limits::default()
    };
    if let Err(because) = find(game, limits, options, &mut report) {
        report.because = Some(because);
    }
    match options.json {
        true => write_json(out, &report)?,
        false => write_report(out, &report)?,
    }
    Ok(report.solved.into())
}

/// Fills the report, or tells why not.
fn find(
    game: &AnyGame,
    limits: Limits,
    options: &Solve,
    report: &mut Report,
) -> Result<(), String> {
    let mut explorer = Explorer::new(game, limits).map_err(|error| error.to_string())?;
    let unfolding = unfold(&mut explorer, None).map_err(|error| error.to_string())?;
    let table = &explorer.table;
    report.roles = table
        .players
        .iter()
        .map(|role| table.roles[role.index()].clone())
        .collect();
    report.points = unfolding.len();
    report.states = table.states.len();
    if table.players.len() == 1 {
        values::check(&unfolding, table).map_err(|error| error.to_string())?;
        let reach = values::reach(&unfolding, table, &[Play::Uniform], Some(0));
        let best = values::best_response(&unfolding, table, 0, &reach)
            .map_err(|error| error.to_string())?;
        report.method = Some("best-plan");
        report.values = vec![best.value()];
        if options.strategy {
            report.strategy = strategy(game, table, &unfolding, 0, &best.strategy());
        }
        report.solved = true;
        return Ok(());
    }
    let effort = Effort {
        rounds: options.max_rounds,
        enough: options.gap.max(0.0),
    };
    let mut progress = Progress::new(None, "rounds");
    let mut watch = |rounds: u32, _: f64| {
        progress.set(rounds.into());
        true
    };
    let found = equilibrium::solve(&unfolding, table, effort, &mut watch);
    drop(progress);
    let found: Equilibrium = found.map_err(|error: NoEquilibrium| error.to_string())?;
    report.method = Some("regret-minimisation");
    report.values = vec![found.value(), f64::from(found.sum) - found.value()];
    report.bounds = Some([found.lower, found.upper]);
    report.exploitability = Some(found.exploitability());
    report.rounds = Some(found.rounds);
    report.information_sets = found.sets.to_vec();
    if options.strategy {
        for player in 0..2 {
            let own = strategy(game, table, &unfolding, player, &found.strategies[player]);
            report.strategy.extend(own);
        }
    }
    report.solved = found.upper - found.lower <= effort.enough;
    if !report.solved {
        let apart = found.upper - found.lower;
        report.because = Some(format!(
            "after {} rounds the bounds are {apart:.2e} apart; allow more with --max-rounds, or a larger --gap",
            found.rounds
        ));
    }
    Ok(())
}

/// The choices of a player in its information sets.
fn strategy(
    game: &AnyGame,
    table: &Table,
    unfolding: &Unfolding,
    player: usize,
    chances: &[f64],
) -> Vec<Choice> {
    let sets = &unfolding.players[player];
    let name = |id| game.moves().name(id).to_string();
    let percepts = |set: u32| {
        let ids = table.percept_sets[set as usize].iter();
        ids.map(|&id| game.percepts().name(id).to_string())
            .collect::<Vec<String>>()
    };
    let with_choice = (0..sets.len() as u32).filter(|&set| sets.known_sequences(set).count() > 1);
    let choice = |set: u32| Choice {
        role: table.roles[sets.role.index()].clone(),
        history: sets
            .history(set)
            .into_iter()
            .map(|(made, told)| (name(made), percepts(told)))
            .collect(),
        moves: sets
            .known_sequences(set)
            .map(|sequence| (name(sets.moves[sequence]), chances[sequence]))
            .collect(),
    };
    with_choice.map(choice).collect()
}

fn write_report(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    let (strong, faint) = (terminal::STRONG, terminal::FAINT);
    let game = &report.game;
    if report.values.is_empty() {
        let because = report.because.as_deref().unwrap_or("?");
        writeln!(out, "{strong}{game}{strong:#} is not solved: {because}")?;
        return Ok(());
    }
    let states = text::count(report.states as u128, "state");
    let points = text::count(report.points as u128, "point");
    let method = report.method.unwrap_or("?");
    writeln!(
        out,
        "{strong}{game}{strong:#} {faint}solved by {method} over {states} and {points} of histories{faint:#}"
    )?;
    let values = report
        .roles
        .iter()
        .zip(&report.values)
        .map(|(role, value)| format!("{role} {value:.6}"));
    writeln!(
        out,
        "  values       {}",
        values.collect::<Vec<_>>().join(", ")
    )?;
    if let (Some([lower, upper]), Some(exploitability)) = (report.bounds, report.exploitability) {
        writeln!(
            out,
            "  bounds       {lower:.9} to {upper:.9}, exploitability {exploitability:.1e}"
        )?;
    }
    if let Some(rounds) = report.rounds {
        let sets: Vec<String> = report
            .information_sets
            .iter()
            .map(ToString::to_string)
            .collect();
        writeln!(
            out,
            "  effort       {rounds} rounds, information sets with a choice: {}",
            sets.join(" and ")
        )?;
    }
    if let Some(because) = &report.because {
        writeln!(out, "  {because}")?;
    }
    for choice in &report.strategy {
        let step = |(made, told): &(String, Vec<String>)| match told[..] {
            [] => made.clone(),
            _ => format!("{made} [{}]", told.join(" ")),
        };
        let history: Vec<String> = choice.history.iter().map(step).collect();
        let moves = choice
            .moves
            .iter()
            .map(|(name, chance)| format!("{name} {chance:.4}"));
        writeln!(
            out,
            "  {} after {}: {}",
            choice.role,
            history.join(", "),
            moves.collect::<Vec<_>>().join(", ")
        )?;
    }
    Ok(())
}
