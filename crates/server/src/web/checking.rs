//! Rules as text: what is wrong with them, and their normal form.

use paidia_arena::rules::{RuleText, RulesError};
use paidia_gdl::syntax::Notation;
use paidia_gdl::{Problem, Severity, Source, Span};
use serde::{Deserialize, Serialize};

use super::refusal::Refusal;

/// Rules that are being written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Text {
    text: String,
}

#[derive(Serialize)]
pub(super) struct Checked {
    dialect: &'static str,
    /// Whether they can be played.
    ok: bool,
    problems: Vec<ProblemView>,
}

/// A problem as the page shows it; lines and columns are counted from 1, columns in characters.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProblemView {
    severity: &'static str,
    code: &'static str,
    message: String,
    #[serde(flatten)]
    place: Place,
    label: String,
    help: String,
    explanation: &'static str,
    related: Vec<RelatedView>,
}

#[derive(Debug, Serialize)]
struct RelatedView {
    #[serde(flatten)]
    place: Place,
    message: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

/// What is wrong with rules.
pub(super) fn check(asked: &Text) -> Result<Checked, Refusal> {
    let text = RuleText::new("the rules", &asked.text);
    let report = text.diagnose(None);
    let report = report.map_err(|error| Refusal::unusable(error.sentence()))?;
    Ok(Checked {
        dialect: report.language,
        ok: !report.has_errors(),
        problems: problems(&text.source, &report.problems),
    })
}

/// Problems as the page shows them.
pub(super) fn problems(source: &Source, problems: &[Problem]) -> Vec<ProblemView> {
    let problems = problems.iter();
    problems.map(|problem| view(source, problem)).collect()
}

fn view(source: &Source, problem: &Problem) -> ProblemView {
    let related = |(span, message): &(Span, String)| RelatedView {
        place: place(source, *span),
        message: message.clone(),
    };
    ProblemView {
        severity: match problem.code.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        code: problem.code.name(),
        message: problem.message.clone(),
        place: place(source, problem.span),
        label: problem.label.clone(),
        help: problem.help.clone(),
        explanation: problem.code.explanation(),
        related: problem.related.iter().map(related).collect(),
    }
}

fn place(source: &Source, span: Span) -> Place {
    let (line, column) = source.line_column(span.start);
    let (end_line, end_column) = source.line_column(span.end);
    Place {
        line,
        column,
        end_line,
        end_column,
    }
}

/// Rules, and the notation they should have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unformatted {
    text: String,
    to: Option<NotationName>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum NotationName {
    Kif,
    Infix,
}

#[derive(Serialize)]
pub(super) struct Formatted {
    text: String,
}

/// Rules in their normal form.
pub(super) fn format(asked: &Unformatted) -> Result<Formatted, Refusal> {
    let text = RuleText::new("the rules", &asked.text);
    let notation = asked.to.map(|notation| match notation {
        NotationName::Kif => Notation::Kif,
        NotationName::Infix => Notation::Infix,
    });
    let formatted = text.normal_form(notation).map_err(|error| match error {
        RulesError::Invalid(invalid) => {
            let errors = invalid.problems.iter().filter(|problem| problem.is_error());
            let errors = errors
                .map(|problem| view(&invalid.source, problem))
                .collect();
            let refusal = Refusal::unusable("the rules cannot be read as a whole; mend that first");
            refusal.with_problems(errors)
        }
        other => Refusal::unusable(other.sentence()),
    })?;
    Ok(Formatted { text: formatted })
}
