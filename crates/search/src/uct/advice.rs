//! What a search makes of [advice](crate::advice): a first guess at what moves of the tree are
//! worth, and likelier moves in playouts.
//!
//! After M. Trutman and S. Schiffel, "Creating Action Heuristics for General Game Playing Agents"
//! (GIGA 2015).

use paidia_game::{Chance, Game, GameFacts, LegalMoves, MoveId, RoleId, Walker};

use super::explore::{Explorer, Search};
use super::policy::Draw;
use super::select::{Selection, best};
use super::settings::{Returns, Settings};
use super::tree::{Arm, NodeId};
use super::{Uct, new_trees};
use crate::advice::{Advice, AdviceOptions, AdviceSource, NoAdvice};
use crate::costs::{Part, Watch};
use crate::scale::{Scale, pair};

/// Where advice is listened to, and how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advised {
    /// Whether it is a first guess at what moves of the tree are worth.
    pub tree: bool,
    /// Whether playouts draw moves by it.
    pub playouts: bool,
    /// Visits at which advice and what was found count the same in the tree: k in
    /// `sqrt(k / (3 N + k))`. The paper has 20.
    pub equivalence: f64,
    /// How often moves must have been chosen in a state of the tree before advice about them is
    /// asked for. The paper asks at once; most states of a tree are seen once or twice, and asking
    /// takes time.
    pub after: u32,
    /// How much more the best of a state's moves counts than the worst when playouts draw by Gibbs
    /// with temperature 1.
    pub scale: f64,
    /// Whether values are spread over the whole scale among the moves of a state; else they are
    /// parts of the scale as they are told.
    pub spread: bool,
    /// Whether the adviser may use that some of what holds, or does not, will stay so.
    pub persistence: bool,
}

impl Default for Advised {
    fn default() -> Self {
        Self {
            tree: true,
            playouts: false,
            equivalence: 20.0,
            after: 8,
            scale: 100.0,
            spread: false,
            persistence: true,
        }
    }
}

/// How much advice counts in a state that was visited so often: β in `β H + (1 - β) Q`.
pub fn weight(equivalence: f64, visits: u32) -> f64 {
    (equivalence / (3.0 * f64::from(visits) + equivalence)).sqrt()
}

/// One thread's adviser, with its scratch memory.
pub(super) struct Adviser<State> {
    advice: Box<dyn Advice<State>>,
    state: State,
    moves: Vec<MoveId>,
    values: Vec<f64>,
    /// The least and the most that a return can be.
    returns: (f64, f64),
    scale: f64,
    spread: bool,
}

impl<State> Adviser<State> {
    /// Memory for an adviser; the state may be any.
    pub(super) fn new(
        advice: Box<dyn Advice<State>>,
        state: State,
        facts: &GameFacts,
        settings: &Settings,
    ) -> Self {
        Self {
            advice,
            state,
            moves: Vec::new(),
            values: Vec::new(),
            returns: returns(facts, settings.returns),
            scale: settings.advice.map_or(0.0, |advised| advised.scale),
            spread: settings.advice.is_some_and(|advised| advised.spread),
        }
    }

    /// Looks at where a walker stands.
    fn stand<W: Walker<State = State>>(&mut self, walker: &W) {
        walker.save(&mut self.state);
    }

    /// A first guess at what each move of a role is worth, on the scale of returns.
    fn guesses(&mut self, role: RoleId, arms: &[Arm]) -> &[f64] {
        self.moves.clear();
        self.moves.extend(arms.iter().map(Arm::id));
        self.values.clear();
        self.advice
            .values(&self.state, role, &self.moves, &mut self.values);
        let (lowest, highest) = self.returns;
        place(&mut self.values, self.spread, lowest, highest);
        &self.values
    }

    /// Draws a legal move for each role into `joint`; false if a role has none.
    fn draw_joint(
        &mut self,
        legal: &LegalMoves,
        chance: &mut Chance,
        joint: &mut Vec<MoveId>,
    ) -> bool {
        joint.clear();
        for (role, moves) in legal.iter() {
            let place = match moves {
                [] => return false,
                [_] => 0,
                _ => self.draw(role, moves, chance),
            };
            joint.push(moves[place]);
        }
        true
    }

    fn draw(&mut self, role: RoleId, moves: &[MoveId], chance: &mut Chance) -> usize {
        self.values.clear();
        self.advice
            .values(&self.state, role, moves, &mut self.values);
        place(&mut self.values, self.spread, 0.0, self.scale);
        Draw::Gibbs { temperature: 1.0 }.by_scores(&mut self.values, chance)
    }
}

/// The least and the most that a return can be.
fn returns(facts: &GameFacts, returns: Returns) -> (f64, f64) {
    match returns {
        Returns::Difference if pair(facts).is_some() => (-Scale::HIGHEST, Scale::HIGHEST),
        Returns::Own | Returns::Difference => (0.0, Scale::HIGHEST),
    }
}

/// Puts values from 0 to 1 on a scale, or spreads them over the whole of it; equal values then say
/// nothing and become the middle.
fn place(values: &mut [f64], spread: bool, lowest: f64, highest: f64) {
    let (mut least, mut most) = (0.0, 1.0);
    if spread {
        least = values.iter().copied().fold(f64::INFINITY, f64::min);
        most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    }
    let range = most - least;
    for value in values {
        let part = if range > 0.0 {
            (*value - least) / range
        } else {
            0.5
        };
        *value = lowest + part * (highest - lowest);
    }
}

impl<G: Game> Uct<G> {
    /// Uses a source of advice about moves, if the settings ask for it.
    ///
    /// This may take a while, since rules may be looked at for it, so do it before a clock runs.
    ///
    /// # Errors
    /// Why there is no advice about the game; the player plays without.
    pub fn take_advice(&mut self, source: &AdviceSource<G::State>) -> Result<(), NoAdvice> {
        let Some(advised) = self.settings.advice else {
            return Ok(());
        };
        let options = AdviceOptions {
            persistence: advised.persistence,
        };
        for explorer in &mut self.explorers {
            let (state, facts) = (self.game.initial(), self.game.facts());
            let adviser = Adviser::new(source(options)?, state, facts, &self.settings);
            explorer.adviser = Some(adviser);
        }
        let threads = self.explorers.len();
        self.trees = new_trees(&self.game, &self.settings, threads, advised.tree);
        Ok(())
    }
}

/// Advice about the moves of a role in a state of the tree.
pub(super) struct Guide<'a> {
    /// For each move a first guess at what it is worth.
    guesses: &'a [Arm],
    /// How much that counts.
    weight: f64,
    /// What a move counts that was never tried.
    untried: f64,
}

impl Guide<'_> {
    /// The place of the chosen one of some moves with their places, as [`Selection::select`]
    /// chooses without advice.
    pub(super) fn select<'a>(
        &self,
        selection: &Selection,
        arms: impl Iterator<Item = (usize, &'a Arm)>,
        visits: u32,
        chance: &mut Chance,
    ) -> usize {
        let bonus = selection.bonus(visits);
        let moves = arms.map(|(place, arm)| (place, (arm, &self.guesses[place])));
        best(moves, chance, |(arm, guess)| {
            let advised = self.weight * guess.total();
            match arm.visits() {
                0 => advised + (1.0 - self.weight) * self.untried,
                tried => {
                    let tried = f64::from(tried);
                    advised + (1.0 - self.weight) * arm.total() / tried + bonus / tried.sqrt()
                }
            }
        })
    }
}

impl<G: Game> Explorer<G> {
    /// Advice about the moves of a role in the node where the walker stands, if there is some. It
    /// is asked for once, when moves were chosen there often enough, which in most states of a tree
    /// never happens. `visits` tells how often they were.
    #[inline]
    pub(super) fn guide<'a>(
        &mut self,
        search: &Search<'a, G>,
        node: NodeId,
        role: RoleId,
        arms: &[Arm],
        visits: u32,
    ) -> Option<Guide<'a>> {
        let advised = search.settings.advice?;
        if visits < advised.after {
            return None;
        }
        let guesses = search.tree.advice(node, role);
        let adviser = self.adviser.as_mut()?;
        if guesses.first()?.visits() == 0 {
            adviser.stand(&self.walker);
            let values = adviser.guesses(role, arms);
            search.tree.advise(node, role, values);
        }
        Some(Guide {
            guesses,
            weight: weight(advised.equivalence, visits),
            untried: adviser.returns.1,
        })
    }

    /// Draws moves by advice; how many to the end, and whether the game is over.
    pub(super) fn play_by_advice<W: Watch>(
        &mut self,
        search: &Search<'_, G>,
        watch: &mut W,
    ) -> (u32, bool) {
        let mut steps = 0;
        let Some(adviser) = &mut self.adviser else {
            return (steps, false);
        };
        adviser.stand(&self.walker);
        while !self.walker.is_terminal() {
            let legal = self.walker.legal();
            watch.lap(Part::Engine);
            let drawn = adviser.draw_joint(legal, &mut self.chance, &mut self.joint);
            watch.lap(Part::Advice);
            if steps == search.settings.playout_limit || !drawn {
                return (steps, false);
            }
            if search.extras.wants_moves {
                self.made.extend_from_slice(&self.joint);
            }
            self.walker.advance(&self.joint, &mut self.chance);
            adviser.stand(&self.walker);
            steps += 1;
        }
        (steps, true)
    }
}

#[cfg(test)]
mod tests {
    use super::{Guide, weight};
    use crate::uct::Selection;
    use crate::uct::tree::Arm;
    use paidia_game::{Chance, MoveId};

    #[test]
    fn advice_counts_less_with_visits() {
        assert_eq!(weight(20.0, 0), 1.0);
        assert!((weight(20.0, 20) - 0.5).abs() < 1e-12, "half at N = k");
        assert!((weight(20.0, 2_000) - (20.0f64 / 6_020.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn values_are_spread_over_the_scale() {
        let mut values = [0.001, 0.003, 0.002];
        super::place(&mut values, true, 0.0, 100.0);
        for (value, expected) in values.iter().zip([0.0, 100.0, 50.0]) {
            assert!((value - expected).abs() < 1e-9, "{value}");
        }
        let mut equal = [0.3, 0.3];
        super::place(&mut equal, true, -100.0, 100.0);
        assert_eq!(equal, [0.0, 0.0]);
        let mut plain = [0.25, 1.0];
        super::place(&mut plain, false, -100.0, 100.0);
        assert_eq!(plain, [-50.0, 100.0]);
    }

    /// The place that is chosen with these visits and means, and advice.
    fn place(found: &[(u32, f64)], advice: &[f64]) -> usize {
        let arm = |(index, &(visits, mean)): (usize, &(u32, f64))| {
            Arm::with(MoveId(index as u32), visits, mean)
        };
        let arms: Vec<Arm> = found.iter().enumerate().map(arm).collect();
        let guesses: Vec<Arm> = advice
            .iter()
            .map(|&value| Arm::with(MoveId(0), 1, value))
            .collect();
        let visits = found.iter().map(|&(visits, _)| visits).sum();
        let guide = Guide {
            guesses: &guesses,
            weight: weight(20.0, visits),
            untried: 100.0,
        };
        let selection = Selection::Uct {
            exploration: 0.0,
            growth: 0.0,
        };
        let mut chance = Chance::from_seed(1);
        guide.select(&selection, arms.iter().enumerate(), visits, &mut chance)
    }

    #[test]
    fn advice_comes_first_and_what_was_found_wins() {
        assert_eq!(
            place(&[(0, 0.0), (0, 0.0), (0, 0.0)], &[0.0, 50.0, 100.0]),
            2
        );
        // At N = 20 both count half: 0.5 * 100 + 0.5 * 20 = 60 against 0.5 * 30 + 0.5 * 80 = 55.
        assert_eq!(place(&[(10, 20.0), (10, 80.0)], &[100.0, 30.0]), 0);
        assert_eq!(place(&[(1_000, 20.0), (1_000, 80.0)], &[100.0, 30.0]), 1);
        // A move that was never tried is worth the highest goal as far as advice does not count.
        assert_eq!(place(&[(2_000, 90.0), (0, 0.0)], &[100.0, 0.0]), 1);
    }
}
