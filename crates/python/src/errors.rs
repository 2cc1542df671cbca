//! Errors as Python has them. The classes are in `python/paidia/errors.py`, where they can have
//! Python's own errors as further bases.

use paidia_arena::rules::RulesError;
use paidia_gdl::{Problem, Severity, Source};
use pyo3::import_exception;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

import_exception!(paidia.errors, PaidiaError);
import_exception!(paidia.errors, RulesInvalid);
import_exception!(paidia.errors, UnknownGame);
import_exception!(paidia.errors, IllegalMove);
import_exception!(paidia.errors, NotApplicable);
import_exception!(paidia.errors, LimitReached);

/// Rules that are not there, cannot be read, or are faulty.
pub(crate) fn of_rules(py: Python<'_>, error: &RulesError) -> PyErr {
    match error {
        RulesError::Invalid(invalid) => match problems(py, &invalid.source, &invalid.problems) {
            Ok(list) => RulesInvalid::new_err((error.to_string(), list.unbind())),
            Err(error) => error,
        },
        RulesError::Unknown(_) | RulesError::NoSize { .. } | RulesError::NoFile(_) => {
            UnknownGame::new_err(error.to_string())
        }
        other => PaidiaError::new_err(other.to_string()),
    }
}

/// Anything else that says in words what is wrong.
pub(crate) fn of(error: impl std::fmt::Display) -> PyErr {
    PaidiaError::new_err(error.to_string())
}

/// Problems of a text as a list of dictionaries.
pub(crate) fn problems<'py>(
    py: Python<'py>,
    source: &Source,
    problems: &[Problem],
) -> PyResult<Bound<'py, PyList>> {
    let entry = |problem: &Problem| -> PyResult<Bound<'py, PyDict>> {
        let (line, column) = source.line_column(problem.span.start);
        let entry = PyDict::new(py);
        entry.set_item("code", problem.code.name())?;
        entry.set_item(
            "severity",
            match problem.code.severity() {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
        )?;
        entry.set_item("line", line)?;
        entry.set_item("column", column)?;
        entry.set_item("message", &problem.message)?;
        entry.set_item("help", &problem.help)?;
        Ok(entry)
    };
    let entries: Vec<_> = problems.iter().map(entry).collect::<PyResult<_>>()?;
    PyList::new(py, entries)
}
