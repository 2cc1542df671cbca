//! The engines of the suite, what each is tried on, and why it is not tried on the rest.

/// An engine that goes from state to state, with what is asked of it.
pub(crate) struct Entry {
    /// The engine as it is written.
    pub(crate) engine: &'static str,
    /// Joint moves of a bundled game that are compared with the reference, in how many playouts.
    pub(crate) bundled: Walks,
    /// The same on the public sheets of `compared`.
    pub(crate) public: Walks,
    /// Public sheets that are compared with the reference; all are checked by the conformance kit.
    pub(crate) compared: &'static [&'static str],
    /// Whether every public sheet is tried, or one of nine.
    pub(crate) every_public: bool,
    /// How many bundled games, public sheets and compared states there must be at least.
    pub(crate) floor: Covered,
}

/// How far an engine and the reference are compared.
#[derive(Clone, Copy)]
pub(crate) struct Walks {
    pub(crate) playouts: u32,
    pub(crate) steps: u32,
}

/// What an engine was tried on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Covered {
    pub(crate) games: usize,
    pub(crate) sheets: usize,
    pub(crate) states: u64,
}

const LONG: Walks = Walks {
    playouts: 3,
    steps: 60,
};
const SHORT: Walks = Walks {
    playouts: 1,
    steps: 60,
};

/// Sheets that cannot be grounded, and some that ask for what few do: functions in arguments,
/// lists, recursion, calls, hidden information.
const UNUSUAL: &[&str] = &[
    "chess",
    "merrills",
    "laikLee_hex",
    "mummymaze1p",
    "slaughter",
    "sudoku",
    "ruleDepthExponential",
    "checkers",
    "skirmish",
    "hex",
    "blocker",
];

/// All engines that go from state to state.
pub(crate) const ENTRIES: [Entry; 7] = [
    Entry {
        engine: "reference",
        bundled: Walks {
            playouts: 0,
            steps: 0,
        },
        public: Walks {
            playouts: 0,
            steps: 0,
        },
        compared: &[],
        every_public: true,
        floor: Covered {
            games: 80,
            sheets: 200,
            states: 0,
        },
    },
    Entry {
        engine: "compiled",
        bundled: LONG,
        public: SHORT,
        compared: UNUSUAL,
        every_public: true,
        floor: Covered {
            games: 80,
            sheets: 200,
            states: 5_000,
        },
    },
    Entry {
        engine: "compiled(native=off)",
        bundled: LONG,
        public: SHORT,
        compared: UNUSUAL,
        every_public: false,
        floor: Covered {
            games: 80,
            sheets: 22,
            states: 5_000,
        },
    },
    Entry {
        engine: "propnet",
        bundled: SHORT,
        public: SHORT,
        compared: &["checkers", "skirmish", "hex", "blocker", "mummymaze1p"],
        // `paidia replay` follows the records of all on it.
        every_public: false,
        floor: Covered {
            games: 80,
            sheets: 20,
            states: 2_000,
        },
    },
    Entry {
        engine: "forward(memory=8)",
        bundled: SHORT,
        public: SHORT,
        compared: &[
            "ruleDepthExponential",
            "mummymaze1p",
            "hex",
            "blocker",
            "peg",
            "sheepAndWolf",
            "sudoku",
            "merrills",
        ],
        every_public: false,
        floor: Covered {
            games: 80,
            sheets: 22,
            states: 2_000,
        },
    },
    Entry {
        engine: "prover",
        bundled: Walks {
            playouts: 1,
            steps: 25,
        },
        public: Walks {
            playouts: 1,
            steps: 25,
        },
        compared: &[
            "merrills",
            "laikLee_hex",
            "mummymaze1p",
            "sudoku",
            "hex",
            "blocker",
            "skirmish",
            "atariGo_7x7",
        ],
        every_public: false,
        floor: Covered {
            games: 80,
            sheets: 22,
            states: 1_000,
        },
    },
    Entry {
        engine: "incremental",
        bundled: Walks {
            playouts: 1,
            steps: 40,
        },
        public: Walks {
            playouts: 1,
            steps: 40,
        },
        compared: &[
            "blocker",
            "hex",
            "mummymaze1p",
            "connectFour",
            "linesOfAction",
        ],
        every_public: false,
        floor: Covered {
            games: 75,
            sheets: 18,
            states: 1_500,
        },
    },
];

/// Pairs of an engine and a bundled game that are not compared with the reference, and the reason.
/// The conformance kit looks at them all the same.
pub(crate) const LEFT_OUT: [(&str, &str, &str); 2] = [
    (
        "incremental",
        "chess",
        "the unoptimised model takes minutes",
    ),
    (
        "incremental",
        "amazons",
        "the unoptimised model takes minutes",
    ),
];

/// Public sheets that the reference or the prover derives so slowly that four joint moves must do.
pub(crate) const SLOW: [(&str, &str); 2] = [("prover", "laikLee_hex"), ("prover", "sudoku")];

/// Games with turns and without, with recursion, chance and hidden information, on which every
/// setting of every engine is tried.
pub(crate) const SETTINGS_ON: [&str; 8] = [
    "tic-tac-toe",
    "connect-four",
    "breakthrough-6x6",
    "kuhn-poker",
    "hanoi",
    "monty-hall",
    "hex-7x7",
    "atari-go-7x7",
];

/// Settings that are tried together, beside each alone.
pub(crate) const TOGETHER: [&str; 12] = [
    "compiled(share=off, order=off, cut=off, restrict=off, carry=off, demand=off)",
    "compiled(share=off, order=off, cut=off, restrict=off, carry=off, demand=always)",
    "compiled(native=off, share=off, order=off, cut=off, restrict=off, carry=off, demand=off)",
    "compiled(native=off, share=off, order=off, cut=off, restrict=off, carry=off, demand=always)",
    "incremental(levels=off, support=off, queue=off, count=off, lazy=off)",
    "prover(order=written, fixed=on)",
    "prover(state=list, order=written)",
    "prover(state=list, fixed=on)",
    "prover(state=list, order=written, fixed=on)",
    "prover(state=naive, order=written)",
    "prover(state=naive, fixed=on)",
    "prover(state=naive, order=written, fixed=on)",
];
