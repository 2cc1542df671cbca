//! How sheets that were never seen are drawn and clicked: over the public collection, whether
//! pieces differ in their looks, what is empty is found, and every legal move can be made on the
//! board.
//!
//! A part of the collection is looked at; `PAIDIA_FULL=1 cargo test --release -p paidia-server
//! --lib unseen -- --nocapture` looks at all of it and lists what falls short. Moves that can be
//! made by no click are buttons below the board, or are put together there word by word.

use std::collections::BTreeSet;

use paidia_game::{AnyGame, Chance, Game, Legible, Rules, Walker};
use paidia_picture::{Look, Scene};
use paidia_testkit::{RuleSheet, corpus};

use super::{Camera, LegalMove};
use crate::web::game_list::GameList;
use crate::web::keep::Keep;
use crate::web::line;

/// One sheet in this many is looked at.
const SAMPLE: usize = 12;
/// Positions of a game in a sample, and in all.
const POSITIONS: [usize; 2] = [8, 20];
/// Moves that are told of a game in one position.
const MOST_TOLD: usize = 4;
/// Moves between two of them, at most.
const APART: usize = 7;

/// What was seen of one game with a board.
#[derive(Debug, Default)]
struct Seen {
    /// Contents that look the same.
    alike: Vec<String>,
    /// Whether some square is drawn as empty.
    has_empty: bool,
    /// Legal moves that no click on the board makes.
    unclickable: BTreeSet<String>,
    /// The most of them at once.
    most: usize,
}

/// Looks at a sheet; nothing if it is not read, or has no board.
fn look(sheet: &RuleSheet, positions: usize) -> Option<Seen> {
    let folder = tempfile::tempdir().unwrap();
    let games = GameList::new(4, Keep::new(folder.path()), Vec::new());
    let entry = games.paste(&sheet.name, &sheet.text).ok()?;
    let rules = entry.rules().ok()?;
    if rules.scene.boards.is_empty() {
        return None;
    }
    let mut seen = Seen {
        alike: alike(&rules.scene),
        ..Seen::default()
    };
    let (game, scene) = (&rules.game, &rules.scene);
    let mut chance = Chance::from_seed(7);
    let mut played = line::start(game);
    for number in 0..positions {
        if played.end().is_some() {
            played = line::start(game);
        }
        let frame = Camera::new(game, scene).frame(&played);
        let cells = scene.frame(&game.fluents(played.state())).cells;
        seen.has_empty |= cells
            .iter()
            .any(|content| is_empty(scene, content.as_deref()));
        for own in frame.legal.unwrap_or_default() {
            let lost = own.iter().filter(|one| !is_clickable(one, &own));
            let lost: Vec<String> = lost.map(|one| one.text.clone()).collect();
            seen.most = seen.most.max(lost.len());
            seen.unclickable.extend(lost.into_iter().take(MOST_TOLD));
        }
        walk(game, &mut played, 1 + number % APART, &mut chance);
    }
    Some(seen)
}

/// Goes on with random moves.
fn walk(
    game: &AnyGame,
    played: &mut paidia_arena::Match<AnyGame>,
    steps: usize,
    chance: &mut Chance,
) {
    let mut joint = Vec::new();
    for _ in 0..steps {
        if played.end().is_some() {
            return;
        }
        let mut walker = game.walker();
        walker.jump(played.state());
        if walker.draw(chance, &mut joint).is_err() {
            return;
        }
        let texts: Vec<String> = joint
            .iter()
            .map(|&id| game.moves().name(id).to_string())
            .collect();
        if line::make(played, &texts).is_err() {
            return;
        }
    }
}

fn is_empty(scene: &Scene, content: Option<&str>) -> bool {
    content.is_none_or(|content| scene.looks.get(content).is_some_and(Look::is_empty))
}

/// Whether a move is made by clicks on the board, or needs none: waiting, steering by arrow keys,
/// and the only move there is.
fn is_clickable(one: &LegalMove, own: &[LegalMove]) -> bool {
    const STEERING: [&str; 16] = [
        "up",
        "down",
        "left",
        "right",
        "north",
        "south",
        "east",
        "west",
        "forward",
        "back",
        "backward",
        "thrust",
        "clockwise",
        "counterclockwise",
        "anticlockwise",
        "straight",
    ];
    let words = one
        .text
        .split(['(', ')', ' ', '_'])
        .filter(|word| !word.is_empty());
    let steers = words
        .into_iter()
        .any(|word| STEERING.contains(&word.to_lowercase().as_str()));
    let is_waiting = one.text.to_lowercase().contains("noop");
    own.len() == 1 || is_waiting || steers || !one.steps.is_empty() || !one.ways.is_empty()
}

/// Contents of squares that look the same though they are different.
fn alike(scene: &Scene) -> Vec<String> {
    let drawn = scene.looks.iter().filter(|(_, look)| !look.is_empty());
    let mut known = BTreeSet::new();
    let same = drawn.filter(|(_, look)| !known.insert(format!("{look:?}")));
    same.map(|(content, _)| content.clone()).collect()
}

#[test]
fn sheets_never_seen_are_drawn_and_clicked() {
    let Some(corpus) = corpus() else { return };
    let is_full = std::env::var_os("PAIDIA_FULL").is_some();
    let (every, positions) = match is_full {
        true => (1, POSITIONS[1]),
        false => (SAMPLE, POSITIONS[0]),
    };
    let sheets = corpus.names().into_iter().step_by(every);
    let (mut boards, mut empty, mut clickable, mut different) = (0, 0, 0, 0);
    let mut told = Vec::new();
    for name in sheets {
        let Some(seen) = look(&corpus.rules(&name), positions) else {
            continue;
        };
        boards += 1;
        empty += usize::from(seen.has_empty);
        clickable += usize::from(seen.unclickable.is_empty());
        different += usize::from(seen.alike.is_empty());
        if !(seen.has_empty && seen.unclickable.is_empty() && seen.alike.is_empty()) {
            told.push(format!("{name}: {seen:?}"));
        }
    }
    let figures = format!(
        "{boards} games with boards: empty squares in {empty}, every move on the board in \
         {clickable}, different looks in {different}\n{}",
        told.join("\n")
    );
    println!("{figures}");
    assert!(boards >= 8, "{figures}");
    assert!(empty * 100 >= boards * FLOORS[0], "{figures}");
    assert!(clickable * 100 >= boards * FLOORS[1], "{figures}");
    assert_eq!(different, boards, "{figures}");
}

/// Percent of games with boards that must do: with empty squares, and with every move clickable.
const FLOORS: [usize; 2] = [75, 75];
