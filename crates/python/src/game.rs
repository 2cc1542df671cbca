//! Rules that are ready to play.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use paidia_arena::Playable;
use paidia_arena::engine::{EngineSpec, Loaded, Machine, OnGame, load};
use paidia_arena::rules::{RuleText, Ruleset};
use paidia_game::{
    AnyGame, AnyState, AnyWalker, Chance, Effort, Extent, Features, Figures, Game as _, GameFacts,
    Legible, MoveId, RoleId, Rules, SolveBudget, perft_watched, simulate_until, solve_watched,
};
use paidia_gdl::grounding::Budget;
use paidia_picture::{Rules as Drawn, Scene};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use serde_json::{Value, json};

use crate::errors;
use crate::matches::{self, Thinking};
use crate::moves::MoveTexts;
use crate::state::State;
use crate::work;

/// A walker that serves the states of a game in turn, and what chance draws where nothing else is
/// said.
pub(crate) struct Desk {
    pub(crate) walker: AnyWalker,
    /// The number of the state where the walker stands; 0 for none.
    pub(crate) at: u64,
    pub(crate) chance: Chance,
}

/// Rules that are ready to play.
#[pyclass(frozen, module = "paidia", weakref)]
pub(crate) struct Game {
    pub(crate) rules: Ruleset,
    pub(crate) loaded: Loaded,
    pub(crate) any: AnyGame,
    pub(crate) texts: MoveTexts,
    /// Whether roles are told percepts.
    pub(crate) tells: bool,
    engine: String,
    /// What the game was asked for by, so that a copy elsewhere can be.
    asked: String,
    desk: Mutex<Desk>,
    scene: OnceLock<Scene>,
}

impl Game {
    pub(crate) fn desk(&self) -> MutexGuard<'_, Desk> {
        // A panic leaves the walker somewhere: nothing is known about where it stands.
        self.desk.lock().unwrap_or_else(|poisoned: PoisonError<_>| {
            let mut desk = poisoned.into_inner();
            desk.at = 0;
            desk
        })
    }

    pub(crate) fn name(&self) -> &str {
        self.rules.name()
    }

    pub(crate) fn facts(&self) -> &GameFacts {
        self.any.facts()
    }

    /// A role by its name or its place.
    pub(crate) fn role_id(&self, given: &Bound<'_, PyAny>) -> PyResult<RoleId> {
        let facts = self.facts();
        let known = || format!("the roles are {}", facts.roles.join(", "));
        if let Ok(name) = given.cast::<PyString>() {
            let name = name.to_cow()?;
            let role = facts.role(&name);
            return role.ok_or_else(|| {
                PyValueError::new_err(format!("there is no role `{name}`; {}", known()))
            });
        }
        let place: usize = given
            .extract()
            .map_err(|_| PyTypeError::new_err("a role is its name or its place"))?;
        match u16::try_from(place) {
            Ok(role) if place < facts.roles.len() => Ok(RoleId(role)),
            _ => Err(PyValueError::new_err(format!(
                "there is no role number {place}; {}",
                known()
            ))),
        }
    }

    /// How states are drawn.
    pub(crate) fn scene(&self) -> &Scene {
        self.scene.get_or_init(|| {
            let initial = self.any.fluents(&self.any.initial());
            let drawn = self.rules.gdl().ok().map(|rules| Drawn {
                sheet: &rules.sheet,
                program: &rules.program,
            });
            Scene::new(drawn, self.rules.metadata(), &[initial])
        })
    }

    pub(crate) fn features(&self) -> PyResult<&dyn Features<AnyState>> {
        self.any.features().ok_or_else(|| {
            errors::NotApplicable::new_err(format!(
                "the states of {} cannot be written as bits: its rules have no network ({})",
                self.name(),
                self.loaded.report.engine
            ))
        })
    }

    /// The text of the rules for another process.
    fn load_from(
        py: Python<'_>,
        source: &str,
        name: Option<&str>,
        engine: &str,
        seconds: Option<f64>,
    ) -> PyResult<Self> {
        let spec: EngineSpec = engine
            .parse()
            .map_err(|error| PyValueError::new_err(format!("{error}")))?;
        let mut budget = Budget::default();
        if let Some(seconds) = seconds {
            budget.time = duration(seconds)?;
        }
        let made = py.detach(|| {
            let text = match is_text(source) {
                true => RuleText::new(name.unwrap_or("game"), source),
                false => RuleText::find(source)?,
            };
            let rules = text.check()?;
            Ok((load(&spec, &rules, budget), rules))
        });
        let (loaded, rules) = made.map_err(|error| errors::of_rules(py, &error))?;
        let loaded = loaded.map_err(errors::of)?;
        let any = loaded.game().map_err(errors::of)?;
        let desk = Desk {
            walker: any.walker(),
            at: 0,
            chance: Chance::from_seed(fresh_seed()),
        };
        Ok(Self {
            tells: any.facts().information == paidia_game::Information::Hidden
                || !any.percepts().is_empty(),
            desk: Mutex::new(desk),
            scene: OnceLock::new(),
            texts: MoveTexts::default(),
            engine: engine.to_owned(),
            asked: source.to_owned(),
            any,
            loaded,
            rules,
        })
    }
}

/// Whether this is the text of rules and not the name of a game or file.
fn is_text(source: &str) -> bool {
    source.contains(['\n', '(']) && !PathBuf::from(source).exists()
}

fn duration(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err(format!("{seconds} is no number of seconds")))
}

/// A seed that no two processes share.
fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_nanos() as u64);
    now ^ u64::from(std::process::id()).rotate_left(32)
}

/// A result as Python has it: dictionaries whose entries are attributes, too.
pub(crate) fn result<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    let read = py.import("paidia.results")?.getattr("read")?;
    read.call1((value.to_string(),))
}

/// A whole number in JSON, as text where it does not fit.
fn whole(number: u128) -> Value {
    u64::try_from(number).map_or_else(|_| json!(number.to_string()), Value::from)
}

/// The names and titles of the bundled games.
#[pyfunction]
pub(crate) fn bundled() -> Vec<(String, String)> {
    let entry = |game: &paidia_library::BundledGame| {
        let title = game.facts().map(|facts| facts.title);
        (game.name.to_owned(), title.unwrap_or_default())
    };
    paidia_library::all().iter().map(entry).collect()
}

/// What is wrong with rules: a list of dictionaries, empty if nothing is.
#[pyfunction]
#[pyo3(signature = (source, name=None))]
pub(crate) fn diagnose<'py>(
    py: Python<'py>,
    source: &str,
    name: Option<&str>,
) -> PyResult<Bound<'py, PyList>> {
    let text = match is_text(source) {
        true => RuleText::new(name.unwrap_or("game"), source),
        false => RuleText::find(source).map_err(|error| errors::of_rules(py, &error))?,
    };
    let found = text
        .diagnose(None)
        .map_err(|error| errors::of_rules(py, &error))?;
    errors::problems(py, &text.source, &found.problems)
}

/// Random playouts of whatever engine the game is on.
struct Simulation<'a> {
    start: Option<&'a [String]>,
    effort: Effort,
    watched: &'a work::Watched,
}

impl OnGame for Simulation<'_> {
    type Output = Result<Figures, String>;

    fn run<G: paidia_game::Game + Legible>(self, playable: &Playable<G>) -> Self::Output {
        let (watched, effort) = (self.watched, self.effort);
        let mut watch = |done: u64| watched.done.store(done, Ordering::Relaxed);
        let fluents = self.start.map(|fluents| fluents.iter().map(String::as_str));
        let fluents: Option<Vec<&str>> = fluents.map(Iterator::collect);
        if let Some(batches) = playable.batches() {
            let start = match self.start {
                Some(fluents) => batches.state(fluents).map_err(|error| error.to_string())?,
                None => batches.initial(),
            };
            return Ok(batches.simulate_until(&start, effort, &mut watch, &watched.stop));
        }
        let game = &playable.game;
        let start = match fluents {
            Some(fluents) => game.state(&fluents).map_err(|error| error.to_string())?,
            None => game.initial(),
        };
        Ok(simulate_until(
            game,
            &start,
            effort,
            &mut watch,
            &watched.stop,
        ))
    }
}

#[pymethods]
impl Game {
    /// Finds, checks and loads a game: a bundled name, `name@size`, a path, or rule text.
    #[new]
    #[pyo3(signature = (source, *, name=None, engine="auto", grounding_seconds=None))]
    fn py_new(
        py: Python<'_>,
        source: &str,
        name: Option<&str>,
        engine: &str,
        grounding_seconds: Option<f64>,
    ) -> PyResult<Self> {
        Self::load_from(py, source, name, engine, grounding_seconds)
    }

    /// The name of the game.
    #[getter(name)]
    fn py_name(&self) -> &str {
        self.name()
    }

    /// The title for people.
    #[getter]
    fn title(&self) -> &str {
        self.rules.title()
    }

    /// The language of the rules.
    #[getter]
    fn language(&self) -> &'static str {
        self.rules.language()
    }

    /// The text of the rules.
    #[getter]
    fn text(&self) -> &str {
        &self.rules.source().text
    }

    /// The roles in their order.
    #[getter]
    fn roles(&self) -> Vec<String> {
        self.facts().roles.clone()
    }

    /// The roles that players take: all but the one that chance has.
    #[getter]
    fn players(&self) -> Vec<String> {
        let facts = self.facts();
        let name = |role| facts.role_name(role).to_owned();
        facts.players().map(name).collect()
    }

    /// All moves that are known, in the order of their numbers.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let ids: Vec<MoveId> = (0..self.any.moves().len() as u32).map(MoveId).collect();
        PyTuple::new(py, self.texts.list(py, &self.any, &ids))
    }

    /// Whether `moves` has every move that can ever be legal, so that moves can be numbered.
    #[getter]
    fn moves_are_complete(&self) -> bool {
        self.any.moves().limit() as usize == self.any.moves().len()
    }

    /// All percepts that are known, in the order of their numbers.
    #[getter]
    fn percept_names(&self) -> Vec<String> {
        let names = self.any.percepts().to_vec();
        names.iter().map(ToString::to_string).collect()
    }

    /// Whether `percept_names` has every percept that can ever be told.
    #[getter]
    fn percepts_are_complete(&self) -> bool {
        self.any.percepts().limit() as usize == self.any.percepts().len()
    }

    /// All fluents that can hold, in the order of their bits.
    #[getter]
    fn fluents(&self) -> PyResult<Vec<String>> {
        Ok(self.features()?.names().to_vec())
    }

    /// What is known about the game: roles, chance, turn order, information, range of goals.
    #[getter(facts)]
    fn py_facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let facts = self.facts();
        let known = json!({
            "name": self.name(),
            "title": self.rules.title(),
            "language": self.rules.language(),
            "roles": facts.roles,
            "random": facts.random().map(|role| facts.role_name(role)),
            "chance": facts.randomness.name(),
            "turn_order": facts.turn_order.name(),
            "information": facts.information.name(),
            "goal_range": [facts.goal_range.start(), facts.goal_range.end()],
            "fluents": facts.fluents,
            "moves": facts.moves,
        });
        result(py, &known)
    }

    /// Which engine plays, why, and at what cost.
    #[getter(engine)]
    fn py_engine<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let report = serde_json::to_value(&self.loaded.report).map_err(errors::of)?;
        result(py, &report)
    }

    /// Problems of the rules that are no errors.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        errors::problems(py, self.rules.source(), self.rules.warnings())
    }

    /// The position in which the game starts.
    fn initial(slf: Bound<'_, Self>) -> State {
        let state = slf.get().any.initial();
        State::new(slf.unbind(), state)
    }

    /// The position in which exactly these fluents hold.
    #[pyo3(signature = (fluents))]
    fn state(slf: Bound<'_, Self>, fluents: Vec<String>) -> PyResult<State> {
        let texts: Vec<&str> = fluents.iter().map(String::as_str).collect();
        let state = slf.get().any.state(&texts).map_err(errors::of)?;
        Ok(State::new(slf.unbind(), state))
    }

    /// The position that `State.snapshot` wrote.
    fn restore(slf: Bound<'_, Self>, snapshot: &[u8]) -> PyResult<State> {
        let state = slf.get().any.restore(snapshot).map_err(errors::of)?;
        Ok(State::new(slf.unbind(), state))
    }

    /// Random playouts: how many, how long, what came out.
    ///
    /// A number of `playouts`, or as many as are made in these `seconds` (1 if nothing is said), on
    /// this many `threads`. `progress` is called now and then with the number of playouts so far.
    #[pyo3(signature = (*, playouts=None, seconds=None, threads=1, seed=1, step_limit=10_000,
                        start=None, progress=None))]
    #[allow(clippy::too_many_arguments)]
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        playouts: Option<u64>,
        seconds: Option<f64>,
        threads: usize,
        seed: u64,
        step_limit: u32,
        start: Option<&State>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let extent = match (playouts, seconds) {
            (Some(playouts), None) => Extent::Playouts(playouts),
            (None, seconds) => Extent::Time(duration(seconds.unwrap_or(1.0))?),
            (Some(_), Some(_)) => {
                return Err(PyValueError::new_err("say playouts or seconds, not both"));
            }
        };
        let effort = Effort {
            extent,
            threads: threads.clamp(1, 256),
            seed,
            step_limit,
        };
        let fluents = start.map(|state| self.own(state)).transpose()?;
        let began = std::time::Instant::now();
        let played = work::run(py, progress, |watched| {
            let simulation = Simulation {
                start: fluents.as_deref(),
                effort,
                watched,
            };
            let machine: &Machine = &self.loaded.machine;
            machine.run(simulation).map_err(|error| error.to_string())?
        })?;
        let figures = played.map_err(errors::of)?;
        if let Some(fault) = figures.fault {
            return Err(errors::LimitReached::new_err(fault.to_string()));
        }
        result(py, &self.figures(&figures, began.elapsed().as_secs_f64()))
    }

    /// How many lines of play and how many positions there are at each depth.
    #[pyo3(signature = (depth, *, state_limit=10_000_000, progress=None))]
    fn perft<'py>(
        &self,
        py: Python<'py>,
        depth: u32,
        state_limit: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let game = &self.any;
        let counted = work::run(py, progress, |watched| {
            let mut watch = |states: usize| {
                watched.done.store(states as u64, Ordering::Relaxed);
                match watched.stop.load(Ordering::Relaxed) {
                    true => std::ops::ControlFlow::Break(()),
                    false => std::ops::ControlFlow::Continue(()),
                }
            };
            perft_watched(game, &game.initial(), depth, state_limit, &mut watch)
        })?;
        let depths: Vec<_> = (counted.depths.iter())
            .map(|depth| {
                json!({
                    "leaves": whole(depth.leaves),
                    "states": depth.states,
                    "terminals": whole(depth.terminals),
                })
            })
            .collect();
        let counted = json!({
            "depths": depths,
            "states": counted.states,
            "all_ended": counted.all_ended,
            "stopped": counted.stopped.map(|why| why.to_string()),
        });
        result(py, &counted)
    }

    /// The exact value of the game and a line of best play.
    #[pyo3(signature = (*, max_states=2_000_000, start=None, progress=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        max_states: usize,
        start: Option<&State>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let game = &self.any;
        if let Some(state) = start {
            self.own(state)?;
        }
        let from = start.map_or_else(|| game.initial(), |state| state.state.clone());
        let budget = SolveBudget::states(max_states);
        let found = work::run(py, progress, |watched| {
            let mut watch = |states: usize| watched.done.store(states as u64, Ordering::Relaxed);
            solve_watched(game, &from, budget, &mut watch)
        })?;
        let found = found.map_err(|error| errors::NotApplicable::new_err(error.to_string()))?;
        let text = |ids: &[MoveId]| -> Vec<String> {
            let name = |&id: &MoveId| game.moves().name(id).to_string();
            ids.iter().map(name).collect()
        };
        let facts = self.facts();
        let goals: serde_json::Map<_, _> = (facts.roles.iter().cloned())
            .zip(found.goals.iter().map(|&goal| json!(goal)))
            .collect();
        let solution = json!({
            "method": found.method.name(),
            "goals": goals,
            "mover": found.mover.map(|role| facts.role_name(role)),
            "best_moves": text(&found.best_moves),
            "line": found.line.iter().map(|joint| text(joint)).collect::<Vec<_>>(),
            "states": found.states,
        });
        result(py, &solution)
    }

    /// What a player thinks of a position: its move, values of moves, the expected line.
    ///
    /// `player` is written as everywhere (`paidia`, `uct(exploration=30)`; `paidia.players()` lists
    /// them). It thinks for these `seconds` (1 if nothing is said), `simulations` or `states`.
    #[pyo3(signature = (state=None, *, player="paidia", role=None, seconds=None,
                        simulations=None, states=None, seed=1, progress=None))]
    #[allow(clippy::too_many_arguments)]
    fn analyse<'py>(
        slf: Bound<'py, Self>,
        py: Python<'py>,
        state: Option<Bound<'py, State>>,
        player: &str,
        role: Option<&Bound<'_, PyAny>>,
        seconds: Option<f64>,
        simulations: Option<u64>,
        states: Option<u64>,
        seed: u64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let state = match state {
            Some(state) => state,
            None => Bound::new(py, Self::initial(slf.clone()))?,
        };
        let thinking = Thinking::new(seconds, simulations, states, seed)?;
        let found = matches::analyse(py, slf.get(), state.get(), player, role, thinking, progress)?;
        result(py, &found)
    }

    /// Plays a match between players, one for each role or one for all, and returns its record in
    /// the format of ggp-base, with how it ended.
    #[pyo3(name = "match", signature = (*players, seconds=None, simulations=None, states=None,
                        seed=1, step_limit=1000, progress=None))]
    #[allow(clippy::too_many_arguments)]
    fn py_match<'py>(
        &self,
        py: Python<'py>,
        players: Vec<String>,
        seconds: Option<f64>,
        simulations: Option<u64>,
        states: Option<u64>,
        seed: u64,
        step_limit: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let thinking = Thinking::new(seconds, simulations, states, seed)?;
        let played = matches::play(py, self, &players, thinking, step_limit, progress)?;
        result(py, &played)
    }

    /// Follows the record of a match, as `match` returns it or as JSON, and lists what differs from
    /// the rules.
    fn verify<'py>(
        &self,
        py: Python<'py>,
        record: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let text: String = match record.is_instance_of::<PyString>() {
            true => record.extract()?,
            false => {
                let json = py.import("json")?.getattr("dumps")?;
                json.call1((record,))?.extract()?
            }
        };
        result(py, &matches::verify(py, self, &text)?)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let game = slf.get();
        let load = py.import("paidia")?.getattr("_load_again")?;
        let is_given = is_text(&game.asked) || game.asked == "-";
        let source = match is_given {
            true => game.rules.source().text.clone(),
            false => game.asked.clone(),
        };
        let arguments = (source, game.name(), &game.engine).into_pyobject(py)?;
        PyTuple::new(py, [load, arguments.into_any()])
    }

    fn __repr__(&self) -> String {
        let facts = self.facts();
        format!(
            "<Game {}: {}, {}>",
            self.name(),
            facts.roles.join(" "),
            self.loaded.report.engine
        )
    }
}

impl Game {
    /// The fluents of a state of this game.
    pub(crate) fn own(&self, state: &State) -> PyResult<Vec<String>> {
        if !std::ptr::eq(state.game.get(), self) {
            return Err(PyValueError::new_err("this is a state of another game"));
        }
        Ok(self.any.fluents(&state.state))
    }

    fn figures(&self, figures: &Figures, seconds: f64) -> Value {
        let facts = self.facts();
        let goals: serde_json::Map<_, _> = facts
            .role_ids()
            .map(|role| {
                let name = facts.role_name(role).to_owned();
                (name, json!(figures.mean_goal(role)))
            })
            .collect();
        let rate = |count: u64| (seconds > 0.0).then(|| count as f64 / seconds);
        json!({
            "playouts": figures.playouts,
            "finished": figures.finished(),
            "cut": figures.cut,
            "stuck": figures.stuck,
            "states": figures.states,
            "seconds": seconds,
            "mean_length": figures.mean_length(),
            "shortest": (figures.playouts > 0).then_some(figures.shortest),
            "longest": figures.longest,
            "goals": goals,
            "playouts_per_second": rate(figures.playouts),
            "states_per_second": rate(figures.states),
        })
    }
}
