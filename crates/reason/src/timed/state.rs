//! States in real time as values.
//!
//! A state has the rows of its facts, in which spare names stand for times, and the times that
//! these mean. So that equal states are equal values, the spare names are those of the first
//! numbers, in the order of the times.

use paidia_game::{Fault, Lasting, Resource, Ticks};
use paidia_gdl::datalog::{NoRoom, Terms};

use super::names::{MOST_TIMES, Numeral};
use super::{TimedRules, too_long};
use crate::rows::sort_rows;
use crate::shapes::{Ground, read_ground};

/// The facts that hold after an update, with their lifetimes, and those that expired in it as far
/// as the end and the goals depend on them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    /// For each kind of fluent the number of its rows, and the rows, sorted; then the same for
    /// those that expired, which have no lifetime.
    pub(super) cells: Vec<u32>,
    /// What the spare names mean, ascending.
    pub(super) times: Vec<Ticks>,
    /// Whether the match ended with the event itself, before the update.
    pub(super) over: bool,
}

/// The rows of a state in the making.
#[derive(Clone, Debug, Default)]
pub(super) struct Raw {
    /// For each kind of fluent its rows.
    pub(super) rows: Vec<Vec<u32>>,
    /// For each kind of fluent the rows of what expired.
    pub(super) expired: Vec<Vec<u32>>,
    /// What the spare names mean.
    pub(super) times: Vec<Ticks>,
}

impl State {
    /// Calls `visit` for each kind of fluent with whether these are expired, and the rows.
    pub(super) fn each_kind<'a>(
        &'a self,
        rules: &TimedRules,
        mut visit: impl FnMut(usize, bool, &'a [u32], usize),
    ) {
        let mut rest = &self.cells[..];
        for expired in [false, true] {
            for (kind, shape) in rules.kinds.iter().enumerate() {
                let Some((&count, after)) = rest.split_first() else {
                    return;
                };
                let arity = shape.arity - usize::from(expired);
                let (rows, after) = after.split_at(count as usize * arity);
                visit(kind, expired, rows, arity);
                rest = after;
            }
        }
    }

    /// Whether facts are kept that expired.
    pub(super) fn has_expired(&self, rules: &TimedRules) -> bool {
        let mut any = false;
        self.each_kind(rules, |_, expired, rows, _| {
            any |= expired && !rows.is_empty();
        });
        any
    }
}

/// What a full table of terms is called.
fn no_room(reason: NoRoom) -> Fault {
    match reason {
        NoRoom::Terms => Fault {
            resource: Resource::Terms,
            limit: u64::from(crate::rows::LIMITS.terms),
        },
        NoRoom::Levels => Fault {
            resource: Resource::TermDepth,
            limit: u64::from(paidia_gdl::datalog::terms::MAX_LEVELS),
        },
    }
}

/// The way from spare names in the making to those of a state.
struct Renaming<'a> {
    rules: &'a TimedRules,
    terms: &'a mut Terms,
    /// For each spare name its new number; those that are not used have none.
    new: Vec<Option<u32>>,
}

impl Renaming<'_> {
    /// Notes the spare names in a term.
    fn note(&mut self, id: u32) {
        if let Some(number) = self.rules.names.spare(id) {
            self.new[number] = Some(0);
        } else if let Some(parts) = self.terms.parts(id) {
            let args = parts[1..].to_vec();
            args.into_iter().for_each(|arg| self.note(arg));
        }
    }

    /// The term with its new names.
    fn renamed(&mut self, id: u32) -> Result<u32, Fault> {
        if let Some(number) = self.rules.names.spare(id) {
            let new = self.new[number].unwrap_or(0);
            return Ok(self.rules.names.nth(new as usize));
        }
        let Some(parts) = self.terms.parts(id) else {
            return Ok(id);
        };
        let mut parts = parts.to_vec();
        for arg in &mut parts[1..] {
            *arg = self.renamed(*arg)?;
        }
        self.terms.intern(&parts).map_err(no_room)
    }
}

impl TimedRules {
    /// The state with the rows that were made, which are left in some order; `keeps_expired` tells
    /// whether those that expired are part of it.
    pub(super) fn canonical(
        &self,
        raw: &mut Raw,
        keeps_expired: bool,
        over: bool,
        terms: &mut Terms,
        into: &mut State,
    ) -> Result<(), Fault> {
        let mut kept = match keeps_expired {
            true => raw.expired.clone(),
            false => vec![Vec::new(); raw.expired.len()],
        };
        let constants = self.program.symbols.len() as u32;
        let is_plain = |id: &u32| *id < constants && self.names.spare(*id).is_none();
        let all = || raw.rows.iter().chain(&kept).flatten();
        into.times.clear();
        if !all().all(is_plain) {
            let mut renaming = Renaming {
                rules: self,
                terms,
                new: vec![None; raw.times.len()],
            };
            for &id in all().filter(|id| !is_plain(id)) {
                renaming.note(id);
            }
            let used = (0..raw.times.len()).filter(|&number| renaming.new[number].is_some());
            let mut used: Vec<usize> = used.collect();
            if used.len() > MOST_TIMES {
                return Err(too_many_times());
            }
            used.sort_unstable_by_key(|&number| raw.times[number]);
            for (new, &number) in used.iter().enumerate() {
                renaming.new[number] = Some(new as u32);
                into.times.push(raw.times[number]);
            }
            let rows = raw.rows.iter_mut().chain(&mut kept).flatten();
            for id in rows.filter(|id| !is_plain(id)) {
                *id = renaming.renamed(*id)?;
            }
        }
        into.over = over;
        into.cells.clear();
        for (kind, rows) in self.kinds.iter().zip(&raw.rows) {
            push(rows, kind.arity, into);
        }
        if keeps_expired {
            for (kind, rows) in self.kinds.iter().zip(&kept) {
                push(rows, kind.arity - 1, into);
            }
        }
        Ok(())
    }

    /// Leaves out the rows whose lifetime is none; they are added to `dropped` with their kind.
    pub(super) fn drop_timeless(
        &self,
        rows: &mut [Vec<u32>],
        times: &[Ticks],
        dropped: &mut Vec<(usize, Vec<u32>)>,
    ) -> Result<(), Fault> {
        for (number, (kind, rows)) in self.kinds.iter().zip(rows).enumerate() {
            let mut kept = 0;
            for start in (0..rows.len()).step_by(kind.arity) {
                match self.names.lifetime(rows[start], times) {
                    Numeral::Time(_) | Numeral::Infinity => {
                        rows.copy_within(start..start + kind.arity, kept);
                        kept += kind.arity;
                    }
                    Numeral::TooLong => return Err(too_long()),
                    Numeral::None => {
                        dropped.push((number, rows[start..start + kind.arity].to_vec()));
                    }
                }
            }
            rows.truncate(kept);
        }
        Ok(())
    }

    /// The state with some rows of `init`.
    pub(super) fn first_state(
        &self,
        rows: Vec<Vec<u32>>,
        terms: &mut Terms,
    ) -> Result<State, Fault> {
        let mut raw = Raw {
            expired: vec![Vec::new(); rows.len()],
            rows,
            times: Vec::new(),
        };
        self.drop_timeless(&mut raw.rows, &[], &mut Vec::new())?;
        let mut state = State::default();
        self.canonical(&mut raw, false, false, terms, &mut state)?;
        Ok(state)
    }

    /// Writes a term.
    pub(super) fn write(&self, id: u32, times: &[Ticks], terms: &Terms, into: &mut String) {
        match terms.parts(id) {
            None => self.names.write(id, times, &self.program.symbols, into),
            Some(parts) => {
                let functor = paidia_gdl::Symbol(parts[0]);
                self.write_row(Some(functor), &parts[1..], times, terms, into);
            }
        }
    }

    /// Writes a function with its arguments, or the one constant that stands for itself.
    pub(super) fn write_row(
        &self,
        functor: Option<paidia_gdl::Symbol>,
        row: &[u32],
        times: &[Ticks],
        terms: &Terms,
        into: &mut String,
    ) {
        let Some(functor) = functor else {
            return row
                .iter()
                .for_each(|&id| self.write(id, times, terms, into));
        };
        into.push('(');
        into.push_str(self.program.symbols.name(functor));
        for &id in row {
            into.push(' ');
            self.write(id, times, terms, into);
        }
        into.push(')');
    }

    /// The text of a row of a kind of fluent, without its lifetime.
    pub(super) fn fact(&self, kind: usize, row: &[u32], times: &[Ticks], terms: &Terms) -> String {
        let mut text = String::new();
        let functor = self.kinds[kind].fluent.functor;
        self.write_row(functor, row, times, terms, &mut text);
        text
    }

    /// The compound terms, those that any walker met among them.
    fn all_terms(&self) -> Terms {
        let mut terms = self.terms.clone();
        terms.catch_up();
        terms
    }

    pub(super) fn lasting(&self, state: &State) -> Vec<Lasting> {
        let terms = self.all_terms();
        let mut all = Vec::new();
        state.each_kind(self, |kind, expired, rows, arity| {
            if expired {
                return;
            }
            for row in rows.chunks_exact(arity) {
                let lifetime = match self.names.lifetime(row[0], &state.times) {
                    Numeral::Time(ticks) => Some(ticks),
                    _ => None,
                };
                all.push((lifetime, self.fact(kind, &row[1..], &state.times, &terms)));
            }
        });
        all.sort_by(|one, other| (&one.1, one.0).cmp(&(&other.1, other.0)));
        all
    }

    pub(super) fn expired(&self, state: &State) -> Vec<String> {
        let terms = self.all_terms();
        let mut all = Vec::new();
        state.each_kind(self, |kind, expired, rows, arity| {
            if expired {
                let rows = rows.chunks_exact(arity);
                all.extend(rows.map(|row| self.fact(kind, row, &state.times, &terms)));
            }
        });
        all.sort();
        all
    }

    /// A state as texts in byte order.
    pub(super) fn texts(&self, state: &State) -> Vec<String> {
        let lasting = self.lasting(state).into_iter();
        let lasting = lasting.map(|(lifetime, fact)| match lifetime {
            Some(ticks) => format!("true {ticks} {fact}"),
            None => format!("true infinity {fact}"),
        });
        let expired = self.expired(state).into_iter();
        let expired = expired.map(|fact| format!("expired {fact}"));
        let mut texts: Vec<String> = lasting.chain(expired).collect();
        if state.over {
            texts.push("over".to_owned());
        }
        texts.sort();
        texts
    }

    /// The state that [`Self::texts`] tells.
    pub(super) fn read_state(&self, texts: &[String]) -> Result<State, String> {
        let mut terms = self.all_terms();
        let mut raw = Raw {
            rows: vec![Vec::new(); self.kinds.len()],
            expired: vec![Vec::new(); self.kinds.len()],
            times: Vec::new(),
        };
        let (mut over, mut keeps_expired) = (false, false);
        for text in texts {
            if text == "over" {
                over = true;
                continue;
            }
            let (what, rest) = text.split_once(' ').ok_or("a fact is cut off")?;
            let (lifetime, fact) = match what {
                "true" => {
                    let (lifetime, fact) = rest.split_once(' ').ok_or("a fact is cut off")?;
                    (Some(lifetime), fact)
                }
                "expired" => (None, rest),
                _ => return Err(format!("`{text}` is no fact with its lifetime")),
            };
            let (functor, row) = self.read_fact(fact, &mut raw.times, &mut terms)?;
            let arity = row.len() + 1;
            let mut kinds = self.kinds.iter();
            let fits = |kind: &super::Kind| kind.fluent.functor == functor && kind.arity == arity;
            let kind = kinds.position(fits);
            let kind = kind.ok_or_else(|| format!("no rule makes `{fact}` true"))?;
            match lifetime {
                Some(lifetime) => {
                    let id = self.read_name(lifetime, &mut raw.times)?;
                    let numeral = self.names.lifetime(id, &raw.times);
                    if !matches!(numeral, Numeral::Time(_) | Numeral::Infinity) {
                        return Err(format!("`{lifetime}` is no lifetime"));
                    }
                    raw.rows[kind].push(id);
                    raw.rows[kind].extend(row);
                }
                None => {
                    keeps_expired = true;
                    raw.expired[kind].extend(row);
                }
            }
        }
        keeps_expired |= over || self.reading == paidia_game::Reading::PostUpdate;
        let mut state = State::default();
        self.canonical(&mut raw, keeps_expired, over, &mut terms, &mut state)
            .map_err(|fault| fault.to_string())?;
        Ok(state)
    }

    /// The name of a time or of anything else in the rules.
    fn read_name(&self, text: &str, times: &mut Vec<Ticks>) -> Result<u32, String> {
        if let Some(symbol) = self.program.symbols.get(text) {
            return Ok(symbol.0);
        }
        let ticks = Ticks::parse(text).filter(|&ticks| ticks > Ticks::ZERO);
        let ticks = ticks.ok_or_else(|| format!("`{text}` does not occur in the rules"))?;
        let number = match times.iter().position(|&known| known == ticks) {
            Some(number) => number,
            None if times.len() < MOST_TIMES => {
                times.push(ticks);
                times.len() - 1
            }
            None => return Err(too_many_times().to_string()),
        };
        Ok(self.names.nth(number))
    }

    /// The function and arguments of a fact.
    fn read_fact(
        &self,
        text: &str,
        times: &mut Vec<Ticks>,
        terms: &mut Terms,
    ) -> Result<(Option<paidia_gdl::Symbol>, Vec<u32>), String> {
        // Times that the rules do not name are read as their spare names.
        let mut named = String::with_capacity(text.len());
        for token in text
            .replace('(', " ( ")
            .replace(')', " ) ")
            .split_whitespace()
        {
            let is_spared = Ticks::parse(token).is_some_and(|ticks| ticks > Ticks::ZERO)
                && self.program.symbols.get(token).is_none();
            match is_spared {
                true => {
                    let id = self.read_name(token, times)?;
                    named.push_str(&format!("\u{1}{id}"));
                }
                false => named.push_str(token),
            }
            named.push(' ');
        }
        let ground = match named.contains('\u{1}') {
            false => read_ground(&named, &self.program.symbols, terms)?,
            true => return self.read_spared(&named, terms),
        };
        Ok(ground.into_row())
    }

    /// Reads a fact in which `\u{1}` marks numbers of names.
    fn read_spared(
        &self,
        text: &str,
        terms: &mut Terms,
    ) -> Result<(Option<paidia_gdl::Symbol>, Vec<u32>), String> {
        let mut stack: Vec<Vec<u32>> = Vec::new();
        let mut tokens = text.split_whitespace().peekable();
        while let Some(token) = tokens.next() {
            let id = match token {
                "(" => {
                    stack.push(Vec::new());
                    continue;
                }
                ")" => {
                    let parts = stack.pop().ok_or("`)` stands where a term should")?;
                    if stack.is_empty() && tokens.peek().is_none() {
                        let (&functor, row) = parts.split_first().ok_or("`()` is no term")?;
                        return Ok((Some(paidia_gdl::Symbol(functor)), row.to_vec()));
                    }
                    terms
                        .intern(&parts)
                        .map_err(|_| "there are too many terms")?
                }
                token => match token.strip_prefix('\u{1}') {
                    Some(number) => number.parse().map_err(|_| "no name")?,
                    None => match read_ground(token, &self.program.symbols, terms)? {
                        Ground::Constant(id) => id,
                        Ground::Compound(..) => return Err("no constant".to_owned()),
                    },
                },
            };
            match stack.last_mut() {
                Some(parts) => parts.push(id),
                None => return Ok((None, vec![id])),
            }
        }
        Err("it ends too early".to_owned())
    }
}

/// Appends rows in their order, each once.
fn push(rows: &[u32], arity: usize, into: &mut State) {
    let count = into.cells.len();
    into.cells.push(0);
    into.cells.extend_from_slice(rows);
    let start = count + 1;
    sort_rows(&mut into.cells[start..], arity);
    let mut kept = start;
    for at in (start..into.cells.len()).step_by(arity.max(1)) {
        let is_new = kept == start || into.cells[kept - arity..kept] != into.cells[at..at + arity];
        if is_new {
            into.cells.copy_within(at..at + arity, kept);
            kept += arity;
        }
    }
    into.cells.truncate(kept);
    into.cells[count] = ((kept - start) / arity.max(1)) as u32;
}

/// The fault of more times than there are spare names.
pub(super) fn too_many_times() -> Fault {
    Fault {
        resource: Resource::Times,
        limit: MOST_TIMES as u64,
    }
}
