//! Rules of the GDL family: checked, and grounded when that is first asked for.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use paidia_gdl::check::check_source;
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_gdl::syntax::Sheet;
use paidia_gdl::{Dialect, Problem};
use paidia_reason::propnet::{BuiltGame, LoadNetworkError};

use super::{InvalidRules, RuleText, trace};

/// Rules of the GDL family that passed the checks.
pub struct GdlRules {
    text: RuleText,
    /// The dialect they are written in.
    pub dialect: Dialect,
    /// The clauses.
    pub sheet: Sheet,
    /// The form that engines work on.
    pub program: Program,
    /// What the checks found beside errors.
    pub warnings: Vec<Problem>,
    /// How long checking took.
    pub check_time: CheckTime,
    ground: Mutex<Option<Attempt>>,
    grounded: AtomicU32,
}

/// How long reading and checking a text took.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckTime {
    /// By the clock.
    pub wall: Duration,
    /// Of the processor.
    pub cpu: Duration,
}

/// What came of grounding.
enum Attempt {
    Done(Arc<BuiltGame>),
    Failed(LoadNetworkError, Budget),
}

impl GdlRules {
    /// Checks a text, in the given dialect or in the one that its forms suggest.
    pub(super) fn new(text: RuleText, dialect: Option<Dialect>) -> Result<Self, InvalidRules> {
        trace::note("checked", &text.name);
        let (wall, cpu) = (Instant::now(), ThreadTime::now());
        let (reading, report) = check_source(&text.source, dialect);
        let invalid = |problems, too_large| InvalidRules {
            source: text.source.clone(),
            problems,
            too_large,
        };
        if report.has_errors() {
            return Err(invalid(report.problems, None));
        }
        let program = match Program::new(&reading.sheet, report.dialect) {
            Ok(program) => program,
            Err(error) => return Err(invalid(report.problems, Some(error))),
        };
        Ok(Self {
            text,
            dialect: report.dialect,
            sheet: reading.sheet,
            program,
            warnings: report.problems,
            check_time: CheckTime {
                wall: wall.elapsed(),
                cpu: cpu.elapsed(),
            },
            ground: Mutex::new(None),
            grounded: AtomicU32::new(0),
        })
    }

    /// The text, with what is known about the game.
    pub fn text(&self) -> &RuleText {
        &self.text
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.text.name
    }

    /// The network of the rules before any pass, made now if it was not before. Grounding that ran
    /// out of its budget is tried again where the budget is larger.
    ///
    /// # Errors
    /// If the rules cannot be grounded within the budget, or make no sense as a game in turns.
    pub fn built(&self, budget: Budget) -> Result<Arc<BuiltGame>, LoadNetworkError> {
        let mut ground = self.ground.lock().unwrap_or_else(PoisonError::into_inner);
        match &*ground {
            Some(Attempt::Done(built)) => return Ok(Arc::clone(built)),
            Some(Attempt::Failed(error, tried)) if !is_worth_trying(error, *tried, budget) => {
                return Err(error.clone());
            }
            _ => {}
        }
        self.note_grounding();
        match BuiltGame::new(self.name(), &self.program, budget) {
            Ok(built) => {
                let built = Arc::new(built);
                *ground = Some(Attempt::Done(Arc::clone(&built)));
                Ok(built)
            }
            Err(error) => {
                *ground = Some(Attempt::Failed(error.clone(), budget));
                Err(error)
            }
        }
    }

    /// Counts that the rules are grounded, for an engine that does so in its own form.
    pub(crate) fn note_grounding(&self) {
        self.grounded.fetch_add(1, Ordering::Relaxed);
        trace::note("grounded", self.name());
    }

    /// How often the rules were grounded, attempts over budget included.
    pub fn groundings(&self) -> u32 {
        self.grounded.load(Ordering::Relaxed)
    }
}

/// Whether another budget may give what a first one did not.
fn is_worth_trying(error: &LoadNetworkError, tried: Budget, budget: Budget) -> bool {
    matches!(error, LoadNetworkError::OverBudget(_))
        && (budget.time > tried.time
            || budget.atoms > tried.atoms
            || budget.rules > tried.rules
            || budget.literals > tried.literals)
}

impl fmt::Debug for GdlRules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        formatter
            .debug_struct("GdlRules")
            .field("name", &name)
            .finish_non_exhaustive()
    }
}
