//! What players think of a position, and the positions of a line.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use paidia_game::{AnyGame, Game, Legible, RoleId, Rules, Walker};
use paidia_search::Budget;
use serde::{Deserialize, Serialize};

use super::House;
use super::decision::DecisionView;
use super::frame::{Camera, Frame, Made};
use super::games;
use super::line::{Joint, check_length, follow, make};
use super::refusal::Refusal;
use super::table::seconds;
use super::thinker::{Chosen, thinker};

/// The most players that think about one position.
const MOST_PLAYERS: usize = 4;

/// A position, and who should think about it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Position {
    game: String,
    #[serde(default)]
    moves: Vec<Joint>,
    /// The role to think for; the first with a choice if it is not given.
    role: Option<usize>,
    #[serde(default = "best")]
    players: Vec<String>,
    #[serde(default = "one")]
    seconds: f64,
    #[serde(default)]
    seed: u64,
}

fn best() -> Vec<String> {
    vec!["paidia".to_owned()]
}

fn one() -> f64 {
    1.0
}

#[derive(Serialize)]
pub(super) struct Decisions {
    decisions: Vec<DecisionView>,
}

/// Lets players think about a position, one after the other.
pub(super) fn analyse(
    house: &House,
    asked: &Position,
    interrupt: &AtomicBool,
) -> Result<Decisions, Refusal> {
    let limits = &house.options.limits;
    if asked.players.is_empty() || asked.players.len() > MOST_PLAYERS {
        return Err(Refusal::unusable(format!(
            "1 to {MOST_PLAYERS} players think about a position"
        )));
    }
    let players = asked
        .players
        .iter()
        .map(|player| Chosen::read(player, limits));
    let players = players.collect::<Result<Vec<_>, _>>()?;
    let time = seconds(asked.seconds, limits.search_seconds)?;
    let entry = house.games.find(&asked.game)?;
    let rules = entry.rules()?;
    let game = entry.walking(&rules);
    let mut walker = game.walker();
    follow(&game, &mut walker, &asked.moves, limits.line_length)?;
    if walker.is_terminal() {
        return Err(Refusal::unusable(
            "the game is over in this position; there is nothing to think about",
        ));
    }
    let role = role(&game, &mut walker, asked.role)?;
    let mut state = game.initial();
    walker.save(&mut state);
    let fluents = game.fluents(&state);
    let mut decisions = Vec::new();
    for player in &players {
        let gone = || Refusal::busy("nobody waits for the answer any more");
        let _place = house.desk.sit(interrupt).ok_or_else(gone)?;
        let is_alone = house.desk.busy() == 1;
        let mut thinker = thinker(&entry, &rules, player, role, asked.seed, is_alone)?;
        let found = thinker.think(&fluents, Budget::time(time), interrupt);
        decisions.push(found.map_err(Refusal::unusable)?);
        if interrupt.load(Ordering::Relaxed) {
            return Err(gone());
        }
    }
    Ok(Decisions { decisions })
}

/// The role to think for.
fn role(
    game: &AnyGame,
    walker: &mut paidia_game::AnyWalker,
    asked: Option<usize>,
) -> Result<RoleId, Refusal> {
    let facts = game.facts();
    let legal = walker.legal();
    let role = match asked {
        Some(asked) => facts.players().find(|role| role.index() == asked),
        None => {
            let chooses = |role: &RoleId| legal.of(*role).len() > 1;
            facts.players().find(chooses).or(facts.players().next())
        }
    };
    let role = role.ok_or_else(|| Refusal::unusable("no player has this role"))?;
    match legal.of(role).is_empty() {
        true => Err(Refusal::unusable(
            "this role has no legal move here: the rules are faulty",
        )),
        false => Ok(role),
    }
}

/// A line of moves of a game, or of rules that are sent along.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineOrder {
    game: Option<String>,
    text: Option<String>,
    #[serde(default)]
    name: String,
    #[serde(default)]
    moves: Vec<Joint>,
}

#[derive(Serialize)]
pub(super) struct LineView {
    game: serde_json::Value,
    frames: Vec<Frame>,
}

/// All positions of a line.
pub(super) fn line(house: &Arc<House>, asked: &LineOrder) -> Result<LineView, Refusal> {
    let entry = match (&asked.game, &asked.text) {
        (Some(id), None) => house.games.find(id)?,
        (None, Some(text)) => house.games.paste(&asked.name, text)?,
        _ => return Err(Refusal::bad("give either `game` or `text`")),
    };
    check_length(asked.moves.len(), house.options.limits.line_length)?;
    let rules = entry.rules()?;
    let game = entry.walking(&rules);
    let camera = Camera::new(&game, &rules.scene);
    let mut walker = game.walker();
    let mut frames = vec![camera.frame(&mut walker, 0)];
    for (ply, joint) in asked.moves.iter().enumerate() {
        make(&game, &mut walker, ply, joint)?;
        let mut frame = camera.frame(&mut walker, ply + 1);
        let made = Made::plain(joint.clone(), &rules.scene, &frames[ply], &frame);
        frame.made = Some(made);
        frames.push(frame);
    }
    Ok(LineView {
        game: games::view(&entry, false)?,
        frames,
    })
}
