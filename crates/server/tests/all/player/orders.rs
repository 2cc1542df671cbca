//! Messages that come twice, late, in the wrong order, or for another match.

use std::time::Duration;

use paidia_testkit::process::wait_until;

use crate::player::client::Player;

/// One role that goes twice and halts then, with other moves that it may make on the way.
const WALK: &str = "(role walker) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal walker go) (true (at ?n)) (distinct ?n 3) (distinct ?n 4))
    (<= (legal walker halt) (true (at 3)))
    (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
    (<= terminal (true (at 4))) (<= (goal walker 70) (true (at 4))) (<= (goal walker 0) (not (true (at 4))))";

/// Two roles that choose at the same time, for ever; what they chose last is not kept.
const DILEMMA: &str = "(role row) (role column) (init (round 1)) (choice stay) (choice Swerve)
    (<= (legal ?r ?c) (role ?r) (choice ?c)) (<= (next (round 1)) (true (round 1)))
    (<= terminal (true never)) (<= (goal ?r 50) (role ?r))";

fn start(id: &str, role: &str, rules: &str) -> String {
    format!("(START {id} {role} ({rules}) 5 5)")
}

#[test]
fn a_message_that_comes_twice_has_one_reply() {
    let player = Player::new("random");
    let begin = start("m", "row", DILEMMA);
    assert_eq!(player.say(&begin), "ready");
    assert_eq!(player.say(&begin), "ready");
    let first = player.say("(PLAY m NIL)");
    for _ in 0..8 {
        assert_eq!(player.say("(PLAY m NIL)"), first);
    }
    // These moves tell another move of ours than the last, so that they are news once, and then no
    // more.
    let other = if first == "stay" { "Swerve" } else { "stay" };
    let second = player.say(format!("(PLAY m ({other} stay))"));
    let third = player.say(format!("(PLAY m ({second} Swerve))"));
    for _ in 0..8 {
        if second != third {
            assert_eq!(player.say(format!("(PLAY m ({second} Swerve))")), third);
        }
    }
    assert_eq!(player.say("(STOP m (stay stay))"), "done");
    assert_eq!(player.say("(STOP m (stay stay))"), "done");
    assert_eq!(player.say("(ABORT m)"), "done");
}

#[test]
fn the_same_moves_may_be_made_twice() {
    let player = Player::new("random");
    assert_eq!(player.say(start("m", "walker", WALK)), "ready");
    assert_eq!(player.say("(PLAY m NIL)"), "go");
    assert_eq!(player.say("(PLAY m (go))"), "go");
    assert_eq!(player.say("(PLAY m (go))"), "halt");
    // This one cannot be made again.
    assert_eq!(player.say("(PLAY m (go))"), "halt");
    assert_eq!(player.say("(STOP m (halt))"), "done");
    assert!(
        player.told().contains("over: walker 70"),
        "{}",
        player.told()
    );
}

#[test]
fn the_host_decides_which_moves_are_made() {
    let player = Player::new("random");
    assert_eq!(player.say(start("m", "row", DILEMMA)), "ready");
    let first = player.say("(PLAY m NIL)");
    let other = if first == "stay" { "SWERVE" } else { "STAY" };
    player.say(format!("(PLAY m ({other} STAY))"));
    assert!(player.told().contains("the host has"), "{}", player.told());
    assert!(!player.told().contains("not legal"), "{}", player.told());
}

#[test]
fn moves_that_cannot_be_made_are_told_of_and_a_legal_one_is_chosen() {
    let player = Player::new("random");
    assert_eq!(player.say(start("m", "walker", WALK)), "ready");
    assert_eq!(player.say("(PLAY m NIL)"), "go");
    for news in ["(fly)", "(go go)", "(halt)"] {
        assert_eq!(player.say(format!("(PLAY m {news})")), "go");
        assert!(
            player
                .told()
                .contains(&format!("{news}: these moves are not legal"))
        );
    }
    assert_eq!(player.say("(PLAY m (GO))"), "go");
}

#[test]
fn matches_are_kept_apart() {
    let player = Player::with("random", |options| options.matches = 2);
    assert_eq!(player.say("(PLAY walk NIL)"), "busy");
    assert_eq!(player.say(start("walk", "walker", WALK)), "ready");
    assert!(player.say("(INFO)").contains("available"));
    assert_eq!(player.say(start("duel", "column", DILEMMA)), "ready");
    assert!(player.say("(INFO)").contains("busy"));
    assert_eq!(player.say(start("third", "walker", WALK)), "busy");
    assert_eq!(
        player.say(start("walk", "walker", DILEMMA)),
        "busy",
        "another match of this name"
    );
    assert_eq!(player.say("(PLAY walk NIL)"), "go");
    assert!(["stay", "Swerve"].contains(&&*player.say("(PLAY duel NIL)")));
    assert_eq!(player.say("(PLAY walk (go))"), "go");
    assert_eq!(player.say("(ABORT duel)"), "done");
    assert_eq!(player.say(start("third", "walker", WALK)), "ready");
    assert_eq!(player.say("(PLAY walk (go))"), "halt");
}

#[test]
fn what_cannot_be_played_is_refused_and_takes_no_seat() {
    let player = Player::new("random");
    let timed = "(role a) (init 1 x) (<= (legal a go) (true ?t x)) (<= (next infinity y) (does a go) (true ?t x))
        (<= terminal (true ?t y)) (<= (goal a 100) (true ?t y)) (<= (goal a 0) (true ?t x))";
    for (role, rules, why) in [
        ("a", "(role a) (<= (legal a", "do not match"),
        ("a", "(role a)", "faulty"),
        ("b", timed, "no role"),
        ("runner", WALK, "no role"),
    ] {
        let begin = start("m", role, rules);
        if rules.ends_with("(legal a") {
            let refused = paidia_testkit::http::ggp(player.address, &begin);
            assert!(refused.text().contains(why), "{}", refused.text());
            continue;
        }
        assert_eq!(player.say(&begin), "busy", "{rules}");
        assert!(player.told().contains(why), "{}", player.told());
        player.wait_until_available();
    }
    assert_eq!(player.say(start("m", "walker", WALK)), "ready");
    assert_eq!(player.say("(PLAY m (nil) 0.5)"), "busy");
    assert!(player.told().contains("no match in real time"));
    assert_eq!(player.say("(PREVIEW ((role a)) 1)"), "ready");
}

#[test]
fn a_host_that_falls_silent_loses_its_seat() {
    let player = Player::with("random", |options| {
        options.idle = Duration::from_millis(500);
    });
    let begin = format!("(START m walker ({WALK}) 1 1)");
    assert_eq!(player.say(&begin), "ready");
    player.wait_until_available();
    assert!(player.told().contains("fallen silent"), "{}", player.told());
}

#[test]
fn a_match_that_is_aborted_while_it_is_prepared_frees_its_seat() {
    let rules = paidia_library::find("connect-four").unwrap().rules;
    let player = Player::new("uct");
    let begin = format!("(START m red ({rules}) 600 60)");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| player.say(&begin));
        wait_until("the match is prepared", || {
            !player.say("(INFO)").contains("available")
        });
        assert_eq!(player.say("(ABORT m)"), "done");
        assert!(["ready", "busy"].contains(&&*waiting.join().unwrap()));
    });
    player.wait_until_available();
}
