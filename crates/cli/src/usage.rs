//! What is wrong with a call, in words for people.
//!
//! The parser of arguments quotes what the standard library says about a number that cannot be
//! read, which is made for programmers. Those words are replaced here, in one place for all
//! options.

use clap::Error;

/// What the standard library says, and what is meant.
const WORDS: &[(&str, &str)] = &[
    ("invalid digit found in string", "it is not a whole number"),
    (
        "cannot parse integer from empty string",
        "it is empty, not a whole number",
    ),
    ("number too large to fit in target type", "it is too large"),
    ("number too small to fit in target type", "it is too small"),
    (
        "number would be zero for non-zero type",
        "it must be at least 1",
    ),
    ("invalid float literal", "it is not a number"),
    (
        "cannot parse float from empty string",
        "it is empty, not a number",
    ),
];

/// Says what is wrong with the call, or shows the help that was asked for, and ends the program.
pub(crate) fn explain(error: &Error) -> ! {
    let shown = plain(&error.render().ansi().to_string());
    match error.use_stderr() {
        true => anstream::eprint!("{shown}"),
        false => anstream::print!("{shown}"),
    }
    std::process::exit(error.exit_code())
}

/// The same without words that are made for programmers.
pub(crate) fn plain(text: &str) -> String {
    let replaced = |text: String, &(from, to): &(&str, &str)| text.replace(from, to);
    WORDS.iter().fold(text.to_owned(), replaced)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn numbers_that_cannot_be_read_are_called_so() {
        let errors = [
            "x".parse::<u64>().unwrap_err().to_string(),
            "".parse::<u16>().unwrap_err().to_string(),
            "70000".parse::<u16>().unwrap_err().to_string(),
            "-70000".parse::<i16>().unwrap_err().to_string(),
            "0".parse::<std::num::NonZeroUsize>()
                .unwrap_err()
                .to_string(),
            "x".parse::<f64>().unwrap_err().to_string(),
            "".parse::<f64>().unwrap_err().to_string(),
        ];
        for error in errors {
            let said = plain(&error);
            assert!(said.starts_with("it "), "{error}: {said}");
        }
    }
}
