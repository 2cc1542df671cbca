//! The video games that come with the program, each with five levels. They are written from
//! scratch; the first ten after the rules that the table of a paper gives for the games of a
//! competition, the others after games of the same kind.

/// A game with its levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// The name that it is found by.
    pub name: &'static str,
    /// The description with its levels.
    pub text: &'static str,
}

macro_rules! games {
    ($($name:literal,)*) => {
        /// All of them.
        pub const GAMES: [Bundled; 20] = [$(Bundled {
            name: $name,
            text: include_str!(concat!("../games/", $name, ".vgdl")),
        },)*];
    };
}

games! {
    "invaders",
    "boulders",
    "nets",
    "goats",
    "river",
    "missiles",
    "gateways",
    "cellar",
    "graveyard",
    "dungeon",
    "race",
    "storms",
    "outbreak",
    "ore",
    "dots",
    "dive",
    "moles",
    "eggs",
    "tunnels",
    "torches",
}

impl Bundled {
    /// The game of that name.
    pub fn find(name: &str) -> Option<&'static Bundled> {
        GAMES.iter().find(|game| game.name == name)
    }

    /// The title, and how it is played: what its first comment says.
    pub fn title_and_rules(&self) -> (String, String) {
        let comment = self.text.lines().skip(1);
        let comment = comment.map_while(|line| line.trim_start().strip_prefix("# "));
        let comment = comment.collect::<Vec<_>>().join(" ");
        let (title, rules) = comment.split_once(": ").unwrap_or((self.name, &comment));
        let mut letters = rules.chars();
        let first = letters
            .next()
            .map(|letter| letter.to_uppercase().to_string());
        (
            title.to_owned(),
            first.unwrap_or_default() + letters.as_str(),
        )
    }

    /// How many levels there are.
    pub fn levels(&self) -> usize {
        crate::description::parts(self.text).levels.len()
    }
}
