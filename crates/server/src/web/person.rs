//! Who asks: which browser, or other client, where that matters.
//!
//! A client makes up a key, at random, and sends it with what it asks: in a header, or, where a
//! browser cannot send headers, in the query. A role of a person can be taken with a key; then its
//! moves need the same key, and so does what its role may know of a game that hides things. The
//! key is never told to others.

use hyper::header::HeaderMap;
use serde::{Deserialize, Serialize};

use super::guard::same;
use super::refusal::Refusal;

/// The header with the key.
const HEADER: &str = "x-paidia-person";
/// The least and the most letters of a key.
const LETTERS: std::ops::RangeInclusive<usize> = 16..=64;

/// A client, by its key.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Person(String);

impl Person {
    /// Who sent a request, if that is told.
    pub(super) fn of(headers: &HeaderMap, query: &str) -> Result<Option<Self>, Refusal> {
        let header = headers
            .get(HEADER)
            .map(|value| value.to_str().unwrap_or(""));
        let mut parts = query.split('&');
        let key = header.or_else(|| parts.find_map(|part| part.strip_prefix("person=")));
        key.map(Self::read).transpose()
    }

    fn read(key: &str) -> Result<Self, Refusal> {
        let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
        match LETTERS.contains(&key.len()) && key.bytes().all(is_plain) {
            true => Ok(Self(key.to_owned())),
            false => Err(Refusal::bad(
                "the key of a person has 16 to 64 letters, digits and hyphens, at random",
            )),
        }
    }
}

impl PartialEq for Person {
    fn eq(&self, other: &Self) -> bool {
        same(&self.0, &other.0)
    }
}

/// Keys stay out of messages.
impl std::fmt::Debug for Person {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Person")
    }
}

#[cfg(test)]
mod tests {
    use super::{HEADER, HeaderMap, Person};

    #[test]
    fn keys_come_in_the_header_or_in_the_query() {
        let mut headers = HeaderMap::new();
        assert_eq!(Person::of(&headers, "role=1").unwrap(), None);
        let asked = Person::of(&headers, "role=1&person=0123456789abcdef").unwrap();
        headers.insert(HEADER, "0123456789abcdef".parse().unwrap());
        assert_eq!(Person::of(&headers, "").unwrap(), asked);
        assert!(asked.is_some());
        for bad in ["person=short", "person=0123456789abcde%20", "person="] {
            assert!(Person::of(&HeaderMap::new(), bad).is_err(), "{bad}");
        }
    }
}
