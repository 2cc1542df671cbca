//! Fluents and moves that are asked for must come from somewhere, and be declared if anything is.
//!
//! Both are compared by shape only, that is by name and number of arguments, and only where every
//! shape is in plain sight: one `next` or `legal` whose fluent or move is a variable from
//! elsewhere, and nothing is said.

use super::findings::Findings;
use super::names::{arguments, closest, places, quote};
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
    FLUENT.report_undefined(outline, &fluents, findings);
    MOVE.report_undefined(outline, &moves, findings);
    report_undeclared(outline, Keyword::Base, &fluents, findings);
    report_undeclared(outline, Keyword::Input, &moves, findings);
}

/// How one kind of thing is asked for, and what to say if nothing makes it.
struct Subject {
    code: Code,
    askers: &'static [Keyword],
    name: &'static str,
    why: &'static str,
    label: &'static str,
}

const FLUENT: Subject = Subject {
    code: Code::UndefinedFluent,
    askers: &[Keyword::True, Keyword::Expired],
    name: "fluent",
    why: "no `init` or `next` makes it hold",
    label: "never holds",
};

const MOVE: Subject = Subject {
    code: Code::UndefinedMove,
    askers: &[Keyword::Does],
    name: "move",
    why: "no `legal` allows it",
    label: "never made",
};

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

impl Subject {
    /// Reports shapes that are asked for and that nothing makes.
    fn report_undefined(&self, outline: &Outline, made: &Shapes, findings: &mut Findings) {
        if made.open {
            return;
        }
        let functions = made.seen.keys().filter(|&&(_, arity)| arity > 0);
        let functions: FxHashSet<Symbol> = functions.map(|&(name, _)| name).collect();
        let asked = Shapes::of_uses(outline, self.askers);
        for (&(name, arity), seen) in &asked.seen {
            // A function with another number of arguments is reported as such.
            if made.seen.contains_key(&(name, arity)) || arity > 0 && functions.contains(&name) {
                continue;
            }
            let name = outline.symbols().name(name);
            let message = format!(
                "the {} {} is asked for, but {}",
                self.name,
                quote(name),
                self.why
            );
            let help = match findings.is_full(self.code) {
                true => String::new(),
                false => self.help(outline, name, made),
            };
            findings.add(
                Problem::new(self.code, seen.first, message)
                    .label(format!("{}{}", self.label, places(seen.count)))
                    .help(help),
            );
        }
    }

    fn help(&self, outline: &Outline, name: &str, made: &Shapes) -> String {
        if let "not" | "and" | "or" | "distinct" = name {
            let asker = self.askers[0].name();
            return format!("`{name}` goes outside: `({name} ({asker} ...))`");
        }
        let known = made
            .seen
            .keys()
            .map(|&(name, _)| outline.symbols().name(name));
        closest(name, known).map_or(String::new(), |meant| {
            format!("did you mean {}?", quote(meant))
        })
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
        let with = match shape.1 {
            0 => String::new(),
            count => format!(" with {}", arguments(count)),
        };
        let message = format!(
            "{}{with} is not declared by any `{declaration}`",
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
