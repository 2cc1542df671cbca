//! Explanations of rules: why a move is not legal, why a match is over, what a role still needs,
//! what a move changed; in sentences, with the lines of the sheet and the facts that they name.

use paidia_reason::explain::words::{self, Line};
use paidia_reason::explain::{Explainer, Position, Question, Reason, Unexplained, sheet};
pub use paidia_reason::explain::{Names, Placed};
use serde::Serialize;

use crate::rules::{GdlRules, RulesError, Ruleset};

/// Facts that came or went with a move of which the reasons are told.
const MOST_CHANGES: usize = 24;

/// What is asked about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Why a role may, or may not, make a move.
    Move {
        /// The role.
        role: String,
        /// The move.
        made: String,
    },
    /// Why it is over, or is not, and why the results are what they are.
    Over,
    /// What a role needs for its best result.
    Win {
        /// The role.
        role: String,
    },
    /// Why a fact of the state holds or does not.
    Fact(String),
    /// What the joint move changes that is made here.
    Change {
        /// For each role its move.
        joint: Vec<String>,
        /// The fluents of the state after it.
        after: Vec<String>,
    },
}

/// A sentence of an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// How deep it stands: what it rests on is one deeper.
    pub depth: usize,
    /// The sentence; what stands between backquotes is as in the sheet.
    pub text: String,
    /// The line of the sheet where the rule begins that it is about, counted from 1.
    pub line: Option<usize>,
    /// The line where that rule ends.
    pub end: Option<usize>,
    /// The fluents and moves that it names.
    pub about: Vec<String>,
}

/// Why there is no explanation.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The rules are in another language.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The engine cannot take the rules.
    #[error(transparent)]
    Load(#[from] paidia_reason::LoadError),
    /// The question cannot be answered.
    #[error(transparent)]
    Question(#[from] Unexplained),
}

/// Explains states of one game.
pub struct Explanations {
    explainer: Explainer,
    rules: std::sync::Arc<GdlRules>,
    names: Names,
}

impl Explanations {
    /// Prepares the rules of a game.
    ///
    /// # Errors
    /// If they are not in GDL, or cannot be played in turns.
    pub fn new(rules: &Ruleset) -> Result<Self, ExplainError> {
        let rules = std::sync::Arc::clone(rules.gdl()?);
        Ok(Self {
            explainer: Explainer::new(rules.name(), &rules.program)?,
            rules,
            names: Names::default(),
        })
    }

    /// With other names for facts and moves than those of the sheet.
    #[must_use]
    pub fn with_names(mut self, names: Names) -> Self {
        self.names = names;
        self
    }

    /// The answer to a question about a state.
    ///
    /// # Errors
    /// If the question makes no sense for these rules, or takes too much work.
    pub fn ask(&self, fluents: &[String], topic: &Topic) -> Result<Vec<Told>, ExplainError> {
        let lines = match topic {
            Topic::Move { role, made } => {
                let (role, made) = (role.clone(), made.clone());
                self.one(fluents, &Question::Legal { role, made })?
            }
            Topic::Fact(text) => self.one(fluents, &Question::Now(text.clone()))?,
            Topic::Over => self.over(fluents)?,
            Topic::Win { role } => self.win(fluents, role)?,
            Topic::Change { joint, after } => self.change(fluents, joint, after)?,
        };
        Ok(lines.into_iter().map(|line| self.placed(line)).collect())
    }

    fn one(&self, fluents: &[String], question: &Question) -> Result<Vec<Line>, ExplainError> {
        let reason = self.explainer.at(fluents, None)?.why(question)?;
        Ok(words::lines(&reason, &self.names))
    }

    fn over(&self, fluents: &[String]) -> Result<Vec<Line>, ExplainError> {
        let mut position = self.explainer.at(fluents, None)?;
        let reason = position.why(&Question::Terminal)?;
        let mut lines = words::lines(&reason, &self.names);
        if reason.holds {
            for role in self.roles() {
                for (value, holds) in position.goals(&role)? {
                    if holds {
                        lines.extend(words::lines(
                            &goal(&mut position, &role, value)?,
                            &self.names,
                        ));
                    }
                }
            }
        }
        Ok(lines)
    }

    /// What a role lacks for the highest of its goals.
    fn win(&self, fluents: &[String], role: &str) -> Result<Vec<Line>, ExplainError> {
        let mut position = self.explainer.at(fluents, None)?;
        let goals = position.goals(role)?;
        let Some(&(value, _)) = goals.iter().max() else {
            let unknown = Unexplained::Unknown {
                text: role.to_owned(),
                because: "its goals are not written as numbers".to_owned(),
            };
            return Err(unknown.into());
        };
        let mut reason = goal(&mut position, role, value)?;
        // The way that lacks least says what to do; others would only be longer.
        shorten(&mut reason);
        Ok(words::lines(&reason, &self.names))
    }

    fn change(
        &self,
        fluents: &[String],
        joint: &[String],
        after: &[String],
    ) -> Result<Vec<Line>, ExplainError> {
        let mut position = self.explainer.at(fluents, Some(joint))?;
        let came: Vec<&String> = after.iter().filter(|one| !fluents.contains(one)).collect();
        let went = fluents.iter().filter(|one| !after.contains(one));
        // What something else stands in the place of needs no sentence of its own.
        let replaced = |one: &&String| came.iter().any(|other| place(other) == place(one));
        let went = went.filter(|one| place(one).is_none() || !replaced(one));
        let changed: Vec<&String> = came.iter().copied().chain(went).collect();
        let mut lines = Vec::new();
        for fluent in changed.iter().take(MOST_CHANGES) {
            let mut reason = position.why(&Question::After((*fluent).clone()))?;
            reason.attempts.truncate(1);
            lines.extend(words::lines(&reason, &self.names));
        }
        if changed.is_empty() {
            lines.push(note("This move changes nothing."));
        } else if changed.len() > MOST_CHANGES {
            let more = changed.len() - MOST_CHANGES;
            lines.push(note(&format!("And {more} other facts came or went.")));
        }
        Ok(lines)
    }

    /// The rules in words, section by section.
    pub fn in_words(&self) -> Vec<(&'static str, Vec<Told>)> {
        let told = |one: sheet::Sentence| {
            self.placed(Line {
                depth: 0,
                text: one.text,
                clause: Some(one.clause),
                about: Vec::new(),
            })
        };
        let sections = sheet::in_words(&self.rules.sheet, &self.names).into_iter();
        sections
            .map(|section| {
                (
                    section.title,
                    section.sentences.into_iter().map(told).collect(),
                )
            })
            .collect()
    }

    fn roles(&self) -> Vec<String> {
        let symbols = &self.explainer.program().symbols;
        let heads = self.explainer.program().rules.iter().filter(|rule| {
            let role = self
                .explainer
                .program()
                .keyword(paidia_gdl::keyword::Keyword::Role);
            Some(rule.head.relation) == role
        });
        let names = heads.filter_map(|rule| match rule.head.args.first()? {
            paidia_gdl::program::Term::Constant(symbol) => Some(symbols.name(*symbol).to_owned()),
            _ => None,
        });
        names.collect()
    }

    /// A line with its place in the sheet.
    fn placed(&self, line: Line) -> Told {
        let span = line
            .clause
            .and_then(|clause| self.rules.sheet.clauses.get(clause))
            .map(|clause| clause.span);
        let source = &self.rules.text().source;
        Told {
            depth: line.depth,
            text: line.text,
            line: span.map(|span| source.line_column(span.start).0),
            end: span.map(|span| source.line_column(span.end).0),
            about: line.about,
        }
    }
}

fn goal(position: &mut Position<'_>, role: &str, value: i32) -> Result<Reason, Unexplained> {
    let role = role.to_owned();
    position.why(&Question::Goal { role, value })
}

/// A fluent without its last argument, such as the square without what is on it; nothing if it has
/// none.
fn place(fluent: &str) -> Option<&str> {
    let (place, _) = fluent.strip_suffix(')')?.rsplit_once(' ')?;
    Some(place)
}

/// Keeps of all that does not hold the attempt that lacks least.
fn shorten(reason: &mut Reason) {
    reason.attempts.truncate(1);
    for attempt in &mut reason.attempts {
        attempt.missing.iter_mut().for_each(shorten);
    }
}

fn note(text: &str) -> Line {
    Line {
        depth: 0,
        text: text.to_owned(),
        clause: None,
        about: Vec::new(),
    }
}
