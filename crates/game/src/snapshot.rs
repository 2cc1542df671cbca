//! States as few bytes, for records and other machines.
//!
//! The engines of one rule language write one format, so that a snapshot of one engine can be
//! restored by another. Engines that know all fluents could write a bit for each, but others never
//! list them, and the list depends on how rules were grounded; texts are what all engines agree on.
//! They are written in their order, each as the number of bytes that it shares with the one before
//! it, the number of bytes that follow, and these bytes. So equal states have equal bytes, and
//! different states different ones.

use crate::contract::{Legible, UnknownFluent};

/// The first byte of a snapshot of texts: the number of the format.
const TEXTS: u8 = 1;

/// Bytes of all texts together that are accepted: a few damaged bytes could stand for any number.
const MOST_TEXT: usize = 1 << 28;

/// Bytes that are no snapshot of a state of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no snapshot of a state of the game: {because}")]
pub struct Damaged {
    /// What is wrong with the bytes.
    pub because: String,
}

impl Damaged {
    /// The error with a reason.
    pub fn new(because: impl Into<String>) -> Self {
        let because = because.into();
        Self { because }
    }
}

impl From<UnknownFluent> for Damaged {
    fn from(unknown: UnknownFluent) -> Self {
        Self::new(unknown.to_string())
    }
}

/// Adds the snapshot of a state to some bytes, by its text.
pub fn write<R: Legible>(rules: &R, state: &R::State, into: &mut Vec<u8>) {
    write_texts(rules.fluents(state), into);
}

/// The state of which [`write()`] wrote a snapshot.
///
/// # Errors
/// If it would not have written these bytes for any state.
pub fn read<R: Legible>(rules: &R, bytes: &[u8]) -> Result<R::State, Damaged> {
    let mut texts = Vec::new();
    read_texts(bytes, |text| {
        texts.push(text.to_owned());
        Ok(())
    })?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Ok(rules.state(&texts)?)
}

/// Adds a snapshot of fluents to some bytes. The texts must be in byte order, each once.
pub fn write_texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, into: &mut Vec<u8>) {
    into.push(TEXTS);
    // Where the text before is: it starts with what it shares with earlier texts, so it is kept
    // whole.
    let mut before: Vec<u8> = Vec::new();
    for text in texts {
        let text = text.as_ref().as_bytes();
        let pairs = text.iter().zip(&before);
        let shared = pairs.take_while(|(one, other)| one == other).count();
        write_number(shared, into);
        write_number(text.len() - shared, into);
        into.extend_from_slice(&text[shared..]);
        before.truncate(shared);
        before.extend_from_slice(&text[shared..]);
    }
}

/// Tells `each` the fluents of a snapshot, in byte order.
///
/// # Errors
/// If [`write_texts`] would not have written these bytes, or `each` refuses a text.
pub fn read_texts(
    bytes: &[u8],
    mut each: impl FnMut(&str) -> Result<(), Damaged>,
) -> Result<(), Damaged> {
    let Some((&TEXTS, mut rest)) = bytes.split_first() else {
        return Err(Damaged::new("it does not begin as one"));
    };
    let (mut text, mut total) = (Vec::new(), 0);
    let mut is_first = true;
    while !rest.is_empty() {
        let shared = read_number(&mut rest)?;
        let own = read_number(&mut rest)?;
        if shared > text.len() || own > rest.len() {
            return Err(Damaged::new("a text is cut off"));
        }
        let (new, left) = rest.split_at(own);
        // In order, and with the whole of what is shared left out.
        let follows = match (new.first(), text.get(shared)) {
            (Some(new), Some(old)) => new > old,
            (Some(_), None) => true,
            (None, _) => is_first,
        };
        if !follows {
            return Err(Damaged::new("its texts are not in order"));
        }
        text.truncate(shared);
        text.extend_from_slice(new);
        total += text.len();
        if total > MOST_TEXT {
            return Err(Damaged::new("it stands for too long a text"));
        }
        let utf8 = std::str::from_utf8(&text);
        each(utf8.map_err(|_| Damaged::new("a text is not UTF-8"))?)?;
        (rest, is_first) = (left, false);
    }
    Ok(())
}

/// Writes a number, seven bits a byte, the lowest first; all but the last byte have their highest
/// bit set.
fn write_number(mut number: usize, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Result<usize, Damaged> {
    let mut number = 0;
    // Four bytes are more than any text needs.
    for place in 0..4 {
        let Some((&byte, rest)) = bytes.split_first() else {
            return Err(Damaged::new("a number is cut off"));
        };
        *bytes = rest;
        number |= usize::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            // A number has one form only.
            return match byte == 0 && place > 0 {
                true => Err(Damaged::new("a number is not as short as it could be")),
                false => Ok(number),
            };
        }
    }
    Err(Damaged::new("a number is too large"))
}

#[cfg(test)]
mod tests {
    use super::{Damaged, read_texts, write_texts};

    fn read(bytes: &[u8]) -> Result<Vec<String>, Damaged> {
        let mut texts = Vec::new();
        read_texts(bytes, |text| {
            texts.push(text.to_owned());
            Ok(())
        })?;
        Ok(texts)
    }

    #[test]
    fn texts_survive_and_share_what_they_begin_with() {
        let long = "x".repeat(300);
        let texts = ["(cell 1 1 b)", "(cell 1 2 b)", "(cell 1 2 bx)", "é", &long];
        let mut sorted = texts.to_vec();
        sorted.sort_unstable();
        let mut bytes = Vec::new();
        write_texts(&sorted, &mut bytes);
        assert_eq!(read(&bytes).unwrap(), sorted);
        assert!(bytes.len() < sorted.iter().map(|text| text.len()).sum());
        let mut none = Vec::new();
        write_texts([""; 0], &mut none);
        assert_eq!((read(&none).unwrap().len(), none.len()), (0, 1));
    }

    /// Every byte string is refused or is the only form of what it says.
    #[test]
    fn there_is_one_form_of_everything() {
        let mut bytes = Vec::new();
        write_texts(["(control x)", "(step 1)", "(step 12)"], &mut bytes);
        for place in 0..bytes.len() {
            for value in 0..=u8::MAX {
                let mut damaged = bytes.clone();
                damaged[place] = value;
                for end in [damaged.len(), place + 1] {
                    if let Ok(texts) = read(&damaged[..end]) {
                        let mut again = Vec::new();
                        write_texts(&texts, &mut again);
                        assert_eq!(again, damaged[..end]);
                    }
                }
            }
        }
    }

    #[test]
    fn a_few_bytes_do_not_stand_for_endless_text() {
        let first = vec![b'a'; 1 << 20];
        let mut bytes = Vec::new();
        write_texts([String::from_utf8(first).unwrap()], &mut bytes);
        // Texts that each share all of the one before it and add a byte.
        for length in (1 << 20)..(1 << 20) + 1_000 {
            super::write_number(length, &mut bytes);
            bytes.extend([1, b'a']);
        }
        let refused = read_texts(&bytes, |_| Ok(())).unwrap_err();
        assert!(refused.because.contains("too long"), "{refused}");
    }
}
