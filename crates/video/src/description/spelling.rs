//! Advice for misspelt names.

/// Advice for a misspelt name, or nothing.
pub(super) fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> String {
    let lower = wrong.to_lowercase();
    let scored = known.map(|name| (distance(&lower, &name.to_lowercase()), name));
    match scored.min_by_key(|(score, _)| *score) {
        Some((score, name)) if score <= 2 => format!("did you mean `{name}`?"),
        _ => String::new(),
    }
}

/// How many letters must change to get from one word to the other. Long words are not compared.
fn distance(left: &str, right: &str) -> usize {
    if left.len() > 64 || right.len() > 64 || left.len().abs_diff(right.len()) > 2 {
        return usize::MAX;
    }
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, letter) in left.chars().enumerate() {
        let mut corner = row[0];
        row[0] = line + 1;
        for (column, &other) in right.iter().enumerate() {
            let change = corner + usize::from(letter != other);
            corner = row[column + 1];
            row[column + 1] = change.min(corner + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}
