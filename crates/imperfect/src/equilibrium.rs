//! Equilibria of two players with opposite goals, by counterfactual regret minimisation.
//!
//! The game is brought into sequence form first: a tree of decisions for each player and a sparse
//! matrix of what pairs of sequences are worth, chance included. Information sets with one known
//! move are left out. On that form regrets are minimised as CFR+ does (Tammelin 2014), in turns,
//! with the prediction of Farina, Kroer and Sandholm (2021) and averages weighted by the square of
//! the round. What a strategy guarantees is found by a best response, so that the value lies
//! between two certain bounds whatever the iteration does. `docs/methods/equilibria.md` tells more.

use rustc_hash::FxHashMap;

use crate::explore::Table;
use crate::unfold::{NONE, Unfolding};
use crate::values::{self, NoValue, Play, uniform_strategy};

/// Why there is no equilibrium.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEquilibrium {
    /// Play has no value.
    #[error(transparent)]
    NoValue(#[from] NoValue),
    /// There are not two players.
    #[error("equilibria are found for two players; this game has {0}")]
    Players(usize),
    /// The players' goals do not add up to the same in every terminal state.
    #[error("equilibria are found where the goals of both players always have the same sum")]
    Sum,
}

/// How long to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// The most rounds.
    pub rounds: u32,
    /// The distance of the bounds at which it is enough, in goals.
    pub enough: f64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            rounds: 1_000_000,
            enough: 1e-7,
        }
    }
}

/// An equilibrium, as far as it was found.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// What the strategy of the first player guarantees it.
    pub lower: f64,
    /// What the strategy of the second player holds the first to.
    pub upper: f64,
    /// The probabilities of sequences, for each player.
    pub strategies: [Vec<f64>; 2],
    /// Rounds that were made.
    pub rounds: u32,
    /// Sequences of each player, after those without a choice were left out.
    pub sequences: [usize; 2],
    /// Information sets of each player with a choice.
    pub sets: [usize; 2],
    /// The sum of both goals.
    pub sum: i32,
}

impl Equilibrium {
    /// The value for the first player.
    pub fn value(&self) -> f64 {
        f64::midpoint(self.lower, self.upper)
    }

    /// The mean of what both could win by a best response to the other's strategy.
    pub fn exploitability(&self) -> f64 {
        (self.upper - self.lower).max(0.0) / 2.0
    }
}

/// One player's decisions. Sequence 0 is that of no choice yet.
struct Tree {
    /// For each decision the sequence that leads to it; earlier ones come first.
    parent: Vec<u32>,
    /// Where the sequences of each decision begin; one entry more than decisions.
    first: Vec<u32>,
    /// For each sequence of the player in the unfolding that of the tree.
    short: Vec<u32>,
    /// How many sequences there are.
    count: usize,
}

impl Tree {
    fn new(unfolding: &Unfolding, player: usize) -> Self {
        let sets = &unfolding.players[player];
        let mut tree = Self {
            parent: Vec::new(),
            first: vec![1],
            short: vec![0; sets.moves.len()],
            count: 1,
        };
        // The sequence of the tree that leads to a set.
        for set in 0..sets.len() {
            let entry = match sets.entry[set] {
                NONE => 0,
                entry => tree.short[entry as usize],
            };
            let known: Vec<usize> = sets.known_sequences(set as u32).collect();
            match known[..] {
                [] => {}
                [only] => tree.short[only] = entry,
                _ => {
                    tree.parent.push(entry);
                    for sequence in known {
                        tree.short[sequence] = tree.count as u32;
                        tree.count += 1;
                    }
                    tree.first.push(tree.count as u32);
                }
            }
        }
        tree
    }

    fn range(&self, decision: usize) -> std::ops::Range<usize> {
        self.first[decision] as usize..self.first[decision + 1] as usize
    }

    /// The best that can be got of the gains of sequences.
    fn best(&self, gains: &mut [f64]) -> f64 {
        for decision in (0..self.parent.len()).rev() {
            let best = gains[self.range(decision)]
                .iter()
                .copied()
                .fold(f64::NEG_INFINITY, f64::max);
            gains[self.parent[decision] as usize] += best;
        }
        gains[0]
    }
}

/// What pairs of sequences are worth to the first player, by rows and by columns.
struct Matrix {
    entries: Vec<(u32, u32, f64)>,
}

impl Matrix {
    /// The gains of the first player's sequences against a plan of the second.
    fn of_first(&self, plan: &[f64], gains: &mut [f64]) {
        gains.fill(0.0);
        for &(first, second, worth) in &self.entries {
            gains[first as usize] += worth * plan[second as usize];
        }
    }

    /// The gains of the second player's sequences against a plan of the first.
    fn of_second(&self, plan: &[f64], gains: &mut [f64]) {
        gains.fill(0.0);
        for &(first, second, worth) in &self.entries {
            gains[second as usize] -= worth * plan[first as usize];
        }
    }
}

/// One player's regrets and its plan: for each sequence the product of its probabilities.
struct Learner {
    tree: Tree,
    regrets: Vec<f64>,
    /// What was regretted last, which predicts what will be.
    latest: Vec<f64>,
    plan: Vec<f64>,
    sum: Vec<f64>,
    gains: Vec<f64>,
}

impl Learner {
    fn new(tree: Tree) -> Self {
        let count = tree.count;
        let mut this = Self {
            tree,
            regrets: vec![0.0; count],
            latest: vec![0.0; count],
            plan: vec![0.0; count],
            sum: vec![0.0; count],
            gains: vec![0.0; count],
        };
        this.choose();
        this
    }

    /// Plans by the regrets and their prediction.
    fn choose(&mut self) {
        self.plan[0] = 1.0;
        for decision in 0..self.tree.parent.len() {
            let range = self.tree.range(decision);
            let likely = |place: usize| (self.regrets[place] + self.latest[place]).max(0.0);
            let sum: f64 = range.clone().map(likely).sum();
            let above = self.plan[self.tree.parent[decision] as usize];
            let count = range.len() as f64;
            for place in range {
                self.plan[place] = match sum > 0.0 {
                    true => above * likely(place) / sum,
                    false => above / count,
                };
            }
        }
    }

    /// Learns from the gains of the sequences against the other's plan.
    fn learn(&mut self) {
        for decision in (0..self.tree.parent.len()).rev() {
            let range = self.tree.range(decision);
            let parent = self.tree.parent[decision] as usize;
            let sum: f64 = range
                .clone()
                .map(|place| (self.regrets[place] + self.latest[place]).max(0.0))
                .sum();
            let even = 1.0 / range.len() as f64;
            let chance = |place: usize| match sum > 0.0 {
                true => (self.regrets[place] + self.latest[place]).max(0.0) / sum,
                false => even,
            };
            let value: f64 = range
                .clone()
                .map(|place| chance(place) * self.gains[place])
                .sum();
            for place in range {
                let regret = self.gains[place] - value;
                self.regrets[place] = (self.regrets[place] + regret).max(0.0);
                self.latest[place] = regret;
            }
            self.gains[parent] += value;
        }
    }

    /// Adds the plan to the average.
    fn average(&mut self, weight: f64) {
        for (sum, plan) in self.sum.iter_mut().zip(&self.plan) {
            *sum += weight * plan;
        }
    }

    /// The average plan.
    fn mean(&self) -> Vec<f64> {
        let whole = self.sum[0];
        match whole > 0.0 {
            true => self.sum.iter().map(|sum| sum / whole).collect(),
            false => self.plan.clone(),
        }
    }

    /// A plan as probabilities of the sequences of the unfolding.
    fn strategy(&self, unfolding: &Unfolding, player: usize, plan: &[f64]) -> Vec<f64> {
        let sets = &unfolding.players[player];
        let mut strategy = uniform_strategy(sets);
        for set in 0..sets.len() as u32 {
            let known: Vec<usize> = sets.known_sequences(set).collect();
            let plan = |sequence: usize| plan[self.tree.short[sequence] as usize];
            let sum: f64 = known.iter().map(|&sequence| plan(sequence)).sum();
            if known.len() > 1 && sum > 0.0 {
                for sequence in known {
                    strategy[sequence] = plan(sequence) / sum;
                }
            }
        }
        strategy
    }
}

/// Looks for an equilibrium; `watch` is told now and then how many rounds were made and how far
/// the bounds are apart, and ends it by saying false.
///
/// Where legal moves differ within an information set it is that of the game in which players make
/// only moves known to be legal.
///
/// # Errors
/// If the game is not for two players with opposite goals, or has no values.
pub fn solve(
    unfolding: &Unfolding,
    table: &Table,
    effort: Effort,
    watch: &mut dyn FnMut(u32, f64) -> bool,
) -> Result<Equilibrium, NoEquilibrium> {
    values::check(unfolding, table)?;
    if table.players.len() != 2 {
        return Err(NoEquilibrium::Players(table.players.len()));
    }
    let sum = table.constant_sum().ok_or(NoEquilibrium::Sum)?;
    for (player, role) in table.players.iter().enumerate() {
        let sets = &unfolding.players[player];
        let mut all = 0..sets.len() as u32;
        if all.any(|set| {
            !sets.sequences(set).is_empty() && sets.known_sequences(set).next().is_none()
        }) {
            let role = table.roles[role.index()].clone();
            return Err(NoValue::Unknowing { role }.into());
        }
    }
    let mut first = Learner::new(Tree::new(unfolding, 0));
    let mut second = Learner::new(Tree::new(unfolding, 1));
    let matrix = matrix(unfolding, table, &first.tree, &second.tree);
    let (mut round, mut next_look) = (0, 16);
    let mut found = bounds(&matrix, &first, &second);
    while round < effort.rounds && found.1 - found.0 > effort.enough {
        round += 1;
        let weight = f64::from(round) * f64::from(round);
        matrix.of_first(&second.plan, &mut first.gains);
        first.learn();
        first.choose();
        first.average(weight);
        matrix.of_second(&first.plan, &mut second.gains);
        second.learn();
        second.choose();
        second.average(weight);
        if round == next_look || round == effort.rounds {
            next_look = round + (round / 4).max(16);
            found = bounds(&matrix, &first, &second);
            if !watch(round, found.1 - found.0) {
                break;
            }
        }
    }
    let plans = [first.mean(), second.mean()];
    Ok(Equilibrium {
        lower: found.0,
        upper: found.1,
        strategies: [
            first.strategy(unfolding, 0, &plans[0]),
            second.strategy(unfolding, 1, &plans[1]),
        ],
        rounds: round,
        sequences: [first.tree.count, second.tree.count],
        sets: [first.tree.parent.len(), second.tree.parent.len()],
        sum,
    })
}

/// What the average of the first guarantees it, and what that of the second holds it to.
fn bounds(matrix: &Matrix, first: &Learner, second: &Learner) -> (f64, f64) {
    let mut gains = vec![0.0; second.tree.count];
    matrix.of_second(&first.mean(), &mut gains);
    let lower = -second.tree.best(&mut gains);
    let mut gains = vec![0.0; first.tree.count];
    matrix.of_first(&second.mean(), &mut gains);
    let upper = first.tree.best(&mut gains);
    (lower, upper)
}

/// What pairs of sequences are worth to the first player: its goal times how likely chance makes
/// them, over all ends.
fn matrix(unfolding: &Unfolding, table: &Table, first: &Tree, second: &Tree) -> Matrix {
    // A move not known to be legal is never made; all others are as likely as their plan says.
    let certain = |player: usize| {
        let known = unfolding.players[player].known.iter();
        known
            .map(|&known| f64::from(u8::from(known)))
            .collect::<Vec<f64>>()
    };
    let (one, two) = (certain(0), certain(1));
    let plays = [Play::Strategy(&one), Play::Strategy(&two)];
    let reach = values::reach(unfolding, table, &plays, None);
    let mut sums: FxHashMap<(u32, u32), f64> = FxHashMap::default();
    let role = table.players[0].index();
    for (point, &state) in unfolding.state.iter().enumerate() {
        let entry = &table.states[state as usize];
        if entry.terminal && reach[point] > 0.0 {
            let sequence = |player: usize, tree: &Tree| {
                let set = unfolding.set(point as u32, player) as usize;
                match unfolding.players[player].entry[set] {
                    NONE => 0,
                    entry => tree.short[entry as usize],
                }
            };
            let worth = entry.goals[role].value().map_or(0.0, f64::from) * reach[point];
            *sums
                .entry((sequence(0, first), sequence(1, second)))
                .or_default() += worth;
        }
    }
    let mut entries: Vec<(u32, u32, f64)> = sums
        .into_iter()
        .map(|((one, two), worth)| (one, two, worth))
        .collect();
    entries.sort_by_key(|&(one, two, _)| (one, two));
    Matrix { entries }
}
