//! What came out of positions, beside what the paper has.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Answer, Cell, Paper, Positions, Question};
use crate::statistics::{Estimate, Interval, Tally, mean_of, percent};
use crate::study::error::StudyError;
use crate::study::kernel::Experiment;
use crate::study::ledger::Ledger;
use crate::study::report::{NOTHING, bounds, number};
use crate::table::{TextTable, with_interval};
use crate::text::grouped;

/// What came out of a study of positions.
#[derive(Clone, Debug, Serialize)]
pub struct PositionFigures {
    /// The games, and which rules exactly they are.
    pub games: BTreeMap<String, String>,
    /// The players as the study calls them, and as the catalogue writes them.
    pub players: BTreeMap<String, String>,
    /// Searches that were made.
    pub made: usize,
    /// Searches that the scale wants.
    pub wanted: usize,
    /// The cells.
    pub cells: Vec<CellFigures>,
}

/// What came out of a cell.
#[derive(Clone, Debug, Serialize)]
pub struct CellFigures {
    /// The cell.
    pub name: String,
    /// Its group.
    pub group: String,
    /// The position.
    pub position: String,
    /// The player.
    pub player: String,
    /// Searches.
    pub searches: usize,
    /// How often the right move was chosen, in percent with a 95 % interval.
    pub right: Option<Estimate>,
    /// States visited by a search, on average, with a 95 % interval.
    pub states: Option<Estimate>,
    /// Seconds of a search, on average.
    pub seconds: f64,
    /// How often each move was chosen that was chosen at all, is right, or that the paper has.
    pub shares: Vec<Share>,
    /// What the paper has.
    pub paper: Paper,
}

/// How often a move was chosen.
#[derive(Clone, Debug, Serialize)]
pub struct Share {
    /// The move.
    pub text: String,
    /// Whether it is right.
    pub is_right: bool,
    /// In percent, with a 95 % interval.
    pub ours: Option<Estimate>,
    /// The paper's figure.
    pub paper: Option<f64>,
}

impl CellFigures {
    fn new(study: &Positions, cell: &Cell, answers: &[&Answer]) -> Result<Self, StudyError> {
        let right = &study.position(&cell.position)?.right;
        let listed = right.iter().chain(cell.paper.moves.keys());
        let mut counts: BTreeMap<&String, usize> = listed.map(|text| (text, 0)).collect();
        for answer in answers {
            *counts.entry(&answer.chosen).or_default() += 1;
        }
        let hits = answers
            .iter()
            .filter(|answer| right.contains(&answer.chosen));
        let states: Vec<f64> = answers.iter().map(|answer| answer.states as f64).collect();
        let seconds: f64 = answers.iter().map(|answer| answer.seconds).sum();
        let share = |(text, count): (&String, usize)| Share {
            text: text.clone(),
            is_right: right.contains(text),
            ours: frequency(count, answers.len()),
            paper: cell.paper.moves.get(text).copied(),
        };
        Ok(Self {
            name: cell.name.clone(),
            group: cell.group.clone(),
            position: cell.position.clone(),
            player: cell.player.clone(),
            searches: answers.len(),
            right: frequency(hits.count(), answers.len()),
            states: mean_of(&states, Interval::TwoSided95),
            seconds: seconds / answers.len().max(1) as f64,
            shares: counts.into_iter().map(share).collect(),
            paper: cell.paper.clone(),
        })
    }

    /// How often a move was chosen, in percent.
    pub(super) fn share_of(&self, text: &str) -> Option<Estimate> {
        let listed = self.shares.iter().find(|share| share.text == text);
        // A move that is not listed was not chosen.
        listed.map_or_else(|| frequency(0, self.searches), |share| share.ours)
    }

    /// How often a move was chosen, and how often by the paper's player.
    fn choice(&self, text: &str) -> String {
        let ours = self.share_of(text);
        let ours = ours.map_or_else(|| NOTHING.to_owned(), |ours| format!("{:.1}", ours.value));
        match self.paper.moves.get(text) {
            Some(paper) => format!("{ours} [{paper:.1}]"),
            None => ours,
        }
    }
}

impl PositionFigures {
    pub(super) fn new(
        study: &Positions,
        agenda: &[Question],
        ledger: &Ledger<Answer>,
    ) -> Result<Self, StudyError> {
        let known = ledger.by_fingerprint();
        let mut answers: BTreeMap<&String, Vec<&Answer>> = BTreeMap::new();
        for question in agenda {
            let own = answers.entry(&question.cell).or_default();
            own.extend(known.get(Positions::fingerprint(question).as_str()));
        }
        let cells = study.cells.iter();
        let cells = cells.filter_map(|cell| Some((cell, answers.get(&cell.name)?)));
        let cells = cells.map(|(cell, answers)| CellFigures::new(study, cell, answers));
        let cells: Vec<CellFigures> = cells.collect::<Result<_, _>>()?;
        Ok(Self {
            games: study.games.clone(),
            players: study.players.clone(),
            made: cells.iter().map(|cell| cell.searches).sum(),
            wanted: agenda.len(),
            cells,
        })
    }

    pub(super) fn tables(&self) -> Vec<TextTable<String>> {
        let positions: BTreeSet<&String> = self.cells.iter().map(|cell| &cell.position).collect();
        let choices = positions.into_iter().map(|position| self.choices(position));
        [self.overview()].into_iter().chain(choices).collect()
    }

    /// A row a cell: how often it was right, and what that cost.
    fn overview(&self) -> TextTable<String> {
        let states = |states: Option<f64>| {
            states.map_or_else(|| NOTHING.to_owned(), |states| grouped(states as u128))
        };
        let row = |cell: &CellFigures| {
            let right = cell.paper.right;
            vec![
                cell.name.clone(),
                cell.searches.to_string(),
                with_interval(cell.right),
                right.map_or_else(|| NOTHING.to_owned(), |right| format!("{right:.1}")),
                states(cell.states.map(|states| states.value)),
                states(cell.paper.states),
                match cell.searches {
                    0 => NOTHING.to_owned(),
                    _ => format!("{:.3}", cell.seconds),
                },
            ]
        };
        let head = [
            "cell", "searches", "right", "paper", "states", "paper", "seconds",
        ];
        TextTable {
            title: "Right moves in percent, with 95 % intervals, and means a search".to_owned(),
            head: head.map(str::to_owned).to_vec(),
            rows: self.cells.iter().map(row).collect(),
        }
    }

    /// A row a move of a position, a column a cell.
    fn choices(&self, position: &str) -> TextTable<String> {
        let cells = self.cells.iter().filter(|cell| cell.position == position);
        let cells: Vec<&CellFigures> = cells.collect();
        let shares = cells.iter().flat_map(|cell| &cell.shares);
        let moves: BTreeSet<(&String, bool)> =
            shares.map(|share| (&share.text, share.is_right)).collect();
        let row = |(text, is_right): (&String, bool)| {
            let name = format!("{text}{}", if is_right { " (right)" } else { "" });
            let choices = cells.iter().map(|cell| cell.choice(text));
            [name].into_iter().chain(choices).collect()
        };
        let names = cells.iter().map(|cell| cell.name.clone());
        TextTable {
            title: format!("{position}: moves chosen in percent, the paper's in brackets"),
            head: ["move".to_owned()].into_iter().chain(names).collect(),
            rows: moves.into_iter().map(row).collect(),
        }
    }

    pub(super) fn csv_rows(&self) -> Vec<Vec<String>> {
        let row = |cell: &CellFigures, share: &Share| {
            let texts = [&cell.name, &cell.group, &cell.position, &cell.player];
            let mut row: Vec<String> = texts.map(String::clone).to_vec();
            row.push(cell.searches.to_string());
            row.extend(bounds(cell.states, number));
            row.push(number(cell.paper.states));
            row.extend([share.text.clone(), share.is_right.to_string()]);
            row.extend(bounds(share.ours, number));
            row.push(number(share.paper));
            row
        };
        let cells = self.cells.iter();
        let rows = cells.flat_map(|cell| cell.shares.iter().map(move |share| row(cell, share)));
        rows.collect()
    }
}

/// How often something happened, in percent with its interval.
fn frequency(count: usize, of: usize) -> Option<Estimate> {
    let mut tally = Tally::default();
    (0..of).for_each(|number| tally.add(f64::from(u8::from(number < count))));
    tally.estimate(Interval::TwoSided95).map(percent)
}
