//! Names of rule sheets in GDL. Relations are one kind of names, functions and constants another,
//! and variables belong to their clause, so `cell` the relation and `cell` the fluent are two.

use paidia_gdl::keyword::Keyword;
use paidia_gdl::syntax::{self, Atom, Clause, Formula, Notation, Sheet, Term, TermKind};
use paidia_gdl::{Source, Span, Symbol};
use rustc_hash::FxHashMap;

use super::{Kind, Name, Names, Place, Uses};

pub(super) fn names(text: &str) -> Names {
    let source = Source::new("", text);
    let reading = syntax::read(&source);
    let mut collector = Collector {
        text,
        notation: syntax::guess_notation(text),
        sheet: &reading.sheet,
        known: FxHashMap::default(),
        names: Names::default(),
        within: Span::default(),
        clause: 0,
    };
    for (number, clause) in reading.sheet.clauses.iter().enumerate() {
        collector.clause = number;
        collector.within = clause.span;
        collector.clause(clause);
    }
    collector.names
}

/// What the arguments of an atom mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Fluent,
    Action,
    Percept,
    Role,
    Other,
}

/// What names that argument of a keyword has.
fn meaning(keyword: Keyword, place: usize) -> Meaning {
    use Keyword::{
        Base, Does, Expired, Goal, Init, Input, Legal, Next, Role, Sees, Terminal, True,
    };
    match (keyword, place) {
        (Init | True | Next | Base | Expired, 0) => Meaning::Fluent,
        (Legal | Does | Input, 1) => Meaning::Action,
        (Sees, 1) => Meaning::Percept,
        (Role | Legal | Does | Input | Goal | Sees, 0) => Meaning::Role,
        (Terminal, _) | (_, _) => Meaning::Other,
    }
}

/// Whether a head of this keyword defines what stands in it.
fn defines(keyword: Keyword, meaning: Meaning) -> bool {
    match meaning {
        Meaning::Fluent => matches!(keyword, Keyword::Init | Keyword::Next | Keyword::Base),
        Meaning::Action => matches!(keyword, Keyword::Legal | Keyword::Input),
        Meaning::Percept => keyword == Keyword::Sees,
        Meaning::Role => keyword == Keyword::Role,
        Meaning::Other => false,
    }
}

/// What tells one name from another: its kind, its symbol and, for a variable, its clause.
type Key = (Kind, Symbol, usize);

struct Collector<'a> {
    text: &'a str,
    notation: Notation,
    sheet: &'a Sheet,
    known: FxHashMap<Key, usize>,
    names: Names,
    within: Span,
    clause: usize,
}

impl Collector<'_> {
    fn clause(&mut self, clause: &Clause) {
        let place = self.atom(&clause.head, true);
        let comment = clause.comments.join("\n");
        let name = &mut self.names.all[place];
        if name.comment.is_empty() && name.kind == Kind::Relation {
            comment.trim().clone_into(&mut name.comment);
        }
        clause.body.iter().for_each(|formula| self.formula(formula));
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Atom(atom) => {
                self.atom(atom, false);
            }
            Formula::Distinct(left, right, _) => {
                self.term(left, Meaning::Other, false);
                self.term(right, Meaning::Other, false);
            }
            Formula::Not(inner, _) => self.formula(inner),
            Formula::And(parts, _) | Formula::Or(parts, _) => {
                parts.iter().for_each(|part| self.formula(part));
            }
        }
    }

    /// The name of an atom's relation, after all its names are noted.
    fn atom(&mut self, atom: &Atom, is_head: bool) -> usize {
        let keyword = Keyword::by_name(self.sheet.symbols.name(atom.relation));
        let kind = match keyword {
            Some(_) => Kind::Keyword,
            None => Kind::Relation,
        };
        let arity = atom.args.len();
        let found = self.note(
            kind,
            atom.relation,
            atom.relation_span,
            Some(arity),
            is_head,
        );
        for (place, arg) in atom.args.iter().enumerate() {
            let meaning = keyword.map_or(Meaning::Other, |keyword| meaning(keyword, place));
            let defines = is_head && keyword.is_some_and(|keyword| defines(keyword, meaning));
            self.term(arg, meaning, defines);
        }
        found
    }

    fn term(&mut self, term: &Term, meaning: Meaning, defines: bool) {
        let name = match &term.kind {
            TermKind::Variable(symbol) => {
                self.note(Kind::Variable, *symbol, term.span, None, false);
                return;
            }
            TermKind::Constant(symbol) => {
                self.note(Kind::Term, *symbol, term.span, Some(0), defines)
            }
            TermKind::Compound(symbol, args) => {
                let span = self.function_span(term.span);
                let name = self.note(Kind::Term, *symbol, span, Some(args.len()), defines);
                for arg in args {
                    self.term(arg, Meaning::Other, false);
                }
                name
            }
        };
        let uses = &mut self.names.all[name].uses;
        match meaning {
            Meaning::Fluent => uses.fluent = true,
            Meaning::Action => uses.action = true,
            Meaning::Percept => uses.percept = true,
            Meaning::Role => uses.role = true,
            Meaning::Other => {}
        }
    }

    /// Notes that a name stands at a place.
    fn note(
        &mut self,
        kind: Kind,
        symbol: Symbol,
        span: Span,
        arity: Option<usize>,
        defines: bool,
    ) -> usize {
        let clause = match kind {
            Kind::Variable => self.clause,
            _ => 0,
        };
        let names = &mut self.names;
        let name = *self.known.entry((kind, symbol, clause)).or_insert_with(|| {
            names.all.push(Name {
                text: self.sheet.symbols.name(symbol).to_owned(),
                kind,
                uses: Uses::default(),
                arities: Vec::new(),
                comment: String::new(),
            });
            names.all.len() - 1
        });
        let arities = &mut names.all[name].arities;
        if let Some(arity) = arity
            && let Err(at) = arities.binary_search(&arity)
        {
            arities.insert(at, arity);
        }
        names.places.push(Place {
            span,
            name,
            defines,
            within: self.within,
        });
        name
    }

    /// Where the name of a compound term stands: after the opening parenthesis in KIF, first in
    /// infix notation.
    fn function_span(&self, span: Span) -> Span {
        let text = &self.text[span.range()];
        let start = match self.notation {
            Notation::Kif => {
                text.len() - after_blanks(text.strip_prefix('(').unwrap_or(text)).len()
            }
            Notation::Infix => 0,
        };
        let rest = &text[start..];
        let length = match (self.notation, rest.starts_with('\'')) {
            (Notation::Kif, _) => rest.find(|c: char| c.is_whitespace() || "();".contains(c)),
            // A doubled quote inside a quoted name stands for one, so the name ends before `(`.
            (Notation::Infix, true) => rest.find("'(").map(|quote| quote + 1),
            (Notation::Infix, false) => rest.find(|c: char| c == '(' || c.is_whitespace()),
        };
        let from = span.start as usize + start;
        Span::new(from, from + length.unwrap_or(rest.len()))
    }
}

/// The text after blanks and comments of KIF.
fn after_blanks(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with(';') {
        rest = rest
            .split_once('\n')
            .map_or("", |(_, after)| after)
            .trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use paidia_arena::rules::Language;

    use crate::names::{Kind, Names};

    const KIF: &str = "(role x)
; Three in a row.
(<= (line ?p) (true (cell ?m ?p)) (cell ?m 1))
(cell 1 1)
(<= (next (cell ?m ?p)) (does ?p (mark ?m)))
(<= (legal x (mark 1)) (true (cell 1 b)))
";

    fn at(names: &Names, text: &str, piece: &str) -> usize {
        let offset = text.find(piece).unwrap_or_else(|| panic!("no {piece}"));
        names
            .at(offset)
            .map(|place| place.name)
            .unwrap_or_else(|| panic!("no name at {piece}"))
    }

    #[test]
    fn a_fluent_and_a_relation_of_one_name_are_two() {
        let names = Names::of(KIF, Language::Gdl);
        let fluent = at(&names, KIF, "cell ?m ?p)) (cell");
        let relation = at(&names, KIF, "cell ?m 1");
        assert_ne!(fluent, relation);
        assert_eq!(names.all[fluent].kind, Kind::Term);
        assert!(names.all[fluent].uses.fluent);
        assert_eq!(names.places_of(fluent).count(), 3);
        assert_eq!(names.places_of(relation).count(), 2);
        let defined = names.definitions(fluent);
        assert_eq!(defined.len(), 1, "by the rule with `next`");
        assert_eq!(&KIF[defined[0].span.range()], "cell");
    }

    #[test]
    fn variables_belong_to_their_rule() {
        let names = Names::of(KIF, Language::Gdl);
        let first = at(&names, KIF, "?m ?p)) (cell");
        assert_eq!(names.places_of(first).count(), 2);
        assert_eq!(names.all[first].kind, Kind::Variable);
    }

    #[test]
    fn relations_carry_the_comment_above_them() {
        let names = Names::of(KIF, Language::Gdl);
        let line = at(&names, KIF, "line ?p");
        assert_eq!(names.all[line].comment, "Three in a row.");
        assert_eq!(names.all[line].arities, [1]);
    }

    #[test]
    fn infix_names_stand_where_they_are_written() {
        let text =
            "role(x).\ninit('Big Cell'(1, b)).\nterminal :- true('Big Cell'(1, X)), odd(X).\n";
        let names = Names::of(text, Language::Gdl);
        let cell = at(&names, text, "'Big Cell'(1, X)");
        let spans: Vec<_> = names
            .places_of(cell)
            .map(|place| &text[place.span.range()])
            .collect();
        assert_eq!(spans, ["'Big Cell'", "'Big Cell'"]);
        let moves = names.all.iter().filter(|name| name.uses.role).count();
        assert_eq!(moves, 1, "x is the role");
    }
}
