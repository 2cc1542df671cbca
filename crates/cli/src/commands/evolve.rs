//! `paidia evolve`: board games bred by programs that play them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use paidia_arena::rules::Ruleset;
use paidia_languages::board::BoardGame;
use paidia_learn::breed::evolution::{Evolution, Figures, Judge, Member, Plan};
use paidia_learn::breed::features::FeatureTrial;
use paidia_learn::breed::rapp::{self, Matrix, Rating, Trial, pairs};
use paidia_learn::breed::{Contest, Profile};
use serde::Serialize;

use super::write_json;
use crate::Verdict;
use crate::interrupt::on_interrupt;
use crate::terminal::Progress;

/// Breeds board games, or rates those that there are
#[derive(Args)]
#[command(after_help = "Examples:
  paidia evolve                                20 generations of ten games, in the folder `bred`
  paidia evolve --board 6x8 --seed 7           another board, another line
  paidia evolve --generations 40               goes on with what is in the folder
  paidia evolve --judge features               by what play looks like
  paidia evolve --rate gardner my-game.sbg     how good these games are by the same measure

Each game is played by simple programs that judge positions differently. A good game tells them apart as the six
games of the thesis do, gives both sides a chance, and does not end at once. Each promising game is written to
DIR/games as a rule file, with what was found out about it as comments: play it with
`paidia play`, or paste it into the editor of `paidia web`.
Ctrl-C ends it after the game at hand; the same command goes on.")]
pub(crate) struct Evolve {
    /// Rate these games, and breed none
    #[arg(long, value_name = "GAME", num_args = 1..)]
    rate: Vec<String>,

    /// The folder of what is bred
    #[arg(long, value_name = "DIR", default_value = "bred")]
    out: PathBuf,

    /// Columns and rows
    #[arg(long, value_name = "WxH", default_value = "7x7", value_parser = board)]
    board: (u8, u8),

    /// Kinds of men beside king and pawn
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=5))]
    kinds: u8,

    /// By which of four settings moves of men are drawn
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    setting: u8,

    /// Games of a generation
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..=1000))]
    population: u16,

    /// Generations, those that are there included
    #[arg(long, value_name = "N", default_value_t = 20)]
    generations: u32,

    /// The chance of each change of a new game, from 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    mutation: f64,

    /// What makes a game good
    #[arg(long, value_enum, default_value_t = JudgeName::Profiles)]
    judge: JudgeName,

    /// The programs that play: C (all men are worth the same) or W (what they can reach), with G
    /// (goals), C (control), M (mobility)
    #[arg(
        long,
        value_name = "NAMES",
        default_value = "C,CG,WGM,WGC",
        value_delimiter = ','
    )]
    players: Vec<String>,

    /// Plays of each two programs
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    plays: u32,

    /// How deep they search
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(i32).range(1..=6))]
    depth: i32,

    /// What everything that is drawn comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Judge the last games once more with fresh plays: they were chosen for luck, too
    #[arg(long)]
    again: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What makes a game good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum JudgeName {
    /// How programs do against each other
    Profiles,
    /// Nine features of play
    Features,
}

/// What is told in the end.
#[derive(Serialize)]
struct Report {
    generations: u32,
    best: f64,
    mean: f64,
    promising: usize,
    games: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_again: Option<f64>,
}

/// A game of the population.
#[derive(Serialize)]
struct Row {
    game: String,
    fitness: f64,
    promising: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    again: Option<f64>,
}

fn board(text: &str) -> Result<(u8, u8), String> {
    let (width, height) = text
        .split_once('x')
        .ok_or("write columns and rows as `7x7`")?;
    let side = |text: &str| {
        text.parse::<u8>()
            .ok()
            .filter(|side| (5..=12).contains(side))
    };
    match (side(width), side(height)) {
        (Some(width), Some(height)) => Ok((width, height)),
        _ => Err("boards have from 5 to 12 columns and rows".to_owned()),
    }
}

impl Evolve {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        if !(0.0..=1.0).contains(&self.mutation) {
            bail!("the chance of a change is from 0 to 1");
        }
        if self.players.len() < 2 {
            bail!("at least two programs play each other");
        }
        self.profiles()?;
        match self.rate.is_empty() {
            true => self.breed(out),
            false => self.rate(out),
        }
    }

    fn profiles(&self) -> anyhow::Result<Vec<Profile>> {
        let read = |name: &String| name.parse::<Profile>().map_err(anyhow::Error::msg);
        self.players.iter().map(read).collect()
    }

    fn contest(&self) -> Contest {
        Contest {
            depth: self.depth,
            ..Contest::default()
        }
    }

    fn trial(&self) -> anyhow::Result<Trial> {
        Ok(Trial {
            players: self.profiles()?,
            plays: self.plays,
            contest: self.contest(),
        })
    }

    /// The mean scores in the games of the model.
    fn model(&self) -> anyhow::Result<Matrix> {
        let mut progress = Progress::new(Some(rapp::MODEL.len() as u64), "games of the model");
        let trial = self.trial()?;
        let mut matrices = Vec::new();
        for (place, name) in rapp::MODEL.iter().enumerate() {
            matrices.push(trial.rate(&game(name)?, self.seed)?.matrix);
            progress.set(place as u64 + 1);
        }
        Matrix::mean_of(&matrices).context("the model has no games")
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let judge = match self.judge {
            JudgeName::Features => Judge::Features,
            JudgeName::Profiles => Judge::Profiles {
                players: self.players.clone(),
                model: self.model()?,
            },
        };
        Ok(Plan {
            seed: self.seed,
            board: self.board,
            kinds: usize::from(self.kinds),
            setting: usize::from(self.setting) - 1,
            population: usize::from(self.population),
            mutation: self.mutation,
            judge,
            plays: self.plays,
            depth: self.depth,
            nodes: Contest::default().nodes,
        })
    }

    /// What is in the folder, or else a beginning.
    fn evolution(&self) -> anyhow::Result<Evolution> {
        let file = self.out.join(FILE);
        if !file.is_file() {
            return Ok(Evolution::new(self.plan()?));
        }
        let text = fs::read_to_string(&file);
        let text = text.with_context(|| format!("cannot read {}", file.display()))?;
        let known: Evolution = serde_json::from_str(&text).with_context(|| {
            format!(
                "{} is damaged; name another folder with --out",
                file.display()
            )
        })?;
        let judge = match known.plan.judge {
            Judge::Features => JudgeName::Features,
            Judge::Profiles { .. } => JudgeName::Profiles,
        };
        let plan = &known.plan;
        if plan.seed != self.seed || plan.board != self.board || judge != self.judge {
            bail!(
                "{} holds another evolution: seed {}, board {}x{}; name another folder with --out, \
                 or give the same options to go on with it",
                self.out.display(),
                plan.seed,
                plan.board.0,
                plan.board.1
            );
        }
        Ok(known)
    }

    fn breed(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let games = self.out.join("games");
        fs::create_dir_all(&games).with_context(|| format!("cannot make {}", games.display()))?;
        let mut evolution = self.evolution()?;
        let interrupt = on_interrupt("the game at hand is finished; the same command goes on")?;
        let size = evolution.plan.population as u64;
        while evolution.generations < self.generations {
            let mut progress = Progress::new(Some(size), "games of the generation");
            let born = evolution.advance(|place, _| {
                progress.set(place as u64 + 1);
                !interrupt.load(Ordering::Relaxed)
            });
            drop(progress);
            let Some(born) = born else {
                return Ok(Verdict::Interrupted);
            };
            self.write(&evolution, &born)?;
            if !self.json {
                let summary = evolution.summary();
                writeln!(
                    out,
                    "generation {:3}  best {:.4}  mean {:.4}  promising {} of {}",
                    evolution.generations,
                    summary.best,
                    summary.mean,
                    summary.promising,
                    evolution.members.len()
                )?;
                out.flush()?;
            }
        }
        let again = match self.again {
            true => evolution.judged_again(),
            false => Vec::new(),
        };
        let again: Vec<Option<f64>> = again.into_iter().map(|found| Some(found?.1)).collect();
        self.report(&evolution, &again, out)?;
        Ok(Verdict::Yes)
    }

    /// Writes what there is, so that it can be gone on with, and the promising among new games.
    fn write(&self, evolution: &Evolution, born: &[Member]) -> anyhow::Result<()> {
        let text = serde_json::to_string(evolution)?;
        let (file, fresh) = (self.out.join(FILE), self.out.join("evolution.json.new"));
        let written = fs::write(&fresh, text).and_then(|()| fs::rename(&fresh, &file));
        written.with_context(|| format!("cannot write {}", file.display()))?;
        for member in born.iter().filter(|member| member.is_promising()) {
            let file = self.file(member);
            let text = member.game.text(&member.name(), &member.remarks());
            fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok(())
    }

    /// The rule file of a game: the best come first in the order of names, backwards.
    fn file(&self, member: &Member) -> PathBuf {
        let (generation, place) = member.born;
        let fitness = (member.fitness.clamp(0.0, 0.9999) * 1e4) as u32;
        let name = format!("{fitness:04}-bred-{generation}-{place}.sbg");
        self.out.join("games").join(name)
    }

    fn report(
        &self,
        evolution: &Evolution,
        again: &[Option<f64>],
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let rows = evolution
            .members
            .iter()
            .enumerate()
            .map(|(place, member)| Row {
                game: shown(&self.file(member)),
                fitness: member.fitness,
                promising: member.is_promising(),
                again: again.get(place).copied().flatten(),
            });
        let rows: Vec<Row> = rows.collect();
        let summary = evolution.summary();
        let known: Vec<f64> = rows.iter().filter_map(|row| row.again).collect();
        let mean_again = known.iter().sum::<f64>() / known.len().max(1) as f64;
        let report = Report {
            generations: evolution.generations,
            best: summary.best,
            mean: summary.mean,
            promising: summary.promising,
            games: rows,
            mean_again: (!known.is_empty()).then_some(mean_again),
        };
        if self.json {
            return write_json(out, &report);
        }
        for row in &report.games {
            let again = row.again.map(|again| format!("  again {again:.4}"));
            let mark = if row.promising { "" } else { "  not promising" };
            let again = again.unwrap_or_default();
            writeln!(out, "{:.4}{again}  {}{mark}", row.fitness, row.game)?;
        }
        if let Some(mean) = report.mean_again {
            writeln!(out, "mean {:.4}, judged again {mean:.4}", report.mean)?;
        }
        Ok(())
    }

    fn rate(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let model = match self.judge {
            JudgeName::Profiles => Some(self.model()?),
            JudgeName::Features => None,
        };
        let mut rows = Vec::new();
        for name in &self.rate {
            let game = game(name)?;
            let (figures, fitness) = match &model {
                Some(model) => {
                    let rating = self.trial()?.rate(&game, self.seed)?;
                    let fitness = rating.fitness(model);
                    (Figures::Rating(rating), fitness)
                }
                None => {
                    let trial = FeatureTrial {
                        plays: self.plays,
                        contest: self.contest(),
                        ..FeatureTrial::default()
                    };
                    let features = trial.rate(&game, self.seed)?;
                    (Figures::Features(features), features.fitness())
                }
            };
            if !self.json {
                writeln!(out, "{fitness:.4}  {name}")?;
                if let Figures::Rating(rating) = &figures {
                    self.scores(rating, out)?;
                }
            }
            rows.push(Rated {
                game: name.clone(),
                fitness,
                figures,
            });
        }
        if self.json {
            write_json(out, &rows)?;
        }
        Ok(Verdict::Yes)
    }

    fn scores(&self, rating: &Rating, out: &mut dyn Write) -> anyhow::Result<()> {
        let imbalance = 100.0 * rating.imbalance();
        let short = 100.0 * rating.quick();
        writeln!(
            out,
            "    one colour ahead by {imbalance:.1} %, {short:.1} % short, {:.1} moves on average",
            rating.length
        )?;
        for (one, other) in pairs(self.players.len()) {
            let score = 100.0 * rating.matrix.score(one, other);
            let [one, other] = [one, other].map(|player| &self.players[player]);
            writeln!(out, "    {one} against {other}: {score:.1} %")?;
        }
        Ok(())
    }
}

/// A game with what was found out about it.
#[derive(Serialize)]
struct Rated {
    game: String,
    fitness: f64,
    figures: Figures,
}

/// Where an evolution is kept in its folder.
const FILE: &str = "evolution.json";

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn game(name: &str) -> anyhow::Result<BoardGame> {
    let rules = Ruleset::find(name)?;
    rules.board().with_context(|| {
        format!("{name} is no simplified board game (.sbg), which alone can be rated")
    })
}
