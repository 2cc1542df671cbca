//! Derived relations in states: the rules with one more move for each atom, which is legal exactly
//! where the atom holds.

use paidia_game::{Game, Legible, RoleId, Rules, Walker};
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_gdl::syntax::{Notation, Sheet, print};
use paidia_gdl::{Dialect, Severity, Source};
use paidia_reason::Reference;

use super::check::Derive;

/// The name of the moves that stand for atoms.
const MOVE: &str = "paidia_probe";

/// Asks the rules of a sheet.
pub struct Probe<'a, G> {
    /// The game whose states are asked about.
    pub game: &'a G,
    /// Its rules.
    pub sheet: &'a Sheet,
    /// Their dialect.
    pub dialect: Dialect,
}

impl<G: Game + Legible> Derive<G::State> for Probe<'_, G> {
    fn derive(&mut self, atoms: &[String], states: &[&G::State]) -> Result<Vec<Vec<bool>>, String> {
        let role = &self.game.facts().roles[0];
        let mut text = print(self.sheet, Notation::Kif);
        for (place, atom) in atoms.iter().enumerate() {
            if atom.contains('?') || atom.contains(';') {
                return Err(format!(
                    "`{atom}` has a variable; an atom of a formula has none"
                ));
            }
            text.push_str(&format!("\n(<= (legal {role} ({MOVE} {place})) {atom})"));
        }
        let (reading, report) = check_source(&Source::new("formula", text), Some(self.dialect));
        let errors = report
            .problems
            .iter()
            .find(|problem| problem.code.severity() == Severity::Error);
        if let Some(error) = errors {
            return Err(format!(
                "{} cannot be asked for in a state: {}",
                atoms.join(", "),
                error.message
            ));
        }
        let undefined = atoms.iter().find(|atom| !self.is_defined(atom));
        if let Some(atom) = undefined {
            return Err(format!("the rules define no relation `{atom}`"));
        }
        let program =
            Program::new(&reading.sheet, report.dialect).map_err(|error| error.to_string())?;
        let game = Reference::new("formula", &program).map_err(|error| error.to_string())?;
        let moves: Vec<String> = (0..atoms.len())
            .map(|place| format!("({MOVE} {place})"))
            .collect();
        let mut walker = game.walker();
        let mut truths = vec![Vec::with_capacity(states.len()); atoms.len()];
        for state in states {
            let fluents = self.game.fluents(state);
            let fluents: Vec<&str> = fluents.iter().map(String::as_str).collect();
            let state = game.state(&fluents).map_err(|error| error.to_string())?;
            walker.jump(&state);
            let legal: Vec<_> = walker
                .legal()
                .of(RoleId(0))
                .iter()
                .map(|&id| game.moves().name(id))
                .collect();
            if let Some(fault) = walker.fault() {
                return Err(fault.to_string());
            }
            for (truth, name) in truths.iter_mut().zip(&moves) {
                truth.push(legal.iter().any(|legal| **legal == **name));
            }
        }
        Ok(truths)
    }
}

impl<G> Probe<'_, G> {
    /// Whether some rule has the relation of an atom in its head.
    fn is_defined(&self, atom: &str) -> bool {
        let name = atom
            .trim_start_matches('(')
            .split([' ', ')'])
            .next()
            .unwrap_or_default();
        let symbols = &self.sheet.symbols;
        self.sheet
            .clauses
            .iter()
            .any(|clause| symbols.name(clause.head.relation) == name)
    }
}
