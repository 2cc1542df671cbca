//! The engine for real time: rtGDL and rtGDL-II.
//!
//! Rules see time as names that they can compare and copy, never as numbers. So the part of the
//! rules that has no time in it is derived by an engine that knows nothing of time, the
//! [reference](mod@crate::reference) engine or the [compiled](mod@crate::compiled) one: before each
//! derivation every lifetime stands for a name. A time that the sheet writes itself keeps its own
//! name; any other gets one of some spare names (`names`), and a state says what these mean. What
//! passes of the time is subtracted here (`walker`), not by rules.

mod deriving;
mod names;
mod state;
mod walker;

use std::sync::Arc;

use paidia_game::{
    Damaged, Fault, GameFacts, Lasting, MoveId, MoveTable, PerceptTable, Reading, RoleId, Rules,
    Ticks, TimedGame, snapshot,
};
use paidia_gdl::analysis::Dependencies;
use paidia_gdl::datalog::Terms;
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::{Fluent, Literal, Program, RelationId, RelationKind, Rule, Term};
use paidia_gdl::syntax::plain_numeral;

use crate::compiled::{Compiled, Translation, code::Code};
use crate::error::LoadError;
use crate::reference;
use crate::rows::{MAX_NAMES, facts, number_of, role_of};
use names::Names;
pub use state::State;
pub use walker::Walker;

/// The relation by which a sheet chooses how the end and the goals are read.
const READING: &str = "reading";

/// What derives the timeless part of the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Core {
    /// The reference engine.
    Reference,
    /// The compiled engine.
    #[default]
    Compiled,
}

impl Core {
    /// The name as that of an engine.
    pub fn name(self) -> &'static str {
        match self {
            Core::Reference => "reference",
            Core::Compiled => "compiled",
        }
    }
}

/// A game in real time.
#[derive(Clone)]
pub struct Timed {
    rules: Arc<TimedRules>,
}

/// What all walkers of a game share.
struct TimedRules {
    facts: GameFacts,
    moves: MoveTable,
    percepts: PerceptTable,
    /// The program with spare names for times.
    program: Program,
    reading: Reading,
    engine: Engine,
    kinds: Vec<Kind>,
    names: Names,
    /// The roles' symbols.
    roles: Vec<u32>,
    role_of: Vec<Option<RoleId>>,
    number_of: Vec<Option<i32>>,
    terminal: Option<RelationId>,
    goal: Option<RelationId>,
    /// Whether what is legal depends on what expired, which is then kept from it.
    legal_needs_expired: bool,
    /// Whether the end is the same however long lifetimes are.
    end_is_ageless: bool,
    /// Whether percepts are told instead of moves.
    hidden: bool,
    /// The compound terms of the start, and the way to those that walkers meet.
    terms: Terms,
    initial: State,
}

/// The engine for the timeless part.
enum Engine {
    Reference(Arc<reference::Rules>),
    Compiled(Box<Compiled>),
}

/// A kind of fluent.
struct Kind {
    fluent: Fluent,
    /// The relation of those that expired, if the rules ask for it.
    expired: Option<RelationId>,
    /// How many arguments there are, the lifetime among them.
    arity: usize,
}

impl Timed {
    /// The game of a program in rtGDL that passed the checks. The reading is that of the sheet, if
    /// none is given: `(reading post-update)` asks for one.
    ///
    /// # Errors
    /// If the program is larger than the engine's limits.
    pub fn new(
        name: &str,
        program: &Program,
        core: Core,
        reading: Option<Reading>,
    ) -> Result<Self, LoadError> {
        let mut program = program.clone();
        let names = Names::new(&mut program);
        let (basis, plans, planning) = reference::Reference::planned_in_time(name, &program)?;
        let engine = match core {
            Core::Reference => Engine::Reference(Arc::new(plans)),
            Core::Compiled => {
                Engine::Compiled(Box::new(Compiled::in_time(name, &program, planning)?))
            }
        };
        let facts = facts(name, &program, &basis.roles);
        let mut rules = TimedRules {
            moves: MoveTable::with_limit(MAX_NAMES),
            percepts: PerceptTable::with_limit(MAX_NAMES),
            reading: reading.or(reading_of(&program)).unwrap_or_default(),
            kinds: kinds(&program),
            role_of: role_of(&program, &basis.roles),
            number_of: number_of(&program),
            roles: basis.roles.clone(),
            terminal: program.keyword(Keyword::Terminal),
            goal: program.keyword(Keyword::Goal),
            legal_needs_expired: legal_needs_expired(&program),
            end_is_ageless: end_is_ageless(&program),
            hidden: facts.information == paidia_game::Information::Hidden,
            terms: basis.machine.terms.clone(),
            initial: State::default(),
            facts,
            engine,
            names,
            program,
        };
        let init = rules.kinds.iter().map(|kind| kind.fluent.init);
        let init = init.map(|init| basis.machine.tables[init.index()].flat().to_vec());
        let mut terms = basis.machine.terms.clone();
        rules.initial = rules.first_state(init.collect(), &mut terms)?;
        Ok(Self {
            rules: Arc::new(rules),
        })
    }

    /// The engine with the compiled code run by whatever `translate` makes of it.
    #[must_use]
    pub fn translated(mut self, translate: impl FnOnce(&Code) -> Translation) -> Self {
        // A new engine is the only handle of its rules.
        if let Some(rules) = Arc::get_mut(&mut self.rules)
            && let Engine::Compiled(compiled) = &mut rules.engine
        {
            **compiled = compiled.as_ref().clone().translated(translate);
        }
        self
    }

    /// What derives the timeless part, in words.
    pub fn core(&self) -> &'static str {
        match &self.rules.engine {
            Engine::Reference(_) => "reference",
            Engine::Compiled(compiled) if compiled.is_translated() => "compiled, machine code",
            Engine::Compiled(_) => "compiled",
        }
    }

    /// Whether percepts are told instead of moves: rtGDL-II.
    pub fn is_hidden(&self) -> bool {
        self.rules.hidden
    }
}

/// What a sheet says about the reading: the only argument of a fact `reading`.
fn reading_of(program: &Program) -> Option<Reading> {
    let name = program.symbols.get(READING)?;
    let fact = program.rules.iter().find(|rule| {
        let relation = program.relation(rule.head.relation);
        relation.name == name && relation.kind == RelationKind::Plain && rule.body.is_empty()
    })?;
    match fact.head.args.as_slice() {
        [Term::Constant(symbol)] => Reading::by_name(program.symbols.name(*symbol)),
        _ => None,
    }
}

fn kinds(program: &Program) -> Vec<Kind> {
    let expired = |fluent: &Fluent, arity: usize| {
        let is_it = |relation: &paidia_gdl::program::Relation| {
            relation.kind == RelationKind::Keyword(Keyword::Expired)
                && relation.functor == fluent.functor
                && relation.arity + 1 == arity
        };
        let place = program.relations.iter().position(is_it);
        place.map(|place| RelationId(place as u32))
    };
    let fluents = program.fluents.iter();
    fluents
        .map(|fluent| {
            let arity = program.relation(fluent.holds).arity;
            Kind {
                fluent: *fluent,
                expired: expired(fluent, arity),
                arity,
            }
        })
        .collect()
}

/// Whether something that is legal depends on what expired.
fn legal_needs_expired(program: &Program) -> bool {
    let dependencies = Dependencies::new(program);
    let legal = program.moves.iter().map(|kind| kind.legal);
    let cone = dependencies.cone(program, legal);
    let groups = cone.iter().map(|&group| &dependencies.components[group]);
    let mut relations = groups.flat_map(|group| &group.relations);
    relations
        .any(|&relation| program.relation(relation).kind == RelationKind::Keyword(Keyword::Expired))
}

/// Whether the rules of the end do nothing with lifetimes: they ask for facts that last, or for any
/// lifetime. Then time that passes without an expiry does not end a match.
fn end_is_ageless(program: &Program) -> bool {
    let dependencies = Dependencies::new(program);
    let cone = dependencies.cone(program, program.keyword(Keyword::Terminal));
    let groups = cone.iter().map(|&group| &dependencies.components[group]);
    let mut rules = groups.flat_map(|group| &group.rules);
    rules.all(|&rule| is_ageless(program, &program.rules[rule]))
}

fn is_ageless(program: &Program, rule: &Rule) -> bool {
    let mut uses = vec![0; rule.variables];
    rule.head.args.iter().for_each(|arg| count(arg, &mut uses));
    for literal in &rule.body {
        match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => {
                atom.args.iter().for_each(|arg| count(arg, &mut uses));
            }
            Literal::Distinct(one, other) => {
                count(one, &mut uses);
                count(other, &mut uses);
            }
            Literal::Plain(term) => count(term, &mut uses),
        }
    }
    let mut asked = rule.body.iter().filter_map(Literal::atom).filter(|atom| {
        program.relation(atom.relation).kind == RelationKind::Keyword(Keyword::True)
    });
    asked.all(|atom| match atom.args.first() {
        Some(Term::Constant(name)) => program.symbols.name(*name) == "infinity",
        Some(Term::Variable(number)) => uses[*number] == 1,
        _ => false,
    })
}

/// Counts how often each variable stands in a term.
fn count(term: &Term, uses: &mut [u32]) {
    match term {
        Term::Variable(number) => uses[*number] += 1,
        Term::Constant(_) => {}
        Term::Compound(_, args) => args.iter().for_each(|arg| count(arg, uses)),
    }
}

impl Rules for Timed {
    type State = State;

    crate::handle::shared_rules!();

    fn snapshot(&self, state: &State, into: &mut Vec<u8>) {
        snapshot::write_texts(self.rules.texts(state), into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<State, Damaged> {
        let mut texts = Vec::new();
        snapshot::read_texts(bytes, |text| {
            texts.push(text.to_owned());
            Ok(())
        })?;
        self.rules.read_state(&texts).map_err(Damaged::new)
    }
}

impl TimedGame for Timed {
    type Walker = Walker;

    fn walker(&self) -> Walker {
        Walker::new(Arc::clone(&self.rules))
    }

    fn reading(&self) -> Reading {
        self.rules.reading
    }

    fn lasting(&self, state: &State) -> Vec<Lasting> {
        self.rules.lasting(state)
    }

    fn expired(&self, state: &State) -> Vec<String> {
        self.rules.expired(state)
    }

    fn find_move(&self, text: &str) -> Option<MoveId> {
        self.rules.moves.find(&normal_form(text))
    }
}

/// A term with single spaces and its numbers in their shortest spelling.
pub fn normal_form(text: &str) -> String {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut normal = String::with_capacity(text.len());
    for token in spaced.split_whitespace() {
        let needs_space = !normal.is_empty() && !normal.ends_with('(') && token != ")";
        if needs_space {
            normal.push(' ');
        }
        normal.push_str(&plain_numeral(token));
    }
    normal
}

/// The fault of a lifetime beyond all bounds.
fn too_long() -> Fault {
    Fault {
        resource: paidia_game::Resource::Lifetime,
        limit: Ticks::MOST.0 / Ticks::PER_UNIT,
    }
}
