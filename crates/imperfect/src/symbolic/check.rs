//! Decides formulas on sets of states.
//!
//! A formula without knowledge is decided on the states that can be reached, whether or not play
//! ends. One with knowledge is decided moment by moment: the set of a moment has the states that
//! are possible then, each with what the players that the formula asks about were told until then,
//! in bits of their own. To know something is to have nothing else in the set with the same memory.

use rustc_hash::FxHashMap;

use paidia_gdl::program::Program;

use super::TooHard;
use super::paths::{Here, MOST_PARTS, Part, Path, Paths};
use super::space::{Cube, Diagram, Room, Space};
use super::system::{Options, System, Value};
use super::typed::{self, Statistics, Variable};
use crate::epistemic::Formula;

/// The longest play that knowledge is decided for.
const MOST_MOMENTS: usize = 400;

/// The nodes up to which all steps between states that can be reached are one relation.
const MOST_STEPS: usize = 400_000;

/// What was found about a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Whether it holds at the start of all runs.
    pub holds: bool,
    /// Moments that were told apart; one if it was decided without them.
    pub moments: usize,
    /// Nodes of the largest decision diagram there was.
    pub nodes: usize,
    /// The joint moves of a run on which it fails, up to where play ends or for as long as was
    /// looked at.
    pub run: Option<Vec<Vec<String>>>,
    /// What else its author should know.
    pub notes: Vec<String>,
}

/// Decides formulas on one game by decision diagrams.
pub struct Symbolic {
    system: System,
    variables: Vec<Variable>,
    nodes: usize,
    /// Moments until all have stopped, once that is known.
    length: Option<Result<usize, TooHard>>,
}

impl Symbolic {
    /// A checker for rules, with diagrams of at most this number of nodes.
    ///
    /// # Errors
    /// If the rules are too large for it.
    pub fn new(program: &Program, options: Options, nodes: usize) -> Result<Self, TooHard> {
        let system = System::new(program, options)?;
        let variables = typed::variables(&system, nodes)?;
        Ok(Self {
            system,
            variables,
            nodes,
            length: None,
        })
    }

    /// The translated system.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Its variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Its size.
    pub fn statistics(&self) -> Statistics {
        typed::statistics(&self.system, &self.variables)
    }

    /// Decides whether a formula holds at the start of all runs.
    ///
    /// # Errors
    /// If it is no formula of this game, or cannot be decided within the limits.
    pub fn check(&mut self, formula: &Formula) -> Result<Verdict, TooHard> {
        let mut names = Vec::new();
        formula.knowers(&mut names);
        let mut knowers = Vec::new();
        for name in names {
            let role = self.system.roles.iter().position(|role| role == name);
            match role.filter(|_| name != "random") {
                Some(role) => knowers.push(role),
                None => return Err(TooHard::Formula(format!("`{name}` is no player"))),
            }
        }
        knowers.sort_unstable();
        knowers.dedup();
        let moments = match knowers.is_empty() {
            true => None,
            false => Some(self.length()?),
        };
        let room = Room {
            nodes: self.nodes,
            parts: MOST_PARTS,
            steps: moments.unwrap_or(0),
            knowers: knowers.clone(),
        };
        let space = Space::new(&self.system, &self.variables, &room)?;
        let layers = match moments {
            None => vec![reachable(&space)?],
            Some(count) => layers(&space, count)?,
        };
        let mut evaluation = Evaluation {
            system: &self.system,
            space: &space,
            layers,
            loops: moments.is_none(),
            knowers,
            truths: FxHashMap::default(),
            notes: Vec::new(),
        };
        // A run of what is asked for all runs tells more than that not all have it.
        let mut formula = formula;
        while let Formula::All(inner) = formula {
            formula = inner;
        }
        let run = match evaluation.at_all_times(formula)? {
            Some(run) => run,
            None => {
                let failing = evaluation.failing(formula)?;
                match failing[0].is_false() {
                    true => None,
                    false => Some(evaluation.run(&failing)?),
                }
            }
        };
        Ok(Verdict {
            holds: run.is_none(),
            moments: evaluation.layers.len(),
            run,
            notes: evaluation.notes,
            nodes: space.largest(),
        })
    }

    /// The number of steps until all roles have stopped in every run.
    fn length(&mut self) -> Result<usize, TooHard> {
        if let Some(length) = &self.length {
            return length.clone();
        }
        let length = self.find_length();
        self.length = Some(length.clone());
        length
    }

    fn find_length(&self) -> Result<usize, TooHard> {
        let room = Room::plain(self.nodes);
        let space = Space::new(&self.system, &self.variables, &room)?;
        let stopped = space.stopped()?;
        let mut at = space.start()?;
        for length in 0..MOST_MOMENTS {
            at = at.without(&stopped)?;
            if at.is_false() {
                return Ok(length.saturating_sub(1));
            }
            at = space.image(&at)?;
        }
        Err(TooHard::Endless(MOST_MOMENTS))
    }
}

/// All states that can be reached.
fn reachable(space: &Space<'_>) -> Result<Diagram, TooHard> {
    let mut all = space.start()?;
    let mut new = all.clone();
    while !new.is_false() {
        new = space.image(&new)?.without(&all)?;
        all = all.or(&new)?;
    }
    Ok(all)
}

/// The states of each moment with what is remembered.
fn layers(space: &Space<'_>, count: usize) -> Result<Vec<Diagram>, TooHard> {
    let mut layers = vec![space.start()?];
    for step in 0..count {
        let next = space.image(&layers[step])?;
        layers.push(space.remember(step, &next)?);
    }
    Ok(layers)
}

/// The steps between the states that can be reached, with the bits of temporal operators.
enum Steps {
    /// As one relation.
    Whole(Diagram, Cube),
    /// What relates the bits, where one relation would be too large.
    Parts(Diagram, Diagram),
}

impl Steps {
    fn new(space: &Space<'_>, states: &Diagram, before: Diagram) -> Result<Self, TooHard> {
        Ok(match space.steps_within(states, MOST_STEPS) {
            Some(steps) => Self::Whole(steps.and(&before)?, space.all_after()),
            None => Self::Parts(before, states.clone()),
        })
    }

    /// The states and bits before some after a step.
    fn before(&self, space: &Space<'_>, after: &Diagram) -> Result<Diagram, TooHard> {
        match self {
            Self::Whole(steps, cube) => after.join(steps, cube),
            Self::Parts(before, states) => {
                let after = after.join(before, &space.parts(true))?;
                space.before(&after)?.and(states)
            }
        }
    }
}

/// For each moment where something holds.
type Truth = Vec<Diagram>;

/// The truth of formulas.
struct Evaluation<'a> {
    system: &'a System,
    space: &'a Space<'a>,
    layers: Vec<Diagram>,
    /// Whether there is one set of states, whose steps lead into it.
    loops: bool,
    knowers: Vec<usize>,
    truths: FxHashMap<Formula, Truth>,
    notes: Vec<String>,
}

/// A formula over runs with the truth of its state formulas.
struct Question {
    paths: Paths,
    states: Vec<Truth>,
}

impl Evaluation<'_> {
    /// Decides, without a pass backwards, that something about states holds at all times, or not at
    /// all of them; then a run on which it fails, if there is one. None for other formulas.
    #[allow(
        clippy::option_option,
        reason = "whether it was decided, and whether a run was found"
    )]
    fn at_all_times(
        &mut self,
        formula: &Formula,
    ) -> Result<Option<Option<Vec<Vec<String>>>>, TooHard> {
        let (always, denied) = match formula {
            Formula::Globally(inner) => (inner, false),
            Formula::Not(inner) => match &**inner {
                Formula::All(inner) => match &**inner {
                    Formula::Globally(inner) => (inner, true),
                    _ => return Ok(None),
                },
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        if !is_state(always) {
            return Ok(None);
        }
        let truth = self.state(always)?;
        for (layer, truth) in truth.iter().enumerate() {
            let bad = self.layers[layer].without(truth)?;
            if bad.is_false() {
                continue;
            }
            return Ok(match (denied, self.loops) {
                (true, _) => Some(None),
                // How it came about is a question for the pass backwards.
                (false, true) => None,
                (false, false) => Some(Some(self.run_to(&bad, layer)?)),
            });
        }
        // Where it is denied that it always holds, any run shows that it does.
        Ok((!denied).then_some(None))
    }

    /// The joint moves of a run to one of some states of a moment.
    fn run_to(&self, states: &Diagram, layer: usize) -> Result<Vec<Vec<String>>, TooHard> {
        let mut sets = vec![self.concrete(states)?];
        for step in (0..layer).rev() {
            let after = sets[0].rename(&self.space.to_next(Some(step))?)?;
            let before = self.space.before(&after.and(&self.layers[step])?)?;
            sets.insert(0, self.concrete(&before)?);
        }
        self.run(&sets)
    }

    /// For each moment the possible states on some run from which a formula fails, with the bits of
    /// its temporal operators.
    fn failing(&mut self, formula: &Formula) -> Result<Truth, TooHard> {
        let question = self.question(formula)?;
        let mut possible = self.possible(&question)?;
        for (layer, set) in possible.iter_mut().enumerate() {
            let states = question.at(layer);
            let here = Here {
                states: &states,
                after: false,
            };
            let holds = question
                .paths
                .holds(self.space, &question.paths.whole, &here)?;
            let part = set.without(&holds)?;
            // Later moments are those of runs, whose bits need not make the whole formula fail.
            if layer == 0 {
                let start = self.space.start()?;
                let all = part.and(&start)?;
                if self.loops {
                    return Ok(vec![all, set.clone()]);
                }
                *set = all;
            }
        }
        Ok(possible)
    }

    /// For each moment where a formula holds on all runs.
    fn on_all_runs(&mut self, formula: &Formula) -> Result<Truth, TooHard> {
        if is_state(formula) {
            return self.state(formula);
        }
        let question = self.question(formula)?;
        let possible = self.possible(&question)?;
        let parts = self.space.parts(false);
        let mut all = Vec::with_capacity(possible.len());
        for (layer, set) in possible.iter().enumerate() {
            let states = question.at(layer);
            let here = Here {
                states: &states,
                after: false,
            };
            let holds = question
                .paths
                .holds(self.space, &question.paths.whole, &here)?;
            all.push(set.without(&holds)?.exists(&parts)?.not()?);
        }
        Ok(all)
    }

    /// For each moment the states with the bits from which a run goes on for ever.
    fn possible(&self, question: &Question) -> Result<Truth, TooHard> {
        match self.loops {
            true => Ok(vec![self.possible_in_loops(question)?]),
            false => self.possible_in_layers(question),
        }
    }

    fn possible_in_layers(&self, question: &Question) -> Result<Truth, TooHard> {
        let space = self.space;
        let last = self.layers.len() - 1;
        let mut possible = vec![space.no(); self.layers.len()];
        let staying = question.paths.staying(space, &question.at(last))?;
        possible[last] = self.layers[last].and(&staying)?;
        let parts = space.parts(true);
        for layer in (0..last).rev() {
            let to_next = space.to_next(Some(layer))?;
            let renamed = |set: &Diagram| set.rename(&to_next);
            let next = question
                .at(layer + 1)
                .iter()
                .map(renamed)
                .collect::<Result<Vec<_>, _>>()?;
            let before = question.paths.before(space, &question.at(layer), &next)?;
            let after = renamed(&possible[layer + 1])?;
            let after = after.and(&self.layers[layer])?.join(&before, &parts)?;
            possible[layer] = space.before(&after)?;
        }
        Ok(possible)
    }

    fn possible_in_loops(&self, question: &Question) -> Result<Diagram, TooHard> {
        let space = self.space;
        let to_next = space.to_next(None)?;
        let now = question.at(0);
        let next = now
            .iter()
            .map(|set| set.rename(&to_next))
            .collect::<Result<Vec<_>, _>>()?;
        let before = question.paths.before(space, &now, &next)?;
        let all = &self.layers[0];
        let steps = Steps::new(space, all, before)?;
        let pre = |set: &Diagram| steps.before(space, &set.rename(&to_next)?);
        let mut kept = question.paths.kept(space, &now)?;
        if kept.is_empty() {
            kept.push(space.yes());
        }
        let mut set = all.clone();
        loop {
            let old = set.clone();
            for kept in &kept {
                // Those from which one stays among these until the promise is kept.
                let mut reach = set.and(kept)?;
                let mut new = reach.clone();
                while !new.is_false() {
                    new = set.and(&pre(&new)?)?.without(&reach)?;
                    reach = reach.or(&new)?;
                }
                set = set.and(&pre(&reach)?)?;
            }
            if set == old {
                return Ok(set);
            }
        }
    }

    fn question(&mut self, formula: &Formula) -> Result<Question, TooHard> {
        let mut known: Vec<(Formula, Truth)> = Vec::new();
        let mut parts: Vec<(Formula, Part)> = Vec::new();
        let whole = self.path(formula, &mut known, &mut parts)?;
        if parts.len() > MOST_PARTS {
            let what = "the temporal operators without an A or E between them";
            return Err(TooHard::Variables(what, MOST_PARTS));
        }
        Ok(Question {
            paths: Paths {
                parts: parts.into_iter().map(|(_, part)| part).collect(),
                whole,
            },
            states: known.into_iter().map(|(_, truth)| truth).collect(),
        })
    }

    fn path(
        &mut self,
        formula: &Formula,
        known: &mut Vec<(Formula, Truth)>,
        parts: &mut Vec<(Formula, Part)>,
    ) -> Result<Path, TooHard> {
        if is_state(formula) {
            let place = known.iter().position(|(other, _)| other == formula);
            let place = match place {
                Some(place) => place,
                None => {
                    known.push((formula.clone(), self.state(formula)?));
                    known.len() - 1
                }
            };
            return Ok(Path::State(place));
        }
        if let Some(place) = parts.iter().position(|(other, _)| other == formula) {
            return Ok(Path::Part(place));
        }
        let mut inner = Vec::new();
        for part in formula.parts() {
            inner.push(self.path(part, known, parts)?);
        }
        let mut next = || inner.remove(0);
        let part = match formula {
            Formula::Not(_) => return Ok(Path::Not(Box::new(next()))),
            Formula::And(_) => return Ok(Path::And(inner)),
            Formula::Or(_) => return Ok(Path::Or(inner)),
            Formula::Implies(..) => {
                return Ok(Path::Or(vec![Path::Not(Box::new(next())), next()]));
            }
            Formula::Iff(..) => return Ok(Path::Iff(Box::new(next()), Box::new(next()))),
            Formula::Finally(_) => Part::Finally(next()),
            Formula::Globally(_) => Part::Globally(next()),
            Formula::Until(..) => Part::Until(next(), next()),
            // All others are about states.
            _ => Part::Next(next()),
        };
        parts.push((formula.clone(), part));
        Ok(Path::Part(parts.len() - 1))
    }

    /// For each moment where something holds that is about the state and the memory alone.
    fn state(&mut self, formula: &Formula) -> Result<Truth, TooHard> {
        if let Some(truth) = self.truths.get(formula) {
            return Ok(truth.clone());
        }
        let truth = self.work_out(formula)?;
        self.truths.insert(formula.clone(), truth.clone());
        Ok(truth)
    }

    fn work_out(&mut self, formula: &Formula) -> Result<Truth, TooHard> {
        let count = self.layers.len();
        match formula {
            Formula::Atom(text) => {
                let value = self.atom(text)?;
                Ok(vec![value; count])
            }
            Formula::Not(inner) => {
                let inner = self.state(inner)?;
                inner.iter().map(Diagram::not).collect()
            }
            Formula::And(all) => {
                let mut found = vec![self.space.yes(); count];
                for part in all {
                    found = both(&found, &self.state(part)?, Diagram::and)?;
                }
                Ok(found)
            }
            Formula::Or(all) => {
                let mut found = vec![self.space.no(); count];
                for part in all {
                    found = both(&found, &self.state(part)?, Diagram::or)?;
                }
                Ok(found)
            }
            Formula::Implies(one, other) => {
                let (one, other) = (self.state(one)?, self.state(other)?);
                both(&other, &one, |other, one| other.or(&one.not()?))
            }
            Formula::Iff(one, other) => {
                let (one, other) = (self.state(one)?, self.state(other)?);
                both(&one, &other, Diagram::equals)
            }
            Formula::All(inner) => self.on_all_runs(inner),
            Formula::Exists(inner) => {
                let none = self.on_all_runs(&Formula::Not(inner.clone()))?;
                none.iter().map(Diagram::not).collect()
            }
            Formula::Knows(name, inner) => self.known(std::slice::from_ref(name), inner),
            Formula::Possible(name, inner) => {
                let inner = Formula::Not(inner.clone());
                let not = self.known(std::slice::from_ref(name), &inner)?;
                not.iter().map(Diagram::not).collect()
            }
            Formula::Everybody(names, inner) => {
                let mut all = vec![self.space.yes(); count];
                for name in names {
                    let own = self.known(std::slice::from_ref(name), inner)?;
                    all = both(&all, &own, Diagram::and)?;
                }
                Ok(all)
            }
            Formula::Common(names, inner) => self.known(names, inner),
            Formula::Next(_) | Formula::Finally(_) | Formula::Globally(_) | Formula::Until(..) => {
                self.on_all_runs(formula)
            }
        }
    }

    /// For each moment where these players know something together: nothing else can be reached
    /// from there by what one of them holds possible, again and again.
    fn known(&mut self, names: &[String], inner: &Formula) -> Result<Truth, TooHard> {
        let truth = self.on_all_runs(inner)?;
        let mut cubes = Vec::new();
        for name in names {
            let role = self.system.roles.iter().position(|role| role == name);
            let knower = self.knowers.iter().position(|&own| Some(own) == role);
            cubes.push(self.space.all_but(knower.unwrap_or(0)));
        }
        let mut known = Vec::with_capacity(truth.len());
        for (layer, truth) in self.layers.iter().zip(&truth) {
            let mut bad = layer.without(truth)?;
            loop {
                let mut more = bad.clone();
                for cube in &cubes {
                    more = more.or(&layer.and(&more.exists(cube)?)?)?;
                }
                let is_done = more == bad;
                bad = more;
                if is_done || cubes.len() == 1 {
                    break;
                }
            }
            known.push(bad.not()?);
        }
        Ok(known)
    }

    /// Where an atom holds.
    fn atom(&mut self, text: &str) -> Result<Diagram, TooHard> {
        let parts = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'))
            .map_or_else(
                || vec![text.to_owned()],
                |inner| paidia_game::split(inner).unwrap_or_default(),
            );
        let head = parts.first().map_or("", String::as_str);
        let bad = |because: String| Err(TooHard::Formula(because));
        if matches!(head, "legal" | "goal" | "does" | "sees")
            && let Some(name) = parts.get(1)
            && !self.system.roles.contains(name)
        {
            return bad(format!("`{name}` is no role of this game"));
        }
        match (head, parts.len()) {
            ("terminal", 1) => return self.space.value(self.system.terminal),
            ("does", 3) => {
                let role = self.system.roles.iter().position(|role| *role == parts[1]);
                let role = role.unwrap_or(0);
                let number = self.system.moves[role]
                    .iter()
                    .position(|own| *own == parts[2]);
                return match number {
                    Some(number) => self.space.has_made(role, number),
                    None => Ok(self.never(text)),
                };
            }
            ("true", 2) | ("legal" | "goal" | "sees", 3) => {}
            ("true" | "legal" | "goal" | "does" | "sees" | "next" | "init" | "role", _) => {
                return bad(format!("`{head}` does not stand so in a formula"));
            }
            _ if !self.system.has_relation(head) => {
                return bad(format!("the rules define no relation `{text}`"));
            }
            _ => {}
        }
        match self.system.find(text) {
            None => Ok(self.never(text)),
            Some(Value::Atom(id))
                if self.system.atoms[id as usize].by_move && !self.system.is_state(id) =>
            {
                bad(format!(
                    "`{text}` depends on the moves and is not asked for in a state"
                ))
            }
            Some(value) => self.space.value(value),
        }
    }

    fn never(&mut self, text: &str) -> Diagram {
        self.notes.push(format!("`{text}` holds at no time"));
        self.space.no()
    }

    /// The joint moves of a run that begins in the first of some sets and goes through the others.
    fn run(&self, sets: &[Diagram]) -> Result<Vec<Vec<String>>, TooHard> {
        let mut run = Vec::new();
        let mut at = self.concrete(&sets[0])?;
        let most = if self.loops {
            MOST_MOMENTS
        } else {
            sets.len() - 1
        };
        let mut seen = Vec::new();
        for step in 0..most {
            let remembered = (!self.loops).then_some(step);
            let next = sets.get(step + 1).or(sets.last()).unwrap_or(&sets[0]);
            let next = next.rename(&self.space.to_next(remembered)?)?;
            let steps = self.space.steps_from(&at)?.and(&next)?;
            let Some(bits) = steps.pick() else { break };
            let Some(moves) = self.space.moves_of(&bits) else {
                break;
            };
            run.push(moves);
            let after = self.space.exactly(&bits)?.and(&steps)?;
            let arrived = self.space.arrive(&after)?;
            at = match remembered {
                Some(step) => self.space.remember(step, &arrived)?,
                None => arrived,
            };
            at = self.concrete(&at)?;
            if self.loops && seen.contains(&at) {
                break;
            }
            seen.push(at.clone());
        }
        Ok(run)
    }

    /// One assignment of a set.
    fn concrete(&self, set: &Diagram) -> Result<Diagram, TooHard> {
        match set.pick() {
            Some(bits) => self.space.exactly(&bits)?.and(set),
            None => Ok(self.space.no()),
        }
    }
}

impl Question {
    /// The truth of the state formulas at a moment.
    fn at(&self, layer: usize) -> Vec<Diagram> {
        self.states
            .iter()
            .map(|truth| truth[layer].clone())
            .collect()
    }
}

fn both(
    one: &[Diagram],
    other: &[Diagram],
    join: impl Fn(&Diagram, &Diagram) -> Result<Diagram, TooHard>,
) -> Result<Truth, TooHard> {
    one.iter()
        .zip(other)
        .map(|(one, other)| join(one, other))
        .collect()
}

/// Whether truth depends on the state alone, and not on what comes after it on a run.
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

/// How a system was asked for, for those who show it.
impl Options {
    /// The options that are left out, by name.
    pub const NAMES: [&'static str; 4] = ["definitions", "statics", "typed", "freeze"];

    /// Leaves one out; whether there is one of this name.
    pub fn leave_out(&mut self, name: &str) -> bool {
        match name {
            "definitions" => self.definitions = false,
            "statics" => self.statics = false,
            "typed" => self.typed = false,
            "freeze" => self.freeze = false,
            _ => return false,
        }
        true
    }
}
