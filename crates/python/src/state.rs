//! Positions as values: they never change, so that they can be kept, compared, hashed and shared.

use std::sync::atomic::{AtomicU64, Ordering};

use paidia_game::{AnyState, Chance, Goal, Legible, MoveId, PerceptId, RoleId, Rules, Walker};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PySequence, PyString, PyTuple};

use crate::errors;
use crate::game::{Desk, Game};
use crate::moves;

/// Numbers states, so that a walker knows where it stands.
static NUMBERS: AtomicU64 = AtomicU64::new(1);

/// A position of a game. It never changes: `apply` returns the next one.
#[pyclass(frozen, module = "paidia", weakref)]
pub(crate) struct State {
    pub(crate) game: Py<Game>,
    pub(crate) state: AnyState,
    number: u64,
    /// For each role what it was told of the move that led here.
    percepts: Vec<Vec<PerceptId>>,
}

impl State {
    pub(crate) fn new(game: Py<Game>, state: AnyState) -> Self {
        Self {
            game,
            state,
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            percepts: Vec::new(),
        }
    }

    /// Does something with a walker that stands here.
    fn at<T>(&self, work: impl FnOnce(&Game, &mut Desk) -> T) -> T {
        let game = self.game.get();
        let mut desk = game.desk();
        if desk.at != self.number {
            desk.walker.jump(&self.state);
            desk.at = self.number;
        }
        work(game, &mut desk)
    }

    fn goal_of(&self, py: Python<'_>, role: RoleId) -> PyResult<Py<PyAny>> {
        let goal = self.at(|_, desk| desk.walker.goal(role));
        match goal {
            Goal::One(value) => Ok(value.into_pyobject(py)?.into_any().unbind()),
            Goal::None | Goal::Several => Ok(py.None()),
        }
    }

    /// The roles that have more than one legal move, in a state that is not over.
    fn choosers(&self) -> Vec<RoleId> {
        self.at(|game, desk| {
            if desk.walker.is_terminal() {
                return Vec::new();
            }
            let legal = desk.walker.legal();
            let roles = game.any.facts().role_ids();
            roles.filter(|&role| legal.of(role).len() > 1).collect()
        })
    }

    /// The role that `legal` and `apply` mean when no role is named.
    fn mover_id(&self) -> Option<RoleId> {
        let facts = self.game.get().any.facts();
        match self.choosers()[..] {
            [] => facts.players().next(),
            [only] => Some(only),
            _ => None,
        }
    }

    pub(crate) fn the_mover(&self) -> PyResult<RoleId> {
        self.mover_id().ok_or_else(|| {
            errors::PaidiaError::new_err(
                "several roles choose at the same time here; name the role, and apply a \
                 dictionary {role: move}",
            )
        })
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> PyResult<bool> {
        self.at(|_, desk| {
            let over = desk.walker.is_terminal();
            match desk.walker.fault() {
                Some(fault) => Err(errors::LimitReached::new_err(fault.to_string())),
                None => Ok(over),
            }
        })
    }

    /// The joint move that Python asks for. [`MoveId::CHANCE`] stands where nothing was said.
    fn joint(&self, given: &Bound<'_, PyAny>) -> PyResult<Vec<MoveId>> {
        let game = self.game.get();
        let facts = game.any.facts();
        let mut joint = vec![MoveId::CHANCE; facts.roles.len()];
        if let Ok(by_role) = given.cast::<PyDict>() {
            for (role, made) in by_role.iter() {
                let role = game.role_id(&role)?;
                joint[role.index()] = moves::read(&game.any, &made)?;
            }
        } else if given.is_instance_of::<PyString>() || given.cast::<PySequence>().is_err() {
            let role = self.the_mover()?;
            joint[role.index()] = moves::read(&game.any, given)?;
        } else {
            let list = given.cast::<PySequence>()?;
            if list.len()? != joint.len() {
                return Err(PyTypeError::new_err(format!(
                    "a joint move has a move for each of the {} roles: {}",
                    joint.len(),
                    facts.roles.join(", ")
                )));
            }
            for (place, made) in list.try_iter()?.enumerate() {
                let made = made?;
                if !made.is_none() {
                    joint[place] = moves::read(&game.any, &made)?;
                }
            }
        }
        Ok(joint)
    }
}

/// Fills in what was left out: the only legal move of a role, and what chance draws. Says what is
/// not legal.
fn complete(game: &Game, desk: &mut Desk, joint: &mut [MoveId]) -> PyResult<()> {
    let facts = game.any.facts();
    let (random, moves) = (facts.random(), game.any.moves());
    let legal = desk.walker.legal();
    for (role, made) in facts.role_ids().zip(joint) {
        match (legal.of(role), *made) {
            ([only], MoveId::CHANCE) => *made = *only,
            (_, MoveId::CHANCE) if Some(role) == random => {}
            (several, MoveId::CHANCE) => {
                return Err(errors::IllegalMove::new_err(format!(
                    "the move of {} is missing; it has {} legal moves",
                    facts.role_name(role),
                    several.len()
                )));
            }
            (several, id) if several.contains(&id) => {}
            (several, id) => {
                let some: Vec<_> = several.iter().take(5).map(|&id| moves.name(id)).collect();
                return Err(errors::IllegalMove::new_err(format!(
                    "{} is not legal for {}; {} moves are, such as {}",
                    moves.name(id),
                    facts.role_name(role),
                    several.len(),
                    some.join(", ")
                )));
            }
        }
    }
    Ok(())
}

#[pymethods]
impl State {
    /// The game of this position.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Whether the game is over.
    #[getter]
    fn is_terminal(&self) -> PyResult<bool> {
        self.is_over()
    }

    /// The roles that have a choice: none at the end, one in games in turns.
    #[getter]
    fn choosing<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let facts = self.game.get().any.facts();
        let names = self.choosers();
        PyList::new(py, names.iter().map(|&role| facts.role_name(role)))
    }

    /// The role whose turn it is, or `None` at the end and where several choose at once.
    #[getter]
    fn mover(&self) -> PyResult<Option<String>> {
        if self.is_over()? {
            return Ok(None);
        }
        let facts = self.game.get().any.facts();
        Ok(self.mover_id().map(|role| facts.role_name(role).to_owned()))
    }

    /// The legal moves of a role, as texts in their order; of the mover if no role is named.
    #[pyo3(signature = (role=None))]
    fn legal<'py>(
        &self,
        py: Python<'py>,
        role: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let role = match role {
            Some(role) => self.game.get().role_id(role)?,
            None => self.the_mover()?,
        };
        let texts = self.at(|game, desk| {
            let ids = desk.walker.legal().of(role);
            game.texts.list(py, &game.any, ids)
        });
        PyList::new(py, texts)
    }

    /// The numbers of the legal moves of a role in `game.moves`; of the mover if no role is named.
    #[pyo3(signature = (role=None))]
    fn legal_ids(&self, role: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<u32>> {
        let role = match role {
            Some(role) => self.game.get().role_id(role)?,
            None => self.the_mover()?,
        };
        Ok(self.at(|_, desk| {
            let ids = desk.walker.legal().of(role);
            ids.iter().map(|&MoveId(id)| id).collect()
        }))
    }

    /// The position after a joint move.
    ///
    /// `moves` is the mover's move in games in turns, a dictionary `{role: move}`, or a list with a
    /// move for each role; a move is its text or its number. Roles with one legal move may be left
    /// out; so may `random`, whose move is then drawn, from `seed` if it is given.
    #[pyo3(signature = (moves, *, seed=None))]
    fn apply(&self, moves: &Bound<'_, PyAny>, seed: Option<u64>) -> PyResult<State> {
        let mut joint = self.joint(moves)?;
        self.at(|game, desk| {
            if desk.walker.is_terminal() {
                return Err(errors::IllegalMove::new_err("the game is over here"));
            }
            complete(game, desk, &mut joint)?;
            let mut own = seed.map(Chance::from_seed);
            let chance = own.as_mut().unwrap_or(&mut desk.chance);
            desk.walker.advance(&joint, chance);
            let mut state = self.state.clone();
            desk.walker.save(&mut state);
            let roles = game.any.facts().role_ids();
            let told = |role| desk.walker.percepts(role).to_vec();
            let percepts = match game.tells {
                true => roles.map(told).collect(),
                false => Vec::new(),
            };
            let next = State {
                percepts,
                ..State::new(Python::attach(|py| self.game.clone_ref(py)), state)
            };
            desk.at = next.number;
            Ok(next)
        })
    }

    /// The goal of a role here: a number, or `None` where the rules give none or several.
    fn goal(&self, py: Python<'_>, role: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.goal_of(py, self.game.get().role_id(role)?)
    }

    /// The goals of all roles, as a dictionary.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = self.game.get().any.facts();
        let goals = PyDict::new(py);
        for role in facts.role_ids() {
            goals.set_item(facts.role_name(role), self.goal_of(py, role)?)?;
        }
        Ok(goals)
    }

    /// What holds here, as texts in their order. For one role of a game with hidden information
    /// that is more than it knows: a role knows its own moves and its percepts.
    #[getter]
    fn fluents(&self) -> Vec<String> {
        self.game.get().any.fluents(&self.state)
    }

    /// What a role was told of the move that led here.
    fn percepts(&self, role: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let game = self.game.get();
        let role = game.role_id(role)?;
        let told = self.percepts.get(role.index());
        let names = game.any.percepts();
        let told = told.map_or(&[][..], Vec::as_slice);
        Ok(told.iter().map(|&id| names.name(id).to_string()).collect())
    }

    /// The position as bits: number `n` says whether `game.fluents[n]` holds, in the order of
    /// bytes of the texts, 64 to a word.
    fn bits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, numpy::PyArray1<u64>>> {
        let features = self.game.get().features()?;
        let mut words = vec![0; features.width()];
        features.write(&self.state, &mut words);
        Ok(numpy::PyArray1::from_vec(py, words))
    }

    /// The position in a compact form, which `game.restore` reads, with any engine.
    fn snapshot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut bytes = Vec::new();
        self.game.get().any.snapshot(&self.state, &mut bytes);
        PyBytes::new(py, &bytes)
    }

    fn __hash__(&self) -> u64 {
        self.at(|_, desk| desk.walker.hash64())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<State>() else {
            return false;
        };
        let other = other.get();
        self.game.is(&other.game) && self.state == other.state
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = self.game.bind(py).getattr("restore")?;
        let arguments = PyTuple::new(py, [self.snapshot(py)])?;
        PyTuple::new(py, [restore, arguments.into_any()])
    }

    /// A picture of the position, as SVG.
    fn svg(&self) -> String {
        self.game.get().scene().svg(&self.fluents())
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __repr__(&self) -> String {
        let fluents = self.fluents();
        let shown = fluents.iter().take(6).map(String::as_str);
        let shown = shown.collect::<Vec<_>>().join(" ");
        let more = if fluents.len() > 6 { " ..." } else { "" };
        format!("<State of {}: {shown}{more}>", self.game.get().name())
    }
}
