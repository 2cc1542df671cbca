//! Rule sheets as Prolog programs, for SWI-Prolog and YAP.
//!
//! Every relation *r* becomes the predicate `g_r`, so that no name meets one that Prolog has, and
//! every constant an atom, so that `1` and `01` stay different. Disjunctions are multiplied out, as
//! for our own engines, and conditions that only test (`not`, `distinct`) stand at the end of
//! bodies, where their variables are bound. Predicates that may call themselves are tabled. What
//! holds and the moves that are made are either asserted as facts, or lists that are handed along
//! as further arguments. A driver, which is part of the program, plays at random, searches and
//! counts.

use std::fmt::Write;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::dialect::Dialect;
use crate::graph;
use crate::keyword::Keyword;
use crate::program::Term;
use crate::program::conjunctive::{
    Clauses, NamedAtom, NamedLiteral, NamedRule, TooLarge, conjunctive,
};
use crate::symbol::{Symbol, Symbols};
use crate::syntax::Sheet;

/// Plays the program that it follows.
const DRIVER: &str = include_str!("prolog/driver.pl");

/// How a Prolog program keeps what holds and the moves that are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateForm {
    /// As facts `state(F)` and `move(R, M)`, asserted for every state.
    Asserted,
    /// As lists, which are further arguments of the predicates that depend on them.
    List,
}

/// Why a sheet does not become a Prolog program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// Facts with lifetimes have no counterpart in the driver.
    #[error("real-time rules (rtGDL) cannot be written as a Prolog program")]
    RealTime,
    /// There would be too many rules.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// The Prolog program of a sheet that passed the checks; `name` is the game's.
///
/// # Errors
/// If the sheet is in rtGDL or much too large.
pub fn export(
    name: &str,
    sheet: &Sheet,
    dialect: Dialect,
    form: StateForm,
) -> Result<String, ExportError> {
    if dialect.is_timed() {
        return Err(ExportError::RealTime);
    }
    let clauses = conjunctive(sheet, dialect)?;
    let exporter = Exporter::new(&clauses, form);
    let mut out = String::new();
    exporter.header(name, &mut out);
    exporter.predicates(&mut out);
    exporter.interface(&mut out);
    out.push_str(DRIVER);
    Ok(out)
}

/// A relation by its name and number of arguments.
type Key = (Symbol, usize);

/// What a predicate needs to be handed along, or to be forgotten with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Needs {
    state: bool,
    moves: bool,
}

/// A predicate with its clauses.
#[derive(Default)]
struct Predicate<'a> {
    rules: Vec<&'a NamedRule>,
    needs: Needs,
    recursive: bool,
}

struct Exporter<'a> {
    symbols: &'a Symbols,
    form: StateForm,
    predicates: IndexMap<Key, Predicate<'a>>,
}

impl<'a> Exporter<'a> {
    fn new(clauses: &'a Clauses, form: StateForm) -> Self {
        let mut this = Self {
            symbols: &clauses.symbols,
            form,
            predicates: IndexMap::new(),
        };
        for rule in &clauses.rules {
            let entry = this.predicates.entry(key(&rule.head)).or_default();
            entry.rules.push(rule);
        }
        // What is only asked for has no clauses, but must be known.
        for rule in &clauses.rules {
            for atom in rule.body.iter().filter_map(atom_of) {
                if this.given(atom.relation).is_none() {
                    this.predicates.entry(key(atom)).or_default();
                }
            }
        }
        for keyword in OUTSIDE {
            if let Some(symbol) = this.symbols.get(keyword.name()) {
                this.predicates
                    .entry((symbol, keyword.arity(false)))
                    .or_default();
            }
        }
        this.find_needs();
        this
    }

    /// What an atom needs by its keyword alone, if it is looked up in the state or among the moves.
    fn given(&self, relation: Symbol) -> Option<Needs> {
        match Keyword::by_name(self.symbols.name(relation))? {
            Keyword::True => Some(Needs {
                state: true,
                moves: false,
            }),
            Keyword::Does => Some(Needs {
                state: false,
                moves: true,
            }),
            _ => None,
        }
    }

    /// Finds out which predicates call themselves, and what each depends on.
    fn find_needs(&mut self) {
        let place: FxHashMap<Key, usize> = self.predicates.keys().copied().zip(0..).collect();
        let calls = |predicate: &Predicate| -> Vec<usize> {
            let atoms = predicate.rules.iter().flat_map(|rule| &rule.body);
            let atoms = atoms.filter_map(atom_of);
            atoms
                .filter_map(|atom| place.get(&key(atom)).copied())
                .collect()
        };
        let edges: Vec<Vec<usize>> = self.predicates.values().map(calls).collect();
        for group in graph::components(&edges) {
            let mut needs = Needs::default();
            for &member in &group {
                let called = edges[member]
                    .iter()
                    .map(|&other| self.predicates[other].needs);
                let atoms = self.predicates[member]
                    .rules
                    .iter()
                    .flat_map(|rule| &rule.body);
                let given = atoms
                    .filter_map(atom_of)
                    .filter_map(|atom| self.given(atom.relation));
                for other in called.chain(given) {
                    needs.state |= other.state;
                    needs.moves |= other.moves;
                }
            }
            let recursive = edges[group[0]].iter().any(|target| group.contains(target));
            for &member in &group {
                self.predicates[member].needs = needs;
                self.predicates[member].recursive = recursive;
            }
        }
    }
}

/// The relations that the driver asks for.
const OUTSIDE: [Keyword; 7] = [
    Keyword::Role,
    Keyword::Init,
    Keyword::Next,
    Keyword::Legal,
    Keyword::Goal,
    Keyword::Terminal,
    Keyword::Sees,
];

impl Exporter<'_> {
    fn header(&self, name: &str, out: &mut String) {
        let state = match self.form {
            StateForm::Asserted => "asserted as facts",
            StateForm::List => "a list that is handed along",
        };
        let name: String = name.chars().filter(|c| !c.is_control()).collect();
        let lines = [
            format!("% {name}, written as Prolog by Paidia. The state is {state}."),
            "%   swipl -q -g \"playouts(5, 1)\" -t halt THIS_FILE".to_owned(),
            "% The driver at the end of the file tells what there is beside playouts.".to_owned(),
            String::new(),
            ":- encoding(utf8).".to_owned(),
            ":- style_check(-singleton).".to_owned(),
        ];
        lines.iter().for_each(|line| push_line(out, line));
        match self.form {
            StateForm::Asserted => push_line(out, ":- dynamic state/1, move/2."),
            StateForm::List => {
                push_line(out, "state(Fact, State) :- among(Fact, State).");
                push_line(
                    out,
                    "move(Role, Move, Moves) :- among(does(Role, Move), Moves).",
                );
            }
        }
    }

    /// All predicates, each with its clauses together.
    fn predicates(&self, out: &mut String) {
        for (&(name, arity), predicate) in &self.predicates {
            let arity = arity + self.extra(predicate.needs).len();
            let indicator = format!("{}/{arity}", self.predicate_name(name));
            out.push('\n');
            if predicate.rules.is_empty() {
                push_line(out, &format!(":- dynamic {indicator}."));
            }
            if predicate.recursive {
                push_line(out, &format!(":- table {indicator}."));
            }
            for rule in &predicate.rules {
                self.clause(rule, predicate.needs, out);
            }
        }
    }

    /// The names of the arguments that are handed along.
    fn extra(&self, needs: Needs) -> Vec<&'static str> {
        let mut extra = Vec::new();
        if self.form == StateForm::List {
            extra.extend(needs.state.then_some("State"));
            extra.extend(needs.moves.then_some("Moves"));
        }
        extra
    }

    fn clause(&self, rule: &NamedRule, needs: Needs, out: &mut String) {
        let mut uses = vec![0usize; rule.variables];
        let mut count = |term: &Term| term.variables(&mut |variable| uses[variable] += 1);
        rule.head.args.iter().for_each(&mut count);
        for literal in &rule.body {
            match literal {
                NamedLiteral::Holds(atom) | NamedLiteral::Fails(atom) => {
                    atom.args.iter().for_each(&mut count);
                }
                NamedLiteral::Distinct(left, right) | NamedLiteral::Same(left, right) => {
                    [left, right].into_iter().for_each(&mut count);
                }
            }
        }
        let (tests, finds): (Vec<_>, Vec<_>) = rule
            .body
            .iter()
            .partition(|literal| !matches!(literal, NamedLiteral::Holds(_)));
        let body = finds.into_iter().chain(tests);
        let body: Vec<String> = body.map(|literal| self.literal(literal, &uses)).collect();
        let head = self.atom(&rule.head, needs, &uses);
        match body.is_empty() {
            true => push_line(out, &format!("{head}.")),
            false => push_line(out, &format!("{head} :-\n    {}.", body.join(",\n    "))),
        }
    }

    fn literal(&self, literal: &NamedLiteral, uses: &[usize]) -> String {
        let binary = |left: &Term, operator: &str, right: &Term| {
            let (left, right) = (self.term(left, uses), self.term(right, uses));
            format!("{left} {operator} {right}")
        };
        match literal {
            NamedLiteral::Holds(atom) => self.condition(atom, uses),
            NamedLiteral::Fails(atom) => format!("\\+ {}", self.condition(atom, uses)),
            NamedLiteral::Distinct(left, right) => binary(left, "\\==", right),
            NamedLiteral::Same(left, right) => binary(left, "=", right),
        }
    }

    fn condition(&self, atom: &NamedAtom, uses: &[usize]) -> String {
        let needs = self
            .predicates
            .get(&key(atom))
            .map(|predicate| predicate.needs);
        let given = self.given(atom.relation);
        self.atom(atom, given.or(needs).unwrap_or_default(), uses)
    }

    fn atom(&self, atom: &NamedAtom, needs: Needs, uses: &[usize]) -> String {
        let args = atom.args.iter().map(|arg| self.term(arg, uses));
        let extra = self.extra(needs).into_iter().map(str::to_owned);
        let name = match self.given(atom.relation) {
            Some(given) if given.state => "state".to_owned(),
            Some(_) => "move".to_owned(),
            None => self.predicate_name(atom.relation),
        };
        application(&name, args.chain(extra))
    }

    fn predicate_name(&self, relation: Symbol) -> String {
        quoted(&format!("g_{}", self.symbols.name(relation)))
    }

    /// A term; variables that occur once have no name.
    fn term(&self, term: &Term, uses: &[usize]) -> String {
        match term {
            Term::Variable(variable) if uses[*variable] == 1 => "_".to_owned(),
            Term::Variable(variable) => format!("V{variable}"),
            Term::Constant(symbol) => quoted(self.symbols.name(*symbol)),
            Term::Compound(functor, args) => {
                let args = args.iter().map(|arg| self.term(arg, uses));
                application(&quoted(self.symbols.name(*functor)), args)
            }
        }
    }

    /// What the driver calls: the relations of the language, and how a state is entered.
    fn interface(&self, out: &mut String) {
        let calls = [
            ("role_of_game(Role)", Keyword::Role, "Role"),
            ("first_fact(Fact)", Keyword::Init, "Fact"),
            ("legal_in(State, Role, Move)", Keyword::Legal, "Role, Move"),
            ("terminal_in(State)", Keyword::Terminal, ""),
            ("goal_in(State, Role, Value)", Keyword::Goal, "Role, Value"),
            ("next_in(State, Moves, Fact)", Keyword::Next, "Fact"),
            (
                "sees_in(State, Moves, Role, Percept)",
                Keyword::Sees,
                "Role, Percept",
            ),
        ];
        out.push('\n');
        for (head, keyword, args) in calls {
            let body = self.outside_call(keyword, args);
            push_line(out, &format!("{head} :- {body}."));
        }
        let (enter, announce) = match self.form {
            StateForm::Asserted => (
                "retractall(state(_)), retractall(move(_, _)), add_all(State), forget_tables",
                "retractall(move(_, _)), add_moves(Moves)",
            ),
            StateForm::List => ("forget_tables", "true"),
        };
        push_line(out, &format!("enter(State) :- {enter}."));
        push_line(out, &format!("announce(Moves) :- {announce}."));
        push_line(out, &self.forget_tables());
    }

    fn outside_call(&self, keyword: Keyword, args: &str) -> String {
        let symbol = self.symbols.get(keyword.name());
        let key = symbol.map(|symbol| (symbol, keyword.arity(false)));
        let Some(predicate) = key.and_then(|key| self.predicates.get(&key)) else {
            return "fail".to_owned();
        };
        let args = Some(args.to_owned()).filter(|args| !args.is_empty());
        let extra = self.extra(predicate.needs).into_iter().map(str::to_owned);
        let name = quoted(&format!("g_{}", keyword.name()));
        application(&name, args.into_iter().chain(extra))
    }

    /// The clause that forgets the answers which depend on the state.
    fn forget_tables(&self) -> String {
        let tabled = self.predicates.iter().filter(|(_, predicate)| {
            predicate.recursive && (predicate.needs.state || predicate.needs.moves)
        });
        let forget = tabled.map(|(&(name, arity), predicate)| {
            let arity = arity + self.extra(predicate.needs).len();
            let blanks = (0..arity).map(|_| "_".to_owned());
            format!(
                "forget({})",
                application(&self.predicate_name(name), blanks)
            )
        });
        let forget: Vec<String> = forget.collect();
        match forget.is_empty() {
            true => "forget_tables.".to_owned(),
            false => format!("forget_tables :- {}.", forget.join(", ")),
        }
    }
}

fn key(atom: &NamedAtom) -> Key {
    (atom.relation, atom.args.len())
}

fn atom_of(literal: &NamedLiteral) -> Option<&NamedAtom> {
    match literal {
        NamedLiteral::Holds(atom) | NamedLiteral::Fails(atom) => Some(atom),
        NamedLiteral::Distinct(..) | NamedLiteral::Same(..) => None,
    }
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// A name with its arguments, or alone if there are none.
fn application(name: &str, args: impl Iterator<Item = String>) -> String {
    let args: Vec<String> = args.collect();
    match args.is_empty() {
        true => name.to_owned(),
        false => format!("{name}({})", args.join(", ")),
    }
}

/// A name as a Prolog atom.
fn quoted(name: &str) -> String {
    let is_word = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_word {
        return name.to_owned();
    }
    let mut text = String::from("'");
    for character in name.chars() {
        match character {
            '\'' | '\\' => text.extend(['\\', character]),
            control if control.is_control() => {
                // Such a name is in no sheet that was read, but a program that cannot be read would
                // be worse.
                let _ = write!(text, "\\x{:x}\\", control as u32);
            }
            other => text.push(other),
        }
    }
    text.push('\'');
    text
}

#[cfg(test)]
mod tests {
    use super::{ExportError, StateForm, export, quoted};
    use crate::check::check_source;
    use crate::{Dialect, Source};

    const RULES: &str = "
        (role r) (init (at 1)) (succ 1 2) (succ 2 Three)
        (<= (legal r (go ?y)) (not (true (seen ?y))) (true (at ?x)) (reach ?x ?y) (distinct ?x ?y))
        (<= (reach ?x ?y) (succ ?x ?y))
        (<= (reach ?x ?z) (reach ?x ?y) (succ ?y ?z))
        (<= (next (at ?y)) (does r (go ?y)))
        (<= terminal (true (at Three)))
        (goal r 100)";

    fn exported(form: StateForm) -> String {
        let (reading, report) = check_source(&Source::new("test", RULES), None);
        assert!(!report.has_errors(), "{:?}", report.problems);
        export("test", &reading.sheet, report.dialect, form).unwrap()
    }

    #[test]
    fn asserted_states_are_facts() {
        let program = exported(StateForm::Asserted);
        let clauses = [
            "g_legal(r, go(V0)) :-\n    state(at(V1)),\n    g_reach(V1, V0),\n    \\+ state(seen(V0)),\n    V1 \\== V0.",
            ":- table g_reach/2.",
            "g_next(at(V0)) :-\n    move(r, go(V0)).",
            "g_succ('2', 'Three').",
            "terminal_in(State) :- g_terminal.",
            "forget_tables.",
        ];
        for clause in clauses {
            assert!(program.contains(clause), "{clause}\nis not in\n{program}");
        }
    }

    #[test]
    fn listed_states_are_arguments_of_those_that_need_them() {
        let program = exported(StateForm::List);
        let clauses = [
            "g_legal(r, go(V0), State) :-\n    state(at(V1), State),\n    g_reach(V1, V0),\n    \\+ state(seen(V0), State),",
            ":- table g_reach/2.",
            "g_next(at(V0), Moves) :-\n    move(r, go(V0), Moves).",
            "terminal_in(State) :- g_terminal(State).",
            "goal_in(State, Role, Value) :- g_goal(Role, Value).",
        ];
        for clause in clauses {
            assert!(program.contains(clause), "{clause}\nis not in\n{program}");
        }
    }

    #[test]
    fn any_name_is_an_atom() {
        assert_eq!(quoted("cell"), "cell");
        assert_eq!(quoted("Cell"), "'Cell'");
        assert_eq!(quoted("01"), "'01'");
        assert_eq!(quoted("++"), "'++'");
        assert_eq!(quoted("it's"), r"'it\'s'");
        assert_eq!(quoted(r"a\b"), r"'a\\b'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn real_time_rules_are_refused() {
        let (reading, _) = check_source(&Source::new("test", RULES), None);
        let refused = export("test", &reading.sheet, Dialect::RtGdl, StateForm::List);
        assert_eq!(refused, Err(ExportError::RealTime));
    }
}
