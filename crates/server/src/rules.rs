//! Rules that came over the network: checked, before anything is done with them.

use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_gdl::{Dialect, Problem, Source};

/// The program of a rule sheet that can be played in turns, in the given dialect or in the one that its forms suggest.
///
/// # Errors
/// Says in words what is wrong with the rules.
pub(crate) fn checked(text: &str, dialect: Option<Dialect>) -> Result<Program, String> {
    let source = Source::new("the rules", text);
    let (reading, report) = check_source(&source, dialect);
    if report.dialect.is_timed() {
        return Err("real-time rules (rtGDL) cannot be played in turns".to_owned());
    }
    if let Some(problem) = report
        .problems
        .iter()
        .find(|problem| Problem::is_error(problem))
    {
        let message = &problem.message;
        return Err(format!(
            "the rules are faulty ({message}); `paidia check` tells what is wrong"
        ));
    }
    Program::new(&reading.sheet, report.dialect).map_err(|error| error.to_string())
}
