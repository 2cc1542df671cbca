//! What goes beyond plain UCT, looked up once a search, since it is asked in every simulation.

use super::history::History;
use super::policy::Draw;
use super::rave::Rave;
use super::settings::Settings;
use super::sufficiency::Sufficiency;

/// What goes beyond plain UCT.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extras {
    /// How moves are drawn by what is remembered of them.
    pub(super) draw: Option<Draw>,
    /// How moves are chosen by what came of them later.
    pub(super) rave: Option<Rave>,
    /// How much it counts what came of moves elsewhere in the tree.
    pub(super) history: Option<History>,
    /// Whether what comes of the moves of the tree is remembered.
    pub(super) learns_leads: bool,
    /// Whether advice is a first guess at what moves of the tree are worth.
    pub(super) is_advised: bool,
    /// Whether playouts draw moves by advice.
    pub(super) has_advised_playouts: bool,
    /// Whether returns are looked at to find which moves are good enough.
    pub(super) learns_what_suffices: bool,
    /// Whether a part of the search needs the moves of simulations.
    pub(super) wants_moves: bool,
    /// Whether there is nothing more to choosing a move in the tree than plain UCT.
    pub(super) chooses_plainly: bool,
}

impl Extras {
    pub(super) fn of(settings: &Settings) -> Self {
        let wants_moves = settings.wants_moves();
        let sufficiency = settings.sufficiency;
        let is_advised = settings.advice.is_some_and(|advised| advised.tree);
        Self {
            draw: settings.playouts.draw(),
            rave: settings.rave(),
            history: settings.history,
            learns_leads: settings.history.is_some() || settings.weights.is_some(),
            is_advised,
            has_advised_playouts: settings.advice.is_some_and(|advised| advised.playouts),
            learns_what_suffices: matches!(sufficiency, Sufficiency::Dynamic { .. }),
            chooses_plainly: !wants_moves
                && sufficiency == Sufficiency::Never
                && settings.history.is_none()
                && !is_advised,
            wants_moves,
        }
    }
}
