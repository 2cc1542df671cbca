//! What HyperPlay and HyperPlay-II tend to with growing resources, by exact sums over all
//! histories.
//!
//! HyperPlay gives a move the mean, over everything that the role believes possible, of uniformly
//! random play after it. HyperPlay-II lets the move be made, the others answer as HyperPlay does
//! from what *they* know, and all go on so to the end. Both weigh histories as [`crate::belief`]
//! does, given that the role is asked for a move.

use crate::explore::Table;
use crate::unfold::Unfolding;
use crate::values::{self, Play};

/// Values that differ by less are taken as equal, so that rounding breaks no ties.
const TIE: f64 = 1e-9;

/// For each information set of a player the weight of its points that are not terminal.
pub fn asked(unfolding: &Unfolding, table: &Table, player: usize, reach: &[f64]) -> Vec<f64> {
    let mut asked = vec![0.0; unfolding.players[player].len()];
    for (point, &state) in unfolding.state.iter().enumerate() {
        if !table.states[state as usize].terminal {
            asked[unfolding.set(point as u32, player) as usize] += reach[point];
        }
    }
    asked
}

/// For each sequence of a player the mean worth of what comes after its move, where the others
/// choose as `plays` says and points are worth `worth` (point after point, role after role).
pub fn sequence_means(
    unfolding: &Unfolding,
    table: &Table,
    player: usize,
    plays: &[Play<'_>],
    worth: &[f64],
) -> Vec<f64> {
    let sets = &unfolding.players[player];
    let (role, roles) = (sets.role.index(), table.roles.len());
    // Beliefs weigh the others as choosing uniformly, whatever they do from here on.
    let uniform = vec![Play::Uniform; table.players.len()];
    let reach = values::reach(unfolding, table, &uniform, Some(player));
    let asked = asked(unfolding, table, player, &reach);
    let mut means = vec![0.0; sets.moves.len()];
    let (mut places, mut chances) = (Vec::new(), Vec::new());
    for point in 0..unfolding.len() as u32 {
        let (state, steps) = (unfolding.state[point as usize], unfolding.steps(point));
        if steps.is_empty() {
            continue;
        }
        let set = unfolding.set(point, player);
        let weight = reach[point as usize] / asked[set as usize];
        let legal = table.states[state as usize].legal.of(sets.role);
        values::probabilities(unfolding, table, plays, Some(player), point, &mut chances);
        for (joint, &next) in steps.iter().enumerate() {
            table.places(state, joint as u32, &mut places);
            let chance = places.iter().zip(&chances);
            let chance: f64 = chance
                .map(|(&place, own): (&u32, &Vec<f64>)| own[place as usize])
                .product();
            if let Some(sequence) = sets.sequence(set, legal[places[role] as usize]) {
                means[sequence] += weight * chance * worth[next as usize * roles + role];
            }
        }
    }
    means
}

/// How HyperPlay chooses with unlimited resources, for each player: the best of its known moves by
/// their means, ties with equal probabilities.
pub fn hyperplay(unfolding: &Unfolding, table: &Table) -> Vec<Vec<f64>> {
    let (uniform, worth) = (
        vec![Play::Uniform; table.players.len()],
        values::uniform(unfolding, table),
    );
    (0..table.players.len())
        .map(|player| {
            let means = sequence_means(unfolding, table, player, &uniform, &worth);
            greedy(unfolding, player, &means)
        })
        .collect()
}

/// The best known moves of each information set, with equal probabilities.
fn greedy(unfolding: &Unfolding, player: usize, means: &[f64]) -> Vec<f64> {
    let sets = &unfolding.players[player];
    let mut strategy = vec![0.0; means.len()];
    for set in 0..sets.len() as u32 {
        let known = || sets.known_sequences(set);
        let best = known()
            .map(|sequence| means[sequence])
            .fold(f64::NEG_INFINITY, f64::max);
        let chosen: Vec<usize> = known()
            .filter(|&sequence| means[sequence] >= best - TIE)
            .collect();
        for &sequence in &chosen {
            strategy[sequence] = 1.0 / chosen.len() as f64;
        }
    }
    strategy
}

/// What HyperPlay-II thinks of each sequence of a player with unlimited resources, where the
/// players choose by `hyperplay`.
pub fn hyperplay_ii(
    unfolding: &Unfolding,
    table: &Table,
    player: usize,
    hyperplay: &[Vec<f64>],
) -> Vec<f64> {
    let plays: Vec<Play<'_>> = hyperplay
        .iter()
        .map(|strategy| Play::Strategy(strategy))
        .collect();
    let worth = values::of_plays(unfolding, table, &plays);
    sequence_means(unfolding, table, player, &plays, &worth)
}
