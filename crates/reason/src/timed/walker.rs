//! One thread's position in a game in real time.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use paidia_game::{
    Fault, Goal, LegalMoves, MoveId, PerceptId, PerceptTable, Reading, Resource, RoleId, Ticks,
    TimedWalker,
};
use paidia_gdl::datalog::Terms;
use rustc_hash::{FxHashMap, FxHasher};

use super::TimedRules;
use super::deriving::Deriving;
use super::names::{MOST_TIMES, Numeral};
use super::state::{Raw, State, too_many_times};
use crate::rows::Question;

/// What is derived from now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loaded {
    /// Nothing of the present state.
    Nothing,
    /// The state by itself.
    Alone,
    /// The state and what expired.
    WithExpired,
}

/// A legal move: whose, which, and where its row is.
#[derive(Clone, Copy)]
struct Choice {
    role: RoleId,
    id: MoveId,
    kind: u32,
    start: u32,
}

/// One thread's position in a game of [`super::Timed`].
pub struct Walker {
    rules: Arc<TimedRules>,
    deriving: Deriving,
    state: State,
    loaded: Loaded,
    /// Whether the state is known to be no end.
    goes_on: bool,
    fault: Option<Fault>,
    legal: LegalMoves,
    legal_is_known: bool,
    options: Vec<Choice>,
    option_rows: Vec<u32>,
    /// Ids of moves whose rows have no spare names, by kind and row.
    known_moves: FxHashMap<Box<[u32]>, MoveId>,
    /// What the last update made, with names of its own.
    raw: Raw,
    /// The spare names of times that were met in an update.
    named: FxHashMap<Ticks, u32>,
    dropped: Vec<(usize, Vec<u32>)>,
    percepts: Vec<Vec<PerceptId>>,
    without: Vec<Vec<PerceptId>>,
    flat: Vec<u32>,
    text: String,
}

impl Walker {
    pub(super) fn new(rules: Arc<TimedRules>) -> Self {
        let (kinds, roles) = (rules.kinds.len(), rules.roles.len());
        Self {
            deriving: Deriving::new(&rules.engine),
            state: rules.initial.clone(),
            loaded: Loaded::Nothing,
            goes_on: false,
            fault: None,
            legal: LegalMoves::new(),
            legal_is_known: false,
            options: Vec::new(),
            option_rows: Vec::new(),
            known_moves: FxHashMap::default(),
            raw: Raw {
                rows: vec![Vec::new(); kinds],
                expired: vec![Vec::new(); kinds],
                times: Vec::new(),
            },
            named: FxHashMap::default(),
            dropped: Vec::new(),
            percepts: vec![Vec::new(); roles],
            without: vec![Vec::new(); roles],
            flat: Vec::new(),
            text: String::new(),
            rules,
        }
    }

    /// Has the facts of the state there to derive from, and what expired if `with_expired`.
    fn load(&mut self, with_expired: bool) {
        let wanted = match with_expired && self.state.has_expired(&self.rules) {
            true => Loaded::WithExpired,
            false => Loaded::Alone,
        };
        if self.loaded == wanted {
            return;
        }
        self.deriving.clear();
        let (rules, deriving) = (&*self.rules, &mut self.deriving);
        self.state.each_kind(rules, |kind, expired, rows, arity| {
            let shape = &rules.kinds[kind];
            let relation = match expired {
                false => Some(shape.fluent.holds),
                true => shape.expired.filter(|_| with_expired),
            };
            if let Some(relation) = relation {
                let rows = rows.chunks_exact(arity);
                rows.for_each(|row| deriving.insert(relation, row));
            }
        });
        self.loaded = wanted;
    }

    /// Has a question answered; whether no limit was reached.
    fn ask(&mut self, question: Question) -> bool {
        if self.fault.is_none() {
            self.fault = self.deriving.answer(question).err();
        }
        self.fault.is_none()
    }

    fn find_legal(&mut self) {
        // The expired facts, if any are there, change nothing for rules that do not ask for them.
        if self.rules.legal_needs_expired || self.loaded == Loaded::Nothing {
            self.load(!self.rules.legal_needs_expired);
        }
        self.options.clear();
        self.option_rows.clear();
        self.legal.clear();
        if self.ask(Question::Legal) {
            self.fault = self.collect_legal().err();
        }
        if self.fault.is_some() {
            self.options.clear();
        }
        for role in self.rules.facts.role_ids() {
            let options = self.options.iter().filter(|option| option.role == role);
            options.for_each(|option| self.legal.push(option.id));
            self.legal.end_role_sorted(&self.rules.moves);
        }
    }

    fn collect_legal(&mut self) -> Result<(), Fault> {
        let rules = Arc::clone(&self.rules);
        let constants = rules.program.symbols.len() as u32;
        for (kind, shape) in rules.program.moves.iter().enumerate() {
            let arity = rules.program.relation(shape.legal).arity;
            self.flat.clear();
            self.deriving.rows(shape.legal, &mut self.flat);
            for row in self.flat.chunks_exact(arity) {
                let role = rules.role_of.get(row[0] as usize).copied().flatten();
                let Some(role) = role else {
                    continue;
                };
                let start = self.option_rows.len();
                self.option_rows.push(kind as u32);
                self.option_rows.extend_from_slice(&row[1..]);
                let key = &self.option_rows[start..];
                let id = match self.known_moves.get(key) {
                    Some(&id) => id,
                    None => {
                        self.text.clear();
                        let (times, terms) = (&self.state.times, self.deriving.terms_mut());
                        let text = &mut self.text;
                        rules.write_row(shape.functor, &row[1..], times, terms, text);
                        let id = rules.moves.intern(text).map_err(|full| Fault {
                            resource: Resource::Moves,
                            limit: u64::from(full.limit),
                        })?;
                        let spare = |&id: &u32| id >= constants || rules.names.spare(id).is_some();
                        if !row.iter().any(spare) {
                            self.known_moves.insert(key.into(), id);
                        }
                        id
                    }
                };
                self.options.push(Choice {
                    role,
                    id,
                    kind: kind as u32,
                    start: start as u32,
                });
            }
        }
        Ok(())
    }

    /// Puts the aged facts in `raw`, and those that expire; whether there was room for the times.
    fn age(&mut self, elapsed: Ticks) -> Result<(), Fault> {
        let rules = Arc::clone(&self.rules);
        let Raw {
            rows,
            expired,
            times,
        } = &mut self.raw;
        rows.iter_mut().chain(&mut *expired).for_each(Vec::clear);
        times.clone_from(&self.state.times);
        self.named.clear();
        let known = times.iter().enumerate();
        let known = known.map(|(number, &time)| (time, rules.names.nth(number)));
        self.named.extend(known);
        let (named, state) = (&mut self.named, &self.state);
        let mut outcome = Ok(());
        state.each_kind(&rules, |kind, was_expired, cells, arity| {
            if was_expired {
                return;
            }
            for row in cells.chunks_exact(arity) {
                let Numeral::Time(time) = rules.names.lifetime(row[0], &state.times) else {
                    rows[kind].extend_from_slice(row);
                    continue;
                };
                if time <= elapsed {
                    expired[kind].extend_from_slice(&row[1..]);
                    continue;
                }
                let left = time - elapsed;
                let name = rules
                    .names
                    .in_sheet(left)
                    .or_else(|| named.get(&left).copied());
                let name = name.unwrap_or_else(|| {
                    if times.len() >= 2 * MOST_TIMES {
                        outcome = Err(too_many_times());
                        return row[0];
                    }
                    let name = rules.names.nth(times.len());
                    times.push(left);
                    named.insert(left, name);
                    name
                });
                rows[kind].push(name);
                rows[kind].extend_from_slice(&row[1..]);
            }
        });
        outcome
    }

    /// Goes to the facts that are in `raw`, with what expired if that is wanted.
    fn enter_raw(&mut self, with_expired: bool) {
        self.loaded = Loaded::Nothing;
        self.deriving.clear();
        for (kind, shape) in self.rules.kinds.iter().enumerate() {
            let rows = self.raw.rows[kind].chunks_exact(shape.arity);
            rows.for_each(|row| self.deriving.insert(shape.fluent.holds, row));
            if let Some(relation) = shape.expired.filter(|_| with_expired) {
                let rows = self.raw.expired[kind].chunks_exact(shape.arity - 1);
                rows.for_each(|row| self.deriving.insert(relation, row));
            }
        }
    }

    fn make_moves(&mut self, moved: &[(RoleId, MoveId)]) {
        let rules = &*self.rules;
        for &(role, id) in moved {
            let mut options = self.options.iter();
            let made = options.find(|option| option.role == role && option.id == id);
            let Some(made) = made else {
                continue;
            };
            let shape = &rules.program.moves[made.kind as usize];
            let arity = rules.program.relation(shape.does).arity;
            let start = made.start as usize + 1;
            self.flat.clear();
            self.flat.push(rules.roles[role.index()]);
            self.flat
                .extend_from_slice(&self.option_rows[start..start + arity - 1]);
            self.deriving.insert(shape.does, &self.flat);
        }
    }

    /// What every role sees of the facts that are there.
    fn see(&mut self, into: &mut [Vec<PerceptId>]) -> Result<(), Fault> {
        into.iter_mut().for_each(Vec::clear);
        let rules = Arc::clone(&self.rules);
        for shape in &rules.program.percepts {
            let arity = rules.program.relation(shape.sees).arity;
            self.flat.clear();
            self.deriving.rows(shape.sees, &mut self.flat);
            for row in self.flat.chunks_exact(arity) {
                let role = rules.role_of.get(row[0] as usize).copied().flatten();
                let Some(role) = role else {
                    continue;
                };
                self.text.clear();
                let (times, terms) = (&self.raw.times, self.deriving.terms_mut());
                rules.write_row(shape.functor, &row[1..], times, terms, &mut self.text);
                into[role.index()].push(intern(&rules.percepts, &self.text)?);
            }
        }
        for told in into {
            rules.percepts.sort(told);
            told.dedup();
        }
        Ok(())
    }

    /// Derives the state after an event; `goes_on` tells that the state before is known to be no
    /// end.
    fn derive(
        &mut self,
        moved: &[(RoleId, MoveId)],
        elapsed: Ticks,
        goes_on: bool,
    ) -> Result<(), Fault> {
        let rules = Arc::clone(&self.rules);
        self.age(elapsed)?;
        let nothing_ends = self.raw.expired.iter().all(Vec::is_empty);
        let is_no_end = goes_on && nothing_ends && rules.end_is_ageless;
        if rules.hidden {
            self.enter_raw(false);
            self.deriving.answer(Question::Successor)?;
            let mut without = std::mem::take(&mut self.without);
            let seen = self.see(&mut without);
            self.without = without;
            seen?;
        }
        self.enter_raw(true);
        let mut over = false;
        if rules.reading == Reading::EventFirst
            && !is_no_end
            && let Some(terminal) = rules.terminal
        {
            self.deriving.answer(Question::Terminal)?;
            over = self.deriving.has_rows(terminal);
        }
        if !over {
            self.make_moves(moved);
            self.deriving.answer(Question::Successor)?;
            for (rows, kind) in self.raw.rows.iter_mut().zip(&rules.kinds) {
                rows.clear();
                self.deriving.rows(kind.fluent.next, rows);
            }
            rules.drop_timeless(&mut self.raw.rows, &self.raw.times, &mut self.dropped)?;
        }
        if rules.hidden {
            self.enter_raw(true);
            self.make_moves(moved);
            self.deriving.answer(Question::Successor)?;
            let mut percepts = std::mem::take(&mut self.percepts);
            let seen = self.see(&mut percepts);
            self.percepts = percepts;
            seen?;
        }
        let keeps_expired = over || rules.reading == Reading::PostUpdate;
        let (terms, state) = (self.deriving.terms_mut(), &mut self.state);
        rules.canonical(&mut self.raw, keeps_expired, over, terms, state)
    }

    /// Forgets what belongs to the state that is left.
    fn leave(&mut self) {
        self.loaded = Loaded::Nothing;
        self.goes_on = false;
        self.legal_is_known = false;
        self.dropped.clear();
        self.percepts.iter_mut().for_each(Vec::clear);
        self.without.iter_mut().for_each(Vec::clear);
    }

    /// The texts of rows that the last update made.
    fn terms(&mut self) -> &Terms {
        self.deriving.terms_mut()
    }
}

fn intern(percepts: &PerceptTable, text: &str) -> Result<PerceptId, Fault> {
    percepts.intern(text).map_err(|full| Fault {
        resource: Resource::Percepts,
        limit: u64::from(full.limit),
    })
}

impl TimedWalker for Walker {
    type State = State;

    fn jump(&mut self, state: &State) {
        let constants = self.rules.program.symbols.len() as u32;
        let terms = self.deriving.terms_mut();
        // Counts in the cells are below the number of symbols or harmless to look up.
        if state
            .cells
            .iter()
            .any(|&cell| cell >= constants && !terms.knows(cell))
        {
            terms.catch_up();
        }
        self.state.clone_from(state);
        self.fault = None;
        self.raw.expired.iter_mut().for_each(Vec::clear);
        self.leave();
    }

    fn save(&self, into: &mut State) {
        into.clone_from(&self.state);
    }

    fn hash64(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.state.hash(&mut hasher);
        hasher.finish()
    }

    fn expires_in(&self) -> Option<Ticks> {
        let (rules, state) = (&*self.rules, &self.state);
        let mut first: Option<Ticks> = None;
        state.each_kind(rules, |_, expired, rows, arity| {
            for row in rows.chunks_exact(arity).filter(|_| !expired) {
                if Some(row[0]) == rules.names.infinity {
                    continue;
                }
                if let Numeral::Time(time) = rules.names.lifetime(row[0], &state.times) {
                    first = Some(first.map_or(time, |first| first.min(time)));
                }
            }
        });
        first
    }

    fn is_terminal(&mut self) -> bool {
        if self.state.over || self.fault.is_some() {
            return true;
        }
        let Some(terminal) = self.rules.terminal else {
            return false;
        };
        if self.goes_on {
            return false;
        }
        self.load(self.rules.reading == Reading::PostUpdate);
        self.goes_on = self.ask(Question::Terminal) && !self.deriving.has_rows(terminal);
        !self.goes_on
    }

    fn legal(&mut self) -> &LegalMoves {
        if !self.legal_is_known {
            self.legal_is_known = true;
            self.find_legal();
        }
        &self.legal
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        let values = self.goals(role).into_iter();
        values.fold(Goal::None, Goal::and)
    }

    fn goals(&mut self, role: RoleId) -> Vec<i32> {
        let Some(goal) = self.rules.goal.filter(|_| self.fault.is_none()) else {
            return Vec::new();
        };
        self.load(self.state.over || self.rules.reading == Reading::PostUpdate);
        if !self.ask(Question::Goal) {
            return Vec::new();
        }
        self.flat.clear();
        self.deriving.rows(goal, &mut self.flat);
        let rules = &*self.rules;
        let rows = self.flat.chunks_exact(2);
        let own =
            rows.filter(|row| rules.role_of.get(row[0] as usize).copied().flatten() == Some(role));
        let number = |row: &[u32]| rules.number_of.get(row[1] as usize).copied().flatten();
        let mut values: Vec<i32> = own.filter_map(number).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    fn update(&mut self, moved: &[(RoleId, MoveId)], elapsed: Ticks) {
        if self.fault.is_some() {
            return;
        }
        if !moved.is_empty() && !self.legal_is_known {
            self.legal();
        }
        let goes_on = self.goes_on;
        self.leave();
        if let Err(fault) = self.derive(moved, elapsed, goes_on) {
            self.fault = Some(fault);
        }
        self.loaded = Loaded::Nothing;
    }

    fn percepts(&self, role: RoleId) -> &[PerceptId] {
        self.percepts.get(role.index()).map_or(&[], Vec::as_slice)
    }

    fn percepts_without(&self, role: RoleId) -> &[PerceptId] {
        self.without.get(role.index()).map_or(&[], Vec::as_slice)
    }

    fn expired(&mut self) -> Vec<String> {
        let rules = Arc::clone(&self.rules);
        let (expired, times) = (self.raw.expired.clone(), self.raw.times.clone());
        let terms = self.terms();
        let kinds = rules.kinds.iter().zip(&expired).enumerate();
        let texts = kinds.flat_map(|(kind, (shape, rows))| {
            let rows = rows.chunks_exact(shape.arity - 1);
            let fact = |row| rules.fact(kind, row, &times, terms);
            rows.map(fact).collect::<Vec<_>>()
        });
        let mut texts: Vec<String> = texts.collect();
        texts.sort();
        texts.dedup();
        texts
    }

    fn dropped(&mut self) -> Vec<(String, String)> {
        let rules = Arc::clone(&self.rules);
        let (dropped, times) = (self.dropped.clone(), self.raw.times.clone());
        let terms = self.terms();
        let texts = dropped.iter().map(|(kind, row)| {
            let mut lifetime = String::new();
            rules.write(row[0], &times, terms, &mut lifetime);
            (lifetime, rules.fact(*kind, &row[1..], &times, terms))
        });
        let mut texts: Vec<_> = texts.collect();
        texts.sort();
        texts.dedup();
        texts
    }

    fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }
}
