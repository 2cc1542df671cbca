//! One role of one match: what is believed about the state, and the player that chooses.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use paidia_arena::told::ToldPlayer;
use paidia_arena::{BadPlayer, Playable, PlayerSpec};
use paidia_game::{Chance, Game, MoveId, RoleId, Walker, find_move};
use paidia_search::belief::{self, Belief, Effort, Told};
use paidia_search::{Budget, Decision, Informed, MOST_SEARCHES, choose_among};

use crate::ggp::message::News;

/// Why a message does not fit to what was told before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Lost {
    #[error(transparent)]
    Belief(#[from] belief::Lost),
    /// Messages are missing, or came twice.
    #[error("this is turn {told}, and turn {expected} was expected")]
    Turn { told: u64, expected: u64 },
    #[error("rtGDL is not spoken here")]
    RealTime,
}

/// Follows a match and chooses moves, on whichever engine.
pub(super) trait Thinker: Send {
    /// Uses the time before the first move.
    fn prepare(&mut self, time: Duration, interrupt: &AtomicBool);

    /// Takes in what was told; may look until then for states that agree with it.
    fn follow(&mut self, news: &News, until: Instant) -> Result<(), Lost>;

    /// Chooses a legal move; `None` if there is none.
    fn choose(&mut self, time: Duration) -> Option<Chosen>;

    /// Thinks on until it is interrupted.
    fn ponder(&mut self, interrupt: &AtomicBool);

    /// The goals of all roles, if the match is over.
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
    /// How many turns of GDL-II were told.
    turns: u64,
    chooser: Chooser<G>,
    /// What was told of each turn of GDL-II.
    told: Vec<Told>,
}

/// What chooses moves.
enum Chooser<G: Game> {
    /// By states that are believed.
    States(Box<dyn Informed<G>>),
    /// By everything that was told.
    Told(Box<ToldPlayer<G>>),
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
            chooser: match ToldPlayer::new(spec, playable, role, seed)? {
                Some(player) => Chooser::Told(Box::new(player)),
                None => Chooser::States(playable.search(spec, role, seed)?),
            },
            told: Vec::new(),
            belief: Belief::new(game, role, seed),
            turns: 0,
            walker: game.walker(),
            game: game.clone(),
            role,
        })
    }

    /// What is best, by states or by everything that was told.
    fn decide(
        &mut self,
        states: &[G::State],
        legal: &[MoveId],
        budget: Budget,
        interrupt: &AtomicBool,
    ) -> Option<Decision> {
        match &mut self.chooser {
            Chooser::States(search) => choose_among(&mut **search, states, budget, interrupt),
            Chooser::Told(player) => {
                player.tell(&self.told).ok()?;
                Some(player.choose(legal, budget, interrupt))
            }
        }
    }

    /// What the role is told by rules where a host tells all moves.
    fn overheard(&mut self, before: &G::State, moves: &[String]) -> Option<Told> {
        self.walker.jump(before);
        let legal = self.walker.legal().clone();
        let ids = self.game.facts().role_ids().zip(moves);
        let ids = ids
            .map(|(role, text)| find_move(self.game.moves(), legal.of(role), text))
            .collect::<Option<Vec<MoveId>>>()?;
        self.walker.advance(&ids, &mut Chance::from_seed(0));
        let percepts = self.walker.percepts(self.role).iter();
        let percepts = percepts.map(|&id| self.game.percepts().name(id).to_string());
        let made = self.game.moves().name(ids[self.role.index()]);
        Some(Told::new(made.to_string(), percepts.collect()))
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
        let known = match report.known {
            0 => String::new(),
            known => format!(" after {known} before"),
        };
        format!("{value}{simulations} simulations{known}, stopped by: {stopped}")
    }
}

impl<G: Game> Thinker for Thinking<G> {
    fn prepare(&mut self, time: Duration, interrupt: &AtomicBool) {
        let budget = Budget::time(time);
        match &mut self.chooser {
            Chooser::Told(player) => player.prepare(budget),
            Chooser::States(search) => {
                search.prepare_until(&self.belief.states()[0], budget, interrupt);
            }
        }
    }

    fn follow(&mut self, news: &News, until: Instant) -> Result<(), Lost> {
        match news {
            News::Nothing => Ok(()),
            News::Moves(moves) => {
                let before = self.belief.states()[0].clone();
                self.belief.make(moves)?;
                let told = self.overheard(&before, moves);
                self.told.extend(told);
                Ok(())
            }
            News::Percepts {
                turn,
                own,
                percepts,
            } => {
                let made = self.turns;
                match own {
                    _ if *turn > made + 1 || *turn < made => Err(Lost::Turn {
                        told: *turn,
                        expected: made + 1,
                    }),
                    Some(own) if *turn == made + 1 => {
                        self.turns += 1;
                        let told = Told::new(own.clone(), percepts.clone());
                        self.told.push(told.clone());
                        Ok(self.belief.see(told, Effort::until(until))?)
                    }
                    _ => Ok(()),
                }
            }
            News::Timed { .. } => Err(Lost::RealTime),
        }
    }

    fn choose(&mut self, time: Duration) -> Option<Chosen> {
        let states = self.belief.sample(MOST_SEARCHES);
        self.walker.jump(&states[0]);
        let legal = self.walker.legal().of(self.role).to_vec();
        let &first = legal.first()?;
        let decision = if self.walker.is_terminal() {
            None
        } else {
            let (budget, interrupt) = (Budget::time(time), AtomicBool::new(false));
            self.decide(&states, &legal, budget, &interrupt)
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
        if let Chooser::States(search) = &mut self.chooser
            && !self.walker.is_terminal()
        {
            search.ponder(state, interrupt);
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
