//! Printing rule sheets in both notations.
//!
//! What is printed has a normal form: facts stand on one line, rules have one condition a line,
//! comments stand before their clause. Reading it again gives the same rules, and printing those
//! gives the same text.

use super::names::{infix_constant, infix_variable};
use super::{Atom, Clause, Formula, Sheet, Term, TermKind};
use crate::symbol::{Symbol, Symbols};

/// How rules are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `(<= (next (cell ?m ?n x)) (does xplayer (mark ?m ?n)))`
    Kif,
    /// `next(cell(M, N, x)) :- does(xplayer, mark(M, N)).`
    Infix,
}

/// The whole sheet in the given notation, in normal form.
pub fn print(sheet: &Sheet, notation: Notation) -> String {
    let mut printer = Printer::new(&sheet.symbols, notation);
    for clause in &sheet.clauses {
        printer.comments(&clause.comments);
        printer.clause(clause);
    }
    printer.comments(&sheet.closing_comments);
    printer.text
}

/// One term in the given notation, on one line with single spaces.
pub fn term_text(term: &Term, symbols: &Symbols, notation: Notation) -> String {
    let mut printer = Printer::new(symbols, notation);
    printer.term(term);
    printer.text
}

/// One atom in the given notation, on one line with single spaces.
pub fn atom_text(atom: &Atom, symbols: &Symbols, notation: Notation) -> String {
    let mut printer = Printer::new(symbols, notation);
    printer.atom(atom);
    printer.text
}

/// One formula in the given notation, on one line with single spaces.
pub fn formula_text(formula: &Formula, symbols: &Symbols, notation: Notation) -> String {
    let mut printer = Printer::new(symbols, notation);
    printer.formula(formula);
    printer.text
}

struct Printer<'a> {
    symbols: &'a Symbols,
    notation: Notation,
    text: String,
}

impl<'a> Printer<'a> {
    fn new(symbols: &'a Symbols, notation: Notation) -> Self {
        let text = String::new();
        Self {
            symbols,
            notation,
            text,
        }
    }

    fn comments(&mut self, comments: &[String]) {
        let sign = match self.notation {
            Notation::Kif => ";;;",
            Notation::Infix => "%",
        };
        for line in comments
            .iter()
            .flat_map(|comment| comment.split(['\n', '\r']))
        {
            if !line.is_empty() {
                self.put(sign);
                self.put(" ");
                self.put(line);
                self.put("\n");
            } else if !self.text.is_empty() && !self.text.ends_with("\n\n") {
                self.put("\n");
            }
        }
    }

    fn clause(&mut self, clause: &Clause) {
        match (self.notation, clause.body.is_empty()) {
            (Notation::Kif, true) => self.kif_fact(&clause.head),
            (Notation::Kif, false) => {
                self.put("(<= ");
                self.atom(&clause.head);
                self.conditions(&clause.body, "", ")");
            }
            (Notation::Infix, true) => {
                self.atom(&clause.head);
                self.put(".");
            }
            (Notation::Infix, false) => {
                self.atom(&clause.head);
                self.put(" :-");
                self.conditions(&clause.body, ",", ".");
            }
        }
        self.put("\n");
    }

    /// A proposition gets its parentheses here, so that every clause starts with one.
    fn kif_fact(&mut self, head: &Atom) {
        if head.args.is_empty() {
            self.put("(");
            self.name(head.relation);
            self.put(")");
        } else {
            self.atom(head);
        }
    }

    fn conditions(&mut self, body: &[Formula], separator: &str, end: &str) {
        for (at, formula) in body.iter().enumerate() {
            self.put(if at == 0 { "" } else { separator });
            self.put("\n    ");
            self.formula(formula);
        }
        self.put(end);
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Atom(atom) => self.atom(atom),
            Formula::Distinct(left, right, _) => {
                self.application("distinct", [left, right], Self::term);
            }
            Formula::Not(inner, _) => match self.notation {
                Notation::Kif => self.application("not", [&**inner], Self::formula),
                Notation::Infix => {
                    self.put("not ");
                    self.formula(inner);
                }
            },
            Formula::And(parts, _) => self.joined("and", ", ", parts),
            Formula::Or(parts, _) => self.joined("or", " | ", parts),
        }
    }

    /// Parts joined by a connective. Infix signs stand between two parts; one part alone is written
    /// as an application, `or(p)`, in order not to lose the connective.
    fn joined(&mut self, word: &str, sign: &str, parts: &[Formula]) {
        if self.notation == Notation::Kif || parts.len() < 2 {
            return self.application(word, parts, Self::formula);
        }
        self.put("(");
        for (at, part) in parts.iter().enumerate() {
            self.put(if at == 0 { "" } else { sign });
            self.formula(part);
        }
        self.put(")");
    }

    fn atom(&mut self, atom: &Atom) {
        self.name_with_args(atom.relation, &atom.args);
    }

    fn term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Variable(symbol) => self.variable(*symbol),
            TermKind::Constant(symbol) => self.name(*symbol),
            TermKind::Compound(symbol, args) => self.name_with_args(*symbol, args),
        }
    }

    fn name_with_args(&mut self, symbol: Symbol, args: &[Term]) {
        if args.is_empty() {
            return self.name(symbol);
        }
        let name = self.symbols.name(symbol);
        match self.notation {
            Notation::Kif => self.application(name, args, Self::term),
            Notation::Infix => self.application(&infix_constant(name), args, Self::term),
        }
    }

    fn application<T>(
        &mut self,
        name: &str,
        args: impl IntoIterator<Item = T>,
        print: impl Fn(&mut Self, T),
    ) {
        let (before, after, separator) = match self.notation {
            Notation::Kif => ("(", " ", " "),
            Notation::Infix => ("", "(", ", "),
        };
        self.put(before);
        self.put(name);
        for (at, arg) in args.into_iter().enumerate() {
            self.put(if at == 0 { after } else { separator });
            print(self, arg);
        }
        self.put(")");
    }

    fn name(&mut self, symbol: Symbol) {
        let name = self.symbols.name(symbol);
        match self.notation {
            Notation::Kif => self.put(name),
            Notation::Infix => self.put(&infix_constant(name)),
        }
    }

    fn variable(&mut self, symbol: Symbol) {
        let name = self.symbols.name(symbol);
        match self.notation {
            Notation::Kif => {
                self.put("?");
                self.put(name);
            }
            Notation::Infix => self.put(&infix_variable(name)),
        }
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }
}
