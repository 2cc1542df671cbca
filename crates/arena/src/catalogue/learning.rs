//! The default player, which finds out what works in the game at hand.

use std::sync::Arc;

use paidia_game::{Game, RoleId};
use paidia_search::learner::{Candidate, Learner, Maker, Prior};
use paidia_search::uct::{Settings, Uct};

use super::knowledge::{ADVICE, RAVE};
use super::playouts::PLAYOUTS;
use super::tree::{HISTORY, LEAVES, SUFFICIENCY, YES_OR_NO};
use super::{PlayerSetting, Words, searcher};
use crate::options::{BadSpec, Setting};
use crate::playable::Playable;
use crate::spec::PlayerSpec;

/// Whether trials before the match choose the search.
pub(super) const LEARN: PlayerSetting = Setting::new(
    "learn",
    "whether most of a start clock of half a second or more goes to games that tell which kind of search is best; not where a kind is asked for",
    &Words {
        words: YES_OR_NO,
        get: |s| Some(s.learn),
        set: |s, learn| s.learn = learn,
    },
);

/// Options that ask for a kind of search, so that there is nothing to find out.
const SEARCHES: &[PlayerSetting] = &[PLAYOUTS, RAVE, ADVICE, HISTORY, LEAVES, SUFFICIENCY];

/// Whether a player finds out what works.
pub(super) fn learns(spec: &PlayerSpec) -> bool {
    spec.settings().learn && !SEARCHES.iter().any(|setting| spec.sets(setting))
}

/// A kind of search that is tried beside the usual one.
struct Other {
    /// What is written to get it.
    written: &'static [(&'static str, &'static str)],
    prior: Prior,
    needed: f64,
}

const fn prior(expected: f64, games: f64) -> Prior {
    Prior { expected, games }
}

/// What learns from the moves of playouts does better in the short moves of trials than with more
/// time: in 5x5 breakthrough MAST had 81 % with 5 ms and 35 % with 50. So more is needed of it.
const QUICK: f64 = 0.75;
const EQUAL: f64 = 0.5;

/// The kinds of search that are tried, each with what is believed of it by some thousand games on
/// forty games of the library: means of moves are the best in some and useless in most, and advice
/// differs little from the usual.
const OTHERS: [Other; 5] = [
    Other {
        written: &[
            ("playouts", "mast"),
            ("decay", "0.4"),
            ("leaves", "one"),
            ("history", "no"),
        ],
        prior: prior(0.40, 2.0),
        needed: QUICK,
    },
    Other {
        written: &[
            ("playouts", "nst"),
            ("decay", "0.6"),
            ("leaves", "one"),
            ("history", "no"),
        ],
        prior: prior(0.38, 2.0),
        needed: QUICK,
    },
    Other {
        written: &[("rave", "adaptive"), ("leaves", "one"), ("history", "no")],
        prior: prior(0.27, 2.0),
        needed: QUICK,
    },
    Other {
        written: &[("history", "no")],
        prior: prior(0.45, 10.0),
        needed: EQUAL,
    },
    Other {
        written: &[("advice", "tree")],
        prior: prior(0.48, 8.0),
        needed: EQUAL,
    },
];

/// The player that is as written until it has found something better.
///
/// # Errors
/// If a kind of search does not go with what else is written.
pub(super) fn learner<G: Game>(
    playable: &Playable<G>,
    role: RoleId,
    spec: &PlayerSpec,
    seed: u64,
) -> Result<Learner<G>, BadSpec> {
    let has_advice = playable.advice().is_some();
    let mut others = Vec::new();
    for other in &OTHERS {
        let settings = spec.with_all(other.written)?.settings().search;
        if settings.advice.is_some() && !has_advice {
            continue;
        }
        others.push(Candidate {
            maker: maker(playable, settings),
            prior: other.prior,
            needed: other.needed,
        });
    }
    let usual = maker(playable, spec.settings().search);
    let lessons = Arc::clone(playable.lessons());
    let game = &playable.game;
    Ok(Learner::new(game, role, usual, others, lessons, seed))
}

/// Makes searches with these settings, without advice where there is none.
fn maker<G: Game>(playable: &Playable<G>, settings: Settings) -> Maker<G> {
    let playable = playable.clone();
    Box::new(move |role, seed| {
        let plain = || {
            let player = Uct::new(&playable.game, role, settings, seed);
            match playable.leaves() {
                Some(source) => player.with_leaves(source),
                None => player,
            }
        };
        let search = searcher(&playable, role, settings, seed);
        Box::new(search.unwrap_or_else(|_| plain()))
    })
}
