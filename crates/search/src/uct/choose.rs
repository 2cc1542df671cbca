//! Which moves a simulation makes in the tree.

use paidia_game::{Game, RoleId};

use super::explore::{Explorer, Search, Way};
use super::policy::{Draw, Line};
use super::rave::Rave;
use super::select::Selection;
use super::tree::{Arm, NodeId, Tree, tried};
use crate::costs::{Part, Watch};

impl<G: Game> Explorer<G> {
    /// Chooses a move for every role in a node of the tree.
    pub(super) fn select<W: Watch>(
        &mut self,
        search: &Search<'_, G>,
        node: NodeId,
        way: &mut Way,
        watch: &mut W,
    ) {
        self.joint.clear();
        way.nodes.push(node);
        for (role, arms, counts) in search.tree.rows(node) {
            let mut place = 0;
            if arms.len() > 1 {
                place = match search.extras.chooses_plainly {
                    true => self.select_by(&search.settings.selection, search, node, role, arms),
                    false => self.select_knowingly(search, node, role, arms, watch),
                };
            }
            let arm = &arms[place];
            if counts {
                search.tree.try_arm(arm, search.guess);
            }
            way.places.push(place as u32);
            self.joint.push(arm.id());
        }
        if search.extras.wants_moves {
            self.made.extend_from_slice(&self.joint);
        }
    }

    /// Chooses a move of a role by all that is known about it.
    #[inline(never)]
    fn select_knowingly<W: Watch>(
        &mut self,
        search: &Search<'_, G>,
        node: NodeId,
        role: RoleId,
        arms: &[Arm],
        watch: &mut W,
    ) -> usize {
        let (mut guide, mut visits) = (None, None);
        if search.extras.is_advised {
            let visits = *visits.insert(tried(arms));
            watch.lap(Part::Selection);
            guide = self.guide(search, node, role, arms, visits);
            watch.lap(Part::Advice);
        }
        let is_open = || guide.is_none() && arms.iter().any(|arm| arm.visits() == 0);
        if let Some(draw) = search.extras.draw.filter(|_| is_open()) {
            watch.lap(Part::Selection);
            let drawn = self.draw_untried(search, role, arms, draw);
            watch.lap(Part::Policy);
            if let Some(place) = drawn {
                return place;
            }
        }
        if let Some(rave) = search.extras.rave {
            return self.select_by_records(rave, search, node, role, arms);
        }
        let open = match Open::of(search.tree, node, role, arms) {
            Ok(open) => open,
            Err(best) => return best,
        };
        let (settings, chance) = (search.settings, &mut self.chance);
        let known = &self.experience[role.index()].0;
        let selection = match settings.sufficiency.is_met(arms, known, chance) {
            true => settings.selection.without_exploration(),
            false => settings.selection,
        };
        let visits = || 2 + visits.unwrap_or_else(|| tried(arms));
        match (guide, search.extras.history) {
            (Some(guide), _) => guide.select(&selection, open.iter(), visits(), chance),
            (None, Some(history)) => {
                let leads = &self.leads;
                leads.select(history, &selection, role, arms, open.iter(), chance)
            }
            (None, None) => selection.select(open.iter(), visits(), chance),
        }
    }

    fn select_by_records(
        &mut self,
        rave: Rave,
        search: &Search<'_, G>,
        node: NodeId,
        role: RoleId,
        arms: &[Arm],
    ) -> usize {
        let tree = search.tree;
        let records = tree.records(node, role);
        let is_open = |arm: &Arm| !arm.is_proven();
        let any_open = arms.iter().any(is_open);
        let best = tree.best_proven(node);
        if let Some(best) = best.filter(|_| !any_open && tree.mover(node) == Some(role)) {
            return best;
        }
        let is_open = |arm: &Arm| !any_open || is_open(arm);
        rave.select(arms, records, self.uses_rave, is_open, &mut self.chance)
    }

    /// Chooses a move of a role by what came of its moves here.
    #[inline(always)]
    fn select_by(
        &mut self,
        selection: &Selection,
        search: &Search<'_, G>,
        node: NodeId,
        role: RoleId,
        arms: &[Arm],
    ) -> usize {
        // The state was visited when it was added, each time a move was chosen, and now.
        let visits = 2 + tried(arms);
        match Open::of(search.tree, node, role, arms) {
            Ok(open) if open.all => {
                selection.select(arms.iter().enumerate(), visits, &mut self.chance)
            }
            Ok(open) => selection.select(open.iter(), visits, &mut self.chance),
            Err(best) => best,
        }
    }

    /// Draws one of the untried moves, or of all where the settings say so, by what is known of
    /// them elsewhere.
    fn draw_untried(
        &mut self,
        search: &Search<'_, G>,
        role: RoleId,
        arms: &[Arm],
        draw: Draw,
    ) -> Option<usize> {
        self.untried.clear();
        let all = search.settings.draws_all;
        let untried = arms.iter().filter(|arm| all || arm.visits() == 0);
        self.untried.extend(untried.map(Arm::id));
        let line = Line {
            roles: search.facts.roles.len(),
            made: &self.made,
        };
        let (moves, chance) = (&self.untried, &mut self.chance);
        let drawn = self.policy.draw(line, role, moves, draw, chance)?;
        let id = self.untried[drawn];
        arms.iter().position(|arm| arm.id() == id)
    }
}

/// The moves of a role of which something is still to be found out, or all where that does not
/// matter.
struct Open<'a> {
    arms: &'a [Arm],
    all: bool,
}

impl<'a> Open<'a> {
    /// Of all moves of a role in a node. Where everything is known that decides there, it is the
    /// place of the best move instead.
    #[inline]
    fn of(tree: &Tree, node: NodeId, role: RoleId, arms: &'a [Arm]) -> Result<Self, usize> {
        let best = tree.best_proven(node);
        let best = best.filter(|_| tree.mover(node) == Some(role));
        match best {
            None => Ok(Self { arms, all: true }),
            Some(best) if arms.iter().all(Arm::is_proven) => Err(best),
            Some(_) => Ok(Self { arms, all: false }),
        }
    }

    fn iter(&self) -> impl Iterator<Item = (usize, &'a Arm)> {
        let all = self.all;
        let arms = self.arms.iter().enumerate();
        arms.filter(move |(_, arm)| all || !arm.is_proven())
    }
}
