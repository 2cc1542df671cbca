//! The batch engine, led along recorded play: each recorded step in a lane of its own, other steps
//! in the other lanes.

use paidia_accel::{Batches, LANES, Lanes};
use paidia_game::LegalMoves;

use super::judge::{Judge, Mismatch};
use super::trace::Step;
use super::{BadTrace, Within};

/// Lanes are used in this order: every place of a word is used soon, and steps that follow each
/// other are not neighbours. Any odd number reaches every lane.
const STRIDE: usize = 37;

/// Checks the steps of one trace, up to [`LANES`] at a time.
pub(super) struct LaneChecker<'a> {
    game: &'a Batches,
    lanes: Lanes,
    judge: Judge<'a>,
    /// How many lots were checked.
    lots: usize,
    /// Where the last step of the lot before leads to: the playout, the step, and the state.
    reached: Option<(u64, u64, Vec<u64>)>,
}

impl<'a> LaneChecker<'a> {
    /// A checker for a trace whose lists by role are in the order of `roles`.
    ///
    /// # Errors
    /// If these are not the roles of the game.
    pub(super) fn new(game: &'a Batches, roles: &[String]) -> Result<Self, BadTrace> {
        Ok(Self {
            game,
            lanes: game.lanes(),
            judge: Judge::new(&game.ground().facts, &game.ground().moves, roles)?,
            lots: 0,
            reached: None,
        })
    }

    /// Compares what the engine says about recorded steps, and where their moves lead, with the
    /// record. There may be as many steps as lanes.
    ///
    /// # Errors
    /// If the record makes no sense.
    pub(super) fn check(&mut self, steps: &[Step]) -> Result<Vec<Mismatch>, BadTrace> {
        self.load(steps)?;
        self.lanes.evaluate();
        let mut moved = Vec::with_capacity(steps.len());
        for (place, step) in steps.iter().enumerate() {
            let told = self.compare(step, self.lane(place));
            moved.push(told.within(|| format!("line {}", step.line))?);
        }
        self.lanes.advance();
        for (place, step) in steps.iter().enumerate() {
            self.compare_start(step);
            self.reached = moved[place].then(|| {
                let state = self.lanes.state(self.lane(place));
                (step.playout, step.step.saturating_add(1), state)
            });
        }
        self.lots += 1;
        let mut found = self.judge.take();
        // Where moves lead to is known last, and told first.
        found.sort_by_key(|mismatch| (mismatch.playout, mismatch.step, mismatch.what != "state"));
        Ok(found)
    }

    /// The lane of a step by its place in the lot.
    fn lane(&self, place: usize) -> usize {
        (place * STRIDE + self.lots) % LANES
    }

    /// Puts the recorded states into lanes. Lanes that are left over get the same states once more.
    fn load(&mut self, steps: &[Step]) -> Result<(), BadTrace> {
        let states = steps.iter().map(|step| {
            let state = self.game.state(&step.state);
            state.within(|| format!("line {}", step.line))
        });
        let states: Vec<Vec<u64>> = states.collect::<Result<_, _>>()?;
        for (place, state) in states.iter().cycle().take(LANES).enumerate() {
            self.lanes.load(self.lane(place), state);
        }
        Ok(())
    }

    /// Compares what is said about a state, and has its lane make the recorded move; false if there
    /// is none.
    fn compare(&mut self, step: &Step, lane: usize) -> Result<bool, BadTrace> {
        let terminal = self.lanes.is_terminal(lane);
        let mut legal = LegalMoves::new();
        self.lanes.legal(lane, &mut legal);
        self.judge.compare_terminal(step, terminal);
        self.judge
            .compare_goals(step, |role| self.lanes.goal(lane, role))?;
        self.judge.compare_legal(step, &legal)?;
        let joint = self.judge.joint(step, &legal)?.filter(|_| !terminal);
        Ok(joint.is_some_and(|joint| self.lanes.choose(lane, &joint).is_ok()))
    }

    /// Compares a recorded state with the start of the game, or with where the step before leads
    /// to.
    fn compare_start(&mut self, step: &Step) {
        let state = match self.reached.take() {
            _ if step.step == 0 => self.game.initial(),
            Some((playout, number, state)) if (playout, number) == (step.playout, step.step) => {
                state
            }
            _ => return,
        };
        self.judge.compare_state(step, self.game.fluents(&state));
    }
}
