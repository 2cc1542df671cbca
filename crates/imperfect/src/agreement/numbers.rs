//! Counts of histories, states and information sets, and the values of play.

use paidia_game::{Game, Legible};
use serde_json::Value;

use super::{
    EQUILIBRIUM, EXACT, Finding, Malformed, NoAgreement, Subject, array, member, number, text,
};
use crate::equilibrium;
use crate::unfold::{InformationSets, Unfolding};
use crate::values::{self, Play, uniform_strategy};

impl<G: Game + Legible> Subject<G> {
    /// Compares the counts and values of a game.
    ///
    /// # Errors
    /// If the data is damaged or the game is too large.
    pub fn numbers(&mut self, truth: &Value) -> Result<Vec<Finding>, NoAgreement> {
        let perft = member(truth, "perft")?;
        let complete = member(perft, "complete")?.as_bool() == Some(true);
        let rows = array(perft, "rows")?;
        let depth = (!complete).then(|| rows.len().saturating_sub(1));
        self.unfold_to(depth)?;
        let mut findings = vec![
            self.counts(rows)?,
            self.information_sets(member(truth, "information_sets")?)?,
        ];
        if complete
            && self
                .unfolding
                .as_ref()
                .is_some_and(|unfolding| unfolding.complete)
        {
            findings.push(self.values(truth)?);
            let expected = truth
                .get("equilibrium")
                .filter(|value| value.get("value_maxmin").is_some());
            if let Some(expected) = expected {
                findings.push(self.equilibrium(expected)?);
            }
            if let Some(expected) = truth
                .get("uniform_exploitability")
                .filter(|value| !value.is_null())
            {
                findings.push(self.uniform_exploitability(expected)?);
            }
        }
        Ok(findings)
    }

    fn unfolding(&self) -> Result<&Unfolding, Malformed> {
        self.unfolding
            .as_ref()
            .ok_or_else(|| super::malformed("the counts come first"))
    }

    fn counts(&self, rows: &[Value]) -> Result<Finding, Malformed> {
        let (unfolding, table) = (self.unfolding()?, &self.explorer.table);
        let mut finding = Finding::new("histories and states by depth");
        let uniform = vec![Play::Uniform; table.players.len()];
        let reach = values::reach(unfolding, table, &uniform, None);
        let depths = if unfolding.complete {
            unfolding.depth() + 1
        } else {
            rows.len()
        };
        finding.equal(&depths, &rows.len(), || "layers".to_owned());
        for (depth, row) in rows.iter().enumerate().take(unfolding.depth() + 1) {
            let mut sums = [0.0; 4];
            let (mut states, mut ends) = (Vec::new(), Vec::new());
            for point in unfolding.layer(depth) {
                let (state, histories) = (unfolding.state[point], unfolding.histories[point]);
                sums[0] += histories;
                states.push(state);
                if table.states[state as usize].terminal {
                    sums[1] += histories;
                    sums[3] += reach[point];
                    ends.push(state);
                } else {
                    sums[2] += histories * table.states[state as usize].legal.joint_count() as f64;
                }
            }
            for list in [&mut states, &mut ends] {
                list.sort_unstable();
                list.dedup();
            }
            let ours = [
                ("histories", sums[0]),
                ("terminal_histories", sums[1]),
                ("joint_moves", sums[2]),
                ("terminal_probability_uniform", sums[3]),
                ("states", states.len() as f64),
                ("terminal_states", ends.len() as f64),
            ];
            for (key, ours) in ours {
                if let Some(theirs) = row.get(key) {
                    finding.near(ours, number(theirs)?, EXACT, || {
                        format!("depth {depth}, {key}")
                    });
                }
            }
        }
        Ok(finding)
    }

    fn information_sets(&self, truth: &Value) -> Result<Finding, Malformed> {
        let unfolding = self.unfolding()?;
        let mut finding = Finding::new("information sets by depth");
        let roles = truth
            .as_object()
            .ok_or_else(|| super::malformed("information sets are by role"))?;
        for (name, rows) in roles {
            let player = self.player(name)?;
            let counts = self.count_sets(unfolding, &unfolding.players[player]);
            for row in rows.as_array().into_iter().flatten() {
                let depth = number(member(row, "depth")?)? as usize;
                let Some(ours) = counts.get(depth) else {
                    finding.check(false, || format!("{name} has no sets at depth {depth}"));
                    continue;
                };
                for (key, ours) in SET_COUNTS.iter().zip(ours) {
                    if let Some(theirs) = row.get(key) {
                        finding.equal(ours, &(number(theirs)? as u64), || {
                            format!("{name}, depth {depth}, {key}")
                        });
                    }
                }
            }
        }
        Ok(finding)
    }

    /// For each depth the counts of [`SET_COUNTS`].
    fn count_sets(&self, unfolding: &Unfolding, sets: &InformationSets) -> Vec<[u64; 6]> {
        let mut counts = vec![[0; 6]; unfolding.depth() + 1];
        for set in 0..sets.len() as u32 {
            let row = &mut counts[sets.depth[set as usize] as usize];
            let points = sets.points(set);
            let is_end = |point: &&u32| self.is_end(unfolding, **point);
            let ends = points.iter().filter(is_end).count();
            let mut states: Vec<u32> = points
                .iter()
                .map(|&point| unfolding.state[point as usize])
                .collect();
            states.sort_unstable();
            states.dedup();
            row[0] += 1;
            row[1] += u64::from(ends < points.len());
            row[2] += u64::from(sets.sequences(set).len() > 1);
            row[3] += u64::from(ends > 0 && ends < points.len());
            row[4] += u64::from(sets.known_sequences(set).count() < sets.sequences(set).len());
            row[5] = row[5].max(states.len() as u64);
        }
        counts
    }

    fn is_end(&self, unfolding: &Unfolding, point: u32) -> bool {
        self.explorer.table.states[unfolding.state[point as usize] as usize].terminal
    }

    fn values(&self, truth: &Value) -> Result<Finding, Malformed> {
        let (unfolding, table) = (self.unfolding()?, &self.explorer.table);
        let mut finding = Finding::new("uniform play and best responses");
        if let Err(error) = values::check(unfolding, table) {
            finding.note = Some(error.to_string());
            return Ok(finding);
        }
        let uniform = vec![Play::Uniform; table.players.len()];
        let value = values::uniform(unfolding, table);
        for (name, theirs) in truth
            .get("uniform_play_value")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let ours = value[self.role(name)?.index()];
            finding.near(ours, number(theirs)?, EXACT, || {
                format!("uniform play of {name}")
            });
        }
        let best = truth
            .get("best_response_vs_uniform")
            .and_then(Value::as_object);
        for (name, theirs) in best.into_iter().flatten() {
            let player = self.player(name)?;
            let reach = values::reach(unfolding, table, &uniform, Some(player));
            let ours = values::best_response(unfolding, table, player, &reach);
            let theirs = number(theirs).ok();
            let ours = ours.ok().map(|response| response.value());
            let agree = match (ours, theirs) {
                (Some(ours), Some(theirs)) => (ours - theirs).abs() <= EXACT,
                (ours, theirs) => ours.is_none() == theirs.is_none(),
            };
            finding.check(agree, || {
                format!("best response of {name}: here {ours:?}, there {theirs:?}")
            });
        }
        if let Some(theirs) = truth.get("constant_sum") {
            let ours = table.constant_sum().map(i64::from);
            finding.equal(&ours, &theirs.as_i64(), || "constant sum".to_owned());
        }
        Ok(finding)
    }

    fn equilibrium(&self, truth: &Value) -> Result<Finding, Malformed> {
        let (unfolding, table) = (self.unfolding()?, &self.explorer.table);
        let mut finding = Finding::new("equilibrium");
        let effort = equilibrium::Effort {
            rounds: 2_000_000,
            enough: EQUILIBRIUM,
        };
        match equilibrium::solve(unfolding, table, effort, &mut |_, _| true) {
            Err(error) => finding.check(false, || error.to_string()),
            Ok(found) => {
                let role = &table.roles[table.players[0].index()];
                let same = truth.get("player").is_none() || text(truth, "player")? == role;
                finding.check(same, || "the value is of another player".to_owned());
                let theirs = number(member(truth, "value_maxmin")?)?;
                finding.near(found.value(), theirs, EQUILIBRIUM, || "value".to_owned());
                let apart = found.upper - found.lower;
                finding.check(apart <= EQUILIBRIUM, || {
                    format!("after {} rounds the bounds are {apart} apart", found.rounds)
                });
            }
        }
        Ok(finding)
    }

    fn uniform_exploitability(&self, truth: &Value) -> Result<Finding, Malformed> {
        let (unfolding, table) = (self.unfolding()?, &self.explorer.table);
        let mut finding = Finding::new("exploitability of uniform play");
        let strategies: Vec<Vec<f64>> = unfolding.players.iter().map(uniform_strategy).collect();
        let plays: Vec<Play<'_>> = strategies
            .iter()
            .map(|strategy| Play::Strategy(strategy))
            .collect();
        let ours = match values::exploitability(unfolding, table, &plays) {
            Ok(ours) => ours,
            Err(error) => {
                finding.check(false, || error.to_string());
                return Ok(finding);
            }
        };
        let ours = [
            ("uniform_value_player1", ours.values.first().copied()),
            ("best_response_1", ours.best.first().copied()),
            ("best_response_2", ours.best.get(1).copied()),
            ("nashconv", Some(ours.nash_conv())),
            ("exploitability", Some(ours.mean())),
        ];
        for (key, ours) in ours {
            if let (Some(theirs), Some(ours)) = (truth.get(key), ours) {
                finding.near(ours, number(theirs)?, EXACT, || key.to_owned());
            }
        }
        Ok(finding)
    }
}

/// What is counted of the information sets of a depth.
const SET_COUNTS: [&str; 6] = [
    "all",
    "decision",
    "decision_with_choice",
    "mixed_terminal",
    "legal_uncertain",
    "max_states",
];
