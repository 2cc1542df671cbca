//! Writing matches down: the option `--record`.

use std::path::PathBuf;

use anyhow::bail;
use paidia_arena::record::{Heading, MatchRecord, match_id};
use paidia_arena::rules::Ruleset;
use paidia_arena::store::{FOLDER, check_writable, keep_match};
use paidia_search::Budget;

use crate::position::Start;

/// Whether and where matches are written down.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Recording {
    /// Write the match down, as a JSON file in this folder (`match-records` if none is given) and
    /// as a row in its database; see `paidia matches`
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, default_missing_value = FOLDER)]
    record: Option<PathBuf>,
}

impl Recording {
    /// Refuses what a record cannot tell, and a folder that cannot be written to, which it makes if
    /// it is not there.
    pub(crate) fn check(&self, start: &Start) -> anyhow::Result<()> {
        if self.record.is_some() && start.is_given() {
            bail!(
                "a record is of a whole match: --record goes neither with --after nor with --from"
            );
        }
        match &self.record {
            Some(folder) => Ok(check_writable(folder)?),
            None => Ok(()),
        }
    }

    /// What a record has before the first move; the budget is that of a move.
    pub(crate) fn heading(
        &self,
        rules: &Ruleset,
        players: &[Option<String>],
        budget: Option<Budget>,
    ) -> Heading {
        let budget = budget.unwrap_or_default();
        let limits = [
            budget
                .simulations
                .map(|count| format!("{count} simulations")),
            budget.states.map(|count| format!("{count} states")),
            budget.time.map(|time| format!("{} s", time.as_secs_f64())),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let thinking = |player: &Option<String>| match player {
            Some(_) => limits.join(", "),
            None => String::new(),
        };
        let clock = budget.time.map(|time| time.as_secs_f64());
        Heading {
            id: match_id(rules.name()),
            game: rules.name().to_owned(),
            rules: Some(rules.source().text.clone()),
            players: players.to_vec(),
            thinking: players.iter().map(thinking).collect(),
            clocks: clock.map(|seconds| (seconds, seconds)),
            ..Heading::default()
        }
    }

    /// Writes a record, if one is wanted, and says where.
    pub(crate) fn write(&self, record: &MatchRecord) -> anyhow::Result<()> {
        let Some(folder) = &self.record else {
            return Ok(());
        };
        let path = keep_match(folder, record)?;
        eprintln!("note: the match is written down in {}", path.display());
        Ok(())
    }
}
