//! Players made for hidden information, and their options.

use paidia_game::{Game, Information, RoleId};
use paidia_imperfect::players::{
    Equilibrist, HyperPlay, HyperPlaySettings, HyperPlayTwo, InformationSetSearch, LegalPlayer,
    Observer, TreeSettings,
};
use paidia_search::{Player, RandomPlayer};

use super::{Algorithm, Number, PlayerSetting, Whole, Words};
use crate::options::Setting;
use crate::playable::Playable;
use crate::spec::{BadPlayer, PlayerSpec};

/// What is set about them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HiddenSettings {
    bag: HyperPlaySettings,
    trees: TreeSettings,
    percepts_only: bool,
}

/// What a filter concludes from.
pub(super) const FILTER: &[PlayerSetting] = &[Setting::new(
    "percepts",
    "what is concluded from: percepts that came and those that did not, or those that came alone",
    &Words {
        words: &[("all", false), ("only", true)],
        get: |s| Some(s.hidden.percepts_only),
        set: |s, only| s.hidden.percepts_only = only,
    },
)];

/// How many hypergames are kept.
pub(super) const BAG: &[PlayerSetting] = &[Setting::new(
    "hypergames",
    "histories of the match that are kept, at most, of those that agree with what was told",
    &Whole {
        range: (1, 1_000_000),
        get: |s| Some(s.hidden.bag.hypergames),
        set: |s, number| {
            s.hidden.bag.hypergames = number;
            s.hidden.trees.hypergames = number;
        },
    },
)];

/// The resource index.
pub(super) const INDEX: &[PlayerSetting] = &[Setting::new(
    "index",
    "the resource index: that many hypergames, each with that many playouts or simulations; 0 for as many as the clock allows",
    &Whole {
        range: (0, 10_000),
        get: |s| Some(s.hidden.bag.index),
        set: |s, index| s.hidden.bag.index = index,
    },
)];

/// Tree search over information sets.
pub(super) const TREES: &[PlayerSetting] = &[
    Setting::new(
        "observer",
        "whose information sets the tree is made of: those of every role, or of the player alone",
        &Words {
            words: &[
                ("multiple", Observer::Multiple),
                ("single", Observer::Single),
            ],
            get: |s| Some(s.hidden.trees.observer),
            set: |s, observer| s.hidden.trees.observer = observer,
        },
    ),
    Setting::new(
        "exploration",
        "the constant of UCB; goals count from 0 to 100",
        &Number {
            range: (0.0, 1e6),
            get: |s| Some(s.hidden.trees.exploration),
            set: |s, constant| s.hidden.trees.exploration = constant,
        },
    ),
    Setting::new(
        "choice",
        "the move that is made in the end: the most visited, or one drawn by visits",
        &Words {
            words: &[("visits", false), ("drawn", true)],
            get: |s| Some(s.hidden.trees.mixed),
            set: |s, mixed| s.hidden.trees.mixed = mixed,
        },
    ),
];

/// Whether a player is made for hidden information.
pub(super) fn is_made_for(algorithm: Algorithm) -> bool {
    matches!(
        algorithm,
        Algorithm::HyperPlay
            | Algorithm::HyperPlayTwo
            | Algorithm::InformationSets
            | Algorithm::Equilibrium
            | Algorithm::Filter
    )
}

/// Such a player, if it is one.
///
/// # Errors
/// If it needs what the engine does not have.
pub(super) fn make<G: Game>(
    spec: &PlayerSpec,
    playable: &Playable<G>,
    role: RoleId,
    seed: u64,
) -> Result<Option<Box<dyn Player<G>>>, BadPlayer> {
    let game = &playable.game;
    let HiddenSettings {
        bag,
        trees,
        percepts_only,
    } = spec.settings().hidden;
    Ok(Some(match spec.settings().algorithm {
        Algorithm::HyperPlay => Box::new(HyperPlay::new(game, role, bag, seed)),
        Algorithm::HyperPlayTwo => Box::new(HyperPlayTwo::new(game, role, bag, seed)),
        Algorithm::InformationSets => Box::new(InformationSetSearch::new(game, role, trees, seed)),
        Algorithm::Equilibrium => {
            let other = InformationSetSearch::new(game, role, trees, seed);
            let solutions = playable.solutions().clone();
            Box::new(Equilibrist::new(
                game,
                role,
                Box::new(other),
                solutions,
                seed,
            ))
        }
        // Where nothing is hidden every legal move is known.
        Algorithm::Filter if game.facts().information == Information::Perfect => {
            Box::new(RandomPlayer::new(game, role, seed))
        }
        Algorithm::Filter => {
            let network = playable.network();
            let network = network.ok_or(BadPlayer::NeedsNetwork(spec.entry().name))?;
            Box::new(LegalPlayer::new(network.clone(), role, percepts_only, seed))
        }
        _ => return Ok(None),
    }))
}
