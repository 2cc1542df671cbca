//! What a match looks like in the terminal: the board, the moves, and what players think.

use std::io::Write;

use paidia_game::{Goal, Legible, MoveId, RoleId};
use paidia_search::Decision;

use crate::draw::Artist;
use crate::rules::GameText;
use crate::{terminal, text};

/// Draws matches of one game.
pub(crate) struct Stage<G: Legible> {
    game: G,
    artist: Artist,
}

impl<G: Legible> Stage<G> {
    /// A stage for a game.
    pub(crate) fn new(text: &GameText, game: &G) -> Self {
        let initial = game.fluents(&game.initial());
        let artist = Artist::new(
            text.metadata.as_ref(),
            initial,
            terminal::colour_on_stdout(),
        );
        Self {
            game: game.clone(),
            artist,
        }
    }

    /// The title and the rules for people.
    pub(crate) fn write_title(&self, out: &mut dyn Write, text: &GameText) -> anyhow::Result<()> {
        let (strong, faint) = (terminal::STRONG, terminal::FAINT);
        let title = text
            .metadata
            .as_ref()
            .map_or(&text.name, |metadata| &metadata.title);
        let roles = self.game.facts().roles.join(", ");
        writeln!(out, "{strong}{title}{strong:#} {faint}({roles}){faint:#}")?;
        if let Some(metadata) = &text.metadata {
            writeln!(out, "{}", metadata.rules.trim())?;
        }
        Ok(writeln!(out)?)
    }

    /// The board, and the facts that are not on it.
    pub(crate) fn write_state(&self, out: &mut dyn Write, state: &G::State) -> anyhow::Result<()> {
        let fluents = self.game.fluents(state);
        let drawing = self.artist.draw(&fluents);
        for line in &drawing.lines {
            writeln!(out, "  {line}")?;
        }
        if !drawing.rest.is_empty() {
            let faint = terminal::FAINT;
            let rest: Vec<String> = drawing.rest.iter().map(|&fact| fact.to_owned()).collect();
            writeln!(out, "  {faint}{}{faint:#}", text::wrapped(&rest, 100, 2))?;
        }
        Ok(writeln!(out)?)
    }

    /// A role with its move.
    pub(crate) fn made(&self, role: RoleId, id: MoveId) -> String {
        let strong = terminal::STRONG;
        let name = self.game.facts().role_name(role);
        format!("{name} {strong}{}{strong:#}", self.game.moves().name(id))
    }

    /// What a player found out, in a line.
    pub(crate) fn thoughts(&self, role: RoleId, decision: &Decision) -> String {
        let report = &decision.report;
        let Some(best) = report.moves.iter().find(|moves| moves.id == decision.id) else {
            return String::new();
        };
        if report.simulations == 0 && best.proven.is_none() {
            return String::new();
        }
        let value = match best.proven {
            Some(goal) => format!("certain {goal}"),
            None => format!("value {:.1}", best.value),
        };
        let mut parts = vec![value];
        if report.simulations > 0 {
            let rate = text::grouped(report.simulations_per_second() as u128);
            parts.push(format!(
                "{} simulations, {rate}/s",
                text::grouped(report.simulations.into())
            ));
        }
        let line: Vec<String> = report
            .line
            .iter()
            .skip(1)
            .take(4)
            .map(|joint| self.own_part(role, joint))
            .collect();
        if !line.is_empty() {
            parts.push(format!("expects {}", line.join(" ")));
        }
        parts.join(", ")
    }

    /// The part of a joint move that tells most: of a role that has more to say than `noop`.
    fn own_part(&self, role: RoleId, joint: &[MoveId]) -> String {
        let names: Vec<_> = joint.iter().map(|&id| self.game.moves().name(id)).collect();
        let telling = names.iter().find(|name| &***name != "noop");
        telling
            .or(names.get(role.index()))
            .map_or_else(String::new, ToString::to_string)
    }

    /// Everybody's result.
    pub(crate) fn results(&self, goals: &[Goal]) -> String {
        let result = |(role, goal): (RoleId, &Goal)| {
            let goal = match goal {
                Goal::One(value) => value.to_string(),
                Goal::None => "no goal".to_owned(),
                Goal::Several => "several goals".to_owned(),
            };
            format!("{} {goal}", self.game.facts().role_name(role))
        };
        let results: Vec<String> = self
            .game
            .facts()
            .role_ids()
            .zip(goals)
            .map(result)
            .collect();
        results.join(", ")
    }
}
