//! Games with hidden information: players are told their own moves and what they see.

use crate::player::client::Player;

/// A coin is thrown, a player is told or not, and calls it.
fn coin(percept: &str) -> String {
    format!(
        "(role caller) (role random) (init throwing) (side heads) (side tails)
        (<= (legal random (throw ?s)) (true throwing) (side ?s)) (<= (legal caller wait) (true throwing))
        (<= (legal random noop) (true (coin ?c))) (<= (legal random noop) (true (called ?c)))
        (<= (legal caller (call ?s)) (true (coin ?c)) (side ?s))
        (<= (next (coin ?s)) (does random (throw ?s)))
        (<= (next right) (true (coin ?s)) (does caller (call ?s)))
        (<= (next (called ?s)) (does caller (call ?s)))
        {percept}
        (<= terminal (true (called ?s)))
        (<= (goal caller 100) (true right)) (<= (goal caller 0) (not (true right))) (<= (goal random 0) (true throwing))
        (<= (goal random 50) (not (true throwing)))"
    )
}

const SEEN: &str = "(<= (sees caller (shown ?s)) (does random (throw ?s)))";

#[test]
fn what_is_seen_is_believed() {
    for spelling in [str::to_owned, str::to_uppercase] {
        for side in ["heads", "tails"] {
            let player = Player::new("uct(memory=64)");
            let say = |text: String| player.say(spelling(&text)).to_lowercase();
            assert_eq!(
                say(format!("(start m caller ({}) 2 2)", coin(SEEN))),
                "ready"
            );
            assert_eq!(say("(play m 0 nil nil)".to_owned()), "wait");
            let told = format!("(play m 1 wait ((shown {side})))");
            assert_eq!(say(told.clone()), format!("(call {side})"));
            assert_eq!(say(told), format!("(call {side})"), "it came twice");
            assert_eq!(say(format!("(stop m 2 (call {side}) nil)")), "done");
            let over = player.told().to_lowercase();
            assert!(over.contains("over: caller 100"), "{over}");
        }
    }
}

#[test]
fn what_is_not_seen_is_guessed() {
    let player = Player::new("uct(memory=64)");
    player.say(format!(
        "(START m caller ({}) 1 1)",
        coin("(<= (sees caller ready) (true throwing))")
    ));
    assert_eq!(player.say("(PLAY m 0 NIL NIL)"), "wait");
    let call = player.say("(PLAY m 1 wait (ready))");
    assert!(["(call heads)", "(call tails)"].contains(&&*call), "{call}");
    assert_eq!(player.say(format!("(STOP m 2 {call} ())")), "done");
}

#[test]
fn what_cannot_be_is_told_of_and_a_legal_move_is_made_all_the_same() {
    let player = Player::new("random");
    player.say(format!("(START m caller ({}) 1 1)", coin(SEEN)));
    assert_eq!(player.say("(PLAY m 0 NIL NIL)"), "wait");
    let call = player.say("(PLAY m 1 wait ((shown edge)))");
    assert!(call.starts_with("(call "), "{call}");
    assert!(
        player.told().contains("no state was found"),
        "{}",
        player.told()
    );
    assert!(
        player
            .say("(PLAY m 7 (call heads) ())")
            .starts_with("(call ")
    );
    assert!(
        player.told().contains("this is turn 7"),
        "{}",
        player.told()
    );
}
