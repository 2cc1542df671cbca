//! The filter against the truth of random matches, and its verdicts where the rules tell them.

use paidia_game::{RoleId, Rules};
use paidia_imperfect::filter::{Filter, Known, Verdict, try_out};
use paidia_imperfect::{Explorer, Limits, unfold};
use paidia_reason::propnet::{GroundGame, Propnet};
use paidia_testkit::rules::{bundled, rules};

use crate::players::BOMB;
use crate::symbolic::MONTY;

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

/// A bid that is seen excludes every other move of who made it, so that a call is known, too.
#[test]
fn players_of_liars_dice_know_their_moves() {
    for role in [0, 1] {
        let verdict = verdict("liars-dice", role);
        assert!(verdict.legal && verdict.terminal, "{verdict:?}");
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

/// Examples 2 and 4 of the paper: `obs` comes if `a` does not hold, which `b` of anything makes
/// true. To perceive it tells that no `b` holds; not to perceive it tells nothing.
#[test]
fn what_is_perceived_excludes_each_of_its_reasons_and_what_is_not_excludes_none() {
    let text = "(role agent) (role random) (init (step 1))
(<= (legal random (set ?s)) (true (step 1)) (choice ?s))
(<= (legal random noop) (not (true (step 1))))
(legal agent noop)
(choice none) (choice one) (choice two) (choice both)
(<= (next (b 1)) (does random (set one))) (<= (next (b 1)) (does random (set both)))
(<= (next (b 2)) (does random (set two))) (<= (next (b 2)) (does random (set both)))
(<= (next (b ?x)) (true (b ?x)))
(<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
(<= a (true (b ?x)))
(<= (sees agent obs) (true (step 2)) (not a))
(<= terminal (true (step 3)))
(<= (goal agent 100) a) (<= (goal agent 0) (not a))";
    let game = rules(text).ground();
    let propnet = Propnet::new(game.clone());
    let noop = propnet.moves().find("noop").unwrap();
    let obs = propnet.percepts().find("obs").unwrap();
    for (percepts, expected) in [(vec![obs], Known::No), (vec![], Known::Unknown)] {
        let mut filter = Filter::new(&game, RoleId(0), false);
        filter.see(noop, &[]).unwrap();
        filter.see(noop, &percepts).unwrap();
        assert_eq!(of(&game, &filter, "(b 1)"), expected);
        assert_eq!(of(&game, &filter, "(b 2)"), expected);
    }
}

fn of(game: &GroundGame, filter: &Filter<&GroundGame>, name: &str) -> Known {
    let place = game.fluents.iter().position(|fluent| fluent == name);
    filter.fluents()[place.unwrap()]
}

/// Example 3: the door that the candidate sees opened is open, the others are closed.
#[test]
fn a_door_that_is_seen_to_open_is_known() {
    let game = rules(MONTY).ground();
    let propnet = Propnet::new(game.clone());
    let id = |name: &str| propnet.moves().find(name).unwrap();
    let mut filter = Filter::new(&game, RoleId(0), false);
    filter.see(id("(choose_door 1)"), &[]).unwrap();
    let three = propnet.percepts().find("3").unwrap();
    filter.see(id("noop"), &[three]).unwrap();
    let known = ["(closed 1)", "(closed 2)", "(closed 3)", "(chosen 1)"]
        .map(|name| of(&game, &filter, name));
    assert_eq!(known, [Known::Yes, Known::Yes, Known::No, Known::Yes]);
    // The filter concludes nothing from a move being legal only if the car is elsewhere.
    assert_eq!(of(&game, &filter, "(car 1)"), Known::Unknown);
}

/// As the paper prints it, the last line asks for a card, so that who loses has no goal to know.
#[test]
fn monty_hall_as_printed_has_no_goal_for_who_loses() {
    let lost = "(<= (goal candidate 0) (true (chosen ?d)) (not (true (car ?d))))";
    let printed = MONTY.replace(
        lost,
        "(<= (goal candidate 0) (true (chosen ?d)) (not (true (car ?d))) (true (card ?d)))",
    );
    assert_ne!(printed, MONTY);
    for (text, goal) in [(MONTY, true), (&*printed, false)] {
        let verdict = try_out(&rules(text).ground(), RoleId(0), 100, 20, false, 1);
        assert_eq!(three(verdict), (true, true, goal));
        assert_eq!(verdict.unsound, 0);
    }
}

/// Nothing tells the agent of the printed bomb whether it exploded, unless it asked.
#[test]
fn the_agent_that_waits_does_not_know_what_became_of_the_bomb() {
    let verdict = try_out(&rules(BOMB).ground(), RoleId(0), 100, 20, false, 1);
    assert_eq!((three(verdict), verdict.unsound), ((true, true, false), 0));
}

/// One move of chance that lays out both ships is seen in half, which the filter cannot use; two
/// moves are.
#[test]
fn ships_laid_out_by_one_move_are_beyond_the_filter() {
    for (name, knows) in [
        ("battleships-in-fog", false),
        ("battleships-in-fog-split", true),
    ] {
        let verdict = try_out(&bundled(name).ground(), RoleId(0), 2, 4, false, 1);
        assert_eq!((verdict.legal, verdict.unsound), (knows, 0), "{name}");
    }
}

/// The counts of the specification: states 1, 9, 12, 12 and developments 1, 9, 12, 24 by step, and
/// information sets of the candidate 1, 3, 6, 24; without the last percept 12 at the end.
#[test]
fn monty_hall_unfolds_as_the_specification_counts() {
    let told = "(<= (sees candidate ?d) (true (step 3)) (true (car ?d)))";
    for (text, last) in [(MONTY.to_owned(), 24), (MONTY.replace(told, ""), 12)] {
        let game = rules(&text).propnet();
        let mut explorer = Explorer::new(&game, Limits::default()).unwrap();
        let unfolding = unfold(&mut explorer, None).unwrap();
        assert_eq!(explorer.table.states.len(), 34);
        let layers = 0..=unfolding.depth();
        let developments: Vec<f64> = layers
            .map(|depth| {
                unfolding
                    .layer(depth)
                    .map(|at| unfolding.histories[at])
                    .sum()
            })
            .collect();
        assert_eq!(developments, [1.0, 9.0, 12.0, 24.0]);
        let sets = &unfolding.players[0];
        let of_depth = |depth: u32| sets.depth.iter().filter(|&&own| own == depth).count();
        assert_eq!([0, 1, 2, 3].map(of_depth), [1, 3, 6, last]);
    }
}
