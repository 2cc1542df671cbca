//! `paidia why`: what the rules say about a position, in sentences.

use std::io::Write;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use paidia_arena::engine::at_once;
use paidia_arena::explain::{ExplainError, Explanations, Names, Placed, Told, Topic};
use paidia_arena::rules::Ruleset;
use paidia_game::{AnyGame, Game, Legible, RoleId, Rules, Walker};
use serde::Serialize;

use super::write_json;
use crate::position::Start;
use crate::{Verdict, draw, terminal};

/// Explains a position by the rules: why a move is not legal, why it is over, what is needed to win
#[derive(Args)]
#[command(after_help = "Examples:
  paidia why tic-tac-toe '(mark 1 1)' --after '(mark 1 1)'   why a move is legal, or is not
  paidia why tic-tac-toe '(cell 1 1 x)'                      why a fact holds, or does not
  paidia why connect-four over                               why it is over, or goes on
  paidia why tic-tac-toe win --as o                          what a role still needs
  paidia why breakthrough change --after '(move 1 2 1 3)'    what the last move changed
  paidia why my-game.kif rules                               the whole sheet in plain words

Each sentence names the lines of the sheet that it is made from.")]
pub(crate) struct Why {
    /// A bundled game or a rule file
    game: String,

    /// `over`, `win`, `change`, `rules`, a move, or a fact
    #[arg(
        value_name = "WHAT",
        default_value = "over",
        allow_hyphen_values = true
    )]
    what: String,

    /// The role that a move or a win is asked about; the one to move if nothing is said
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,

    #[command(flatten)]
    start: Start,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    what: &'a str,
    role: Option<&'a str>,
    lines: &'a [Told],
}

#[derive(Serialize)]
struct Section {
    title: &'static str,
    lines: Vec<Told>,
}

impl Why {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let rules = Ruleset::find(&self.game)?;
        let explanations = Explanations::new(&rules)?.with_names(names(&rules)?);
        if self.what == "rules" {
            return self.tell_rules(out, &rules, &explanations);
        }
        let game = at_once(&rules)?;
        let (state, made) = match self.what.as_str() {
            "change" => {
                let last = self.start.last(&game)?;
                let (state, joint) = last.context(
                    "`change` tells what the last move of --after changed; name a move there",
                )?;
                (state, Some(joint))
            }
            _ => (self.start.state(&game)?, None),
        };
        let fluents = game.fluents(&state);
        let role = self.role(&game, &state)?;
        let topics = match (self.what.as_str(), made) {
            ("over", _) => vec![Topic::Over],
            ("win", _) => vec![Topic::Win { role: role.clone() }],
            (_, Some(joint)) => {
                let after = game.fluents(&self.start.state(&game)?);
                vec![Topic::Change { joint, after }]
            }
            (text, None) => vec![
                Topic::Move {
                    role: role.clone(),
                    made: text.to_owned(),
                },
                Topic::Fact(text.to_owned()),
            ],
        };
        let lines = first_that_fits(&explanations, &fluents, &topics)?;
        if self.json {
            let role =
                (!matches!(topics[0], Topic::Over | Topic::Change { .. })).then_some(role.as_str());
            let report = Report {
                game: rules.name(),
                what: &self.what,
                role,
                lines: &lines,
            };
            write_json(out, &report)?;
        } else {
            write_lines(out, &lines)?;
        }
        Ok(Verdict::Yes)
    }

    fn tell_rules(
        &self,
        out: &mut dyn Write,
        rules: &Ruleset,
        explanations: &Explanations,
    ) -> anyhow::Result<Verdict> {
        let sections = explanations.in_words().into_iter();
        let sections: Vec<Section> = sections
            .map(|(title, lines)| Section { title, lines })
            .collect();
        if self.json {
            #[derive(Serialize)]
            struct Sheet<'a> {
                game: &'a str,
                sections: &'a [Section],
            }
            write_json(
                out,
                &Sheet {
                    game: rules.name(),
                    sections: &sections,
                },
            )?;
            return Ok(Verdict::Yes);
        }
        let strong = terminal::STRONG;
        for section in &sections {
            writeln!(out, "{strong}{}{strong:#}", section.title)?;
            write_lines(out, &section.lines)?;
            writeln!(out)?;
        }
        Ok(Verdict::Yes)
    }

    /// The role that is asked about: the first with a choice if nothing is said.
    fn role(&self, game: &AnyGame, state: &<AnyGame as Rules>::State) -> anyhow::Result<String> {
        let facts = game.facts();
        if let Some(name) = &self.role {
            let found = facts.role(name);
            found.with_context(|| {
                format!("there is no role `{name}`: {}", facts.roles.join(", "))
            })?;
            return Ok(name.clone());
        }
        let mut walker = game.walker();
        walker.jump(state);
        let legal = walker.legal();
        let chooses = |role: &RoleId| legal.of(*role).len() > 1;
        let first = facts.players().find(chooses).or(facts.players().next());
        let first = first.context("no role plays this game")?;
        Ok(facts.role_name(first).to_owned())
    }
}

/// What people call the facts and moves of a game, by its boards.
fn names(rules: &Ruleset) -> anyhow::Result<Names> {
    let scene = Arc::new(draw::scene(rules, &at_once(rules)?));
    let moves = Arc::clone(&scene);
    let placed = move |fluent: &str| {
        let (square, content) = scene.placed(fluent)?;
        Some(Placed { square, content })
    };
    Ok(Names::new(placed, move |text| moves.named(text)))
}

/// The answer to the first topic that means something to the rules; the first error if none does.
fn first_that_fits(
    explanations: &Explanations,
    fluents: &[String],
    topics: &[Topic],
) -> Result<Vec<Told>, ExplainError> {
    let mut refused = None;
    for topic in topics {
        match explanations.ask(fluents, topic) {
            Ok(lines) => return Ok(lines),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    refused.map_or(Ok(Vec::new()), Err)
}

fn write_lines(out: &mut dyn Write, lines: &[Told]) -> anyhow::Result<()> {
    let faint = terminal::FAINT;
    for line in lines {
        let indent = "  ".repeat(line.depth);
        let place = match (line.line, line.end) {
            (Some(first), Some(last)) if last > first => {
                format!("  {faint}lines {first} to {last}{faint:#}")
            }
            (Some(first), _) => format!("  {faint}line {first}{faint:#}"),
            _ => String::new(),
        };
        writeln!(out, "{indent}{}{place}", line.text)?;
    }
    Ok(())
}
