//! What a match looks like in the terminal: the board, the moves, and what players think.

use std::io::Write;

use anyhow::bail;
use paidia_arena::rules::Ruleset;
use paidia_arena::{Failure, MatchEnd, Move, Turn};
use paidia_game::{Game, GameFacts, Goal, Information, Legible, MoveId, RoleId, Sight};
use paidia_search::belief::Belief;
use paidia_search::{Decision, StopReason};

use crate::draw::Artist;
use crate::{terminal, text};

/// Draws matches of one game.
pub(crate) struct Stage<G: Game + Legible> {
    game: G,
    artist: Artist,
}

impl<G: Game + Legible> Stage<G> {
    /// A stage for a game.
    pub(crate) fn new(rules: &Ruleset, game: &G) -> Self {
        let artist = Artist::new(rules, game, terminal::colour_on_stdout());
        Self {
            game: game.clone(),
            artist,
        }
    }

    /// Moves as they are shown to people: as players write them where that tells them apart, else
    /// as the rules do.
    pub(crate) fn move_names(&self, moves: &[MoveId]) -> Vec<String> {
        let texts: Vec<_> = moves.iter().map(|&id| self.game.moves().name(id)).collect();
        let short: Vec<Option<String>> = texts.iter().map(|text| self.artist.named(text)).collect();
        let is_alone =
            |name: &String| short.iter().flatten().filter(|one| *one == name).count() == 1;
        let pairs = texts.iter().zip(&short);
        pairs
            .map(|(text, name)| match name {
                Some(name) if is_alone(name) => name.clone(),
                _ => text.to_string(),
            })
            .collect()
    }

    /// The title and the rules for people.
    pub(crate) fn write_title(&self, out: &mut dyn Write, rules: &Ruleset) -> anyhow::Result<()> {
        let (strong, faint) = (terminal::STRONG, terminal::FAINT);
        let title = rules.title();
        let roles = self.game.facts().roles.join(", ");
        writeln!(out, "{strong}{title}{strong:#} {faint}({roles}){faint:#}")?;
        if let Some(metadata) = rules.metadata() {
            writeln!(out, "{}", metadata.rules.trim())?;
        }
        Ok(writeln!(out)?)
    }

    /// The board, and the facts that are not on it.
    pub(crate) fn write_state(&self, out: &mut dyn Write, state: &G::State) -> anyhow::Result<()> {
        self.write_fluents(out, &self.game.shown(state))
    }

    fn write_fluents(&self, out: &mut dyn Write, fluents: &[String]) -> anyhow::Result<()> {
        let drawing = self.artist.draw(fluents);
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

    /// What went wrong when the match was opened, if anything did.
    pub(crate) fn write_opening(
        &self,
        out: &mut dyn Write,
        failures: &[Option<Failure>],
    ) -> anyhow::Result<()> {
        let bad = terminal::BAD;
        for (name, failure) in self.game.facts().roles.iter().zip(failures) {
            if let Some(failure) = failure {
                writeln!(
                    out,
                    "{bad}the player of {name} is not ready: it {failure}{bad:#}"
                )?;
            }
        }
        Ok(())
    }

    /// A joint move: the parts of the roles that had a choice, with what their players report, and
    /// all that went wrong.
    pub(crate) fn write_moves(
        &self,
        out: &mut dyn Write,
        moves: &[Move],
        number: usize,
    ) -> anyhow::Result<()> {
        let had_a_choice = |made: &Move| {
            let decision = made.decision.as_ref();
            decision.is_some_and(|decision| decision.report.stopped != StopReason::OnlyMove)
        };
        let matters = |made: &Move| had_a_choice(made) || made.failure.is_some();
        let any_matters = moves.iter().any(matters);
        let strong = terminal::STRONG;
        for (role, made) in self.game.facts().role_ids().zip(moves) {
            if any_matters && !matters(made) {
                continue;
            }
            let name = self.game.facts().role_name(role);
            let text = self.game.moves().name(made.id);
            let remark = self.remark(role, made);
            writeln!(out, "{number}. {name} {strong}{text}{strong:#}{remark}")?;
        }
        Ok(())
    }

    /// What there is to say about a move: what went wrong, or what the player thought.
    fn remark(&self, role: RoleId, made: &Move) -> String {
        if let Some(failure) = &made.failure {
            let bad = terminal::BAD;
            return format!("  {bad}drawn, because the player {failure}{bad:#}");
        }
        let thoughts = made.decision.as_ref();
        let thoughts = thoughts.map(|decision| self.thoughts(role, decision));
        let faint = terminal::FAINT;
        match thoughts {
            Some(thoughts) if !thoughts.is_empty() => format!("  {faint}{thoughts}{faint:#}"),
            _ => String::new(),
        }
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

    /// How a match ended, in a sentence.
    pub(crate) fn ending(&self, result: &MatchEnd, moves: usize) -> String {
        let after = text::count(moves as u128, "move");
        match result {
            MatchEnd::Over(goals) => {
                let strong = terminal::STRONG;
                let results = self.results(goals);
                format!("The game is over after {after}: {strong}{results}{strong:#}.")
            }
            MatchEnd::Cut => format!("The match was cut after {after}."),
            MatchEnd::Stuck(_) => {
                "A role has no legal move, and the game is not over: the rules are faulty."
                    .to_owned()
            }
            MatchEnd::Fault(fault) => format!("The match stopped: {fault}."),
        }
    }

    /// What the person in a role may know: the board, or, where the game hides things, what it saw
    /// of the last joint move and what must be true by all that it was told.
    pub(crate) fn write_turn(
        &self,
        out: &mut dyn Write,
        turn: &Turn<'_, G>,
        belief: &Belief<G>,
    ) -> anyhow::Result<()> {
        match turn.sight {
            Sight::Whole { state, .. } => self.write_state(out, state),
            Sight::Own { made, percepts } => {
                if made.is_some() {
                    let seen = percepts.iter().map(|&id| self.game.percepts().name(id));
                    let seen: Vec<String> = seen.map(|name| name.to_string()).collect();
                    let seen = match seen.is_empty() {
                        true => "nothing".to_owned(),
                        false => text::wrapped(&seen, 100, 2),
                    };
                    writeln!(out, "  You see {seen}")?;
                }
                match belief.certain() {
                    Some(certain) => self.write_fluents(out, &certain),
                    None => Ok(writeln!(out)?),
                }
            }
        }
    }

    /// The person's own part in a joint move, where the game hides the others.
    pub(crate) fn write_own_move(
        &self,
        out: &mut dyn Write,
        (role, made): (RoleId, MoveId),
        number: usize,
    ) -> anyhow::Result<()> {
        let (name, text) = (
            self.game.facts().role_name(role),
            self.game.moves().name(made),
        );
        let strong = terminal::STRONG;
        Ok(writeln!(out, "{number}. {name} {strong}{text}{strong:#}")?)
    }

    /// The results of all roles.
    fn results(&self, goals: &[Goal]) -> String {
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

/// Refuses a match that starts elsewhere than at the beginning, where players could not be told how
/// it came there.
pub(crate) fn check_start(facts: &GameFacts, is_given: bool) -> anyhow::Result<()> {
    if is_given && facts.information == Information::Hidden {
        bail!(
            "this game hides things from its players, who know their own moves and percepts: a match starts at the \
             beginning, without --after and --from"
        );
    }
    Ok(())
}
