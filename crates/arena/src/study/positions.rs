//! Positions: how often a player chooses which move, how often that is right, and what it costs.
//!
//! A trial is one search in a position, by a player that has never seen it, from a seed of its own.

mod figures;

use std::collections::{BTreeMap, BTreeSet};

use paidia_search::Budget;
use serde::{Deserialize, Serialize};

pub use figures::{CellFigures, PositionFigures, Share};

use super::claims::{Claim, Finding, Quantifier, check_claims};
use super::error::StudyError;
use super::front::{
    Front, Run, Scale, bad, check_names, check_percent, check_players, check_told, player,
};
use super::kernel::{Bench, Contents, Equipment, Experiment, Summary};
use super::ledger::{Ledger, Record};
use super::report::{Report, games_and_players, percentages};
use crate::catalogue;
use crate::contest::{ContestGames, Place, Thinking, game_seed, hash};
use crate::spec::PlayerSpec;
use crate::statistics::Estimate;

/// A study of choices in positions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Positions {
    #[serde(flatten)]
    front: Front,
    /// The games, and which rules exactly they are.
    pub games: BTreeMap<String, String>,
    /// The players as the study calls them, and as the catalogue writes them.
    players: BTreeMap<String, String>,
    scales: BTreeMap<Scale, Searches>,
    positions: Vec<Position>,
    cells: Vec<Cell>,
    #[serde(default)]
    claims: Vec<Claim<About>>,
}

/// For each group of cells, how many searches a cell has; other groups have none.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Searches {
    searches: BTreeMap<String, u32>,
}

/// A position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Its name; no other position of the study has it.
    pub name: String,
    /// The game.
    pub game: String,
    /// The facts that hold; those at the start of the game if none are given.
    pub from: Option<String>,
    /// The moves made from there.
    pub after: Option<String>,
    /// The role that moves; the first that has a choice if none is named.
    pub role: Option<String>,
    /// The right moves.
    pub right: Vec<String>,
}

/// A player in a position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cell {
    name: String,
    group: String,
    position: String,
    player: String,
    states: Option<u64>,
    simulations: Option<u64>,
    #[serde(default)]
    paper: Paper,
}

/// What a paper found in a cell.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// How often the right move was chosen, in percent.
    pub right: Option<f64>,
    /// Half of the paper's interval of that, if it gives one.
    pub half_width: Option<f64>,
    /// States visited by a search, on average.
    pub states: Option<f64>,
    /// How often each move was chosen, in percent.
    #[serde(default)]
    pub moves: BTreeMap<String, f64>,
}

/// What claims are about: a figure of each of some cells, or of each divided by that of the next.
#[derive(Clone, Debug, Deserialize)]
pub struct About {
    figure: Figure,
    #[serde(rename = "move")]
    chosen: Option<String>,
    cells: Vec<String>,
    #[serde(default)]
    ratio: bool,
}

/// What can be claimed about: how often the right move was chosen or a certain one, in percent,
/// and states visited by a search, on average.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Figure {
    Right,
    Share,
    States,
}

/// A search to make.
#[derive(Clone, Debug)]
pub struct Question {
    cell: String,
    number: u32,
    game: String,
    position: String,
    place: Place,
    player: PlayerSpec,
    /// How much thinking it gets; as much as it wants if nothing is said.
    thinking: Option<Thinking>,
    seed: u64,
}

/// A search that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The cell it belongs to.
    pub cell: String,
    /// Its number in the cell.
    pub number: u32,
    /// The fingerprint of its question.
    pub question: String,
    /// The move that was chosen.
    pub chosen: String,
    /// What the player says that it is worth.
    pub value: f64,
    /// States visited.
    pub states: u64,
    /// Simulations made.
    pub simulations: u64,
    /// Seconds taken.
    pub seconds: f64,
}

impl Record for Answer {
    fn fingerprint(&self) -> &str {
        &self.question
    }
}

impl Position {
    fn place(&self) -> Place {
        Place {
            from: self.from.clone(),
            after: self.after.clone(),
            role: self.role.clone(),
        }
    }
}

impl Cell {
    fn thinking(&self) -> Option<Thinking> {
        let states = self.states.map(Thinking::States);
        states.or(self.simulations.map(Thinking::Simulations))
    }
}

impl Positions {
    /// The position of that name.
    ///
    /// # Errors
    /// If there is none.
    pub fn position(&self, name: &str) -> Result<&Position, StudyError> {
        let position = self.positions.iter().find(|position| position.name == name);
        position.ok_or_else(|| bad("positions", format!("there is no position `{name}`")))
    }

    fn check_cell(&self, cell: &Cell) -> Result<(), StudyError> {
        let place = format!("cell `{}`", cell.name);
        if self.position(&cell.position).is_err() {
            let problem = format!("there is no position `{}`", cell.position);
            return Err(bad(place, problem));
        }
        let player = player(&self.players, &cell.player)?;
        if cell.thinking().is_none() && !catalogue::ends_by_itself(&player) {
            let problem =
                format!("`{player}` would think for ever; give `states` or `simulations`");
            return Err(bad(place, problem));
        }
        if cell.states.is_some() && cell.simulations.is_some() {
            return Err(bad(place, "give `states` or `simulations`, not both"));
        }
        for &share in cell.paper.moves.values() {
            check_percent(&place, Some(share), None)?;
        }
        check_percent(&place, cell.paper.right, cell.paper.half_width)
    }

    fn check_claim(&self, claim: &Claim<About>) -> Result<(), StudyError> {
        let about = &claim.about;
        if (about.figure == Figure::Share) != about.chosen.is_some() {
            return Err(bad(claim.place(), "a `move` belongs to the figure `share`"));
        }
        let is_known = |name: &String| self.cells.iter().any(|cell| cell.name == *name);
        if let Some(unknown) = about.cells.iter().find(|name| !is_known(name)) {
            return Err(bad(claim.place(), format!("there is no cell `{unknown}`")));
        }
        match about.cells.len() > usize::from(about.ratio) {
            true => Ok(()),
            false => Err(bad(claim.place(), "it is about too few cells")),
        }
    }

    fn question(&self, cell: &Cell, number: u32, seed: u64) -> Result<Question, StudyError> {
        let position = self.position(&cell.position)?;
        Ok(Question {
            cell: cell.name.clone(),
            number,
            game: position.game.clone(),
            position: position.name.clone(),
            place: position.place(),
            player: player(&self.players, &cell.player)?,
            thinking: cell.thinking(),
            seed: game_seed(seed, &cell.name, number),
        })
    }
}

impl Experiment for Positions {
    const TRIALS: &'static str = "searches";
    const CELL: &'static str = "cell";

    type Trial = Question;
    type Record = Answer;
    type Ready = ContestGames;
    type Figures = PositionFigures;

    fn front(&self) -> &Front {
        &self.front
    }

    fn front_mut(&mut self) -> &mut Front {
        &mut self.front
    }

    fn contents(&self) -> Contents {
        Contents {
            games: self.games.keys().cloned().collect(),
            cells: self.cells.len(),
            claims: self.claims.len(),
            scales: self.scales.keys().copied().collect(),
        }
    }

    fn check(&self) -> Result<(), StudyError> {
        check_players(&self.players)?;
        check_names(
            "position",
            self.positions.iter().map(|position| &position.name),
        )?;
        for position in &self.positions {
            let place = format!("position `{}`", position.name);
            check_told(&place, "games", &self.games, &position.game)?;
        }
        check_names("cell", self.cells.iter().map(|cell| &cell.name))?;
        self.cells
            .iter()
            .try_for_each(|cell| self.check_cell(cell))?;
        let groups: BTreeSet<&String> = self.cells.iter().map(|cell| &cell.group).collect();
        let mut named = self.scales.values().flat_map(|scale| scale.searches.keys());
        if let Some(unknown) = named.find(|name| !groups.contains(name)) {
            return Err(bad("scales", format!("there is no group `{unknown}`")));
        }
        check_claims(&self.claims, |claim| self.check_claim(claim))
    }

    /// The first search of every cell, then the second of every cell, and so on.
    fn agenda(&self, run: Run) -> Result<Vec<Question>, StudyError> {
        let searches = &run.scale.of(&self.scales)?.searches;
        let count = |cell: &Cell| searches.get(&cell.group).copied().unwrap_or(0);
        let most = self.cells.iter().map(count).max().unwrap_or(0);
        let mut questions = Vec::new();
        for number in 0..most {
            for cell in self.cells.iter().filter(|cell| number < count(cell)) {
                questions.push(self.question(cell, number, run.seed)?);
            }
        }
        Ok(questions)
    }

    fn fingerprint(question: &Question) -> String {
        let Place { from, after, role } = &question.place;
        let text = format!(
            "{}\n{}\n{}\n{}\n{}\n{:?}\n{from:?}\n{after:?}\n{role:?}\n",
            question.cell,
            question.number,
            question.game,
            question.seed,
            question.player,
            question.thinking
        );
        format!("{:016x}", hash(text.as_bytes()))
    }

    /// Loads the games, and checks that positions can be reached and right moves made there.
    fn prepare(
        &self,
        missing: &[Question],
        equipment: &dyn Equipment,
    ) -> Result<ContestGames, StudyError> {
        let mut tables = ContestGames::new();
        let asked: BTreeSet<&String> = missing.iter().map(|question| &question.position).collect();
        for name in asked {
            let position = self.position(name)?;
            if !tables.contains_key(&position.game) {
                tables.insert(position.game.clone(), equipment.table(&position.game)?);
            }
            let moves = tables[&position.game].moves(&position.place());
            let moves = moves.map_err(|reason| StudyError::Position {
                position: name.clone(),
                reason,
            })?;
            if let Some(wrong) = position.right.iter().find(|text| !moves.contains(text)) {
                let problem = format!("`{wrong}` is no move there; those are {}", moves.join(" "));
                return Err(bad(format!("position `{name}`"), problem));
            }
        }
        Ok(tables)
    }

    fn make(
        &self,
        bench: &Bench<'_, Self>,
        lot: &[Question],
        add: &mut dyn FnMut(Answer) -> Result<(), StudyError>,
    ) -> Result<(), StudyError> {
        for question in lot {
            let table = &bench.ready[&question.game];
            let thinking = question.thinking;
            let budget = thinking.map_or_else(Budget::default, Thinking::budget);
            let chosen = table.choose(&question.place, &question.player, budget, question.seed);
            let chosen = chosen.map_err(|reason| StudyError::Position {
                position: question.position.clone(),
                reason,
            })?;
            add(Answer {
                cell: question.cell.clone(),
                number: question.number,
                question: Self::fingerprint(question),
                chosen: chosen.text,
                value: chosen.value,
                states: chosen.states,
                simulations: chosen.simulations,
                seconds: chosen.seconds,
            })?;
        }
        Ok(())
    }

    fn figures(&self, run: Run, ledger: &Ledger<Answer>) -> Result<PositionFigures, StudyError> {
        PositionFigures::new(self, &self.agenda(run)?, ledger)
    }

    fn remarks(&self, _: Run, _: &Ledger<Answer>) -> Vec<String> {
        Vec::new()
    }

    fn findings(&self, figures: &PositionFigures) -> Vec<Finding> {
        let judge = |claim: &Claim<About>| {
            let about = &claim.about;
            let estimate = |name: &String| -> Option<Estimate> {
                let cell = figures.cells.iter().find(|cell| cell.name == *name)?;
                match about.figure {
                    Figure::Right => cell.right,
                    Figure::States => cell.states,
                    Figure::Share => cell.share_of(about.chosen.as_deref()?),
                }
            };
            if !about.ratio {
                let parts = about.cells.iter();
                let parts = parts.map(|name| (name.clone(), estimate(name)));
                return claim.judge(Quantifier::All, parts);
            }
            let parts = about.cells.windows(2).map(|pair| {
                let both = estimate(&pair[0]).zip(estimate(&pair[1]));
                let ratio = both.and_then(|(one, other)| one.over(other));
                (format!("{} / {}", pair[0], pair[1]), ratio)
            });
            claim.judge(Quantifier::All, parts)
        };
        self.claims.iter().map(judge).collect()
    }

    fn is_blank(figures: &PositionFigures) -> bool {
        figures.made == 0
    }

    fn report(summary: &Summary<PositionFigures>) -> Report {
        let figures = &summary.figures;
        let rows = figures.cells.iter().map(|cell| {
            let half = cell.paper.half_width.unwrap_or(0.0);
            let paper = cell.paper.right.map(|right| (right, half));
            (&cell.name, cell.right, paper)
        });
        Report {
            standing: format!("{} of {} searches.", figures.made, figures.wanted),
            tables: figures.tables(),
            section: "What was asked",
            materials: games_and_players(&figures.games, &figures.players),
            shows: "How often the right move was chosen",
            plot: percentages("right moves in percent", rows),
            csv_head: "cell,group,position,player,searches,states,states_low,states_high,\
                       paper_states,move,is_right,share,low,high,paper",
            csv_rows: figures.csv_rows(),
            ..summary.begin_report()
        }
    }
}
