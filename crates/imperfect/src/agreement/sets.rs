//! Lists of all information sets of a game.

use paidia_game::{Game, Legible};
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::{
    EXACT, Finding, Malformed, NoAgreement, Subject, array, malformed, member, number, terms, text,
};
use crate::values::{self, Play};

/// A history as text: own moves and percepts.
type History = Vec<(String, Vec<String>)>;

impl<G: Game + Legible> Subject<G> {
    /// Compares a list of all information sets.
    ///
    /// # Errors
    /// If the data is damaged or the game is too large.
    pub fn all_sets(&mut self, truth: &Value) -> Result<Vec<Finding>, NoAgreement> {
        self.unfold_to(None)?;
        let unfolding = self
            .unfolding
            .as_ref()
            .ok_or_else(|| malformed("no histories"))?;
        let table = &self.explorer.table;
        let mut finding = Finding::new("list of information sets");
        let mut known: FxHashMap<(usize, History), u32> = FxHashMap::default();
        for (player, sets) in unfolding.players.iter().enumerate() {
            for set in 0..sets.len() as u32 {
                let step = |(made, percepts): (_, u32)| {
                    (
                        self.game().moves().name(made).to_string(),
                        self.percept_names(percepts),
                    )
                };
                known.insert(
                    (player, sets.history(set).into_iter().map(step).collect()),
                    set,
                );
            }
        }
        let listed = array(truth, "information_sets")?;
        finding.equal(&known.len(), &listed.len(), || "number of sets".to_owned());
        let uniform = vec![Play::Uniform; table.players.len()];
        let players = 0..table.players.len();
        let reach: Vec<_> = players
            .map(|player| values::reach(unfolding, table, &uniform, Some(player)))
            .collect();
        for entry in listed {
            let player = self.player(text(entry, "role")?)?;
            let history = read_history(array(entry, "history")?)?;
            let sets = &unfolding.players[player];
            let Some(&set) = known.get(&(player, history.clone())) else {
                finding.check(false, || format!("there is no set after {history:?}"));
                continue;
            };
            let place = |what: &str| format!("{what} after {history:?}");
            let points = sets.points(set);
            let sum = |of: &[f64]| points.iter().map(|&point| of[point as usize]).sum::<f64>();
            finding.near(
                sum(&unfolding.histories),
                number(member(entry, "histories")?)?,
                EXACT,
                || place("histories"),
            );
            finding.near(
                sum(&reach[player]),
                number(member(entry, "weight")?)?,
                EXACT,
                || place("weight"),
            );
            let mut states: Vec<u32> = points
                .iter()
                .map(|&point| unfolding.state[point as usize])
                .collect();
            states.sort_unstable();
            states.dedup();
            finding.near(
                states.len() as f64,
                number(member(entry, "states")?)?,
                0.0,
                || place("states"),
            );
            let ends = states
                .iter()
                .filter(|&&state| table.states[state as usize].terminal)
                .count();
            let terminal = how_many(ends, states.len());
            finding.equal(&terminal, &text(entry, "terminal")?, || place("end"));
            let legal = self.move_names(
                sets.known_sequences(set)
                    .map(|sequence| sets.moves[sequence]),
            );
            finding.equal(&legal, &terms(member(entry, "known_legal")?)?, || {
                place("known moves")
            });
            let legal = self.move_names(sets.moves[sets.sequences(set)].iter().copied());
            finding.equal(&legal, &terms(member(entry, "possibly_legal")?)?, || {
                place("possible moves")
            });
        }
        Ok(vec![finding])
    }
}

/// The word for how many of some states are terminal.
pub(super) fn how_many(ends: usize, of: usize) -> &'static str {
    match ends {
        0 => "none",
        all if all == of => "all",
        _ => "some",
    }
}

/// A history: pairs of a move and percepts, as a list or as an object.
pub(super) fn read_history(steps: &[Value]) -> Result<History, Malformed> {
    let read = |step: &Value| {
        let (made, percepts) = match step {
            Value::Array(pair) => (pair.first(), pair.get(1)),
            other => (other.get("move"), other.get("percepts")),
        };
        let made = made
            .and_then(Value::as_str)
            .ok_or_else(|| malformed("a step has a move"))?;
        let percepts = percepts.ok_or_else(|| malformed("a step has percepts"))?;
        Ok((made.to_owned(), terms(percepts)?))
    };
    steps.iter().map(read).collect()
}
