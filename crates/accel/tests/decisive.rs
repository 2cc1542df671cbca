//! Playouts that look a move ahead: what they win and avoid, compared with a search by hand.

use paidia_accel::{Batch, BatchOptions, Batches, Decisive, Draws};
use paidia_game::{BatchPlayouts, Chance, Game, Goal, MoveId, RoleId, Rules, Walker};
use paidia_reason::propnet::Propnet;
use paidia_testkit::bundled;

type State = <Propnet as Rules>::State;

/// Positions that are looked at, and playouts from each.
const POSITIONS: usize = 60;
const PLAYOUTS: u32 = 64;

/// Games of two in which what is lost at once can be avoided.
const GAMES: [&str; 6] = [
    "breakthrough-6x6",
    "connect-four",
    "tic-tac-toe",
    "knightthrough-5x5",
    "nine-board-tic-tac-toe",
    "pentago",
];

/// The states that the mover's moves lead to; nothing where several roles have a choice.
fn after(game: &Propnet, state: &State) -> Option<(RoleId, Vec<State>)> {
    let mut walker = game.walker();
    walker.jump(state);
    let legal = walker.legal().clone();
    let mut choosing = legal.iter().filter(|(_, moves)| moves.len() > 1);
    let (mover, moves) = choosing.next()?;
    if choosing.next().is_some() {
        return None;
    }
    let states = moves.iter().map(|&id| {
        let joint: Vec<MoveId> = legal
            .iter()
            .map(|(role, moves)| if role == mover { id } else { moves[0] })
            .collect();
        walker.jump(state);
        walker.advance(&joint, &mut Chance::from_seed(0));
        let mut next = state.clone();
        walker.save(&mut next);
        next
    });
    Some((mover, states.collect()))
}

/// Whether the game is over in a state with the highest goal for a role.
fn is_won(game: &Propnet, state: &State, role: RoleId) -> bool {
    let mut walker = game.walker();
    walker.jump(state);
    walker.is_terminal() && walker.goal(role) == Goal::One(*game.facts().goal_range.end())
}

/// Whether the mover of a state can win at once.
fn can_win(game: &Propnet, state: &State) -> bool {
    let mut walker = game.walker();
    walker.jump(state);
    if walker.is_terminal() {
        return false;
    }
    after(game, state)
        .is_some_and(|(mover, next)| next.iter().any(|next| is_won(game, next, mover)))
}

/// What came of playouts in positions of a kind.
#[derive(Debug, Default)]
struct Found {
    /// Positions with a move that wins at once, and playouts from there that took one.
    wins: u32,
    won: u32,
    /// Positions in which some moves let the opponent win at once and others do not, and playouts
    /// from there that avoided the first.
    choices: u32,
    avoided: u32,
}

fn play(name: &str, kind: Decisive) -> Found {
    let batches = Batches::new(bundled(name).ground());
    assert!(batches.is_decisive(kind), "{name}");
    let game = batches.propnet();
    let mut batch: Batch = batches.open(BatchOptions {
        blocks: 1,
        draws: kind.into(),
        ..BatchOptions::default()
    });
    let (mut chance, mut joint) = (Chance::from_seed(5), Vec::new());
    let (mut walker, mut state) = (game.walker(), game.initial());
    let mut found = Found::default();
    while found.wins.min(found.choices) < POSITIONS as u32 / 4 && found.wins < 400 {
        if walker.is_terminal() {
            walker.jump(&game.initial());
        }
        walker.save(&mut state);
        if let Some((mover, next)) = after(&game, &state) {
            let wins = next.iter().any(|next| is_won(&game, next, mover));
            let bad = next.iter().filter(|next| can_win(&game, next)).count();
            if wins || bad > 0 && bad < next.len() {
                batch.submit(state.words(), 0, PLAYOUTS);
                let (mut won, mut lost) = (0, 0);
                while batch.open() > 0 {
                    batch.run(16, &mut |ended| {
                        let own = ended.goals[mover.index()];
                        let best = Goal::One(*game.facts().goal_range.end());
                        won += u32::from(ended.playout.length == 1 && own == best);
                        lost += u32::from(ended.playout.length == 2 && own != best);
                    });
                }
                if wins {
                    (found.wins, found.won) = (found.wins + 1, found.won + won);
                } else {
                    found.choices += 1;
                    found.avoided += PLAYOUTS - lost;
                }
            }
        }
        walker.draw(&mut chance, &mut joint).unwrap();
        walker.advance(&joint, &mut chance);
    }
    println!("{name} {kind:?}: {found:?}");
    found
}

#[test]
fn playouts_win_at_once_and_do_not_lose_at_once() {
    for name in GAMES {
        let found = play(name, Decisive::Both);
        assert_eq!(found.won, found.wins * PLAYOUTS, "{name}");
        assert!(found.choices >= 10, "{name}");
        let wanted = f64::from(found.choices * PLAYOUTS) * 0.95;
        assert!(f64::from(found.avoided) >= wanted, "{name}: {found:?}");
    }
}

#[test]
fn playouts_of_the_first_kind_win_at_once_but_lose_at_once_too() {
    let found = play("connect-four", Decisive::Own);
    assert_eq!(found.won, found.wins * PLAYOUTS);
    assert!(found.avoided < found.choices * PLAYOUTS * 95 / 100);
}

#[test]
fn what_is_hidden_is_not_looked_at() {
    for name in ["krieg-tic-tac-toe", "battleships-in-fog", "eight-puzzle"] {
        let batches = Batches::new(bundled(name).ground());
        assert!(!batches.is_decisive(Decisive::Both), "{name}");
    }
}

#[test]
fn a_game_of_moves_at_the_same_time_is_played_as_before_where_nothing_is_seen() {
    // Each role has a choice in every state, so no move alone says what it leads to.
    let batches = Batches::new(bundled("rock-paper-scissors").ground());
    assert!(!batches.is_decisive(Decisive::Both));
}

/// What a move weighs in the tests below: a number of its own for each.
fn weight(role: RoleId, id: MoveId) -> u32 {
    (id.0 * 5 + u32::from(role.0) * 3) % 7 + 1
}

/// The mean goal of the first role and the mean length of random games in which moves are drawn by
/// their weights, one after the other.
fn weighed_by_hand(game: &Propnet, games: u32) -> (f64, f64) {
    let (mut walker, mut chance) = (game.walker(), Chance::from_seed(3));
    let (mut goals, mut length) = (0.0, 0.0);
    for _ in 0..games {
        walker.jump(&game.initial());
        while !walker.is_terminal() {
            let legal = walker.legal().clone();
            let mut joint = Vec::new();
            for (role, moves) in legal.iter() {
                let all: u32 = moves.iter().map(|&id| weight(role, id)).sum();
                let mut left = chance.below(all);
                let drawn = moves.iter().find(|&&id| match left < weight(role, id) {
                    true => true,
                    false => {
                        left -= weight(role, id);
                        false
                    }
                });
                joint.push(*drawn.unwrap());
            }
            walker.advance(&joint, &mut chance);
            length += 1.0;
        }
        goals += f64::from(walker.goal(RoleId(0)).value().unwrap());
    }
    (goals / f64::from(games), length / f64::from(games))
}

#[test]
fn moves_are_drawn_by_their_weights() {
    const GAMES: u32 = 20_000;
    for name in ["rock-paper-scissors", "connect-four", "number-scrabble"] {
        let batches = Batches::new(bundled(name).ground());
        let mut batch: Batch = batches.open(BatchOptions {
            draws: Draws {
                is_weighted: true,
                ..Draws::PLAIN
            },
            ..BatchOptions::default()
        });
        batch.weigh(&mut weight);
        batch.submit(&batches.initial(), 0, GAMES);
        let (mut goals, mut length) = (0.0, 0.0);
        while batch.open() > 0 {
            batch.run(64, &mut |ended| {
                goals += f64::from(ended.goals[0].value().unwrap());
                length += f64::from(ended.playout.length);
            });
        }
        let (goals, length) = (goals / f64::from(GAMES), length / f64::from(GAMES));
        let by_hand = weighed_by_hand(&batches.propnet(), GAMES);
        // Four standard errors of a difference of two means of goals from 0 to 100.
        assert!(
            (goals - by_hand.0).abs() < 2.0,
            "{name}: {goals} {by_hand:?}"
        );
        assert!(
            (length - by_hand.1).abs() < 0.02 * by_hand.1 + 0.01,
            "{name}: {length} {by_hand:?}"
        );
    }
}
