//! Fluents and moves that are asked for must come from somewhere, and be declared if anything is.
//!
//! Both are compared by shape only, that is by name and number of arguments, and only where every shape is in plain
//! sight: one `next` or `legal` whose fluent or move is a variable from elsewhere, and nothing is said.

use super::findings::Findings;
use super::names::{closest, places, quote};
use super::outline::Outline;
use crate::keyword::Keyword;
use crate::problem::{Code, Problem};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::{Atom, Clause, Formula, Term, TermKind};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

pub(super) fn check(outline: &Outline, findings: &mut Findings) {
    let fluents = Shapes::of_clauses(outline, &[Keyword::Init, Keyword::Next]);
    let moves = Shapes::of_clauses(outline, &[Keyword::Legal]);
    let asked = Shapes::of_uses(outline, &[Keyword::True, Keyword::Expired]);
    report_undefined(outline, Code::UndefinedFluent, &asked, &fluents, findings);
    let done = Shapes::of_uses(outline, &[Keyword::Does]);
    report_undefined(outline, Code::UndefinedMove, &done, &moves, findings);
    report_undeclared(outline, Keyword::Base, &fluents, findings);
    report_undeclared(outline, Keyword::Input, &moves, findings);
}

/// The name of a fluent or move and the number of its arguments.
type Shape = (Symbol, usize);

/// Where a shape is first seen, and how often.
struct Seen {
    first: Span,
    count: usize,
}

/// The shapes of the fluents or moves in some atoms.
#[derive(Default)]
struct Shapes {
    seen: IndexMap<Shape, Seen, FxBuildHasher>,
    /// Whether there may be others.
    open: bool,
}

impl Shapes {
    fn of_clauses(outline: &Outline, keywords: &[Keyword]) -> Self {
        let mut shapes = Self::default();
        for clause in keywords
            .iter()
            .flat_map(|&keyword| outline.clauses(keyword))
        {
            if !is_frame(outline, clause) {
                shapes.add(outline, &clause.head);
            }
        }
        shapes
    }

    fn of_uses(outline: &Outline, keywords: &[Keyword]) -> Self {
        let mut shapes = Self::default();
        for used in keywords
            .iter()
            .flat_map(|&keyword| outline.uses_of(keyword))
        {
            shapes.add(outline, used.atom);
        }
        shapes
    }

    fn add(&mut self, outline: &Outline, atom: &Atom) {
        let term = atom.args.last().filter(|_| outline.is_well_formed(atom));
        match term.and_then(|term| Some((shape(term)?, term.span))) {
            Some((shape, first)) => {
                self.seen
                    .entry(shape)
                    .or_insert(Seen { first, count: 0 })
                    .count += 1;
            }
            None => self.open = true,
        }
    }
}

fn shape(term: &Term) -> Option<Shape> {
    match &term.kind {
        TermKind::Variable(_) => None,
        TermKind::Constant(name) => Some((*name, 0)),
        TermKind::Compound(name, args) => Some((*name, args.len())),
    }
}

/// Whether the clause only keeps a fluent that holds already, as in `(<= (next ?f) (true ?f) ...)`.
fn is_frame(outline: &Outline, clause: &Clause) -> bool {
    let variable = |atom: &Atom| match atom.args.last()?.kind {
        TermKind::Variable(name) => Some(name),
        _ => None,
    };
    let kept = variable(&clause.head);
    kept.is_some()
        && clause.body.iter().any(|formula| match formula {
            Formula::Atom(atom) => {
                outline.symbols().name(atom.relation) == Keyword::True.name()
                    && variable(atom) == kept
            }
            _ => false,
        })
}

/// Reports shapes that are asked for and that nothing makes.
fn report_undefined(
    outline: &Outline,
    code: Code,
    asked: &Shapes,
    made: &Shapes,
    findings: &mut Findings,
) {
    if made.open {
        return;
    }
    let (what, makers) = match code {
        Code::UndefinedMove => ("move", "no `legal` allows it"),
        _ => ("fluent", "no `init` or `next` makes it hold"),
    };
    let functions = made.seen.keys().filter(|&&(_, arity)| arity > 0);
    let functions: FxHashSet<Symbol> = functions.map(|&(name, _)| name).collect();
    for (&(name, arity), seen) in &asked.seen {
        // A function with another number of arguments is reported as such.
        if made.seen.contains_key(&(name, arity)) || arity > 0 && functions.contains(&name) {
            continue;
        }
        let name = outline.symbols().name(name);
        let message = format!("the {what} {} is asked for, but {makers}", quote(name));
        let problem = Problem::new(code, seen.first, message)
            .label(format!("never so{}", places(seen.count)));
        let known = made
            .seen
            .keys()
            .map(|&(name, _)| outline.symbols().name(name));
        findings.add(match name {
            "not" | "and" | "or" | "distinct" => problem.help(format!(
                "`{name}` goes outside: `({name} ({} ...))`",
                asker(code)
            )),
            _ if findings.is_full(code) => problem,
            _ => match closest(name, known) {
                Some(meant) => problem.help(format!("did you mean {}?", quote(meant))),
                None => problem,
            },
        });
    }
}

fn asker(code: Code) -> &'static str {
    match code {
        Code::UndefinedMove => "does",
        _ => "true",
    }
}

/// Reports shapes that the rules make and the declarations leave out, if there are declarations.
fn report_undeclared(outline: &Outline, keyword: Keyword, made: &Shapes, findings: &mut Findings) {
    let declared = Shapes::of_clauses(outline, &[keyword]);
    let Some(first) = outline.clauses(keyword).next().filter(|_| !declared.open) else {
        return;
    };
    for (shape, seen) in made
        .seen
        .iter()
        .filter(|(shape, _)| !declared.seen.contains_key(*shape))
    {
        let name = outline.symbols().name(shape.0);
        let declaration = keyword.name();
        let arguments = match shape.1 {
            0 => String::new(),
            count => format!(
                " with {count} argument{}",
                if count == 1 { "" } else { "s" }
            ),
        };
        let message = format!(
            "{}{arguments} is not declared by any `{declaration}`",
            quote(name)
        );
        findings.add(
            Problem::new(Code::DeclarationMismatch, seen.first, message)
                .label("not declared")
                .related(first.head.span, "declarations begin here")
                .help(format!(
                    "declare it too, or leave out all `{declaration}` clauses"
                )),
        );
    }
}
