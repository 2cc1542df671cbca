//! Engines that go from state to state.

use paidia_game::{Chance, Game, Legible, MoveId, RoleId, Walker};

use super::contender::{Contender, Count, Job, Position, Work};
use super::minimax::Minimax;
use super::stopwatch::Stopwatch;

/// A playout that takes this many times its time is given up: its states count, it does not.
const PATIENCE: f64 = 3.0;

/// Fixed effort may take this many times the time of other measurements.
const COUNTING_PATIENCE: f64 = 200.0;

/// An engine that goes from state to state, with the positions that were made ready.
pub struct Walking<G: Game + Legible> {
    game: G,
    positions: Vec<G::State>,
}

impl<G: Game + Legible> Walking<G> {
    /// An engine with its game.
    pub fn new(game: G) -> Self {
        Self {
            positions: vec![game.initial()],
            game,
        }
    }

    fn playouts(&self, job: &Job) -> Result<Count, String> {
        let share = job.seconds / job.positions.len() as f64;
        let mut chance = Chance::from_seed(job.seed);
        let mut player = Player {
            walker: self.game.walker(),
            joint: Vec::new(),
            roles: self.game.facts().roles.len() as u16,
            step_limit: job.step_limit,
        };
        let mut count = Count::default();
        for start in &self.positions[job.positions.clone()] {
            let mut watch = Stopwatch::start();
            while watch.seen() < share && !count.cut {
                player.walker.jump(start);
                player.play(&mut chance, &mut watch, share * PATIENCE, &mut count)?;
            }
            count.cpu += watch.elapsed();
            if count.cut {
                break;
            }
        }
        Ok(count)
    }

    fn minimax(&self, job: &Job) -> Result<Count, String> {
        let share = job.seconds / job.positions.len() as f64;
        let mut search = Minimax::new(&self.game);
        let mut count = Count::default();
        for start in &self.positions[job.positions.clone()] {
            let watch = search.deepen(start, share)?;
            count.cpu += watch;
        }
        count.states = search.states();
        Ok(count)
    }

    fn nodes(&self, job: &Job, depth: u32) -> Result<Count, String> {
        let limit = job.seconds * COUNTING_PATIENCE;
        let mut search = Minimax::new(&self.game);
        let mut count = Count::default();
        for start in &self.positions[job.positions.clone()] {
            count.cpu += search.count(start, depth, limit)?;
        }
        count.states = search.states();
        Ok(count)
    }
}

impl<G: Game + Legible> Contender for Walking<G> {
    fn prepare(&mut self, positions: &[Position]) -> Result<(), String> {
        self.positions = states(&self.game, positions)?;
        Ok(())
    }

    fn measure(&mut self, job: &Job) -> Result<Count, String> {
        match job.work {
            Work::Playouts => self.playouts(job),
            Work::Minimax => self.minimax(job),
            Work::Nodes(depth) => self.nodes(job, depth),
        }
    }

    fn record(&mut self, seed: u64, step_limit: u32) -> Result<Vec<Position>, String> {
        let mut walker = self.game.walker();
        let mut chance = Chance::from_seed(seed);
        let (mut joint, mut states) = (Vec::new(), Vec::new());
        let mut state = self.game.initial();
        while !walker.is_terminal() && states.len() < step_limit as usize {
            walker.save(&mut state);
            states.push(Position::Fluents(self.game.fluents(&state)));
            let drawn = walker.draw(&mut chance, &mut joint);
            drawn.map_err(|role| stuck(&walker, role))?;
            walker.advance(&joint, &mut chance);
        }
        match walker.fault() {
            Some(fault) => Err(fault.to_string()),
            None => Ok(states),
        }
    }
}

/// The states that the positions are for a game.
pub(super) fn states<G: Game + Legible>(
    game: &G,
    positions: &[Position],
) -> Result<Vec<G::State>, String> {
    let state = |position: &Position| match position {
        Position::Initial => Ok(game.initial()),
        Position::Fluents(fluents) => {
            let fluents: Vec<&str> = fluents.iter().map(String::as_str).collect();
            let state = game.state(&fluents);
            state.map_err(|unknown| unknown.to_string())
        }
    };
    positions.iter().map(state).collect()
}

/// Random playouts, with their memory.
struct Player<W> {
    walker: W,
    joint: Vec<MoveId>,
    roles: u16,
    step_limit: u32,
}

impl<W: Walker> Player<W> {
    /// Plays from where the walker stands, and counts it.
    fn play(
        &mut self,
        chance: &mut Chance,
        watch: &mut Stopwatch,
        limit: f64,
        count: &mut Count,
    ) -> Result<(), String> {
        let mut steps = 0;
        while !self.walker.is_terminal() && steps < self.step_limit {
            let drawn = self.walker.draw(chance, &mut self.joint);
            drawn.map_err(|role| stuck(&self.walker, role))?;
            self.walker.advance(&self.joint, chance);
            steps += 1;
            watch.tick();
            if watch.seen() > limit {
                count.states += u64::from(steps);
                count.cut = true;
                return Ok(());
            }
        }
        if let Some(fault) = self.walker.fault() {
            return Err(fault.to_string());
        }
        if steps < self.step_limit {
            // They are not used, but a search asks for them, so that their cost counts.
            (0..self.roles).for_each(|role| {
                std::hint::black_box(self.walker.goal(RoleId(role)));
            });
        }
        count.states += u64::from(steps);
        count.playouts += 1;
        // A game that is over at once must not go on for ever.
        watch.tick();
        Ok(())
    }
}

/// Why the playout cannot go on.
fn stuck<W: Walker>(walker: &W, role: RoleId) -> String {
    walker.fault().map_or_else(
        || format!("the role number {} has no legal move", role.0 + 1),
        ToString::to_string,
    )
}
