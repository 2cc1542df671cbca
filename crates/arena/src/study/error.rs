//! What can go wrong with a study.

use std::io;
use std::path::PathBuf;

use crate::contest::BadPlace;
use crate::spec::BadPlayer;

/// Why a study cannot be read, run or continued.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// There is no bundled study of that name.
    #[error("there is no study called `{name}`{}", did_you_mean(.nearest))]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// Names like it.
        nearest: Vec<&'static str>,
    },
    /// The data of the study is not TOML, or not what a study has.
    #[error("the study cannot be read: {0}")]
    Form(#[from] toml::de::Error),
    /// The data is readable, but does not make sense.
    #[error("in the study's {place}: {problem}")]
    Data {
        /// Which part.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A player that the catalogue cannot make.
    #[error("in the study's player `{player}`: {reason}")]
    Player {
        /// What the study calls the player.
        player: String,
        /// What is wrong with it.
        reason: BadPlayer,
    },
    /// The result file cannot be read or written.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// A line of the result file is not a record, though it is complete.
    #[error(
        "{path}, line {line}, is not a record of a study: {reason}; move the file away to begin anew"
    )]
    BadRecord {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: serde_json::Error,
    },
    /// A game cannot be loaded.
    #[error("{0}")]
    Game(String),
    /// The figures cannot be written as JSON.
    #[error("the figures cannot be written as JSON: {0}")]
    Json(serde_json::Error),
    /// There is nothing to report.
    #[error(
        "{} has no {trials} of this study at this scale and seed; run it without --report-only",
        .folder.display()
    )]
    Nothing {
        /// The folder of the results.
        folder: PathBuf,
        /// What the study's trials are called.
        trials: &'static str,
    },
    /// A position in which no player can be asked.
    #[error("in the study's position `{position}`: {reason}")]
    Position {
        /// What the study calls it.
        position: String,
        /// What is wrong with it.
        reason: BadPlace,
    },
    /// The players do not fit the roles of the game.
    #[error("the cell `{cell}` has {players} players, but `{game}` wants {roles}")]
    Seats {
        /// The cell.
        cell: String,
        /// The game.
        game: String,
        /// How many players the cell has.
        players: usize,
        /// How many the game wants.
        roles: usize,
    },
}

fn did_you_mean(nearest: &[&'static str]) -> String {
    let names: Vec<String> = nearest.iter().map(|name| format!("`{name}`")).collect();
    match names.is_empty() {
        true => "; `paidia study --list` lists them".into(),
        false => format!("; did you mean {}?", names.join(" or ")),
    }
}
