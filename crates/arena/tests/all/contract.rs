//! What all players and methods make of games that the bundled rules do not have: chance inside the
//! rules, and goals of any range. The games are made up from seeds, directly against the contract.

mod chance;
mod features;
mod goals;
mod made_up;
mod snapshots;

use paidia_arena::{BadPlayer, PLAYERS, Playable, PlayerSpec};
use paidia_game::RoleId;

use made_up::{MadeUp, Shape};

/// Players that choose by the state alone. The others play by what their role was told, and are
/// tested in whole matches.
fn players_of_states() -> impl Iterator<Item = &'static str> {
    let names = PLAYERS.iter().map(|kind| kind.name);
    names.filter(|name| {
        let player = named(name);
        let settings = player.settings();
        !settings.needs_history() && !settings.refuses_some()
    })
}

fn named(name: &str) -> PlayerSpec {
    name.parse().unwrap()
}

/// So that no player is left out of the tests of states without a word.
#[test]
fn players_of_one_kind_of_game_refuse_others_by_name() {
    let playable = Playable::new(MadeUp::new(1, Shape::PLAIN));
    let refused = PLAYERS.iter().filter_map(|kind| {
        let search = playable.search(&named(kind.name), RoleId(0), 1);
        match search.map(|_| ()) {
            Err(BadPlayer::NeedsHistory(name) | BadPlayer::OtherGame(name)) => Some(name),
            Err(BadPlayer::NeedsBoard | BadPlayer::OtherGames { .. }) => Some(kind.name),
            other => other.map(|()| None).unwrap(),
        }
    });
    let refused: Vec<_> = refused.collect();
    assert_eq!(
        refused,
        [
            "alphabeta",
            "hyperplay",
            "hyperplay-ii",
            "ismcts",
            "equilibrium",
            "video",
            "scout",
            "one-step",
            "breadth",
            "iw",
            "mcts",
            "fast-evo",
            "kb",
            "kb-fast-evo",
            "rolling",
            "olets",
            "filter",
            "board"
        ]
    );
    assert_eq!(players_of_states().count(), PLAYERS.len() - refused.len());
}
