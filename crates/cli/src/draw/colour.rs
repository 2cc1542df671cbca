//! CSS colour names as terminal colours.

use anstyle::{AnsiColor, Color, RgbColor, Style};

/// The style for a CSS colour name, if we know it.
///
/// White and black are what pieces of board games are called, and must be seen on light and on dark
/// screens.
pub(super) fn style(name: &str) -> Option<Style> {
    let bold = Style::new().bold();
    match name {
        "white" | "ivory" => Some(AnsiColor::BrightYellow.on_default().bold()),
        "black" => Some(AnsiColor::BrightBlue.on_default().bold()),
        _ => {
            let index = COLOURS.binary_search_by_key(&name, |entry| entry.0).ok()?;
            let (_, red, green, blue) = COLOURS[index];
            Some(bold.fg_color(Some(Color::Rgb(RgbColor(red, green, blue)))))
        }
    }
}

/// Names and their red, green and blue, in the order of names; dark ones are lightened to be seen
/// on a dark screen.
const COLOURS: [(&str, u8, u8, u8); 40] = [
    ("blue", 80, 120, 255),
    ("brown", 190, 90, 60),
    ("chocolate", 210, 105, 30),
    ("coral", 255, 127, 80),
    ("crimson", 220, 20, 60),
    ("cyan", 0, 255, 255),
    ("darkgray", 169, 169, 169),
    ("darkgreen", 0, 140, 0),
    ("darkorange", 255, 140, 0),
    ("deepskyblue", 0, 191, 255),
    ("dimgray", 125, 125, 125),
    ("dodgerblue", 30, 144, 255),
    ("firebrick", 178, 34, 34),
    ("forestgreen", 34, 139, 34),
    ("gold", 255, 215, 0),
    ("goldenrod", 218, 165, 32),
    ("gray", 128, 128, 128),
    ("green", 0, 160, 0),
    ("grey", 128, 128, 128),
    ("indigo", 120, 60, 190),
    ("lightcoral", 240, 128, 128),
    ("lightgray", 211, 211, 211),
    ("lightgreen", 144, 238, 144),
    ("lightskyblue", 135, 206, 250),
    ("lime", 0, 255, 0),
    ("limegreen", 50, 205, 50),
    ("magenta", 255, 0, 255),
    ("maroon", 160, 40, 40),
    ("orange", 255, 165, 0),
    ("pink", 255, 192, 203),
    ("purple", 160, 60, 200),
    ("red", 255, 60, 60),
    ("royalblue", 65, 105, 225),
    ("saddlebrown", 170, 90, 40),
    ("seagreen", 46, 139, 87),
    ("steelblue", 70, 130, 180),
    ("teal", 0, 150, 150),
    ("tomato", 255, 99, 71),
    ("turquoise", 64, 224, 208),
    ("yellow", 255, 255, 0),
];

#[cfg(test)]
mod tests {
    use super::{COLOURS, style};

    #[test]
    fn the_table_is_in_order() {
        assert!(COLOURS.is_sorted_by_key(|entry| entry.0));
    }

    #[test]
    fn every_colour_of_the_bundled_games_is_known() {
        for game in paidia_library::all() {
            for (content, piece) in &game.facts().unwrap().pieces {
                let known = piece
                    .colour
                    .as_deref()
                    .is_none_or(|colour| style(colour).is_some());
                assert!(
                    known,
                    "{}: {content} has the colour {:?}",
                    game.name, piece.colour
                );
            }
        }
    }
}
