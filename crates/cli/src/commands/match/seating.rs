//! Which player has which role: built-in players by name, remote players by their address, and what
//! the remote ones are told.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, bail};
use paidia_arena::record::{Heading, match_id};
use paidia_arena::rules::Ruleset;
use paidia_arena::{BadPlayer, Local, Playable, PlayerSpec, Seat, Seats, make};
use paidia_game::{Game, GameFacts, Legible, RoleId};
use paidia_gdl::{Source, syntax};
use paidia_search::Budget;
use paidia_server::ggp::host::{Address, Clocks, RemotePlayer, Terms, ask_status};

use crate::engine::seconds;
use crate::text;

/// How long a player may take to say what it is called.
const PATIENCE: Duration = Duration::from_secs(5);

/// Clocks, and what else there is to say to players elsewhere.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ClockOptions {
    /// Whole seconds before the first move, for all players; 10 where players elsewhere take part
    #[arg(long, value_name = "S", value_parser = whole_seconds, conflicts_with_all = ["seconds", "simulations", "states"])]
    start_clock: Option<u64>,

    /// Whole seconds a move, for all players; 5 where players elsewhere take part
    #[arg(long, value_name = "S", value_parser = whole_seconds, conflicts_with_all = ["seconds", "simulations", "states"])]
    play_clock: Option<u64>,

    /// How many seconds after its clock a reply may still come in
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    grace: f64,

    /// Show players elsewhere the rules S seconds before the start
    #[arg(long, value_name = "S", value_parser = whole_seconds)]
    preview_clock: Option<u64>,

    /// Show players elsewhere made-up words instead of the names in the rules, as contests do
    #[arg(long)]
    scramble: bool,

    /// Ask players elsewhere for their names first
    #[arg(long)]
    ask_names: bool,
}

fn whole_seconds(text: &str) -> Result<u64, String> {
    let seconds = text.parse().ok();
    seconds
        .filter(|seconds| (1..=1_000_000).contains(seconds))
        .ok_or_else(|| {
            "clocks are whole seconds from 1 to 1000000; --seconds takes parts of a second"
                .to_owned()
        })
}

impl ClockOptions {
    /// Whether players think by clocks.
    pub(super) fn are_given(&self) -> bool {
        self.start_clock.is_some() || self.play_clock.is_some()
    }

    fn clocks(&self) -> Clocks {
        Clocks {
            preview: self.preview_clock.map(Duration::from_secs),
            start: Duration::from_secs(self.start_clock.unwrap_or(10)),
            play: Duration::from_secs(self.play_clock.unwrap_or(5)),
            grace: Duration::from_secs_f64(self.grace),
        }
    }

    /// What the players are called: as they were written, or as they call themselves.
    pub(super) fn names(&self, guests: &[Option<Guest>]) -> Vec<Option<String>> {
        let name = |guest: &Guest| match guest {
            Guest::Elsewhere(address) if self.ask_names => match ask_status(address, PATIENCE) {
                Ok(status) => status.name.unwrap_or_else(|| address.to_string()),
                Err(failure) => {
                    eprintln!("note: the player at {address} {failure}");
                    address.to_string()
                }
            },
            Guest::Elsewhere(address) => address.to_string(),
            Guest::BuiltIn(_, written) => written.clone(),
        };
        let names = guests.iter().map(Option::as_ref);
        names.map(|guest| guest.map(name)).collect()
    }

    /// What players elsewhere are told of a match of that name; the seed decides what words are
    /// made up.
    pub(super) fn terms(
        &self,
        rules: &Ruleset,
        id: &str,
        seed: u64,
        elsewhere: bool,
    ) -> anyhow::Result<Terms> {
        let terms = match rules {
            Ruleset::Gdl(rules) => Terms::new(id, &rules.sheet, self.clocks()),
            Ruleset::Other(rules) => {
                // The protocol speaks GDL and nothing else; players of this program need none.
                let text = match rules.to_gdl() {
                    Err(reason) if elsewhere => anyhow::bail!(reason),
                    translated => translated.unwrap_or_default(),
                };
                let reading = syntax::read(&Source::new(id, text));
                Terms::new(id, &reading.sheet, self.clocks())
            }
        };
        Ok(if self.scramble {
            terms.scrambled(seed)
        } else {
            terms
        })
    }

    /// The heading with what it has to say about clocks.
    pub(super) fn heading(&self, heading: Heading, elsewhere: bool) -> Heading {
        let clocks = self.clocks();
        let scrambled = self.scramble && elsewhere;
        Heading {
            // The usual name would tell what game it is.
            id: if scrambled {
                match_id("game")
            } else {
                heading.id
            },
            thinking: Vec::new(),
            clocks: Some((clocks.start.as_secs_f64(), clocks.play.as_secs_f64())),
            preview: self.preview_clock.filter(|_| elsewhere),
            scrambled,
            ..heading
        }
    }
}

/// A player that takes part, with a valid address.
#[derive(Clone, Debug)]
pub(super) enum Guest {
    /// A player of the catalogue, and how it was written.
    BuiltIn(PlayerSpec, String),
    /// A player at an address.
    Elsewhere(Address),
}

impl Guest {
    fn read(written: &str) -> anyhow::Result<Self> {
        Ok(match written.parse()? {
            paidia_arena::Guest::BuiltIn(spec) => Guest::BuiltIn(spec, written.to_owned()),
            paidia_arena::Guest::Elsewhere(address) => Guest::Elsewhere(address.parse()?),
            paidia_arena::Guest::InTime(text) => return Err(BadPlayer::InTime(text).into()),
        })
    }

    /// Whether it is reached over the network.
    pub(super) fn is_elsewhere(&self) -> bool {
        matches!(self, Guest::Elsewhere(_))
    }
}

/// Checks that everything that was written is a player.
pub(super) fn read_guests(written: &[String]) -> anyhow::Result<()> {
    let mut written = written.iter();
    written.try_for_each(|written| Guest::read(written).map(drop).context("in --player"))
}

/// For each role its player, `None` for `random`; `written` has one for each role, or one for all.
pub(super) fn guests(written: &[String], facts: &GameFacts) -> anyhow::Result<Vec<Option<Guest>>> {
    let needed = facts.players().count();
    if written.len() != 1 && written.len() != needed {
        bail!(
            "{} has {}, and {} given; give one for each, or one for all: {}",
            facts.name,
            text::count(needed as u128, "player"),
            text::count(written.len() as u128, "player"),
            facts.roles.join(", ")
        );
    }
    let mut next = written.iter().cycle();
    let guest = |role: RoleId| {
        let written = (Some(role) != facts.random())
            .then(|| next.next())
            .flatten();
        let guest = written.map(|written| Guest::read(written));
        guest.transpose().context("in --player")
    };
    facts.role_ids().map(guest).collect()
}

/// The players of a match in real time, without `random`; `written` has one for each, or one for
/// all.
pub(super) fn timed_guests(
    written: &[String],
    facts: &GameFacts,
) -> anyhow::Result<Vec<paidia_arena::Guest>> {
    let needed = facts.players().count();
    if written.len() != 1 && written.len() != needed {
        bail!(
            "{} has {}, and {} given; give one for each, or one for all: {}",
            facts.name,
            text::count(needed as u128, "player"),
            text::count(written.len() as u128, "player"),
            facts.roles.join(", ")
        );
    }
    let texts = written.iter().cycle().take(needed);
    let guests = texts.map(|text| text.parse().context("in --player"));
    guests.collect()
}

/// What the players are called, for each role.
pub(super) fn guests_by_role(
    facts: &GameFacts,
    guests: &[paidia_arena::Guest],
) -> Vec<Option<String>> {
    let mut names = vec![None; facts.roles.len()];
    for (role, guest) in facts.players().zip(guests) {
        names[role.index()] = Some(guest.to_string());
    }
    names
}

/// What seats are made of.
pub(super) struct Seating<'a, G: Game + Legible> {
    pub(super) playable: &'a Playable<G>,
    /// How much built-in players think about a move; by the clock if nothing is said.
    pub(super) budget: Option<Budget>,
    /// The same before the first move.
    pub(super) preparation: Option<Budget>,
    /// Once this is set, players think no longer.
    pub(super) interrupt: &'a Arc<AtomicBool>,
    /// What players elsewhere are told, and the clocks of all players.
    pub(super) terms: Arc<Terms>,
    pub(super) seed: u64,
}

impl<G: Game + Legible> Seating<'_, G> {
    /// The seats of all roles.
    pub(super) fn seats(&self, guests: &[Option<Guest>]) -> anyhow::Result<Seats<G>> {
        let roles = self.playable.game.facts().role_ids().zip(guests);
        let seat = |(role, guest): (RoleId, &Option<Guest>)| {
            let seat = guest.as_ref().map(|guest| self.seat(role, guest));
            seat.transpose()
        };
        roles.map(seat).collect()
    }

    fn seat(&self, role: RoleId, guest: &Guest) -> anyhow::Result<Box<dyn Seat<G>>> {
        let spec = match guest {
            Guest::BuiltIn(spec, _) => spec,
            Guest::Elsewhere(address) => {
                let player = RemotePlayer::new(&self.playable.game, role, address, &self.terms);
                return Ok(Box::new(player));
            }
        };
        let seed = self.seed.wrapping_mul(31).wrapping_add(u64::from(role.0));
        let player = make(spec, self.playable, role, seed).context("in --player")?;
        let seat = match self.budget {
            Some(budget) => Local::new(player, budget).preparing(self.preparation),
            None => self.terms.clocks.seat(player),
        };
        Ok(Box::new(seat.until(self.interrupt)))
    }
}
