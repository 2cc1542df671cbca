//! What other machines must know to play the matches of a tournament.

use serde::{Deserialize, Serialize};

/// A tournament with everything that it takes to play it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The version of the program that planned it; others might play another way.
    pub program: String,
    /// The name of the tournament.
    pub name: String,
    /// Its file, TOML.
    pub file: String,
    /// The games that the file names.
    pub games: Vec<GameDefinition>,
    /// Whether matches are written down.
    pub records: bool,
    /// Seconds after which a claimed match is free for others if the lease was not renewed.
    pub lease: u32,
}

/// A game with its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameDefinition {
    /// As the file has it.
    pub name: String,
    /// The rules.
    pub rules: String,
    /// The engine, by name. Players may use another one otherwise, so that it is the same
    /// everywhere.
    pub engine: String,
}
