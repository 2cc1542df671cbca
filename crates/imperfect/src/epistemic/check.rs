//! Decides formulas on a game.

use std::rc::Rc;

use paidia_game::{Game, Goal, Legible, MoveId, RoleId, split};
use rustc_hash::{FxHashMap, FxHashSet};

use super::formula::{BadFormula, Formula};
use super::model::{self, Knowledge, Model};
use super::paths::{Part, Path, Paths};
use crate::explore::{Explorer, TooLarge};

/// Why a formula was not decided.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// It is no formula of this game.
    #[error(transparent)]
    Bad(#[from] BadFormula),
    /// The game is too large for it.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// Something that only a model with all information sets could tell.
    #[error(
        "{what} needs all histories, which are too many: {because}; knowledge about facts alone may still be decided"
    )]
    Nested {
        /// What was asked.
        what: &'static str,
        /// Why it cannot be told.
        because: TooLarge,
    },
    /// A derived relation could not be asked for.
    #[error("{0}")]
    Derived(String),
}

/// What was found about a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Whether it holds at the start of all runs.
    pub holds: bool,
    /// Points of the model.
    pub points: usize,
    /// Whether the model had all information sets, or beliefs alone.
    pub full: bool,
    /// A run on which it does not hold.
    pub run: Option<Run>,
    /// What else its author should know.
    pub notes: Vec<String>,
}

/// A run up to where it repeats itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The joint moves before the first STOP.
    pub steps: Vec<RunStep>,
    /// Where the run goes on after its last step, if play does not end: a place among the steps.
    pub repeats: Option<usize>,
}

/// One joint move of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunStep {
    /// The moves of all roles in their order.
    pub moves: Vec<String>,
    /// What each role perceived.
    pub percepts: Vec<Vec<String>>,
}

/// Tells whether relations that the rules derive hold in states.
pub trait Derive<S> {
    /// For each of some atoms whether it holds in a state.
    ///
    /// # Errors
    /// Says which atom cannot be asked for, and why.
    fn derive(&mut self, atoms: &[String], states: &[&S]) -> Result<Vec<Vec<bool>>, String>;
}

/// Knows of no derived relations.
pub struct Underived;

impl<S> Derive<S> for Underived {
    fn derive(&mut self, atoms: &[String], _: &[&S]) -> Result<Vec<Vec<bool>>, String> {
        match atoms.first() {
            Some(atom) => Err(format!(
                "`{atom}` is no fluent, move, percept or goal, and only rules in GDL derive others"
            )),
            None => Ok(Vec::new()),
        }
    }
}

/// Decides formulas on one game.
pub struct Checker<G: Game + Legible> {
    explorer: Explorer<G>,
    /// The fluents of each state, once they were asked for.
    fluents: Vec<Vec<String>>,
    models: Vec<(Wanted, Rc<Model>)>,
}

/// Which model a formula needs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wanted {
    full: bool,
    by_move: bool,
    knowers: Vec<usize>,
}

/// The most models that are kept.
const MOST_MODELS: usize = 6;

impl<G: Game + Legible> Checker<G> {
    /// A checker for a game.
    pub fn new(explorer: Explorer<G>) -> Self {
        Self {
            explorer,
            fluents: Vec::new(),
            models: Vec::new(),
        }
    }

    /// What was explored of the game.
    pub fn explorer(&mut self) -> &mut Explorer<G> {
        &mut self.explorer
    }

    /// Decides whether a formula holds at the start of all runs.
    ///
    /// # Errors
    /// If it is no formula of this game, or cannot be decided within the limits.
    pub fn check(
        &mut self,
        formula: &Formula,
        derive: &mut dyn Derive<G::State>,
    ) -> Result<Answer, NoAnswer> {
        let knowers = self.knowers(formula)?;
        let mut atoms = Vec::new();
        formula.atoms(&mut atoms);
        let by_move = atoms
            .iter()
            .any(|atom| atom.starts_with("(does ") || atom.starts_with("(sees "));
        let nested = formula.is_nested();
        let wanted = |by_move| Wanted {
            full: nested,
            by_move,
            knowers: knowers.clone(),
        };
        let model = self
            .model(&wanted(by_move))
            .map_err(|error| match (nested, error) {
                (true, because @ TooLarge::Limit { .. }) => NoAnswer::Nested {
                    what: "knowledge about knowledge",
                    because,
                },
                (_, error) => NoAnswer::TooLarge(error),
            })?;
        let mut notes = Vec::new();
        let truths = self.truths(&atoms, &model, derive, &mut notes)?;
        let holds = self.decide(formula, &model, truths.clone())?.is_empty();
        let mut run = None;
        if !holds {
            // Joint moves are told apart for the run, where that is not too much.
            let exact = if by_move {
                Ok(model.clone())
            } else {
                self.model(&wanted(true))
            };
            if let Ok(exact) = exact {
                let truths = self.truths(&atoms, &exact, derive, &mut Vec::new())?;
                let points = self.decide(formula, &exact, truths)?;
                run = Some(self.write_run(&exact, &points));
            }
        }
        Ok(Answer {
            holds,
            points: model.len(),
            full: nested,
            run,
            notes,
        })
    }

    /// A run on which a formula fails, as points; empty if there is none.
    fn decide(
        &self,
        formula: &Formula,
        model: &Model,
        truths: FxHashMap<String, Vec<bool>>,
    ) -> Result<Vec<u32>, NoAnswer> {
        let mut evaluation = Evaluation::new(self, model, truths);
        Ok(evaluation.failing_run(formula)?.unwrap_or_default())
    }

    /// The places among the players of those whose knowledge is spoken of.
    fn knowers(&self, formula: &Formula) -> Result<Vec<usize>, BadFormula> {
        let mut names = Vec::new();
        formula.knowers(&mut names);
        let mut places = names
            .into_iter()
            .map(|name| self.player(name))
            .collect::<Result<Vec<_>, _>>()?;
        places.sort_unstable();
        places.dedup();
        Ok(places)
    }

    fn player(&self, name: &str) -> Result<usize, BadFormula> {
        let table = &self.explorer.table;
        let mut players = table.players.iter();
        players
            .position(|role| table.roles[role.index()] == name)
            .ok_or_else(|| {
                let names: Vec<&str> = table
                    .players
                    .iter()
                    .map(|role| &*table.roles[role.index()])
                    .collect();
                BadFormula {
                    part: name.to_owned(),
                    because: format!(
                        "`{name}` is no player; the players are {}",
                        names.join(", ")
                    ),
                }
            })
    }

    fn model(&mut self, wanted: &Wanted) -> Result<Rc<Model>, TooLarge> {
        if let Some((_, model)) = self.models.iter().find(|(other, _)| other == wanted) {
            return Ok(Rc::clone(model));
        }
        let model = match wanted.full {
            true => model::full(&mut self.explorer, wanted.by_move)?,
            false => model::of_supports(&mut self.explorer, wanted.by_move, &wanted.knowers)?,
        };
        if self.models.len() >= MOST_MODELS {
            self.models.remove(0);
        }
        let model = Rc::new(model);
        self.models.push((wanted.clone(), Rc::clone(&model)));
        Ok(model)
    }

    /// For each atom its truth in each moment of a model.
    fn truths(
        &mut self,
        atoms: &[&str],
        model: &Model,
        derive: &mut dyn Derive<G::State>,
        notes: &mut Vec<String>,
    ) -> Result<FxHashMap<String, Vec<bool>>, NoAnswer> {
        let mut truths = FxHashMap::default();
        let mut derived: Vec<String> = Vec::new();
        let atoms: FxHashSet<&str> = atoms.iter().copied().collect();
        for atom in atoms {
            match self.truth(atom, model)? {
                Some(truth) => {
                    if !truth.contains(&true) {
                        notes.push(format!("`{atom}` holds at no time"));
                    }
                    truths.insert(atom.to_owned(), truth);
                }
                None => derived.push(atom.to_owned()),
            }
        }
        notes.sort();
        derived.sort();
        if !derived.is_empty() {
            let count = self.explorer.table.states.len() as u32;
            let states: Vec<&G::State> =
                (0..count).map(|state| self.explorer.state(state)).collect();
            let found = derive
                .derive(&derived, &states)
                .map_err(NoAnswer::Derived)?;
            for (atom, truth) in derived.into_iter().zip(found) {
                let of = |moment: &model::Moment| truth[moment.state as usize];
                truths.insert(atom, model.moments.iter().map(of).collect());
            }
        }
        Ok(truths)
    }

    /// The truth of an atom in each moment; none if it is a derived relation.
    fn truth(&mut self, atom: &str, model: &Model) -> Result<Option<Vec<bool>>, BadFormula> {
        let inner = atom
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let parts = inner.map_or_else(
            || vec![atom.to_owned()],
            |inner| split(inner).unwrap_or_default(),
        );
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let bad = |because: String| BadFormula {
            part: atom.to_owned(),
            because,
        };
        let role = |name: &str| {
            let role = self.explorer.game.facts().role(name);
            role.ok_or_else(|| bad(format!("`{name}` is no role of this game")))
        };
        let table = &self.explorer.table;
        let moments = model.moments.iter();
        let states = |holds: &dyn Fn(u32) -> bool| {
            let by_state: Vec<bool> = (0..table.states.len() as u32).map(holds).collect();
            Some(
                model
                    .moments
                    .iter()
                    .map(|moment| by_state[moment.state as usize])
                    .collect(),
            )
        };
        Ok(match parts[..] {
            ["terminal"] => states(&|state| table.states[state as usize].terminal),
            ["true", fluent] => {
                self.know_fluents();
                let (fluents, fluent) = (&self.fluents, fluent.to_owned());
                let holds = |moment: &model::Moment| {
                    fluents[moment.state as usize]
                        .binary_search(&fluent)
                        .is_ok()
                };
                Some(moments.map(holds).collect())
            }
            ["legal", name, id] => {
                let (role, id) = (role(name)?, self.explorer.game.moves().find(id));
                states(&|state| {
                    id.is_some_and(|id| table.states[state as usize].legal.of(role).contains(&id))
                })
            }
            ["goal", name, value] => {
                let role = role(name)?;
                let value = value
                    .parse::<i32>()
                    .map_err(|_| bad("a goal is a whole number".to_owned()))?;
                let several =
                    |entry: &crate::explore::StateEntry| entry.goals[role.index()] == Goal::Several;
                if table.states.iter().any(several) {
                    return Ok(None);
                }
                states(&|state| {
                    table.states[state as usize].goals[role.index()] == Goal::One(value)
                })
            }
            ["does", name, id] => {
                let (role, id) = (role(name)?, self.explorer.game.moves().find(id));
                let holds = |moment: &model::Moment| {
                    let made = moment
                        .made()
                        .map(|(state, joint)| table.joint(state, joint)[role.index()]);
                    made.is_some() && made == id
                };
                Some(moments.map(holds).collect())
            }
            ["sees", name, percept] => {
                let (role, percept) = (role(name)?, self.explorer.game.percepts().find(percept));
                let holds = |moment: &model::Moment| {
                    let Some((state, joint)) = moment.made() else {
                        return false;
                    };
                    let set = &table.percept_sets[table.percepts(state, joint, role) as usize];
                    percept.is_some_and(|percept| set.contains(&percept))
                };
                Some(moments.map(holds).collect())
            }
            [
                keyword @ ("true" | "legal" | "goal" | "does" | "sees" | "next" | "init" | "role"),
                ..,
            ] => {
                return Err(bad(format!("`{keyword}` does not stand so in a formula")));
            }
            _ => None,
        })
    }

    fn know_fluents(&mut self) {
        for state in self.fluents.len()..self.explorer.table.states.len() {
            let mut fluents = self
                .explorer
                .game
                .fluents(self.explorer.state(state as u32));
            fluents.sort();
            self.fluents.push(fluents);
        }
    }

    /// A run of points in words.
    fn write_run(&self, model: &Model, points: &[u32]) -> Run {
        let table = &self.explorer.table;
        let name = |id: MoveId| self.explorer.game.moves().name(id).to_string();
        let mut run = Run::default();
        for (place, &point) in points.iter().enumerate().skip(1) {
            let Some((state, joint)) = model.moments[model.moment[point as usize] as usize].made()
            else {
                return run;
            };
            let roles = (0..table.roles.len() as u16).map(RoleId);
            let percepts = |role| {
                let set = table.percept_sets[table.percepts(state, joint, role) as usize].iter();
                set.map(|&id| self.explorer.game.percepts().name(id).to_string())
                    .collect()
            };
            run.steps.push(RunStep {
                moves: table.joint(state, joint).into_iter().map(name).collect(),
                percepts: roles.map(percepts).collect(),
            });
            if place + 1 == points.len() {
                run.repeats = points[..place].iter().position(|&other| other == point);
            }
        }
        run
    }
}

/// For each point whether something holds there.
type Truth = Rc<Vec<bool>>;
/// A formula with its truth.
type Known = (Formula, Truth);

/// The truth of formulas in the points of one model.
struct Evaluation<'a, G: Game + Legible> {
    checker: &'a Checker<G>,
    model: &'a Model,
    /// For each atom its truth in each moment.
    atoms: FxHashMap<String, Vec<bool>>,
    truths: FxHashMap<Formula, Truth>,
    /// The moments as points of their own, for what players of a model of supports know.
    local: Option<Rc<Model>>,
}

impl<'a, G: Game + Legible> Evaluation<'a, G> {
    fn new(checker: &'a Checker<G>, model: &'a Model, atoms: FxHashMap<String, Vec<bool>>) -> Self {
        Self {
            checker,
            model,
            atoms,
            truths: FxHashMap::default(),
            local: None,
        }
    }

    /// A run from the start on which a formula does not hold.
    fn failing_run(&mut self, formula: &Formula) -> Result<Option<Vec<u32>>, NoAnswer> {
        // A run of what is asked for all runs tells more than that not all have it.
        let mut formula = formula;
        while let Formula::All(inner) = formula {
            formula = inner;
        }
        let states = self.state_formulas(formula)?;
        let paths = build(formula, &states);
        let possible = paths.possible(self.model)?;
        let failing = possible[0]
            .iter()
            .copied()
            .find(|&bits| !paths.whole(0, bits));
        Ok(failing.map(|bits| paths.run(self.model, &possible, 0, bits)))
    }

    /// The truth of the outermost state formulas inside a formula over paths.
    fn state_formulas(&mut self, formula: &Formula) -> Result<Vec<Known>, NoAnswer> {
        let mut found = Vec::new();
        self.gather(formula, &mut found)?;
        Ok(found)
    }

    fn gather(&mut self, formula: &Formula, into: &mut Vec<Known>) -> Result<(), NoAnswer> {
        if is_state(formula) {
            if !into.iter().any(|(other, _)| other == formula) {
                into.push((formula.clone(), self.state(formula)?));
            }
            return Ok(());
        }
        formula
            .parts()
            .into_iter()
            .try_for_each(|part| self.gather(part, into))
    }

    /// For each point whether a formula holds on all runs from it.
    fn on_all_runs(&mut self, formula: &Formula) -> Result<Truth, NoAnswer> {
        if is_boolean(formula) {
            return self.state(formula);
        }
        let states = self.state_formulas(formula)?;
        let paths = build(formula, &states);
        let possible = paths.possible(self.model)?;
        let all = |(point, own): (usize, &Vec<u32>)| {
            own.iter().all(|&bits| paths.whole(point as u32, bits))
        };
        Ok(Rc::new(possible.iter().enumerate().map(all).collect()))
    }

    /// For each point whether a formula holds there that depends on nothing but the point.
    fn state(&mut self, formula: &Formula) -> Result<Truth, NoAnswer> {
        if let Some(truth) = self.truths.get(formula) {
            return Ok(Rc::clone(truth));
        }
        let truth = self.work_out(formula)?;
        self.truths.insert(formula.clone(), Rc::clone(&truth));
        Ok(truth)
    }

    fn work_out(&mut self, formula: &Formula) -> Result<Truth, NoAnswer> {
        let count = self.model.len();
        let each =
            |holds: &dyn Fn(usize) -> bool| Rc::new((0..count).map(holds).collect::<Vec<bool>>());
        Ok(match formula {
            Formula::Atom(text) => {
                let truth = &self.atoms[text];
                each(&|point| truth[self.model.moment[point] as usize])
            }
            Formula::Not(inner) => {
                let inner = self.state(inner)?;
                each(&|point| !inner[point])
            }
            Formula::And(all) => {
                let all = all
                    .iter()
                    .map(|part| self.state(part))
                    .collect::<Result<Vec<_>, _>>()?;
                each(&|point| all.iter().all(|part| part[point]))
            }
            Formula::Or(all) => {
                let all = all
                    .iter()
                    .map(|part| self.state(part))
                    .collect::<Result<Vec<_>, _>>()?;
                each(&|point| all.iter().any(|part| part[point]))
            }
            Formula::Implies(one, other) => {
                let (one, other) = (self.state(one)?, self.state(other)?);
                each(&|point| !one[point] || other[point])
            }
            Formula::Iff(one, other) => {
                let (one, other) = (self.state(one)?, self.state(other)?);
                each(&|point| one[point] == other[point])
            }
            Formula::All(inner) => self.on_all_runs(inner)?,
            Formula::Exists(inner) => {
                let none = self.on_all_runs(&Formula::Not(inner.clone()))?;
                each(&|point| !none[point])
            }
            Formula::Knows(name, inner) => self.known(&[self.checker.player(name)?], inner)?,
            Formula::Possible(name, inner) => {
                let player = self.checker.player(name)?;
                let not = self.known(&[player], &Formula::Not(inner.clone()))?;
                each(&|point| !not[point])
            }
            Formula::Everybody(names, inner) => {
                let mut all = Rc::new(vec![true; count]);
                for name in names {
                    let own = self.known(&[self.checker.player(name)?], inner)?;
                    all = each(&|point| all[point] && own[point]);
                }
                all
            }
            Formula::Common(names, inner) => {
                let players = names
                    .iter()
                    .map(|name| self.checker.player(name))
                    .collect::<Result<Vec<_>, _>>()?;
                self.known(&players, inner)?
            }
            // What speaks of paths is asked of all runs before.
            Formula::Next(_) | Formula::Finally(_) | Formula::Globally(_) | Formula::Until(..) => {
                self.on_all_runs(formula)?
            }
        })
    }

    /// For each point whether a formula holds on all runs from all points that these players,
    /// by what they know of each other, hold possible.
    fn known(&mut self, players: &[usize], inner: &Formula) -> Result<Truth, NoAnswer> {
        let model = self.model;
        if let [player] = *players
            && let Knowledge::Supports { of, supports } = &model.knowledge[player]
        {
            let truth = self.locally(inner)?;
            let known: Vec<bool> = supports
                .iter()
                .map(|support| support.iter().all(|&moment| truth[moment as usize]))
                .collect();
            return Ok(Rc::new(
                of.iter().map(|&support| known[support as usize]).collect(),
            ));
        }
        let truth = self.on_all_runs(inner)?;
        let mut groups = Groups::new(model.len());
        for &player in players {
            if let Knowledge::Sets(sets) = &model.knowledge[player] {
                let mut first: FxHashMap<u32, u32> = FxHashMap::default();
                for (point, &set) in sets.iter().enumerate() {
                    let other = *first.entry(set).or_insert(point as u32);
                    groups.join(point as u32, other);
                }
            }
        }
        let mut known = vec![true; model.len()];
        for point in 0..model.len() as u32 {
            let group = groups.find(point) as usize;
            known[group] &= truth[point as usize];
        }
        Ok(Rc::new(
            (0..model.len() as u32)
                .map(|point| known[groups.find(point) as usize])
                .collect(),
        ))
    }

    /// For each moment whether a formula without knowledge holds on all runs from it.
    fn locally(&mut self, inner: &Formula) -> Result<Truth, NoAnswer> {
        let local = match &self.local {
            Some(local) => Rc::clone(local),
            None => Rc::clone(self.local.insert(Rc::new(self.model.of_moments()))),
        };
        let mut evaluation = Evaluation::new(self.checker, &local, self.atoms.clone());
        evaluation.on_all_runs(inner)
    }
}

/// Whether truth depends on the point alone, and not on what comes after it on a run.
fn is_state(formula: &Formula) -> bool {
    match formula {
        Formula::Next(_) | Formula::Finally(_) | Formula::Globally(_) | Formula::Until(..) => false,
        Formula::Not(_)
        | Formula::And(_)
        | Formula::Or(_)
        | Formula::Implies(..)
        | Formula::Iff(..) => formula.parts().into_iter().all(is_state),
        _ => true,
    }
}

fn is_boolean(formula: &Formula) -> bool {
    is_state(formula)
}

/// A formula over paths with its temporal parts, inner ones first.
fn build<'a>(formula: &Formula, states: &'a [Known]) -> Paths<'a> {
    let mut paths = Paths {
        parts: Vec::new(),
        whole: Path::And(Vec::new()),
        states: states.iter().map(|(_, truth)| &truth[..]).collect(),
    };
    paths.whole = build_path(formula, states, &mut paths.parts);
    paths
}

fn build_path(formula: &Formula, states: &[Known], parts: &mut Vec<Part>) -> Path {
    if let Some(place) = states.iter().position(|(state, _)| state == formula) {
        return Path::State(place);
    }
    let mut inner: Vec<Path> = formula
        .parts()
        .into_iter()
        .map(|part| build_path(part, states, parts))
        .collect();
    let mut next = || inner.remove(0);
    let part = match formula {
        Formula::Not(_) => return Path::Not(Box::new(next())),
        Formula::And(_) => return Path::And(inner),
        Formula::Or(_) => return Path::Or(inner),
        Formula::Implies(..) => return Path::Or(vec![Path::Not(Box::new(next())), next()]),
        Formula::Iff(..) => return Path::Iff(Box::new(next()), Box::new(next())),
        Formula::Finally(_) => Part::Finally(next()),
        Formula::Globally(_) => Part::Globally(next()),
        Formula::Until(..) => Part::Until(next(), next()),
        // All others are state formulas.
        _ => Part::Next(next()),
    };
    parts.push(part);
    Path::Part(parts.len() - 1)
}

/// Points that belong together.
struct Groups {
    parent: Vec<u32>,
}

impl Groups {
    fn new(count: usize) -> Self {
        Self {
            parent: (0..count as u32).collect(),
        }
    }

    fn find(&mut self, point: u32) -> u32 {
        let mut at = point;
        while self.parent[at as usize] != at {
            let above = self.parent[at as usize];
            self.parent[at as usize] = self.parent[above as usize];
            at = above;
        }
        at
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.find(one), self.find(other));
        self.parent[one as usize] = other;
    }
}
