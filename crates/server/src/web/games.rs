//! Games and players as the page lists and shows them.

use std::time::{Duration, Instant};

use paidia_arena::options::{self, Described, Takes};
use paidia_arena::{PLAYERS, PlayerSettings};
use paidia_game::{AnyGame, Chance, Game, Information, Rules, TurnOrder, Walker, glimpse};
use paidia_picture::{Frame as StartView, Look, Scene};
use serde::{Deserialize, Serialize};

use super::Site;
use super::frame::{Camera, Frame};
use super::game_list::Entry;
use super::levels::{LEVELS, Level};
use super::limits::Limits;
use super::line;
use super::refusal::Refusal;

/// How long random play is watched to find the turn order.
const WATCHED: Duration = Duration::from_millis(20);
/// Positions to the one by which a game is shown that begins with empty boards.
const SEEN_AT: usize = 10;

#[derive(Serialize)]
pub(super) struct Games<'a> {
    games: Vec<Card<'a>>,
}

/// What is told about a game without looking at its rules.
#[derive(Serialize)]
struct Card<'a> {
    id: &'a str,
    title: &'a str,
    players: usize,
    kind: &'static str,
    idea: &'a str,
    rules: &'a str,
    bundled: bool,
    /// How many joint moves a match takes in which all play at random, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<usize>,
}

/// The bundled games.
pub(super) fn list(site: &Site) -> Games<'_> {
    let games = site.games.bundled().iter();
    Games {
        games: games.map(|entry| card(entry, 0)).collect(),
    }
}

fn card(entry: &Entry, players: usize) -> Card<'_> {
    let facts = entry.metadata.as_ref();
    Card {
        id: &entry.id,
        title: &entry.title,
        players: facts.map_or(players, |facts| usize::from(facts.players)),
        kind: facts.map_or("pasted", |facts| facts.kind.name()),
        idea: facts.map_or("", |facts| facts.idea.trim()),
        rules: facts.map_or("", |facts| facts.rules.trim()),
        bundled: facts.is_some(),
        moves: match paidia_library::find(&entry.id) {
            Ok(game) => game.recorded_moves(),
            Err(_) => None,
        },
    }
}

#[derive(Serialize)]
struct Picture<'a> {
    scene: &'a Scene,
    start: StartView,
    roles: &'a [String],
}

/// How a game looks before the first move.
pub(super) fn picture(site: &Site, id: &str) -> Result<serde_json::Value, Refusal> {
    let entry = site.games.find(id)?;
    let rules = entry.rules()?;
    let game = rules.game.clone();
    value(&Picture {
        scene: &rules.scene,
        start: worth_seeing(&game, &rules.scene),
        roles: &game.facts().roles,
    })
}

/// The first position; where nothing is on the boards yet, one after a few moves.
fn worth_seeing(game: &AnyGame, scene: &Scene) -> StartView {
    let start = Camera::new(game, scene).start();
    let is_bare = |content: &Option<String>| {
        let look = content.as_ref().map(|content| scene.looks.get(content));
        look.is_none_or(|look| look.is_some_and(Look::is_empty))
    };
    if start.cells.is_empty() || !start.cells.iter().all(is_bare) {
        return start;
    }
    let later = glimpse(game, SEEN_AT).pop();
    later.map_or(start, |fluents| scene.frame(&fluents))
}

/// A game with its rules and its first position.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    card: Card<'a>,
    roles: &'a [String],
    random: Option<usize>,
    dialect: &'static str,
    turns: &'static str,
    /// Whether roles are told less than what is shown.
    hidden: bool,
    /// Its name without a size, if it comes in others: `hex` makes `hex@11`.
    #[serde(skip_serializing_if = "Option::is_none")]
    family: Option<&'a str>,
    scene: &'a Scene,
    start: Frame,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// A game with everything there is to say about it.
pub(super) fn whole(site: &Site, id: &str) -> Result<serde_json::Value, Refusal> {
    let entry = site.games.find(id)?;
    view(&entry, true)
}

/// A game, with its rules as text if they are wanted.
pub(super) fn view(entry: &Entry, with_text: bool) -> Result<serde_json::Value, Refusal> {
    let rules = entry.rules()?;
    let game = entry.walking(&rules);
    let facts = game.facts();
    let camera = Camera::new(&game, &rules.scene);
    value(&Whole {
        card: card(entry, facts.players().count()),
        roles: &facts.roles,
        random: facts.random().map(paidia_game::RoleId::index),
        dialect: rules.dialect(),
        turns: turns(&game).name(),
        hidden: facts.information == Information::Hidden,
        family: match entry.id.split_once('@') {
            Some((family, _)) => Some(family),
            None => paidia_library::family_of(&entry.id),
        },
        scene: &rules.scene,
        start: camera.frame(&line::start(&game)),
        text: with_text.then_some(&*entry.text),
    })
}

/// Rules that were pasted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pasted {
    #[serde(default)]
    name: String,
    text: String,
}

/// Takes in pasted rules.
pub(super) fn paste(site: &Site, asked: &Pasted) -> Result<serde_json::Value, Refusal> {
    let entry = site.games.paste(&asked.name, &asked.text)?;
    view(&entry, true)
}

/// The turn order, as far as a short look tells.
pub(super) fn turns(game: &AnyGame) -> TurnOrder {
    if game.facts().players().count() == 1 {
        return TurnOrder::SinglePlayer;
    }
    let (begun, mut chance) = (Instant::now(), Chance::from_seed(1));
    let (mut walker, mut joint) = (game.walker(), Vec::new());
    while begun.elapsed() < WATCHED && !walker.is_terminal() {
        let legal = walker.legal();
        if legal.iter().filter(|(_, moves)| moves.len() > 1).count() > 1 {
            return TurnOrder::Simultaneous;
        }
        if legal.draw(&mut chance, &mut joint).is_err() {
            break;
        }
        walker.advance(&joint, &mut chance);
    }
    TurnOrder::Alternating
}

pub(super) fn value(view: &impl Serialize) -> Result<serde_json::Value, Refusal> {
    serde_json::to_value(view).map_err(|error| Refusal::unusable(error.to_string()))
}

#[derive(Serialize)]
pub(super) struct Players {
    players: Vec<PlayerView>,
    levels: &'static [Level],
}

#[derive(Serialize)]
struct PlayerView {
    name: &'static str,
    about: &'static str,
    keys: Vec<KeyView>,
}

#[derive(Serialize)]
struct KeyView {
    name: &'static str,
    about: &'static str,
    wanted: String,
    default: String,
    takes: Takes,
}

/// What an option takes here: a visitor may not ask for everything that this machine has.
fn within_limits(name: &str, mut takes: Takes, limits: &Limits) -> Takes {
    let most = match name {
        "memory" => limits.search_megabytes as f64,
        "threads" => limits.searches as f64,
        _ => return takes,
    };
    if let Some(range) = &mut takes.number {
        range.most = range.most.min(most);
    }
    takes
}

/// The players of the catalogue.
pub(super) fn players(site: &Site) -> Players {
    let key = |option: Described| KeyView {
        name: option.name,
        about: option.what,
        wanted: option.wanted,
        default: option.default,
        takes: within_limits(option.name, option.takes, &site.options.limits),
    };
    let player = |entry: &options::Entry<PlayerSettings>| PlayerView {
        name: entry.name,
        about: entry.what,
        keys: entry.described().into_iter().map(key).collect(),
    };
    Players {
        players: PLAYERS.iter().map(player).collect(),
        levels: &LEVELS,
    }
}
