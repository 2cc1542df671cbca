//! Rapid action value estimation (RAVE): what came of a move wherever it was made later, as a first
//! guess at what it is worth here, and when to believe it.
//!
//! After J. Méhat and J. Vittaut, "Online Adjustment of Tree Search for GGP" (GIGA 2013): at the
//! root it is compared, before every simulation, whether RAVE mostly promises more or less than
//! what was found, and it is used only if it promises more.

use paidia_game::{Chance, MoveId, RoleId};

use super::select::best;
use super::tree::{Arm, tried};

/// When RAVE is used to choose a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RaveUse {
    /// Never: plain UCT, with untried moves worth the highest goal.
    Never,
    /// Always.
    Always,
    /// In each choice with this probability.
    Sometimes {
        /// The probability.
        probability: f64,
    },
    /// In a whole simulation, if at the root RAVE promises more than what was found and this
    /// margin.
    Adaptive {
        /// The margin, on the scale of goals.
        margin: f64,
    },
    /// In each choice, if at its own state RAVE promises more than what was found and this margin.
    AdaptiveEverywhere {
        /// The margin, on the scale of goals.
        margin: f64,
    },
}

/// How moves are chosen with RAVE.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rave {
    /// The constant C of UCT.
    pub exploration: f64,
    /// Visits at which RAVE and what was found count about the same: k in `sqrt(k / (3 t + k))`.
    pub equivalence: f64,
    /// When it is used.
    pub usage: RaveUse,
}

/// What a move that was never tried is worth.
const UNTRIED: f64 = 100.0;

impl Rave {
    /// Whether it is used in a simulation from a root with these moves, as far as the root says.
    pub(super) fn is_used_from(self, arms: &[Arm], records: &[Arm]) -> bool {
        match self.usage {
            RaveUse::Adaptive { margin } => promises_more(arms, records, margin),
            RaveUse::Never => false,
            _ => true,
        }
    }

    /// Whether it is used in one choice of a simulation in which it may be.
    fn is_used_here(self, arms: &[Arm], records: &[Arm], chance: &mut Chance) -> bool {
        match self.usage {
            RaveUse::Sometimes { probability } => chance.fraction() < probability,
            RaveUse::AdaptiveEverywhere { margin } => promises_more(arms, records, margin),
            _ => true,
        }
    }

    /// The place of the chosen one of some moves. `records` has for each move what came of it
    /// later.
    pub(super) fn select(
        self,
        arms: &[Arm],
        records: &[Arm],
        may_use: bool,
        is_open: impl Fn(&Arm) -> bool,
        chance: &mut Chance,
    ) -> usize {
        let uses = may_use && self.is_used_here(arms, records, chance);
        let visits = f64::from(tried(arms));
        let weight = match uses {
            true => (self.equivalence / (3.0 * visits + self.equivalence)).sqrt(),
            false => 0.0,
        };
        let bonus = self.exploration * visits.max(1.0).ln().sqrt();
        let open = arms.iter().zip(records).enumerate();
        let open = open.filter(|(_, (arm, _))| is_open(arm));
        best(open, chance, |(arm, record)| {
            let found = match arm.visits() {
                0 => UNTRIED,
                tried => mean(arm) + bonus / f64::from(tried).sqrt(),
            };
            match record.visits() {
                0 => found,
                _ => (1.0 - weight) * found + weight * mean(record),
            }
        })
    }
}

fn mean(arm: &Arm) -> f64 {
    arm.total() / f64::from(arm.visits())
}

/// Whether RAVE promises more than what was found, for moves that were tried more often in all.
fn promises_more(arms: &[Arm], records: &[Arm], margin: f64) -> bool {
    let (mut more, mut less) = (0, 0);
    for (arm, record) in arms.iter().zip(records) {
        if arm.visits() == 0 || record.visits() == 0 {
            continue;
        }
        let (promised, found) = (mean(record), mean(arm) + margin);
        if promised > found {
            more += arm.visits();
        } else if promised < found {
            less += arm.visits();
        }
    }
    more > less
}

/// The moves that each role made from some step of a simulation on.
#[derive(Clone, Debug, Default)]
pub(super) struct Later {
    /// For each role and move, the simulation in which it was last made.
    made: Vec<Vec<u32>>,
    simulation: u32,
}

impl Later {
    pub(super) fn new(roles: usize) -> Self {
        Self {
            made: vec![Vec::new(); roles],
            simulation: 0,
        }
    }

    /// Forgets all moves.
    pub(super) fn restart(&mut self) {
        self.simulation = self.simulation.wrapping_add(1);
        if self.simulation == 0 {
            // Numbers begin anew, so that old ones would be taken for new ones.
            self.made.iter_mut().for_each(Vec::clear);
            self.simulation = 1;
        }
    }

    /// Adds the move of each role in a step.
    pub(super) fn add(&mut self, joint: &[MoveId]) {
        for (made, id) in self.made.iter_mut().zip(joint) {
            let index = id.0 as usize;
            if made.len() <= index {
                made.resize(index + 1, 0);
            }
            made[index] = self.simulation;
        }
    }

    pub(super) fn contains(&self, role: RoleId, id: MoveId) -> bool {
        self.made[role.index()].get(id.0 as usize) == Some(&self.simulation)
    }
}

#[cfg(test)]
mod tests {
    use super::{Later, Rave, RaveUse};
    use crate::uct::tree::Arm;
    use paidia_game::{Chance, MoveId, RoleId};

    fn arms(statistics: &[(u32, f64)]) -> Vec<Arm> {
        let arm = |(index, &(visits, mean)): (usize, &(u32, f64))| {
            Arm::with(MoveId(index as u32), visits, mean)
        };
        statistics.iter().enumerate().map(arm).collect()
    }

    fn place(usage: RaveUse, found: &[(u32, f64)], later: &[(u32, f64)]) -> usize {
        let rave = Rave {
            exploration: 0.0,
            equivalence: 300.0,
            usage,
        };
        let (found, later) = (arms(found), arms(later));
        let may_use = rave.is_used_from(&found, &later);
        rave.select(&found, &later, may_use, |_| true, &mut Chance::from_seed(1))
    }

    #[test]
    fn what_came_later_counts_less_with_visits() {
        // 100 visits: weight sqrt(300 / 600) = 0.707; 40 against 0.293 * 30 + 0.707 * 60 = 51.2
        let few = [(50, 40.0), (50, 30.0)];
        let later = [(80, 40.0), (80, 60.0)];
        assert_eq!(place(RaveUse::Always, &few, &later), 1);
        assert_eq!(place(RaveUse::Never, &few, &later), 0);
        // 20,000 visits: weight 0.07; 40 against 32.1
        let many = [(10_000, 40.0), (10_000, 30.0)];
        assert_eq!(place(RaveUse::Always, &many, &later), 0);
    }

    #[test]
    fn untried_moves_are_worth_the_highest_goal() {
        let found = [(5, 99.0), (0, 0.0)];
        assert_eq!(place(RaveUse::Never, &found, &[(0, 0.0), (0, 0.0)]), 1);
        // With what came later, 0.995 * 20 + 0.005 * 100: less than 99.
        assert_eq!(place(RaveUse::Always, &found, &[(0, 0.0), (9, 20.0)]), 0);
    }

    #[test]
    fn the_root_tells_whether_it_promises_more() {
        let rave = |margin| Rave {
            exploration: 40.0,
            equivalence: 700.0,
            usage: RaveUse::Adaptive { margin },
        };
        let found = arms(&[(10, 40.0), (6, 50.0), (0, 0.0)]);
        let more = arms(&[(9, 45.0), (9, 40.0), (9, 90.0)]);
        let less = arms(&[(9, 35.0), (9, 60.0), (9, 90.0)]);
        assert!(rave(0.0).is_used_from(&found, &more));
        assert!(!rave(0.0).is_used_from(&found, &less));
        assert!(!rave(10.0).is_used_from(&found, &more), "not by so much");
    }

    #[test]
    fn moves_are_remembered_for_one_simulation() {
        let mut later = Later::new(2);
        later.restart();
        later.add(&[MoveId(2), MoveId(3)]);
        assert!(later.contains(RoleId(0), MoveId(2)) && later.contains(RoleId(1), MoveId(3)));
        assert!(!later.contains(RoleId(0), MoveId(3)) && !later.contains(RoleId(1), MoveId(2)));
        later.restart();
        assert!(!later.contains(RoleId(1), MoveId(3)));
    }
}
