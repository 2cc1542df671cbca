//! A game that hides things: what a host sends to each player, byte for byte.

use paidia_arena::MatchEnd;
use paidia_game::Rules;

use super::stand_in::{StandIn, reply};
use super::{CLOCKS, load, played, seats, terms};
use paidia_server::ggp::message::Message;

const VAULT: &str = include_str!("../../../../arena/tests/data/vault.kif");

/// A player that always chooses what is illegal, so that its moves are drawn.
fn clumsy() -> StandIn {
    StandIn::new(|message, stream| {
        let said = match message {
            Message::Start(_) => "READY",
            Message::Play { .. } => "nothing",
            _ => "done",
        };
        reply(stream, said);
        true
    })
}

#[test]
fn no_message_has_the_secret_of_another_role() {
    let game = load("vault", VAULT);
    let players = [clumsy(), clumsy()];
    let addresses = [&players[0].address, &players[1].address];
    let seats = seats(&game, &addresses, terms("vault", VAULT, CLOCKS));
    let (result, record) = played(&game, seats);
    assert!(matches!(result, MatchEnd::Over(_)), "{result:?}");
    assert_eq!(game.facts().roles, ["thief", "keeper", "random"]);
    // `(give garnet gypsum)`: the two words are the secret.
    let pair = |ply: usize, role: usize| {
        let text = record.moves[ply][role].clone();
        let words = text.trim_matches(['(', ')']).split_once(' ').unwrap().1;
        words.to_owned()
    };
    let (given, hidden, worn) = (pair(1, 2), pair(2, 1), pair(3, 0));
    let [thief, keeper] = players.map(|player| {
        let heard = player.heard.lock().unwrap();
        let bytes = heard.iter();
        let bytes = bytes.map(|request| format!("{}\n{}\n", request.head.join("\n"), request.body));
        bytes.collect::<String>()
    });
    for own in [&given, &hidden] {
        assert!(
            keeper.contains(own) && !thief.contains(own),
            "{own}: {thief}"
        );
    }
    assert!(
        thief.contains(&worn) && !keeper.contains(&worn),
        "{worn}: {keeper}"
    );
}
