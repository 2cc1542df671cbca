//! From ground rules to a network.

use paidia_game::{MoveTable, PerceptTable};
use paidia_gdl::graph;
use paidia_gdl::grounding::{AtomId, GroundLiteral, GroundProgram};
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::RelationId;
use rustc_hash::FxHashMap;

use super::builder::Builder;
use super::network::{Network, Wire};
use super::{GroundGame, LoadNetworkError};
use crate::ground::Names;

/// Nothing known about an atom yet.
const UNKNOWN: u32 = u32::MAX;

/// Builds the network of a ground program, with names for everything.
pub(super) fn build(name: &str, ground: &GroundProgram) -> Result<GroundGame, LoadNetworkError> {
    let names = Names::new(ground)?;
    let network = Atoms::new(ground, &names).network()?;
    let facts = names.facts(name, ground);
    let table_error = |_| LoadNetworkError::TooManyNames;
    Ok(GroundGame {
        facts,
        moves: MoveTable::from_names(names.moves.iter().map(String::as_str))
            .map_err(table_error)?,
        percepts: PerceptTable::from_names(names.percepts.iter().map(String::as_str))
            .map_err(table_error)?,
        fluents: names.fluents,
        network,
    })
}

/// The wires of atoms while the network grows.
struct Atoms<'a> {
    ground: &'a GroundProgram,
    names: &'a Names,
    builder: Builder,
    /// For each atom its wire, once it is known.
    wires: Vec<Option<Wire>>,
    /// For each atom, its place in the component that is being built, or [`UNKNOWN`].
    local: Vec<u32>,
}

impl<'a> Atoms<'a> {
    fn new(ground: &'a GroundProgram, names: &'a Names) -> Self {
        let moves: Vec<usize> = names.moves_of.iter().map(Vec::len).collect();
        let builder = Builder::new(names.fluents.len(), &moves);
        let mut this = Self {
            builder,
            wires: vec![None; ground.atoms],
            local: vec![UNKNOWN; ground.atoms],
            ground,
            names,
        };
        this.set_inputs();
        this
    }

    /// What holds and what is done are inputs.
    fn set_inputs(&mut self) {
        for (kind, fluent) in self.ground.program.fluents.iter().enumerate() {
            for (row, &number) in self.names.fluent_of[kind].iter().enumerate() {
                if let Some(atom) = self.ground.atom(fluent.holds, row as u32) {
                    self.wires[atom as usize] = Some(self.builder.fluent(number as usize));
                }
            }
        }
        for (kind, shape) in self.ground.program.moves.iter().enumerate() {
            for (row, place) in self.names.move_of[kind].iter().enumerate() {
                if let Some(atom) = self.ground.atom(shape.does, row as u32) {
                    let wire = place
                        .map(|(role, index)| self.builder.does(usize::from(role), index as usize));
                    self.wires[atom as usize] = Some(wire.unwrap_or(Wire::FALSE));
                }
            }
        }
    }

    fn network(mut self) -> Result<Network, LoadNetworkError> {
        let wanted = self.wanted();
        let components = {
            let edge = |atom: usize, place: usize| self.edge(atom, place);
            graph::components_from(self.ground.atoms, wanted, edge)
        };
        for component in components {
            self.define(&component)?;
        }
        Ok(self.outputs())
    }

    /// The target of an edge from an atom to an atom of its rules' bodies; inputs have none.
    fn edge(&self, atom: usize, place: usize) -> Option<usize> {
        if self.wires[atom].is_some() {
            return None;
        }
        self.ground
            .literals_of(atom as AtomId)
            .get(place)
            .map(|literal| literal.atom() as usize)
    }

    /// The atoms that a question asks about.
    fn wanted(&self) -> Vec<usize> {
        let mut wanted = Vec::new();
        for relation in paidia_gdl::grounding::outputs(&self.ground.program) {
            let rows = self.ground.table(relation).len();
            wanted.extend(
                (0..rows)
                    .filter_map(|row| self.ground.atom(relation, row))
                    .map(|atom| atom as usize),
            );
        }
        wanted
    }

    fn define(&mut self, component: &[usize]) -> Result<(), LoadNetworkError> {
        if let [atom] = *component {
            if self.wires[atom].is_some() {
                return Ok(());
            }
            let own = self.ground.literals_of(atom as AtomId);
            if !own.iter().any(|literal| literal.atom() as usize == atom) {
                let wire = self.definition(atom)?;
                self.wires[atom] = Some(wire);
                return Ok(());
            }
        }
        self.define_region(component)
    }

    /// One of the atom's rules holds.
    fn definition(&mut self, atom: usize) -> Result<Wire, LoadNetworkError> {
        let rules = self.ground.rules_of(atom as AtomId);
        let mut alternatives = Vec::with_capacity(rules.len());
        for rule in rules {
            let body = self.ground.body(rule);
            let mut inputs = Vec::with_capacity(body.len());
            for literal in body {
                let wire =
                    self.wires[literal.atom() as usize].ok_or(LoadNetworkError::NegativeCycle)?;
                inputs.push(wire.inverted_if(literal.fails()));
            }
            alternatives.push(self.builder.and(inputs));
        }
        Ok(self.builder.or(alternatives))
    }

    /// Atoms that depend on each other: the ones that close a cycle become feedback.
    fn define_region(&mut self, component: &[usize]) -> Result<(), LoadNetworkError> {
        for (place, &atom) in component.iter().enumerate() {
            self.local[atom] = place as u32;
        }
        self.check_stratified(component)?;
        let (order, feedback) = self.region_order(component);
        let wires = self.builder.open_region(feedback.len());
        for (&atom, &wire) in feedback.iter().zip(&wires) {
            self.wires[atom] = Some(wire);
        }
        let mut definitions: FxHashMap<usize, Wire> = FxHashMap::default();
        for atom in order {
            let wire = self.definition(atom)?;
            if self.wires[atom].is_some() {
                definitions.insert(atom, wire);
            } else {
                self.wires[atom] = Some(wire);
            }
        }
        self.builder
            .close_region(feedback.iter().map(|atom| definitions[atom]).collect());
        component
            .iter()
            .for_each(|&atom| self.local[atom] = UNKNOWN);
        Ok(())
    }

    /// Recursion through negation has no meaning; rules that passed the checks have none.
    fn check_stratified(&self, component: &[usize]) -> Result<(), LoadNetworkError> {
        let denies = |literal: &GroundLiteral| {
            literal.fails() && self.local[literal.atom() as usize] != UNKNOWN
        };
        match component
            .iter()
            .any(|&atom| self.ground.literals_of(atom as AtomId).iter().any(denies))
        {
            true => Err(LoadNetworkError::NegativeCycle),
            false => Ok(()),
        }
    }

    /// An order in which every atom comes after those it needs, except for feedback atoms, which
    /// are given too.
    fn region_order(&self, component: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let (mut order, mut feedback) = (Vec::new(), Vec::new());
        // 0: not seen, 1: on the way, 2: done.
        let mut status = vec![0u8; component.len()];
        let mut closes = vec![false; component.len()];
        for &start in component {
            if status[self.local[start] as usize] != 0 {
                continue;
            }
            status[self.local[start] as usize] = 1;
            let mut frames = vec![(start, 0)];
            while let Some(frame) = frames.last_mut() {
                let atom = frame.0;
                let Some(target) = self.edge(atom, frame.1) else {
                    status[self.local[atom] as usize] = 2;
                    order.push(atom);
                    frames.pop();
                    continue;
                };
                frame.1 += 1;
                let local = self.local[target];
                if local == UNKNOWN {
                    continue;
                }
                match status[local as usize] {
                    0 => {
                        status[local as usize] = 1;
                        frames.push((target, 0));
                    }
                    1 if !std::mem::replace(&mut closes[local as usize], true) => {
                        feedback.push(target);
                    }
                    _ => {}
                }
            }
        }
        (order, feedback)
    }

    /// The wire of an atom or fact.
    fn wire(&self, relation: RelationId, row: u32, values: &[u32]) -> Wire {
        match self.ground.atom(relation, row) {
            Some(atom) => self.wires[atom as usize].unwrap_or(Wire::FALSE),
            None if self.ground.always_holds(relation, values) => Wire::TRUE,
            None => Wire::FALSE,
        }
    }

    fn outputs(self) -> Network {
        let (ground, names) = (self.ground, self.names);
        let program = &ground.program;
        let mut next = vec![Wire::FALSE; names.fluents.len()];
        for (kind, fluent) in program.fluents.iter().enumerate() {
            for (row, values) in ground.table(fluent.holds).iter().enumerate() {
                let number = names.fluent_of[kind][row] as usize;
                next[number] = self.wire(fluent.next, row as u32, values);
            }
        }
        let legal_of = |moves: &Vec<(u32, usize, u32)>| {
            let wire = |&(id, kind, row): &(u32, usize, u32)| {
                let shape = &program.moves[kind];
                (
                    id,
                    self.wire(shape.legal, row, ground.table(shape.does).row(row)),
                )
            };
            moves.iter().map(wire).collect()
        };
        let legal = names.moves_of.iter().map(legal_of).collect();
        let terminal = program
            .keyword(Keyword::Terminal)
            .map_or(Wire::FALSE, |relation| {
                match ground.table(relation).is_empty() {
                    true => Wire::FALSE,
                    false => self.wire(relation, 0, &[]),
                }
            });
        let (goals, percepts) = (self.goals(), self.percepts());
        let mut network = self.builder.finish();
        (network.next, network.initial, network.legal) = (next, names.initial(ground), legal);
        (network.terminal, network.goals, network.percepts) = (terminal, goals, percepts);
        network
    }

    fn goals(&self) -> Vec<Vec<(i32, Wire)>> {
        let mut goals = vec![Vec::new(); self.names.roles.len()];
        let Some(relation) = self.ground.program.keyword(Keyword::Goal) else {
            return goals;
        };
        for (role, value, row) in self.names.goals(self.ground) {
            let values = self.ground.table(relation).row(row);
            goals[role].push((value, self.wire(relation, row, values)));
        }
        goals.iter_mut().for_each(|goals| goals.sort_unstable());
        goals
    }

    fn percepts(&self) -> Vec<Vec<(u32, Wire)>> {
        let mut percepts = vec![Vec::new(); self.names.roles.len()];
        for (kind, shape) in self.ground.program.percepts.iter().enumerate() {
            for (row, values) in self.ground.table(shape.sees).iter().enumerate() {
                if let Some((role, id)) = self.names.percept_of[kind][row] {
                    percepts[usize::from(role)]
                        .push((id, self.wire(shape.sees, row as u32, values)));
                }
            }
        }
        percepts
            .iter_mut()
            .for_each(|percepts| percepts.sort_unstable());
        percepts
    }
}
