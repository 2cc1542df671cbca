//! Showing problems to people.
