//! Showing problems to people: the line, a caret below it, and what to do.

use crate::problem::{Problem, Severity};
use crate::source::{Source, Span};
use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Message, Origin, Renderer, Snippet,
};
use std::ops::Range;

/// The most bytes of source that are shown with one problem.
const MAX_EXCERPT: usize = 8 << 10;

/// The problems as text for a terminal, each with the lines it is about, with an empty line between
/// them.
///
/// Any span is accepted; one that is not in the text is moved to the nearest place that is.
pub fn render(source: &Source, problems: &[Problem], colour: bool) -> String {
    let lines = Lines::new(source);
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let shown = problems.iter().map(|problem| {
        let group = lines.group(problem);
        renderer.render(&[group]) + "\n"
    });
    shown.collect::<Vec<String>>().join("\n")
}

/// Another place of a problem, and what it has to do with it.
type Related<'a> = (Range<usize>, &'a str);

/// A source that is cut into lines once for all problems.
struct Lines<'a> {
    source: &'a Source,
    /// Where each line starts.
    starts: Vec<usize>,
    /// Where the last word ends.
    last: usize,
}

impl<'a> Lines<'a> {
    fn new(source: &'a Source) -> Self {
        let newlines = source.text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(newlines).collect();
        let last = source.text.trim_end().len();
        Self {
            source,
            starts,
            last,
        }
    }

    /// What is said about one problem. Where its places are too far apart or its line is too long
    /// to be shown, they are named by their line numbers.
    fn group<'b>(&self, problem: &'b Problem) -> Group<'b>
    where
        'a: 'b,
    {
        let level = match problem.code.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level
            .primary_title(problem.message.as_str())
            .id(problem.code.name());
        let place = self.place(problem.span);
        let related = problem.related.iter();
        let related: Vec<Related> = related
            .map(|(span, what)| (self.place(*span), what.as_str()))
            .collect();
        let starts = related.iter().map(|(other, _)| other.start);
        let ends = related.iter().map(|(other, _)| other.end);
        let all = starts.fold(place.start, usize::min)..ends.fold(place.end, usize::max);

        let group = if let Some(excerpt) = self.excerpt(&all) {
            title.element(self.snippet(excerpt, problem, &place, &related))
        } else if let Some(excerpt) = self.excerpt(&place) {
            let group = title.element(self.snippet(excerpt, problem, &place, &[]));
            group.elements(self.notes(&related))
        } else {
            let group = title.element(self.origin(place.start));
            group.elements(self.notes(&related))
        };
        let help = Some(problem.help.as_str()).filter(|help| !help.is_empty());
        group.elements(help.map(|help| Level::HELP.message(help)))
    }

    /// Related places by their line numbers.
    fn notes<'b>(&self, related: &[Related<'b>]) -> impl Iterator<Item = Message<'b>> {
        related.iter().map(|(place, what)| {
            let line = self.line(place.start) + 1;
            Level::NOTE.message(format!("{what}, in line {line}"))
        })
    }

    fn snippet<'b>(
        &self,
        excerpt: Range<usize>,
        problem: &'b Problem,
        place: &Range<usize>,
        related: &[Related<'b>],
    ) -> Snippet<'b, Annotation<'b>>
    where
        'a: 'b,
    {
        let inside = |place: &Range<usize>| place.start - excerpt.start..place.end - excerpt.start;
        let label = Some(problem.label.as_str()).filter(|label| !label.is_empty());
        let others = related
            .iter()
            .map(|(place, what)| AnnotationKind::Context.span(inside(place)).label(*what));
        Snippet::source(&self.source.text[excerpt.clone()])
            .path(self.source.name.as_str())
            .line_start(self.line(excerpt.start) + 1)
            .annotation(AnnotationKind::Primary.span(inside(place)).label(label))
            .annotations(others)
    }

    fn origin(&self, offset: usize) -> Origin<'a> {
        let line = self.line(offset);
        let column = self.source.text[self.starts[line]..offset].chars().count();
        Origin::path(self.source.name.as_str())
            .line(line + 1)
            .char_column(column + 1)
    }

    /// The number of the line with that offset, from 0.
    fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// The whole lines around a place, without the last line end, unless that is too much to show.
    fn excerpt(&self, place: &Range<usize>) -> Option<Range<usize>> {
        let text = &self.source.text;
        let start = self.starts[self.line(place.start)];
        let next = self.starts.get(self.line(place.end) + 1);
        let end = next.map_or(text.len(), |next| next - 1);
        // A place may be the end of the line itself.
        let bare = start + text[start..end].trim_end_matches('\r').len();
        let excerpt = start..bare.max(place.end);
        (excerpt.len() <= MAX_EXCERPT).then_some(excerpt)
    }

    /// The span as a range of whole characters of the text. What is after the last word is shown at
    /// its end.
    fn place(&self, span: Span) -> Range<usize> {
        let text = &self.source.text;
        let mut start = (span.start as usize).min(self.last);
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = (span.end as usize).clamp(start, self.last.max(start));
        while !text.is_char_boundary(end) {
            end += 1;
        }
        start..end
    }
}
