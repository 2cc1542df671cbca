//! What the environment asks of a test run.

/// A number from the environment, such as `PAIDIA_FUZZ_SEED`.
///
/// # Panics
/// If the variable is set to something else.
#[must_use]
pub fn number(variable: &str, usual: u64) -> u64 {
    let Ok(value) = std::env::var(variable) else {
        return usual;
    };
    let number = value.parse();
    number.unwrap_or_else(|_| panic!("{variable} is `{value}`, which is not a whole number"))
}

/// Whether `PAIDIA_FULL=1` asks for everything that takes minutes.
#[must_use]
pub fn full() -> bool {
    std::env::var_os("PAIDIA_FULL").is_some_and(|value| value == "1")
}

/// Whether a game is tried: all are, unless `PAIDIA_GAMES=a,b` names some.
#[must_use]
pub fn is_wanted(name: &str) -> bool {
    let wanted = std::env::var("PAIDIA_GAMES").ok();
    wanted.is_none_or(|wanted| wanted.split(',').any(|other| other == name))
}
