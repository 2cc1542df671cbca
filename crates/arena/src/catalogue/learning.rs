//! The default player, which finds out what works in the game at hand.

use std::sync::Arc;

use paidia_game::{Game, RoleId};
use paidia_search::learner::{Candidate, Learner, Maker};
use paidia_search::uct::{Advised, Leaves, Playouts, Rave, RaveUse, Selection, Settings, Uct};

use super::{BadPlayer, Key, Kind, is_puzzle, one_of, searcher};
use crate::playable::Playable;
use crate::spec::PlayerSpec;

pub(super) const LEARN: Key = Key {
    name: "learn",
    what: "whether half of a start clock of a second or more goes to games that tell which kind of search is best; not where a kind is asked for",
    wanted: "`yes` or `no`",
};

/// Keys that ask for a kind of search, so that there is nothing to find out.
const KINDS: &[&str] = &[
    "playouts",
    "rave",
    "advice",
    "history",
    "leaves",
    "sufficiency",
];

/// Whether a player finds out what works.
pub(super) fn learns<G: Game>(spec: &PlayerSpec, kind: &Kind, game: &G) -> Result<bool, BadPlayer> {
    let wanted = one_of(spec, LEARN, &[("yes", true), ("no", false)])?;
    let is_open = KINDS.iter().all(|key| !spec.values.contains_key(*key));
    Ok(kind.name == "paidia" && is_open && wanted.unwrap_or(true) && !is_puzzle(game))
}

/// The player that has these settings until it has found something better.
pub(super) fn learner<G: Game>(
    playable: &Playable<G>,
    role: RoleId,
    settings: Settings,
    seed: u64,
) -> Learner<G> {
    let others = others(settings, playable.advice().is_some());
    let others = others.into_iter().map(|(expected, other)| Candidate {
        maker: maker(playable, other),
        expected,
    });
    let usual = maker(playable, settings);
    let lessons = Arc::clone(playable.lessons());
    Learner::new(&playable.game, role, usual, others.collect(), lessons, seed)
}

/// The kinds of search that are tried beside the usual one, each with the part of the points that it has in the mean of many games.
fn others(usual: Settings, has_advice: bool) -> Vec<(f64, Settings)> {
    let scalar = Settings {
        leaves: Leaves::Scalar,
        history: None,
        ..usual
    };
    let rave = Rave {
        exploration: 40.0,
        equivalence: 700.0,
        usage: RaveUse::Adaptive { margin: 0.0 },
    };
    let plain = Settings {
        history: None,
        ..usual
    };
    let advised = Settings {
        advice: Some(Advised::default()),
        ..usual
    };
    let by = |mut playouts: Playouts, factor: f64| {
        if let Playouts::Moves { decay, .. } | Playouts::Sequences { decay, .. } = &mut playouts {
            *decay = factor;
        }
        Settings { playouts, ..scalar }
    };
    let recorded = Settings {
        selection: Selection::Rave(rave),
        ..scalar
    };
    let mut others = vec![
        (0.45, plain),
        (0.40, by(Playouts::moves(10.0), 0.4)),
        (0.38, by(Playouts::sequences(), 0.6)),
        (0.27, recorded),
    ];
    if has_advice {
        others.push((0.48, advised));
    }
    others
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
