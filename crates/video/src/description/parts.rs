//! Texts that have levels after the description.

/// The line after which a level begins in a text that has levels after the description.
pub const LEVEL_LINE: &str = "Level";

/// Where a text's description ends, and where the rows of its levels are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Bytes of the description.
    pub description: usize,
    /// The rows of each level.
    pub levels: Vec<std::ops::Range<usize>>,
}

/// Finds the levels of a text: each begins after a line `Level` that is not indented.
pub fn parts(text: &str) -> Parts {
    let mut parts = Parts {
        description: text.len(),
        levels: Vec::new(),
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if line.trim_end() == LEVEL_LINE {
            match parts.levels.last_mut() {
                Some(last) => last.end = start,
                None => parts.description = start,
            }
            parts.levels.push(end..text.len());
        }
        start = end;
    }
    parts
}

/// The text of a game with one of its levels only; none if it has no such level.
pub fn with_one_level(text: &str, number: usize) -> Option<String> {
    let parts = parts(text);
    let rows = &text[parts.levels.get(number)?.clone()];
    Some(join(&text[..parts.description], rows))
}

/// A description and the rows of a level as one text.
pub fn join(description: &str, rows: &str) -> String {
    let end = if description.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!("{description}{end}{LEVEL_LINE}\n{rows}")
}
