//! What can be set about a tree search, and the sets of it that have names.

use super::advice::Advised;
use super::history::History;
use super::policy::Draw;
use super::rave::Rave;
use super::select::Selection;
use super::sufficiency::Sufficiency;
use crate::leaves::Decisive;
use crate::leaves::crew::Crewing;
use crate::nested::Nesting;

/// What a role wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// As high a goal as it can get.
    Own,
    /// In games of two, as much more than the other as it can get; otherwise its own goal.
    Difference,
}

/// How playouts choose moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Playouts {
    /// Every legal move is as likely.
    Uniform,
    /// Moves that did well anywhere are likelier, by each move's mean return (the history
    /// heuristic, MAST). Untried moves of the tree are chosen in the same way.
    Moves {
        /// How they are drawn; the thesis draws by Gibbs with temperature 10.
        draw: Draw,
        /// What is left of visits after a move was really made; 1 keeps them.
        decay: f64,
    },
    /// Moves that did well after the moves before them are likelier: N-grams of length one to three
    /// (NST).
    Sequences {
        /// How they are drawn; the paper is greedy and takes any with probability 0.2.
        draw: Draw,
        /// What is left of visits after a move was really made; 1 keeps them.
        decay: f64,
        /// How often a sequence of two or three must have been made to be asked; the paper has 7.
        least_visits: u32,
    },
    /// All roles move by a nested search.
    Nested(Nesting),
}

impl Playouts {
    /// How moves are drawn, if what is remembered counts.
    pub(super) fn draw(self) -> Option<Draw> {
        match self {
            Playouts::Uniform | Playouts::Nested(_) => None,
            Playouts::Moves { draw, .. } | Playouts::Sequences { draw, .. } => Some(draw),
        }
    }

    /// What is left of visits after a move was really made.
    pub(super) fn decay(self) -> f64 {
        match self {
            Playouts::Uniform | Playouts::Nested(_) => 1.0,
            Playouts::Moves { decay, .. } | Playouts::Sequences { decay, .. } => decay,
        }
    }

    /// The nested search by which all roles move, if so.
    pub(super) fn nesting(self) -> Option<Nesting> {
        match self {
            Playouts::Nested(nesting) => Some(nesting),
            _ => None,
        }
    }

    /// Means of moves, drawn by Gibbs with this temperature (MAST).
    pub fn moves(temperature: f64) -> Self {
        let draw = Draw::Gibbs { temperature };
        Playouts::Moves { draw, decay: 1.0 }
    }

    /// Means of sequences of moves, drawn as the paper does (NST).
    pub fn sequences() -> Self {
        Playouts::Sequences {
            draw: Draw::Greedy { epsilon: 0.2 },
            decay: 1.0,
            least_visits: 7,
        }
    }
}

/// In which states of the tree it is looked whether a move ends the game, for proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookahead {
    /// In those from which a playout ended with one move.
    Seen,
    /// In all that are visited again.
    Always,
}

/// Which move is made after the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The one with the highest mean return.
    BestValue,
    /// The one tried most often.
    MostVisits,
}

/// How the playouts from leaves are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// One playout from each leaf, before the next simulation begins.
    Scalar,
    /// Many playouts from each leaf, and several leaves at once, by a source of leaf playouts.
    /// Without a source, or with playouts that are not uniform, as [`Leaves::Scalar`].
    Batched {
        /// Playouts from each leaf.
        playouts: u32,
    },
    /// Playouts from each leaf, and several leaves at once, by a crew of threads that walk as the
    /// search does. With playouts that are not uniform, as [`Leaves::Scalar`].
    Crewed {
        /// Playouts from each leaf.
        playouts: u32,
        /// The crew that each searching thread has.
        crew: Crewing,
    },
}

impl Leaves {
    /// How many playouts are made from each leaf.
    pub fn playouts(self) -> u32 {
        match self {
            Leaves::Scalar => 1,
            Leaves::Batched { playouts } | Leaves::Crewed { playouts, .. } => playouts,
        }
    }
}

/// What threads share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallel {
    /// One tree.
    Tree,
    /// Nothing: each has a tree of its own, and what they found is added up in the end.
    Root,
}

/// Everything that can be set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How moves are chosen in the tree.
    pub selection: Selection,
    /// When a move is good enough to look no further.
    pub sufficiency: Sufficiency,
    /// How much it counts what came of moves elsewhere in the tree, if it does. Not with RAVE,
    /// which has its own.
    pub history: Option<History>,
    /// What is left of a return one step further from the end.
    pub discount: f64,
    /// What a role wants.
    pub returns: Returns,
    /// How playouts choose.
    pub playouts: Playouts,
    /// Whether all moves of a state of the tree that has an untried one take part where playouts'
    /// means draw; otherwise the untried ones alone. The thesis can be read both ways.
    pub draws_all: bool,
    /// Where advice is listened to, if there is some and anywhere.
    pub advice: Option<Advised>,
    /// How much an evaluation counts beside the playouts of a leaf, from 0 to 1, in games that
    /// have one; with 1 there are no playouts.
    pub evaluation: Option<f64>,
    /// Where it is looked whether a move ends the game.
    pub lookahead: Lookahead,
    /// Which moves playouts that are made many at once draw from.
    pub decisive: Decisive,
    /// Whether playouts that are made many at once draw moves by what came of them in the tree, and
    /// the lead that makes a move e times as likely.
    pub weights: Option<f64>,
    /// How playouts from leaves are made.
    pub leaves: Leaves,
    /// Which move is made.
    pub choice: Choice,
    /// Whether certain values are backed up as proofs.
    pub proofs: bool,
    /// Whether the tree is kept from move to move.
    pub keep_tree: bool,
    /// Whether it also searches where it has only one legal move, for the good of the tree it
    /// keeps.
    pub think_always: bool,
    /// Bytes that all trees together may take.
    pub memory: usize,
    /// Joint moves after which a playout is cut; its roles then get the middle of the goal range.
    pub playout_limit: u32,
    /// How many threads search; `None` is as many as there are processors, but one where a search
    /// must be repeatable, or has a crew.
    pub threads: Option<usize>,
    /// What they share.
    pub parallel: Parallel,
}

impl Settings {
    /// Whether a part of the search needs the moves of simulations.
    pub(super) fn wants_moves(&self) -> bool {
        self.playouts.draw().is_some() || self.rave().is_some()
    }

    /// Whether playouts draw every legal move as likely and their moves are not needed, so that an
    /// engine or worker can make them.
    pub(super) fn has_plain_playouts(&self) -> bool {
        let advised = self.advice.is_some_and(|advised| advised.playouts);
        !self.wants_moves() && !advised && self.playouts.nesting().is_none() && !self.is_static()
    }

    /// Whether leaves are judged by the evaluation alone.
    pub(super) fn is_static(&self) -> bool {
        self.evaluation.is_some_and(|weight| weight >= 1.0)
    }

    /// How moves are chosen with RAVE, if they are.
    pub(super) fn rave(&self) -> Option<Rave> {
        match self.selection {
            Selection::Rave(rave) => Some(rave),
            _ => None,
        }
    }

    /// CADIA-Player as the thesis describes it (CPuct).
    pub fn cadia() -> Self {
        Self {
            selection: Selection::Uct {
                exploration: 40.0,
                growth: 0.0,
            },
            sufficiency: Sufficiency::Never,
            history: None,
            discount: 0.99,
            returns: Returns::Difference,
            playouts: Playouts::Uniform,
            draws_all: false,
            advice: None,
            evaluation: None,
            lookahead: Lookahead::Seen,
            decisive: Decisive::No,
            weights: None,
            leaves: Leaves::Scalar,
            choice: Choice::BestValue,
            proofs: false,
            keep_tree: true,
            think_always: false,
            memory: 1 << 30,
            playout_limit: 10_000,
            threads: Some(1),
            parallel: Parallel::Tree,
        }
    }

    /// CADIA-Player with the history heuristic (CPimp).
    pub fn cadia_history() -> Self {
        Self {
            playouts: Playouts::moves(10.0),
            ..Self::cadia()
        }
    }

    /// Random choice in the tree, with the tree's memory (MCmem).
    pub fn monte_carlo_memory() -> Self {
        Self {
            selection: Selection::Random,
            ..Self::cadia()
        }
    }

    /// What Paidia plays with.
    pub fn paidia() -> Self {
        Self {
            selection: Selection::Uct {
                exploration: 25.0,
                growth: 1.0,
            },
            leaves: Leaves::Batched { playouts: 16 },
            history: Some(History { weight: 4.0 }),
            proofs: true,
            choice: Choice::MostVisits,
            threads: None,
            ..Self::cadia()
        }
    }
}
