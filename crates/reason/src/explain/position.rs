//! A state with everything derived, and conditions solved in it.

use paidia_game::{Legible, Rules as _};
use paidia_gdl::analysis::Dynamics;
use paidia_gdl::datalog::plan::plan_solutions;
use paidia_gdl::datalog::{Limits, Machine, NoRoom, TermId};
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::{Atom, Literal, Program, RelationId, RelationKind, Rule, Term};

use super::{Explainer, Kind, Question, Reason, Statement};
use crate::reference::Evaluation;
use crate::rows::{Deduction, LIMITS, Question as Asked, RowEngine};
use crate::shapes::{Ground, read_ground};

/// What the derivation of a state may cost, and each question after it.
const EFFORT: Limits = Limits {
    steps: 20_000_000,
    rows: 500_000,
    ..LIMITS
};
/// How often conditions may be solved for one explanation; after two thirds of that nothing more is
/// compared.
const MOST_SOLVED: usize = 150_000;
/// Rows that may be looked at for one explanation.
const MOST_STEPS: u64 = 100_000_000;

/// Why there is no explanation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unexplained {
    /// What was asked cannot be read.
    #[error("`{text}` means nothing to these rules: {because}")]
    Unknown {
        /// What was asked.
        text: String,
        /// Why it cannot be read.
        because: String,
    },
    /// It takes too much work.
    #[error("this takes more work than explanations may; ask about something smaller")]
    TooMuch,
}

/// A state of a game with everything derived.
pub struct Position<'a> {
    pub(super) explainer: &'a Explainer,
    machine: Machine,
    solved: usize,
    steps: u64,
    /// The arguments of the move that is asked about.
    moving: Vec<Term>,
}

/// A way in which conditions hold: for each variable its value, where they give it one.
pub(super) type Solution = Vec<Option<Term>>;

impl Explainer {
    /// The state with these fluents; `made` has each role's move, where these are known.
    ///
    /// # Errors
    /// If the fluents or moves are none of this game, or too much follows from them.
    pub fn at(
        &self,
        fluents: &[String],
        made: Option<&[String]>,
    ) -> Result<Position<'_>, Unexplained> {
        let texts: Vec<&str> = fluents.iter().map(String::as_str).collect();
        let state = self
            .game
            .state(&texts)
            .map_err(|unknown| Unexplained::Unknown {
                text: unknown.text.clone(),
                because: unknown.because,
            })?;
        let rules = std::sync::Arc::new(self.game.engine().clone());
        let mut deduction: Evaluation = rules.deduction();
        deduction.machine_mut().terms.catch_up();
        deduction.machine_mut().set_limits(EFFORT);
        deduction.enter(&state);
        let mut position = Position {
            explainer: self,
            machine: deduction.machine_mut().clone(),
            solved: 0,
            steps: 0,
            moving: Vec::new(),
        };
        let roles = self.game.facts().roles.iter();
        for (role, text) in roles.zip(made.unwrap_or_default()) {
            let (does, row) = position.row_of_move(role, text)?;
            deduction.machine_mut().terms = position.machine.terms.clone();
            deduction.make_move(does, &row);
        }
        let asked = [Asked::Terminal, Asked::Goal, Asked::Legal];
        let after = made.map(|_| Asked::Successor);
        for question in asked.into_iter().chain(after) {
            let answered = deduction.answer(question);
            answered.map_err(|_| Unexplained::TooMuch)?;
        }
        position.machine = deduction.machine_mut().clone();
        Ok(position)
    }
}

impl Position<'_> {
    pub(super) fn program(&self) -> &Program {
        self.explainer.game.program()
    }

    /// The answer to a question.
    ///
    /// # Errors
    /// If what is asked cannot be read, or the answer takes too much work.
    pub fn why(&mut self, question: &Question) -> Result<Reason, Unexplained> {
        (self.solved, self.steps) = (0, 0);
        let atom = self.atom_of(question)?;
        self.moving = match question {
            Question::Legal { .. } => atom.args[1..].to_vec(),
            _ => Vec::new(),
        };
        match self.holds(&atom)? {
            true => self.proof(&atom),
            false => self.failure(&atom),
        }
    }

    /// The values that a role's goal can have by the heads of the rules, and whether each holds.
    ///
    /// # Errors
    /// If the answer takes too much work.
    pub fn goals(&mut self, role: &str) -> Result<Vec<(i32, bool)>, Unexplained> {
        let goal = self.program().keyword(Keyword::Goal);
        let heads = self
            .program()
            .rules
            .iter()
            .filter(|rule| Some(rule.head.relation) == goal);
        let numbers = heads.filter_map(|rule| match rule.head.args.get(1)? {
            Term::Constant(symbol) => self.program().symbols.name(*symbol).parse().ok(),
            _ => None,
        });
        let mut values: Vec<i32> = numbers.collect();
        values.sort_unstable();
        values.dedup();
        let mut goals = Vec::new();
        for value in values {
            let role = role.to_owned();
            let atom = self.atom_of(&Question::Goal { role, value })?;
            goals.push((value, self.holds(&atom)?));
        }
        Ok(goals)
    }

    fn atom_of(&mut self, question: &Question) -> Result<Atom, Unexplained> {
        let program = self.program();
        let unknown = |text: &str, because: &str| Unexplained::Unknown {
            text: text.to_owned(),
            because: because.to_owned(),
        };
        let symbol = |text: &str| {
            let found = program.symbols.get(text);
            found.ok_or_else(|| unknown(text, "it does not occur in the rules"))
        };
        match question {
            Question::Terminal => Ok(Atom {
                relation: program
                    .keyword(Keyword::Terminal)
                    .ok_or_else(|| unknown("terminal", "no rule is about the end"))?,
                args: Vec::new(),
            }),
            Question::Goal { role, value } => Ok(Atom {
                relation: program
                    .keyword(Keyword::Goal)
                    .ok_or_else(|| unknown("goal", "no rule is about goals"))?,
                args: vec![
                    Term::Constant(symbol(role)?),
                    Term::Constant(symbol(&value.to_string())?),
                ],
            }),
            Question::Legal { role, made } => {
                let (does, row) = self.row_of_move(role, made)?;
                let kind = self.program().moves.iter().find(|kind| kind.does == does);
                let relation = kind.map_or(does, |kind| kind.legal);
                Ok(self.atom(relation, &row))
            }
            Question::Now(text) | Question::After(text) => {
                let is_now = matches!(question, Question::Now(_));
                let (functor, row) = self.read(text)?.into_row();
                let program = self.program();
                let fits = |kind: &&paidia_gdl::program::Fluent| {
                    kind.functor == functor && program.relation(kind.holds).arity == row.len()
                };
                let kind = program.fluents.iter().find(fits);
                let kind = kind.ok_or_else(|| unknown(text, "no rule makes such a fact true"))?;
                let relation = if is_now { kind.holds } else { kind.next };
                Ok(self.atom(relation, &row))
            }
        }
    }

    fn read(&mut self, text: &str) -> Result<Ground, Unexplained> {
        let explainer = self.explainer;
        let symbols = &explainer.game.program().symbols;
        let read = read_ground(text, symbols, &mut self.machine.terms);
        read.map_err(|because| Unexplained::Unknown {
            text: text.to_owned(),
            because,
        })
    }

    /// The relation and the row of a move that a role makes.
    fn row_of_move(
        &mut self,
        role: &str,
        text: &str,
    ) -> Result<(RelationId, Vec<TermId>), Unexplained> {
        let unknown = |text: &str, because: &str| Unexplained::Unknown {
            text: text.to_owned(),
            because: because.to_owned(),
        };
        let (functor, rest) = self.read(text)?.into_row();
        let program = self.program();
        let symbol = program.symbols.get(role);
        let is_role = self.explainer.game.facts().role(role).is_some();
        let symbol = symbol
            .filter(|_| is_role)
            .ok_or_else(|| unknown(role, "there is no such role"))?;
        let fits = |kind: &&paidia_gdl::program::MoveKind| {
            kind.functor == functor && program.relation(kind.does).arity == rest.len() + 1
        };
        let kind = program.moves.iter().find(fits);
        let kind = kind.ok_or_else(|| unknown(text, "no rule speaks of such a move"))?;
        let mut row = vec![symbol.0];
        row.extend(rest);
        Ok((kind.does, row))
    }

    /// A ground atom of a row.
    fn atom(&self, relation: RelationId, row: &[TermId]) -> Atom {
        Atom {
            relation,
            args: row.iter().map(|&id| self.term(id)).collect(),
        }
    }

    fn term(&self, id: TermId) -> Term {
        match self.machine.terms.parts(id) {
            None => Term::Constant(paidia_gdl::Symbol(id)),
            Some(parts) => Term::Compound(
                paidia_gdl::Symbol(parts[0]),
                parts[1..].iter().map(|&part| self.term(part)).collect(),
            ),
        }
    }

    /// Learns the compound terms of a rule, so that they can be looked for.
    fn learn(&mut self, term: &Term) -> Result<TermId, NoRoom> {
        match term {
            Term::Variable(_) => Ok(0),
            Term::Constant(symbol) => Ok(symbol.0),
            Term::Compound(functor, args) => {
                let mut parts = vec![functor.0];
                for arg in args {
                    parts.push(self.learn(arg)?);
                }
                self.machine.terms.intern(&parts)
            }
        }
    }

    /// Whether a ground atom holds.
    pub(super) fn holds(&mut self, atom: &Atom) -> Result<bool, Unexplained> {
        let rule = Rule {
            head: Atom {
                relation: atom.relation,
                args: Vec::new(),
            },
            body: vec![Literal::Holds(atom.clone())],
            variables: 0,
            clause: 0,
        };
        Ok(!self.solutions(&rule, 1)?.is_empty())
    }

    /// Whether most of the effort is spent, so that what is known must do.
    pub(super) fn is_spent(&self) -> bool {
        self.solved > MOST_SOLVED * 2 / 3 || self.steps > MOST_STEPS * 2 / 3
    }

    /// Whether an atom is a move of something that is no role.
    pub(super) fn is_no_role(&self, atom: &Atom) -> bool {
        let program = self.program();
        let is_move = program.moves.iter().any(|kind| kind.does == atom.relation);
        match atom.args.first() {
            Some(Term::Constant(symbol)) if is_move => {
                let name = program.symbols.name(*symbol);
                self.explainer.game.facts().role(name).is_none()
            }
            _ => false,
        }
    }

    /// Whether a fact says what is on the square that a move names first: what is to move there is
    /// what it is, and not something else.
    pub(super) fn is_what_moves(&self, atom: &Atom) -> bool {
        let place = atom.args.split_last().map_or(&[][..], |(_, place)| place);
        !place.is_empty() && self.moving.starts_with(place)
    }

    /// The first ways in which all conditions of a rule hold.
    pub(super) fn solutions(
        &mut self,
        rule: &Rule,
        most: usize,
    ) -> Result<Vec<Solution>, Unexplained> {
        self.solved += 1;
        if self.solved > MOST_SOLVED || self.steps > MOST_STEPS {
            return Err(Unexplained::TooMuch);
        }
        for literal in &rule.body {
            if let Some(atom) = literal.atom() {
                for arg in atom.args.iter().filter(|arg| arg.is_ground()) {
                    self.learn(arg).map_err(|_| Unexplained::TooMuch)?;
                }
            }
        }
        let planning = &self.explainer.planning;
        let program = self.explainer.game.program();
        let mut calls = planning.known.calls(program, &planning.dependencies);
        let headless = Rule {
            head: Atom {
                relation: rule.head.relation,
                args: Vec::new(),
            },
            ..rule.clone()
        };
        let mut plan = plan_solutions(&headless, 0, &planning.known.estimates, &mut calls);
        calls.finish(
            program,
            &planning.dependencies.rules_of,
            &planning.known.estimates,
        );
        let arity = |relation: RelationId| program.relation(relation).arity;
        self.machine.prepare_calls(calls, arity, &[]);
        self.machine.restart_count(0);
        let found = self.machine.solutions(&mut plan);
        self.steps += self.machine.steps();
        let count = self.machine.last_solutions();
        if self.machine.exhausted().is_some() && count == 0 {
            return Err(Unexplained::TooMuch);
        }
        let bound = bound(&rule.body, rule.variables);
        let solution = |number: usize| -> Solution {
            let values = &found[number * rule.variables..][..rule.variables];
            let value = |(&id, &is_bound): (&TermId, &bool)| is_bound.then(|| self.term(id));
            values.iter().zip(&bound).map(value).collect()
        };
        Ok((0..count.min(most)).map(solution).collect())
    }

    /// The rules that could derive an atom, each with its head made to fit.
    pub(super) fn rules_for(&self, atom: &Atom) -> Vec<Rule> {
        let (program, planning) = (self.program(), &self.explainer.planning);
        let rules = planning.dependencies.rules_of[atom.relation.index()].iter();
        rules
            .filter_map(|&index| fitted(&program.rules[index], atom))
            .collect()
    }

    /// Whether facts of a relation are the same in every state.
    pub(super) fn is_static(&self, relation: RelationId) -> bool {
        self.explainer.planning.dependencies.dynamics[relation.index()] == Dynamics::Static
    }

    /// Whether a relation has no rules: the state, or the moves, say what holds.
    pub(super) fn is_leaf(&self, relation: RelationId) -> bool {
        self.explainer.planning.dependencies.rules_of[relation.index()].is_empty()
    }

    /// Whether a relation was made for a disjunction, so that no author knows it.
    pub(super) fn is_helper(&self, relation: RelationId) -> bool {
        self.program().relation(relation).kind == RelationKind::Helper
    }

    /// A fluent of the state that differs from one that does not hold in one argument alone, the
    /// last one that can, if there is just one such fluent.
    pub(super) fn instead(&mut self, atom: &Atom) -> Option<String> {
        let is_now = self
            .program()
            .fluents
            .iter()
            .any(|kind| kind.holds == atom.relation);
        if !is_now || !atom.args.iter().all(Term::is_ground) {
            return None;
        }
        for open in (0..atom.args.len()).rev() {
            let mut pattern = atom.clone();
            pattern.args[open] = Term::Variable(0);
            let rule = Rule {
                head: Atom {
                    relation: atom.relation,
                    args: Vec::new(),
                },
                body: vec![Literal::Holds(pattern.clone())],
                variables: 1,
                clause: 0,
            };
            let found = self.solutions(&rule, 2).ok()?;
            if let [only] = &found[..] {
                pattern.args[open] = only[0].clone()?;
                return Some(self.statement(&pattern).about);
            }
        }
        None
    }

    /// A statement about an atom.
    pub(super) fn statement(&self, atom: &Atom) -> Statement {
        let program = self.program();
        let relation = program.relation(atom.relation);
        let kind = match relation.kind {
            RelationKind::Keyword(keyword) => match keyword {
                Keyword::True => Kind::Now,
                Keyword::Next => Kind::After,
                Keyword::Init => Kind::Start,
                Keyword::Does => Kind::Made,
                Keyword::Legal => Kind::Legal,
                Keyword::Goal => Kind::Goal,
                Keyword::Terminal => Kind::Terminal,
                _ => Kind::Other,
            },
            _ if self.is_static(atom.relation) => Kind::Given,
            _ => Kind::Derived,
        };
        let words: Vec<String> = atom.args.iter().map(|arg| self.text(arg)).collect();
        let name = program.symbols.name(relation.name);
        let is_subject = matches!(
            kind,
            Kind::Now | Kind::After | Kind::Start | Kind::Made | Kind::Legal
        );
        let with_role = matches!(kind, Kind::Made | Kind::Legal | Kind::Goal);
        let role = words.first().filter(|_| with_role).cloned();
        let own = &words[usize::from(with_role).min(words.len())..];
        let about = match relation.functor {
            Some(functor) => joined(program.symbols.name(functor), own),
            None if is_subject => own.join(" "),
            None => joined(name, &words),
        };
        let text = match &role {
            _ if !is_subject => joined(name, &words),
            Some(role) => format!("({name} {role} {about})"),
            None => format!("({name} {about})"),
        };
        Statement {
            kind,
            text,
            about,
            role,
            ground: atom.args.iter().all(Term::is_ground),
        }
    }

    /// A statement that two terms differ, or that one is a constant.
    pub(super) fn difference(&self, literal: &Literal) -> Statement {
        let text = match literal {
            Literal::Distinct(left, right) => {
                format!("(distinct {} {})", self.text(left), self.text(right))
            }
            Literal::Plain(term) => format!("(constant {})", self.text(term)),
            Literal::Holds(atom) | Literal::Fails(atom) => self.statement(atom).text,
        };
        Statement {
            kind: Kind::Difference,
            about: text.clone(),
            ground: !text.contains('?'),
            text,
            role: None,
        }
    }

    fn text(&self, term: &Term) -> String {
        let name = |symbol| self.program().symbols.name(symbol);
        match term {
            Term::Variable(number) => format!("?{}", open_name(*number)),
            Term::Constant(symbol) => name(*symbol).to_owned(),
            Term::Compound(functor, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.text(arg)).collect();
                joined(name(*functor), &args)
            }
        }
    }
}

/// A name for what is left open: `x`, `y`, `z`, then `x3` and so on.
fn open_name(number: usize) -> String {
    match number {
        0..=2 => ["x", "y", "z"][number].to_owned(),
        _ => format!("x{number}"),
    }
}

fn joined(name: &str, args: &[String]) -> String {
    match args {
        [] => name.to_owned(),
        _ => format!("({name} {})", args.join(" ")),
    }
}

/// Which variables get a value from conditions that hold.
pub(super) fn bound(body: &[Literal], variables: usize) -> Vec<bool> {
    let mut bound = vec![false; variables];
    for literal in body {
        if let Literal::Holds(atom) = literal {
            let mark = &mut |variable: usize| bound[variable] = true;
            atom.args.iter().for_each(|arg| arg.variables(mark));
        }
    }
    bound
}

/// A rule whose head is made to be an atom, with what that says about its variables.
fn fitted(rule: &Rule, atom: &Atom) -> Option<Rule> {
    let mut values: Solution = vec![None; rule.variables];
    let pairs = rule.head.args.iter().zip(&atom.args);
    for (pattern, ground) in pairs {
        if !fits(pattern, ground, &mut values) {
            return None;
        }
    }
    Some(Rule {
        head: atom.clone(),
        body: rule
            .body
            .iter()
            .map(|literal| filled(literal, &values))
            .collect(),
        variables: rule.variables,
        clause: rule.clause,
    })
}

/// Whether a pattern fits a term, which may have variables of its own; these fit anything, and what
/// meets them stays open.
fn fits(pattern: &Term, term: &Term, values: &mut Solution) -> bool {
    match (pattern, term) {
        (_, Term::Variable(_)) => true,
        (Term::Variable(variable), _) => match &values[*variable] {
            Some(known) => known == term,
            None => {
                values[*variable] = Some(term.clone());
                true
            }
        },
        (Term::Constant(one), Term::Constant(other)) => one == other,
        (Term::Compound(one, own), Term::Compound(other, given)) => {
            let pairs = || own.iter().zip(given);
            one == other
                && own.len() == given.len()
                && pairs().all(|(pattern, term)| fits(pattern, term, values))
        }
        _ => false,
    }
}

/// A condition with values for variables.
pub(super) fn filled(literal: &Literal, values: &Solution) -> Literal {
    let term = |term: &Term| {
        term.substitute(&|variable| match values.get(variable) {
            Some(Some(value)) => value.clone(),
            _ => Term::Variable(variable),
        })
    };
    let atom = |atom: &Atom| Atom {
        relation: atom.relation,
        args: atom.args.iter().map(term).collect(),
    };
    match literal {
        Literal::Holds(inner) => Literal::Holds(atom(inner)),
        Literal::Fails(inner) => Literal::Fails(atom(inner)),
        Literal::Distinct(left, right) => Literal::Distinct(term(left), term(right)),
        Literal::Plain(inner) => Literal::Plain(term(inner)),
    }
}

/// Whether a condition has no variables left.
pub(super) fn is_ground(literal: &Literal) -> bool {
    match literal {
        Literal::Holds(atom) | Literal::Fails(atom) => atom.args.iter().all(Term::is_ground),
        Literal::Distinct(left, right) => left.is_ground() && right.is_ground(),
        Literal::Plain(term) => term.is_ground(),
    }
}
