//! Why a question is not answered.

use std::fmt;

use hyper::StatusCode;
use serde::Serialize;

use super::checking::ProblemView;

/// Why a question is not answered: `{"error": ...}` with a status.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    /// What is wrong, where, and what to do.
    error: String,
    problems: Option<Vec<ProblemView>>,
}

#[derive(Serialize)]
struct View<'a> {
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    problems: Option<&'a [ProblemView]>,
}

/// The message alone.
impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.error)
    }
}

impl Refusal {
    pub(super) fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self {
            status,
            error: error.into(),
            problems: None,
        }
    }

    /// The question makes no sense.
    pub(super) fn bad(error: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    /// There is no such thing.
    pub(super) fn missing(error: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, error)
    }

    /// It makes sense, but not now.
    pub(super) fn conflict(error: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, error)
    }

    /// It was understood and cannot be done.
    pub(super) fn unusable(error: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, error)
    }

    /// There is no room for it now.
    pub(super) fn busy(error: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// The same, with what is wrong with the rules.
    pub(super) fn with_problems(self, problems: Vec<ProblemView>) -> Self {
        Self {
            problems: Some(problems),
            ..self
        }
    }

    /// As it is sent.
    pub(super) fn json(&self) -> Vec<u8> {
        let view = View {
            error: &self.error,
            problems: self.problems.as_deref(),
        };
        serde_json::to_vec(&view).unwrap_or_default()
    }
}
