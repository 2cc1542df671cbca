//! From the formula of a goal one step before to one for each move: moves are replaced by what is
//! known about the moves of each role.
//!
//! With a role that makes no move at all as a starting point, the formula of each move is found by
//! following what the move changes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::lists::Lists;

use super::formula::{Formula, Formulas, Part};
use super::{OtherMoves, TooComplex};

/// One formula for each of a role's moves: whether the goal is reached when the role makes that
/// move now.
pub(super) fn of_each_move(
    formulas: &mut Formulas,
    goal: Formula,
    role: u16,
    moves: usize,
    others: &OtherMoves,
) -> Result<Vec<Formula>, TooComplex> {
    let mut replaced = Replaced::new(formulas, goal, role, others)?;
    (0..moves)
        .map(|index| replaced.with_move(formulas, index))
        .collect()
}

/// The parts of a goal's formula with moves replaced.
struct Replaced {
    goal: Formula,
    /// For each move of the role, the place of its atom, if the goal depends on it.
    atoms: Vec<Option<usize>>,
    /// For each part, the parts that it is in.
    within: Lists<u32>,
    /// For each part, what is left of it if the role makes no move.
    idle: Vec<Formula>,
    /// For each part, what is left of it with the present move, if that was found in the present
    /// round.
    made: Vec<(u32, Formula)>,
    round: u32,
    waiting: BinaryHeap<Reverse<u32>>,
    inputs: Vec<Formula>,
}

impl Replaced {
    fn new(
        formulas: &mut Formulas,
        goal: Formula,
        role: u16,
        others: &OtherMoves,
    ) -> Result<Self, TooComplex> {
        let size = goal.place() + 1;
        let mut this = Self {
            goal,
            atoms: Vec::new(),
            within: Lists::new(size, &wholes(formulas, goal)?),
            idle: vec![Formula::FALSE; size],
            made: vec![(0, Formula::FALSE); size],
            round: 0,
            waiting: BinaryHeap::new(),
            inputs: Vec::new(),
        };
        for place in needed(formulas, goal) {
            let atom = match formulas.part_at(place) {
                Part::True => Formula::TRUE,
                Part::Unknown => Formula::UNKNOWN,
                Part::Holds(_) => Formula::at(place),
                Part::Does(owner, index) if owner == role => {
                    let index = index as usize;
                    this.atoms.resize(this.atoms.len().max(index + 1), None);
                    this.atoms[index] = Some(place);
                    Formula::FALSE
                }
                Part::Does(owner, index) => others.does(owner, index),
                Part::All(_) => this.rebuilt(formulas, place)?,
            };
            this.idle[place] = atom;
        }
        Ok(this)
    }

    /// What is left of a part, given what is left of its own parts.
    fn rebuilt(&mut self, formulas: &mut Formulas, place: usize) -> Result<Formula, TooComplex> {
        let Part::All(parts) = formulas.part_at(place) else {
            return Ok(self.idle[place]);
        };
        let mut inputs = std::mem::take(&mut self.inputs);
        inputs.clear();
        inputs.extend(parts.iter().map(|&part| self.read(part)));
        let all = formulas.all(inputs.iter().copied());
        self.inputs = inputs;
        all
    }

    fn read(&self, part: Formula) -> Formula {
        let left = match self.made[part.place()] {
            (round, made) if round == self.round && round > 0 => made,
            _ => self.idle[part.place()],
        };
        left.negated_if(part.is_negated())
    }

    /// What is left of the goal if the role makes a move.
    fn with_move(&mut self, formulas: &mut Formulas, index: usize) -> Result<Formula, TooComplex> {
        let Some(atom) = self.atoms.get(index).copied().flatten() else {
            return Ok(self.idle[self.goal.place()].negated_if(self.goal.is_negated()));
        };
        self.round += 1;
        self.set(atom, Formula::TRUE);
        while let Some(Reverse(place)) = self.waiting.pop() {
            let place = place as usize;
            while self.waiting.peek() == Some(&Reverse(place as u32)) {
                self.waiting.pop();
            }
            let rebuilt = self.rebuilt(formulas, place)?;
            if rebuilt != self.idle[place] {
                self.set(place, rebuilt);
            }
        }
        Ok(self.read(self.goal))
    }

    fn set(&mut self, place: usize, formula: Formula) {
        self.made[place] = (self.round, formula);
        let within = self.within.of(place).iter();
        self.waiting.extend(within.map(|&whole| Reverse(whole)));
    }
}

/// The places of all parts of a formula, in order.
fn needed(formulas: &Formulas, goal: Formula) -> Vec<usize> {
    let mut is_needed = vec![false; goal.place() + 1];
    is_needed[goal.place()] = true;
    for place in (0..=goal.place()).rev() {
        if is_needed[place]
            && let Part::All(parts) = formulas.part_at(place)
        {
            parts.iter().for_each(|part| is_needed[part.place()] = true);
        }
    }
    let places = is_needed.iter().enumerate();
    places
        .filter_map(|(place, &needed)| needed.then_some(place))
        .collect()
}

/// For each part of a formula the parts that it is in, as pairs.
fn wholes(formulas: &mut Formulas, goal: Formula) -> Result<Vec<(u32, u32)>, TooComplex> {
    let mut edges = Vec::new();
    for place in needed(formulas, goal) {
        if let Part::All(parts) = formulas.part_at(place) {
            edges.extend(parts.iter().map(|part| (part.place() as u32, place as u32)));
        }
    }
    formulas.spend(edges.len())?;
    Ok(edges)
}
