//! Options of nested searches: players of their own, and the playouts of tree searches.

use paidia_search::nested::{Levels, Nesting};
use paidia_search::uct::Playouts;

use super::tree::YES_OR_NO;
use super::{PlayerSetting, PlayerSettings, Whole, Words};
use crate::options::{Field, Setting, Takes};

/// A player of its own if nothing is said: what pruning saves costs nothing where levels discount.
pub(super) const USUAL_PLAYER: Nesting = Nesting {
    discount: Levels::ALL,
    prune: Levels::ALL,
    ..Nesting::plain(2)
};

/// The playouts of a tree search if nothing is said: what did best in most games of the paper.
pub(super) const USUAL_PLAYOUTS: Nesting = Nesting {
    cut: Levels::ALL,
    ..Nesting::plain(1)
};

/// What players of their own have.
pub(super) const OWN: &[PlayerSetting] = &[
    Setting::new(
        "level",
        "how deep searches are nested: 1 plays on at random, 2 as players of level 1 do, and so on",
        LEVEL,
    ),
    Setting::new(
        "discount",
        "the levels that prefer quick wins and slow losses",
        DISCOUNT,
    ),
    Setting::new("cut", "the levels that make the first move that wins", CUT),
    Setting::new(
        "prune",
        "the levels that give up playouts as long as their quickest win",
        PRUNE,
    )
    .when("of levels that discount", prunes_well),
    Setting::new(
        "cascade",
        "whether the levels below give up there, too, which is quicker and less exact",
        CASCADE,
    )
    .when("where levels prune", cascades_well),
    Setting::new("samples", "playouts by which each move is judged", SAMPLES),
    Setting::new(
        "order",
        "the order in which moves are tried, `fixed` by their texts; of equal ones the first is made",
        ORDER,
    ),
];

/// The same for playouts of tree searches.
pub(super) const PLAYOUTS: &[PlayerSetting] = &[
    Setting::new(
        "nested-level",
        "the level of the searches by which playouts choose",
        LEVEL,
    )
    .when(WITH_NESTED, is_nested),
    Setting::new(
        "nested-discount",
        "their levels that prefer quick wins and slow losses",
        DISCOUNT,
    )
    .when(WITH_NESTED, is_nested),
    Setting::new(
        "nested-cut",
        "their levels that make the first move that wins",
        CUT,
    )
    .when(WITH_NESTED, is_nested),
    Setting::new(
        "nested-prune",
        "their levels that give up playouts as long as their quickest win",
        PRUNE,
    )
    .when(
        "with playouts=nested, of levels of nested-discount",
        prunes_well,
    ),
    Setting::new(
        "nested-cascade",
        "whether the levels below give up there, too",
        CASCADE,
    )
    .when(
        "with playouts=nested, `yes` with nested-prune",
        cascades_well,
    ),
    Setting::new(
        "nested-samples",
        "playouts by which each of their moves is judged",
        SAMPLES,
    )
    .when(WITH_NESTED, is_nested),
    Setting::new(
        "nested-order",
        "the order in which their moves are tried, `fixed` by their texts",
        ORDER,
    )
    .when(WITH_NESTED, is_nested),
];

const WITH_NESTED: &str = "with playouts=nested";

const LEVEL: &dyn Field<PlayerSettings> = &Whole {
    range: (1, Levels::HIGHEST as u32),
    get: |s| Some(nesting(s)?.level.into()),
    set: |s, level| change(s, |nesting| nesting.level = level as u8),
};
const DISCOUNT: &dyn Field<PlayerSettings> = &LevelSet {
    get: |nesting| nesting.discount,
    set: |nesting, levels| {
        nesting.discount = levels;
        nesting.prune = nesting.prune.and(levels);
    },
};
const CUT: &dyn Field<PlayerSettings> = &LevelSet {
    get: |nesting| nesting.cut,
    set: |nesting, levels| nesting.cut = levels,
};
const PRUNE: &dyn Field<PlayerSettings> = &LevelSet {
    get: |nesting| nesting.prune,
    set: |nesting, levels| nesting.prune = levels,
};
const CASCADE: &dyn Field<PlayerSettings> = &Words {
    words: YES_OR_NO,
    get: |s| Some(nesting(s)?.cascade),
    set: |s, cascade| change(s, |nesting| nesting.cascade = cascade),
};
const SAMPLES: &dyn Field<PlayerSettings> = &Whole {
    range: (1, 1_000_000),
    get: |s| Some(nesting(s)?.samples),
    set: |s, samples| change(s, |nesting| nesting.samples = samples),
};
const ORDER: &dyn Field<PlayerSettings> = &Words {
    words: &[("random", true), ("fixed", false)],
    get: |s| Some(nesting(s)?.shuffle),
    set: |s, shuffle| change(s, |nesting| nesting.shuffle = shuffle),
};

/// The nested search of a player or of its playouts.
fn nesting(settings: &PlayerSettings) -> Option<Nesting> {
    match settings.search.playouts {
        Playouts::Nested(nesting) => Some(nesting),
        _ => None,
    }
}

fn change(settings: &mut PlayerSettings, change: impl FnOnce(&mut Nesting)) {
    if let Playouts::Nested(nesting) = &mut settings.search.playouts {
        change(nesting);
    }
}

fn is_nested(settings: &PlayerSettings) -> bool {
    nesting(settings).is_some()
}

fn prunes_well(settings: &PlayerSettings) -> bool {
    nesting(settings).is_some_and(|nesting| nesting.prune.is_within(nesting.discount))
}

fn cascades_well(settings: &PlayerSettings) -> bool {
    nesting(settings).is_some_and(|nesting| !nesting.cascade || nesting.prune != Levels::NONE)
}

/// A set of levels, by numbers with `+` between them.
struct LevelSet {
    get: fn(&Nesting) -> Levels,
    set: fn(&mut Nesting, Levels),
}

impl Field<PlayerSettings> for LevelSet {
    fn takes(&self) -> Takes {
        Takes {
            words: vec!["yes", "no"],
            text: Some("levels such as `1+2`"),
            ..Takes::default()
        }
    }

    fn get(&self, settings: &PlayerSettings) -> Option<String> {
        Some(match (self.get)(&nesting(settings)?) {
            Levels::ALL => "yes".to_owned(),
            Levels::NONE => "no".to_owned(),
            some => {
                let numbers = (1..=Levels::HIGHEST).filter(|&level| some.contains(level));
                let numbers: Vec<String> = numbers.map(|level| level.to_string()).collect();
                numbers.join("+")
            }
        })
    }

    fn set(&self, settings: &mut PlayerSettings, value: &str) -> bool {
        let level = |part: &str| {
            let number = part.trim().parse::<u8>().ok();
            number.filter(|number| (1..=Levels::HIGHEST).contains(number))
        };
        let levels = match value {
            "yes" => Some(Levels::ALL),
            "no" => Some(Levels::NONE),
            _ => {
                let numbers: Option<Vec<u8>> = value.split('+').map(level).collect();
                numbers.map(|numbers| Levels::of(&numbers))
            }
        };
        let Some(levels) = levels else {
            return false;
        };
        change(settings, |nesting| (self.set)(nesting, levels));
        true
    }
}
