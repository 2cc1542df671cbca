//! HyperPlay: every move gets the mean of random play after it, over hypergames that agree with
//! what the role was told, by their weights.

use std::sync::atomic::AtomicBool;

use paidia_game::{Chance, Game, LegalMoves, MoveId, RoleId, Sight, Walker, playout};
use paidia_search::scale::Scale;
use paidia_search::{Budget, Decision, Player, StopReason};

use super::{End, Knowledge, Means, Work, middle};
use crate::bag::Bag;
use crate::belief::with_own;

/// Joint moves after which a playout is cut.
pub(super) const STEP_LIMIT: u32 = 10_000;

/// What is set about HyperPlay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HyperPlaySettings {
    /// The most hypergames of the bag.
    pub hypergames: u32,
    /// The resource index: that many playouts for each move in each of that many hypergames, unless
    /// the clock ends it. 0 goes on until the clock does.
    pub index: u32,
}

impl Default for HyperPlaySettings {
    fn default() -> Self {
        Self {
            hypergames: 1_000,
            index: 0,
        }
    }
}

/// The player.
pub struct HyperPlay<G: Game> {
    knowledge: Knowledge<G>,
    settings: HyperPlaySettings,
    roller: Roller<G>,
}

impl<G: Game> HyperPlay<G> {
    /// A player for a role.
    pub fn new(game: &G, role: RoleId, settings: HyperPlaySettings, seed: u64) -> Self {
        Self {
            knowledge: Knowledge::new(game, role, settings.hypergames as usize, seed),
            settings,
            roller: Roller::new(game),
        }
    }
}

impl<G: Game> Player<G> for HyperPlay<G> {
    fn observe(&mut self, sight: &Sight<'_, G::State>) {
        self.knowledge.observe(sight);
    }

    fn choose(&mut self, legal: &[MoveId], budget: Budget, interrupt: &AtomicBool) -> Decision {
        if let [only] = *legal {
            return Decision::without_search(only, StopReason::OnlyMove);
        }
        let mut work = Work::new(budget);
        self.knowledge.catch_up(legal, budget);
        let (role, bag, chance) = (
            self.knowledge.role,
            &self.knowledge.bag,
            &mut self.knowledge.chance,
        );
        let mut means = Means::new(legal.len());
        let index = match (self.settings.index, work.is_limited()) {
            (0, true) => u32::MAX,
            (0, false) => 8,
            (index, _) => index,
        };
        // As many hypergames as the index says, with as many playouts of each move.
        for _ in 0..u64::from(index) * u64::from(index) {
            // All count by their weights: the larger, the more often they are drawn.
            let game = bag.draw(chance);
            for (place, &id) in legal.iter().enumerate() {
                if let Some(end) = self.roller.roll(&game.state, role, id, chance, &mut work) {
                    means.add(place, end, 1.0);
                }
            }
            if work.is_over(interrupt) {
                break;
            }
        }
        let chosen = means.best(self.roller.middle, chance);
        means.decision(legal, chosen, &work)
    }
}

/// Makes random playouts.
pub(super) struct Roller<G: Game> {
    walker: G::Walker,
    joint: Vec<MoveId>,
    lowest: f64,
    pub(super) middle: f64,
}

impl<G: Game> Roller<G> {
    pub(super) fn new(game: &G) -> Self {
        Self {
            walker: game.walker(),
            joint: Vec::new(),
            lowest: f64::from(*game.facts().goal_range.start()),
            middle: middle(game),
        }
    }

    /// The end for a role after one of its moves in a state and random play after that; none if the
    /// move cannot be made there.
    pub(super) fn roll(
        &mut self,
        state: &G::State,
        role: RoleId,
        id: MoveId,
        chance: &mut Chance,
        work: &mut Work,
    ) -> Option<End> {
        self.walker.jump(state);
        let own: LegalMoves = with_own(self.walker.legal(), role, id);
        own.draw(chance, &mut self.joint).ok()?;
        self.walker.advance(&self.joint, chance);
        let made = playout(&mut self.walker, &mut self.joint, STEP_LIMIT, chance);
        work.simulations += 1;
        work.states += u64::from(made.length) + 1;
        let goal = self.walker.goal(role).value();
        Some(End {
            goal: goal.map_or(self.lowest, f64::from),
            length: made.length + 1,
        })
    }

    /// What HyperPlay chooses with `index` playouts a move in each of `index` hypergames, or as many
    /// playouts in fewer.
    pub(super) fn choose(
        &mut self,
        bag: &Bag<G>,
        role: RoleId,
        legal: &[MoveId],
        index: u32,
        chance: &mut Chance,
        work: &mut Work,
    ) -> MoveId {
        if let [only] = *legal {
            return only;
        }
        let mut means = Means::new(legal.len());
        let games = bag.games();
        let all = games.len() <= index as usize;
        // Fewer hypergames have as many playouts together.
        let rolls = match all {
            true => index
                .saturating_mul(index)
                .div_ceil(games.len().max(1) as u32),
            false => index,
        };
        for number in 0..index as usize {
            let (game, weight) = match (all, games.get(number)) {
                (true, Some(game)) => (game, game.weight),
                (true, None) => break,
                (false, _) => (bag.draw(chance), 1.0),
            };
            for (place, &id) in legal.iter().enumerate() {
                for _ in 0..rolls {
                    if let Some(end) = self.roll(&game.state, role, id, chance, work) {
                        means.add(place, end, weight);
                    }
                }
            }
        }
        legal[means.best(self.middle, chance)]
    }
}

/// The scale of goals, for trees.
pub(super) fn scale<G: Game>(game: &G) -> Scale {
    Scale::new(game.facts())
}
