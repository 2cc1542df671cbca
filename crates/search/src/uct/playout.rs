//! How a simulation goes on from a leaf to the end of the game, and what that tells.

use paidia_game::{Fault, Game, Goal, RoleId, Walker};

use super::explore::{Explorer, Search};
use super::policy::{Draw, Line};
use super::sufficiency::best_value;
use super::tree::OutcomeId;
use crate::budget::Meter;
use crate::costs::{Part, Watch};
use crate::nested::Run;
use crate::scale::Scale;

impl<G: Game> Explorer<G> {
    /// Plays to the end from where the walker stands and sets the returns of all roles; how many
    /// joint moves that took.
    pub(super) fn play_out<W: Watch>(
        &mut self,
        search: &Search<'_, G>,
        meter: &mut Meter<'_>,
        watch: &mut W,
    ) -> Result<u32, Fault> {
        let limit = search.settings.playout_limit;
        let (steps, finished) = match &mut self.nest {
            // It counts what it does itself: many playouts for the one that is made.
            Some(nest) => {
                let (walker, seed) = (&mut self.walker, self.chance.bits());
                let made = search.extras.wants_moves.then_some(&mut self.made);
                Run {
                    nest,
                    walker,
                    meter,
                }
                .play_out(seed, limit, made)
            }
            None => {
                let roles = search.facts.roles.len();
                let made = match (search.extras.draw, &self.adviser) {
                    (_, Some(_)) if search.extras.has_advised_playouts => {
                        self.play_by_advice(search, watch)
                    }
                    (Some(draw), _) => self.play_by_memory(draw, roles, limit, watch),
                    (None, _) if search.extras.wants_moves => self.play_uniformly::<true>(limit),
                    (None, _) => self.play_uniformly::<false>(limit),
                };
                meter.states += u64::from(made.0);
                meter.playouts += 1;
                made
            }
        };
        if let Some(fault) = self.walker.fault() {
            return Err(*fault);
        }
        self.returns.clear();
        for role in search.facts.role_ids() {
            let goal = match self.walker.goal(role) {
                Goal::One(value) if finished => search.scale.return_of(value),
                _ => Scale::MIDDLE,
            };
            self.returns.push(goal);
        }
        watch.lap(Part::Engine);
        if search.extras.learns_what_suffices {
            for ((_, is_won), goal) in self.experience.iter_mut().zip(&self.returns) {
                *is_won = *goal >= Scale::HIGHEST;
            }
        }
        search.as_returns(&mut self.returns);
        Ok(steps)
    }

    /// Notes which role certainly wins.
    pub(super) fn note_certain_wins(&mut self, search: &Search<'_, G>, outcome: OutcomeId) {
        if !search.extras.learns_what_suffices {
            return;
        }
        let highest = *search.facts.goal_range.end();
        for (role, (_, is_won)) in (0..).map(RoleId).zip(&mut self.experience) {
            *is_won = search.tree.result(outcome, role) >= highest;
        }
    }

    /// Every role learns from the simulation what returns are like, if the settings ask for it.
    pub(super) fn learn_what_suffices(&mut self, search: &Search<'_, G>) {
        if !search.extras.learns_what_suffices {
            return;
        }
        for (role, (known, is_won)) in (0..).map(RoleId).zip(&mut self.experience) {
            let best = best_value(search.tree.arms(search.root, role));
            known.add(self.returns[role.index()], *is_won, best);
        }
    }

    /// Makes random moves to the end, which are kept or not; how many, and whether the game is
    /// over.
    #[inline(always)]
    fn play_uniformly<const KEEPS: bool>(&mut self, limit: u32) -> (u32, bool) {
        let mut steps = 0;
        while !self.walker.is_terminal() {
            if steps == limit || self.walker.draw(&mut self.chance, &mut self.joint).is_err() {
                return (steps, false);
            }
            if KEEPS {
                self.made.extend_from_slice(&self.joint);
            }
            self.walker.advance(&self.joint, &mut self.chance);
            steps += 1;
        }
        (steps, true)
    }

    /// Draws moves by what is remembered of them; how many, and whether the game is over.
    fn play_by_memory<W: Watch>(
        &mut self,
        draw: Draw,
        roles: usize,
        limit: u32,
        watch: &mut W,
    ) -> (u32, bool) {
        let mut steps = 0;
        while !self.walker.is_terminal() {
            let made = &self.made;
            let line = Line { roles, made };
            let (legal, chance) = (self.walker.legal(), &mut self.chance);
            watch.lap(Part::Engine);
            let joint = &mut self.joint;
            let drawn = self.policy.draw_joint(line, legal, draw, chance, joint);
            watch.lap(Part::Policy);
            if steps == limit || !drawn {
                return (steps, false);
            }
            self.made.extend_from_slice(&self.joint);
            self.walker.advance(&self.joint, &mut self.chance);
            steps += 1;
        }
        (steps, true)
    }
}
