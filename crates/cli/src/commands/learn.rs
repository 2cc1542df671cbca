//! `paidia learn`: rules of a board game from records of play.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use paidia_arena::record::MatchRecord;
use paidia_arena::rules::Ruleset;
use paidia_game::Rules;
use paidia_gdl::Source;
use paidia_languages::board::{self, Goal};
use paidia_learn::rules::{self, Check, Fraction, Method, Observations, Settings, learn_rules};

use crate::Verdict;

/// Learns the rules of a board game from records of play
#[derive(Args)]
#[command(after_help = "Examples:
  paidia learn plays.txt --to rules.sbg
  paidia learn plays.txt --goals-of real.sbg --to rules.sbg    goals are no part of moves and not learned
  paidia learn plays.txt --method rpni --check 0.8
  paidia learn plays.txt --check fast                          what was seen, and nothing else
  paidia learn match-1.json match-2.json --legal               from matches, as `paidia match --record` and the page keep them

A record has a line `ply N white` (or black) before each position, the rows of the board from the top, the number of
legal words, these words (`P 0 1 (0,1,e)`: letter, column, row, steps), and a line `played I`. Where the word played is
the only one known, the number is 1 and the line `played` is left out. Of a match the words that were played are taken
for known, or all legal ones with --legal.")]
pub(crate) struct Learn {
    /// Files with records of play or of matches, or `-` for standard input
    #[arg(required = true)]
    records: Vec<PathBuf>,

    /// Take all legal moves of the positions of matches for known, rather than those that were made
    #[arg(long)]
    legal: bool,

    /// Write the rules to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,

    /// How automata are made smaller
    #[arg(long, value_enum, default_value_t = MethodName::Spine)]
    method: MethodName,

    /// Which automata are allowed: `bjornsson`, `fast`, or the part of their words that must have
    /// been seen, such as 0.7
    #[arg(long, value_name = "CHECK", default_value = "0.7")]
    check: String,

    /// How far apart states may be that are made one; for spines, the longest word that repeats
    #[arg(long, value_name = "K", default_value_t = Settings::default().distance)]
    distance: usize,

    /// Learn from this number of plays only
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    plays: usize,

    /// Take the goals and the turn limit of these rules
    #[arg(long, value_name = "GAME")]
    goals_of: Option<String>,

    /// The name of the game
    #[arg(long, default_value = "Learned")]
    name: String,
}

/// The methods by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum MethodName {
    /// A search among automata
    Bjornsson,
    /// States are made one with earlier ones
    Rpni,
    /// Rides are closed to loops
    Spine,
}

/// The turn limit of learned rules where none is known.
const TURNS: u32 = 200;

/// Records larger than this are not read, in bytes.
const MAX_RECORDS: u64 = 1 << 30;

impl Learn {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let mut seen = Observations::default();
        for path in &self.records {
            let more = self.seen(path);
            let more = more.with_context(|| format!("cannot learn from {}", path.display()))?;
            if !seen.add(more) {
                bail!("{} is of another board than those before", path.display());
            }
        }
        let path = self.records[0].display();
        let (turns, goals) = self.goals()?;
        let learned = learn_rules(&self.name, &seen, self.settings()?, turns, goals);
        let rules = match learned {
            Ok(rules) => rules,
            Err(because) => bail!("cannot learn from {path}: {because}"),
        };
        let text = board::print(&rules);
        match &self.to {
            Some(to) => {
                fs::write(to, text).with_context(|| format!("cannot write {}", to.display()))?;
                let kinds = rules.pieces.len();
                let positions = seen.positions.len();
                writeln!(
                    out,
                    "{kinds} kinds of men from {positions} positions; play: paidia play {}",
                    to.display()
                )?;
            }
            None => out.write_all(text.as_bytes())?,
        }
        Ok(Verdict::Yes)
    }

    fn seen(&self, path: &Path) -> anyhow::Result<Observations> {
        let text = read(path)?;
        match text.trim_start().starts_with('{') {
            true => self.seen_of_match(&MatchRecord::parse(text.as_bytes())?),
            false => Ok(Observations::read(&text, None, self.plays)?),
        }
    }

    fn seen_of_match(&self, record: &MatchRecord) -> anyhow::Result<Observations> {
        let name = record.game_name.as_deref().unwrap_or("the match");
        let rules = match &record.game_rulesheet {
            Some(text) => Ruleset::from_text(name, text)?,
            None => Ruleset::find(name)?,
        };
        let game = rules.board();
        let game = game.with_context(|| format!("{name} is no simplified board game"))?;
        let mut moves = Vec::new();
        for (number, joint) in record.moves.iter().enumerate() {
            let text = joint.get(number % 2).map_or("", String::as_str);
            let id = game.moves().find(text);
            let chosen = id.and_then(|id| game.decoded(id));
            moves.push(chosen.with_context(|| format!("`{text}` is no move of {name}"))?);
        }
        rules::of_match(&game, &moves, self.legal).map_err(anyhow::Error::msg)
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let method = match self.method {
            MethodName::Bjornsson => Method::Bjornsson,
            MethodName::Rpni => Method::Rpni,
            MethodName::Spine => Method::Spine,
        };
        let check = match self.check.as_str() {
            "bjornsson" => Check::Bjornsson,
            "fast" => Check::Fast,
            part => Check::Fractional(part_of(part)?),
        };
        Ok(Settings {
            method,
            check,
            distance: self.distance,
            ..Settings::default()
        })
    }

    fn goals(&self) -> anyhow::Result<(u32, Vec<Goal>)> {
        let Some(game) = &self.goals_of else {
            return Ok((TURNS, Vec::new()));
        };
        let rules = Ruleset::find(game)?;
        let source = rules.source();
        let reading = board::read(&Source::new(&*source.name, &*source.text));
        if reading.has_errors() {
            bail!("{game} is no simplified board game; --goals-of takes a file .sbg");
        }
        Ok((reading.rules.turns, reading.rules.goals))
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let read = match path.to_str() {
        Some("-") => std::io::stdin()
            .lock()
            .take(MAX_RECORDS)
            .read_to_string(&mut text),
        _ => fs::File::open(path).and_then(|file| file.take(MAX_RECORDS).read_to_string(&mut text)),
    };
    let shown = path.display();
    read.with_context(|| format!("cannot read {shown}; records are text, not compressed"))?;
    Ok(text)
}

/// A decimal number above 0 and up to 1, as an exact fraction.
fn part_of(text: &str) -> anyhow::Result<Fraction> {
    let wrong = "--check takes `bjornsson`, `fast`, or a part above 0 and up to 1 such as 0.7";
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{decimals}");
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let of = digits
        .parse::<u32>()
        .ok()
        .filter(|_| is_number && decimals.len() <= 6);
    let among = 10u32.pow(decimals.len().min(6) as u32);
    match of {
        Some(of) if 0 < of && of <= among => Ok(Fraction { of, among }),
        _ => bail!("`{text}` is no check; {wrong}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Fraction, part_of};

    #[test]
    fn parts_are_exact() {
        assert_eq!(part_of("0.7").unwrap(), Fraction { of: 7, among: 10 });
        assert_eq!(part_of("0.95").unwrap(), Fraction { of: 95, among: 100 });
        assert_eq!(part_of("1").unwrap(), Fraction { of: 1, among: 1 });
        for wrong in ["0", "1.1", "x", "", "-1", "0.70000001", "+1"] {
            assert!(part_of(wrong).is_err(), "{wrong}");
        }
    }
}
