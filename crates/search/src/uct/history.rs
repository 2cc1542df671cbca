//! A first guess at what a move of the tree is worth, by what came of the same move elsewhere in
//! the tree.
//!
//! MAST and its relatives remember moves of playouts, so they need playouts whose moves are told,
//! and those are slow. This remembers the moves of the tree alone, and so goes with playouts that
//! are made many at a time: "progressive history" (P. Nijssen, M. Winands: Playout Search for
//! Monte-Carlo Tree Search in Multi-player Games, 2012, has the same table for a bonus). A move's
//! *lead* is how much more it returned than the role's moves in the mean. In a state it is then
//! supposed to be worth the mean of the state's moves and its lead, as if that had been found in
//! some visits; moves that were never tried wait until they promise more than those that were.

use paidia_game::{Chance, MoveId, RoleId};

use super::select::{Selection, best};
use super::tree::Arm;
use crate::leaves::MOST_WEIGHT;

/// How much history counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct History {
    /// The visits that the guess counts for.
    pub weight: f64,
}

/// What a move weighs of which nothing is known.
const USUAL_WEIGHT: f64 = 2.5;

/// Visits at which a lead counts half.
const DOUBT: f64 = 8.0;

/// What one thread remembers of the moves of the tree.
#[derive(Clone, Debug)]
pub(super) struct Leads {
    of_role: Vec<Row>,
}

/// What came of a role's moves: of all of them, and of each by its number.
#[derive(Clone, Debug, Default)]
struct Row {
    all: Sum,
    of_move: Vec<Sum>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    visits: f64,
    total: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        self.visits += 1.0;
        self.total += value;
    }
}

impl Leads {
    pub(super) fn new(roles: usize) -> Self {
        Self {
            of_role: vec![Row::default(); roles],
        }
    }

    /// Remembers what came of a move.
    #[inline]
    pub(super) fn learn(&mut self, role: RoleId, id: MoveId, value: f64) {
        let row = &mut self.of_role[role.index()];
        let index = id.0 as usize;
        if row.of_move.len() <= index {
            row.of_move.resize(index + 1, Sum::default());
        }
        row.of_move[index].add(value);
        row.all.add(value);
    }

    /// How much more a move returned than the role's moves in the mean, the less the less often it
    /// was made.
    #[inline]
    fn lead(&self, role: RoleId, id: MoveId) -> f64 {
        let row = &self.of_role[role.index()];
        let sum = row.of_move.get(id.0 as usize).copied().unwrap_or_default();
        if sum.visits == 0.0 {
            return 0.0;
        }
        let mean = row.all.total / row.all.visits;
        (sum.total - sum.visits * mean) / (sum.visits + DOUBT)
    }

    /// What a move weighs in playouts, where a lead of `temperature` makes it e times as likely.
    pub(super) fn weight(&self, role: RoleId, id: MoveId, temperature: f64) -> u32 {
        let weight = USUAL_WEIGHT * (self.lead(role, id) / temperature).exp();
        weight.round().clamp(1.0, f64::from(MOST_WEIGHT)) as u32
    }

    /// The place of the chosen one of some moves with their places, where `arms` are all moves of
    /// the role.
    pub(super) fn select<'a>(
        &self,
        history: History,
        selection: &Selection,
        role: RoleId,
        arms: &[Arm],
        open: impl Iterator<Item = (usize, &'a Arm)>,
        chance: &mut Chance,
    ) -> usize {
        let (mut visits, mut total) = (0, 0.0);
        for arm in arms {
            visits += arm.visits();
            total += arm.total();
        }
        let level = total / f64::from(visits.max(1));
        let bonus = selection.bonus(2 + visits);
        let weight = history.weight;
        best(open, chance, |arm| {
            let guess = level + self.lead(role, arm.id());
            let tried = f64::from(arm.visits());
            (arm.total() + weight * guess) / (tried + weight) + bonus / (tried + 1.0).sqrt()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{History, Leads};
    use crate::uct::Selection;
    use crate::uct::tree::Arm;
    use paidia_game::{Chance, MoveId, RoleId};

    const ROLE: RoleId = RoleId(0);

    fn choose(leads: &Leads, found: &[(u32, f64)]) -> usize {
        let arm = |(index, &(visits, mean)): (usize, &(u32, f64))| {
            Arm::with(MoveId(index as u32), visits, mean)
        };
        let arms: Vec<Arm> = found.iter().enumerate().map(arm).collect();
        let selection = Selection::Uct {
            exploration: 10.0,
            growth: 0.0,
        };
        let (history, open) = (History { weight: 4.0 }, arms.iter().enumerate());
        let mut chance = Chance::from_seed(1);
        leads.select(history, &selection, ROLE, &arms, open, &mut chance)
    }

    #[test]
    fn what_did_well_elsewhere_is_tried_first_and_what_is_found_here_wins() {
        let mut leads = Leads::new(1);
        for _ in 0..100 {
            leads.learn(ROLE, MoveId(0), 20.0);
            leads.learn(ROLE, MoveId(1), 80.0);
        }
        assert_eq!(choose(&leads, &[(0, 0.0), (0, 0.0), (0, 0.0)]), 1);
        // A move of which nothing is known is taken for an average one.
        assert_eq!(choose(&leads, &[(0, 0.0), (40, 10.0), (0, 0.0)]), 2);
        assert_eq!(choose(&leads, &[(500, 90.0), (500, 10.0), (500, 10.0)]), 0);
    }

    #[test]
    fn leads_are_relative_and_grow_with_visits() {
        let mut leads = Leads::new(2);
        leads.learn(ROLE, MoveId(3), 100.0);
        leads.learn(ROLE, MoveId(4), 0.0);
        // 50 more than the mean, in one visit: 50 / (1 + 8).
        assert!((leads.lead(ROLE, MoveId(3)) - 50.0 / 9.0).abs() < 1e-12);
        assert!((leads.lead(ROLE, MoveId(4)) + 50.0 / 9.0).abs() < 1e-12);
        assert_eq!(leads.lead(ROLE, MoveId(9)), 0.0);
        assert_eq!(leads.lead(RoleId(1), MoveId(3)), 0.0);
    }
}
