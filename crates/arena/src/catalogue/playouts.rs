//! Options of how playouts choose moves.

use paidia_search::uct::{Draw, Playouts};

use super::nested::USUAL_PLAYOUTS;
use super::{Number, PlayerSetting, PlayerSettings, Whole, Words};
use crate::options::Setting;

/// Joint moves after which playouts by sequences are cut, as their paper has it.
const NST_LIMIT: u32 = 400;

/// What playouts choose by.
#[derive(Clone, Copy, PartialEq)]
enum Policy {
    Uniform,
    Mast,
    Nst,
    Nested,
}

/// How playouts choose.
pub(super) const PLAYOUTS: PlayerSetting = Setting::new(
    "playouts",
    "how playouts choose: any move, by means of moves, by means of sequences of up to three moves, or by nested searches",
    &Words {
        words: &[
            ("uniform", Policy::Uniform),
            ("mast", Policy::Mast),
            ("nst", Policy::Nst),
            ("nested", Policy::Nested),
        ],
        get: |s| {
            Some(match s.search.playouts {
                Playouts::Uniform => Policy::Uniform,
                Playouts::Moves { .. } => Policy::Mast,
                Playouts::Sequences { .. } => Policy::Nst,
                Playouts::Nested(_) => Policy::Nested,
            })
        },
        set: |s, policy| {
            s.search.playouts = match policy {
                Policy::Uniform => Playouts::Uniform,
                Policy::Mast => Playouts::moves(10.0),
                Policy::Nst => Playouts::sequences(),
                Policy::Nested => Playouts::Nested(USUAL_PLAYOUTS),
            };
            if policy == Policy::Nst {
                s.search.playout_limit = NST_LIMIT;
            }
        },
    },
);

/// All about playouts, without nested ones.
pub(super) const OPTIONS: &[PlayerSetting] = &[
    PLAYOUTS,
    Setting::new(
        "temperature",
        "of Gibbs sampling by means; low is greedy",
        &Number {
            range: (1e-9, 1e9),
            get: |s| match means(s.search.playouts)?.0 {
                Draw::Gibbs { temperature } => Some(temperature),
                Draw::Greedy { .. } => None,
            },
            set: |s, temperature| set_draw(s, Draw::Gibbs { temperature }),
        },
    )
    .when(WITH_MEANS, has_means),
    Setting::new(
        "epsilon",
        "how often playouts that take the best by means take any move; instead of a temperature",
        &Number {
            range: (0.0, 1.0),
            get: |s| match means(s.search.playouts)?.0 {
                Draw::Greedy { epsilon } => Some(epsilon),
                Draw::Gibbs { .. } => None,
            },
            set: |s, epsilon| set_draw(s, Draw::Greedy { epsilon }),
        },
    )
    .when(WITH_MEANS, has_means),
    Setting::new(
        "decay",
        "what is left of the weight of means after a move was really made",
        &Number {
            range: (0.0, 1.0),
            get: |s| Some(means(s.search.playouts)?.1),
            set: |s, factor| match &mut s.search.playouts {
                Playouts::Moves { decay, .. } | Playouts::Sequences { decay, .. } => {
                    *decay = factor;
                }
                Playouts::Uniform | Playouts::Nested(_) => (),
            },
        },
    )
    .when(WITH_MEANS, has_means),
    Setting::new(
        "among",
        "which moves means draw from in a state of the tree with an untried move: the `untried` ones, or `all`",
        &Words {
            words: &[("untried", false), ("all", true)],
            get: |s| Some(s.search.draws_all),
            set: |s, all| s.search.draws_all = all,
        },
    )
    .when(WITH_MEANS, has_means),
    Setting::new(
        "least",
        "how often a sequence of moves must have been made to be asked",
        &Whole {
            range: (0, 1_000_000),
            get: |s| match s.search.playouts {
                Playouts::Sequences { least_visits, .. } => Some(least_visits),
                _ => None,
            },
            set: |s, least| {
                if let Playouts::Sequences { least_visits, .. } = &mut s.search.playouts {
                    *least_visits = least;
                }
            },
        },
    )
    .when("with playouts=nst", |s| {
        matches!(s.search.playouts, Playouts::Sequences { .. })
    }),
];

const WITH_MEANS: &str = "with playouts=mast or nst";

fn has_means(settings: &PlayerSettings) -> bool {
    means(settings.search.playouts).is_some()
}

/// How moves are drawn by means, and how those decay, if playouts have means.
fn means(playouts: Playouts) -> Option<(Draw, f64)> {
    match playouts {
        Playouts::Moves { draw, decay } | Playouts::Sequences { draw, decay, .. } => {
            Some((draw, decay))
        }
        Playouts::Uniform | Playouts::Nested(_) => None,
    }
}

fn set_draw(settings: &mut PlayerSettings, by: Draw) {
    match &mut settings.search.playouts {
        Playouts::Moves { draw, .. } | Playouts::Sequences { draw, .. } => *draw = by,
        Playouts::Uniform | Playouts::Nested(_) => (),
    }
}
