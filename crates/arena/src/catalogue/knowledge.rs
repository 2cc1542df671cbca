//! Options of what is known about a move from elsewhere: RAVE, and advice by goal regression.

use paidia_search::uct::{Advised, Rave, RaveUse, Selection};

use super::tree::{NOT_AT_RANDOM, YES_OR_NO, chooses};
use super::{Number, PlayerSetting, PlayerSettings, Whole, Words};
use crate::options::{Either, Setting};

/// The paper's constant.
const USUAL_EQUIVALENCE: f64 = 700.0;

/// When moves are judged by what came of them later.
pub(super) const RAVE: PlayerSetting = Setting::new(
    "rave",
    "whether a move is also judged by what came of it when it was made later, and when, or how often, that is believed",
    &Either(
        Words {
            words: &[
                ("no", None),
                ("never", Some(RaveUse::Never)),
                ("always", Some(RaveUse::Always)),
                ("adaptive", Some(RaveUse::Adaptive { margin: 0.0 })),
                ("everywhere", Some(RaveUse::AdaptiveEverywhere { margin: 0.0 })),
            ],
            get: |s| {
                Some(rave(s).map(|rave| match rave.usage {
                    RaveUse::Adaptive { .. } => RaveUse::Adaptive { margin: 0.0 },
                    RaveUse::AdaptiveEverywhere { .. } => {
                        RaveUse::AdaptiveEverywhere { margin: 0.0 }
                    }
                    usage => usage,
                }))
            },
            set: |s, usage| {
                if let Some(usage) = usage {
                    set_rave(s, usage);
                }
            },
        },
        Number {
            range: (0.0, 1.0),
            get: |s| match rave(s)?.usage {
                RaveUse::Sometimes { probability } => Some(probability),
                _ => None,
            },
            set: |s, probability| set_rave(s, RaveUse::Sometimes { probability }),
        },
    ),
)
.when(NOT_AT_RANDOM, chooses);

/// Where heuristics from the goals are used.
pub(super) const ADVICE: PlayerSetting = Setting::new(
    "advice",
    "where heuristics from the game's goals are used: in the tree, in playouts, or both; needs a network",
    &Words {
        words: &[
            ("no", None),
            ("tree", Some((true, false))),
            ("playouts", Some((false, true))),
            ("both", Some((true, true))),
        ],
        get: |s| Some(s.search.advice.map(|advised| (advised.tree, advised.playouts))),
        set: |s, place| {
            s.search.advice = place.map(|(tree, playouts)| Advised {
                tree,
                playouts,
                ..Advised::default()
            });
        },
    },
)
.when("`tree` and `both` without rave", |s| {
    !is_advised_in_tree(s) || matches!(s.search.selection, Selection::Uct { .. })
});

/// All about RAVE and advice.
pub(super) const OPTIONS: &[PlayerSetting] = &[
    RAVE,
    Setting::new(
        "margin",
        "by how much RAVE must promise more to be believed",
        &Number {
            range: (-1e3, 1e3),
            get: |s| match rave(s)?.usage {
                RaveUse::Adaptive { margin } | RaveUse::AdaptiveEverywhere { margin } => {
                    Some(margin)
                }
                _ => None,
            },
            set: |s, value| {
                if let Selection::Rave(rave) = &mut s.search.selection
                    && let RaveUse::Adaptive { margin } | RaveUse::AdaptiveEverywhere { margin } =
                        &mut rave.usage
                {
                    *margin = value;
                }
            },
        },
    )
    .when("with rave=adaptive or everywhere", |s| {
        let usage = rave(s).map(|rave| rave.usage);
        matches!(
            usage,
            Some(RaveUse::Adaptive { .. } | RaveUse::AdaptiveEverywhere { .. })
        )
    }),
    ADVICE,
    Setting::new(
        "equivalence",
        "visits at which RAVE, or advice, and what was found count about the same",
        &Number {
            range: (1e-9, 1e9),
            get: |s| match is_advised_in_tree(s) {
                true => Some(s.search.advice?.equivalence),
                false => Some(rave(s)?.equivalence),
            },
            set: |s, equivalence| match (&mut s.search.selection, &mut s.search.advice) {
                (Selection::Rave(rave), _) => rave.equivalence = equivalence,
                (_, Some(advised)) => advised.equivalence = equivalence,
                _ => (),
            },
        },
    )
    .when("with rave, advice=tree or both", |s| {
        rave(s).is_some() || is_advised_in_tree(s)
    }),
    Setting::new(
        "persistence",
        "whether heuristics use that some facts stay as they are",
        &Words {
            words: YES_OR_NO,
            get: |s| Some(s.search.advice?.persistence),
            set: |s, persistence| advise(s, |advised| advised.persistence = persistence),
        },
    )
    .when("with advice", |s| s.search.advice.is_some()),
    Setting::new(
        "after",
        "how often moves must have been chosen in a state of the tree before heuristics are asked about it",
        &Whole {
            range: (0, 1_000_000_000),
            get: |s| Some(s.search.advice?.after),
            set: |s, after| advise(s, |advised| advised.after = after),
        },
    )
    .when("with advice=tree or both", is_advised_in_tree),
    Setting::new(
        "spread",
        "whether heuristics are spread over the whole scale among the moves of a state, or stay as they are",
        &Words {
            words: YES_OR_NO,
            get: |s| Some(s.search.advice?.spread),
            set: |s, spread| advise(s, |advised| advised.spread = spread),
        },
    )
    .when("with advice", |s| s.search.advice.is_some()),
    Setting::new(
        "scale",
        "how much more the best of a state's moves counts than the worst in playouts, by Gibbs with temperature 1",
        &Number {
            range: (0.0, 1e6),
            get: |s| Some(s.search.advice?.scale),
            set: |s, scale| advise(s, |advised| advised.scale = scale),
        },
    )
    .when("with advice=playouts or both", |s| {
        s.search.advice.is_some_and(|advised| advised.playouts)
    }),
];

fn rave(settings: &PlayerSettings) -> Option<Rave> {
    match settings.search.selection {
        Selection::Rave(rave) => Some(rave),
        Selection::Uct { .. } | Selection::Random => None,
    }
}

fn set_rave(settings: &mut PlayerSettings, usage: RaveUse) {
    if let Selection::Uct { exploration, .. } = settings.search.selection {
        settings.search.selection = Selection::Rave(Rave {
            exploration,
            equivalence: USUAL_EQUIVALENCE,
            usage,
        });
    }
}

fn is_advised_in_tree(settings: &PlayerSettings) -> bool {
    settings.search.advice.is_some_and(|advised| advised.tree)
}

fn advise(settings: &mut PlayerSettings, change: impl FnOnce(&mut Advised)) {
    if let Some(advised) = &mut settings.search.advice {
        change(advised);
    }
}
