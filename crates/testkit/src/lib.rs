//! What tests and benches share. No crate depends on it except for its tests.
//!
//! A test that needs what a machine may lack (the public collection, PostgreSQL, a browser, Prolog)
//! asks here and skips where it is missing. `PAIDIA_REQUIRE=corpus,postgres` makes a missing one a
//! failure; see [`need`].

pub mod boards;
pub mod corpus;
pub mod counting;
pub mod http;
pub mod need;
pub mod odd;
pub mod postgres;
pub mod process;
pub mod recordings;
pub mod replay;
pub mod rules;
pub mod settings;
pub mod walk;

pub use boards::boards;
pub use corpus::{Corpus, corpus};
pub use recordings::recordings;
pub use rules::{RuleSheet, bundled, rules};
