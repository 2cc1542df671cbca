//! Playouts that look a move ahead: what they win and avoid, compared with a search by hand.

use paidia_accel::{Batch, BatchOptions, Batches, Decisive};
use paidia_game::{BatchPlayouts, Chance, Game, Goal, MoveId, RoleId, Rules, Walker};
use paidia_reason::propnet::Propnet;
use paidia_testkit::bundled;

type State = <Propnet as Rules>::State;

/// Positions that are looked at, and playouts from each.
const POSITIONS: usize = 60;
const PLAYOUTS: u32 = 64;

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
        decisive: kind,
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
    for name in ["breakthrough-6x6", "connect-four", "tic-tac-toe"] {
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
