//! Writes a form as PTX, the assembly language of NVIDIA's GPUs, which their driver translates.
//!
//! Registers become registers of PTX, of which the driver's compiler makes machine registers and
//! memory as it sees fit. Everything a kernel needs from outside is a parameter.

use std::fmt::Write;

use super::form::{Code, Form, Place, Register, Report, tally};
use super::philox::{FACTORS, ROUNDS, WEYL};
use super::soft::kept;

/// The name of the kernel.
pub(super) const KERNEL: &str = "play";

/// The oldest GPUs for which code is written: of compute capability 7.0, 2017.
pub(super) const OLDEST: (i32, i32) = (7, 0);

/// The text.
pub(super) fn ptx(form: &Form) -> String {
    let mut writer = Writer {
        form,
        text: String::with_capacity(form.size() * 60),
        labels: 0,
    };
    writer.module();
    writer.text
}

struct Writer<'a> {
    form: &'a Form,
    text: String,
    labels: u32,
}

macro_rules! line {
    ($writer:expr, $($argument:tt)*) => {{
        // Writing to a string does not fail.
        let _ = writeln!($writer.text, $($argument)*);
    }};
}

impl Writer<'_> {
    fn module(&mut self) {
        let (major, minor) = OLDEST;
        line!(
            self,
            ".version 7.0\n.target sm_{major}{minor}\n.address_size 64\n"
        );
        for number in 0..self.form.functions.len() {
            self.function(number);
        }
        self.kernel();
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    fn function(&mut self, number: usize) {
        let form = self.form;
        line!(self, ".func part{number}(.param .b64 memory)\n{{");
        self.registers();
        line!(self, "ld.param.b64 %memory, [memory];");
        self.code(&form.functions[number], "%memory");
        line!(self, "ret;\n}}\n");
    }

    fn registers(&mut self) {
        line!(self, ".reg .b32 %r<{}>;", self.form.registers);
        line!(
            self,
            ".reg .b32 %x<16>;\n.reg .b32 %k<2>;\n.reg .b64 %d<8>;\n.reg .pred %p<4>;"
        );
        line!(self, ".reg .b64 %memory;");
    }

    fn kernel(&mut self) {
        let form = self.form;
        let tallies = form.tallies;
        line!(self, ".visible .entry {KERNEL}(");
        line!(
            self,
            ".param .b64 state,\n.param .b64 starts,\n.param .b64 tallies,"
        );
        line!(
            self,
            ".param .b64 seed,\n.param .b64 first_step,\n.param .b32 steps,"
        );
        line!(
            self,
            ".param .b32 threads,\n.param .b32 count,\n.param .b32 limit)"
        );
        line!(self, ".maxntid {}, 1, 1", form.shape.block);
        if form.shape.blocks > 0 {
            line!(self, ".minnctapersm {}", form.shape.blocks);
        }
        line!(self, "{{");
        self.registers();
        line!(
            self,
            ".reg .b32 %thread;\n.reg .b32 %seed<2>;\n.reg .b32 %step<2>;\n.reg .b32 %steps;"
        );
        line!(
            self,
            ".reg .b32 %limit;\n.reg .b32 %round;\n.reg .b32 %draws;\n.reg .b32 %own<8>;"
        );
        line!(
            self,
            ".reg .b64 %state;\n.reg .b64 %stride;\n.reg .b64 %start;\n.reg .b64 %sums;\n.reg .b64 %squares;"
        );
        line!(self, ".shared .align 8 .b32 counts[{tallies}];");
        if form.memory > 0 {
            line!(self, ".local .align 16 .b32 words[{}];", form.memory);
            line!(self, "mov.u64 %memory, words;");
        }
        self.prologue();
        self.code(&form.fill, "words");
        let (again, done) = (self.label(), self.label());
        line!(self, "L{again}:");
        line!(self, "setp.eq.u32 %p0, %steps, 0;\n@%p0 bra L{done};");
        line!(
            self,
            "popc.b32 %x8, %r{};\nsetp.eq.u32 %p0, %x8, 0;\n@%p0 bra L{done};",
            form.lanes.active
        );
        self.code(&form.step, "words");
        line!(
            self,
            "add.cc.u32 %step0, %step0, 1;\naddc.u32 %step1, %step1, 0;"
        );
        line!(self, "sub.u32 %steps, %steps, 1;\nbra L{again};\nL{done}:");
        self.epilogue();
        line!(self, "ret;\n}}");
    }

    /// Reads what the thread has kept.
    fn prologue(&mut self) {
        let form = self.form;
        line!(
            self,
            "ld.param.b64 %state, [state];\nld.param.b64 %start, [starts];"
        );
        line!(
            self,
            "ld.param.b64 %sums, [tallies];\nld.param.b64 %d0, [seed];"
        );
        line!(
            self,
            "mov.b64 {{%seed0, %seed1}}, %d0;\nld.param.b64 %d0, [first_step];"
        );
        line!(
            self,
            "mov.b64 {{%step0, %step1}}, %d0;\nld.param.b32 %steps, [steps];"
        );
        line!(self, "ld.param.b32 %limit, [limit];\nmov.u64 %squares, 0;");
        for (own, value) in [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)] {
            line!(self, "mov.u32 %own{own}, {value};");
        }
        line!(self, "mov.u32 %x0, %ctaid.x;\nmov.u32 %x1, %tid.x;");
        line!(self, "mad.lo.u32 %thread, %x0, {}, %x1;", form.shape.block);
        // Where the block's playouts start, and where they are counted.
        line!(self, "ld.param.b32 %x2, [count];\nrem.u32 %x0, %x0, %x2;");
        line!(
            self,
            "mul.wide.u32 %d0, %x0, {};\nadd.u64 %start, %start, %d0;",
            form.fluents * 4
        );
        line!(
            self,
            "mul.wide.u32 %d0, %x0, {};\nadd.u64 %sums, %sums, %d0;",
            form.tallies * 8
        );
        line!(
            self,
            "cvta.to.global.u64 %start, %start;\ncvta.to.global.u64 %sums, %sums;"
        );
        self.zero_counts();
        line!(
            self,
            "ld.param.b32 %x2, [threads];\nmul.wide.u32 %stride, %x2, 4;"
        );
        line!(
            self,
            "cvta.to.global.u64 %state, %state;\nmul.wide.u32 %d0, %thread, 4;"
        );
        line!(self, "add.u64 %state, %state, %d0;\nmov.u64 %d1, %state;");
        for place in kept(form) {
            match place {
                Place::Register(number) => line!(self, "ld.global.u32 %r{number}, [%d1];"),
                Place::Memory(number) => {
                    line!(self, "ld.global.u32 %x0, [%d1];");
                    line!(self, "st.local.u32 [words+{}], %x0;", number * 4);
                }
            }
            line!(self, "add.u64 %d1, %d1, %stride;");
        }
        match form.zero {
            Place::Register(number) => line!(self, "mov.u32 %r{number}, 0;"),
            Place::Memory(number) => {
                line!(
                    self,
                    "mov.u32 %x0, 0;\nst.local.u32 [words+{}], %x0;",
                    number * 4
                );
            }
        }
    }

    /// The block's counts are zero.
    fn zero_counts(&mut self) {
        let again = self.label();
        let done = self.label();
        line!(self, "mov.u32 %x2, counts;\nmov.u32 %x4, 0;\nL{again}:");
        line!(
            self,
            "setp.ge.u32 %p0, %x1, {};\n@%p0 bra L{done};",
            self.form.tallies
        );
        line!(
            self,
            "shl.b32 %x3, %x1, 2;\nadd.u32 %x3, %x3, %x2;\nst.shared.u32 [%x3], %x4;"
        );
        line!(
            self,
            "add.u32 %x1, %x1, {};\nbra L{again};\nL{done}:\nbar.sync 0;",
            self.form.shape.block
        );
    }

    /// Writes what the thread keeps and adds its counts to the sums.
    fn epilogue(&mut self) {
        let form = self.form;
        line!(self, "mov.u64 %d1, %state;");
        for place in kept(form) {
            match place {
                Place::Register(number) => line!(self, "st.global.u32 [%d1], %r{number};"),
                Place::Memory(number) => {
                    line!(self, "ld.local.u32 %x0, [words+{}];", number * 4);
                    line!(self, "st.global.u32 [%d1], %x0;");
                }
            }
            line!(self, "add.u64 %d1, %d1, %stride;");
        }
        line!(self, "popc.b32 %x0, %r{};", form.lanes.active);
        line!(self, "add.u32 %x0, %x0, %r{};", form.lanes.left);
        line!(self, "mov.u32 %x2, counts;");
        line!(self, "red.shared.add.u32 [%x2+{}], %x0;", tally::OPEN * 4);
        for (own, place) in [
            (0, tally::PLAYOUTS),
            (1, tally::MOVES),
            (2, tally::CUT),
            (3, tally::STUCK),
        ] {
            line!(self, "red.shared.add.u32 [%x2+{}], %own{own};", place * 4);
        }
        for (own, place) in [(4, tally::SHORTEST), (5, tally::LONGEST)] {
            line!(self, "red.shared.max.u32 [%x2+{}], %own{own};", place * 4);
        }
        self.sum_squares();
        line!(self, "bar.sync 0;");
        let (again, done, skip) = (self.label(), self.label(), self.label());
        line!(self, "mov.u32 %x1, %tid.x;\nL{again}:");
        line!(
            self,
            "setp.ge.u32 %p0, %x1, {};\n@%p0 bra L{done};",
            form.tallies
        );
        line!(
            self,
            "shl.b32 %x3, %x1, 2;\nadd.u32 %x3, %x3, %x2;\nld.shared.u32 %x4, [%x3];"
        );
        line!(self, "setp.eq.u32 %p0, %x4, 0;\n@%p0 bra L{skip};");
        line!(
            self,
            "mul.wide.u32 %d0, %x1, 8;\nadd.u64 %d0, %d0, %sums;\ncvt.u64.u32 %d1, %x4;"
        );
        let extremes = [tally::SHORTEST, tally::LONGEST];
        line!(
            self,
            "setp.eq.u32 %p1, %x1, {};\nsetp.eq.u32 %p2, %x1, {};\nor.pred %p1, %p1, %p2;",
            extremes[0],
            extremes[1]
        );
        line!(
            self,
            "@%p1 red.global.max.u64 [%d0], %d1;\n@!%p1 red.global.add.u64 [%d0], %d1;"
        );
        line!(
            self,
            "L{skip}:\nadd.u32 %x1, %x1, {};\nbra L{again};\nL{done}:",
            form.shape.block
        );
    }

    /// The squares of a warp are added up first.
    fn sum_squares(&mut self) {
        for distance in [16, 8, 4, 2, 1] {
            line!(self, "mov.b64 {{%x4, %x5}}, %squares;");
            line!(self, "shfl.sync.down.b32 %x6, %x4, {distance}, 31, -1;");
            line!(self, "shfl.sync.down.b32 %x7, %x5, {distance}, 31, -1;");
            line!(
                self,
                "mov.b64 %d0, {{%x6, %x7}};\nadd.u64 %squares, %squares, %d0;"
            );
        }
        line!(self, "mov.u32 %x1, %laneid;\nsetp.eq.u32 %p0, %x1, 0;");
        line!(
            self,
            "@%p0 red.global.add.u64 [%sums+{}], %squares;",
            tally::SQUARES * 8
        );
    }

    fn code(&mut self, code: &[Code], memory: &str) {
        for one in code {
            self.one(one, memory);
        }
    }

    fn one(&mut self, code: &Code, memory: &str) {
        match code {
            Code::Table {
                table,
                to,
                of: [a, b, c],
            } => {
                // The compilers of CUDA 12.9 and 13.0 crash on some rows of `lop3` before a branch
                // that they do not crash on if these are written as what they are.
                match table {
                    0b1100_0000 => line!(self, "and.b32 %r{to}, %r{a}, %r{b};"),
                    0b1111_1100 => line!(self, "or.b32 %r{to}, %r{a}, %r{b};"),
                    0b0011_1100 => line!(self, "xor.b32 %r{to}, %r{a}, %r{b};"),
                    0b1111_0000 => line!(self, "mov.b32 %r{to}, %r{a};"),
                    0b0000_1111 => line!(self, "not.b32 %r{to}, %r{a};"),
                    _ => line!(self, "lop3.b32 %r{to}, %r{a}, %r{b}, %r{c}, {table};"),
                }
            }
            Code::Set { to, value } => line!(self, "mov.u32 %r{to}, {value};"),
            Code::Load { to, place } => {
                line!(self, "ld.local.u32 %r{to}, [{memory}+{}];", place * 4);
            }
            Code::Store { place, of } => {
                line!(self, "st.local.u32 [{memory}+{}], %r{of};", place * 4);
            }
            Code::Start { to, fluent } => {
                line!(self, "ld.global.nc.u32 %r{to}, [%start+{}];", fluent * 4);
            }
            Code::Limit { to, bit } => {
                line!(self, "bfe.s32 %r{to}, %limit, {bit}, 1;");
            }
            Code::Random { to, call } => self.random(*to, *call),
            Code::Take { to, lanes } => self.take(*to, *lanes),
            Code::Report(report) => self.report(report),
            Code::Call(number) => line!(
                self,
                "{{\n.param .b64 memory;\nst.param.b64 [memory], %memory;\ncall.uni part{number}, (memory);\n}}"
            ),
            Code::If { any, body } => {
                let end = self.label();
                line!(
                    self,
                    "popc.b32 %x8, %r{any};\nsetp.eq.u32 %p0, %x8, 0;\n@%p0 bra L{end};"
                );
                self.code(body, memory);
                line!(self, "L{end}:");
            }
            Code::AtInterval(body) => {
                let end = self.label();
                line!(
                    self,
                    "and.b32 %x0, %step0, {};",
                    self.form.shape.interval - 1
                );
                line!(self, "setp.ne.u32 %p0, %x0, 0;\n@%p0 bra.uni L{end};");
                self.code(body, memory);
                line!(self, "L{end}:");
            }
            Code::While { any, body } => {
                let again = self.label();
                line!(self, "L{again}:");
                self.code(body, memory);
                line!(
                    self,
                    "popc.b32 %x8, %r{any};\nsetp.ne.u32 %p0, %x8, 0;\n@%p0 bra L{again};"
                );
            }
            Code::Rounds { any, calls, body } => self.rounds(*any, *calls, body, memory),
        }
    }

    fn rounds(&mut self, any: Register, calls: u32, body: &[Code], memory: &str) {
        let again = self.label();
        line!(self, "mov.u32 %round, 0;\nL{again}:");
        self.code(body, memory);
        line!(self, "add.u32 %round, %round, {calls};");
        line!(self, "popc.b32 %x8, %r{any};\nsetp.ne.u32 %p0, %x8, 0;");
        line!(
            self,
            "setp.lt.and.u32 %p0, %round, {}, %p0;\n@%p0 bra L{again};",
            calls * self.form.shape.draws
        );
    }

    fn random(&mut self, to: [Register; 4], call: u32) {
        line!(
            self,
            "add.u32 %x0, %round, {call};\nmov.u32 %x1, %step0;\nmov.u32 %x2, %step1;"
        );
        line!(
            self,
            "mov.u32 %x3, %thread;\nmov.u32 %k0, %seed0;\nmov.u32 %k1, %seed1;"
        );
        for round in 0..ROUNDS {
            line!(
                self,
                "mul.wide.u32 %d0, %x0, {};\nmul.wide.u32 %d1, %x2, {};",
                FACTORS[0],
                FACTORS[1]
            );
            line!(
                self,
                "mov.b64 {{%x4, %x5}}, %d0;\nmov.b64 {{%x6, %x7}}, %d1;"
            );
            // All three, or exactly one of them.
            line!(
                self,
                "lop3.b32 %x0, %x7, %x1, %k0, 0x96;\nlop3.b32 %x2, %x5, %x3, %k1, 0x96;"
            );
            line!(self, "mov.u32 %x1, %x6;\nmov.u32 %x3, %x4;");
            if round + 1 < ROUNDS {
                line!(
                    self,
                    "add.u32 %k0, %k0, {};\nadd.u32 %k1, %k1, {};",
                    WEYL[0],
                    WEYL[1]
                );
            }
        }
        for (register, place) in to.iter().zip(0..) {
            line!(self, "mov.u32 %r{register}, %x{place};");
        }
    }

    fn take(&mut self, to: Register, lanes: Register) {
        let (again, done) = (self.label(), self.label());
        let left = self.form.lanes.left;
        line!(
            self,
            "mov.u32 %x0, %r{lanes};\npopc.b32 %x1, %x0;\nL{again}:"
        );
        line!(self, "setp.le.u32 %p0, %x1, %r{left};\n@%p0 bra L{done};");
        line!(
            self,
            "bfind.u32 %x2, %x0;\nmov.u32 %x3, 1;\nshl.b32 %x3, %x3, %x2;"
        );
        line!(
            self,
            "xor.b32 %x0, %x0, %x3;\nsub.u32 %x1, %x1, 1;\nbra L{again};\nL{done}:"
        );
        line!(
            self,
            "sub.u32 %r{left}, %r{left}, %x1;\nmov.u32 %r{to}, %x0;"
        );
    }

    /// One ended lane after another.
    fn report(&mut self, report: &Report) {
        let (again, done, other, next) = (self.label(), self.label(), self.label(), self.label());
        line!(self, "mov.u32 %x0, %r{};\nL{again}:", report.lanes);
        line!(self, "setp.eq.u32 %p0, %x0, 0;\n@%p0 bra L{done};");
        line!(
            self,
            "bfind.u32 %x1, %x0;\nmov.u32 %x2, 1;\nshl.b32 %x2, %x2, %x1;\nxor.b32 %x0, %x0, %x2;"
        );
        let countdown = self.form.lanes.countdown.clone();
        self.number(&countdown, 3);
        line!(self, "sub.u32 %x4, %limit, %x3;");
        line!(self, "add.u32 %own0, %own0, 1;\nadd.u32 %own1, %own1, %x4;");
        line!(
            self,
            "not.b32 %x5, %x4;\nmax.u32 %own4, %own4, %x5;\nmax.u32 %own5, %own5, %x4;"
        );
        line!(
            self,
            "mul.wide.u32 %d0, %x4, %x4;\nadd.u64 %squares, %squares, %d0;"
        );
        line!(
            self,
            "and.b32 %x5, %r{}, %x2;\nsetp.eq.u32 %p0, %x5, 0;\n@%p0 bra L{other};",
            report.terminal
        );
        for role in &report.roles {
            self.number(&role.place, 3);
            line!(
                self,
                "lop3.b32 %x5, %r{}, %r{}, %x2, 0x20;",
                role.any,
                role.several
            );
            line!(
                self,
                "setp.ne.u32 %p0, %x5, 0;\nsetp.lt.and.u32 %p0, %x3, {}, %p0;",
                role.results
            );
            line!(
                self,
                "mov.u32 %x5, counts;\nshl.b32 %x3, %x3, 2;\nadd.u32 %x5, %x5, %x3;\nmov.u32 %x6, 1;"
            );
            line!(
                self,
                "@%p0 red.shared.add.u32 [%x5+{}], %x6;",
                role.first * 4
            );
        }
        line!(self, "bra L{next};\nL{other}:");
        line!(
            self,
            "setp.eq.u32 %p0, %x3, 0;\n@%p0 add.u32 %own2, %own2, 1;\n@!%p0 add.u32 %own3, %own3, 1;"
        );
        line!(self, "L{next}:\nbra L{again};\nL{done}:");
    }

    /// The number that the lane of `%x1` has in bits.
    fn number(&mut self, bits: &[Register], to: u32) {
        line!(self, "mov.u32 %x{to}, 0;");
        for (place, register) in bits.iter().enumerate() {
            line!(
                self,
                "shr.u32 %x7, %r{register}, %x1;\nbfi.b32 %x{to}, %x7, %x{to}, {place}, 1;"
            );
        }
    }
}
