//! The reference engine: the stable model of the rules, derived anew for every state.
//!
//! Relations are evaluated bottom up, one group of mutually dependent relations after the other, so that negation is
//! always over relations that are complete (stratified evaluation). Facts that hold in every state are derived once.
//! Everything else is derived when it is first asked for: `terminal`, `legal` and `goal` each bring only what they
//! depend on. A relation that is too large to be derived as a whole is evaluated on demand, for the values asked for;
//! `planning` finds out which those are.

mod planning;
mod walker;

use std::sync::Arc;

use paidia_game::{
    Fault, Game, GameFacts, Information, Legible, MoveTable, PerceptTable, Resource, RoleId,
    TurnOrder, UnknownFluent,
};
use paidia_gdl::Dialect;
use paidia_gdl::datalog::terms::MAX_LEVELS;
use paidia_gdl::datalog::{ComponentPlan, Exhausted, Limits, Machine};
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::{Program, RelationId};

use crate::error::LoadError;
use crate::shapes::{Ground, read_ground};
pub(crate) use planning::Planning;
pub use walker::ReferenceWalker;
pub(crate) use walker::mix;

/// How much one state may cost. The largest public games stay a hundred times below.
pub(crate) const LIMITS: Limits = Limits {
    steps: 2_000_000_000,
    rows: 20_000_000,
    terms: 10_000_000,
    depth: Limits::DEPTH,
};

/// The most different moves, and percepts, of one game.
pub(crate) const MAX_NAMES: u32 = 4_000_000;

/// The reference engine for one game.
#[derive(Clone)]
pub struct Reference {
    rules: Arc<Rules>,
}

/// What all walkers of a game share.
#[derive(Clone)]
struct Rules {
    facts: GameFacts,
    moves: MoveTable,
    percepts: PerceptTable,
    program: Program,
    plans: Vec<ComponentPlan>,
    /// A machine with the facts of all states in it.
    base: Machine,
    /// Relations whose facts change.
    changing: Vec<RelationId>,
    queries: Queries,
    /// For each symbol, the role with that name.
    role_of: Vec<Option<RoleId>>,
    /// For each symbol, the number that it is.
    number_of: Vec<Option<i32>>,
    initial: State,
}

/// The components that must be evaluated to answer a question, in their order.
pub(crate) type Query = Vec<usize>;

/// The questions that a walker is asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queries {
    pub(crate) terminal: Query,
    pub(crate) goal: Query,
    pub(crate) legal: Query,
    /// What must be derived to advance: the next state and the percepts.
    pub(crate) successor: Query,
}

/// The facts that hold, in a canonical order: for each kind of fluent the number of its rows, then the rows, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    cells: Vec<u32>,
}

impl Reference {
    /// The engine for a program that passed the checks.
    ///
    /// # Errors
    /// If the program cannot be played in turns, or is larger than the engine's limits.
    pub fn new(name: &str, program: Program) -> Result<Self, LoadError> {
        Self::planned(name, program).map(|(this, _)| this)
    }

    /// The engine, and what was found out about the program to plan it.
    pub(crate) fn planned(name: &str, program: Program) -> Result<(Self, Planning), LoadError> {
        if program.dialect.is_timed() {
            return Err(LoadError::RealTime);
        }
        let plan = Planning::new(&program)?;
        let roles = roles(&program, plan.base())?;
        let facts = facts(name, &program, &roles);
        let mut rules = Rules {
            changing: plan.changing(),
            role_of: role_of(&program, &roles),
            number_of: number_of(&program),
            moves: MoveTable::with_limit(MAX_NAMES),
            percepts: PerceptTable::with_limit(MAX_NAMES),
            initial: State::default(),
            queries: Queries::default(),
            plans: Vec::new(),
            base: plan.base().clone(),
            facts,
            program,
        };
        rules.initial = rules.first_state();
        let (rules, planning) = plan.improve(rules);
        Ok((Self { rules }, planning))
    }

    /// The program that the engine runs.
    pub fn program(&self) -> &Program {
        &self.rules.program
    }
}

/// For each symbol, the number that it is.
pub(crate) fn number_of(program: &Program) -> Vec<Option<i32>> {
    let names = program.symbols.iter();
    names.map(|(_, name)| name.parse().ok()).collect()
}

pub(crate) fn fault(exhausted: Exhausted) -> Fault {
    let (resource, limit) = match exhausted {
        Exhausted::Steps | Exhausted::Time => (Resource::Steps, LIMITS.steps),
        Exhausted::Rows => (Resource::Facts, LIMITS.rows),
        Exhausted::Terms => (Resource::Terms, u64::from(LIMITS.terms)),
        Exhausted::Levels => (Resource::TermDepth, u64::from(MAX_LEVELS)),
        Exhausted::Depth => (Resource::CallDepth, LIMITS.depth as u64),
    };
    Fault { resource, limit }
}

/// The roles' symbols in the order in which the rules name them.
pub(crate) fn roles(program: &Program, base: &Machine) -> Result<Vec<u32>, LoadError> {
    let relation = program.keyword(Keyword::Role).ok_or(LoadError::NoRoles)?;
    let roles: Vec<u32> = base.tables[relation.index()]
        .iter()
        .map(|row| row[0])
        .collect();
    match roles.len() {
        0 => Err(LoadError::NoRoles),
        count if count > usize::from(u16::MAX) => Err(LoadError::TooManyRoles(count)),
        _ => Ok(roles),
    }
}

pub(crate) fn role_of(program: &Program, roles: &[u32]) -> Vec<Option<RoleId>> {
    let mut role_of = vec![None; program.symbols.len()];
    for (index, &symbol) in roles.iter().enumerate() {
        if let Some(role) = role_of.get_mut(symbol as usize) {
            *role = Some(RoleId(index as u16));
        }
    }
    role_of
}

pub(crate) fn facts(name: &str, program: &Program, roles: &[u32]) -> GameFacts {
    let names = roles
        .iter()
        .map(|&symbol| program.symbols.name(paidia_gdl::Symbol(symbol)).to_owned());
    let names: Vec<String> = names.collect();
    let hidden = program.dialect == Dialect::GdlII;
    let random = names.iter().position(|name| hidden && name == "random");
    let players = names.len() - usize::from(random.is_some());
    GameFacts {
        name: name.into(),
        random: random.map(|index| RoleId(index as u16)),
        turn_order: if players == 1 {
            TurnOrder::SinglePlayer
        } else {
            TurnOrder::Unknown
        },
        information: if hidden {
            Information::Hidden
        } else {
            Information::Perfect
        },
        goal_range: 0..=100,
        fluents: None,
        moves: None,
        roles: names,
    }
}

impl Rules {
    fn first_state(&self) -> State {
        let mut state = State::default();
        for fluent in &self.program.fluents {
            state.push_rows(&self.base.tables[fluent.init.index()]);
        }
        state
    }
}

impl Game for Reference {
    type State = State;
    type Walker = ReferenceWalker;

    fn facts(&self) -> &GameFacts {
        &self.rules.facts
    }

    fn moves(&self) -> &MoveTable {
        &self.rules.moves
    }

    fn percepts(&self) -> &PerceptTable {
        &self.rules.percepts
    }

    fn initial(&self) -> State {
        self.rules.initial.clone()
    }

    fn walker(&self) -> ReferenceWalker {
        ReferenceWalker::new(Arc::clone(&self.rules))
    }
}

impl Legible for Reference {
    fn fluents(&self, state: &State) -> Vec<String> {
        let mut terms = self.rules.base.terms.clone();
        terms.catch_up();
        let mut texts = Vec::new();
        let program = &self.rules.program;
        state.each_kind(program, |kind, rows| {
            let fluent = &program.fluents[kind];
            for row in rows {
                let mut text = String::new();
                terms.write_row(fluent.functor, row, &program.symbols, &mut text);
                texts.push(text);
            }
        });
        texts.sort();
        texts
    }

    fn state(&self, fluents: &[&str]) -> Result<State, UnknownFluent> {
        let program = &self.rules.program;
        let mut terms = self.rules.base.terms.clone();
        let mut tables: Vec<_> = program
            .fluents
            .iter()
            .map(|fluent| paidia_gdl::datalog::Table::new(program.relation(fluent.holds).arity))
            .collect();
        for &text in fluents {
            let refuse = |because: String| UnknownFluent {
                text: text.into(),
                because,
            };
            let (functor, row) =
                match read_ground(text, &program.symbols, &mut terms).map_err(refuse)? {
                    Ground::Constant(id) => (None, vec![id]),
                    Ground::Compound(functor, args) => (Some(functor), args),
                };
            let fits = |fluent: &paidia_gdl::program::Fluent| {
                fluent.functor == functor && program.relation(fluent.holds).arity == row.len()
            };
            let kind = program.fluents.iter().position(fits);
            let kind = kind.ok_or_else(|| refuse("no rule makes such a fact true".into()))?;
            tables[kind].insert(&row);
        }
        let mut state = State::default();
        tables.iter().for_each(|table| state.push_rows(table));
        Ok(state)
    }
}

impl State {
    /// Appends the rows of the next kind of fluent.
    fn push_rows(&mut self, table: &paidia_gdl::datalog::Table) {
        self.cells.push(table.len());
        let start = self.cells.len();
        self.cells.extend_from_slice(table.flat());
        sort_rows(&mut self.cells[start..], table.arity());
    }

    /// Calls `visit` for each kind of fluent with its rows.
    fn each_kind<'a>(
        &'a self,
        program: &Program,
        mut visit: impl FnMut(usize, std::slice::ChunksExact<'a, u32>),
    ) {
        let mut rest = &self.cells[..];
        for (kind, fluent) in program.fluents.iter().enumerate() {
            let Some((&count, after)) = rest.split_first() else {
                return;
            };
            let arity = program.relation(fluent.holds).arity;
            let (rows, after) = after.split_at(count as usize * arity);
            visit(kind, rows.chunks_exact(arity));
            rest = after;
        }
    }
}

/// Sorts rows of equal length that stand one after the other.
pub(crate) fn sort_rows(cells: &mut [u32], arity: usize) {
    match arity {
        0 | 1 => cells.sort_unstable(),
        2 => cells.as_chunks_mut::<2>().0.sort_unstable(),
        3 => cells.as_chunks_mut::<3>().0.sort_unstable(),
        4 => cells.as_chunks_mut::<4>().0.sort_unstable(),
        5 => cells.as_chunks_mut::<5>().0.sort_unstable(),
        _ => {
            let mut rows: Vec<Vec<u32>> = cells.chunks_exact(arity).map(<[u32]>::to_vec).collect();
            rows.sort_unstable();
            for (target, row) in cells.chunks_exact_mut(arity).zip(rows) {
                target.copy_from_slice(&row);
            }
        }
    }
}
