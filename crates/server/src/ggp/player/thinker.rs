//! One role of one match: what is believed about the state, and the player that chooses.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use paidia_arena::{BadPlayer, Playable, PlayerSpec, make};
use paidia_game::{Game, MoveId, RoleId, Walker};
use paidia_search::{Budget, Decision, Player};

use super::belief::{Belief, Lost};
use crate::ggp::message::News;

/// The most states that are searched for one move, where the state is not known.
const MOST_SEARCHES: usize = 8;

/// Follows a match and chooses moves, on whichever engine.
pub(super) trait Thinker: Send {
    /// Uses the time before the first move.
    fn prepare(&mut self, time: Duration);

    /// Takes in what was told; may look until then for states that agree with it.
    fn follow(&mut self, news: &News, until: Instant) -> Result<(), Lost>;

    /// Chooses a legal move; `None` if there is none.
    fn choose(&mut self, time: Duration) -> Option<Chosen>;

    /// Thinks on until it is interrupted.
    fn ponder(&mut self, interrupt: &AtomicBool);

    /// Everybody's goals, if the match is over.
    fn results(&mut self) -> Option<String>;
}

/// A move, and why.
pub(super) struct Chosen {
    /// The move as the rules write it.
    pub(super) text: String,
    /// What the search found out.
    pub(super) because: String,
}

/// A [`Thinker`] on one engine.
pub(super) struct Thinking<G: Game> {
    game: G,
    role: RoleId,
    walker: G::Walker,
    belief: Belief<G>,
    player: Box<dyn Player<G>>,
}

impl<G: Game> Thinking<G> {
    /// A player for a role of a game that is about to start.
    ///
    /// # Errors
    /// If there is no such player.
    pub(super) fn new(
        playable: &Playable<G>,
        spec: &PlayerSpec,
        role: RoleId,
        seed: u64,
    ) -> Result<Self, BadPlayer> {
        let game = &playable.game;
        Ok(Self {
            player: make(spec, playable, role, seed)?,
            belief: Belief::new(game, role, seed),
            walker: game.walker(),
            game: game.clone(),
            role,
        })
    }

    /// The move that is best on average over some states, and what the last search said.
    fn choose_among(&mut self, states: &[G::State], time: Duration) -> Option<Decision> {
        let mut sums: BTreeMap<MoveId, (f64, u32)> = BTreeMap::new();
        let mut last = None;
        let until = Instant::now() + time;
        for (place, state) in states.iter().enumerate() {
            let left = until.saturating_duration_since(Instant::now());
            let share = left / (states.len() - place) as u32;
            let decision = self.player.choose(state, Budget::time(share));
            for report in &decision.report.moves {
                let (sum, count) = sums.entry(report.id).or_default();
                *sum += report.value;
                *count += 1;
            }
            last = Some(decision);
        }
        let mean = |&(_, &(sum, count)): &(&MoveId, &(f64, u32))| sum / f64::from(count);
        let best = sums
            .iter()
            .max_by(|left, right| mean(left).total_cmp(&mean(right)));
        let id = best.map(|(&id, _)| id);
        last.map(|decision| Decision {
            id: id.unwrap_or(decision.id),
            ..decision
        })
    }

    /// The decision in words.
    fn because(&self, decision: &Decision) -> String {
        let report = &decision.report;
        let best = report.moves.iter().find(|best| best.id == decision.id);
        let value = match best {
            Some(best) if report.simulations > 0 || best.proven.is_some() => match best.proven {
                Some(goal) => format!("certain {goal}, "),
                None => format!("value {:.1}, ", best.value),
            },
            _ => String::new(),
        };
        let (simulations, stopped) = (report.simulations, report.stopped.name());
        format!("{value}{simulations} simulations, stopped by: {stopped}")
    }
}

impl<G: Game> Thinker for Thinking<G> {
    fn prepare(&mut self, time: Duration) {
        let state = &self.belief.states()[0];
        self.player.prepare(state, Budget::time(time));
    }

    fn follow(&mut self, news: &News, until: Instant) -> Result<(), Lost> {
        self.belief.follow(news, until)
    }

    fn choose(&mut self, time: Duration) -> Option<Chosen> {
        let states = self.belief.sample(MOST_SEARCHES);
        self.walker.jump(&states[0]);
        let legal = self.walker.legal().of(self.role).to_vec();
        let &first = legal.first()?;
        let decision = if self.walker.is_terminal() {
            None
        } else if let [state] = &states[..] {
            Some(self.player.choose(state, Budget::time(time)))
        } else {
            self.choose_among(&states, time)
        };
        let Some(decision) = decision.filter(|decision| legal.contains(&decision.id)) else {
            let text = self.game.moves().name(first).to_string();
            let because = "the first legal move: nothing could be searched".to_owned();
            return Some(Chosen { text, because });
        };
        Some(Chosen {
            text: self.game.moves().name(decision.id).to_string(),
            because: self.because(&decision),
        })
    }

    fn ponder(&mut self, interrupt: &AtomicBool) {
        let state = &self.belief.states()[0];
        self.walker.jump(state);
        if !self.walker.is_terminal() {
            self.player.ponder(state, interrupt);
        }
    }

    fn results(&mut self) -> Option<String> {
        self.walker.jump(&self.belief.states()[0]);
        if !self.walker.is_terminal() {
            return None;
        }
        let goal = |role: RoleId| {
            let value = self.walker.goal(role).value();
            let value = value.map_or("?".to_owned(), |value| value.to_string());
            format!("{} {value}", self.game.facts().role_name(role))
        };
        let goals: Vec<String> = self.game.facts().players().map(goal).collect();
        Some(goals.join(", "))
    }
}
