//! The rules that both sides play by, and how they make sure that they number everything in the
//! same way.

use paidia_arena::Batches;
use paidia_arena::rules::RuleText;
use paidia_game::{GameFacts, MoveTable, Rules as _};
use paidia_gdl::Dialect;
use paidia_gdl::grounding::Budget;
use paidia_reason::propnet::Propnet;
use sha2::{Digest, Sha256};

use super::wire::{RULES_BYTES, to_hex};

/// The rules of a game, as they are sent to workers.
#[derive(Clone, Debug)]
pub struct RemoteRules {
    /// The name of the game, for messages.
    pub name: String,
    /// The rule sheet.
    pub text: String,
    /// The language it is written in.
    pub dialect: Dialect,
}

/// What workers play with.
pub(super) struct Prepared {
    pub(super) batches: Batches,
    pub(super) fluents: usize,
    pub(super) fingerprint: String,
}

/// The dialect with a name.
pub(super) fn dialect(name: &str) -> Option<Dialect> {
    let all = [Dialect::Gdl, Dialect::GdlII, Dialect::RtGdl];
    all.into_iter().find(|dialect| dialect.name() == name)
}

impl RemoteRules {
    /// Checks the rules and makes them a network, within the usual budget.
    ///
    /// # Errors
    /// Says in words what is wrong with them.
    pub(super) fn prepare(&self) -> Result<Prepared, String> {
        if self.text.len() > RULES_BYTES {
            return Err(format!(
                "the rules have more than {RULES_BYTES} bytes, which is the limit"
            ));
        }
        let rules = RuleText::new(&self.name, &self.text).check_as(Some(self.dialect));
        let rules = rules.map_err(|error| error.sentence())?;
        let rules = rules.gdl().map_err(|error| error.sentence())?;
        let built = rules.built(Budget::default());
        let built = built.map_err(|error| error.to_string())?;
        let (game, _) = built.simplified(|_| true);
        Ok(Prepared {
            fluents: game.fluents.len(),
            fingerprint: fingerprint(&game.facts, &game.fluents, &game.moves),
            batches: Batches::new(game),
        })
    }
}

/// What a game's numbers mean, as a short text.
pub(super) fn fingerprint_of(game: &Propnet) -> String {
    fingerprint(game.facts(), game.fluent_names(), game.moves())
}

fn fingerprint(facts: &GameFacts, fluents: &[String], moves: &MoveTable) -> String {
    let mut digest = Sha256::new();
    let mut list = |texts: &mut dyn Iterator<Item = &str>| {
        for text in texts {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        }
        // No text is that long, so that one list cannot look like the end of another.
        digest.update(u64::MAX.to_le_bytes());
    };
    list(&mut facts.roles.iter().map(String::as_str));
    list(&mut fluents.iter().map(String::as_str));
    list(&mut moves.to_vec().iter().map(AsRef::as_ref));
    to_hex(&digest.finalize())
}
