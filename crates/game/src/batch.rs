//! Many playouts at once, as a stream, so that no playout waits for the slowest.

use crate::ids::{Goal, RoleId};
use crate::playout::{Figures, Playout};

/// An engine that runs many uniformly random playouts side by side.
///
/// Every playout that is submitted is finished and reported, however long it takes: to take the
/// first to finish, or to drop those that are open when time is up, would favour short games.
pub trait BatchPlayouts {
    /// The states of the game, as the engine for single states has them.
    type State: ?Sized;

    /// Asks for playouts from a state; they are reported with the tag.
    fn submit(&mut self, from: &Self::State, tag: u32, playouts: u32);
    /// Makes that many steps, fewer if all playouts are finished before, and reports each playout
    /// that ends. Places that become free are filled with what was submitted and has not begun.
    fn run(&mut self, steps: u32, done: &mut dyn FnMut(BatchPlayout<'_>));
    /// The same, with all playouts added up.
    fn tally(&mut self, steps: u32, figures: &mut Figures) {
        self.run(steps, &mut |ended| {
            let goal = |role: RoleId| ended.goals.get(role.index()).copied();
            figures.add(ended.playout, |role| goal(role).unwrap_or(Goal::None));
        });
    }
    /// How many playouts were submitted and not yet reported.
    fn open(&self) -> u64;
    /// Forgets all playouts that were submitted and not yet reported.
    fn cancel(&mut self);
}

/// What came out of one playout of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchPlayout<'a> {
    /// What it was submitted with.
    pub tag: u32,
    /// Its length and why it ended.
    pub playout: Playout,
    /// The goals of all roles in its last state, in the order of the roles.
    pub goals: &'a [Goal],
}
