//! Numbers and names as people like to read them.

/// A whole number with commas between its thousands.
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with three digits that matter, large ones whole: `331,647`, `41.3`, `0.0124`.
pub fn significant(number: f64) -> String {
    if number >= 100.0 {
        return grouped(number.round() as u128);
    }
    if number <= 0.0 || !number.is_finite() {
        return format!("{number}");
    }
    let digits = (2 - number.log10().floor() as i32).clamp(1, 9) as usize;
    format!("{number:.digits$}")
}

/// The choice that looks most like what was written, if one does.
pub fn nearest<'a>(written: &str, choices: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = choices.into_iter().map(|choice| {
        (
            strsim::normalized_damerau_levenshtein(written, choice),
            choice,
        )
    });
    let best = scored.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (best.0 >= 0.5).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use super::{grouped, nearest, significant};

    #[test]
    fn three_digits_matter() {
        for (number, text) in [
            (331_647.4, "331,647"),
            (41.26, "41.3"),
            (3.0, "3.00"),
            (0.0124, "0.0124"),
            (0.0, "0"),
        ] {
            assert_eq!(significant(number), text);
        }
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        assert_eq!(
            nearest("negative-cicle", ["negative-cycle", "missing-role"]),
            Some("negative-cycle")
        );
        assert_eq!(nearest("zzz", ["negative-cycle"]), None);
    }
}
