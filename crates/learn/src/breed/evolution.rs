//! Generations of games. (Kowalski 2016, section 4.3.5.)
//!
//! An [`Evolution`] is what is known between two generations, and can be written down; the same
//! seed means the same games on any number of threads.

use paidia_game::Chance;
use paidia_languages::board::BoardGame;
use serde::{Deserialize, Serialize};

use super::features::{FeatureTrial, Features};
use super::generate::{Bred, SETTINGS};
use super::pattern::Moves;
use super::playing::Contest;
use super::rapp::{Matrix, Rating, Trial};

/// What is set about an evolution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// What everything that is drawn comes from.
    pub seed: u64,
    /// Columns and rows.
    pub board: (u8, u8),
    /// Kinds of men beside king and pawn.
    pub kinds: usize,
    /// Which of the [`SETTINGS`] games are drawn by.
    pub setting: usize,
    /// Games of a generation; even.
    pub population: usize,
    /// The chance of each mutation of a child.
    pub mutation: f64,
    /// What games are judged by.
    pub judge: Judge,
    /// Plays of each pair of players, or of each kind of play.
    pub plays: u32,
    /// How deep players search.
    pub depth: i32,
    /// Positions that a play may take.
    pub nodes: u64,
}

/// What games are judged by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judge {
    /// How these players do against each other, beside how they do in a model.
    Profiles {
        /// The names of the profiles.
        players: Vec<String>,
        /// The scores that good games should have.
        model: Matrix,
    },
    /// The nine features.
    Features,
}

/// What is known about a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figures {
    /// By profiles.
    Rating(Rating),
    /// By features.
    Features(Features),
}

/// A game of a population.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The generation and place in which it was bred.
    pub born: (u32, usize),
    /// The game.
    pub game: Bred,
    /// What was found out about it.
    pub figures: Figures,
    /// How good it is.
    pub fitness: f64,
}

/// A population, and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evolution {
    /// What is set.
    pub plan: Plan,
    /// Generations that were bred; the first is drawn.
    pub generations: u32,
    /// The games, the best first.
    pub members: Vec<Member>,
    /// For each generation what it was like.
    pub history: Vec<Summary>,
}

/// What a generation is like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The best fitness.
    pub best: f64,
    /// The mean fitness.
    pub mean: f64,
    /// How many games are promising.
    pub promising: usize,
}

impl Member {
    /// A name for people: where it was bred.
    pub fn name(&self) -> String {
        format!("Bred {} {}", self.born.0, self.born.1)
    }

    /// Whether it is worth a look.
    pub fn is_promising(&self) -> bool {
        match &self.figures {
            Figures::Rating(rating) => rating.is_promising(),
            Figures::Features(features) => {
                features.playable > 0.0 && features.balance.abs() < 0.2 && features.skill > 0.9
            }
        }
    }

    /// What was found out, in sentences.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = vec![format!("Fitness {:.4}.", self.fitness)];
        remarks.push(match &self.figures {
            Figures::Rating(rating) => format!(
                "In {} plays: white {:.1} points, black {:.1}, {} draws, {} over within ten moves; \
                 {:.1} moves on average.",
                rating.plays, rating.white, rating.black, rating.draws, rating.short, rating.length
            ),
            Figures::Features(features) => format!(
                "Length {:.2}, longer {:.2}, width {:.2}, skill {:.2}, complexity {:.2}, balance \
                 {:+.2} and {:+.2}, reducible {:.3}.",
                features.length,
                features.longer,
                features.width,
                features.skill,
                features.complexity,
                features.balance,
                features.balance_random,
                features.reducible
            ),
        });
        remarks
    }
}

impl Plan {
    /// How profiles are tried; none where features are judged.
    fn trial(&self) -> Option<Trial> {
        let Judge::Profiles { players, .. } = &self.judge else {
            return None;
        };
        let players = players.iter().filter_map(|name| name.parse().ok());
        Some(Trial {
            players: players.collect(),
            plays: self.plays,
            contest: self.contest(),
        })
    }

    fn contest(&self) -> Contest {
        Contest {
            depth: self.depth,
            nodes: self.nodes,
        }
    }

    /// Judges a game; games that cannot be played are worth nothing.
    pub fn judged(&self, game: &Bred, seed: u64) -> Option<(Figures, f64)> {
        let made = BoardGame::new("bred", game.rules("bred").ok()?).ok()?;
        match (&self.judge, self.trial()) {
            (Judge::Profiles { model, .. }, Some(trial)) => {
                let rating = trial.rate(&made, seed).ok()?;
                let fitness = rating.fitness(model);
                Some((Figures::Rating(rating), fitness))
            }
            _ => {
                let trial = FeatureTrial {
                    plays: self.plays,
                    contest: self.contest(),
                    ..FeatureTrial::default()
                };
                let features = trial.rate(&made, seed).ok()?;
                Some((Figures::Features(features), features.fitness()))
            }
        }
    }

    /// A seed for a place of a generation, for one of several uses.
    fn seed(&self, generation: u32, place: usize, used: u64) -> u64 {
        let number = u64::from(generation) << 24 ^ (place as u64) << 4 ^ used;
        Chance::from_seed(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).bits()
    }

    fn chance(&self, generation: u32, place: usize) -> Chance {
        Chance::from_seed(self.seed(generation, place, 1))
    }

    /// The games that a generation adds.
    fn born(&self, generation: u32, parents: &[Member]) -> Vec<Bred> {
        let setting = &SETTINGS[self.setting.min(SETTINGS.len() - 1)];
        let pairs = self.population.div_ceil(2);
        let draw = |place| {
            let mut chance = self.chance(generation, place);
            Bred::draw_on(&mut chance, setting, self.board, self.kinds)
        };
        if parents.is_empty() {
            return (0..2 * pairs).map(draw).collect();
        }
        let mut games = Vec::new();
        for pair in 0..pairs {
            let mut chance = self.chance(generation, pair);
            let mut two = [0; 2].map(|_| parents[chosen(&mut chance, parents)].game.clone());
            let [one, other] = &mut two;
            one.cross(other, &mut chance);
            for mut game in two {
                game.mutate(&mut chance, self);
                games.push(game);
            }
        }
        games
    }
}

/// Draws a parent: the better, the likelier.
fn chosen(chance: &mut Chance, parents: &[Member]) -> usize {
    let weights: Vec<f64> = parents
        .iter()
        .map(|member| member.fitness.max(0.0))
        .collect();
    match weights.iter().sum::<f64>() > 0.0 {
        true => super::generate::draw(chance, &weights),
        false => chance.below(parents.len() as u32) as usize,
    }
}

impl Bred {
    /// Exchanges squares and moves with another game of the same size, each with a chance of one
    /// half. Kings stay where they are.
    pub fn cross(&mut self, other: &mut Bred, chance: &mut Chance) {
        let mut swaps = || chance.fraction() < 0.5;
        let swap = std::mem::swap::<bool>;
        for (one, other) in self.front.iter_mut().zip(&mut other.front) {
            if swaps() {
                swap(one, other);
            }
        }
        let (ours, theirs) = (self.others.len(), other.others.len());
        let is_known = |man: &Option<char>, kinds: usize| {
            man.is_none_or(|man| (man as usize) < usize::from(b'A') + kinds)
        };
        for (one, other) in self.back.iter_mut().zip(&mut other.back) {
            let may = *one != Some('K') && *other != Some('K');
            if swaps() && may && is_known(one, theirs) && is_known(other, ours) {
                std::mem::swap(one, other);
            }
        }
        let mut pairs: Vec<(&mut Moves, &mut Moves)> = vec![
            (&mut self.king, &mut other.king),
            (&mut self.pawn, &mut other.pawn),
        ];
        pairs.extend(self.others.iter_mut().zip(&mut other.others));
        for (one, other) in pairs {
            if swaps() {
                std::mem::swap(one, other);
            }
        }
    }

    /// With the chance of the plan each: draws the moves of a kind of men anew, and changes a
    /// square.
    fn mutate(&mut self, chance: &mut Chance, plan: &Plan) {
        let setting = &SETTINGS[plan.setting.min(SETTINGS.len() - 1)];
        let size = (self.width, self.height);
        if chance.fraction() < plan.mutation {
            match chance.below(self.others.len() as u32 + 2) {
                0 => self.king = setting.moves(chance, size, true),
                1 => self.pawn = setting.moves(chance, size, true),
                other => self.others[other as usize - 2] = setting.moves(chance, size, false),
            }
        }
        if chance.fraction() < plan.mutation {
            self.change_square(chance);
        }
    }

    fn change_square(&mut self, chance: &mut Chance) {
        let width = usize::from(self.width);
        let column = chance.below(u32::from(self.width)) as usize;
        if chance.below(2) == 0 {
            self.front[column] = !self.front[column];
        } else if self.back[column] == Some('K') {
            let other = (column + 1 + chance.below(width as u32 - 1) as usize) % width;
            self.back.swap(column, other);
        } else {
            let nothing = 1.0 / (self.others.len() + 1) as f64;
            self.back[column] = self.draw_man(chance, nothing);
        }
    }
}

impl Evolution {
    /// Nothing was bred yet.
    pub fn new(plan: Plan) -> Self {
        Self {
            plan,
            generations: 0,
            members: Vec::new(),
            history: Vec::new(),
        }
    }

    /// Breeds a generation. `told` is told each new game once it was judged, with its place, and
    /// says whether to go on. Returns the new games, those included that are not good enough to
    /// stay, or nothing where it was stopped: then nothing has changed.
    pub fn advance(
        &mut self,
        mut told: impl FnMut(usize, Option<&Member>) -> bool,
    ) -> Option<Vec<Member>> {
        let generation = self.generations;
        let games = self.plan.born(generation, &self.members);
        let mut born = Vec::new();
        for (place, game) in games.into_iter().enumerate() {
            let seed = self.plan.seed(generation, place, 2);
            let member = self
                .plan
                .judged(&game, seed)
                .map(|(figures, fitness)| Member {
                    born: (generation, place),
                    game,
                    figures,
                    fitness,
                });
            if !told(place, member.as_ref()) {
                return None;
            }
            born.extend(member);
        }
        self.members.extend(born.iter().cloned());
        self.members
            .sort_by(|one, other| other.fitness.total_cmp(&one.fitness));
        self.members.truncate(self.plan.population);
        self.generations += 1;
        self.history.push(self.summary());
        Some(born)
    }

    /// What the population is like.
    pub fn summary(&self) -> Summary {
        let count = self.members.len().max(1) as f64;
        Summary {
            best: self.members.first().map_or(0.0, |best| best.fitness),
            mean: self
                .members
                .iter()
                .map(|member| member.fitness)
                .sum::<f64>()
                / count,
            promising: self
                .members
                .iter()
                .filter(|member| member.is_promising())
                .count(),
        }
    }

    /// Judges the games of the population once more, with fresh seeds: the best were chosen for
    /// what they are and for luck.
    pub fn judged_again(&self) -> Vec<Option<(Figures, f64)>> {
        let again = self.members.iter().enumerate();
        again
            .map(|(place, member)| {
                let seed = self.plan.seed(self.generations, place, 3);
                self.plan.judged(&member.game, seed)
            })
            .collect()
    }
}
