//! Beliefs after given histories: states with their posteriors, what is known, and what moves are
//! worth.

use paidia_game::{Game, Goal, Legible, RoleId, Walker};
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::sets::{how_many, read_history};
use super::{
    EXACT, Finding, Malformed, NoAgreement, Subject, array, malformed, member, number, terms, text,
};
use crate::belief::{Belief, BeliefLimits};
use crate::limits;
use crate::unfold::Unfolding;
use crate::values::{self, Play};

/// What the moves of one player are worth, sequence by sequence.
struct Worths {
    uniform: Vec<f64>,
    optimal: Option<Vec<f64>>,
    hyperplay: Vec<f64>,
    asked: Vec<f64>,
}

impl<G: Game + Legible> Subject<G> {
    /// Compares beliefs. Values of moves are compared where all play was unfolded.
    ///
    /// # Errors
    /// If the data is damaged.
    pub fn beliefs(&mut self, truth: &Value) -> Result<Vec<Finding>, NoAgreement> {
        let mut findings = [Finding::new("beliefs"), Finding::new("values of moves")];
        let list = array(truth, "beliefs")?;
        let complete = self
            .unfolding
            .as_ref()
            .is_some_and(|unfolding| unfolding.complete);
        let mut worths: Vec<Option<Worths>> =
            self.explorer.table.players.iter().map(|_| None).collect();
        for entry in list {
            let player = self.player(text(entry, "role")?)?;
            self.belief(player, entry, &mut findings[0])?;
            if complete && entry.get("moves").is_some_and(Value::is_object) {
                if worths[player].is_none() {
                    worths[player] = self.worths(player);
                }
                if let Some(worths) = &worths[player] {
                    self.move_values(player, entry, worths, &mut findings[1])?;
                }
            }
        }
        if !complete {
            findings[1].note = Some("play was not followed to its end".to_owned());
        }
        Ok(findings.into())
    }

    fn belief(&self, player: usize, truth: &Value, finding: &mut Finding) -> Result<(), Malformed> {
        let (game, role) = (self.game(), self.explorer.table.players[player]);
        let history = read_history(array(truth, "history")?)?;
        let place = |what: &str| {
            format!(
                "{what} of {} after {history:?}",
                game.facts().role_name(role)
            )
        };
        let mut belief = Belief::new(game, role, BeliefLimits::default(), 0);
        for (made, percepts) in &history {
            let ids = percepts
                .iter()
                .map(|text| game.percepts().find(text))
                .collect::<Option<Vec<_>>>();
            let told = game.moves().find(made).zip(ids);
            let seen = told.is_some_and(|(made, percepts)| belief.see(made, &percepts).is_ok());
            if !seen {
                finding.check(false, || place("nothing agrees with what was told"));
                return Ok(());
            }
        }
        finding.check(!belief.is_sample(), || place("the belief is a sample"));
        let states = self.weighed(&belief, role);
        let listed = array(truth, "states")?;
        finding.equal(&states.len(), &listed.len(), || place("number of states"));
        let whole: f64 = states.values().map(|state| state.weight).sum();
        let asked: f64 = states
            .values()
            .filter(|state| !state.terminal)
            .map(|state| state.weight)
            .sum();
        for theirs in listed {
            let Some(ours) = states.get(&terms(member(theirs, "fluents")?)?) else {
                finding.check(false, || place("a state is missing"));
                continue;
            };
            finding.near(
                ours.histories,
                number(member(theirs, "histories")?)?,
                EXACT,
                || place("histories"),
            );
            finding.near(
                ours.weight / whole,
                number(member(theirs, "posterior")?)?,
                EXACT,
                || place("posterior"),
            );
            let terminal = member(theirs, "terminal")?.as_bool() == Some(true);
            finding.equal(&ours.terminal, &terminal, || place("end"));
            if let Some(theirs) = theirs
                .get("posterior_if_asked_to_move")
                .filter(|value| !value.is_null())
            {
                let ours = if ours.terminal {
                    0.0
                } else {
                    ours.weight / asked
                };
                finding.near(ours, number(theirs)?, EXACT, || place("posterior if asked"));
            }
        }
        let ends = states.values().filter(|state| state.terminal).count();
        finding.equal(
            &how_many(ends, states.len()),
            &text(truth, "terminal")?,
            || place("end"),
        );
        self.known(&states, truth, finding, &place)
    }

    /// What is known in some states, and what is possible.
    fn known(
        &self,
        states: &FxHashMap<Vec<String>, Weighed>,
        truth: &Value,
        finding: &mut Finding,
        place: &impl Fn(&str) -> String,
    ) -> Result<(), Malformed> {
        let open: Vec<&Weighed> = states.values().filter(|state| !state.terminal).collect();
        let fluents = common(states.keys(), states.len());
        finding.equal(&fluents.0, &terms(member(truth, "known_fluents")?)?, || {
            place("known fluents")
        });
        finding.equal(
            &fluents.1,
            &terms(member(truth, "possible_fluents")?)?,
            || place("possible fluents"),
        );
        let (known, mut possible) = common(open.iter().map(|state| &state.legal), open.len());
        finding.equal(&known, &terms(member(truth, "known_legal")?)?, || {
            place("known moves")
        });
        possible.extend(known);
        possible.sort();
        finding.equal(&possible, &terms(member(truth, "possibly_legal")?)?, || {
            place("possible moves")
        });
        let mut goals: Vec<i64> = states
            .values()
            .filter_map(|state| state.goal.value())
            .map(i64::from)
            .collect();
        goals.sort_unstable();
        goals.dedup();
        let theirs = array(truth, "goals_possible")?
            .iter()
            .filter_map(Value::as_i64);
        finding.equal(&goals, &theirs.collect(), || place("possible goals"));
        Ok(())
    }

    fn weighed(&self, belief: &Belief<G>, role: RoleId) -> FxHashMap<Vec<String>, Weighed> {
        let mut walker = self.game().walker();
        let weigh = |(state, weight): (&G::State, crate::belief::Weight)| {
            walker.jump(state);
            let weighed = Weighed {
                weight: weight.weight,
                histories: weight.histories,
                terminal: walker.is_terminal(),
                legal: self.move_names(walker.legal().of(role).iter().copied()),
                goal: walker.goal(role),
            };
            (self.game().fluents(state), weighed)
        };
        belief.states().map(weigh).collect()
    }

    fn worths(&self, player: usize) -> Option<Worths> {
        let (unfolding, table) = (self.unfolding.as_ref()?, &self.explorer.table);
        values::check(unfolding, table).ok()?;
        let uniform = vec![Play::Uniform; table.players.len()];
        let reach = values::reach(unfolding, table, &uniform, Some(player));
        let worth = values::uniform(unfolding, table);
        let best = values::best_response(unfolding, table, player, &reach).ok();
        let hyperplay = limits::hyperplay(unfolding, table);
        Some(Worths {
            uniform: limits::sequence_means(unfolding, table, player, &uniform, &worth),
            optimal: best.map(|response| response.sequences),
            hyperplay: limits::hyperplay_ii(unfolding, table, player, &hyperplay),
            asked: limits::asked(unfolding, table, player, &reach),
        })
    }

    fn move_values(
        &self,
        player: usize,
        truth: &Value,
        worths: &Worths,
        finding: &mut Finding,
    ) -> Result<(), Malformed> {
        let unfolding = self
            .unfolding
            .as_ref()
            .ok_or_else(|| malformed("no histories"))?;
        let sets = &unfolding.players[player];
        let history = read_history(array(truth, "history")?)?;
        let Some(set) = self.find_set(unfolding, player, &history) else {
            finding.check(false, || format!("there is no set after {history:?}"));
            return Ok(());
        };
        for (name, theirs) in member(truth, "moves")?.as_object().into_iter().flatten() {
            let place = |what: &str| format!("{what} of {name} after {history:?}");
            let sequence = self
                .game()
                .moves()
                .find(name)
                .and_then(|id| sets.sequence(set, id));
            let Some(sequence) = sequence else {
                finding.check(false, || place("not a move here"));
                continue;
            };
            let optimal = worths
                .optimal
                .as_ref()
                .map(|worth| worth[sequence] / worths.asked[set as usize]);
            let ours = [
                ("uniform_playouts", Some(worths.uniform[sequence])),
                ("optimal_vs_uniform", optimal),
                ("hyperplay2_limit", Some(worths.hyperplay[sequence])),
            ];
            for (key, ours) in ours {
                if let (Some(ours), Some(theirs)) =
                    (ours, theirs.get(key).filter(|value| !value.is_null()))
                {
                    finding.near(ours, number(theirs)?, EXACT, || place(key));
                }
            }
        }
        Ok(())
    }

    fn find_set(
        &self,
        unfolding: &Unfolding,
        player: usize,
        history: &[(String, Vec<String>)],
    ) -> Option<u32> {
        let sets = &unfolding.players[player];
        history.iter().try_fold(0, |set, (made, percepts)| {
            let made = self.game().moves().find(made)?;
            sets.find(set, made, self.percept_set(percepts)?)
        })
    }
}

/// A believed state as it is compared.
struct Weighed {
    weight: f64,
    histories: f64,
    terminal: bool,
    legal: Vec<String>,
    goal: Goal,
}

/// The texts that are in all lists, and those in some but not all, sorted.
fn common<'a>(
    lists: impl Iterator<Item = &'a Vec<String>>,
    count: usize,
) -> (Vec<String>, Vec<String>) {
    let mut times: FxHashMap<&str, usize> = FxHashMap::default();
    for text in lists.flatten() {
        *times.entry(text).or_default() += 1;
    }
    let of = |all: bool| {
        let some = times.iter().filter(|&(_, &times)| (times == count) == all);
        let mut texts: Vec<String> = some.map(|(text, _)| (*text).to_owned()).collect();
        texts.sort();
        texts
    };
    (of(true), of(false))
}
