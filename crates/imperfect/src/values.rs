//! Exact values of play: uniformly random play, any strategies, and best responses to them.
//!
//! All passes go once through the points of an [`Unfolding`], forwards for how likely they are and
//! backwards for what they are worth.

use paidia_game::{MoveId, RoleId};

use crate::explore::Table;
use crate::unfold::{InformationSets, NONE, Unfolding};

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoValue {
    /// Play was not followed to its end.
    #[error("play goes on beyond {0} joint moves, so that it has no value; allow more")]
    Unfinished(usize),
    /// The rules leave a role without a legal move.
    #[error("the rules leave {role} without a legal move in a state that is not terminal")]
    Stuck {
        /// The role.
        role: String,
    },
    /// The rules do not give a role exactly one goal at an end.
    #[error("the rules give {role} no goal, or several, in a terminal state")]
    Goal {
        /// The role.
        role: String,
    },
    /// A player does not know any move to be legal.
    #[error("{role} comes to a point where it knows of no move that it is legal")]
    Unknowing {
        /// The player.
        role: String,
    },
}

/// How a player chooses.
#[derive(Clone, Copy, Debug)]
pub enum Play<'a> {
    /// Any legal move of the true state with the same probability.
    Uniform,
    /// By the probabilities of its sequences.
    Strategy(&'a [f64]),
}

/// Checks that there are values: all play ends, with a goal for each player.
///
/// # Errors
/// Tells what stands against it.
pub fn check(unfolding: &Unfolding, table: &Table) -> Result<(), NoValue> {
    if !unfolding.complete {
        return Err(NoValue::Unfinished(unfolding.depth()));
    }
    let name = |role: RoleId| table.roles[role.index()].clone();
    for &state in &unfolding.state {
        let entry = &table.states[state as usize];
        if entry.terminal {
            let mut players = table.players.iter();
            let faulty = players.find(|role| entry.goals[role.index()].value().is_none());
            if let Some(&role) = faulty {
                return Err(NoValue::Goal { role: name(role) });
            }
        } else if let Some(role) = entry.legal.stuck_role() {
            return Err(NoValue::Stuck { role: name(role) });
        }
    }
    Ok(())
}

/// The goal of a role in a terminal state; 0 where there is none.
fn goal(table: &Table, state: u32, role: RoleId) -> f64 {
    let goal = table.states[state as usize].goals[role.index()];
    goal.value().map_or(0.0, f64::from)
}

/// For each point how likely it is, given that the player `without` (a place among the players, if
/// any) makes the moves that lead there.
pub fn reach(
    unfolding: &Unfolding,
    table: &Table,
    plays: &[Play<'_>],
    without: Option<usize>,
) -> Vec<f64> {
    let mut reach = vec![0.0; unfolding.len()];
    reach[0] = 1.0;
    let (mut places, mut chances) = (Vec::new(), Vec::new());
    for point in 0..unfolding.len() as u32 {
        let (state, here) = (unfolding.state[point as usize], reach[point as usize]);
        let steps = unfolding.steps(point);
        if steps.is_empty() || here == 0.0 {
            continue;
        }
        probabilities(unfolding, table, plays, without, point, &mut chances);
        for (joint, &next) in steps.iter().enumerate() {
            table.places(state, joint as u32, &mut places);
            let chance = places.iter().zip(&chances);
            let chance: f64 = chance
                .map(|(&place, own): (&u32, &Vec<f64>)| own[place as usize])
                .product();
            reach[next as usize] += here * chance;
        }
    }
    reach
}

/// For each role the probability of each of its legal moves in a point.
pub(crate) fn probabilities(
    unfolding: &Unfolding,
    table: &Table,
    plays: &[Play<'_>],
    without: Option<usize>,
    point: u32,
    into: &mut Vec<Vec<f64>>,
) {
    let legal = &table.states[unfolding.state[point as usize] as usize].legal;
    into.resize(table.roles.len(), Vec::new());
    for (role, moves) in legal.iter() {
        let own = &mut into[role.index()];
        own.clear();
        let player = table.players.iter().position(|&player| player == role);
        match player {
            Some(player) if without == Some(player) => own.resize(moves.len(), 1.0),
            Some(player) => match plays[player] {
                Play::Uniform => own.resize(moves.len(), 1.0 / moves.len() as f64),
                Play::Strategy(strategy) => {
                    let sets = &unfolding.players[player];
                    let set = unfolding.set(point, player);
                    let chance =
                        |&id: &MoveId| sets.sequence(set, id).map_or(0.0, |place| strategy[place]);
                    own.extend(moves.iter().map(chance));
                }
            },
            None => own.resize(moves.len(), 1.0 / moves.len() as f64),
        }
    }
}

/// The expected goal of each role, if points are as likely as `reach` says.
pub fn expected(unfolding: &Unfolding, table: &Table, reach: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; table.roles.len()];
    for (point, &state) in unfolding.state.iter().enumerate() {
        if table.states[state as usize].terminal {
            for (role, sum) in (0..).map(RoleId).zip(&mut sums) {
                *sum += reach[point] * goal(table, state, role);
            }
        }
    }
    sums
}

/// For each point and each role (point after point) its expected goal where all play uniformly.
pub fn uniform(unfolding: &Unfolding, table: &Table) -> Vec<f64> {
    let roles = table.roles.len();
    let mut values = vec![0.0; unfolding.len() * roles];
    for point in (0..unfolding.len()).rev() {
        let state = unfolding.state[point];
        let steps = unfolding.steps(point as u32);
        for role in 0..roles {
            values[point * roles + role] = match steps.len() {
                0 => goal(table, state, RoleId(role as u16)),
                count => {
                    let sum: f64 = steps
                        .iter()
                        .map(|&next| values[next as usize * roles + role])
                        .sum();
                    sum / count as f64
                }
            };
        }
    }
    values
}

/// For each point and each role (point after point) its expected goal where the players choose as
/// `plays` says.
pub fn of_plays(unfolding: &Unfolding, table: &Table, plays: &[Play<'_>]) -> Vec<f64> {
    let roles = table.roles.len();
    let mut values = vec![0.0; unfolding.len() * roles];
    let (mut places, mut chances) = (Vec::new(), Vec::new());
    for point in (0..unfolding.len() as u32).rev() {
        let (state, steps) = (unfolding.state[point as usize], unfolding.steps(point));
        let at = point as usize * roles;
        if steps.is_empty() {
            for role in 0..roles {
                values[at + role] = goal(table, state, RoleId(role as u16));
            }
            continue;
        }
        probabilities(unfolding, table, plays, None, point, &mut chances);
        for (joint, &next) in steps.iter().enumerate() {
            table.places(state, joint as u32, &mut places);
            let chance = places.iter().zip(&chances);
            let chance: f64 = chance
                .map(|(&place, own): (&u32, &Vec<f64>)| own[place as usize])
                .product();
            for role in 0..roles {
                values[at + role] += chance * values[next as usize * roles + role];
            }
        }
    }
    values
}

/// The best that a player can do where points are as likely as the others make them.
#[derive(Clone, Debug)]
pub struct BestResponse {
    /// For each information set the value of going on from it, times how likely it is.
    pub sets: Vec<f64>,
    /// The same for each sequence.
    pub sequences: Vec<f64>,
    /// For each information set the best sequence of those known to be legal, [`NONE`] where there
    /// is none.
    pub best: Vec<u32>,
}

impl BestResponse {
    /// The expected goal.
    pub fn value(&self) -> f64 {
        self.sets[0]
    }

    /// The response as probabilities of sequences.
    pub fn strategy(&self) -> Vec<f64> {
        let mut strategy = vec![0.0; self.sequences.len()];
        for &best in self.best.iter().filter(|&&best| best != NONE) {
            strategy[best as usize] = 1.0;
        }
        strategy
    }
}

/// The best response of a player, by its place among the players, among strategies that depend on
/// its information set and make moves known to be legal. `reach` is that of [`reach`] without the
/// player.
///
/// # Errors
/// If it comes to a set in which no move is known to be legal.
pub fn best_response(
    unfolding: &Unfolding,
    table: &Table,
    player: usize,
    reach: &[f64],
) -> Result<BestResponse, NoValue> {
    let sets = &unfolding.players[player];
    let mut response = BestResponse {
        sets: ends(unfolding, table, player, reach),
        sequences: vec![0.0; sets.moves.len()],
        best: vec![NONE; sets.len()],
    };
    // Sets without a known move take no part, unless play comes there.
    let mut lost = vec![false; sets.len()];
    let mut lost_sequence = vec![false; sets.moves.len()];
    for set in (0..sets.len()).rev() {
        let mut best: Option<(usize, f64)> = None;
        for sequence in sets.known_sequences(set as u32) {
            let value = response.sequences[sequence];
            if !lost_sequence[sequence] && best.is_none_or(|(_, other)| value > other) {
                best = Some((sequence, value));
            }
        }
        match best {
            Some((sequence, value)) => {
                response.best[set] = sequence as u32;
                response.sets[set] += value;
            }
            None => lost[set] = !sets.sequences(set as u32).is_empty(),
        }
        if sets.entry[set] != NONE {
            let entry = sets.entry[set] as usize;
            response.sequences[entry] += response.sets[set];
            lost_sequence[entry] |= lost[set];
        }
    }
    match lost[0] {
        true => Err(NoValue::Unknowing {
            role: table.roles[sets.role.index()].clone(),
        }),
        false => Ok(response),
    }
}

/// For each information set of a player the sum of its goals where play ends there, times how
/// likely that is.
fn ends(unfolding: &Unfolding, table: &Table, player: usize, reach: &[f64]) -> Vec<f64> {
    let sets = &unfolding.players[player];
    let mut ends = vec![0.0; sets.len()];
    for (point, &state) in unfolding.state.iter().enumerate() {
        if table.states[state as usize].terminal {
            let set = unfolding.set(point as u32, player) as usize;
            ends[set] += reach[point] * goal(table, state, sets.role);
        }
    }
    ends
}

/// Any known move with the same probability.
pub fn uniform_strategy(sets: &InformationSets) -> Vec<f64> {
    let mut strategy = vec![0.0; sets.moves.len()];
    for set in 0..sets.len() as u32 {
        let count = sets.known_sequences(set).count();
        for sequence in sets.known_sequences(set) {
            strategy[sequence] = 1.0 / count as f64;
        }
    }
    strategy
}

/// What strategies of two or more players are worth, and what each could win by a best response.
#[derive(Clone, Debug)]
pub struct Exploitability {
    /// The expected goal of each player.
    pub values: Vec<f64>,
    /// The expected goal of each player if it alone plays its best response.
    pub best: Vec<f64>,
}

impl Exploitability {
    /// What all players together could win (NashConv).
    pub fn nash_conv(&self) -> f64 {
        self.best
            .iter()
            .zip(&self.values)
            .map(|(best, value)| best - value)
            .sum()
    }

    /// The mean of that over the players.
    pub fn mean(&self) -> f64 {
        self.nash_conv() / self.values.len() as f64
    }
}

/// What some play is worth against itself and against best responses.
///
/// # Errors
/// If there are no values, or a player knows of no legal move.
pub fn exploitability(
    unfolding: &Unfolding,
    table: &Table,
    plays: &[Play<'_>],
) -> Result<Exploitability, NoValue> {
    check(unfolding, table)?;
    let goals = expected(unfolding, table, &reach(unfolding, table, plays, None));
    let values = table
        .players
        .iter()
        .map(|role| goals[role.index()])
        .collect();
    let best = (0..table.players.len()).map(|player| {
        let reach = reach(unfolding, table, plays, Some(player));
        best_response(unfolding, table, player, &reach).map(|response| response.value())
    });
    Ok(Exploitability {
        values,
        best: best.collect::<Result<_, _>>()?,
    })
}

/// Asks a player for its move after a history (own moves and sets of percepts), with its legal
/// moves and the number of the sample.
pub type Ask<'a, E> = dyn FnMut(&[(MoveId, u32)], &[MoveId], u32) -> Result<MoveId, E> + 'a;

/// The strategy of a player that is asked, set by set, `samples` times each: the frequency of its
/// answers. Only sets with a choice are asked about, and only those that `reach` says can come
/// about; `ask` gets the history of the set and its legal moves.
///
/// # Errors
/// As `ask` does.
pub fn measured<E>(
    unfolding: &Unfolding,
    table: &Table,
    player: usize,
    samples: u32,
    ask: &mut Ask<'_, E>,
) -> Result<Vec<f64>, E> {
    let sets = &unfolding.players[player];
    let mut strategy = uniform_strategy(sets);
    // What the player itself never does need not be asked about.
    let mut reached = vec![true; sets.len()];
    for set in 0..sets.len() {
        if sets.parent[set] != NONE {
            let chance = strategy[sets.entry[set] as usize];
            reached[set] = reached[sets.parent[set] as usize] && chance > 0.0;
        }
        let set = set as u32;
        let open = sets
            .points(set)
            .iter()
            .map(|&point| unfolding.state[point as usize] as usize);
        let Some(state) = open
            .into_iter()
            .find(|&state| !table.states[state].terminal)
        else {
            continue;
        };
        if !reached[set as usize] || sets.known_sequences(set).count() < 2 {
            continue;
        }
        let (history, legal) = (sets.history(set), table.states[state].legal.of(sets.role));
        sets.known_sequences(set)
            .for_each(|sequence| strategy[sequence] = 0.0);
        for sample in 0..samples {
            let id = ask(&history, legal, sample)?;
            if let Some(sequence) = sets.sequence(set, id) {
                strategy[sequence] += 1.0 / f64::from(samples);
            }
        }
    }
    Ok(strategy)
}
