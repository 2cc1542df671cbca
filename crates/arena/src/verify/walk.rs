//! An engine that goes from state to state, led along recorded play.

use paidia_game::{AnyGame, AnyWalker, Chance, Game, Legible, Rules, Walker};

use super::BadTrace;
use super::judge::{Judge, Mismatch};
use super::trace::Step;

/// Follows one trace with one walker.
pub(super) struct WalkChecker<'a> {
    game: &'a AnyGame,
    walker: AnyWalker,
    judge: Judge<'a>,
    /// The playout and step in which the walker stands, if it followed the record there.
    reached: Option<(u64, u64)>,
}

impl<'a> WalkChecker<'a> {
    /// A checker for a trace whose lists by role are in the order of `roles`.
    ///
    /// # Errors
    /// If these are not the roles of the game.
    pub(super) fn new(game: &'a AnyGame, roles: &[String]) -> Result<Self, BadTrace> {
        Ok(Self {
            game,
            walker: game.walker(),
            judge: Judge::new(game.facts(), game.moves(), roles)?,
            reached: None,
        })
    }

    /// Compares a recorded state with where the engine is, and makes the recorded move.
    ///
    /// # Errors
    /// If the record makes no sense or the engine ran into a limit.
    pub(super) fn check(&mut self, step: &Step) -> Result<Vec<Mismatch>, BadTrace> {
        if step.step == 0 {
            self.walker.jump(&self.game.initial());
            self.compare_state(step)?;
        } else if self.reached == Some((step.playout, step.step)) {
            self.compare_state(step)?;
        } else {
            self.go_to(step)?;
        }
        self.reached = None;
        let (walker, judge) = (&mut self.walker, &mut self.judge);
        judge.compare_terminal(step, walker.is_terminal());
        judge.compare_goals(step, |role| walker.goal(role))?;
        judge.compare_legal(step, walker.legal())?;
        let joint = judge.joint(step, walker.legal())?;
        if let Some(joint) = joint.filter(|_| !walker.is_terminal()) {
            // Every role's move is given, so chance has nothing to draw.
            walker.advance(&joint, &mut Chance::from_seed(0));
            self.reached = step.step.checked_add(1).map(|next| (step.playout, next));
        }
        if let Some(fault) = self.walker.fault() {
            let (playout, step) = (step.playout, step.step);
            return Err(BadTrace(format!("playout {playout}, step {step}: {fault}")));
        }
        Ok(self.judge.take())
    }

    fn go_to(&mut self, step: &Step) -> Result<(), BadTrace> {
        let fluents: Vec<&str> = step.state.iter().map(String::as_str).collect();
        let state = self.game.state(&fluents).map_err(BadTrace::new)?;
        self.walker.jump(&state);
        Ok(())
    }

    fn compare_state(&mut self, step: &Step) -> Result<(), BadTrace> {
        let mut state = self.game.initial();
        self.walker.save(&mut state);
        if !self.judge.compare_state(step, self.game.fluents(&state)) {
            // From here on we follow the record, so that one mistake is not counted at every later
            // step.
            self.go_to(step)?;
        }
        Ok(())
    }
}
