//! What engines that play ground rules have in common: the numbers of fluents, moves and percepts,
//! and states as bit sets of fluents.

use std::collections::BTreeMap;

use paidia_game::{Damaged, GameFacts, NameId, PerceptId, UnknownFluent, snapshot};
use paidia_gdl::Symbol;
use paidia_gdl::check::MOST_ROLES;
use paidia_gdl::grounding::GroundProgram;
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::RelationId;
use rustc_hash::FxHashMap;

use crate::bits::State;
use crate::propnet::LoadNetworkError;
use crate::rows;

/// The texts of fluents, moves and percepts in order, and where the rows of the ground program are
/// in them.
pub(crate) struct Names {
    pub(crate) roles: Vec<u32>,
    pub(crate) fluents: Vec<String>,
    pub(crate) moves: Vec<String>,
    pub(crate) percepts: Vec<String>,
    /// For each kind of fluent and row, the fluent's number.
    pub(crate) fluent_of: Vec<Vec<u32>>,
    /// For each kind of move and row, the role and the place in its list; rows of no role are left
    /// out.
    pub(crate) move_of: Vec<Vec<Option<(u16, u32)>>>,
    /// For each role, its moves in order: move id, kind and row.
    pub(crate) moves_of: Vec<Vec<(u32, usize, u32)>>,
    /// For each kind of percept and row, the role and percept id.
    pub(crate) percept_of: Vec<Vec<Option<(u16, u32)>>>,
}

impl Names {
    pub(crate) fn new(ground: &GroundProgram) -> Result<Self, LoadNetworkError> {
        let program = &ground.program;
        let role = program
            .keyword(Keyword::Role)
            .ok_or(LoadNetworkError::NoRoles)?;
        let roles: Vec<u32> = ground.facts(role).iter().map(|row| row[0]).collect();
        if roles.is_empty() {
            return Err(LoadNetworkError::NoRoles);
        }
        if roles.len() > MOST_ROLES {
            return Err(LoadNetworkError::TooManyRoles(roles.len()));
        }
        let role_of: FxHashMap<u32, u16> = roles
            .iter()
            .enumerate()
            .map(|(index, &id)| (id, index as u16))
            .collect();
        let texts =
            |kinds: Vec<(Option<Symbol>, RelationId, usize)>| -> (Vec<String>, Vec<Vec<u32>>) {
                number_texts(ground, &kinds)
            };
        let (fluents, fluent_of) = texts(
            program
                .fluents
                .iter()
                .map(|fluent| (fluent.functor, fluent.holds, 0))
                .collect(),
        );
        let (moves, move_ids) = texts(
            program
                .moves
                .iter()
                .map(|kind| (kind.functor, kind.does, 1))
                .collect(),
        );
        let (percepts, percept_ids) = texts(
            program
                .percepts
                .iter()
                .map(|kind| (kind.functor, kind.sees, 1))
                .collect(),
        );
        let mut moves_of = vec![Vec::new(); roles.len()];
        for (kind, shape) in program.moves.iter().enumerate() {
            for (row, values) in ground.table(shape.does).iter().enumerate() {
                if let Some(&role) = role_of.get(&values[0]) {
                    moves_of[usize::from(role)].push((move_ids[kind][row], kind, row as u32));
                }
            }
        }
        let rows = |relation: RelationId| ground.table(relation).len() as usize;
        let mut move_of: Vec<Vec<Option<(u16, u32)>>> = program
            .moves
            .iter()
            .map(|kind| vec![None; rows(kind.does)])
            .collect();
        for (role, moves) in moves_of.iter_mut().enumerate() {
            moves.sort_unstable();
            for (index, &(_, kind, row)) in moves.iter().enumerate() {
                move_of[kind][row as usize] = Some((role as u16, index as u32));
            }
        }
        let percept_of = program.percepts.iter().zip(percept_ids).map(|(kind, ids)| {
            let role = |row: &[u32]| role_of.get(&row[0]).copied();
            ground
                .table(kind.sees)
                .iter()
                .zip(ids)
                .map(|(row, id)| Some((role(row)?, id)))
                .collect()
        });
        let percept_of = percept_of.collect();
        Ok(Self {
            roles,
            fluents,
            moves,
            percepts,
            fluent_of,
            move_of,
            moves_of,
            percept_of,
        })
    }

    /// For each fluent, whether it holds at the start.
    pub(crate) fn initial(&self, ground: &GroundProgram) -> Vec<bool> {
        let mut initial = vec![false; self.fluents.len()];
        for (fluent, numbers) in ground.program.fluents.iter().zip(&self.fluent_of) {
            let first = ground.facts(fluent.init);
            for (row, &number) in ground.table(fluent.holds).iter().zip(numbers) {
                initial[number as usize] = first.contains(row);
            }
        }
        initial
    }

    /// The rows of the relation `goal` that are about a role and a number: role, number and row.
    pub(crate) fn goals(&self, ground: &GroundProgram) -> Vec<(usize, i32, u32)> {
        let Some(relation) = ground.program.keyword(Keyword::Goal) else {
            return Vec::new();
        };
        let places: FxHashMap<u32, usize> = self.roles.iter().copied().zip(0..).collect();
        let goal = |(number, row): (u32, &[u32])| {
            let role = *places.get(&row[0])?;
            let mut text = String::new();
            ground.write_row(None, &row[1..], &mut text);
            Some((role, text.parse().ok()?, number))
        };
        (0..)
            .zip(ground.table(relation).iter())
            .filter_map(goal)
            .collect()
    }

    pub(crate) fn facts(&self, name: &str, ground: &GroundProgram) -> GameFacts {
        GameFacts {
            fluents: Some(self.fluents.len()),
            moves: Some(self.moves.len()),
            ..rows::facts(name, &ground.program, &self.roles)
        }
    }
}

/// The different texts of all rows in byte order, and for each kind and row its place among them. A
/// kind is a function, a relation, and how many arguments come before the function's.
fn number_texts(
    ground: &GroundProgram,
    kinds: &[(Option<Symbol>, RelationId, usize)],
) -> (Vec<String>, Vec<Vec<u32>>) {
    let mut texts: BTreeMap<String, u32> = BTreeMap::new();
    let mut of_rows: Vec<Vec<String>> = Vec::new();
    for &(functor, relation, skip) in kinds {
        let text = |row: &[u32]| {
            let mut text = String::new();
            ground.write_row(functor, &row[skip..], &mut text);
            text
        };
        let rows: Vec<String> = ground.table(relation).iter().map(text).collect();
        texts.extend(rows.iter().map(|text| (text.clone(), 0)));
        of_rows.push(rows);
    }
    for (number, place) in texts.values_mut().enumerate() {
        *place = number as u32;
    }
    let numbers = of_rows
        .iter()
        .map(|rows| rows.iter().map(|text| texts[text]).collect())
        .collect();
    (texts.into_keys().collect(), numbers)
}

/// The moves and percepts of a role.
#[derive(Debug)]
pub(crate) struct Role {
    /// The ids of the moves that the role can ever make, in order.
    pub(crate) moves: Vec<u32>,
    /// For each id of a move, its place among these.
    places: Vec<u32>,
    /// What the role can be told, in order.
    pub(crate) percepts: Vec<PerceptId>,
}

/// Not a place among a role's moves.
pub(crate) const NO_MOVE: u32 = u32::MAX;

impl Role {
    /// A role with these ids of moves and of percepts, in a game with `all_moves` moves.
    pub(crate) fn new(
        moves: Vec<u32>,
        percepts: impl Iterator<Item = u32>,
        all_moves: usize,
    ) -> Self {
        let mut places = vec![NO_MOVE; all_moves];
        for (&id, place) in moves.iter().zip(0..) {
            places[id as usize] = place;
        }
        Self {
            moves,
            places,
            percepts: percepts.map(PerceptId::from_index).collect(),
        }
    }

    /// The place of a move among those of the role, or [`NO_MOVE`].
    #[inline]
    pub(crate) fn place(&self, id: u32) -> u32 {
        self.places.get(id as usize).copied().unwrap_or(NO_MOVE)
    }
}

/// The texts of the fluents that hold in a state, given those of all fluents in order.
pub(crate) fn texts_of(known: &[String], state: &State) -> Vec<String> {
    state.iter().map(|fluent| known[fluent].clone()).collect()
}

/// Adds the snapshot of a state to some bytes, given the texts of all fluents in order.
pub(crate) fn snapshot_of(known: &[String], state: &State, into: &mut Vec<u8>) {
    snapshot::write_texts(state.iter().map(|fluent| &known[fluent]), into);
}

/// The state of a snapshot, given the texts of all fluents in order.
pub(crate) fn restored(known: &[String], bytes: &[u8]) -> Result<State, Damaged> {
    let mut state = State::empty(known.len());
    snapshot::read_texts(bytes, |text| {
        state.insert(number_of(known, text)?);
        Ok(())
    })?;
    Ok(state)
}

/// The number of a fluent, given the texts of all fluents in order.
fn number_of(known: &[String], text: &str) -> Result<usize, UnknownFluent> {
    let found = known.binary_search_by_key(&text, String::as_str);
    found.map_err(|_| UnknownFluent {
        text: text.to_owned(),
        because: "no play of these rules makes it true".to_owned(),
    })
}

/// The state in which fluents with these texts hold, given the texts of all fluents in order.
pub(crate) fn state_of(known: &[String], texts: &[&str]) -> Result<State, UnknownFluent> {
    let mut state = State::empty(known.len());
    for &text in texts {
        state.insert(number_of(known, text)?);
    }
    Ok(state)
}
