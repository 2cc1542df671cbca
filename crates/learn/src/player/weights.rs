//! What men are worth: each by itself, and by the square it stands on.

use paidia_languages::board::{Automaton, Content, EMPTY, Goal, Tables, TooComplex};

use crate::values::{Likelihood, WIN, values, words_by_square};

/// What men are worth to their owners, by content.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    squares: usize,
    /// For each content, what a man is worth anywhere.
    pub material: Vec<f64>,
    /// For each content and square, what is added there.
    pub place: Vec<f64>,
}

impl Weights {
    /// All men are worth the same, wherever they stand.
    pub fn alike(tables: &Tables, worth: f64) -> Self {
        let contents = tables.contents();
        let mut material = vec![worth; contents];
        material[..2].fill(0.0);
        Self {
            squares: tables.squares(),
            material,
            place: vec![0.0; contents * tables.squares()],
        }
    }

    /// By where men can go, without regard to goals.
    ///
    /// # Errors
    /// If a rule has no automaton that is small enough.
    pub fn of_moves(tables: &Tables) -> Result<Self, TooComplex> {
        let mut weights = Self::alike(tables, 0.0);
        for value in values(tables.rules())? {
            let Some(content) = tables.content_of(value.letter) else {
                continue;
            };
            weights.material[usize::from(content)] = value.mobility;
            for (square, worth) in value.squares.iter().enumerate() {
                *weights.at_mut(content, inner(tables, square)) = *worth;
            }
        }
        Ok(weights)
    }

    /// By where men can go and by the goals that are about them.
    ///
    /// # Errors
    /// If a rule has no automaton that is small enough.
    pub fn of_rules(tables: &Tables) -> Result<Self, TooComplex> {
        let mut weights = Self::of_moves(tables)?;
        weights.add_goals(tables)?;
        Ok(weights)
    }

    /// Adds what goals make men worth: a root of the value of a won game for each man that loses
    /// it when taken or wins it by arriving, and something for each move that brings a man nearer
    /// to a square where it wins.
    ///
    /// # Errors
    /// If a rule has no automaton that is small enough.
    pub fn add_goals(&mut self, tables: &Tables) -> Result<(), TooComplex> {
        let rules = tables.rules();
        for value in values(rules)? {
            if let Some(content) = tables.content_of(value.letter) {
                self.material[usize::from(content)] += value.goal;
            }
        }
        for goal in &rules.goals {
            let Goal::Reach { letter, squares } = goal else {
                continue;
            };
            let there = rules.start.iter();
            let there = there.filter(|man| man.character() as u8 == *letter).count();
            let (Some(content), true) = (tables.content_of(*letter), there > 0) else {
                continue;
            };
            let width = usize::from(rules.width);
            let ends: Vec<usize> = squares
                .iter()
                .map(|&(x, y)| usize::from(y) * width + usize::from(x))
                .collect();
            let worth = WIN.powf(1.0 / there as f64) / rules.start.len() as f64;
            self.add_ways(tables, content, &ends, worth)?;
        }
        Ok(())
    }

    /// Adds something for each move that leads a man nearer to one of some squares, as far as half
    /// the longer side of the board in moves.
    fn add_ways(
        &mut self,
        tables: &Tables,
        content: Content,
        ends: &[usize],
        worth: f64,
    ) -> Result<(), TooComplex> {
        let rules = tables.rules();
        let letter = tables.letter(content);
        let Some(piece) = rules.piece(letter.to_ascii_uppercase()) else {
            return Ok(());
        };
        let is_white = letter.is_ascii_uppercase();
        let automaton = Automaton::of(&piece.moves)?;
        let words = words_by_square(rules, &automaton, is_white, Likelihood::new(rules));
        let mut distance = vec![u32::MAX; words.len()];
        for &end in ends {
            distance[end] = 0;
            *self.at_mut(content, inner(tables, end)) += WIN;
        }
        let most = u32::from(rules.width.max(rules.height)) / 2;
        for round in 1..=most {
            for square in 0..words.len() {
                let nearer = words[square].iter();
                let nearer = nearer.filter(|&&(to, _)| distance[to] == round - 1);
                let sum: f64 = nearer.map(|&(_, likely)| likely).sum();
                if distance[square] == u32::MAX && sum > 0.0 {
                    distance[square] = round;
                    *self.at_mut(content, inner(tables, square)) += worth * sum;
                }
            }
        }
        Ok(())
    }

    /// What is added for a man on a square.
    pub fn at(&self, content: Content, square: u16) -> f64 {
        self.place[usize::from(content) * self.squares + usize::from(square)]
    }

    fn at_mut(&mut self, content: Content, square: u16) -> &mut f64 {
        &mut self.place[usize::from(content) * self.squares + usize::from(square)]
    }

    /// A typical worth of a man, which games without kings are decided by: the middle one among
    /// those of men at the start.
    pub fn typical(&self, tables: &Tables) -> f64 {
        let start = tables.rules().start.iter();
        let men = start.filter_map(|man| tables.content_of(man.character() as u8));
        let mut worth: Vec<f64> = men
            .filter(|&content| content != EMPTY)
            .map(|content| self.material[usize::from(content)])
            .collect();
        worth.sort_by(f64::total_cmp);
        worth.get(worth.len() / 2).copied().unwrap_or(1.0).max(1e-6)
    }
}

/// The number of a square in the tables, from its number row by row from the bottom.
fn inner(tables: &Tables, square: usize) -> u16 {
    let width = usize::from(tables.rules().width);
    let (x, y) = ((square % width) as u8, (square / width) as u8);
    tables.square(x, y).unwrap_or_default()
}
