//! The default player, which finds out what works in the game at hand.

use std::sync::Arc;

use paidia_game::{Game, RoleId};
use paidia_search::learner::{Belief, Candidate, Learner, Maker};
use paidia_search::uct::{Advised, Leaves, Playouts, Rave, RaveUse, Selection, Settings, Uct};

use super::{BadPlayer, Key, Kind, is_puzzle, one_of, searcher};
use crate::playable::Playable;
use crate::spec::PlayerSpec;

pub(super) const LEARN: Key = Key {
    name: "learn",
    what: "whether most of a start clock of half a second or more goes to games that tell which kind of search is best; not where a kind is asked for",
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
    let others = others.into_iter().map(|(belief, needed, other)| Candidate {
        maker: maker(playable, other),
        belief,
        needed,
    });
    let usual = maker(playable, settings);
    let lessons = Arc::clone(playable.lessons());
    Learner::new(&playable.game, role, usual, others.collect(), lessons, seed)
}

/// The kinds of search that are tried beside the usual one, each with what is believed of it, by some thousand games of forty
/// of the library: means of moves are the best in some and useless in most, and advice differs little from the usual.
fn others(usual: Settings, has_advice: bool) -> Vec<(Belief, f64, Settings)> {
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
    let belief = |expected, games| Belief { expected, games };
    // What learns from the moves of playouts does better in the short moves of trials than with more time: 81 % with 5 ms in 5x5 breakthrough, 35 % with 50.
    let quick = 0.75;
    let mut others = vec![
        (belief(0.40, 2.0), quick, by(Playouts::moves(10.0), 0.4)),
        (belief(0.38, 2.0), quick, by(Playouts::sequences(), 0.6)),
        (belief(0.45, 10.0), 0.5, plain),
        (belief(0.27, 2.0), quick, recorded),
    ];
    if has_advice {
        others.push((belief(0.48, 8.0), 0.5, advised));
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
