//! `paidia tune`: constants of a player for one game.

use std::io::Write;
use std::num::{NonZeroU32, NonZeroU64};

use anyhow::{Context, bail};
use clap::Args;
use paidia_arena::PlayerSpec;
use paidia_arena::study::{self, Run, Scale};

use super::study::{Conduct, conduct};
use crate::Verdict;

/// Candidates that are tried at most.
const MOST: usize = 256;

/// Finds the constants with which a player plays a game of two best
#[derive(Args)]
#[command(after_help = "Examples:
  paidia tune connect-four --try exploration=10,20,40,80
  paidia tune hex@7 --player 'uct(playouts=mast)' --try temperature=5,10,20 --try decay=0.4,1 --seconds 0.1
  paidia tune corpus:checkersSmall --player paidia --try exploration=15,25,40 --rounds 8,16,32,64 --games 400

Every combination of the values meets the player as it is. In the first round each plays equally many games, the better half plays on in
the next, and so on (successive halving). The one that is left then plays new games against the player as it is: its result there is
what it is worth, since of many candidates the best of the rounds is better there than it really is. A claim that holds says that it
is certainly stronger.

Games are kept in DIR and continued as those of `paidia study`. Settings that were tuned on a game are for that game.")]
pub(crate) struct Tune {
    /// The game, of two players
    game: String,

    /// The player as it is
    #[arg(long, value_name = "PLAYER", default_value = "uct")]
    player: PlayerSpec,

    /// An option of the player and the values to try, such as exploration=10,20,40; may be repeated
    #[arg(long = "try", value_name = "OPTION=VALUES", required = true)]
    values: Vec<String>,

    /// Simulations a move
    #[arg(
        long,
        value_name = "N",
        default_value = "1000",
        conflicts_with = "seconds"
    )]
    simulations: NonZeroU64,

    /// Seconds a move, instead of simulations
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,

    /// Games that a candidate plays in each round, even numbers
    #[arg(
        long,
        value_name = "GAMES",
        value_delimiter = ',',
        default_value = "8,16,32"
    )]
    rounds: Vec<NonZeroU32>,

    /// Games of the best candidate after the rounds, an even number
    #[arg(long, value_name = "N", default_value = "100")]
    games: NonZeroU32,

    #[command(flatten)]
    conduct: Conduct,
}

impl Tune {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        if self.rounds.iter().any(|games| games.get() % 2 == 1) {
            bail!(
                "the games of a round are shared by two orders of the players; give even numbers"
            );
        }
        let candidates = self.candidates()?;
        let study = self.study(&candidates)?;
        let name = format!("tune-{}", file_name(&self.game));
        let study = study::read(&name, &study)?;
        let scale = Scale::Quick;
        let run = Run {
            scale,
            seed: self.conduct.seed,
        };
        conduct(&*study, run, &self.conduct, out)
    }

    /// The player with each combination of the values.
    fn candidates(&self) -> anyhow::Result<Vec<PlayerSpec>> {
        let mut candidates = vec![self.player.clone()];
        for written in &self.values {
            let (option, values) = written
                .split_once('=')
                .with_context(|| format!("`{written}` is not OPTION=VALUE,VALUE,..."))?;
            let mut more = Vec::new();
            for candidate in &candidates {
                for value in values.split(',') {
                    more.push(candidate.with(option.trim(), value.trim())?);
                }
            }
            candidates = more;
            if candidates.len() > MOST {
                bail!("these are more than {MOST} combinations; try fewer values");
            }
        }
        Ok(candidates)
    }

    /// The study that tries them, as TOML.
    fn study(&self, candidates: &[PlayerSpec]) -> anyhow::Result<String> {
        let quoted = |text: &str| serde_json::to_string(text);
        let base = self.player.to_string();
        let (game, game_key) = (quoted(&self.game)?, quoted(&self.game)?);
        let title = quoted(&format!("{base} tuned for {}", self.game))?;
        let (mut players, mut names) = (String::new(), Vec::new());
        for candidate in candidates {
            let name = quoted(&candidate.to_string())?;
            if !names.contains(&name) {
                players += &format!("{name} = {name}\n");
                names.push(name);
            }
        }
        let thinking = match self.seconds {
            Some(seconds) => ("seconds", format!("{seconds:?}")),
            None => ("simulations", self.simulations.to_string()),
        };
        let (unit, amount) = thinking;
        let rounds: Vec<String> = self.rounds.iter().map(ToString::to_string).collect();
        let (names, rounds, games) = (names.join(", "), rounds.join(", "), self.games);
        let as_it_is = quoted(&base)?;
        Ok(format!(
            r#"
title = {title}
source = "Our own; there is no publication"
about = "The best of {count} settings of the player, found by successive halving, meets the player as it is."

[games]
{game_key} = ""

[players]
"as it is" = {as_it_is}
{players}
[champion]
candidates = [{names}]
against = "as it is"
{unit} = {amount}
rounds = {{ quick = [{rounds}] }}

[scales]
quick = {{ games = {games} }}

[[cells]]
name = "the best of the settings"
group = "new games"
game = {game}
players = ["champion", "as it is"]
{unit} = [{amount}, {amount}]

[[claims]]
id = "T1"
text = "The best of the settings is stronger than the player as it is"
test = {{ kind = "each", cells = {{}} }}
at_least = 50
unless_refuted = false
"#,
            count = candidates.len(),
        ))
    }
}

/// The name of a game as a part of a file's name.
fn file_name(game: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || "-_@.".contains(c);
    game.chars()
        .map(|c| if fits(c) { c } else { '-' })
        .collect()
}
