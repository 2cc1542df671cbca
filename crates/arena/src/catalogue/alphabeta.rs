//! The player that searches with alpha-beta.

use paidia_game::{Game, RoleId};
use paidia_search::alphabeta::{AlphaBeta, NotInTurn, Settings};
use paidia_search::uct;

use super::tree::YES_OR_NO;
use super::{PlayerSetting, Words};
use crate::options::Setting;
use crate::playable::Playable;

/// Its options, beside the memory.
pub(super) const OWN: &[PlayerSetting] = &[
    Setting::new(
        "quiescence",
        "whether it looks on while pieces are being taken",
        &Words {
            words: YES_OR_NO,
            get: |s| Some(s.alphabeta.quiescence),
            set: |s, quiescence| s.alphabeta.quiescence = quiescence,
        },
    ),
    Setting::new(
        "reductions",
        "whether late moves are searched less deeply first",
        &Words {
            words: YES_OR_NO,
            get: |s| Some(s.alphabeta.reductions),
            set: |s, reductions| s.alphabeta.reductions = reductions,
        },
    ),
];

/// What it shares with tree searches: the memory.
pub(super) fn usual() -> uct::Settings {
    uct::Settings {
        memory: Settings::default().memory,
        ..uct::Settings::cadia()
    }
}

/// The player.
///
/// # Errors
/// If it is no game of two in turn.
pub(super) fn make<G: Game>(
    playable: &Playable<G>,
    role: RoleId,
    settings: Settings,
    memory: usize,
    seed: u64,
) -> Result<AlphaBeta<G>, NotInTurn> {
    let settings = Settings { memory, ..settings };
    AlphaBeta::new(&playable.game, role, settings, playable.pupil(seed))
}
