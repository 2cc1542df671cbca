//! Thousands of games of one kind side by side, over NumPy arrays.
//!
//! All lanes step at once, on the program of the batch engine. What Python gives and gets are
//! arrays that this module reads and writes in place. The class `paidia.VectorEnv` stands on it.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use paidia_accel::{Batches, Stepping};
use paidia_arena::Playable;
use paidia_arena::engine::OnGame;
use paidia_game::{Chance, Ending, Game as AnyRules, Legible, MoveId, RoleId};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors;
use crate::game::Game;
use crate::state::State;

/// Games in lanes that step together.
#[pyclass(module = "paidia")]
pub(crate) struct Lanes {
    #[pyo3(get)]
    game: Py<Game>,
    stepping: Stepping,
    random: Option<RoleId>,
    roles: usize,
    chance: Chance,
    /// For each lane the role that moves: the last that had a choice.
    movers: Vec<u16>,
    /// For each lane and role the move: scratch memory.
    joint: Vec<MoveId>,
    /// For each lane whether a role has a choice: scratch memory.
    choosing: Vec<bool>,
    /// The legal moves of a role in all lanes: scratch memory.
    rows: Vec<u64>,
}

/// Finds the batches of a game.
struct FindBatches;

impl OnGame for FindBatches {
    type Output = Option<Batches>;

    fn run<G: AnyRules + Legible>(self, playable: &Playable<G>) -> Option<Batches> {
        playable.batches().cloned()
    }
}

#[pymethods]
impl Lanes {
    /// Games from the start, or from a state, a number of them.
    #[new]
    #[pyo3(signature = (game, lanes, *, seed=0, step_limit=10_000, start=None))]
    fn new(
        py: Python<'_>,
        game: Py<Game>,
        lanes: usize,
        seed: u64,
        step_limit: u32,
        start: Option<&State>,
    ) -> PyResult<Self> {
        let own = game.get();
        let most = paidia_accel::MOST_LANES;
        if lanes == 0 || lanes > most {
            return Err(PyValueError::new_err(format!(
                "there can be 1 to {most} environments, not {lanes}"
            )));
        }
        let batches = own.loaded.run(FindBatches).map_err(errors::of)?;
        let batches = batches.ok_or_else(|| {
            errors::NotApplicable::new_err(format!(
                "{} has no batches: its rules did not become a network ({}); step its states one \
                 by one",
                own.name(),
                own.loaded.report.engine
            ))
        })?;
        let fluents = start.map(|state| own.own(state)).transpose()?;
        let stepping = py.detach(|| {
            let start = match &fluents {
                Some(fluents) => batches.state(fluents).map_err(|error| error.to_string())?,
                None => batches.initial(),
            };
            let stepping = batches.stepping(lanes, &start, step_limit);
            stepping.map_err(|error| error.to_string())
        });
        let facts = own.facts();
        let mut made = Self {
            stepping: stepping.map_err(errors::of)?,
            random: facts.random(),
            roles: facts.roles.len(),
            chance: Chance::from_seed(seed),
            movers: vec![0; lanes],
            joint: Vec::new(),
            choosing: vec![false; lanes],
            rows: Vec::new(),
            game: game.clone_ref(py),
        };
        let first = made.first_player();
        made.movers.fill(first);
        made.find_movers();
        Ok(made)
    }

    /// How many lanes there are.
    fn __len__(&self) -> usize {
        self.stepping.lanes()
    }

    /// Makes a move in every lane: that of the mover, by its number in `game.moves`.
    fn step_turns(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = numbers(actions)?;
        let actions = actions.as_slice()?;
        self.check_length(actions.len(), 1)?;
        self.joint.clear();
        self.joint
            .resize(actions.len() * self.roles, MoveId::CHANCE);
        for (lane, (&action, &mover)) in actions.iter().zip(&self.movers).enumerate() {
            self.joint[lane * self.roles + usize::from(mover)] = id(action)?;
        }
        py.detach(|| self.step())
    }

    /// Makes a joint move in every lane: a row for each lane with a move for each role. What stands
    /// for `random` is not looked at, and -1 stands for the only legal move of a role.
    fn step_joint(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = numbers(actions)?;
        let actions = actions.as_slice()?;
        self.check_length(actions.len(), self.roles)?;
        self.joint.clear();
        for &action in actions {
            self.joint.push(match action {
                -1 => MoveId::CHANCE,
                action => id(action)?,
            });
        }
        py.detach(|| self.step())
    }

    /// For each lane the place of the role that moves.
    fn movers<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
        PyArray1::from_slice(py, &self.movers)
    }

    /// For each lane the state as bits, 64 to a word.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let width = self.stepping.state_width();
        let mut words = vec![0; self.stepping.lanes() * width];
        py.detach(|| self.stepping.states(&mut words));
        PyArray1::from_vec(py, words).reshape([self.stepping.lanes(), width])
    }

    /// For each lane the legal moves of a role as bits, 64 to a word.
    fn legal<'py>(&self, py: Python<'py>, role: u16) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let width = self.stepping.legal_width();
        let mut words = vec![0; self.stepping.lanes() * width];
        py.detach(|| self.stepping.legal_moves(RoleId(role), &mut words));
        PyArray1::from_vec(py, words).reshape([self.stepping.lanes(), width])
    }

    /// For each lane the legal moves of its mover as bits, 64 to a word.
    fn movers_legal<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let (lanes, width) = (self.stepping.lanes(), self.stepping.legal_width());
        let mut words = vec![0; lanes * width];
        py.detach(|| self.write_movers_legal(&mut words, width));
        PyArray1::from_vec(py, words).reshape([lanes, width])
    }

    /// What ended with the last step: for each lane whether its game is over, whether it was cut
    /// or cannot go on, how long it was, and the goals of all roles (NaN where there is none).
    #[allow(clippy::type_complexity)]
    fn ended<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(
        Bound<'py, PyArray1<bool>>,
        Bound<'py, PyArray1<bool>>,
        Bound<'py, PyArray1<u32>>,
        Bound<'py, PyArray2<f32>>,
    )> {
        let lanes = self.stepping.lanes();
        let (mut over, mut cut) = (vec![false; lanes], vec![false; lanes]);
        let mut lengths = vec![0; lanes];
        let mut goals = vec![f32::NAN; lanes * self.roles];
        for lane in 0..lanes {
            let Some(ended) = self.stepping.ended(lane) else {
                continue;
            };
            lengths[lane] = ended.playout.length;
            match ended.playout.ending {
                Ending::Finished => over[lane] = true,
                Ending::Cut | Ending::Stuck(_) | Ending::Faulted(_) => cut[lane] = true,
            }
            for (into, goal) in goals[lane * self.roles..].iter_mut().zip(ended.goals) {
                *into = goal.value().map_or(f32::NAN, |goal| goal as f32);
            }
        }
        Ok((
            PyArray1::from_vec(py, over),
            PyArray1::from_vec(py, cut),
            PyArray1::from_vec(py, lengths),
            PyArray1::from_vec(py, goals).reshape([lanes, self.roles])?,
        ))
    }

    /// For each lane how many moves its game has had.
    fn lengths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let lanes = 0..self.stepping.lanes();
        PyArray1::from_iter(py, lanes.map(|lane| self.stepping.length(lane)))
    }
}

impl Lanes {
    fn first_player(&self) -> u16 {
        u16::from(self.random == Some(RoleId(0)) && self.roles > 1)
    }

    fn check_length(&self, given: usize, each: usize) -> PyResult<()> {
        let wanted = self.stepping.lanes() * each;
        match given == wanted {
            true => Ok(()),
            false => Err(PyValueError::new_err(format!(
                "{given} actions were given where {wanted} are wanted: {each} for each of the {} \
                 environments",
                self.stepping.lanes()
            ))),
        }
    }

    /// Makes the joint moves, with those of chance drawn.
    fn step(&mut self) -> PyResult<()> {
        self.draw_chance();
        self.stepping.step(&self.joint).map_err(|illegal| {
            errors::IllegalMove::new_err(format!(
                "in environment {} the move of role {} is missing or not legal; no move was made",
                illegal.lane, illegal.role.0
            ))
        })?;
        self.find_movers();
        Ok(())
    }

    /// Draws a legal move for `random` in every lane, each as likely as the others.
    fn draw_chance(&mut self) {
        let Some(random) = self.random else {
            return;
        };
        let width = self.stepping.legal_width();
        self.rows.resize(self.stepping.lanes() * width, 0);
        self.stepping.legal_moves(random, &mut self.rows);
        let place = random.index();
        for (lane, row) in self.rows.chunks_exact(width).enumerate() {
            let count: u32 = row.iter().map(|word| word.count_ones()).sum();
            self.joint[lane * self.roles + place] = match count {
                0 => MoveId::CHANCE,
                count => nth(row, self.chance.below(count)),
            };
        }
    }

    /// Finds which role moves in each lane.
    fn find_movers(&mut self) {
        for role in (0..self.roles as u16).rev().map(RoleId) {
            if Some(role) == self.random {
                continue;
            }
            self.stepping.choosing(role, &mut self.choosing);
            for (mover, &chooses) in self.movers.iter_mut().zip(&self.choosing) {
                if chooses {
                    *mover = role.0;
                }
            }
        }
    }

    fn write_movers_legal(&mut self, words: &mut [u64], width: usize) {
        self.rows.resize(words.len(), 0);
        for role in 0..self.roles as u16 {
            if !self.movers.contains(&role) {
                continue;
            }
            self.stepping.legal_moves(RoleId(role), &mut self.rows);
            let rows = self
                .rows
                .chunks_exact(width)
                .zip(words.chunks_exact_mut(width));
            for ((from, into), &mover) in rows.zip(&self.movers) {
                if mover == role {
                    into.copy_from_slice(from);
                }
            }
        }
    }
}

/// The move of the n-th bit that is set.
fn nth(row: &[u64], mut n: u32) -> MoveId {
    for (place, &word) in row.iter().enumerate() {
        let ones = word.count_ones();
        if n < ones {
            let mut word = word;
            for _ in 0..n {
                word &= word - 1;
            }
            return MoveId((place * 64) as u32 + word.trailing_zeros());
        }
        n -= ones;
    }
    MoveId::CHANCE
}

fn id(action: i64) -> PyResult<MoveId> {
    u32::try_from(action)
        .map(MoveId)
        .map_err(|_| errors::IllegalMove::new_err(format!("{action} is not the number of a move")))
}

/// Actions as an array of 64-bit integers, whatever kind of integers they are.
fn numbers<'py>(actions: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray1<'py, i64>> {
    if let Ok(array) = actions.extract::<PyReadonlyArray1<'py, i64>>()
        && array.is_c_contiguous()
    {
        return Ok(array);
    }
    let numpy = actions.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (actions,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if kind != "i" && kind != "u" {
        return Err(PyTypeError::new_err("actions are an array of integers"));
    }
    let array = array.call_method1("reshape", (-1,))?;
    let array = numpy.call_method1("ascontiguousarray", (array, "int64"))?;
    array.extract::<PyReadonlyArray1<'py, i64>>()
}
