//! What names of contents say about their looks.

use std::collections::BTreeSet;

use super::{Figure, Form, Look};

/// Names of an empty square.
const NOTHING: [&str; 9] = [
    "empty",
    "blank",
    "nil",
    "none",
    "free",
    "nothing",
    "vacant",
    "unmarked",
    "emptysquare",
];

/// Names that are one of an empty square where most squares have it.
const PERHAPS_NOTHING: [&str; 8] = ["b", "e", "n", "u", "0", "clear", "space", "available"];

/// Colours by their names in rule sheets, longer names before those they begin with.
const COLOURS: [(&str, &str); 26] = [
    ("white", "white"),
    ("black", "black"),
    ("red", "crimson"),
    ("blue", "royalblue"),
    ("green", "seagreen"),
    ("yellow", "gold"),
    ("orange", "darkorange"),
    ("purple", "purple"),
    ("violet", "purple"),
    ("teal", "teal"),
    ("magenta", "magenta"),
    ("pink", "pink"),
    ("brown", "saddlebrown"),
    ("gray", "gray"),
    ("grey", "gray"),
    ("cyan", "turquoise"),
    ("gold", "goldenrod"),
    ("silver", "lightgray"),
    ("lime", "limegreen"),
    ("light", "ivory"),
    ("dark", "black"),
    ("north", "royalblue"),
    ("south", "crimson"),
    ("east", "seagreen"),
    ("west", "darkorange"),
    ("neutral", "gray"),
];

/// Pieces of chess: name, letter, glyph for white, glyph for others.
const CHESS: [(&str, char, &str, &str); 6] = [
    ("king", 'k', "♔", "♚"),
    ("queen", 'q', "♕", "♛"),
    ("rook", 'r', "♖", "♜"),
    ("bishop", 'b', "♗", "♝"),
    ("knight", 'n', "♘", "♞"),
    ("pawn", 'p', "♙", "♟"),
];

/// Things with a shape of their own, and their colour where they have no owner.
const THINGS: [(&str, Figure, &str); 34] = [
    ("disc", Figure::Disc, "steelblue"),
    ("disk", Figure::Disc, "steelblue"),
    ("man", Figure::Disc, "steelblue"),
    ("stone", Figure::Disc, "steelblue"),
    ("marble", Figure::Disc, "steelblue"),
    ("token", Figure::Disc, "steelblue"),
    ("player", Figure::Disc, "steelblue"),
    ("peg", Figure::Disc, "saddlebrown"),
    ("ball", Figure::Disc, "darkorange"),
    ("lit", Figure::Disc, "gold"),
    ("light", Figure::Disc, "gold"),
    ("on", Figure::Disc, "gold"),
    ("nolight", Figure::Ring, "dimgray"),
    ("off", Figure::Ring, "dimgray"),
    ("checker", Figure::Hexagon, "steelblue"),
    ("head", Figure::Diamond, "steelblue"),
    ("body", Figure::Square, "steelblue"),
    ("snake", Figure::Diamond, "steelblue"),
    ("brush", Figure::Star, "steelblue"),
    ("robot", Figure::Hexagon, "steelblue"),
    ("arrow", Figure::Cross, "firebrick"),
    ("fire", Figure::Triangle, "tomato"),
    ("exit", Figure::Ring, "seagreen"),
    ("goal", Figure::Ring, "seagreen"),
    ("food", Figure::Dot, "seagreen"),
    ("pellet", Figure::Dot, "goldenrod"),
    ("point", Figure::Dot, "goldenrod"),
    ("visited", Figure::Dot, "dimgray"),
    ("v", Figure::Dot, "dimgray"),
    ("horizontal", Figure::BarH, "royalblue"),
    ("vertical", Figure::BarV, "crimson"),
    ("crosser", Figure::Disc, "seagreen"),
    ("chocolate", Figure::Square, "saddlebrown"),
    ("box", Figure::Square, "saddlebrown"),
];

/// Parts of names of squares where nothing can be.
const WALLS: [&str; 8] = [
    "wall",
    "hole",
    "blk",
    "block",
    "offlimits",
    "dirt",
    "obstacle",
    "ground",
];

/// Colours for names that say nothing.
const PALETTE: [&str; 8] = [
    "steelblue",
    "darkorange",
    "seagreen",
    "crimson",
    "purple",
    "saddlebrown",
    "teal",
    "goldenrod",
];

/// Shapes for the things of a player whose names say nothing else.
const SHAPES: [Figure; 5] = [
    Figure::Star,
    Figure::Square,
    Figure::Triangle,
    Figure::Diamond,
    Figure::Hexagon,
];

/// Texts are cut after this many characters.
const LONGEST_TEXT: usize = 6;

/// Whether a name means an empty square wherever it stands.
pub(super) fn is_nothing(name: &str) -> bool {
    let simple = simple(name);
    NOTHING.contains(&&*simple)
        || simple
            .strip_prefix("zero")
            .is_some_and(|rest| !rest.is_empty())
}

/// Whether a name means an empty square where most squares have it.
pub(super) fn is_perhaps_nothing(name: &str) -> bool {
    PERHAPS_NOTHING.contains(&&*simple(name))
}

/// Whether a glyph is a piece of chess.
pub(super) fn is_chess(glyph: &str) -> bool {
    CHESS
        .iter()
        .any(|(_, _, white, other)| glyph == *white || glyph == *other)
}

/// A name in lower case without what separates its words.
fn simple(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-'));
    letters.flat_map(char::to_lowercase).collect()
}

/// Reads names, knowing which there are.
pub(super) struct Reader {
    /// Whether two letters such as `wp` are a colour and a piece of chess.
    codes: bool,
}

impl Reader {
    pub(super) fn new(contents: &BTreeSet<String>) -> Self {
        // One `bb` says nothing, and neither do `rb` and `br` of a game of colours: where it is
        // chess there is a king, and more than the pawns that draughts have as well.
        let codes: Vec<&String> = contents.iter().filter(|own| code(own).is_some()).collect();
        let has = |kinds: &str| {
            let mut letters = codes.iter().filter_map(|own| own.chars().nth(1));
            letters.any(|letter| kinds.contains(letter))
        };
        Self {
            codes: codes.len() > 2 && has("k") && has("qrbn"),
        }
    }

    /// How a content looks.
    pub(super) fn read(&self, content: &str) -> Look {
        let coded = code(content).filter(|_| self.codes);
        coded
            .or_else(|| known(content))
            .unwrap_or_else(|| text(content))
    }

    /// How a fluent looks that is on a square or not; its name says what it is.
    pub(super) fn read_flag(&self, name: &str) -> Look {
        let simple = simple(name);
        let barred = ["wall", "block"].iter().any(|part| simple.contains(part));
        if barred && (simple.ends_with("east") || simple.ends_with("west")) {
            return Look::shape(Figure::BarV, "dimgray");
        }
        if barred && (simple.ends_with("north") || simple.ends_with("south")) {
            return Look::shape(Figure::BarH, "dimgray");
        }
        known(name).unwrap_or_else(|| Look::shape(Figure::Dot, own_colour(name)))
    }
}

/// A look for a name that says what it is.
fn known(content: &str) -> Option<Look> {
    let simple = simple(content);
    match &*simple {
        "x" | "xplayer" | "ecks" | "cross" => return Some(Look::shape(Figure::Cross, "crimson")),
        "o" | "oplayer" | "oh" | "nought" => return Some(Look::shape(Figure::Ring, "royalblue")),
        "r" => return Some(Look::shape(Figure::Disc, "crimson")),
        "w" => return Some(Look::shape(Figure::Disc, "white")),
        _ => {}
    }
    if let Some(thing) = thing(&simple, None) {
        return Some(thing);
    }
    let owned = COLOURS.iter().find_map(|(name, colour)| {
        let rest = simple
            .strip_prefix(name)
            .or_else(|| simple.strip_suffix(name))?;
        Some((*colour, rest))
    });
    let (colour, rest) = owned?;
    Some(match rest {
        "" => Look::shape(Figure::Disc, colour),
        rest => thing(rest, Some(colour)).unwrap_or_else(|| {
            let figure = SHAPES[hash(rest) % SHAPES.len()];
            Look::shape(figure, colour)
        }),
    })
}

/// The look of a piece or another thing, perhaps in the colour of its owner.
fn thing(name: &str, colour: Option<&str>) -> Option<Look> {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if let Some((_, _, white, other)) = CHESS.iter().find(|(piece, ..)| *piece == name) {
        return Some(piece(white, other, colour.unwrap_or("black")));
    }
    if let Some((_, figure, own)) = THINGS.iter().find(|(thing, ..)| *thing == name) {
        return Some(Look::shape(*figure, colour.unwrap_or(own)));
    }
    let wall = WALLS.iter().any(|part| name.contains(part));
    wall.then(|| Look::shape(Figure::Wall, colour.unwrap_or("dimgray")))
}

fn piece(white: &str, other: &str, colour: &str) -> Look {
    let glyph = if colour == "white" { white } else { other };
    Look::glyph(glyph, colour)
}

/// A colour's letter and the letter of a piece of chess, and perhaps which of several such pieces
/// it is.
fn code(content: &str) -> Option<Look> {
    let mut letters = content.chars();
    let (owner, kind, which) = (letters.next()?, letters.next()?, letters.next());
    if letters.next().is_some()
        || which.is_some_and(|which| !matches!(which, 'a'..='h' | '1'..='8'))
    {
        return None;
    }
    let colour = match owner {
        'w' => "white",
        'b' => "black",
        'r' => "crimson",
        'n' => "royalblue",
        's' => "crimson",
        'e' => "seagreen",
        _ => return None,
    };
    let (_, _, white, other) = CHESS.iter().find(|(_, letter, ..)| *letter == kind)?;
    Some(piece(white, other, colour))
}

fn text(content: &str) -> Look {
    let number = content.parse::<i64>().is_ok();
    Look {
        form: Form::Text(content.chars().take(LONGEST_TEXT).collect()),
        colour: (!number).then(|| own_colour(content).to_owned()),
        badge: None,
    }
}

fn own_colour(name: &str) -> &'static str {
    PALETTE[hash(name) % PALETTE.len()]
}

/// The same number for a name on every machine.
fn hash(name: &str) -> usize {
    let hash = name.bytes().fold(0x811c_9dc5u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    (hash >> 8) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Figure, Form, Look, Reader};

    fn look(content: &str) -> Look {
        Reader::new(&BTreeSet::new()).read(content)
    }

    #[test]
    fn colours_are_discs_and_things_have_their_owners_colour() {
        assert_eq!(look("red"), Look::shape(Figure::Disc, "crimson"));
        assert_eq!(look("redman"), Look::shape(Figure::Disc, "crimson"));
        assert_eq!(look("whiteKing"), Look::glyph("♔", "white"));
        assert_eq!(look("black_king"), Look::glyph("♚", "black"));
        assert_eq!(look("redking"), Look::glyph("♚", "crimson"));
        assert_eq!(look("darkChecker"), Look::shape(Figure::Hexagon, "black"));
        assert_eq!(look("blueHead"), Look::shape(Figure::Diamond, "royalblue"));
        assert_eq!(look("queen"), Look::glyph("♛", "black"));
        assert_eq!(look("x"), Look::shape(Figure::Cross, "crimson"));
        assert_eq!(look("o"), Look::shape(Figure::Ring, "royalblue"));
        assert_eq!(look("hole"), Look::shape(Figure::Wall, "dimgray"));
    }

    #[test]
    fn codes_are_pieces_only_among_their_like() {
        let chess = ["wp", "bp", "wn", "bk"].map(str::to_owned).into();
        assert_eq!(Reader::new(&chess).read("wn"), Look::glyph("♘", "white"));
        assert_eq!(Reader::new(&chess).read("bp"), Look::glyph("♟", "black"));
        assert_eq!(look("wn").form, Form::Text("wn".to_owned()));
        let colours = ["bb", "br", "rb", "rr", "wb", "wr"]
            .map(str::to_owned)
            .into();
        assert_eq!(
            Reader::new(&colours).read("rb").form,
            Form::Text("rb".to_owned())
        );
    }

    #[test]
    fn nothing_has_many_names() {
        for name in ["empty", "Blank", "empty_square", "zero_coins"] {
            assert!(super::is_nothing(name), "{name}");
        }
        assert!(!super::is_nothing("zero") && !super::is_nothing("0"));
        assert!(super::is_perhaps_nothing("0") && !super::is_perhaps_nothing("1"));
    }

    #[test]
    fn other_names_are_texts_in_a_colour_that_stays() {
        assert_eq!(look("7").form, Form::Text("7".to_owned()));
        assert_eq!(look("7").colour, None);
        assert_eq!(look("terrorist").form, Form::Text("terror".to_owned()));
        assert_eq!(look("terrorist"), look("terrorist"));
        let flag = Reader::new(&BTreeSet::new()).read_flag("blockedEast");
        assert_eq!(flag.form, Form::Shape(Figure::BarV));
    }
}
