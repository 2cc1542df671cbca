//! Card games in CGDL at the front door.

use std::sync::{Arc, OnceLock};

use paidia_game::{AnyGame, Rules};
use paidia_gdl::analysis::Contents;
use paidia_gdl::{Code, Problem, Source};
use paidia_languages::cards::{self, CardGame, CardRules};
use paidia_library::{GameKind, Metadata};

use super::{InvalidRules, OtherRules, Reader, RuleText};

/// Reads rules of card games.
pub(super) struct CardReader;

impl Reader for CardReader {
    fn diagnose(&self, source: &Source) -> Vec<Problem> {
        cards::read(source).problems
    }

    fn check(&self, text: RuleText) -> Result<Arc<dyn OtherRules>, InvalidRules> {
        let reading = cards::read(&text.source);
        if reading.has_errors() {
            return Err(InvalidRules {
                source: text.source,
                problems: reading.problems,
                too_large: None,
            });
        }
        let known = self::metadata(&text.name, &reading.rules);
        let metadata = text.metadata.clone().unwrap_or(known);
        let players = (1..=reading.rules.players).map(|player| format!("player{player}"));
        Ok(Arc::new(CardSheet {
            text: text.with_metadata(Some(metadata)),
            roles: std::iter::once("random".to_owned())
                .chain(players)
                .collect(),
            rules: reading.rules,
            warnings: reading.problems,
            game: OnceLock::new(),
        }))
    }

    fn print(&self, source: &Source) -> Result<String, Vec<Problem>> {
        cards::format(source)
    }

    fn codes(&self) -> &'static [Code] {
        cards::CODES
    }
}

/// Rules of a card game that passed the checks.
struct CardSheet {
    text: RuleText,
    rules: CardRules,
    warnings: Vec<Problem>,
    roles: Vec<String>,
    /// Made when it is first asked for.
    game: OnceLock<CardGame>,
}

impl OtherRules for CardSheet {
    fn text(&self) -> &RuleText {
        &self.text
    }

    fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    fn contents(&self) -> Contents {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Contents {
            rules: self.rules.stages.iter().map(Vec::len).sum(),
            fluents: words(&[
                "bet/2",
                "current/1",
                "hand/2",
                "stage/2",
                "table/3",
                "tokens/2",
            ]),
            moves: words(&["bet/1", "deal/1", "done/0", "show/1", "take/2"]),
            ..Contents::default()
        }
    }

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn game(&self) -> Result<AnyGame, String> {
        let make = || CardGame::new(&self.text.name, self.rules.clone());
        let game = self.game.get_or_init(make);
        debug_assert_eq!(game.facts().roles, self.roles);
        Ok(AnyGame::new(game.clone()))
    }
}

/// What the rules themselves tell people.
fn metadata(name: &str, rules: &CardRules) -> Metadata {
    Metadata {
        title: name.to_owned(),
        players: u16::from(rules.players),
        kind: GameKind::Hidden,
        idea: "A card game.".to_owned(),
        rules: cards::in_words(rules),
        solvable_in: None,
        unit_milliseconds: None,
        public: None,
        boards: Vec::new(),
        pieces: Default::default(),
    }
}
