//! Which player has which role.
//!
//! A game of `r` roles takes `r` of the players, each at most once; where there are fewer players
//! than roles, all play, and some or all of them several times, as equally often as can be. Each
//! such company is seated in all orders, or in `r` of them, each the last one turned by a place:
//! that is the balanced sample. It gives every player every role equally often against the same
//! opponents.

use serde::{Deserialize, Serialize};

/// Which orders of a company are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatingPlan {
    /// All of them.
    #[default]
    All,
    /// As many as there are roles.
    Balanced,
}

impl SeatingPlan {
    /// All seatings of players in a game: for each role the index of its player. `None` if there
    /// are more than `limit`.
    pub fn seatings(self, players: usize, roles: usize, limit: usize) -> Option<Vec<Vec<usize>>> {
        let mut seatings = Vec::new();
        for company in companies(players, roles, limit)? {
            match self {
                SeatingPlan::All => {
                    let mut order = Some(company);
                    while let Some(seating) = order {
                        order = next_order(&seating);
                        seatings.push(seating);
                        if seatings.len() > limit {
                            return None;
                        }
                    }
                }
                SeatingPlan::Balanced => seatings.extend(turns(&company)),
            }
            if seatings.len() > limit {
                return None;
            }
        }
        Some(seatings)
    }
}

/// All ways to choose the players of a match, each in ascending order; `None` if there are more
/// than `limit`.
fn companies(players: usize, roles: usize, limit: usize) -> Option<Vec<Vec<usize>>> {
    if players == 0 {
        return Some(Vec::new());
    }
    let (each, some) = (roles / players, roles % players);
    let mut chosen: Vec<usize> = (0..some).collect();
    let mut companies = Vec::new();
    loop {
        let mut company = chosen.clone();
        company.extend((0..players).flat_map(|player| vec![player; each]));
        company.sort_unstable();
        companies.push(company);
        if companies.len() > limit {
            return None;
        }
        // The next choice: the last place that can go up does, and those after it follow.
        let Some(place) = (0..some).rfind(|&place| chosen[place] + some < players + place) else {
            return Some(companies);
        };
        let next = chosen[place] + 1;
        for (offset, later) in chosen[place..].iter_mut().enumerate() {
            *later = next + offset;
        }
    }
}

/// The next order in the order of dictionaries; repeated members are alike.
fn next_order(order: &[usize]) -> Option<Vec<usize>> {
    let rise = order.windows(2).rposition(|pair| pair[0] < pair[1])?;
    let swap = order.iter().rposition(|&member| member > order[rise])?;
    let mut next = order.to_vec();
    next.swap(rise, swap);
    next[rise + 1..].reverse();
    Some(next)
}

/// A company turned by each number of places, those that are the same left out.
fn turns(company: &[usize]) -> Vec<Vec<usize>> {
    let mut turns: Vec<Vec<usize>> = Vec::new();
    for by in 0..company.len() {
        let mut turned = company.to_vec();
        turned.rotate_left(by);
        if !turns.contains(&turned) {
            turns.push(turned);
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::SeatingPlan;
    use std::collections::BTreeSet;

    fn count(seats: SeatingPlan, players: usize, roles: usize) -> usize {
        let seatings = seats.seatings(players, roles, 10_000).unwrap();
        let different: BTreeSet<_> = seatings.iter().collect();
        assert_eq!(different.len(), seatings.len());
        assert!(seatings.iter().all(|seating| seating.len() == roles));
        seatings.len()
    }

    #[test]
    fn all_orders_of_all_companies() {
        assert_eq!(count(SeatingPlan::All, 4, 2), 12);
        assert_eq!(count(SeatingPlan::All, 5, 3), 60);
        assert_eq!(count(SeatingPlan::All, 3, 1), 3);
        assert_eq!(count(SeatingPlan::All, 1, 2), 1);
        // Two players on three seats: one of them twice.
        assert_eq!(count(SeatingPlan::All, 2, 3), 6);
        assert_eq!(count(SeatingPlan::All, 2, 4), 6);
    }

    #[test]
    fn a_balanced_sample_gives_everybody_every_role_equally_often() {
        for (players, roles) in [(4, 2), (5, 3), (6, 6), (2, 3), (3, 4)] {
            let seatings = SeatingPlan::Balanced
                .seatings(players, roles, 1000)
                .unwrap();
            let mut often = vec![vec![0; players]; roles];
            for seating in &seatings {
                for (role, &player) in seating.iter().enumerate() {
                    often[role][player] += 1;
                }
            }
            let first = often[0][0];
            assert!(
                often.iter().flatten().all(|&times| times == first),
                "{players} {roles}: {often:?}"
            );
        }
        assert_eq!(count(SeatingPlan::Balanced, 6, 6), 6);
    }

    #[test]
    fn too_many_are_refused_soon() {
        assert_eq!(SeatingPlan::All.seatings(20, 12, 1000), None);
        assert_eq!(SeatingPlan::Balanced.seatings(60, 20, 1000), None);
    }
}
