//! What is wrong with a rule sheet.
//!
//! Each module here is one family of checks over the same `outline`, the definitions and uses of
//! relations. All of them look at rules as written and never evaluate any, so that a sheet of any
//! size is checked at once. An error means that the game cannot be played as it stands; a warning,
//! that its author probably meant something else.
//!
//! Checks that miss something (an undefined relation, a role without moves) are only made on sheets
//! that were read completely: what they miss may stand in a clause with a misplaced parenthesis.

mod arity;
mod binding;
mod cycles;
mod dependency;
mod duplicates;
mod findings;
mod fluents;
mod growth;
mod keywords;
mod names;
mod outline;
mod recursion;
mod relations;
mod roles;
mod safety;
mod spelling;
mod terms;

use self::findings::Findings;
use self::outline::Outline;
use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::source::Source;
use crate::syntax::{self, Reading, Sheet};

/// The most roles of a game. Engines take time for each pair of a role and something about another
/// in some places, so that more would keep them busy for long.
pub const MOST_ROLES: usize = 4_096;

/// What the checks found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The dialect that the sheet was checked in.
    pub dialect: Dialect,
    /// The problems in the order of the text. Of very many problems of one kind only the first few
    /// are listed, and one more that counts the others.
    pub problems: Vec<Problem>,
}

impl Report {
    /// Whether the game cannot be played.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }
}

/// Checks a sheet, in the given dialect or in the one that its forms suggest.
///
/// Takes time and memory near linear in the size of the sheet.
pub fn check(sheet: &Sheet, dialect: Option<Dialect>) -> Report {
    examine(sheet, dialect, true, Findings::default())
}

/// Reads and checks a rule sheet; the report has the problems of both.
pub fn check_source(source: &Source, dialect: Option<Dialect>) -> (Reading, Report) {
    let reading = syntax::read(source);
    let mut findings = Findings::default();
    for problem in &reading.problems {
        findings.add(problem.clone());
    }
    let is_complete = !reading.problems.iter().any(Problem::is_error);
    let report = examine(&reading.sheet, dialect, is_complete, findings);
    (reading, report)
}

fn examine(
    sheet: &Sheet,
    chosen: Option<Dialect>,
    is_complete: bool,
    mut findings: Findings,
) -> Report {
    let dialect = chosen.unwrap_or_else(|| Dialect::detect(sheet));
    let outline = Outline::new(sheet, dialect, is_complete);
    keywords::check(&outline, chosen.is_some(), &mut findings);
    dependency::check(&outline, &mut findings);
    arity::check(&outline, &mut findings);
    safety::check(&outline, &mut findings);
    cycles::check(&outline, &mut findings);
    recursion::check(&outline, &mut findings);
    roles::check_goal_values(&outline, &mut findings);
    spelling::check(&outline, &mut findings);
    growth::check_names(&outline, &mut findings);
    growth::check(&outline, &mut findings);
    duplicates::check(&outline, &mut findings);
    if is_complete {
        roles::check_presence(&outline, &mut findings);
        relations::check(&outline, &mut findings);
        fluents::check(&outline, &mut findings);
    }
    Report {
        dialect,
        problems: findings.into_sorted(),
    }
}
