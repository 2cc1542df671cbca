//! `paidia transcript`: a playthrough that people can read and tests can repeat.
//!
//! A transcript is a function of the game and the moves, so it is checked by making the same moves
//! again and comparing the whole text. Lists that are long are cut short but keep a checksum. Steps
//! in the middle of a long match tell the moves alone.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use paidia_arena::engine::load_in_time;
use paidia_arena::rules::Ruleset;
use paidia_game::{
    AnyGame, AnyWalker, Chance, Game, Goal, Information, Legible, MoveId, Rules, Walker,
};

use crate::draw::Artist;
use crate::engine::EngineChoice;
use crate::game_choice::GameChoice;
use crate::{Verdict, realtime, terminal, text};

/// Prints a playthrough that can be read and repeated
#[derive(Args)]
#[command(
    name = "transcript",
    after_help = "Examples:
  paidia transcript tic-tac-toe --seed 3 > playthrough.txt
  paidia transcript tic-tac-toe --verify playthrough.txt     make the same moves again and compare"
)]
pub(crate) struct TranscriptCommand {
    #[command(flatten)]
    game: GameChoice,

    #[command(flatten)]
    engine: EngineChoice,

    /// Where the random choices come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Cut the match after N joint moves
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    step_limit: usize,

    /// Check that the game still goes as this transcript says
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    verify: Option<PathBuf>,
}

/// How many steps are written in full; of later ones only the moves are.
const FULL_STEPS: usize = 30;

/// Longer lists of legal moves are cut short.
const MANY_MOVES: usize = 12;

/// Longer lists of facts are cut short.
const MANY_FACTS: usize = 40;

/// How much is left of a list that is cut short.
const KEPT: usize = 5;

/// Lines are wrapped here.
const WIDTH: usize = 110;

impl TranscriptCommand {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let rules = self.game.find()?;
        if rules.is_real_time() {
            return self.run_in_time(out, &rules);
        }
        let (game, _) = self.engine.load_game(&rules)?;
        let Some(path) = &self.verify else {
            let mut chance = Chance::from_seed(self.seed);
            let written = write_match(
                &rules,
                &game,
                self.seed,
                self.step_limit,
                &mut |walker, _| {
                    let mut joint = Vec::new();
                    let drawn = walker.legal().draw(&mut chance, &mut joint);
                    Ok(drawn.is_ok().then_some(joint))
                },
            )?;
            out.write_all(written.as_bytes())?;
            return Ok(Verdict::Yes);
        };
        let recorded = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let repeated =
            repeat(&rules, &game, &recorded).with_context(|| format!("in {}", path.display()))?;
        write_verdict(out, &recorded, &repeated)
    }
}

impl TranscriptCommand {
    /// The playthrough of rules in real time.
    fn run_in_time(&self, out: &mut dyn Write, rules: &Ruleset) -> anyhow::Result<Verdict> {
        let game = load_in_time(&self.engine.engine, rules, None)?;
        let Some(path) = &self.verify else {
            out.write_all(realtime::transcript(rules, &game, self.seed)?.as_bytes())?;
            return Ok(Verdict::Yes);
        };
        let recorded = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let repeated = realtime::repeat(rules, &game, &recorded)
            .with_context(|| format!("in {}", path.display()))?;
        write_verdict(out, &recorded, &repeated)
    }
}

/// The transcript that the moves of a transcript give now.
fn repeat(rules: &Ruleset, game: &AnyGame, recorded: &str) -> anyhow::Result<String> {
    let seed = recorded
        .lines()
        .find_map(|line| line.strip_prefix("seed: "));
    let seed = seed
        .and_then(|seed| seed.trim().parse().ok())
        .context("there is no line `seed: N`")?;
    let moves: Vec<&str> = recorded
        .lines()
        .filter_map(|line| line.strip_prefix("  moves  "))
        .collect();
    write_match(rules, game, seed, moves.len(), &mut |walker, step| {
        let parts = paidia_game::split(moves.get(step).copied().unwrap_or_default())?;
        if parts.len() != game.facts().roles.len() {
            bail!(
                "step {step} has {} moves for {} roles",
                parts.len(),
                game.facts().roles.len()
            );
        }
        let legal = walker.legal();
        let joint = game.facts().role_ids().zip(&parts).map(|(role, part)| {
            let id = game
                .moves()
                .find(part)
                .filter(|id| legal.of(role).contains(id));
            id.with_context(|| {
                format!(
                    "step {step}: `{part}` is not legal for {}",
                    game.facts().role_name(role)
                )
            })
        });
        joint.collect::<anyhow::Result<Vec<MoveId>>>().map(Some)
    })
}

/// Chooses the joint move of a step; `None` if there is none.
type Chooser<'a> = dyn FnMut(&mut AnyWalker, usize) -> anyhow::Result<Option<Vec<MoveId>>> + 'a;

fn write_match(
    rules: &Ruleset,
    game: &AnyGame,
    seed: u64,
    step_limit: usize,
    choose: &mut Chooser<'_>,
) -> anyhow::Result<String> {
    let mut scribe = Scribe::new(rules, game, seed);
    let mut walker = game.walker();
    for step in 0.. {
        let over = walker.is_terminal();
        if let Some(fault) = walker.fault() {
            bail!("step {step}: {fault}");
        }
        let stops = over || step == step_limit;
        let joint = if stops {
            None
        } else {
            choose(&mut walker, step)?
        };
        let _ = writeln!(scribe.text, "\nstep {step}");
        if step < FULL_STEPS || joint.is_none() {
            scribe.state(&mut walker);
        }
        let Some(joint) = joint else {
            scribe.end(&mut walker, over);
            break;
        };
        scribe.moves(&joint);
        walker.advance(&joint, &mut Chance::from_seed(0));
        scribe.percepts(&walker);
    }
    Ok(scribe.text)
}

/// Writes a transcript. Writing to a string cannot fail, so the results of `write!` are dropped.
struct Scribe<'a> {
    game: &'a AnyGame,
    artist: Artist,
    text: String,
}

impl<'a> Scribe<'a> {
    fn new(rules: &Ruleset, game: &'a AnyGame, seed: u64) -> Self {
        let artist = Artist::new(rules, game, false);
        let title = rules.title();
        let roles = game.facts().roles.join(" ");
        let text = format!(
            "game: {}\ntitle: {title}\nroles: {roles}\nseed: {seed}\n",
            rules.name()
        );
        Self { game, artist, text }
    }

    fn state(&mut self, walker: &mut AnyWalker) {
        let mut state = self.game.initial();
        walker.save(&mut state);
        let fluents = self.game.shown(&state);
        let drawing = self.artist.draw(&fluents);
        for line in &drawing.lines {
            let _ = writeln!(self.text, "  {line}");
        }
        if !drawing.rest.is_empty() {
            let facts: Vec<String> = drawing.rest.iter().map(|&fact| fact.to_owned()).collect();
            let _ = writeln!(self.text, "  facts  {}", listing(&facts, MANY_FACTS));
        }
        for (role, moves) in walker.legal().iter() {
            let names: Vec<String> = moves
                .iter()
                .map(|&id| self.game.moves().name(id).to_string())
                .collect();
            let role = self.game.facts().role_name(role);
            let _ = writeln!(
                self.text,
                "  legal  {role}: {}",
                listing(&names, MANY_MOVES)
            );
        }
    }

    fn moves(&mut self, joint: &[MoveId]) {
        let names: Vec<String> = joint
            .iter()
            .map(|&id| self.game.moves().name(id).to_string())
            .collect();
        let _ = writeln!(self.text, "  moves  {}", names.join(" "));
    }

    fn percepts(&mut self, walker: &AnyWalker) {
        if self.game.facts().information == Information::Perfect {
            return;
        }
        for role in self.game.facts().players() {
            let percepts = walker.percepts(role).iter();
            let names: Vec<String> = percepts
                .map(|&id| self.game.percepts().name(id).to_string())
                .collect();
            let role = self.game.facts().role_name(role);
            let _ = writeln!(
                self.text,
                "  sees   {role}: {}",
                listing(&names, MANY_MOVES)
            );
        }
    }

    fn end(&mut self, walker: &mut AnyWalker, over: bool) {
        if !over {
            self.text.push_str("  cut\n");
            return;
        }
        self.text.push_str("  terminal\n");
        for role in self.game.facts().role_ids() {
            let goal = match walker.goal(role) {
                Goal::One(value) => value.to_string(),
                Goal::None => "none".to_owned(),
                Goal::Several => "several".to_owned(),
            };
            let _ = writeln!(
                self.text,
                "  goal   {}: {goal}",
                self.game.facts().role_name(role)
            );
        }
    }
}

/// A list in wrapped lines; of a long one the beginning, the number of its members and a checksum
/// over all.
pub(crate) fn listing(items: &[String], many: usize) -> String {
    if items.len() <= many {
        return text::wrapped(items, WIDTH, 9);
    }
    let mut shown: Vec<String> = items[..KEPT].to_vec();
    shown.push(format!(
        "... {} in all, checksum {:08x}",
        items.len(),
        checksum(items)
    ));
    text::wrapped(&shown, WIDTH, 9)
}

/// FNV-1a over the texts and the ends between them.
fn checksum(items: &[String]) -> u32 {
    let bytes = items.iter().flat_map(|item| item.bytes().chain([b'\n']));
    bytes.fold(0x811c_9dc5, |sum: u32, byte| {
        (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

fn write_verdict(out: &mut dyn Write, recorded: &str, repeated: &str) -> anyhow::Result<Verdict> {
    if recorded == repeated {
        let good = terminal::GOOD;
        writeln!(out, "{good}the match goes as it is written{good:#}")?;
        return Ok(Verdict::Yes);
    }
    let (mut old, mut new) = (recorded.lines(), repeated.lines());
    for line in 1.. {
        let pair = (old.next(), new.next());
        if pair.0 != pair.1 || pair == (None, None) {
            writeln!(out, "line {line} differs")?;
            writeln!(out, "  written: {}", pair.0.unwrap_or("(the end)"))?;
            writeln!(out, "  now:     {}", pair.1.unwrap_or("(the end)"))?;
            break;
        }
    }
    Ok(Verdict::No)
}
