//! Whether values are in an order, as those of columns and rows are.
//!
//! Numbers are, numbers after the same letters (`c1`, `c2`), letters that follow each other in the
//! alphabet, and names that a relation of the rules strings together, as `(next_file a b)` and its
//! like do. Gaps between numbers and letters are filled.

use std::collections::{BTreeMap, BTreeSet};

use crate::LONGEST_SIDE;

/// Pairs of names that a relation of the rules holds for, one list a relation.
pub(crate) type Successions = Vec<Vec<(String, String)>>;

/// The values in their order, if they have one.
pub(crate) fn in_order(
    values: &BTreeSet<String>,
    successions: &Successions,
) -> Option<Vec<String>> {
    if values.is_empty() || values.len() > LONGEST_SIDE {
        return None;
    }
    numbered(values)
        .or_else(|| lettered(values))
        .or_else(|| successions.iter().find_map(|pairs| chain(values, pairs)))
}

/// Letters, perhaps none, and then a number, without zeros before it.
pub(crate) fn split_number(value: &str) -> Option<(&str, i64)> {
    let start = value.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (mut letters, mut digits) = value.split_at(start);
    if letters == "-" {
        (letters, digits) = ("", value);
    }
    let number: i64 = digits.parse().ok()?;
    (number.to_string() == digits).then_some((letters, number))
}

fn numbered(values: &BTreeSet<String>) -> Option<Vec<String>> {
    let pairs: Option<Vec<(&str, i64)>> = values.iter().map(|value| split_number(value)).collect();
    let pairs = pairs?;
    let letters = pairs.first()?.0;
    if pairs.iter().any(|pair| pair.0 != letters) {
        return None;
    }
    let numbers: BTreeSet<i64> = pairs.iter().map(|pair| pair.1).collect();
    let (first, last) = (*numbers.first()?, *numbers.last()?);
    // Amounts such as 0, 50 and 100 are no columns.
    let length = usize::try_from(last.checked_sub(first)?).ok()? + 1;
    let filled = length <= LONGEST_SIDE && length <= 2 * numbers.len() + 2;
    filled.then(|| {
        (first..=last)
            .map(|number| format!("{letters}{number}"))
            .collect()
    })
}

fn lettered(values: &BTreeSet<String>) -> Option<Vec<String>> {
    let letter = |value: &String| match value.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(*letter),
        _ => None,
    };
    let letters: Option<BTreeSet<u8>> = values.iter().map(letter).collect();
    let letters = letters?;
    let (first, last) = (*letters.first()?, *letters.last()?);
    // `b`, `o` and `x` are contents of squares.
    let whole = usize::from(last - first) + 1 == letters.len() && letters.len() > 1;
    whole.then(|| {
        letters
            .iter()
            .map(|&letter| char::from(letter).to_string())
            .collect()
    })
}

/// The values from one end to the other, if the pairs string all of them together, in one direction
/// or in both. A ring is cut open before the first of its names.
fn chain(values: &BTreeSet<String>, pairs: &[(String, String)]) -> Option<Vec<String>> {
    if values.len() < 3 {
        return None;
    }
    let inside = |pair: &&(String, String)| {
        pair.0 != pair.1 && values.contains(&pair.0) && values.contains(&pair.1)
    };
    let mut beside: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    // What a value leads to comes before what leads to it, so that the way along a ring is the way
    // it is told.
    for (from, to) in pairs.iter().filter(inside) {
        add_neighbour(&mut beside, from, to)?;
    }
    for (from, to) in pairs.iter().filter(inside) {
        add_neighbour(&mut beside, to, from)?;
    }
    let is_end = |value: &&String| {
        beside
            .get(value.as_str())
            .is_some_and(|near| near.len() == 1)
    };
    let leads = |value: &&String| {
        pairs
            .iter()
            .any(|(from, to)| from == *value && values.contains(to))
    };
    let start = values
        .iter()
        .filter(is_end)
        .find(leads)
        .or(values.first())?;
    let mut chain = vec![start.as_str()];
    while let Some(near) = beside.get(chain[chain.len() - 1])
        && let Some(next) = near.iter().find(|next| !chain.contains(next))
    {
        chain.push(next);
    }
    let whole = chain.len() == values.len();
    whole.then(|| chain.into_iter().map(str::to_owned).collect())
}

/// Notes a neighbour; `None` if that makes more than two.
fn add_neighbour<'a>(
    beside: &mut BTreeMap<&'a str, Vec<&'a str>>,
    value: &'a str,
    neighbour: &'a str,
) -> Option<()> {
    let near = beside.entry(value).or_default();
    if !near.contains(&neighbour) {
        near.push(neighbour);
    }
    (near.len() <= 2).then_some(())
}

#[cfg(test)]
mod tests {
    use super::in_order;

    fn ordered(values: &str, pairs: &str) -> Option<String> {
        let values = values.split(' ').map(str::to_owned).collect();
        let pair = |pair: &str| {
            let (from, to) = pair.split_once('-').unwrap();
            (from.to_owned(), to.to_owned())
        };
        let pairs = pairs.split_whitespace().map(pair).collect();
        in_order(&values, &vec![pairs]).map(|values| values.join(" "))
    }

    #[test]
    fn numbers_are_in_order_and_gaps_are_filled() {
        assert_eq!(ordered("10 9 7", "").as_deref(), Some("7 8 9 10"));
        assert_eq!(ordered("c1 c20 c9 c8", ""), None);
        assert_eq!(ordered("c1 c4 c2", "").as_deref(), Some("c1 c2 c3 c4"));
        assert_eq!(ordered("-1 0 1", "").as_deref(), Some("-1 0 1"));
        assert_eq!(ordered("0 50 100", ""), None);
        assert_eq!(ordered("p00 p01 p10 p11", ""), None);
    }

    #[test]
    fn letters_are_in_order_if_none_is_missing() {
        assert_eq!(ordered("c a b d", "").as_deref(), Some("a b c d"));
        assert_eq!(ordered("b o x", ""), None);
        assert_eq!(ordered("red blue", ""), None);
    }

    #[test]
    fn a_relation_can_string_names_together() {
        let names = "west centre east";
        assert_eq!(
            ordered(names, "west-centre centre-east").as_deref(),
            Some("west centre east")
        );
        let both_ways = "centre-east east-centre west-centre centre-west";
        assert_eq!(
            ordered(names, both_ways).as_deref(),
            Some("east centre west")
        );
        assert_eq!(ordered(names, "west-centre centre-west"), None);
        assert_eq!(
            ordered(
                "north west south east",
                "west-north north-east west-south west-east"
            ),
            None
        );
    }

    #[test]
    fn a_ring_is_cut_open() {
        let ring = "north-east east-south south-west west-north";
        assert_eq!(
            ordered("north west south east", ring).as_deref(),
            Some("east south west north")
        );
    }
}
