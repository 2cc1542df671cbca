//! Matches between players over HTTP, well-behaved and others.

mod faults;
mod hidden;
mod matches;
mod stand_in;

use std::sync::Arc;
use std::time::Duration;

use paidia_arena::record::{Heading, MatchRecord, Recorder, match_id, verify};
use paidia_arena::{MatchEnd, Referee, Seat, Seats};
use paidia_game::{RoleId, Rules};
use paidia_gdl::{Source, syntax};
use paidia_reason::Reference;
use paidia_server::ggp::host::{Address, Clocks, RemotePlayer, Terms};
use paidia_testkit::RuleSheet;

/// Two rounds in which both choose at the same time: the shortest game with something to choose
/// twice.
const PENNIES: &str = "
    (role even) (role odd) (init (round 1)) (side heads) (side tails)
    (<= (legal ?role (show ?side)) (role ?role) (side ?side))
    (<= (next (round 2)) (true (round 1)))
    (<= (next (round 3)) (true (round 2)))
    (<= (next (won even)) (does even ?move) (does odd ?move))
    (<= (next (won ?role)) (true (won ?role)))
    (<= terminal (true (round 3)))
    (<= (goal even 100) (true (won even)))
    (<= (goal even 0) (not (true (won even))))
    (<= (goal odd 0) (true (won even)))
    (<= (goal odd 100) (not (true (won even))))";

fn sheet(name: &str, rules: &str) -> syntax::Sheet {
    syntax::read(&Source::new(name, rules)).sheet
}

fn load(name: &str, rules: &str) -> Reference {
    RuleSheet::new(name, rules).reference()
}

/// Clocks of a second, and one more for the way: the tests' machine may be busy.
const CLOCKS: Clocks = Clocks {
    preview: None,
    start: Duration::from_secs(1),
    play: Duration::from_secs(1),
    grace: Duration::from_secs(1),
};

/// The terms of a match.
fn terms(name: &str, rules: &str, clocks: Clocks) -> Terms {
    Terms::new(&match_id(name), &sheet(name, rules), clocks)
}

/// The seats of the players at these addresses, one a role, `random` left out.
fn seats(game: &Reference, addresses: &[&Address], terms: Terms) -> Seats<Reference> {
    let terms = Arc::new(terms);
    let mut addresses = addresses.iter();
    let seat = |role: RoleId| {
        let address = (Some(role) != game.facts().random()).then(|| addresses.next().unwrap())?;
        let seat = RemotePlayer::new(game, role, address, &terms);
        Some(Box::new(seat) as Box<dyn Seat<Reference>>)
    };
    game.facts().role_ids().map(seat).collect()
}

/// Plays a match and gives its record, which has been repeated.
fn played(game: &Reference, mut seats: Seats<Reference>) -> (MatchEnd, MatchRecord) {
    let referee = Referee::new(game, 500).asking_together();
    let mut played = referee.start(&game.initial(), 1);
    let mut recorder = Recorder::new(game, Heading::default(), &game.initial());
    referee.open(&mut played, &mut seats);
    recorder.open(&played.opening);
    let result = loop {
        if let Some(result) = referee.step(&mut played, &mut seats) {
            break result;
        }
        recorder.step(played.moves.last().unwrap(), played.state());
    };
    referee.close(&played, &mut seats, &result);
    let record = recorder.finish(&result);
    assert_eq!(verify(game, &record), []);
    (result, record)
}
