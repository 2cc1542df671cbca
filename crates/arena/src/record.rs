//! Records of matches in the JSON format that ggp-base and ggp.org's tools read and write.
//!
//! [`MatchRecord`] is the format, with [`MatchRecord::parse`] for what others wrote; a [`Recorder`]
//! makes one of a match as it goes; [`verify`] repeats one with an engine and lists what differs.
//! The format's signatures are neither written nor checked.

mod format;
mod recorder;
mod verify;

pub use format::{BadRecord, MAX_BYTES, MAX_STEPS, MatchRecord, file_name};
pub use recorder::{Heading, Recorder, match_id};
pub(crate) use recorder::{now, token};
pub use verify::{Difference, verify};
