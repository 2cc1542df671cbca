//! Ways to click moves that name no square, such as castling, steering or turning a part of the
//! board: they are made to see what they change, and can be clicked there.

use std::collections::BTreeSet;

use paidia_arena::Match;
use paidia_game::{AnyGame, Chance, Game, Information, Legible, MoveId, RoleId, Rules, Walker};
use paidia_picture::{Look, Scene};

use super::LegalMove;

/// The most moves of a position that are tried.
const MOST_TRIED: usize = 24;
/// A move that changes more squares than this is not about a place.
const MOST_CHANGED: usize = 24;

/// What is on each square.
type Cells = Vec<Option<String>>;

/// Adds ways to click the moves that name no square.
pub(super) fn add(
    game: &AnyGame,
    scene: &Scene,
    played: &Match<AnyGame>,
    legal: &mut [Vec<LegalMove>],
) {
    // Where things are hidden, what a move changes may be a secret.
    let facts = game.facts();
    if scene.boards.is_empty() || facts.information == Information::Hidden {
        return;
    }
    let nameless = |own: &LegalMove| own.steps.is_empty() && own.text != "noop";
    let tried: usize = legal.iter().flatten().filter(|own| nameless(own)).count();
    if tried == 0 || tried > MOST_TRIED || played.end().is_some() {
        return;
    }
    let choosing = legal.iter().filter(|moves| moves.len() > 1).count();
    let before = scene.frame(&game.shown(played.state())).cells;
    let trial = Trial {
        game,
        scene,
        played,
    };
    for role in facts.players() {
        let own = &legal[role.index()];
        let places: Vec<usize> = (0..own.len()).filter(|&at| nameless(&own[at])).collect();
        let after: Vec<Cells> = places
            .iter()
            .filter_map(|&at| trial.after(role, played.legal(role)[at]))
            .collect();
        if after.len() < places.len() {
            return;
        }
        let mut changes: Vec<BTreeSet<u32>> =
            after.iter().map(|after| changed(&before, after)).collect();
        if choosing > 1 && changes.len() > 1 {
            // What becomes of a square whatever this role does is the work of others.
            let is_common = |cell: u32| {
                let cell = cell as usize;
                after.iter().all(|other| other[cell] == after[0][cell])
            };
            for own in &mut changes {
                own.retain(|&cell| !is_common(cell));
            }
        }
        let ways: Vec<Vec<Vec<u32>>> = after
            .iter()
            .zip(&changes)
            .map(
                |(after, changed)| match pairs(scene, &before, after, changed) {
                    pairs if pairs.is_empty() => single(changed, &changes),
                    pairs => pairs,
                },
            )
            .collect();
        let taken: BTreeSet<Vec<u32>> = own.iter().flat_map(|own| named(&own.steps)).collect();
        for (at, mut ways) in places.into_iter().zip(ways) {
            ways.retain(|way| !taken.contains(way));
            legal[role.index()][at].ways = ways;
        }
    }
}

/// Moves are made on the side.
struct Trial<'a> {
    game: &'a AnyGame,
    scene: &'a Scene,
    played: &'a Match<AnyGame>,
}

impl Trial<'_> {
    /// The boards after a move, where all others make their first legal one.
    fn after(&self, role: RoleId, id: MoveId) -> Option<Cells> {
        let joint = self.game.facts().role_ids().map(|other| {
            let first = self.played.legal(other).first().copied();
            if other == role { Some(id) } else { first }
        });
        let joint: Vec<MoveId> = joint.collect::<Option<_>>()?;
        let (mut walker, mut state) = (self.game.walker(), self.played.state().clone());
        walker.jump(&state);
        walker.advance(&joint, &mut Chance::from_seed(0));
        if walker.fault().is_some() {
            return None;
        }
        walker.save(&mut state);
        Some(self.scene.frame(&self.game.shown(&state)).cells)
    }
}

fn changed(before: &Cells, after: &Cells) -> BTreeSet<u32> {
    let cells = before.iter().zip(after).enumerate();
    let changed = cells.filter(|(_, (before, after))| before != after);
    changed.map(|(cell, _)| cell as u32).collect()
}

/// Where one or two things go from one square to another: from there to there, and where there are
/// two, from one to the other, as king and rook in castling.
fn pairs(scene: &Scene, before: &Cells, after: &Cells, changed: &BTreeSet<u32>) -> Vec<Vec<u32>> {
    if changed.len() > 4 {
        return Vec::new();
    }
    let is_thing = |what: &Option<String>| {
        let look = what.as_ref().map(|what| scene.looks.get(what));
        look.is_some_and(|look| !look.is_some_and(Look::is_empty))
    };
    let goes = |from: u32, to: u32| {
        let (what, target) = (&before[from as usize], &after[to as usize]);
        let is_there_before = before[to as usize] == *what;
        let stays = after[from as usize] == *what;
        from != to && is_thing(what) && what == target && !is_there_before && !stays
    };
    let all = changed.iter().flat_map(|&from| {
        let targets = changed.iter().filter(|&&to| goes(from, to));
        targets.map(move |&to| vec![from, to]).collect::<Vec<_>>()
    });
    let mut pairs: Vec<Vec<u32>> = all.collect();
    if let [one, other] = &pairs[..] {
        let (one, other) = (one[0], other[0]);
        pairs.extend([vec![one, other], vec![other, one]]);
    }
    pairs
}

/// The squares that this move alone changes, or if there are none all that it changes.
fn single(changed: &BTreeSet<u32>, all: &[BTreeSet<u32>]) -> Vec<Vec<u32>> {
    if changed.len() > MOST_CHANGED {
        return Vec::new();
    }
    let count = |cell: &u32| all.iter().filter(|own| own.contains(cell)).count();
    let own: Vec<u32> = changed
        .iter()
        .copied()
        .filter(|cell| count(cell) == 1)
        .collect();
    let cells = if own.is_empty() {
        changed.iter().copied().collect()
    } else {
        own
    };
    cells.into_iter().map(|cell| vec![cell]).collect()
}

/// The ways in which a move with steps is clicked, where each step is one square.
fn named(steps: &[Vec<u32>]) -> Option<Vec<u32>> {
    let way = steps.iter().map(|step| match step[..] {
        [only] => Some(only),
        _ => None,
    });
    way.collect::<Option<Vec<u32>>>()
        .filter(|way| !way.is_empty())
}
