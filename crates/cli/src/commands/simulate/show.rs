//! One random match, move by move, with the board.

use std::io::Write;

use paidia_arena::rules::Ruleset;
use paidia_game::{
    AnyGame, AnyState, AnyWalker, Chance, Game, Goal, Legible, MoveId, RoleId, Rules, Walker,
};

use crate::draw::Artist;
use crate::{Verdict, terminal, text};

/// Plays once at random and shows every state and every move.
pub(super) fn show(
    out: &mut dyn Write,
    rules: &Ruleset,
    game: &AnyGame,
    start: &AnyState,
    seed: u64,
    step_limit: u32,
) -> anyhow::Result<Verdict> {
    let artist = Artist::new(rules, game, terminal::colour_on_stdout());
    let mut walker = game.walker();
    walker.jump(start);
    write_title(out, rules, game, seed)?;
    let mut chance = Chance::from_seed(seed);
    let mut joint = Vec::new();
    for step in 1..=step_limit {
        write_state(out, game, &walker, &artist)?;
        if walker.is_terminal() {
            return write_end(out, game, &mut walker, step - 1);
        }
        let drawn = walker.legal().draw(&mut chance, &mut joint);
        if walker.fault().is_some() {
            return write_end(out, game, &mut walker, step - 1);
        }
        if let Err(role) = drawn {
            let role = game.facts().role_name(role);
            writeln!(
                out,
                "{role} has no legal move, and the game is not over: the rules are faulty."
            )?;
            return Ok(Verdict::No);
        }
        write_moves(out, game, &mut walker, &joint, step)?;
        walker.advance(&joint, &mut chance);
    }
    writeln!(
        out,
        "The match was cut after {}.",
        text::count(step_limit.into(), "move")
    )?;
    Ok(Verdict::Yes)
}

fn write_title(
    out: &mut dyn Write,
    rules: &Ruleset,
    game: &AnyGame,
    seed: u64,
) -> anyhow::Result<()> {
    let (strong, faint) = (terminal::STRONG, terminal::FAINT);
    let title = rules.title();
    let roles = game.facts().roles.join(", ");
    writeln!(
        out,
        "{strong}{title}{strong:#} {faint}({roles}), played at random with seed {seed}{faint:#}"
    )?;
    if let Some(metadata) = rules.metadata() {
        writeln!(out, "{}", metadata.rules.trim())?;
    }
    writeln!(out)?;
    Ok(())
}

fn write_state(
    out: &mut dyn Write,
    game: &AnyGame,
    walker: &AnyWalker,
    artist: &Artist,
) -> anyhow::Result<()> {
    let mut state = game.initial();
    walker.save(&mut state);
    let fluents = game.shown(&state);
    let drawing = artist.draw(&fluents);
    for line in &drawing.lines {
        writeln!(out, "  {line}")?;
    }
    if !drawing.rest.is_empty() {
        let faint = terminal::FAINT;
        let rest: Vec<String> = drawing.rest.iter().map(|&fact| fact.to_owned()).collect();
        writeln!(out, "  {faint}{}{faint:#}", text::wrapped(&rest, 100, 2))?;
    }
    writeln!(out)?;
    Ok(())
}

/// The moves of the roles that had a choice; of all roles if none had one.
fn write_moves(
    out: &mut dyn Write,
    game: &AnyGame,
    walker: &mut AnyWalker,
    joint: &[MoveId],
    step: u32,
) -> anyhow::Result<()> {
    let legal = walker.legal();
    let choosing: Vec<RoleId> = legal
        .iter()
        .filter(|(_, moves)| moves.len() > 1)
        .map(|(role, _)| role)
        .collect();
    let made = game.facts().role_ids().zip(joint);
    let shown: Vec<String> = made
        .filter(|(role, _)| choosing.is_empty() || choosing.contains(role))
        .map(|(role, &id)| {
            let strong = terminal::STRONG;
            format!(
                "{} {strong}{}{strong:#}",
                game.facts().role_name(role),
                game.moves().name(id)
            )
        })
        .collect();
    writeln!(out, "{step}. {}", shown.join(", "))?;
    Ok(())
}

fn write_end(
    out: &mut dyn Write,
    game: &AnyGame,
    walker: &mut AnyWalker,
    moves: u32,
) -> anyhow::Result<Verdict> {
    if let Some(fault) = walker.fault() {
        writeln!(out, "The match stopped: {fault}.")?;
        return Ok(Verdict::No);
    }
    let goals: Vec<String> = game
        .facts()
        .role_ids()
        .map(|role| {
            let goal = match walker.goal(role) {
                Goal::One(value) => value.to_string(),
                Goal::None => "no goal".to_owned(),
                Goal::Several => "several goals".to_owned(),
            };
            format!("{} {goal}", game.facts().role_name(role))
        })
        .collect();
    let strong = terminal::STRONG;
    let after = text::count(moves.into(), "move");
    writeln!(
        out,
        "The game is over after {after}: {strong}{}{strong:#}.",
        goals.join(", ")
    )?;
    Ok(Verdict::Yes)
}
