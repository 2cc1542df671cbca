//! The texts of fluents and moves, taken apart without copying.

/// The name and the arguments of a term in canonical form; a constant has no arguments.
pub(crate) fn take_apart(text: &str) -> (&str, Vec<&str>) {
    let Some(inner) = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        return (text, Vec::new());
    };
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (place, byte) in inner.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b' ' if depth == 0 => {
                parts.push(&inner[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    (parts.remove(0), parts)
}

/// A term as one word: `(piece red 3)` is `piece_red_3`.
pub(crate) fn word(term: &str) -> String {
    let plain: String = term.chars().filter(|c| !matches!(c, '(' | ')')).collect();
    plain.replace(' ', "_")
}

#[cfg(test)]
mod tests {
    use super::{take_apart, word};

    #[test]
    fn terms_have_names_and_arguments() {
        assert_eq!(take_apart("done"), ("done", vec![]));
        assert_eq!(take_apart("(cell 1 2 x)"), ("cell", vec!["1", "2", "x"]));
        let nested = take_apart("(at (square 1 2) (piece (red)))");
        assert_eq!(nested, ("at", vec!["(square 1 2)", "(piece (red))"]));
        assert_eq!(word("(piece (red 1) king)"), "piece_red_1_king");
    }

    #[test]
    fn nonsense_is_taken_apart_somehow() {
        for text in ["", "(", ")", "()", "( a", "(a  b)", "(a))", "((a) b)"] {
            take_apart(text);
        }
    }
}
