//! From ground rules of a game to a stratified program in which atoms that are read together stand
//! together.

use std::ops::Range;

use paidia_game::{MoveTable, PerceptTable};
use paidia_gdl::grounding::{AtomId, GroundLiteral, GroundProgram};
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::RelationId;

use super::clauses::Clauses;
use super::levels::NONE;
use super::model::Model;
use super::stratified::Stratified;
use super::{Options, Question, Questions, Rules};
use crate::bits::State;
use crate::ground::{Names, Role};
use crate::propnet::LoadNetworkError;

/// Where atoms stand that walkers set or read. Those of a row have their bits in words of their
/// own, in the order of fluents, of a role's moves, or of its percepts. Fluents come first.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// The words of what holds now.
    pub(super) holds: Range<usize>,
    /// The words of what holds after the move.
    pub(super) next: Range<usize>,
    /// For each role, the first atom of its moves being made.
    pub(super) does: Vec<AtomId>,
    /// For each role, the words of its legal moves.
    pub(super) legal: Vec<Range<usize>>,
    /// For each role, the words of its percepts.
    pub(super) sees: Vec<Range<usize>>,
    /// For each role, its possible results.
    pub(super) goals: Vec<Vec<(i32, AtomId)>>,
    pub(super) terminal: Option<AtomId>,
}

/// Makes everything that walkers share.
pub(super) fn load(
    name: &str,
    ground: &GroundProgram,
    options: Options,
) -> Result<Rules, LoadNetworkError> {
    let names = Names::new(ground)?;
    let too_many = |_| LoadNetworkError::TooManyNames;
    let moves = MoveTable::from_names(names.moves.iter().map(String::as_str)).map_err(too_many)?;
    let percepts =
        PerceptTable::from_names(names.percepts.iter().map(String::as_str)).map_err(too_many)?;
    let told = percepts_of(&names);
    let roles = names.moves_of.iter().zip(&told).map(|(own, told)| {
        let own = own.iter().map(|&(id, ..)| id).collect();
        Role::new(own, told.iter().copied(), names.moves.len())
    });
    let roles = roles.collect();
    let numbering = Numbering::new(ground, &names, &told);
    let clauses = numbering.clauses();
    let Numbering { wanted, layout, .. } = numbering;
    let stratified =
        Stratified::new(&clauses, wanted, options).map_err(|_| LoadNetworkError::NegativeCycle)?;
    let mut initial = State::empty(names.fluents.len());
    let mut model = Model::new(&stratified);
    for (fluent, _) in names
        .initial(ground)
        .iter()
        .enumerate()
        .filter(|new| *new.1)
    {
        initial.insert(fluent);
        model.set(&stratified, fluent as AtomId, true);
    }
    for question in Question::EACH {
        model.answer(&stratified, question);
    }
    Ok(Rules {
        facts: names.facts(name, ground),
        moves,
        percepts,
        fluents: names.fluents,
        roles,
        stratified,
        layout,
        initial,
        model,
    })
}

/// For each role, the ids of what it can be told, in order.
fn percepts_of(names: &Names) -> Vec<Vec<u32>> {
    let mut told = vec![Vec::new(); names.roles.len()];
    for &(role, id) in names.percept_of.iter().flatten().flatten() {
        told[usize::from(role)].push(id);
    }
    for ids in &mut told {
        ids.sort_unstable();
        ids.dedup();
    }
    told
}

/// Gives atoms of the ground program their numbers.
struct Numbering<'a> {
    ground: &'a GroundProgram,
    /// For each atom of the ground program its number here, or [`NONE`] as long as it has none.
    numbers: Vec<u32>,
    /// For each atom here, the questions that it answers.
    wanted: Vec<Questions>,
    /// Atoms here that hold in every state.
    facts: Vec<AtomId>,
    layout: Layout,
}

impl<'a> Numbering<'a> {
    fn new(ground: &'a GroundProgram, names: &Names, told: &[Vec<u32>]) -> Self {
        let mut this = Self {
            ground,
            numbers: vec![NONE; ground.atoms],
            wanted: Vec::new(),
            facts: Vec::new(),
            layout: Layout::default(),
        };
        this.number_fluents(names);
        this.number_moves(names);
        this.number_percepts(names, told);
        this.number_results(names);
        for atom in 0..this.numbers.len() {
            if this.numbers[atom] == NONE {
                this.numbers[atom] = this.wanted.len() as u32;
                this.wanted.push(0);
            }
        }
        this
    }

    /// Makes room for a row of atoms, in words of its own; the first of them.
    fn row(&mut self, length: usize, wanted: Questions) -> AtomId {
        let first = self.wanted.len();
        self.wanted.resize(first + length, wanted);
        let rounded = self.wanted.len().next_multiple_of(64);
        self.wanted.resize(rounded, 0);
        first as AtomId
    }

    /// The words from an atom on to the last that has a number.
    fn words_from(&self, first: AtomId) -> Range<usize> {
        first as usize / 64..self.wanted.len() / 64
    }

    /// Gives a row of a relation its number.
    fn number(&mut self, relation: RelationId, row: u32, number: AtomId) {
        match self.ground.atom(relation, row) {
            Some(atom) => self.numbers[atom as usize] = number,
            None => {
                let values = self.ground.table(relation).row(row);
                if self.ground.always_holds(relation, values) {
                    self.facts.push(number);
                }
            }
        }
    }

    fn number_fluents(&mut self, names: &Names) {
        let holds = self.row(names.fluents.len(), 0);
        self.layout.holds = self.words_from(holds);
        let next = self.row(names.fluents.len(), Question::Successor.bit());
        self.layout.next = self.words_from(next);
        for (fluent, numbers) in self.ground.program.fluents.iter().zip(&names.fluent_of) {
            for (row, &number) in (0..).zip(numbers) {
                self.number(fluent.holds, row, holds + number);
                self.number(fluent.next, row, next + number);
            }
        }
    }

    fn number_moves(&mut self, names: &Names) {
        for moves in &names.moves_of {
            let does = self.row(moves.len(), 0);
            let legal = self.row(moves.len(), Question::Legal.bit());
            self.layout.does.push(does);
            self.layout.legal.push(self.words_from(legal));
            for (place, &(_, kind, row)) in (0..).zip(moves) {
                let kind = &self.ground.program.moves[kind];
                self.number(kind.does, row, does + place);
                self.number(kind.legal, row, legal + place);
            }
        }
    }

    fn number_percepts(&mut self, names: &Names, told: &[Vec<u32>]) {
        let mut first = Vec::new();
        for ids in told {
            let sees = self.row(ids.len(), Question::Successor.bit());
            self.layout.sees.push(self.words_from(sees));
            first.push(sees);
        }
        for (kind, of_rows) in self.ground.program.percepts.iter().zip(&names.percept_of) {
            for (row, percept) in (0..).zip(of_rows) {
                let Some((role, id)) = *percept else { continue };
                let role = usize::from(role);
                let place = told[role].partition_point(|&other| other < id) as AtomId;
                self.number(kind.sees, row, first[role] + place);
            }
        }
    }

    fn number_results(&mut self, names: &Names) {
        self.layout.goals = vec![Vec::new(); names.roles.len()];
        let program = &self.ground.program;
        if let Some(relation) = program.keyword(Keyword::Goal) {
            for (role, value, row) in names.goals(self.ground) {
                let number = self.wanted.len() as AtomId;
                self.wanted.push(Question::Goal.bit());
                self.number(relation, row, number);
                self.layout.goals[role].push((value, number));
            }
        }
        if let Some(relation) = program.keyword(Keyword::Terminal)
            && !self.ground.table(relation).is_empty()
        {
            let number = self.wanted.len() as AtomId;
            self.wanted.push(Question::Terminal.bit());
            self.number(relation, 0, number);
            self.layout.terminal = Some(number);
        }
    }

    /// The rules, by the atoms' numbers.
    fn clauses(&self) -> Clauses {
        let mut clauses = Clauses::new();
        for &atom in &self.facts {
            clauses.push(atom, []);
        }
        for (rule, &head) in self.ground.heads.iter().enumerate() {
            let body = self.ground.body(rule).iter().map(|literal| {
                let atom = self.numbers[literal.atom() as usize];
                GroundLiteral::new(atom, literal.fails())
            });
            clauses.push(self.numbers[head as usize], body);
        }
        clauses
    }
}
