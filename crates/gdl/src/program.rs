//! Rules over typed relations.
