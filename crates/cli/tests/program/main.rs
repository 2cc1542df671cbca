//! The program as a user runs it: the real binary, its output and its exit codes.

mod boards;
mod browser;
mod bundled;
mod engines;
mod faults;
mod fuzz;
mod hidden;
mod hosting;
mod matches;
mod measuring;
mod player;
mod playing;
mod realtime;
mod replaying;
mod resuming;
mod rules;
mod strength;
mod studies;
mod tournaments;
mod video;
mod web;
mod workers;

use paidia_testkit::process::{Process, Run};

/// The program that was just built.
const PAIDIA: &str = env!("CARGO_BIN_EXE_paidia");

/// Starts the program where it listens for others: its process, and the address that it says.
fn listening(arguments: &[&str]) -> (Process, String) {
    Process::listening(PAIDIA, arguments)
}

/// Runs the program.
fn paidia(arguments: &[&str]) -> Run {
    Run::new(PAIDIA, arguments, "")
}

/// Runs the program with something on its standard input.
fn paidia_with_input(arguments: &[&str], input: &str) -> Run {
    Run::new(PAIDIA, arguments, input)
}

/// A game of one move among a thousand million: no machine makes a network of it.
const HUGE: &str = "(role a) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
    (init (at 0 0 0 0 0 0 0 0 0))
    (<= (legal a (go ?a ?b ?c ?d ?e ?f ?g ?h ?i))
        (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (d ?h) (d ?i))
    (<= (next (at ?a ?b ?c ?d ?e ?f ?g ?h ?i)) (does a (go ?a ?b ?c ?d ?e ?f ?g ?h ?i)))
    (<= terminal (true (at 9 9 9 9 9 9 9 9 9))) (goal a 0)";

/// A game of one move: `a` gets 100 for `win`, and 30 for `give_up`.
const ONE_MOVE: &str = "(role a) (init start)
(<= (legal a win) (true start)) (<= (legal a give_up) (true start))
(<= (next won) (does a win)) (<= (next lost) (does a give_up))
(<= terminal (true won)) (<= terminal (true lost))
(<= (goal a 100) (true won)) (<= (goal a 30) (true lost)) (<= (goal a 0) (true start))";
