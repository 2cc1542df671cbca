//! From a program to clauses ready for resolution.

use paidia_gdl::analysis::{Dependencies, Dynamics};
use paidia_gdl::datalog::{NoRoom, Terms};
use paidia_gdl::program::{Atom, Literal, Program, RelationId, Rule, Term};
use rustc_hash::FxHashMap;

use super::code::{
    Access, Candidates, Clause, Code, Goal, Pattern, Procedure, RETURN, key_of, key_of_function,
};
use super::{Options, Order, StateStore};
use crate::reference::Planning;

/// How a relation is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// It consists of facts.
    Facts(Access),
    /// It has rules.
    Rules,
    /// It has rules that may ask for the relation itself.
    Recursive,
}

/// How facts are found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    /// Those of the rules.
    pub(super) rules: Access,
    /// Those of the state.
    pub(super) state: Access,
    /// The moves that are made.
    pub(super) moves: Access,
}

impl Places {
    /// The places of a variant.
    pub(super) fn new(state: StateStore) -> Self {
        let (rules, state, moves) = match state {
            StateStore::Asserted => (Access::Indexed, Access::Indexed, Access::Indexed),
            StateStore::List => (Access::Indexed, Access::State, Access::Moves),
            StateStore::Naive => (Access::Scanned, Access::Scanned, Access::Scanned),
        };
        Self {
            rules,
            state,
            moves,
        }
    }
}

/// How each relation is asked for.
pub(super) fn classes(program: &Program, planning: &Planning, options: Options) -> Vec<Class> {
    let Planning {
        dependencies,
        known,
        ..
    } = planning;
    let places = Places::new(options.state);
    let class = |index: usize| {
        let rules = &dependencies.rules_of[index];
        let mut rules = rules.iter().map(|&rule| &program.rules[rule]);
        let components = &dependencies.components_of[index];
        let is_derived = |&component: &usize| known.fixed[component] && !known.on_demand[component];
        if rules.all(|rule| rule.body.is_empty())
            || options.fixed && components.iter().all(is_derived)
        {
            return Class::Facts(places.rules);
        }
        let is_recursive = |&component: &usize| dependencies.components[component].recursive;
        match components.iter().any(is_recursive) {
            true => Class::Recursive,
            false => Class::Rules,
        }
    };
    let mut classes: Vec<Class> = (0..program.relations.len()).map(class).collect();
    for fluent in &program.fluents {
        classes[fluent.holds.index()] = Class::Facts(places.state);
    }
    for kind in &program.moves {
        classes[kind.does.index()] = Class::Facts(places.moves);
    }
    classes
}

/// The code of a program. `roots` are the relations that are asked for from outside.
///
/// # Errors
/// If there are more terms than there is room for.
pub(super) fn compile(
    program: &Program,
    dependencies: &Dependencies,
    classes: &[Class],
    options: Options,
    roots: &[RelationId],
    terms: &mut Terms,
) -> Result<Code, NoRoom> {
    let mut compiler = Compiler {
        program,
        dependencies,
        classes,
        options,
        terms,
        code: Code {
            goals: vec![Goal::Return, Goal::Return, Goal::Answer],
            roots: vec![None; program.relations.len()],
            ..Code::default()
        },
        procedures: vec![u32::MAX; program.relations.len()],
    };
    let derived = (0..classes.len()).filter(|&index| !matches!(classes[index], Class::Facts(_)));
    for (procedure, index) in derived.clone().enumerate() {
        compiler.procedures[index] = procedure as u32;
    }
    for index in derived {
        compiler.procedure(index)?;
    }
    for &root in roots {
        compiler.root(root);
    }
    Ok(compiler.code)
}

struct Compiler<'a> {
    program: &'a Program,
    dependencies: &'a Dependencies,
    classes: &'a [Class],
    options: Options,
    terms: &'a mut Terms,
    code: Code,
    /// For each relation its position among procedures, if it is one.
    procedures: Vec<u32>,
}

impl Compiler<'_> {
    fn procedure(&mut self, relation: usize) -> Result<(), NoRoom> {
        let start = self.code.clauses.len();
        for &rule in &self.dependencies.rules_of[relation] {
            self.clause(&self.program.rules[rule])?;
        }
        let clauses: Vec<u32> = (start as u32..self.code.clauses.len() as u32).collect();
        let all = self.list(clauses.iter().copied());
        let mut procedure = Procedure {
            relation: relation as u32,
            changing: self.dependencies.dynamics[relation] != Dynamics::Static,
            domains: self.program.relations[relation].domains.clone(),
            column: self.telling_column(&clauses),
            all,
            by_key: FxHashMap::default(),
            others: all,
        };
        if let Some(column) = procedure.column {
            let (by_key, others) = self.by_key(&clauses, column);
            for (key, clauses) in by_key {
                let list = self.list(clauses.into_iter());
                procedure.by_key.insert(key, list);
            }
            procedure.others = self.list(others.into_iter());
        }
        self.code.procedures.push(procedure);
        Ok(())
    }

    /// The clauses for each key at an argument, and those for any other, all in their order.
    fn by_key(&self, clauses: &[u32], column: usize) -> (FxHashMap<u32, Vec<u32>>, Vec<u32>) {
        let mut by_key: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut others = Vec::new();
        for &clause in clauses {
            match self.key(clause, column) {
                Some(key) => {
                    let list = by_key.entry(key).or_insert_with(|| others.clone());
                    list.push(clause);
                }
                None => {
                    others.push(clause);
                    by_key.values_mut().for_each(|list| list.push(clause));
                }
            }
        }
        (by_key, others)
    }

    fn list(&mut self, clauses: impl Iterator<Item = u32>) -> Candidates {
        let start = self.code.candidates.len() as u32;
        self.code.candidates.extend(clauses);
        (start, self.code.candidates.len() as u32)
    }

    /// The first argument at which most clauses have a constant or a function.
    fn telling_column(&self, clauses: &[u32]) -> Option<usize> {
        if self.options.state == StateStore::Naive || clauses.len() < 2 {
            return None;
        }
        let arity = self.code.clauses[clauses[0] as usize].head.len();
        let tells = |column: &usize| {
            let keys = clauses
                .iter()
                .filter(|&&clause| self.key(clause, *column).is_some());
            keys.count() * 2 > clauses.len()
        };
        (0..arity).find(tells)
    }

    fn key(&self, clause: u32, column: usize) -> Option<u32> {
        match &self.code.clauses[clause as usize].head[column] {
            Pattern::Ground(term) => Some(key_of(*term, self.terms)),
            Pattern::Compound(functor, _) => Some(key_of_function(*functor)),
            Pattern::First(_) | Pattern::Variable(_) => None,
        }
    }

    fn clause(&mut self, rule: &Rule) -> Result<(), NoRoom> {
        let Some(order) = order(rule, self.options.order) else {
            return Ok(());
        };
        let mut seen = vec![false; rule.variables];
        let head = self.patterns(&rule.head, &mut seen)?;
        let body = match order.is_empty() {
            true => RETURN,
            false => self.code.goals.len() as u32,
        };
        let mut cells = rule.variables as u32;
        for &place in &order {
            self.goal(&rule.body[place], &mut seen, &mut cells)?;
        }
        if !order.is_empty() {
            self.code.goals.push(Goal::Return);
        }
        self.code.clauses.push(Clause { head, cells, body });
        Ok(())
    }

    fn goal(
        &mut self,
        literal: &Literal,
        seen: &mut [bool],
        cells: &mut u32,
    ) -> Result<(), NoRoom> {
        match literal {
            Literal::Holds(atom) => {
                let args = self.patterns(atom, seen)?;
                let goal = self.positive(atom.relation, args);
                self.code.goals.push(goal);
            }
            Literal::Fails(atom) => {
                let args = self.patterns(atom, seen)?;
                self.negative(atom.relation, args, cells);
            }
            Literal::Distinct(left, right) => {
                let left = self.pattern(left, seen)?;
                let right = self.pattern(right, seen)?;
                self.code.goals.push(Goal::Distinct(left, right));
            }
            Literal::Plain(term) => {
                let term = self.pattern(term, seen)?;
                self.code.goals.push(Goal::Plain(term));
            }
        }
        Ok(())
    }

    fn positive(&self, relation: RelationId, args: Box<[Pattern]>) -> Goal {
        let procedure = self.procedures[relation.index()];
        match self.classes[relation.index()] {
            Class::Facts(access) => Goal::Fact {
                relation: relation.0,
                access,
                args,
            },
            Class::Rules => Goal::Call { procedure, args },
            Class::Recursive => Goal::Tabled { procedure, args },
        }
    }

    fn negative(&mut self, relation: RelationId, args: Box<[Pattern]>, cells: &mut u32) {
        if let Class::Facts(access) = self.classes[relation.index()] {
            return self.code.goals.push(Goal::NoFact {
                relation: relation.0,
                access,
                args,
            });
        }
        let (slot, next) = (*cells, self.code.goals.len() as u32 + 3);
        *cells += 1;
        let goal = self.positive(relation, args);
        let goals = [Goal::Not { slot, next }, goal, Goal::Refuted { slot }];
        self.code.goals.extend(goals);
    }

    fn root(&mut self, relation: RelationId) {
        let arity = self.program.relation(relation).arity as u32;
        self.code.roots[relation.index()] = Some(self.code.goals.len() as u32);
        let goal = self.positive(relation, (0..arity).map(Pattern::First).collect());
        self.code.goals.extend([goal, Goal::Solution]);
    }

    fn patterns(&mut self, atom: &Atom, seen: &mut [bool]) -> Result<Box<[Pattern]>, NoRoom> {
        let args = atom.args.iter();
        args.map(|arg| self.pattern(arg, seen)).collect()
    }

    fn pattern(&mut self, term: &Term, seen: &mut [bool]) -> Result<Pattern, NoRoom> {
        Ok(match term {
            Term::Constant(symbol) => Pattern::Ground(symbol.0),
            Term::Variable(variable) => match std::mem::replace(&mut seen[*variable], true) {
                true => Pattern::Variable(*variable as u32),
                false => Pattern::First(*variable as u32),
            },
            Term::Compound(functor, args) => {
                let args = args.iter().map(|arg| self.pattern(arg, seen));
                let args: Box<[Pattern]> = args.collect::<Result<_, NoRoom>>()?;
                match ground_parts(functor.0, &args) {
                    Some(parts) => Pattern::Ground(self.terms.intern(&parts)?),
                    None => Pattern::Compound(functor.0, args),
                }
            }
        })
    }
}

/// A function with its arguments, if they are all ground.
fn ground_parts(functor: u32, args: &[Pattern]) -> Option<Vec<u32>> {
    let mut parts = vec![functor];
    for arg in args {
        match arg {
            Pattern::Ground(term) => parts.push(*term),
            _ => return None,
        }
    }
    Some(parts)
}

/// The places of a rule's literals in the order in which they are proved, such that those which
/// only test come when their variables are bound; `None` if a variable never is, which no rule has
/// that passed the checks.
fn order(rule: &Rule, order: Order) -> Option<Vec<usize>> {
    let mut bound = vec![false; rule.variables];
    let mut places = Vec::new();
    let mut waiting: Vec<usize> = Vec::new();
    for (place, literal) in rule.body.iter().enumerate() {
        if let Literal::Holds(atom) = literal {
            places.push(place);
            let args = atom.args.iter();
            args.for_each(|arg| arg.variables(&mut |variable| bound[variable] = true));
        } else {
            waiting.push(place);
        }
        if order == Order::Written {
            take_bound(rule, &bound, &mut waiting, &mut places);
        }
    }
    take_bound(rule, &bound, &mut waiting, &mut places);
    let head_is_bound = rule.head.args.iter().all(|arg| is_bound(arg, &bound));
    (waiting.is_empty() && head_is_bound).then_some(places)
}

/// Moves the tests whose variables are bound from `waiting` to `places`.
fn take_bound(rule: &Rule, bound: &[bool], waiting: &mut Vec<usize>, places: &mut Vec<usize>) {
    waiting.retain(|&place| {
        let ready = match &rule.body[place] {
            Literal::Holds(atom) | Literal::Fails(atom) => {
                atom.args.iter().all(|arg| is_bound(arg, bound))
            }
            Literal::Distinct(left, right) => is_bound(left, bound) && is_bound(right, bound),
            Literal::Plain(term) => is_bound(term, bound),
        };
        if ready {
            places.push(place);
        }
        !ready
    });
}

fn is_bound(term: &Term, bound: &[bool]) -> bool {
    let mut all = true;
    term.variables(&mut |variable| all &= bound[variable]);
    all
}
