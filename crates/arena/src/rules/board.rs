//! Simplified Boardgames at the front door.

use std::sync::{Arc, OnceLock};

use paidia_game::AnyGame;
use paidia_gdl::analysis::Contents;
use paidia_gdl::{Code, Problem, Source};
use paidia_languages::board::{self, BoardGame, BoardRules, Standing};
use paidia_library::{Board, GameKind, Labels, Metadata, Piece, Shape};

use super::{InvalidRules, OtherRules, Reader, RuleText};

/// Reads rules of board games.
pub(super) struct BoardReader;

impl Reader for BoardReader {
    fn diagnose(&self, source: &Source) -> Vec<Problem> {
        board::read(source).problems
    }

    fn check(&self, text: RuleText) -> Result<Arc<dyn OtherRules>, InvalidRules> {
        let reading = board::read(&text.source);
        if reading.has_errors() {
            return Err(InvalidRules {
                source: text.source,
                problems: reading.problems,
                too_large: None,
            });
        }
        let known = self::metadata(&reading.rules);
        let metadata = match text.metadata.clone() {
            // The rules know their board and their men; a `game.toml` may say otherwise.
            Some(told) => Metadata {
                boards: if told.boards.is_empty() {
                    known.boards
                } else {
                    told.boards
                },
                pieces: known.pieces.into_iter().chain(told.pieces).collect(),
                ..told
            },
            None => known,
        };
        Ok(Arc::new(BoardSheet {
            text: text.with_metadata(Some(metadata)),
            rules: reading.rules,
            warnings: reading.problems,
            roles: ["white", "black"].map(str::to_owned),
            game: OnceLock::new(),
        }))
    }

    fn print(&self, source: &Source) -> Result<String, Vec<Problem>> {
        board::format(source)
    }

    fn codes(&self) -> &'static [Code] {
        board::CODES
    }
}

/// Rules of a board game that passed the checks.
struct BoardSheet {
    text: RuleText,
    rules: BoardRules,
    warnings: Vec<Problem>,
    roles: [String; 2],
    /// Made when it is first asked for.
    game: OnceLock<Result<BoardGame, String>>,
}

impl BoardSheet {
    /// The game, made at the first call.
    fn made(&self) -> Result<BoardGame, String> {
        let make = || {
            let game = BoardGame::new(&self.text.name, self.rules.clone());
            game.map_err(|error| format!("{}: {error}", self.text.name))
        };
        self.game.get_or_init(make).clone()
    }
}

impl OtherRules for BoardSheet {
    fn text(&self) -> &RuleText {
        &self.text
    }

    fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    fn contents(&self) -> Contents {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Contents {
            rules: self.rules.pieces.len(),
            fluents: words(&["cell/3", "control/1", "men/2", "step/1", "won/1"]),
            moves: words(&["move/4", "noop/0"]),
            ..Contents::default()
        }
    }

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn game(&self) -> Result<AnyGame, String> {
        self.made().map(AnyGame::new)
    }

    fn board(&self) -> Option<BoardGame> {
        self.made().ok()
    }

    fn to_gdl(&self) -> Result<String, String> {
        let translated = board::gdl::translate(&self.rules);
        translated.map_err(|error| format!("{}: {error}", self.text.name))
    }
}

/// What the rules themselves tell people and drawing code.
fn metadata(rules: &BoardRules) -> Metadata {
    let men = rules
        .start
        .iter()
        .copied()
        .filter(|standing| !standing.is_empty());
    let mut letters: Vec<u8> = men.map(|man: Standing| man.character() as u8).collect();
    letters.sort_unstable();
    letters.dedup();
    let pieces = letters.into_iter().map(|letter| {
        let colour = if letter.is_ascii_uppercase() {
            "white"
        } else {
            "black"
        };
        let piece = Piece {
            glyph: board::glyph(letter).to_string(),
            shape: None,
            colour: Some(colour.to_owned()),
        };
        (board::man(letter), piece)
    });
    Metadata {
        title: rules.name.clone(),
        players: 2,
        kind: GameKind::Board,
        idea: "A simplified board game.".to_owned(),
        rules: board::in_words(rules),
        solvable_in: None,
        unit_milliseconds: None,
        public: None,
        boards: vec![Board {
            fluent: "cell".to_owned(),
            column: 1,
            row: 2,
            content: 3,
            shape: Shape::Square,
            when: Default::default(),
            labels: Labels::Letters,
            checkered: true,
            dress: Default::default(),
            top_down: false,
            columns: (0..rules.width)
                .map(|x| board::column(x).to_string())
                .collect(),
            rows: (1..=rules.height).map(|y| y.to_string()).collect(),
        }],
        pieces: pieces.collect(),
    }
}
