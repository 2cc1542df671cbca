//! Pieces of a text that know where they stand.

use paidia_gdl::Span;

/// A piece of a rule file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    /// The byte of the file at which it begins.
    pub(super) start: usize,
}

impl<'a> Piece<'a> {
    pub(super) fn span(self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }

    /// The piece without blanks around it.
    pub(super) fn trim(self) -> Self {
        let text = self.text.trim_start();
        let start = self.start + self.text.len() - text.len();
        Self {
            text: text.trim_end(),
            start,
        }
    }

    /// The part between two of its bytes.
    pub(super) fn part(self, from: usize, to: usize) -> Self {
        Self {
            text: &self.text[from..to],
            start: self.start + from,
        }
        .trim()
    }

    /// What stands before and after the first place of a separator.
    pub(super) fn cut(self, separator: &str) -> Option<(Self, Self)> {
        let at = self.text.find(separator)?;
        let after = at + separator.len();
        Some((self.part(0, at), self.part(after, self.text.len())))
    }

    /// What stands between separators.
    pub(super) fn split(self, separator: char) -> impl Iterator<Item = Self> {
        let mut rest = Some(self);
        std::iter::from_fn(move || {
            let piece = rest?;
            match piece.text.find(separator) {
                Some(at) => {
                    let after = at + separator.len_utf8();
                    rest = Some(piece.part(after, piece.text.len()));
                    Some(piece.part(0, at))
                }
                None => {
                    rest = None;
                    Some(piece.trim())
                }
            }
        })
    }

    /// The first word, and what follows it.
    pub(super) fn word(self) -> (Self, Self) {
        let piece = self.trim();
        let end = piece.text.find(char::is_whitespace);
        let end = end.unwrap_or(piece.text.len());
        (piece.part(0, end), piece.part(end, piece.text.len()))
    }

    /// Whether it is this word, in whatever case.
    pub(super) fn is(self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    /// The number that it is.
    pub(super) fn number<T: std::str::FromStr>(self) -> Option<T> {
        self.text.parse().ok()
    }
}
