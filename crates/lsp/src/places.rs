//! Places in a text: the protocol counts lines and units of a line, our spans count bytes.

use lsp_types::{Position, PositionEncodingKind, Range};
use paidia_gdl::Span;

/// What a position in a line is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Bytes of UTF-8.
    Byte,
    /// Code units of UTF-16, which every editor knows.
    Utf16,
}

impl Unit {
    /// Bytes if the editor offers them, since they need no conversion.
    pub(crate) fn agreed(offered: Option<&[PositionEncodingKind]>) -> Self {
        match offered {
            Some(kinds) if kinds.contains(&PositionEncodingKind::UTF8) => Unit::Byte,
            _ => Unit::Utf16,
        }
    }

    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Unit::Byte => PositionEncodingKind::UTF8,
            Unit::Utf16 => PositionEncodingKind::UTF16,
        }
    }
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    unit: Unit,
}

impl Lines {
    pub(crate) fn new(text: &str, unit: Unit) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
        Self {
            starts: starts.collect(),
            unit,
        }
    }

    /// The byte of a position; beyond the end of a line it is that end, beyond the text its end.
    pub(crate) fn offset(&self, text: &str, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return text.len();
        };
        let line = text[start..].split('\n').next().unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        let wanted = position.character as usize;
        let mut units = 0;
        for (at, character) in line.char_indices() {
            if units >= wanted {
                return start + at;
            }
            units += match self.unit {
                Unit::Byte => character.len_utf8(),
                Unit::Utf16 => character.len_utf16(),
            };
        }
        start + line.len()
    }

    /// The position of a byte; inside a character it is that character's.
    pub(crate) fn position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let before = &text[self.starts[line]..offset];
        let character = match self.unit {
            Unit::Byte => before.len(),
            Unit::Utf16 => before.encode_utf16().count(),
        };
        Position::new(line as u32, character as u32)
    }

    pub(crate) fn range(&self, text: &str, span: Span) -> Range {
        Range::new(
            self.position(text, span.start as usize),
            self.position(text, span.end as usize),
        )
    }
}

#[cfg(test)]
mod tests {
    use lsp_types::Position;

    use super::{Lines, Unit};

    const TEXT: &str = "aé\u{1F3B2}b\r\n\nlast";

    #[test]
    fn every_place_leads_back_to_itself() {
        for unit in [Unit::Byte, Unit::Utf16] {
            let lines = Lines::new(TEXT, unit);
            for (at, character) in TEXT.char_indices().filter(|(_, c)| *c != '\n') {
                let position = lines.position(TEXT, at);
                assert_eq!(
                    lines.offset(TEXT, position),
                    at,
                    "{character:?} in {unit:?}"
                );
            }
        }
    }

    #[test]
    fn units_are_those_that_were_agreed() {
        let after_die = TEXT.find('b').unwrap_or_default();
        let bytes = Lines::new(TEXT, Unit::Byte).position(TEXT, after_die);
        assert_eq!(bytes, Position::new(0, 7));
        let units = Lines::new(TEXT, Unit::Utf16).position(TEXT, after_die);
        assert_eq!(units, Position::new(0, 4));
    }

    #[test]
    fn places_outside_the_text_are_at_its_ends() {
        let lines = Lines::new(TEXT, Unit::Utf16);
        assert_eq!(lines.offset(TEXT, Position::new(9, 0)), TEXT.len());
        assert_eq!(lines.offset(TEXT, Position::new(1, 40)), 10);
        assert_eq!(lines.position(TEXT, 1000), Position::new(2, 4));
    }
}
