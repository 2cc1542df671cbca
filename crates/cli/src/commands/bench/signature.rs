//! A number that says whether play has changed: what fixed searches of the default player choose.
//!
//! By simulations and with a seed a search depends on nothing but the program. So a commit that
//! should not change play leaves the number as it is, and one that should says the new one.

use std::io::Write;

use anyhow::Context;
use paidia_arena::PlayerSpec;
use paidia_arena::engine::{self, OnGame, Purpose};
use paidia_arena::playable::Playable;
use paidia_arena::rules::Ruleset;
use paidia_game::{Chance, Game, Legible, RoleId, Walker};
use paidia_gdl::grounding;
use paidia_search::Budget;
use serde::Serialize;

use crate::terminal::Progress;

/// The games: of one, two and more players, in turn and at the same time, with chance and hidden
/// information.
const GAMES: [&str; 20] = [
    "amazons-6x6",
    "bidding-tic-tac-toe",
    "blocker",
    "breakthrough",
    "breakthrough-6x6",
    "checkers-small",
    "chinese-checkers-3",
    "connect-four",
    "domineering",
    "dots-and-boxes",
    "eight-puzzle",
    "hex-7x7",
    "knightthrough",
    "krieg-tic-tac-toe",
    "nine-board-tic-tac-toe",
    "othello",
    "pentago",
    "quad",
    "tic-tac-toe",
    "ttcc4",
];

/// Simulations of each search, and joint moves that are drawn between two.
const SIMULATIONS: u64 = 300;
const MOVES: usize = 5;

/// Searches of a game.
const SEARCHES: usize = 3;

const SEED: u64 = 1;

/// What the searches came to.
#[derive(Serialize)]
pub(super) struct Signature {
    /// Of all games together.
    signature: u64,
    player: String,
    simulations: u64,
    games: Vec<GameSignature>,
}

/// What the searches of a game came to.
#[derive(Serialize)]
struct GameSignature {
    game: String,
    signature: u64,
}

impl Signature {
    /// Searches all games with a player, or those named.
    pub(super) fn measure(named: &[String], player: &PlayerSpec) -> anyhow::Result<Self> {
        let games: Vec<&str> = match named {
            [] => GAMES.to_vec(),
            named => named.iter().map(String::as_str).collect(),
        };
        let mut progress = Progress::new(Some(games.len() as u64), "games");
        let mut found = Vec::new();
        for (number, game) in (1..).zip(games) {
            let rules = Ruleset::find(game)?;
            let spec = "propnet".parse()?;
            let budget = grounding::Budget::default();
            let loaded = engine::load_for(&spec, &rules, budget, Purpose::Search)?;
            let signature = loaded.machine.run(Searches { player })??;
            found.push(GameSignature {
                game: rules.name().to_owned(),
                signature,
            });
            progress.set(number);
        }
        let mut sum = Sum::default();
        found.iter().for_each(|game| sum.add(game.signature));
        Ok(Self {
            signature: sum.told(),
            player: player.to_string(),
            simulations: SIMULATIONS,
            games: found,
        })
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for GameSignature { game, signature } in &self.games {
            writeln!(out, "{game:24} {signature:>10}")?;
        }
        let (signature, player) = (self.signature, &self.player);
        writeln!(out, "\nSearch-signature of {player}: {signature}").context("cannot write")
    }
}

/// The searches of one game.
struct Searches<'a> {
    player: &'a PlayerSpec,
}

impl OnGame for Searches<'_> {
    type Output = anyhow::Result<u64>;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> anyhow::Result<u64> {
        let game = &playable.game;
        let roles: Vec<RoleId> = game.facts().players().collect();
        let (mut walker, mut chance) = (game.walker(), Chance::from_seed(SEED));
        let (mut state, mut joint) = (game.initial(), Vec::new());
        let mut sum = Sum::default();
        for number in 0..SEARCHES {
            walker.save(&mut state);
            // The role that has a choice, or the first.
            let legal = walker.legal();
            let chooses = |role: &&RoleId| legal.of(**role).len() > 1;
            let role = roles.iter().find(chooses).or(roles.first());
            let &role = role.context("the game has no player")?;
            let mut search = playable.search(self.player, role, SEED + number as u64)?;
            let decision = search.choose(&state, Budget::simulations(SIMULATIONS));
            sum.add_text(&game.moves().name(decision.id));
            for found in &decision.report.moves {
                sum.add_text(&game.moves().name(found.id));
                sum.add(found.visits);
            }
            for _ in 0..MOVES {
                if walker.is_terminal() || walker.draw(&mut chance, &mut joint).is_err() {
                    break;
                }
                walker.advance(&joint, &mut chance);
            }
            if walker.is_terminal() {
                break;
            }
        }
        Ok(sum.told())
    }
}

/// FNV-1a.
struct Sum(u64);

impl Default for Sum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Sum {
    fn add_text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.add_byte(byte));
    }

    fn add(&mut self, number: u64) {
        number
            .to_le_bytes()
            .into_iter()
            .for_each(|byte| self.add_byte(byte));
    }

    fn add_byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    /// As many digits as a person compares at a glance.
    fn told(&self) -> u64 {
        self.0 % 1_000_000_000
    }
}
