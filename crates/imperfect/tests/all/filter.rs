//! The filter against the truth of random matches, and its verdicts where the rules tell them.

use paidia_game::RoleId;
use paidia_imperfect::filter::{Verdict, try_out};
use paidia_testkit::rules::{bundled, rules};

fn verdict(name: &str, role: u16) -> Verdict {
    let verdict = try_out(&bundled(name).ground(), RoleId(role), 60, 60, false, 1);
    assert_eq!(verdict.unsound, 0, "{name}");
    assert!(verdict.rounds > 100);
    verdict
}

fn three(verdict: Verdict) -> (bool, bool, bool) {
    (verdict.legal, verdict.terminal, verdict.goal)
}

#[test]
fn the_candidate_of_monty_hall_always_knows_all() {
    assert_eq!(three(verdict("monty-hall", 0)), (true, true, true));
}

/// Players of Kuhn poker do not see the other's card after a fold; the goal is known by the stakes.
#[test]
fn poker_players_know_their_moves() {
    for role in [0, 1] {
        let verdict = verdict("kuhn-poker", role);
        assert!(verdict.legal && verdict.terminal);
    }
}

/// The rule of Krieg-Tic-Tac-Toe that the paper quotes needs a disjunction; put another way it does
/// not. One player marks a row of two squares, the other's are hidden; a try tells success.
#[test]
fn a_blank_that_may_be_an_opponent_is_beyond_the_filter() {
    let sheet = |legal: &str| {
        format!(
            "(role x) (role o) (idx 1) (idx 2) (idx 3)
(<= (init (cell ?n blank)) (idx ?n)) (init (control x)) (init (left 5))
(opponent x o) (opponent o x) (less 5 4) (less 4 3) (less 3 2) (less 2 1) (less 1 0)
{legal}
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (succeeds ?p ?n) (does ?p (mark ?n)) (true (cell ?n blank)))
(<= (filled ?n) (succeeds ?p ?n))
(<= (next (cell ?n ?p)) (succeeds ?p ?n))
(<= (next (cell ?n ?c)) (true (cell ?n ?c)) (not (filled ?n)))
(<= (next (control ?q)) (true (control ?p)) (opponent ?p ?q))
(<= (next (left ?m)) (true (left ?n)) (less ?n ?m))
(<= (sees ?p ok) (succeeds ?p ?n))
(<= blank_left (true (cell ?n blank)))
(<= terminal (true (left 0)))
(<= terminal (not blank_left))
(<= (goal ?p 50) (role ?p))"
        )
    };
    let quoted =
        "(<= (legal ?p (mark ?n)) (true (control ?p)) (true (cell ?n ?c)) (distinct ?c ?p))";
    let other = "(<= (legal ?p (mark ?n)) (true (control ?p)) (idx ?n) (not (true (cell ?n ?p))))";
    for (legal, knows) in [(quoted, false), (other, true)] {
        for role in [0, 1] {
            let verdict = try_out(
                &rules(&sheet(legal)).ground(),
                RoleId(role),
                100,
                20,
                false,
                3,
            );
            assert_eq!(verdict.unsound, 0);
            // The first player knows that the board is empty at its first try, and no more later.
            assert_eq!(verdict.legal, knows, "role {role}: {legal}");
        }
    }
}

/// Where every role sees all moves, nothing is ever unknown (the paper's claim of completeness).
#[test]
fn who_sees_all_moves_knows_the_state() {
    let text = "(role a) (role b) (init (heap 5)) (init (control a))
(<= (sees ?r (moved ?q ?m)) (role ?r) (does ?q ?m))
(take 1) (take 2) (other a b) (other b a)
(minus 5 1 4) (minus 5 2 3) (minus 4 1 3) (minus 4 2 2) (minus 3 1 2) (minus 3 2 1) (minus 2 1 1) (minus 2 2 0) (minus 1 1 0)
(<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?h)) (minus ?h ?n ?rest))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (heap ?rest)) (does ?p (take ?n)) (true (heap ?h)) (minus ?h ?n ?rest))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= terminal (true (heap 0)))
(<= (goal ?p 100) (true (heap 0)) (not (true (control ?p))) (role ?p))
(<= (goal ?p 0) (true (heap 0)) (true (control ?p)))
(<= (goal ?p 50) (role ?p) (not (true (heap 0))))";
    for role in [0, 1] {
        let verdict = try_out(&rules(text).ground(), RoleId(role), 50, 20, false, 1);
        assert_eq!(three(verdict), (true, true, true));
        assert_eq!(verdict.unsound, 0);
    }
}
