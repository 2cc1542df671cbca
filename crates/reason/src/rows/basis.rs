//! What all engines know about a program that is to be played.

use std::ops::RangeInclusive;
use std::sync::Arc;

use paidia_game::{
    Fault, GameFacts, Information, MoveTable, PerceptTable, Randomness, Resource, RoleId,
    TurnOrder, UnknownFluent,
};
use paidia_gdl::Dialect;
use paidia_gdl::check::MOST_ROLES;
use paidia_gdl::datalog::terms::MAX_LEVELS;
use paidia_gdl::datalog::{Exhausted, Limits, Machine, Table};
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::{Fluent, Program, Rule, Term};

use super::{Rows, State};
use crate::error::LoadError;
use crate::reference::Planning;
use crate::shapes::read_ground;

/// How much one state may cost. The largest public games stay a hundred times below.
pub(crate) const LIMITS: Limits = Limits {
    steps: 2_000_000_000,
    rows: 20_000_000,
    terms: 10_000_000,
    depth: Limits::DEPTH,
};

/// The most different moves, and percepts, of one game.
pub(crate) const MAX_NAMES: u32 = 4_000_000;

/// What all engines know about a program that is to be played.
pub struct Basis {
    /// What is known about the game.
    pub facts: GameFacts,
    /// The moves that were met.
    pub moves: MoveTable,
    /// The percepts that were met.
    pub percepts: PerceptTable,
    /// The rules.
    pub program: Program,
    /// A machine with the facts of all states in its tables.
    pub machine: Machine,
    /// The roles' symbols.
    pub roles: Vec<u32>,
    /// For each symbol, the role with that name.
    role_of: Vec<Option<RoleId>>,
    /// For each symbol, the number that it is.
    number_of: Vec<Option<i32>>,
    /// The first state.
    pub initial: State,
}

impl Basis {
    /// What can be known about a program that passed the checks, and what was found out to plan it.
    ///
    /// # Errors
    /// If the program cannot be played in turns, or has more facts than the limits allow.
    pub(crate) fn new(name: &str, program: &Program) -> Result<(Arc<Self>, Planning), LoadError> {
        if program.dialect.is_timed() {
            return Err(LoadError::RealTime);
        }
        Self::timed(name, program)
    }

    /// The same for a program in real time, too.
    pub(crate) fn timed(name: &str, program: &Program) -> Result<(Arc<Self>, Planning), LoadError> {
        let planning = Planning::new(program)?;
        let machine = planning.base().clone();
        let roles = roles(program, &machine)?;
        let mut initial = State::default();
        for fluent in &program.fluents {
            initial.push_sorted(Rows::of(&machine.tables[fluent.init.index()]));
        }
        let basis = Self {
            facts: facts(name, program, &roles),
            moves: MoveTable::with_limit(MAX_NAMES),
            percepts: PerceptTable::with_limit(MAX_NAMES),
            role_of: role_of(program, &roles),
            number_of: number_of(program),
            program: program.clone(),
            machine,
            roles,
            initial,
        };
        Ok((Arc::new(basis), planning))
    }

    /// The role that a symbol names.
    pub(super) fn role(&self, symbol: u32) -> Option<RoleId> {
        self.role_of.get(symbol as usize).copied().flatten()
    }

    /// The number that a symbol is.
    pub(super) fn number(&self, symbol: u32) -> Option<i32> {
        self.number_of.get(symbol as usize).copied().flatten()
    }

    /// The facts of a state as texts.
    pub(super) fn fluents(&self, state: &State) -> Vec<String> {
        let mut terms = self.machine.terms.clone();
        terms.catch_up();
        let mut texts = Vec::new();
        state.each_kind(&self.program, |kind, rows| {
            let functor = self.program.fluents[kind].functor;
            for row in rows {
                let mut text = String::new();
                terms.write_row(functor, row, &self.program.symbols, &mut text);
                texts.push(text);
            }
        });
        texts.sort();
        texts
    }

    /// The state with some facts, by their texts.
    pub(super) fn state(&self, fluents: &[&str]) -> Result<State, UnknownFluent> {
        let program = &self.program;
        let mut terms = self.machine.terms.clone();
        let arity = |fluent: &Fluent| program.relation(fluent.holds).arity;
        let tables = program
            .fluents
            .iter()
            .map(|fluent| Table::new(arity(fluent)));
        let mut tables: Vec<Table> = tables.collect();
        for &text in fluents {
            let refuse = |because: String| UnknownFluent {
                text: text.into(),
                because,
            };
            let ground = read_ground(text, &program.symbols, &mut terms).map_err(refuse)?;
            let (functor, row) = ground.into_row();
            let fits = |fluent: &Fluent| fluent.functor == functor && arity(fluent) == row.len();
            let kind = program.fluents.iter().position(fits);
            let kind = kind.ok_or_else(|| refuse("no rule makes such a fact true".into()))?;
            tables[kind].insert(&row);
        }
        let mut state = State::default();
        let rows = tables.iter().map(Rows::of);
        rows.for_each(|rows| state.push_sorted(rows));
        Ok(state)
    }
}

/// For each symbol, the number that it is.
pub(crate) fn number_of(program: &Program) -> Vec<Option<i32>> {
    let names = program.symbols.iter();
    names.map(|(_, name)| name.parse().ok()).collect()
}

/// What a limit of [`LIMITS`] is called.
pub(crate) fn fault(exhausted: Exhausted) -> Fault {
    fault_within(exhausted, LIMITS)
}

/// What one of these limits is called.
pub(crate) fn fault_within(exhausted: Exhausted, limits: Limits) -> Fault {
    let (resource, limit) = match exhausted {
        Exhausted::Steps | Exhausted::Time => (Resource::Steps, limits.steps),
        Exhausted::Rows => (Resource::Facts, limits.rows),
        Exhausted::Terms => (Resource::Terms, u64::from(limits.terms)),
        Exhausted::Levels => (Resource::TermDepth, u64::from(MAX_LEVELS)),
        Exhausted::Depth => (Resource::CallDepth, limits.depth as u64),
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
        count if count > MOST_ROLES => Err(LoadError::TooManyRoles(count)),
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

/// The lowest and the highest goal: of those that stand in the heads of rules, if all heads have a
/// number there and not all the same, else of those that GDL allows.
pub(crate) fn goal_range(program: &Program) -> RangeInclusive<i32> {
    let (goal, numbers) = (program.keyword(Keyword::Goal), number_of(program));
    let of_goal = |rule: &&Rule| Some(rule.head.relation) == goal;
    let value = |rule: &Rule| match rule.head.args.get(1)? {
        Term::Constant(symbol) => numbers[symbol.0 as usize],
        Term::Variable(_) | Term::Compound(..) => None,
    };
    let values: Option<Vec<i32>> = program.rules.iter().filter(of_goal).map(value).collect();
    let values = values.unwrap_or_default();
    match (values.iter().min(), values.iter().max()) {
        (Some(&lowest), Some(&highest)) if lowest < highest => lowest..=highest,
        _ => 0..=100,
    }
}

pub(crate) fn facts(name: &str, program: &Program, roles: &[u32]) -> GameFacts {
    let names = roles
        .iter()
        .map(|&symbol| program.symbols.name(paidia_gdl::Symbol(symbol)).to_owned());
    let names: Vec<String> = names.collect();
    let hidden = match program.dialect {
        Dialect::Gdl => false,
        Dialect::GdlII => true,
        // rtGDL-II has no forms of its own.
        Dialect::RtGdl => !program.percepts.is_empty() || names.iter().any(|name| name == "random"),
    };
    let random = names.iter().position(|name| hidden && name == "random");
    let players = names.len() - usize::from(random.is_some());
    GameFacts {
        name: name.into(),
        randomness: random.map_or(Randomness::None, |index| {
            Randomness::Role(RoleId(index as u16))
        }),
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
        goal_range: goal_range(program),
        fluents: None,
        moves: None,
        roles: names,
    }
}
