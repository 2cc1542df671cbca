//! Options of tree searches.

use paidia_search::leaves::Decisive;
use paidia_search::leaves::crew::{Crewing, Management};
use paidia_search::uct::{
    Choice, History, Leaves, Lookahead, Parallel, Reading, Returns, Selection, Sufficiency,
};

use super::{Number, PlayerSetting, PlayerSettings, Whole, Words};
use crate::options::{Either, Setting};

/// What is set by `yes` and `no`.
pub(super) const YES_OR_NO: &[(&str, bool)] = &[("yes", true), ("no", false)];

/// The condition of [`chooses`].
pub(super) const NOT_AT_RANDOM: &str = "where moves are not chosen at random";

/// Whether moves of the tree are chosen by what is known about them.
pub(super) fn chooses(settings: &PlayerSettings) -> bool {
    settings.search.selection != Selection::Random
}

/// The discount, which flat searches have, too.
pub(super) const DISCOUNT: PlayerSetting = Setting::new(
    "discount",
    "what is left of a return one step further from the end",
    &Number {
        range: (0.0, 1.0),
        get: |s| Some(s.search.discount),
        set: |s, discount| s.search.discount = discount,
    },
);

const RETURNS: PlayerSetting = Setting::new(
    "returns",
    "what a role wants in games of two",
    &Words {
        words: &[("own", Returns::Own), ("difference", Returns::Difference)],
        get: |s| Some(s.search.returns),
        set: |s, returns| s.search.returns = returns,
    },
);

/// The memory for the tree.
pub const MEMORY: PlayerSetting = Setting::new(
    "memory",
    "megabytes for the tree",
    &Whole {
        range: (1, 1_000_000),
        get: |s| Some((s.search.memory >> 20) as u32),
        set: |s, megabytes| s.search.memory = (megabytes as usize) << 20,
    },
);

/// Threads that search.
pub const THREADS: PlayerSetting = Setting::new(
    "threads",
    "how many threads search; `auto` is one for each processor where there is a clock, and otherwise one",
    &Either(
        Words {
            words: &[("auto", None)],
            get: |s| Some(s.search.threads),
            set: |s, threads| s.search.threads = threads,
        },
        Whole {
            range: (1, 256),
            get: |s| s.search.threads.map(|threads| threads as u32),
            set: |s, threads| s.search.threads = Some(threads as usize),
        },
    ),
);

pub(super) const LEAVES: PlayerSetting = Setting::new(
    "leaves",
    "playouts from a leaf of the tree, many leaves at once where the engine can; `one` is one at a time",
    &Either(
        Words {
            words: &[("one", Leaves::Scalar)],
            get: |s| Some(s.search.leaves),
            set: |s, leaves| s.search.leaves = leaves,
        },
        Whole {
            range: (1, 4096),
            get: |s| Some(s.search.leaves.playouts()),
            set: |s, playouts| s.search.leaves = Leaves::Batched { playouts },
        },
    ),
);

pub(super) const SUFFICIENCY: PlayerSetting = Setting::new(
    "sufficiency",
    "the value above which a move is good enough to look no further, or how it is found; `printed` is dynamic, as the paper prints it",
    &Either(
        Words {
            words: &[
                ("no", Sufficiency::Never),
                (
                    "dynamic",
                    Sufficiency::Dynamic {
                        reading: Reading::Meant,
                    },
                ),
                (
                    "printed",
                    Sufficiency::Dynamic {
                        reading: Reading::Printed,
                    },
                ),
            ],
            get: |s| Some(s.search.sufficiency),
            set: |s, sufficiency| s.search.sufficiency = sufficiency,
        },
        Number {
            range: (-1e3, 1e3),
            get: |s| match s.search.sufficiency {
                Sufficiency::Above { threshold } => Some(threshold),
                _ => None,
            },
            set: |s, threshold| s.search.sufficiency = Sufficiency::Above { threshold },
        },
    ),
);

pub(super) const HISTORY: PlayerSetting = Setting::new(
    "history",
    "visits for which it counts what came of the same move elsewhere in the tree; moves never tried then wait until they promise more than others",
    &Either(
        Words {
            words: &[("no", None)],
            get: |s| Some(s.search.history),
            set: |s, history| s.search.history = history,
        },
        Number {
            range: (1e-9, 1e6),
            get: |s| s.search.history.map(|history| history.weight),
            set: |s, weight| s.search.history = Some(History { weight }),
        },
    ),
);

pub(super) const EVALUATION: PlayerSetting = Setting::new(
    "evaluation",
    "how much an evaluation counts beside the playouts of a leaf, in games of two in which nothing is hidden; it is learnt from playouts first, and with 1 none are made in the search",
    &Either(
        Words {
            words: &[("no", None)],
            get: |s| Some(s.search.evaluation),
            set: |s, evaluation| s.search.evaluation = evaluation,
        },
        Number {
            range: (0.0, 1.0),
            get: |s| s.search.evaluation,
            set: |s, weight| s.search.evaluation = Some(weight),
        },
    ),
);

const LOOKAHEAD: PlayerSetting = Setting::new(
    "lookahead",
    "where it is looked whether a move ends the game: where a playout ended with one move (`seen`), or in all states of the tree that are visited again (`always`)",
    &Words {
        words: &[("seen", Lookahead::Seen), ("always", Lookahead::Always)],
        get: |s| Some(s.search.lookahead),
        set: |s, lookahead| s.search.lookahead = lookahead,
    },
);

pub(super) const DECISIVE: PlayerSetting = Setting::new(
    "decisive",
    "which moves playouts draw from that are made many at once, where that needs no more gates than it is worth: those that win at once (`own`), and else those after which the opponent cannot (`both`)",
    &Words {
        words: &[
            ("no", Decisive::No),
            ("own", Decisive::Own),
            ("both", Decisive::Both),
        ],
        get: |s| Some(s.search.decisive),
        set: |s, decisive| s.search.decisive = decisive,
    },
);

pub(super) const WEIGHTS: PlayerSetting = Setting::new(
    "weights",
    "whether playouts that are made many at once draw moves by what came of them in the tree: the lead in return that makes a move e times as likely",
    &Either(
        Words {
            words: &[("no", None)],
            get: |s| Some(s.search.weights),
            set: |s, weights| s.search.weights = weights,
        },
        Number {
            range: (0.1, 1e3),
            get: |s| s.search.weights,
            set: |s, temperature| s.search.weights = Some(temperature),
        },
    ),
);

/// What every tree search has.
pub(super) const TREE: &[PlayerSetting] = &[
    Setting::new(
        "exploration",
        "the constant C of UCT, on the scale of goals",
        &Number {
            range: (0.0, 1e9),
            get: |s| Some(uct(s)?.0),
            set: |s, value| {
                if let Selection::Uct { exploration, .. } = &mut s.search.selection {
                    *exploration = value;
                }
            },
        },
    )
    .when(NOT_AT_RANDOM, chooses),
    Setting::new(
        "growth",
        "how C grows with the visits N of a state: times 1 + growth * ln(1 + N / 3000)",
        &Number {
            range: (0.0, 1e6),
            get: |s| Some(uct(s)?.1),
            set: |s, value| {
                if let Selection::Uct { growth, .. } = &mut s.search.selection {
                    *growth = value;
                }
            },
        },
    )
    .when(NOT_AT_RANDOM, chooses),
    DISCOUNT,
    RETURNS,
    Setting::new(
        "choice",
        "which move is made in the end",
        &Words {
            words: &[("value", Choice::BestValue), ("visits", Choice::MostVisits)],
            get: |s| Some(s.search.choice),
            set: |s, choice| s.search.choice = choice,
        },
    ),
    Setting::new(
        "proofs",
        "whether certain values are backed up",
        &Words {
            words: YES_OR_NO,
            get: |s| Some(s.search.proofs),
            set: |s, proofs| s.search.proofs = proofs,
        },
    ),
    MEMORY,
    Setting::new(
        "noop",
        "what it does where it has only one legal move: searches all the same, or answers at once",
        &Words {
            words: &[("think", true), ("skip", false)],
            get: |s| Some(s.search.think_always),
            set: |s, think| s.search.think_always = think,
        },
    ),
    LEAVES,
    Setting::new(
        "leaf-threads",
        "how many threads make the playouts of each searching thread, which waits for them; with `none` it makes them itself, or the engine many at once",
        &Either(
            Words {
                words: &[("none", ())],
                get: |s| crew(s).is_none().then_some(()),
                set: |_, ()| (),
            },
            Whole {
                range: (1, 256),
                get: |s| Some(crew(s)?.threads as u32),
                set: |s, threads| {
                    s.search.leaves = Leaves::Crewed {
                        playouts: s.search.leaves.playouts(),
                        crew: Crewing {
                            threads: threads as usize,
                            ..USUAL_CREW
                        },
                    }
                },
            },
        ),
    ),
    Setting::new(
        "management",
        "what becomes of leaf threads between two sets of positions: they end (`restart`), sleep (`signal`), poll memory (`spin`) or wait for messages (`channel`); `serial` makes the same playouts without them",
        &Words {
            words: &[
                ("restart", Management::Restart),
                ("signal", Management::Signal),
                ("spin", Management::Spin),
                ("channel", Management::Channel),
                ("serial", Management::Serial),
            ],
            get: |s| Some(crew(s).unwrap_or(USUAL_CREW).management),
            set: |s, management| {
                if let Leaves::Crewed { crew, .. } = &mut s.search.leaves {
                    crew.management = management;
                }
            },
        },
    ),
    Setting::new(
        "positions",
        "leaves that are handed to leaf threads as one set; `auto` is one for each of them",
        &Either(
            Words {
                words: &[("auto", None)],
                get: |s| Some(crew(s).unwrap_or(USUAL_CREW).positions),
                set: set_positions,
            },
            Whole {
                range: (1, 65_536),
                get: |s| crew(s)?.positions,
                set: |s, positions| set_positions(s, Some(positions)),
            },
        ),
    ),
    THREADS,
    Setting::new(
        "share",
        "what threads share: the tree, or nothing until the end",
        &Words {
            words: &[("tree", Parallel::Tree), ("nothing", Parallel::Root)],
            get: |s| Some(s.search.parallel),
            set: |s, parallel| s.search.parallel = parallel,
        },
    ),
    SUFFICIENCY,
    HISTORY,
    EVALUATION,
    LOOKAHEAD,
    DECISIVE,
    WEIGHTS,
];

/// The crew of leaf threads if nothing but their number is said.
const USUAL_CREW: Crewing = Crewing {
    threads: 1,
    management: Management::Signal,
    positions: None,
};

fn crew(settings: &PlayerSettings) -> Option<Crewing> {
    match settings.search.leaves {
        Leaves::Crewed { crew, .. } => Some(crew),
        Leaves::Scalar | Leaves::Batched { .. } => None,
    }
}

fn set_positions(settings: &mut PlayerSettings, positions: Option<u32>) {
    if let Leaves::Crewed { crew, .. } = &mut settings.search.leaves {
        crew.positions = positions;
    }
}

/// The constants of UCT, where moves are chosen by it.
fn uct(settings: &PlayerSettings) -> Option<(f64, f64)> {
    match settings.search.selection {
        Selection::Uct {
            exploration,
            growth,
        } => Some((exploration, growth)),
        Selection::Random | Selection::Rave(_) => None,
    }
}
