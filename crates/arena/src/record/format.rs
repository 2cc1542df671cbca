//! The format: a JSON object a match.
//!
//! Names are ggp-base's (`Match.toJSON`). A state is one text, a list of its fluents; `errors` has
//! a list for `START` and then one for each joint move, each with a text for each role: nothing,
//! `TO` (late), `CE` (no connection) or `IL` and the illegal move. What ggp-base does not have
//! comes under names of its own, which its readers pass over: `gameName`, `gameRoleNames`,
//! `gameRulesheet`, `thinking`, `engine`, `thoughts`, `realTime`.

use std::io::{self, Write};
use std::path::Path;

use paidia_realtime::TimedRecord;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::engine::EngineNote;

/// The longest record that is read, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// The most joint moves of a record that is read.
pub const MAX_STEPS: usize = 100_000;

/// A match, as it was played.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchRecord {
    /// Its name; no other match of the same host has it.
    pub match_id: String,
    /// A text that tells matches of the same name apart.
    #[serde(default)]
    pub random_token: String,
    /// When it began, in milliseconds since 1970.
    #[serde(default)]
    pub start_time: i64,
    /// Where the game is described, for games of a repository.
    #[serde(
        rename = "gameMetaURL",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub game_meta_url: Option<String>,
    /// What the game is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_name: Option<String>,
    /// The roles in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_role_names: Option<Vec<String>>,
    /// The rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_rulesheet: Option<String>,
    /// The tournament it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament_name_from_host: Option<String>,
    /// For each role the name of its player.
    #[serde(default)]
    pub player_names_from_host: Vec<Option<String>>,
    /// For each role how much thinking a move had, where that is not told by the clocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thinking: Vec<String>,
    /// Which engine played, for matches of this program, and how fast it and others are.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "read_engine"
    )]
    pub engine: Option<EngineNote>,
    /// Seconds before the start for a look at the rules; -1 if there was none.
    #[serde(default = "no_preview")]
    pub preview_clock: i64,
    /// Seconds before the first move; 0 without a clock.
    #[serde(default)]
    pub start_clock: i64,
    /// Seconds a move; 0 without a clock.
    #[serde(default)]
    pub play_clock: i64,
    /// Whether it ended by the rules.
    pub is_completed: bool,
    /// Whether it was stopped.
    #[serde(default)]
    pub is_aborted: bool,
    /// The fluents of each state, the first before the first move.
    #[serde(serialize_with = "write_states", deserialize_with = "read_states")]
    pub states: Vec<Vec<String>>,
    /// For each joint move each role's part.
    pub moves: Vec<Vec<String>>,
    /// When each state was reached, in milliseconds since 1970.
    #[serde(default)]
    pub state_times: Vec<i64>,
    /// What went wrong: at the start, then with each joint move, for each role.
    #[serde(default)]
    pub errors: Vec<Vec<String>>,
    /// What each role got.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goal_values: Vec<i32>,
    /// For each joint move what each role's player said about its part, as the web page shows it;
    /// `null` where nothing was said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<Vec<serde_json::Value>>,
    /// Whether players saw other names than the rules have.
    #[serde(default)]
    pub scrambled: bool,
    /// A match in real time, exactly; its updates stand as states and moves, too, for programs that
    /// know of turns alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub real_time: Option<Box<TimedRecord>>,
}

fn no_preview() -> i64 {
    -1
}

/// What others may have under that name is passed over.
fn read_engine<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<EngineNote>, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).ok())
}

/// Why a text is no record.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    /// Too long to read.
    #[error("the record has more than {} MB", MAX_BYTES >> 20)]
    TooLong,
    /// Something else than a JSON object.
    #[error("not a record of a match: such a file is one JSON object, `{{...}}`")]
    NoObject,
    /// Not JSON, or not with what a record has.
    #[error("not a record of a match: {0}")]
    Form(#[from] serde_json::Error),
    /// Lists that do not fit together.
    #[error("the record makes no sense: {0}")]
    Sense(String),
    /// The file cannot be read.
    #[error("cannot read the record: {0}")]
    File(#[from] io::Error),
}

impl MatchRecord {
    /// Reads a record from an untrusted source. Moves and fluents are brought into canonical form.
    ///
    /// # Errors
    /// If it is too long, no JSON, lacks something, or has lists that do not fit together.
    pub fn parse(bytes: &[u8]) -> Result<Self, BadRecord> {
        if bytes.len() > MAX_BYTES {
            return Err(BadRecord::TooLong);
        }
        if bytes.trim_ascii_start().first() != Some(&b'{') {
            return Err(BadRecord::NoObject);
        }
        let mut record: Self = serde_json::from_slice(bytes)?;
        for part in record.moves.iter_mut().flatten() {
            *part = canonical(part).map_err(BadRecord::Sense)?;
        }
        record.check().map_err(BadRecord::Sense)?;
        Ok(record)
    }

    /// Reads a record from a file.
    ///
    /// # Errors
    /// As [`Self::parse`], and if the file cannot be read.
    pub fn read(path: &Path) -> Result<Self, BadRecord> {
        use std::io::Read as _;
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path)?;
        file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        Self::parse(&bytes)
    }

    /// Writes the record to a file, which is there whole or not at all.
    ///
    /// # Errors
    /// If that is not possible.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let unfinished = path.with_extension("json.part");
        let mut file = std::fs::File::create(&unfinished)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.write_all(b"\n")?;
        file.sync_data()?;
        std::fs::rename(unfinished, path)
    }

    /// How many roles there are, by the first list that tells.
    pub fn roles(&self) -> usize {
        let named = self.game_role_names.as_ref().map(Vec::len);
        let moved = || self.moves.first().map(Vec::len);
        named.or_else(moved).unwrap_or(self.goal_values.len())
    }

    /// How many parts of joint moves were not what the player chose.
    pub fn error_count(&self) -> usize {
        let errors = self.errors.iter().flatten();
        errors.filter(|error| !error.is_empty()).count()
    }

    fn check(&self) -> Result<(), String> {
        if self.moves.len() > MAX_STEPS {
            return Err(format!("it has more than {MAX_STEPS} joint moves"));
        }
        if self.states.len() != self.moves.len() + 1 {
            let (states, moves) = (self.states.len(), self.moves.len());
            return Err(format!(
                "{states} states do not go with {moves} joint moves"
            ));
        }
        let roles = self.roles();
        let by_role = self.moves.iter().map(Vec::len);
        let by_role = by_role.chain(self.errors.iter().map(Vec::len));
        let others = [
            self.player_names_from_host.len(),
            self.goal_values.len(),
            self.thinking.len(),
        ];
        let others = others.into_iter().filter(|&length| length > 0);
        match by_role.chain(others).find(|&length| length != roles) {
            Some(length) => Err(format!("a list of {length} is not for {roles} roles")),
            None => Ok(()),
        }
    }
}

/// The only term of a text, in canonical form.
fn canonical(text: &str) -> Result<String, String> {
    let mut terms = paidia_game::split(text).map_err(|error| error.to_string())?;
    match (terms.pop(), terms.is_empty()) {
        (Some(only), true) => Ok(only),
        _ => Err(format!("`{}` is not one move", shortened(text))),
    }
}

/// The beginning of a text.
fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}

/// A state as others write it.
#[derive(Deserialize)]
#[serde(untagged)]
enum StateText {
    /// `( (cell 1 1 b) (control x) )`
    Text(String),
    /// One text a fluent.
    List(Vec<String>),
}

impl StateText {
    fn fluents(self) -> Result<Vec<String>, String> {
        let read = |text: &str| paidia_game::split(text).map_err(|error| error.to_string());
        let terms = match self {
            StateText::List(fluents) => read(&fluents.join(" "))?,
            StateText::Text(text) => {
                let outer = text.trim();
                let inner = outer
                    .strip_prefix('(')
                    .and_then(|text| text.strip_suffix(')'));
                let inner = inner.ok_or_else(|| format!("`{}` is no list", shortened(outer)))?;
                read(inner)?
            }
        };
        let plain = |term: String| {
            let inner = term.strip_prefix("(true ")?.strip_suffix(')')?;
            let parts = paidia_game::split(inner).ok()?;
            (parts.len() == 1).then(|| inner.to_owned())
        };
        let mut fluents: Vec<String> = terms
            .into_iter()
            .map(|term| plain(term.clone()).unwrap_or(term))
            .collect();
        fluents.sort();
        fluents.dedup();
        Ok(fluents)
    }
}

fn read_states<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Vec<String>>, D::Error> {
    let states: Vec<StateText> = Vec::deserialize(from)?;
    let states = states.into_iter().map(StateText::fluents);
    states
        .collect::<Result<_, String>>()
        .map_err(D::Error::custom)
}

fn write_states<S: Serializer>(states: &[Vec<String>], into: S) -> Result<S::Ok, S::Error> {
    let texts = states.iter();
    into.collect_seq(texts.map(|fluents| format!("( {} )", fluents.join(" "))))
}

/// A name that is safe as a file's: whatever is not usual there becomes a dash.
pub fn file_name(name: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "-_.@".contains(c);
    let name = name.trim_start_matches('.').chars();
    name.map(|c| if safe(c) { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn names_stay_in_their_folder() {
        assert_eq!(file_name("../../etc/passwd"), "-..-etc-passwd");
        assert_eq!(file_name("hex@11"), "hex@11");
    }
}
