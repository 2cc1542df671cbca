//! Values of variables: cells on a stack, bound by unification, unbound by going back along a
//! trail.
//!
//! A value is a ground term's number, or (with the upper bits set) a reference to a cell, or to a
//! structure: a function some of whose arguments were not known when it was built. Ground terms are
//! numbers whatever their size, so that they are compared in one step and never copied. They need
//! no occurs check: a variable cannot occur in them. Binding a variable to a structure does.

use paidia_gdl::datalog::terms::MAX_LEVELS;
use paidia_gdl::datalog::{Exhausted, TermId, Terms};

use super::code::Pattern;

/// A term under the present bindings.
pub(super) type Value = u32;

const TAG: u32 = 0b11 << 30;
const REFERENCE: u32 = 0b10 << 30;
const STRUCTURE: u32 = 0b11 << 30;

/// Cells before those of variables: where a frame was called from.
pub(super) const HEADER: usize = 2;

/// A structure's cells before its arguments: its function and how many there are.
const STRUCTURE_HEADER: usize = 2;

/// Whether a value is the number of a ground term.
#[inline]
pub(super) fn is_ground(value: Value) -> bool {
    value < REFERENCE
}

#[inline]
fn is_reference(value: Value) -> bool {
    value & TAG == REFERENCE
}

#[inline]
fn payload(value: Value) -> usize {
    (value & !TAG) as usize
}

/// The stack of cells with its trail.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings {
    /// Frames (a header, then variables) and structures.
    pub(super) stack: Vec<u32>,
    /// Where structures stand on the stack.
    structures: Vec<u32>,
    /// The cells that were bound, in the order of time.
    pub(super) trail: Vec<u32>,
    scratch: Vec<u32>,
    /// Why a term could not be built.
    pub(super) exhausted: Option<Exhausted>,
}

impl Bindings {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.stack.clear();
        self.structures.clear();
        self.trail.clear();
        self.scratch.clear();
        self.exhausted = None;
    }

    /// Puts a frame with unset cells on the stack.
    #[inline]
    pub(super) fn push_frame(&mut self, header: [u32; HEADER], cells: u32) {
        let length = self.stack.len();
        self.stack.resize(length + HEADER + cells as usize, 0);
        self.stack[length..length + HEADER].copy_from_slice(&header);
    }

    /// Goes back to a length of the trail and of the stack.
    #[inline]
    pub(super) fn undo(&mut self, trail: usize, stack: usize) {
        while self.trail.len() > trail {
            // Cells above are gone, or soon will be.
            if let Some(cell) = self.trail.pop()
                && (cell as usize) < stack
            {
                self.stack[cell as usize] = REFERENCE | cell;
            }
        }
        self.truncate(stack);
    }

    #[inline]
    fn truncate(&mut self, stack: usize) {
        self.stack.truncate(stack);
        while self
            .structures
            .last()
            .is_some_and(|&place| place as usize >= stack)
        {
            self.structures.pop();
        }
    }

    /// Drops a frame that was proved, unless structures stand above it, and what its part of the
    /// trail, from `trail` on, says about it. All that its caller can see of it is ground by then:
    /// rules are safe, so answers have no variables.
    #[inline]
    pub(super) fn drop_frame(&mut self, frame: usize, trail: usize) {
        let structure = self.structures.last();
        if structure.is_some_and(|&place| place as usize >= frame) {
            return;
        }
        self.stack.truncate(frame);
        while self.trail.len() > trail
            && self
                .trail
                .last()
                .is_some_and(|&cell| cell as usize >= frame)
        {
            self.trail.pop();
        }
    }

    /// Makes a cell an unbound variable.
    #[inline]
    pub(super) fn unbind(&mut self, cell: usize) -> Value {
        let value = REFERENCE | cell as u32;
        self.stack[cell] = value;
        value
    }

    /// Follows references to their end.
    #[inline]
    pub(super) fn value(&self, mut value: Value) -> Value {
        while is_reference(value) {
            let next = self.stack[payload(value)];
            if next == value {
                return value;
            }
            value = next;
        }
        value
    }

    /// Binds an unbound variable.
    #[inline]
    fn bind(&mut self, variable: Value, value: Value) {
        let cell = payload(variable);
        self.stack[cell] = value;
        self.trail.push(cell as u32);
    }

    /// Makes a value equal to a ground term, if it can be.
    #[inline]
    pub(super) fn unify_ground(&mut self, value: Value, term: TermId, terms: &Terms) -> bool {
        let value = self.value(value);
        if is_ground(value) {
            value == term
        } else if is_reference(value) {
            self.bind(value, term);
            true
        } else {
            self.unify(value, term, terms, 0)
        }
    }

    /// Makes two values equal, if they can be.
    pub(super) fn unify(&mut self, left: Value, right: Value, terms: &Terms, depth: u16) -> bool {
        let (left, right) = (self.value(left), self.value(right));
        if left == right {
            return true;
        }
        match (is_reference(left), is_reference(right)) {
            // The newer variable refers to the older one, which stays longer.
            (true, true) => self.bind(left.max(right), left.min(right)),
            (true, false) => return self.bind_acyclic(left, right, depth),
            (false, true) => return self.bind_acyclic(right, left, depth),
            (false, false) => return self.unify_parts(left, right, terms, depth),
        }
        true
    }

    fn bind_acyclic(&mut self, variable: Value, value: Value, depth: u16) -> bool {
        if !is_ground(value) && self.occurs(variable, value, depth) {
            return false;
        }
        self.bind(variable, value);
        true
    }

    fn occurs(&mut self, variable: Value, value: Value, depth: u16) -> bool {
        let value = self.value(value);
        if is_ground(value) || is_reference(value) {
            return value == variable;
        }
        if self.is_too_deep(depth) {
            return true;
        }
        (0..self.parts_of(value)).any(|place| {
            let part = self.part(value, place);
            self.occurs(variable, part, depth + 1)
        })
    }

    fn unify_parts(&mut self, left: Value, right: Value, terms: &Terms, depth: u16) -> bool {
        if is_ground(left) && is_ground(right) || self.is_too_deep(depth) {
            return false;
        }
        let (Some(one), Some(other)) = (self.shape(left, terms), self.shape(right, terms)) else {
            return false;
        };
        one == other
            && (0..one.1).all(|place| {
                let left = self.part_of(left, place, terms);
                let right = self.part_of(right, place, terms);
                self.unify(left, right, terms, depth + 1)
            })
    }

    fn is_too_deep(&mut self, depth: u16) -> bool {
        if depth > MAX_LEVELS {
            self.exhausted = Some(Exhausted::Levels);
        }
        depth > MAX_LEVELS
    }

    /// The function of a value that is no variable, and how many arguments it has.
    fn shape(&self, value: Value, terms: &Terms) -> Option<(u32, usize)> {
        if is_ground(value) {
            let parts = terms.parts(value)?;
            return Some((parts[0], parts.len() - 1));
        }
        Some((self.stack[payload(value)], self.parts_of(value)))
    }

    fn parts_of(&self, structure: Value) -> usize {
        self.stack[payload(structure) + 1] as usize
    }

    fn part(&self, structure: Value, place: usize) -> Value {
        self.stack[payload(structure) + STRUCTURE_HEADER + place]
    }

    fn part_of(&self, value: Value, place: usize, terms: &Terms) -> Value {
        match is_ground(value) {
            true => terms.parts(value).map_or(value, |parts| parts[place + 1]),
            false => self.part(value, place),
        }
    }

    /// The value of a pattern in a frame: ground if it can be. Terms that were never met are made;
    /// if there is no room for them, [`Self::exhausted`] says so.
    #[inline]
    pub(super) fn put(&mut self, pattern: &Pattern, frame: usize, terms: &mut Terms) -> Value {
        match pattern {
            Pattern::Ground(term) => *term,
            Pattern::First(variable) => self.unbind(frame + HEADER + *variable as usize),
            Pattern::Variable(variable) => {
                let value = self.value(self.stack[frame + HEADER + *variable as usize]);
                if is_ground(value) || is_reference(value) {
                    return value;
                }
                self.ground(value, terms, 0).unwrap_or(value)
            }
            Pattern::Compound(functor, args) => self.build(*functor, args, frame, terms),
        }
    }

    /// A ground term if all arguments are ground, else a structure.
    fn build(&mut self, functor: u32, args: &[Pattern], frame: usize, terms: &mut Terms) -> Value {
        let base = self.scratch.len();
        self.scratch.push(functor);
        for arg in args {
            let value = self.put(arg, frame, terms);
            self.scratch.push(value);
        }
        let value = match self.scratch[base + 1..].iter().all(|&part| is_ground(part)) {
            true => self.intern(base, terms).unwrap_or(functor),
            false => {
                let place = self.stack.len() as u32;
                self.structures.push(place);
                self.stack.extend([functor, args.len() as u32]);
                self.stack.extend_from_slice(&self.scratch[base + 1..]);
                STRUCTURE | place
            }
        };
        self.scratch.truncate(base);
        value
    }

    fn intern(&mut self, base: usize, terms: &mut Terms) -> Option<TermId> {
        match terms.intern(&self.scratch[base..]) {
            Ok(term) => Some(term),
            Err(reason) => {
                self.exhausted = Some(reason.into());
                None
            }
        }
    }

    /// The ground term that a value has become, if it has.
    pub(super) fn ground(&mut self, value: Value, terms: &mut Terms, depth: u16) -> Option<TermId> {
        let value = self.value(value);
        if is_ground(value) {
            return Some(value);
        }
        if is_reference(value) || self.is_too_deep(depth) {
            return None;
        }
        let base = self.scratch.len();
        self.scratch.push(self.stack[payload(value)]);
        for place in 0..self.parts_of(value) {
            let part = self.part(value, place);
            let Some(part) = self.ground(part, terms, depth + 1) else {
                self.scratch.truncate(base);
                return None;
            };
            self.scratch.push(part);
        }
        let term = self.intern(base, terms);
        self.scratch.truncate(base);
        term
    }

    /// Unifies an argument of a clause's head with that of a call.
    #[inline]
    pub(super) fn unify_head(
        &mut self,
        pattern: &Pattern,
        value: Value,
        frame: usize,
        terms: &mut Terms,
    ) -> bool {
        match pattern {
            Pattern::Ground(term) => self.unify_ground(value, *term, terms),
            Pattern::First(variable) => {
                self.stack[frame + HEADER + *variable as usize] = value;
                true
            }
            Pattern::Variable(variable) => {
                let known = self.stack[frame + HEADER + *variable as usize];
                self.unify(known, value, terms, 0)
            }
            Pattern::Compound(functor, args) => {
                self.unify_function(*functor, args, value, frame, terms)
            }
        }
    }

    fn unify_function(
        &mut self,
        functor: u32,
        args: &[Pattern],
        value: Value,
        frame: usize,
        terms: &mut Terms,
    ) -> bool {
        let value = self.value(value);
        if is_reference(value) {
            let built = self.build(functor, args, frame, terms);
            return self.bind_acyclic(value, built, 0);
        }
        self.shape(value, terms) == Some((functor, args.len()))
            && args.iter().enumerate().all(|(place, arg)| {
                let part = self.part_of(value, place, terms);
                self.unify_head(arg, part, frame, terms)
            })
    }
}
