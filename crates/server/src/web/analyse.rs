//! What players think of a position, and the positions of a line.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use paidia_arena::MatchEnd;
use paidia_game::{AnyGame, Legible, RoleId, Rules};
use paidia_search::Budget;
use paidia_search::belief::Told;
use serde::{Deserialize, Serialize};

use super::Site;
use super::decision::DecisionView;
use super::frame::{Camera, Frame};
use super::games;
use super::line::{self, Joint, check_length};
use super::refusal::Refusal;
use super::table::seconds;
use super::thinker::{Chosen, Known, thinker};

/// The most players that think about one position.
const MOST_PLAYERS: usize = 4;

/// A position, and the players that should think about it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Position {
    game: String,
    #[serde(default)]
    moves: Vec<Joint>,
    /// Instead of all moves, what the role was told of each joint move.
    told: Option<Vec<ToldOrder>>,
    /// The role to think for; the first with a choice if it is not given.
    role: Option<usize>,
    #[serde(default = "best")]
    players: Vec<String>,
    #[serde(default = "one")]
    seconds: f64,
    #[serde(default)]
    seed: u64,
}

/// What a role is told of a joint move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToldOrder {
    made: String,
    #[serde(default)]
    percepts: Vec<String>,
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
    site: &Site,
    asked: &Position,
    interrupt: &AtomicBool,
) -> Result<Decisions, Refusal> {
    let limits = &site.options.limits;
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
    let entry = site.games.find(&asked.game)?;
    let rules = entry.rules()?;
    let game = entry.walking(&rules);
    let (role, known) = match &asked.told {
        Some(told) => asked.own_view(&game, told, limits.line_length)?,
        None => asked.whole_view(&game, limits.line_length)?,
    };
    let mut decisions = Vec::new();
    for player in &players {
        let gone = || Refusal::busy("the client no longer waits for the answer");
        let _place = site.desk.sit(interrupt).ok_or_else(gone)?;
        let is_alone = site.desk.busy() == 1;
        let mut thinker = thinker(&entry, &rules, player, role, asked.seed, is_alone)?;
        let found = thinker.think(&known, Budget::time(time), interrupt, None);
        decisions.push(found.map_err(Refusal::unusable)?);
        if interrupt.load(Ordering::Relaxed) {
            return Err(gone());
        }
    }
    Ok(Decisions { decisions })
}

impl Position {
    /// The state to which a line leads, and the role to think for.
    fn whole_view(&self, game: &AnyGame, longest: usize) -> Result<(RoleId, Known), Refusal> {
        let mut played = line::start(game);
        line::follow(&mut played, &self.moves, longest)?;
        if matches!(played.end(), Some(MatchEnd::Over(_) | MatchEnd::Fault(_))) {
            return Err(Refusal::unusable(
                "the game is over in this position; there is nothing to think about",
            ));
        }
        let facts = game.facts();
        let role = match self.role {
            Some(asked) => facts.players().find(|role| role.index() == asked),
            None => {
                let chooses = |role: &RoleId| played.legal(*role).len() > 1;
                facts.players().find(chooses).or(facts.players().next())
            }
        };
        let role = role.ok_or_else(|| Refusal::unusable("no player has this role"))?;
        match played.legal(role).is_empty() {
            true => Err(Refusal::unusable(
                "this role has no legal move here: the rules are faulty",
            )),
            false => Ok((role, Known::State(game.fluents(played.state())))),
        }
    }

    /// What a role was told, which the asker knows.
    fn own_view(
        &self,
        game: &AnyGame,
        told: &[ToldOrder],
        longest: usize,
    ) -> Result<(RoleId, Known), Refusal> {
        check_length(told.len(), longest)?;
        let role = game.facts().players();
        let role = role
            .into_iter()
            .find(|role| Some(role.index()) == self.role);
        let role =
            role.ok_or_else(|| Refusal::unusable("`told` needs the `role` that was told"))?;
        let told = told.iter();
        let told = told.map(|one| Told::new(one.made.clone(), one.percepts.clone()));
        Ok((role, Known::Own(told.collect())))
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
pub(super) fn line(site: &Arc<Site>, asked: &LineOrder) -> Result<LineView, Refusal> {
    let entry = match (&asked.game, &asked.text) {
        (Some(id), None) => site.games.find(id)?,
        (None, Some(text)) => site.games.paste(&asked.name, text)?,
        _ => return Err(Refusal::bad("give either `game` or `text`")),
    };
    check_length(asked.moves.len(), site.options.limits.line_length)?;
    let rules = entry.rules()?;
    let game = entry.walking(&rules);
    let camera = Camera::new(&game, &rules.scene);
    let mut played = line::start(&game);
    let mut frames = vec![camera.frame(&played)];
    for joint in &asked.moves {
        line::make(&mut played, joint)?;
        frames.push(camera.after(&played, &frames[frames.len() - 1]));
    }
    Ok(LineView {
        game: games::view(&entry, false)?,
        frames,
    })
}
