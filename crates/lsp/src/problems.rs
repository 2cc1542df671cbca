//! Problems of a document as editors show them, and what mends them at a key.

use lsp_types::{
    CodeAction, CodeActionKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    Location, NumberOrString, Range, TextEdit,
};
use paidia_gdl::{Problem, Severity, Span};

use crate::documents::Document;
use crate::names::Names;
use crate::renaming::edit_of;

/// What problems are said to be from.
const SOURCE: &str = "paidia";

/// What is wrong with the document; problems are kept with it for hovers and quick fixes.
pub(crate) fn diagnostics(document: &mut Document) -> Vec<Diagnostic> {
    match document.rules().diagnose(None) {
        Ok(found) => {
            let shown = found
                .problems
                .iter()
                .map(|problem| shown(document, problem));
            let shown = shown.collect();
            document.problems = found.problems;
            shown
        }
        Err(error) => {
            document.problems = Vec::new();
            vec![Diagnostic {
                severity: Some(DiagnosticSeverity::INFORMATION),
                source: Some(SOURCE.to_owned()),
                message: error.sentence(),
                ..Diagnostic::default()
            }]
        }
    }
}

fn shown(document: &Document, problem: &Problem) -> Diagnostic {
    let range = |span| document.lines.range(&document.text, span);
    let related = problem
        .related
        .iter()
        .map(|(span, message)| DiagnosticRelatedInformation {
            location: Location::new(document.uri.clone(), range(*span)),
            message: message.clone(),
        });
    let related: Vec<_> = related.collect();
    let mut message = problem.message.clone();
    if !problem.help.is_empty() {
        message += "\nhelp: ";
        message += &problem.help;
    }
    Diagnostic {
        range: range(problem.span),
        severity: Some(match problem.code.severity() {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(problem.code.name().to_owned())),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

/// What mends problems in a range: the name that was probably meant.
pub(crate) fn fixes(document: &mut Document, range: Range) -> Vec<CodeAction> {
    let start = document.lines.offset(&document.text, range.start) as u32;
    let end = document.lines.offset(&document.text, range.end) as u32;
    let touched = |problem: &&Problem| problem.span.start <= end && start <= problem.span.end;
    let problems: Vec<Problem> = document.problems.iter().filter(touched).cloned().collect();
    let mut found = Vec::new();
    for problem in problems {
        let Some(meant) = meant(&problem.help) else {
            continue;
        };
        let span = misspelt(&document.names(), problem.span, meant);
        let edit = TextEdit::new(document.lines.range(&document.text, span), meant.to_owned());
        found.push(CodeAction {
            title: format!("Change to `{meant}`"),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![shown(document, &problem)]),
            edit: Some(edit_of(document, vec![edit])),
            is_preferred: Some(true),
            ..CodeAction::default()
        });
    }
    found
}

/// The name that a help suggests: `did you mean ...?` has it in backquotes.
fn meant(help: &str) -> Option<&str> {
    let (_, after) = help.split_once("did you mean `")?;
    after.split_once('`').map(|(name, _)| name)
}

/// The name in a span that is most like the one that was meant; the span itself if there is none.
fn misspelt(names: &Names, span: Span, meant: &str) -> Span {
    let inside = names
        .places
        .iter()
        .filter(|place| span.start <= place.span.start && place.span.end <= span.end);
    let likest = inside.min_by_key(|place| strsim::levenshtein(&names.all[place.name].text, meant));
    likest.map_or(span, |place| place.span)
}
