//! Explanations for the page: questions about a position of a game or of a sheet that is being
//! written, and the rules in plain words.

use std::sync::Arc;

use paidia_arena::Match;
use paidia_arena::explain::{ExplainError, Explanations, Names, Placed, Told, Topic};
use paidia_game::{AnyGame, Legible, Rules};
use paidia_picture::Scene;
use serde::{Deserialize, Serialize};

use super::Site;
use super::api::{Entry, Route, get, json, post};
use super::line::{self, Joint};
use super::refusal::Refusal;

/// What can be asked here.
pub(super) const ROUTES: &[Entry] = &[
    post(
        "why",
        Route::Study(|site, asked, _| json(&why(site, &asked.read()?)?)),
    ),
    get(
        "games/*/words",
        Route::Work(|site, asked| json(&words(site, asked.id())?)),
    ),
];

/// Moves that fit the same clicks of which the nearest is looked for.
const MOST_TRIED: usize = 6;

/// A question about a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    game: String,
    /// The joint moves that lead to the position.
    #[serde(default)]
    moves: Vec<Joint>,
    what: What,
    role: Option<usize>,
    /// The move or the fact that is asked about.
    #[serde(default)]
    text: String,
    /// Instead of the text of a move: the squares that were clicked for it.
    #[serde(default)]
    cells: Vec<u32>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum What {
    Move,
    Over,
    Win,
    Fact,
    Change,
}

#[derive(Serialize)]
struct Answer {
    lines: Vec<LineView>,
}

#[derive(Serialize)]
struct LineView {
    #[serde(flatten)]
    told: Told,
    /// The squares that it is about.
    cells: Vec<u32>,
}

#[derive(Serialize)]
struct Words {
    sections: Vec<SectionView>,
}

#[derive(Serialize)]
struct SectionView {
    title: &'static str,
    lines: Vec<Told>,
}

/// Explains a position.
fn why(site: &Arc<Site>, asked: &Asked) -> Result<Answer, Refusal> {
    let entry = site.games.find(&asked.game)?;
    let rules = entry.rules()?;
    let game = rules.game.clone();
    let mut played = line::start(&game);
    let longest = site.options.limits.line_length;
    let (last, before) = match (asked.what, asked.moves.split_last()) {
        (What::Change, Some((last, before))) => (Some(last), before),
        (What::Change, None) => {
            return Err(Refusal::unusable(
                "no move was made yet, so nothing has changed",
            ));
        }
        (_, _) => (None, &asked.moves[..]),
    };
    line::follow(&mut played, before, longest)?;
    let fluents = game.fluents(played.state());
    let explanations = explanations(&entry)?;
    let told = match (asked.what, asked.cells.is_empty()) {
        (What::Move, false) => {
            let role = role_name(&game, asked.role)?;
            let walking = entry.walking(&rules);
            let made = moves_of_clicks(&walking, &rules.scene, &asked.cells)?;
            nearest(&explanations, &fluents, &role, made)?
        }
        _ => {
            let topic = topic(&mut played, asked, last)?;
            explanations
                .ask(&fluents, &topic)
                .map_err(|error| refusal(&error))?
        }
    };
    let view = |told: Told| LineView {
        cells: cells(&rules.scene, &told.about),
        told,
    };
    Ok(Answer {
        lines: told.into_iter().map(view).collect(),
    })
}

fn topic(
    played: &mut Match<AnyGame>,
    asked: &Asked,
    last: Option<&Joint>,
) -> Result<Topic, Refusal> {
    let role = || role_name(played.game(), asked.role);
    Ok(match (asked.what, last) {
        (What::Move, _) => Topic::Move {
            role: role()?,
            made: asked.text.clone(),
        },
        (What::Win, _) => Topic::Win { role: role()? },
        (What::Fact, _) => Topic::Fact(asked.text.clone()),
        (What::Change, Some(joint)) => {
            line::make(played, joint)?;
            Topic::Change {
                joint: joint.clone(),
                after: played.game().fluents(played.state()),
            }
        }
        (What::Over | What::Change, _) => Topic::Over,
    })
}

/// The name of a role by its place.
fn role_name(game: &AnyGame, role: Option<usize>) -> Result<String, Refusal> {
    let found = role.and_then(|role| game.facts().roles.get(role));
    found
        .cloned()
        .ok_or_else(|| Refusal::bad("`role` is the place of a role, from 0 on"))
}

/// The moves that are made by clicking these squares, of all that are known of the game.
fn moves_of_clicks(game: &AnyGame, scene: &Scene, cells: &[u32]) -> Result<Vec<String>, Refusal> {
    let fits = |text: &str| {
        let steps = scene.steps(text);
        let pairs = || steps.iter().zip(cells);
        steps.len() >= cells.len() && pairs().all(|(step, cell)| step.contains(cell))
    };
    let moves = game.moves().to_vec();
    let mut found: Vec<(usize, String)> = moves
        .iter()
        .filter(|text| fits(text))
        .map(|text| (scene.steps(text).len(), text.to_string()))
        .collect();
    // Moves that need no further click come first.
    found.sort();
    found.truncate(MOST_TRIED);
    match found.is_empty() {
        true => Err(Refusal::unusable("no move of these rules goes there")),
        false => Ok(found.into_iter().map(|(_, text)| text).collect()),
    }
}

/// The explanation of the move that is nearest to being legal.
fn nearest(
    explanations: &Explanations,
    fluents: &[String],
    role: &str,
    moves: Vec<String>,
) -> Result<Vec<Told>, Refusal> {
    let mut best: Option<Vec<Told>> = None;
    let mut failure = None;
    for made in moves {
        let topic = Topic::Move {
            role: role.to_owned(),
            made,
        };
        match explanations.ask(fluents, &topic) {
            Ok(told) if best.as_ref().is_none_or(|best| told.len() < best.len()) => {
                best = Some(told);
            }
            Ok(_) => {}
            Err(error) => failure = Some(error),
        }
    }
    best.ok_or_else(|| match failure {
        Some(error) => refusal(&error),
        None => Refusal::unusable("no move of these rules goes there"),
    })
}

fn explanations(entry: &Arc<super::game_list::Entry>) -> Result<Explanations, Refusal> {
    let rules = entry.rules()?;
    let explanations = Explanations::new(&rules.rules).map_err(|error| refusal(&error))?;
    let drawn = Arc::clone(&rules);
    let placed = move |fluent: &str| {
        let (square, content) = drawn.scene.placed(fluent)?;
        Some(Placed { square, content })
    };
    let made = move |text: &str| rules.scene.named(text);
    Ok(explanations.with_names(Names::new(placed, made)))
}

fn refusal(error: &ExplainError) -> Refusal {
    Refusal::unusable(error.to_string())
}

/// The squares that fluents and moves are about.
fn cells(scene: &Scene, about: &[String]) -> Vec<u32> {
    let mut cells = Vec::new();
    for text in about {
        let drawn = scene.lay_out(std::slice::from_ref(text));
        let shown = drawn
            .cells
            .iter()
            .enumerate()
            .filter(|(_, content)| content.is_some());
        let own: Vec<u32> = shown.map(|(cell, _)| cell as u32).collect();
        match own.is_empty() {
            true => cells.extend(scene.touched(&[text])),
            false => cells.extend(own),
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// The rules of a game in plain words.
fn words(site: &Site, id: &str) -> Result<Words, Refusal> {
    let entry = site.games.find(id)?;
    let sections = explanations(&entry)?.in_words().into_iter();
    Ok(Words {
        sections: sections
            .map(|(title, lines)| SectionView { title, lines })
            .collect(),
    })
}
