//! Boards without a declaration, found in the rules.
//!
//! Every kind of fluent is read as facts about squares, if it can be ([`reading`]). The reading
//! with the most to show becomes a board; others that name the same squares are drawn on it too, or
//! make a board of their own ([`overlay`]). Only where there is no board are facts along one line
//! drawn as a strip.

mod crossing;
mod hints;
mod named;
mod overlay;
mod reading;

use paidia_gdl::syntax::Sheet;
use paidia_library::Dress;

use crate::links::Links;
use crate::plan::{Layer, Plan, Squares, Style};
use crate::vocabulary::{Key, Occurrences, Vocabulary};
use hints::Hints;
use overlay::{Fate, fate};
use reading::{Known, Reading, Sort};

/// A kind of fluent that can be drawn, and how.
pub(crate) struct Candidate<'a> {
    key: &'a Key,
    kind: &'a Occurrences,
    reading: Reading,
}

/// The fewest squares of a strip that is shown; half of them must have facts.
const SHORTEST_STRIP: usize = 3;

/// The fewest facts about squares at once that make a board.
const SEVERAL: usize = 3;

/// Plans of the boards of a game.
pub(crate) fn plans(vocabulary: &Vocabulary, links: &Links, sheet: Option<&Sheet>) -> Vec<Plan> {
    let hints = sheet.map(Hints::new).unwrap_or_default();
    let known = Known {
        vocabulary,
        links,
        hints: &hints,
    };
    let mut candidates: Vec<Candidate<'_>> = vocabulary
        .fluents
        .iter()
        .filter(|(_, kind)| !kind.counts())
        .filter_map(|(key, kind)| {
            let reading = reading::read(key, kind, known)?;
            Some(Candidate { key, kind, reading })
        })
        .collect();
    // What is surest to be a board comes first, so that the rest can be drawn on it.
    candidates.sort_by_key(|candidate| {
        let facts = candidate.kind.most_facts();
        (candidate.reading.sort, std::cmp::Reverse(facts))
    });
    let mut plans: Vec<Plan> = Vec::new();
    for candidate in &candidates {
        if candidate.reading.sort == Sort::Strip && plans.iter().any(|plan| !is_strip(plan)) {
            continue;
        }
        match fate(candidate, &plans, vocabulary) {
            Fate::Beside => {}
            Fate::On(plan) => plans[plan].layers.push(candidate.layer()),
            Fate::Around(plan) => {
                plans[plan].squares = candidate.reading.squares.clone();
                plans[plan].layers.push(candidate.layer());
            }
            // One square among other boards is a remark, such as where the next move must be.
            Fate::Apart if candidate.is_remark() && !plans.is_empty() => {}
            Fate::Apart => {
                if candidate.is_board(links) && candidate.reading.squares.fits() {
                    plans.push(candidate.plan());
                }
            }
        }
    }
    plans
}

fn is_strip(plan: &Plan) -> bool {
    plan.squares.size().1 == 1
}

impl Candidate<'_> {
    fn layer(&self) -> Layer {
        Layer {
            fluent: self.key.0.clone(),
            arity: self.key.1,
            places: self.reading.places.clone(),
            content: self.reading.content.clone(),
            when: Vec::new(),
        }
    }

    fn plan(&self) -> Plan {
        Plan {
            name: self.key.0.clone(),
            squares: self.reading.squares.clone(),
            style: Style::default(),
            dress: Dress::default(),
            layers: vec![self.layer()],
        }
    }

    fn is_remark(&self) -> bool {
        self.reading.sort == Sort::Presence && self.kind.most_facts() < SEVERAL
    }

    /// Whether there is reason enough to draw a board for these facts alone.
    fn is_board(&self, links: &Links) -> bool {
        let facts = self.kind.most_facts();
        let linked = |place: &usize| links.moves(&(self.key.clone(), *place));
        match self.reading.sort {
            // Anything with a column, a row and something there: what is seen or what can be done
            // must be about it.
            Sort::Contents | Sort::Names => {
                facts >= SEVERAL
                    || self
                        .reading
                        .places
                        .iter()
                        .any(|place| !linked(place).is_empty())
            }
            // Two numbers are a square if there are many of them, or if one move names both.
            Sort::Presence => {
                let by_moves: Vec<_> = self.reading.places.iter().map(linked).collect();
                let together = by_moves.split_first().is_some_and(|(first, others)| {
                    first
                        .iter()
                        .any(|key| others.iter().all(|other| other.contains(key)))
                });
                facts >= SEVERAL || together
            }
            Sort::Strip => {
                let length = self.reading.squares.size().0;
                let covered = self.kind.seen(0, &self.reading.places).len();
                length >= SHORTEST_STRIP && covered >= SEVERAL && 2 * covered >= length
            }
        }
    }

    /// How many squares there are facts about in a state.
    fn covered(&self, state: usize) -> usize {
        self.kind.seen(state, &self.reading.places).len()
    }

    /// The values of the single parts of columns and rows.
    fn sides(&self) -> Option<(&[String], &[String])> {
        sides(&self.reading.squares)
    }
}

/// Columns and rows of boards that have no parts and no family.
fn sides(squares: &Squares) -> Option<(&[String], &[String])> {
    match squares {
        Squares::Crossed {
            columns,
            rows,
            boards: None,
        } => match (&columns[..], &rows[..]) {
            ([columns], [rows]) => Some((columns, rows)),
            _ => None,
        },
        _ => None,
    }
}
