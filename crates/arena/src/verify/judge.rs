//! What an engine says about a recorded step, compared with the record.

use paidia_game::{GameFacts, Goal, LegalMoves, MoveId, MoveTable, RoleId};
use serde::Serialize;

use super::BadTrace;
use super::trace::Step;

/// Something that an engine sees differently than the record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The trace.
    pub trace: String,
    /// The playout.
    pub playout: u64,
    /// The step in it.
    pub step: u64,
    /// What differs: `state`, `terminal`, `legal moves of ROLE`, `goal of ROLE`, or `moves`.
    pub what: String,
    /// What only the record has.
    pub recorded: Vec<String>,
    /// What only the engine has.
    pub engine: Vec<String>,
}

/// Collects what differs between a trace and an engine.
pub(super) struct Judge<'a> {
    facts: &'a GameFacts,
    moves: &'a MoveTable,
    /// The engine's role for each role of the trace.
    roles: Vec<RoleId>,
    found: Vec<Mismatch>,
}

impl<'a> Judge<'a> {
    /// A judge for a trace whose lists by role are in the order of `roles`.
    ///
    /// # Errors
    /// If these are not the roles of the game.
    pub(super) fn new(
        facts: &'a GameFacts,
        moves: &'a MoveTable,
        roles: &[String],
    ) -> Result<Self, BadTrace> {
        let mut ids = Vec::new();
        for role in roles {
            match facts.role(role) {
                Some(id) if !ids.contains(&id) => ids.push(id),
                Some(_) => {
                    let twice = format!("the trace names the role `{role}` twice");
                    return Err(BadTrace(twice));
                }
                None => {
                    let roles = facts.roles.join(", ");
                    return Err(BadTrace(format!(
                        "the trace has a role `{role}`, but the roles of the game are {roles}"
                    )));
                }
            }
        }
        if ids.len() != facts.roles.len() {
            return Err(BadTrace(format!(
                "the trace has {} roles, but the roles of the game are {}",
                ids.len(),
                facts.roles.join(", ")
            )));
        }
        Ok(Self {
            facts,
            moves,
            roles: ids,
            found: Vec::new(),
        })
    }

    /// What was found since the last time.
    pub(super) fn take(&mut self) -> Vec<Mismatch> {
        std::mem::take(&mut self.found)
    }

    fn fail(
        &mut self,
        step: &Step,
        what: impl Into<String>,
        recorded: Vec<String>,
        engine: Vec<String>,
    ) {
        self.found.push(Mismatch {
            trace: String::new(),
            playout: step.playout,
            step: step.step,
            what: what.into(),
            recorded,
            engine,
        });
    }

    /// Notes a mismatch if the two lists do not have the same members.
    fn compare(
        &mut self,
        step: &Step,
        what: impl Into<String>,
        recorded: &[String],
        mut engine: Vec<String>,
    ) -> bool {
        let mut recorded = recorded.to_vec();
        recorded.sort();
        recorded.dedup();
        engine.sort();
        if recorded == engine {
            return true;
        }
        let only = |these: &[String], those: &[String]| -> Vec<String> {
            these
                .iter()
                .filter(|text| those.binary_search(text).is_err())
                .cloned()
                .collect()
        };
        let only = (only(&recorded, &engine), only(&engine, &recorded));
        self.fail(step, what, only.0, only.1);
        false
    }

    /// Compares the fluents that hold; false if they differ.
    pub(super) fn compare_state(&mut self, step: &Step, fluents: Vec<String>) -> bool {
        self.compare(step, "state", &step.state, fluents)
    }

    /// Compares whether the game is over.
    pub(super) fn compare_terminal(&mut self, step: &Step, terminal: bool) {
        if terminal != step.terminal {
            self.fail(
                step,
                "terminal",
                vec![step.terminal.to_string()],
                vec![terminal.to_string()],
            );
        }
    }

    /// Compares the goals at the end of a playout.
    ///
    /// # Errors
    /// If there are not as many as roles.
    pub(super) fn compare_goals(
        &mut self,
        step: &Step,
        mut goal: impl FnMut(RoleId) -> Goal,
    ) -> Result<(), BadTrace> {
        let Some(goals) = step.goals.as_ref().filter(|_| step.terminal) else {
            return Ok(());
        };
        self.check_length("goals", goals.len())?;
        for (role, recorded) in self.roles.clone().into_iter().zip(goals) {
            let found = match goal(role) {
                Goal::One(value) => value.to_string(),
                Goal::None => "none".to_owned(),
                Goal::Several => "several".to_owned(),
            };
            let recorded = recorded.map_or_else(|| "none".to_owned(), |goal| goal.to_string());
            if recorded != found {
                let what = format!("goal of {}", self.facts.role_name(role));
                self.fail(step, what, vec![recorded], vec![found]);
            }
        }
        Ok(())
    }

    /// Compares the legal moves before the end of a playout.
    ///
    /// # Errors
    /// If there are not as many lists as roles.
    pub(super) fn compare_legal(
        &mut self,
        step: &Step,
        legal: &LegalMoves,
    ) -> Result<(), BadTrace> {
        let Some(recorded) = step.legal.as_ref().filter(|_| !step.terminal) else {
            return Ok(());
        };
        self.check_length("lists of legal moves", recorded.len())?;
        for (role, recorded) in self.roles.clone().into_iter().zip(recorded) {
            let moves = legal.of(role).iter();
            let moves = moves.map(|&id| self.moves.name(id).to_string()).collect();
            let what = format!("legal moves of {}", self.facts.role_name(role));
            self.compare(step, what, recorded, moves);
        }
        Ok(())
    }

    /// The recorded move, if the engine allows it.
    ///
    /// # Errors
    /// If there are not as many moves as roles.
    pub(super) fn joint(
        &mut self,
        step: &Step,
        legal: &LegalMoves,
    ) -> Result<Option<Vec<MoveId>>, BadTrace> {
        let Some(moves) = &step.moves else {
            return Ok(None);
        };
        self.check_length("moves", moves.len())?;
        let mut joint = vec![MoveId::CHANCE; self.roles.len()];
        let mut illegal = Vec::new();
        for (&role, text) in self.roles.iter().zip(moves) {
            let legal = legal.of(role);
            match self.moves.find(text).filter(|id| legal.contains(id)) {
                Some(id) => joint[role.index()] = id,
                None => illegal.push(text.clone()),
            }
        }
        if illegal.is_empty() {
            return Ok(Some(joint));
        }
        self.fail(step, "moves", illegal, Vec::new());
        Ok(None)
    }

    fn check_length(&self, what: &str, length: usize) -> Result<(), BadTrace> {
        if length != self.roles.len() {
            let roles = self.roles.len();
            let what = format!("there are {length} {what} for {roles} roles");
            return Err(BadTrace(what));
        }
        Ok(())
    }
}
