//! Puzzles from any game that can be solved near its end: positions in which exactly one move wins.
//!
//! Positions of random matches are solved, from the end of a match backwards as far as the whole
//! graph of what can follow stays small. What counts as winning is the highest goal of the rules.
//! A seed means the same puzzle everywhere, so that a day has one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use paidia_game::{
    AnyGame, Chance, Game, Information, MoveId, RoleId, Rules, Solution, SolveBudget, SolveError,
    Walker, solve,
};
use serde::{Deserialize, Serialize};

use super::Site;
use super::api::{Entry, Route, json, post};
use super::frame::Camera;
use super::games;
use super::line::{self, Joint};
use super::refusal::Refusal;

/// What can be asked here.
pub(super) const ROUTES: &[Entry] = &[
    post(
        "puzzles",
        Route::Study(|site, asked, stop| json(&puzzle(site, &asked.read()?, stop)?)),
    ),
    post(
        "puzzles/answer",
        Route::Study(|site, asked, _| json(&answer(site, &asked.read()?)?)),
    ),
];

/// Games of which the puzzle of the day is taken, one after the other: small ones with wins that
/// people see.
const DAILY: [&str; 5] = [
    "connect-four",
    "hex-7x7",
    "domineering-5x5",
    "tic-tac-toe-5x5",
    "pawn-whopping",
];
/// Matches that are played to find positions.
const MATCHES: u64 = 24;
/// Moves of such a match.
const LONGEST: usize = 300;
/// Positions of a match that are looked at, the last ones.
const LAST: usize = 12;
/// States that may follow a position.
const STATES: usize = 12_000;
/// Moves that there must be to choose from.
const LEAST_MOVES: usize = 3;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    /// The game; the one of the day if none is named.
    game: Option<String>,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    level: Level,
}

/// How hard a puzzle is, by the moves until the win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    /// The move wins at once.
    Easy,
    /// Whatever the other does, the next move wins.
    #[default]
    Medium,
    /// It takes longer.
    Hard,
}

#[derive(Serialize)]
struct Puzzle {
    game: serde_json::Value,
    /// The joint moves that lead to it.
    moves: Vec<Joint>,
    frame: super::frame::Frame,
    role: usize,
    level: Level,
    seed: u64,
}

/// A position with exactly one winning move.
struct Found {
    moves: Vec<Joint>,
    role: RoleId,
    level: Level,
}

/// A puzzle of a game.
fn puzzle(site: &Arc<Site>, asked: &Order, stop: &AtomicBool) -> Result<Puzzle, Refusal> {
    let daily = DAILY[(asked.seed % DAILY.len() as u64) as usize];
    let id = asked.game.as_deref().unwrap_or(daily);
    let entry = site.games.find(id)?;
    let rules = entry.rules()?;
    entry.engine_soon(&rules);
    let game = entry.walking(&rules);
    refuse(&game)?;
    let found = find(&game, asked.seed, asked.level, stop)?;
    let found = found.ok_or_else(|| {
        Refusal::unusable(
            "no position with exactly one winning move was found near the end of this game; try another seed",
        )
    })?;
    let mut played = line::start(&game);
    line::follow(&mut played, &found.moves, site.options.limits.line_length)?;
    Ok(Puzzle {
        game: games::view(&entry, false)?,
        frame: Camera::new(&game, &rules.scene).frame(&played),
        moves: found.moves,
        role: found.role.index(),
        level: found.level,
        seed: asked.seed,
    })
}

/// Refuses games of which there are no puzzles.
fn refuse(game: &AnyGame) -> Result<(), Refusal> {
    let facts = game.facts();
    let because = if facts.information == Information::Hidden {
        "it hides things"
    } else if facts.players().count() != 2 {
        "it is not for two"
    } else {
        return Ok(());
    };
    Err(Refusal::unusable(format!(
        "there are no puzzles of this game: {because}"
    )))
}

/// The first puzzle of a level in matches that begin with this seed; of another level if there is
/// none.
fn find(
    game: &AnyGame,
    seed: u64,
    level: Level,
    stop: &AtomicBool,
) -> Result<Option<Found>, Refusal> {
    let mut other = None;
    for number in 0..MATCHES {
        let seed = seed.wrapping_mul(MATCHES).wrapping_add(number);
        let (states, moves) = random_match(game, seed);
        for ply in (0..states.len()).rev().take(LAST) {
            if stop.load(Ordering::Relaxed) {
                return Err(Refusal::busy("the question was dropped; ask again"));
            }
            let solved = match only_winning_move(game, &states[ply]) {
                Ok(solved) => solved,
                // What is before has even more that can follow.
                Err(SolveError::OutOfBudget { .. } | SolveError::TooManyEdges { .. }) => break,
                Err(error @ SolveError::NotApplicable(_)) => {
                    return Err(Refusal::unusable(error.to_string()));
                }
                Err(_) => break,
            };
            let Some((role, made)) = solved else { continue };
            let found = Found {
                moves: moves[..ply].to_vec(),
                role,
                level: how_hard(game, &states[ply], role, made),
            };
            if found.level == level {
                return Ok(Some(found));
            }
            other.get_or_insert(found);
        }
    }
    Ok(other)
}

/// A random match: its states, without the terminal one, and its joint moves.
fn random_match(game: &AnyGame, seed: u64) -> (Vec<<AnyGame as Rules>::State>, Vec<Joint>) {
    let (mut walker, mut state) = (game.walker(), game.initial());
    let (mut chance, mut joint) = (Chance::from_seed(seed), Vec::new());
    let (mut states, mut moves) = (Vec::new(), Vec::new());
    while !walker.is_terminal() && states.len() < LONGEST {
        walker.save(&mut state);
        if walker.draw(&mut chance, &mut joint).is_err() || walker.fault().is_some() {
            break;
        }
        states.push(state.clone());
        let names = joint.iter().map(|&id| game.moves().name(id).to_string());
        moves.push(names.collect());
        walker.advance(&joint, &mut chance);
    }
    (states, moves)
}

/// The role on the move and its winning move, if it has exactly one and others beside.
fn only_winning_move(
    game: &AnyGame,
    state: &<AnyGame as Rules>::State,
) -> Result<Option<(RoleId, MoveId)>, SolveError> {
    let mut walker = game.walker();
    walker.jump(state);
    let legal = walker.legal();
    let chooses = |role: &RoleId| legal.of(*role).len() >= LEAST_MOVES;
    if game.facts().players().filter(chooses).count() != 1 {
        return Ok(None);
    }
    let solution = solve(game, state, SolveBudget::states(STATES))?;
    Ok(winning(game, &solution))
}

fn winning(game: &AnyGame, solution: &Solution) -> Option<(RoleId, MoveId)> {
    let role = solution.mover?;
    let best = *game.facts().goal_range.end();
    match (&solution.best_moves[..], solution.goals[role.index()]) {
        (&[only], goal) if goal == best => Some((role, only)),
        _ => None,
    }
}

/// How hard it is to see that a move wins.
fn how_hard(
    game: &AnyGame,
    state: &<AnyGame as Rules>::State,
    role: RoleId,
    made: MoveId,
) -> Level {
    let mut after = state.clone();
    let Some(replies) = after_move(game, state, role, made, &mut after) else {
        return Level::Easy;
    };
    let mut next = state.clone();
    for (other, reply) in replies {
        let Some(own) = after_move(game, &after, other, reply, &mut next) else {
            // The other may end it only in our favour.
            continue;
        };
        let wins = |&(own, made): &(RoleId, MoveId)| {
            let mut end = state.clone();
            own == role
                && after_move(game, &next, own, made, &mut end).is_none()
                && is_won(game, &end, role)
        };
        if !own.iter().any(wins) {
            return Level::Hard;
        }
    }
    Level::Medium
}

/// Makes a move where all others have only one; the moves of the next role on the move, or nothing
/// at the end.
fn after_move(
    game: &AnyGame,
    state: &<AnyGame as Rules>::State,
    role: RoleId,
    made: MoveId,
    after: &mut <AnyGame as Rules>::State,
) -> Option<Vec<(RoleId, MoveId)>> {
    let mut walker = game.walker();
    walker.jump(state);
    let legal = walker.legal();
    let part = |one: RoleId| match one == role {
        true => made,
        false => legal.of(one).first().copied().unwrap_or(made),
    };
    let joint: Vec<MoveId> = game.facts().role_ids().map(part).collect();
    walker.advance(&joint, &mut Chance::from_seed(0));
    walker.save(after);
    if walker.is_terminal() {
        return None;
    }
    let legal = walker.legal();
    let mut moves = Vec::new();
    for one in game.facts().players() {
        if legal.of(one).len() > 1
            || game
                .facts()
                .players()
                .all(|other| legal.of(other).len() == 1)
        {
            moves.extend(legal.of(one).iter().map(|&id| (one, id)));
        }
    }
    Some(moves)
}

fn is_won(game: &AnyGame, state: &<AnyGame as Rules>::State, role: RoleId) -> bool {
    let mut walker = game.walker();
    walker.jump(state);
    walker.goal(role).value() == Some(*game.facts().goal_range.end())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attempt {
    game: String,
    moves: Vec<Joint>,
    #[serde(rename = "move")]
    made: String,
}

#[derive(Serialize)]
struct Judged {
    right: bool,
    best: String,
    /// Best play from the position to the end.
    line: Vec<Joint>,
}

/// Whether a move solves a puzzle.
fn answer(site: &Arc<Site>, asked: &Attempt) -> Result<Judged, Refusal> {
    let entry = site.games.find(&asked.game)?;
    let rules = entry.rules()?;
    let game = entry.walking(&rules);
    refuse(&game)?;
    let mut played = line::start(&game);
    line::follow(&mut played, &asked.moves, site.options.limits.line_length)?;
    let solution = solve(&game, played.state(), SolveBudget::states(STATES));
    let solution = solution.map_err(|error| Refusal::unusable(error.to_string()))?;
    let (_, best) = winning(&game, &solution)
        .ok_or_else(|| Refusal::unusable("in this position it is not one move that wins"))?;
    let name = |id: MoveId| game.moves().name(id).to_string();
    let line = solution.line.iter();
    Ok(Judged {
        right: name(best) == asked.made,
        best: name(best),
        line: line
            .map(|joint| joint.iter().map(|&id| name(id)).collect())
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use paidia_game::{Game, Legible, Rules, Walker};
    use paidia_testkit::bundled;

    use super::{AtomicBool, Level, RoleId, find, line};

    /// The one winning move is judged without the solver: in a puzzle that is easy it alone ends
    /// the game with the highest goal.
    #[test]
    fn exactly_one_move_of_an_easy_puzzle_wins_at_once() {
        for name in ["tic-tac-toe", "connect-four"] {
            let game = bundled(name).any();
            let found = find(&game, 3, Level::Easy, &AtomicBool::new(false))
                .ok()
                .flatten()
                .unwrap();
            assert_eq!(found.level, Level::Easy, "{name}");
            let mut played = line::start(&game);
            line::follow(&mut played, &found.moves, 100).unwrap_or_else(|_| panic!("{name}"));
            assert!(!game.fluents(played.state()).is_empty());
            let (mut walker, mut wins) = (game.walker(), 0);
            for &made in played.legal(found.role) {
                walker.jump(played.state());
                let legal = walker.legal();
                let part = |role: RoleId| {
                    if role == found.role {
                        made
                    } else {
                        legal.of(role)[0]
                    }
                };
                let joint: Vec<_> = game.facts().role_ids().map(part).collect();
                walker.advance(&joint, &mut paidia_game::Chance::from_seed(0));
                wins +=
                    u32::from(walker.is_terminal() && walker.goal(found.role).value() == Some(100));
            }
            assert_eq!(wins, 1, "{name}");
        }
    }
}
