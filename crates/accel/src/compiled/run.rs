//! Calling machine code.
//!
//! What is unsafe is to call it. The code reads and writes memory in these ways only, which
//! [`super::translate`] sees to:
//!
//! - words of bits: a place is a start and what the values of registers count; the most that it can
//!   be is known when code is made, because every instruction that writes a register tells the most
//!   that it writes. Where that could be beyond the last word, the code compares before it reads.
//!   [`Native::run`] makes sure that there are as many words as then;
//! - entries of tables and lists, in the copy that [`Data`] keeps: likewise, and the ends of lists
//!   are checked when code is made;
//! - the frame, and registers in the machine's array: by their numbers, which are below the number
//!   of registers.
#![allow(unsafe_code)]

use std::sync::Arc;

use memmap2::{Mmap, MmapMut};
use paidia_reason::compiled::code::{Address, Code};
use paidia_reason::compiled::machine::{Machine, Runner};
use rustc_hash::FxHashMap;

/// What the code finds at its only argument.
#[repr(C)]
pub(super) struct Frame<'a, 'm> {
    /// The words of bits.
    bits: *mut u64,
    /// The machine's registers.
    registers: *mut u32,
    /// Does an instruction that is not machine code.
    step: extern "sysv64" fn(*mut Frame<'_, '_>, u64) -> u64,
    /// How many rows may be looked at.
    left: i64,
    machine: &'a mut Machine<'m>,
}

/// Where the parts of a frame are, in bytes.
pub(super) mod offsets {
    use std::mem::offset_of;

    type Frame = super::Frame<'static, 'static>;

    pub(in crate::compiled) const BITS: i32 = offset_of!(Frame, bits) as i32;
    pub(in crate::compiled) const REGISTERS: i32 = offset_of!(Frame, registers) as i32;
    pub(in crate::compiled) const STEP: i32 = offset_of!(Frame, step) as i32;
    pub(in crate::compiled) const LEFT: i32 = offset_of!(Frame, left) as i32;
}

/// What [`Frame::step`] answers.
pub(super) mod answers {
    pub(in crate::compiled) const TARGET: u64 = 0;
    pub(in crate::compiled) const FOLLOWS: u64 = 1;
    pub(in crate::compiled) const STOP: u64 = 2;
}

/// Constants of the code, at an address that stays the same while there is code.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) tables: Box<[u32]>,
    pub(super) rows: Box<[u32]>,
    pub(super) offsets: Box<[u32]>,
}

impl Data {
    pub(super) fn new(code: &Code) -> Self {
        Self {
            tables: code.tables.entries().into(),
            rows: code.rows.clone().into(),
            offsets: code.offsets.clone().into(),
        }
    }
}

/// Machine code of some entries.
pub(super) struct Native {
    /// For each entry, where its code starts.
    entries: FxHashMap<Address, usize>,
    bytes: Vec<u8>,
    mapped: Option<Mmap>,
    /// The code has addresses of these.
    _data: Arc<Data>,
    /// As many as the code expects.
    words: usize,
    registers: usize,
}

impl Native {
    /// No code yet that reads some numbers.
    pub(super) fn new(data: Arc<Data>, code: &Code) -> Self {
        Self {
            entries: FxHashMap::default(),
            bytes: Vec::new(),
            mapped: None,
            _data: data,
            words: code.bits.len(),
            registers: code.registers,
        }
    }

    /// Adds the code of an entry.
    pub(super) fn add(&mut self, entry: Address, code: &[u8]) {
        // Constants among the code may be read as vectors.
        self.bytes.resize(self.bytes.len().next_multiple_of(64), 0);
        self.entries.insert(entry, self.bytes.len());
        self.bytes.extend_from_slice(code);
    }

    /// Makes the code executable.
    ///
    /// # Errors
    /// How the system refuses that.
    pub(super) fn finish(mut self) -> Result<Self, String> {
        let refused = |error| format!("the system refuses executable memory: {error}");
        let bytes = std::mem::take(&mut self.bytes);
        let mut map = MmapMut::map_anon(bytes.len().max(1)).map_err(refused)?;
        map[..bytes.len()].copy_from_slice(&bytes);
        self.mapped = Some(map.make_exec().map_err(refused)?);
        Ok(self)
    }
}

impl Runner for Native {
    fn run(&self, entry: Address, machine: &mut Machine<'_>) -> bool {
        let (Some(&start), Some(mapped)) = (self.entries.get(&entry), &self.mapped) else {
            return false;
        };
        let fits =
            machine.bits().len() == self.words && machine.registers().len() == self.registers;
        assert!(fits, "the memory of the code's game");
        let before = i64::try_from(machine.steps_left()).unwrap_or(i64::MAX);
        let mut frame = Frame {
            bits: machine.bits().as_mut_ptr(),
            registers: machine.registers().as_mut_ptr(),
            step,
            left: before,
            machine,
        };
        // SAFETY: the bytes from `start` on are a function with this signature, made by Cranelift,
        // which has verified it, for this processor. What it reads and writes is told at the head
        // of this module.
        unsafe {
            let code = mapped.as_ptr().add(start);
            let function: extern "sysv64" fn(*mut Frame<'_, '_>) = std::mem::transmute(code);
            function(&raw mut frame);
        }
        let used = before.saturating_sub(frame.left);
        frame.machine.spend(u64::try_from(used).unwrap_or(0));
        true
    }
}

/// Does an instruction for the code.
extern "sysv64" fn step(frame: *mut Frame<'_, '_>, at: u64) -> u64 {
    // SAFETY: the code passes on the frame that it was given, which lives until the code returns
    // and which nothing else refers to meanwhile.
    let frame = unsafe { &mut *frame };
    let went_on = frame.machine.step(at as Address);
    // The machine has used its arrays, so that the addresses from before are no longer the code's
    // to use.
    frame.bits = frame.machine.bits().as_mut_ptr();
    frame.registers = frame.machine.registers().as_mut_ptr();
    match went_on {
        Some(true) => answers::FOLLOWS,
        Some(false) => answers::TARGET,
        None => answers::STOP,
    }
}
