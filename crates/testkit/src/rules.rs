//! Rule sheets, and engines that play them.

use paidia_game::AnyGame;
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_gdl::syntax::Sheet;
use paidia_reason::Reference;
use paidia_reason::propnet::{GroundGame, Propnet, ground_game};

/// A rule sheet with its name.
#[derive(Clone, Debug)]
pub struct RuleSheet {
    /// Its name.
    pub name: String,
    /// The sheet.
    pub text: String,
}

/// The sheet of a bundled game.
///
/// # Panics
/// If none has this name.
#[must_use]
#[track_caller]
pub fn bundled(name: &str) -> RuleSheet {
    RuleSheet::new(name, paidia_library::find(name).unwrap().rules)
}

/// A sheet that has only a text.
#[must_use]
pub fn rules(text: &str) -> RuleSheet {
    RuleSheet::new("test", text)
}

impl RuleSheet {
    /// A sheet.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }

    /// All bundled games.
    pub fn all_bundled() -> impl Iterator<Item = Self> {
        let games = paidia_library::sheets();
        games.map(|game| Self::new(game.name, game.rules))
    }

    /// The sheet and its program.
    ///
    /// # Panics
    /// If the sheet has errors.
    #[must_use]
    #[track_caller]
    pub fn read(&self) -> (Sheet, Program) {
        let (reading, report) = check_source(&Source::new(&*self.name, &*self.text), None);
        assert!(!report.has_errors(), "{}: {:?}", self.name, report.problems);
        let program = Program::new(&reading.sheet, report.dialect).unwrap();
        (reading.sheet, program)
    }

    /// The program of the sheet.
    #[must_use]
    #[track_caller]
    pub fn program(&self) -> Program {
        self.read().1
    }

    /// The game on the reference engine.
    #[must_use]
    #[track_caller]
    pub fn reference(&self) -> Reference {
        Reference::new(&self.name, &self.program()).unwrap()
    }

    /// The same, for code that is compiled once for all engines.
    #[must_use]
    #[track_caller]
    pub fn any(&self) -> AnyGame {
        AnyGame::new(self.reference())
    }

    /// The game as a network of gates.
    #[must_use]
    #[track_caller]
    pub fn propnet(&self) -> Propnet {
        Propnet::new(self.ground())
    }

    /// The game without variables.
    #[must_use]
    #[track_caller]
    pub fn ground(&self) -> GroundGame {
        ground_game(&self.name, &self.program(), Budget::default()).unwrap()
    }
}
