//! Lines about what is done with rules, for tests and for the curious.

/// The environment variable that asks for lines about rules.
const VARIABLE: &str = "PAIDIA_TRACE";

/// Writes that something was done with the rules of a game, if such lines are wanted.
pub(super) fn note(done: &str, game: &str) {
    let wanted = std::env::var(VARIABLE);
    if wanted.is_ok_and(|wanted| wanted.split(',').any(|part| part == "rules")) {
        eprintln!("rules: {done} {game}");
    }
}
