//! The default player, which finds out what works in the game at hand.

use std::sync::Arc;

use paidia_game::{Game, RoleId};
use paidia_search::alphabeta::fits;
use paidia_search::evaluation::players_of;
use paidia_search::learner::{Candidate, Learner, Maker, Prior};
use paidia_search::leaves::Decisive;
use paidia_search::uct::{Settings, Uct};

use super::knowledge::{ADVICE, RAVE};
use super::playouts::PLAYOUTS;
use super::tree::{DECISIVE, EVALUATION, HISTORY, LEAVES, SUFFICIENCY, WEIGHTS};
use super::{PlayerSetting, Words, alphabeta, searcher};
use crate::options::{BadSpec, Setting};
use crate::playable::Playable;
use crate::spec::PlayerSpec;

/// Whether trials before the match choose the search.
pub(super) const LEARN: PlayerSetting = Setting::new(
    "learn",
    "whether most of a start clock of half a second or more goes to games that tell which kind of search is best; `plain` leaves out alpha-beta and what looks ahead or evaluates; not where a kind is asked for",
    &Words {
        words: &[
            ("yes", Learn::All),
            ("plain", Learn::Plain),
            ("no", Learn::No),
        ],
        get: |s| Some(s.learn),
        set: |s, learn| s.learn = learn,
    },
);

/// Which kinds of search are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Learn {
    /// None.
    No,
    /// Kinds of tree search with random playouts.
    Plain,
    /// All.
    All,
}

/// Options that ask for a kind of search, so that there is nothing to find out.
const SEARCHES: &[PlayerSetting] = &[
    PLAYOUTS,
    RAVE,
    ADVICE,
    HISTORY,
    LEAVES,
    SUFFICIENCY,
    EVALUATION,
    DECISIVE,
    WEIGHTS,
];

/// Whether a player finds out what works.
pub(super) fn learns(spec: &PlayerSpec) -> bool {
    spec.settings().learn != Learn::No && !SEARCHES.iter().any(|setting| spec.sets(setting))
}

/// A kind of search that is tried beside the usual one.
struct Other {
    /// The player that it is, by its name, where it is another than the usual one.
    player: Option<&'static str>,
    /// What is written to get it.
    written: &'static [(&'static str, &'static str)],
    prior: Prior,
    needed: f64,
}

impl Other {
    const fn tree(
        written: &'static [(&'static str, &'static str)],
        prior: Prior,
        needed: f64,
    ) -> Self {
        Self {
            player: None,
            written,
            prior,
            needed,
        }
    }

    /// Whether it is a tree search that neither looks ahead nor evaluates.
    fn is_plain(&self) -> bool {
        let is_new = |name: &str| name == EVALUATION.name || name == DECISIVE.name;
        self.player.is_none() && !self.written.iter().any(|(name, _)| is_new(name))
    }

    /// What lessons about it are kept under.
    fn name(&self) -> String {
        let options = self.written.iter();
        let options: Vec<String> = options
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        format!("{}({})", self.player.unwrap_or("tree"), options.join(","))
    }
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
const OTHERS: &[Other] = &[
    Other::tree(
        &[
            ("playouts", "mast"),
            ("decay", "0.4"),
            ("leaves", "one"),
            ("history", "no"),
        ],
        prior(0.40, 2.0),
        QUICK,
    ),
    Other::tree(
        &[
            ("playouts", "nst"),
            ("decay", "0.6"),
            ("leaves", "one"),
            ("history", "no"),
        ],
        prior(0.38, 2.0),
        QUICK,
    ),
    Other::tree(
        &[("rave", "adaptive"), ("leaves", "one"), ("history", "no")],
        prior(0.27, 2.0),
        QUICK,
    ),
    Other::tree(&[("history", "no")], prior(0.45, 10.0), EQUAL),
    Other::tree(&[("advice", "tree")], prior(0.48, 8.0), EQUAL),
    // With as many simulations it has 50 to 92 % of the points in games with gates for it, and is
    // as the usual one in others, so that it is taken until it is found worse.
    Other::tree(&[("decisive", "both")], prior(0.60, 8.0), EQUAL),
    Other {
        player: Some("alphabeta"),
        written: &[],
        prior: prior(0.45, 2.0),
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
    let mut others = Vec::new();
    let is_plain = spec.settings().learn == Learn::Plain;
    for other in OTHERS.iter().filter(|other| !is_plain || other.is_plain()) {
        let (maker, decisive) = match other.player {
            None => {
                let settings = spec.with_all(other.written)?.settings().search;
                let maker = can_be_made(playable, &settings).then(|| maker(playable, settings));
                (maker, settings.decisive)
            }
            Some(player) => {
                let player: PlayerSpec = player.parse()?;
                (alphabeta_maker(playable, &player), Decisive::No)
            }
        };
        let (own, is_tree) = (playable.clone(), other.player.is_none());
        let is_possible = move || match is_tree {
            true => decisive == Decisive::No || own.is_decisive(decisive),
            false => fits(&own.game).is_ok(),
        };
        others.extend(maker.map(|maker| Candidate {
            name: other.name(),
            is_possible: Box::new(is_possible),
            maker,
            prior: other.prior,
            needed: other.needed,
        }));
    }
    let usual = maker(playable, spec.settings().search);
    let lessons = Arc::clone(playable.lessons());
    let game = &playable.game;
    let learner = Learner::new(game, role, usual, others, lessons, seed);
    Ok(match is_plain {
        true => learner,
        false => learner.with_evaluation(playable.pupil(seed)),
    })
}

/// Whether the game has what a kind of search makes use of.
fn can_be_made<G: Game>(playable: &Playable<G>, settings: &Settings) -> bool {
    let has_advice = settings.advice.is_none() || playable.advice().is_some();
    let has_values = settings.evaluation.is_none() || players_of(&playable.game).is_ok();
    has_advice && has_values
}

/// Makes alpha-beta searches, if the game is one for them.
fn alphabeta_maker<G: Game>(playable: &Playable<G>, spec: &PlayerSpec) -> Option<Maker<G>> {
    let settings = *spec.settings();
    let (alphabeta, usual) = (settings.alphabeta, settings.search);
    players_of(&playable.game).ok()?;
    let playable = playable.clone();
    Some(Box::new(move |role, seed| {
        match alphabeta::make(&playable, role, alphabeta, usual.memory, seed) {
            Ok(player) => Box::new(player),
            // It is not tried where it does not fit.
            Err(_) => Box::new(Uct::new(&playable.game, role, usual, seed)),
        }
    }))
}

/// Makes searches with these settings, without advice where there is none.
fn maker<G: Game>(playable: &Playable<G>, settings: Settings) -> Maker<G> {
    let playable = playable.clone();
    Box::new(move |role, seed| {
        let plain = || {
            let player = Uct::new(&playable.game, role, settings, seed);
            let player = player.with_evaluation(playable.pupil(seed));
            match playable.leaves() {
                Some(source) => player.with_leaves(source),
                None => player,
            }
        };
        let search = searcher(&playable, role, settings, seed);
        Box::new(search.unwrap_or_else(|_| plain()))
    })
}
