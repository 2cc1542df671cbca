//! Runs a form in plain code, one thread after another: what a GPU does, bit by bit.

use super::form::{Code, Form, Place, Report, tally};
use super::philox::philox;
use super::play::Launch;

/// Runs a launch on the words of all threads, row by row, and adds to the tallies, start by start.
pub(super) fn run(
    form: &Form,
    launch: &Launch,
    state: &mut [u32],
    starts: &[u32],
    tallies: &mut [u64],
) {
    let threads = launch.threads as usize;
    let fluents = form.fluents as usize;
    let count = starts.len() / fluents.max(1);
    for thread in 0..threads {
        let start = thread / form.shape.block as usize % count.max(1);
        let mut run = Run {
            form,
            launch,
            thread: thread as u32,
            step: launch.first_step,
            registers: vec![vec![0; form.registers as usize]; 2],
            depth: 0,
            memory: vec![0; form.memory as usize],
            start: &starts[start * fluents..(start + 1) * fluents],
            tallies: &mut tallies[start * form.tallies..(start + 1) * form.tallies],
            round: 0,
        };
        run.thread(state, threads);
    }
}

struct Run<'a> {
    form: &'a Form,
    launch: &'a Launch,
    thread: u32,
    step: u64,
    /// Those of the thread, and those of the function that is called.
    registers: Vec<Vec<u32>>,
    depth: usize,
    memory: Vec<u32>,
    start: &'a [u32],
    tallies: &'a mut [u64],
    /// The first call of random words in this round.
    round: u32,
}

impl Run<'_> {
    fn thread(&mut self, state: &mut [u32], threads: usize) {
        let form = self.form;
        let thread = self.thread as usize;
        let places = kept(form);
        for (row, &place) in places.iter().enumerate() {
            self.put(place, state[row * threads + thread]);
        }
        self.put(form.zero, 0);
        self.code(&form.fill);
        let active = Place::Register(form.lanes.active);
        for _ in 0..self.launch.steps {
            if self.at(active) == 0 {
                break;
            }
            self.code(&form.step);
            self.step += 1;
        }
        let open = u64::from(self.at(active).count_ones());
        let left = u64::from(self.at(Place::Register(form.lanes.left)));
        self.tallies[tally::OPEN] += open + left;
        for (row, &place) in places.iter().enumerate() {
            state[row * threads + thread] = self.at(place);
        }
    }

    fn put(&mut self, place: Place, value: u32) {
        match place {
            Place::Register(number) => self.registers[0][number as usize] = value,
            Place::Memory(number) => self.memory[number as usize] = value,
        }
    }

    fn at(&self, place: Place) -> u32 {
        match place {
            Place::Register(number) => self.registers[0][number as usize],
            Place::Memory(number) => self.memory[number as usize],
        }
    }

    fn read(&self, register: u32) -> u32 {
        self.registers[self.depth][register as usize]
    }

    fn write(&mut self, register: u32, value: u32) {
        self.registers[self.depth][register as usize] = value;
    }

    fn code(&mut self, code: &[Code]) {
        for one in code {
            self.one(one);
        }
    }

    fn one(&mut self, code: &Code) {
        match code {
            Code::Table { table, to, of } => {
                let of = of.map(|register| self.read(register));
                self.write(*to, look_up(*table, of));
            }
            Code::Set { to, value } => self.write(*to, *value),
            Code::Load { to, place } => self.write(*to, self.memory[*place as usize]),
            Code::Store { place, of } => self.memory[*place as usize] = self.read(*of),
            Code::Start { to, fluent } => self.write(*to, self.start[*fluent as usize]),
            Code::Limit { to, bit } => {
                let is_set = self.launch.limit >> bit & 1 == 1;
                self.write(*to, if is_set { u32::MAX } else { 0 });
            }
            Code::Random { to, call } => {
                let step = [self.step as u32, (self.step >> 32) as u32];
                let counter = [self.round + call, step[0], step[1], self.thread];
                let key = [self.launch.seed as u32, (self.launch.seed >> 32) as u32];
                let words = philox(counter, key);
                for (register, word) in to.iter().zip(words) {
                    self.write(*register, word);
                }
            }
            Code::Take { to, lanes } => self.take(*to, *lanes),
            Code::Report(report) => self.report(report),
            Code::Call(number) => {
                self.depth = 1;
                self.code(&self.form.functions[*number]);
                self.depth = 0;
            }
            Code::If { any, body } => {
                if self.read(*any) != 0 {
                    self.code(body);
                }
            }
            Code::AtInterval(body) => {
                if self.step.is_multiple_of(self.form.shape.interval.into()) {
                    self.code(body);
                }
            }
            Code::While { any, body } => loop {
                self.code(body);
                if self.read(*any) == 0 {
                    break;
                }
            },
            Code::Rounds { any, calls, body } => self.rounds(*any, *calls, body),
        }
    }

    fn rounds(&mut self, any: u32, calls: u32, body: &[Code]) {
        for round in 0..self.form.shape.draws {
            self.round = round * calls;
            self.code(body);
            if self.read(any) == 0 {
                break;
            }
        }
    }

    fn take(&mut self, to: u32, lanes: u32) {
        let left = self.read(self.form.lanes.left);
        let mut taken = self.read(lanes);
        while taken.count_ones() > left {
            taken &= !(1 << (31 - taken.leading_zeros()));
        }
        self.write(self.form.lanes.left, left - taken.count_ones());
        self.write(to, taken);
    }

    fn report(&mut self, report: &Report) {
        let mut lanes = self.read(report.lanes);
        while lanes != 0 {
            let lane = 31 - lanes.leading_zeros();
            lanes ^= 1 << lane;
            self.report_lane(report, lane);
        }
    }

    fn report_lane(&mut self, report: &Report, lane: u32) {
        let bit = |run: &Self, register: u32| run.read(register) >> lane & 1;
        let number = |run: &Self, bits: &[u32]| {
            let bits = bits.iter().zip(0u32..);
            bits.fold(0, |all, (&register, place)| {
                all | bit(run, register) << place
            })
        };
        let left = number(self, &self.form.lanes.countdown);
        let length = self.launch.limit - left;
        self.tallies[tally::PLAYOUTS] += 1;
        self.tallies[tally::MOVES] += u64::from(length);
        self.tallies[tally::SQUARES] += u64::from(length) * u64::from(length);
        let shortest = &mut self.tallies[tally::SHORTEST];
        *shortest = (*shortest).max(u64::from(!length));
        let longest = &mut self.tallies[tally::LONGEST];
        *longest = (*longest).max(u64::from(length));
        if bit(self, report.terminal) == 0 {
            let ending = if left == 0 { tally::CUT } else { tally::STUCK };
            self.tallies[ending] += 1;
            return;
        }
        for role in &report.roles {
            let place = number(self, &role.place);
            let has_one = bit(self, role.any) == 1 && bit(self, role.several) == 0;
            if has_one && place < role.results {
                self.tallies[(role.first + place) as usize] += 1;
            }
        }
    }
}

/// What stays between launches, row by row.
pub(super) fn kept(form: &Form) -> Vec<Place> {
    let lanes = &form.lanes;
    let others = lanes.countdown.iter().chain([&lanes.active, &lanes.left]);
    let others = others.map(|&register| Place::Register(register));
    form.state.iter().copied().chain(others).collect()
}

fn look_up(table: u8, of: [u32; 3]) -> u32 {
    let mut found = 0;
    for row in (0..8).filter(|row| table >> row & 1 == 1) {
        let is = |word: u32, bit: u8| if row & bit == 0 { !word } else { word };
        found |= is(of[0], 4) & is(of[1], 2) & is(of[2], 1);
    }
    found
}
