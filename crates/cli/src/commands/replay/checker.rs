//! An engine led along recorded play.

use std::fmt;

use anyhow::bail;
use paidia_game::{AnyGame, AnyWalker, Chance, Game, Goal, Legible, MoveId, RoleId, Walker};
use serde::Serialize;

use super::trace::Step;
use crate::text;

/// Something that an engine sees differently than the record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Mismatch {
    /// The trace.
    pub(super) trace: String,
    /// The playout and the step in it.
    pub(super) playout: u64,
    pub(super) step: u64,
    /// What differs: `state`, `terminal`, `legal moves of ROLE`, `goal of ROLE`, or `moves`.
    pub(super) what: String,
    /// What only the record has.
    pub(super) recorded: Vec<String>,
    /// What only the engine has.
    pub(super) engine: Vec<String>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch {
            trace,
            playout,
            step,
            what,
            recorded,
            engine,
        } = self;
        writeln!(
            formatter,
            "  {trace}, playout {playout}, step {step}: {what}"
        )?;
        writeln!(
            formatter,
            "    only recorded: {}",
            text::wrapped(recorded, 110, 19)
        )?;
        writeln!(
            formatter,
            "    only engine:   {}",
            text::wrapped(engine, 110, 19)
        )
    }
}

/// Follows one trace with one walker.
pub(super) struct Checker<'a> {
    game: &'a AnyGame,
    walker: AnyWalker,
    /// The engine's role for each role of the trace.
    roles: Vec<RoleId>,
    /// The playout and step in which the walker stands, if it followed the record there.
    reached: Option<(u64, u64)>,
    found: Vec<Mismatch>,
}

impl<'a> Checker<'a> {
    /// A checker for a trace whose lists by role are in the order of `roles`.
    pub(super) fn new(game: &'a AnyGame, roles: &[String]) -> anyhow::Result<Self> {
        let known = game.facts();
        let mut ids = Vec::new();
        for role in roles {
            match known.role(role) {
                Some(id) if !ids.contains(&id) => ids.push(id),
                Some(_) => bail!("the trace names the role `{role}` twice"),
                None => bail!(
                    "the trace has a role `{role}`, but the roles of the game are {}",
                    known.roles.join(", ")
                ),
            }
        }
        if ids.len() != known.roles.len() {
            bail!(
                "the trace has {} roles, but the roles of the game are {}",
                ids.len(),
                known.roles.join(", ")
            );
        }
        Ok(Self {
            game,
            walker: game.walker(),
            roles: ids,
            reached: None,
            found: Vec::new(),
        })
    }

    /// Compares a recorded state with where the engine is, and makes the recorded move.
    ///
    /// # Errors
    /// If the record makes no sense or the engine ran into a limit.
    pub(super) fn check(&mut self, step: &Step) -> anyhow::Result<Vec<Mismatch>> {
        if step.step == 0 {
            self.walker.jump(&self.game.initial());
            self.compare_state(step)?;
        } else if self.reached == Some((step.playout, step.step)) {
            self.compare_state(step)?;
        } else {
            self.go_to(step)?;
        }
        self.reached = None;
        self.compare_terminal(step);
        if step.terminal {
            self.compare_goals(step)?;
        } else {
            self.compare_legal(step)?;
        }
        if let Some(moves) = &step.moves {
            self.advance(step, moves)?;
        }
        if let Some(fault) = self.walker.fault() {
            bail!("playout {}, step {}: {fault}", step.playout, step.step);
        }
        Ok(std::mem::take(&mut self.found))
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
        engine: &[String],
    ) -> bool {
        let (mut recorded, mut engine) = (recorded.to_vec(), engine.to_vec());
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
        self.fail(
            step,
            what,
            only(&recorded, &engine),
            only(&engine, &recorded),
        );
        false
    }

    fn go_to(&mut self, step: &Step) -> anyhow::Result<()> {
        let fluents: Vec<&str> = step.state.iter().map(String::as_str).collect();
        let state = self.game.state(&fluents)?;
        self.walker.jump(&state);
        Ok(())
    }

    fn compare_state(&mut self, step: &Step) -> anyhow::Result<()> {
        let mut state = self.game.initial();
        self.walker.save(&mut state);
        let fluents = self.game.fluents(&state);
        if !self.compare(step, "state", &step.state, &fluents) {
            // From here on we follow the record, so that one mistake is not counted at every later step.
            self.go_to(step)?;
        }
        Ok(())
    }

    fn compare_terminal(&mut self, step: &Step) {
        let terminal = self.walker.is_terminal();
        if terminal != step.terminal {
            self.fail(
                step,
                "terminal",
                vec![step.terminal.to_string()],
                vec![terminal.to_string()],
            );
        }
    }

    fn compare_goals(&mut self, step: &Step) -> anyhow::Result<()> {
        let Some(goals) = &step.goals else {
            return Ok(());
        };
        self.check_length("goals", goals.len())?;
        for (role, goal) in self.roles.clone().into_iter().zip(goals) {
            let found = match self.walker.goal(role) {
                Goal::One(value) => value.to_string(),
                Goal::None => "none".to_owned(),
                Goal::Several => "several".to_owned(),
            };
            let recorded = goal.map_or_else(|| "none".to_owned(), |goal| goal.to_string());
            if recorded != found {
                let what = format!("goal of {}", self.game.facts().role_name(role));
                self.fail(step, what, vec![recorded], vec![found]);
            }
        }
        Ok(())
    }

    fn compare_legal(&mut self, step: &Step) -> anyhow::Result<()> {
        let Some(legal) = &step.legal else {
            return Ok(());
        };
        self.check_length("lists of legal moves", legal.len())?;
        for (role, recorded) in self.roles.clone().into_iter().zip(legal) {
            let moves = self.walker.legal().of(role);
            let moves: Vec<String> = moves
                .iter()
                .map(|&id| self.game.moves().name(id).to_string())
                .collect();
            let what = format!("legal moves of {}", self.game.facts().role_name(role));
            self.compare(step, what, recorded, &moves);
        }
        Ok(())
    }

    /// Makes the recorded move, if the engine allows it.
    fn advance(&mut self, step: &Step, moves: &[String]) -> anyhow::Result<()> {
        self.check_length("moves", moves.len())?;
        let mut joint = vec![MoveId::CHANCE; self.roles.len()];
        let mut illegal = Vec::new();
        for (role, text) in self.roles.clone().into_iter().zip(moves) {
            let legal = self.walker.legal().of(role);
            match self.game.moves().find(text).filter(|id| legal.contains(id)) {
                Some(id) => joint[role.index()] = id,
                None => illegal.push(text.clone()),
            }
        }
        if illegal.is_empty() && !self.walker.is_terminal() {
            // Every role's move is given, so chance has nothing to draw.
            self.walker.advance(&joint, &mut Chance::from_seed(0));
            self.reached = Some((step.playout, step.step + 1));
        } else if !illegal.is_empty() {
            self.fail(step, "moves", illegal, Vec::new());
        }
        Ok(())
    }

    fn check_length(&self, what: &str, length: usize) -> anyhow::Result<()> {
        if length != self.roles.len() {
            bail!("there are {length} {what} for {} roles", self.roles.len());
        }
        Ok(())
    }
}
