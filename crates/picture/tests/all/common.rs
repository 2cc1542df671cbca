//! Games to draw, for tests and for the table of boards.

use paidia_game::{Legible, Rules as _, Walker};
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_gdl::syntax::Sheet;
use paidia_gdl::{Problem, Source};
use paidia_library::Metadata;
use paidia_picture::{Frame, Rules, Scene};
use paidia_reason::Reference;
use paidia_testkit::walk::random_walk;

/// The number of states of a random match from which a picture is made.
const SEEN: u32 = 30;

/// Rules that can be played.
pub(crate) struct Subject {
    pub(crate) sheet: Sheet,
    pub(crate) program: Program,
    pub(crate) game: Reference,
}

impl Subject {
    /// Reads and checks rules.
    pub(crate) fn read(name: &str, text: &str) -> Result<Self, String> {
        let (reading, report) = check_source(&Source::new(name, text), None);
        if report.problems.iter().any(Problem::is_error) {
            return Err("the sheet has errors".to_owned());
        }
        let program =
            Program::new(&reading.sheet, report.dialect).map_err(|error| error.to_string())?;
        let game = Reference::new(name, &program).map_err(|error| error.to_string())?;
        Ok(Self {
            sheet: reading.sheet,
            program,
            game,
        })
    }

    /// The picture of the game.
    pub(crate) fn scene(&self, metadata: Option<&Metadata>) -> Scene {
        let mut seen = Vec::new();
        self.walk(1, SEEN, |fluents, _| seen.push(fluents));
        let rules = Rules {
            sheet: &self.sheet,
            program: &self.program,
        };
        Scene::new(Some(rules), metadata, &seen)
    }

    /// The first state as it is shown.
    pub(crate) fn start(&self, scene: &Scene) -> Frame {
        scene.frame(&self.game.fluents(&self.game.initial()))
    }

    /// Plays at random and tells of each state its fluents and legal moves.
    pub(crate) fn walk(
        &self,
        seed: u64,
        states: u32,
        mut visit: impl FnMut(Vec<String>, Vec<String>),
    ) {
        let mut state = self.game.initial();
        random_walk(&self.game, seed, states - 1, |walker| {
            walker.save(&mut state);
            let moves = walker.legal().iter().flat_map(|(_, moves)| moves);
            let names = moves.map(|&id| self.game.moves().name(id).to_string());
            visit(self.game.fluents(&state), names.collect());
        });
    }
}
