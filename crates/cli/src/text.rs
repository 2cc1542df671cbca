//! Numbers and lists as people like to read them.

pub(crate) use paidia_arena::text::{grouped, nearest};

/// A number of things: `1 state`, `2,000 states`.
pub(crate) fn count(number: u128, thing: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", grouped(number))
}

/// A positive number with three digits that matter, large ones whole.
pub(crate) fn rounded(number: f64) -> String {
    if number >= 100.0 {
        grouped(number.round() as u128)
    } else if number >= 10.0 {
        format!("{number:.1}")
    } else {
        format!("{number:.2}")
    }
}

/// Parts of a whole in percent, the largest first: `engine 80.0 %, selection 20.0 %`.
pub(crate) fn shares<'a>(parts: impl Iterator<Item = (&'a str, f64)>) -> String {
    let mut parts: Vec<(&str, f64)> = parts.collect();
    parts.sort_by(|one, other| other.1.total_cmp(&one.1));
    let parts = parts.iter();
    let parts: Vec<String> = parts
        .map(|(name, share)| format!("{name} {:.1} %", share * 100.0))
        .collect();
    parts.join(", ")
}

/// Words in lines of at most `width` characters, each line after the first indented.
pub(crate) fn wrapped(words: &[String], width: usize, indent: usize) -> String {
    let mut text = String::new();
    let mut column = indent;
    for word in words {
        let length = word.chars().count();
        if text.is_empty() {
            column += length;
        } else if column + 1 + length > width {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent + length;
        } else {
            text.push(' ');
            column += 1 + length;
        }
        text.push_str(word);
    }
    text
}

/// An error with its causes, each told once: many errors quote their cause themselves.
pub(crate) fn error_in_words(error: &anyhow::Error) -> String {
    let mut words = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if words.is_empty() {
            words = cause;
        } else if !words.contains(cause.trim()) {
            words = format!("{words}: {cause}");
        }
    }
    crate::usage::plain(&words)
}

#[cfg(test)]
mod tests {
    use super::{count, rounded, shares, wrapped};

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(1, "state"), "1 state");
        assert_eq!(count(5478, "state"), "5,478 states");
        assert_eq!(rounded(0.5), "0.50");
        assert_eq!(rounded(12.34), "12.3");
        assert_eq!(rounded(123_456.7), "123,457");
    }

    #[test]
    fn parts_are_in_percent() {
        let parts = [("backup", 0.25), ("engine", 0.75)];
        assert_eq!(shares(parts.into_iter()), "engine 75.0 %, backup 25.0 %");
    }

    #[test]
    fn words_are_wrapped_with_an_indent() {
        let words = ["aaaa", "bbbb", "cccc"].map(str::to_owned);
        assert_eq!(wrapped(&words, 12, 2), "aaaa bbbb\n  cccc");
        assert_eq!(wrapped(&[], 12, 2), "");
    }
}
