//! Names of squares and men in the texts of states and moves.

/// The name of a column.
pub fn column(x: u8) -> char {
    char::from(b'a' + x)
}

/// The column of that name.
pub(super) fn column_of(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [letter @ b'a'..=b'z'] => Some(letter - b'a'),
        _ => None,
    }
}

/// The name of a man: its colour and its letter, `wp` or `bk`. Names have no upper case, which GDL
/// programs may not tell from lower case.
pub fn man(letter: u8) -> String {
    let colour = if letter.is_ascii_uppercase() {
        'w'
    } else {
        'b'
    };
    format!("{colour}{}", char::from(letter.to_ascii_lowercase()))
}

/// The letter of the man of that name.
pub(super) fn letter_of(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'w', letter @ b'a'..=b'z'] => Some(letter.to_ascii_uppercase()),
        [b'b', letter @ b'a'..=b'z'] => Some(*letter),
        _ => None,
    }
}
