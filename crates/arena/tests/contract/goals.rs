//! Goals of any range.
