//! Tic-tac-toe as the appendix of the thesis has it.

use paidia_game::{AnyGame, Chance, Game, Goal, Legible, MoveId, RoleId, Rules, Walker};
use paidia_testkit::bundled;

const X: RoleId = RoleId(0);
const O: RoleId = RoleId(1);

fn engines() -> [AnyGame; 2] {
    [
        AnyGame::new(bundled("tic-tac-toe").reference()),
        AnyGame::new(bundled("tic-tac-toe").propnet()),
    ]
}

/// The walker after marks made in turn, each in a square such as `(1, 2)`.
fn after(game: &AnyGame, marks: &[(u32, u32)]) -> paidia_game::AnyWalker {
    let (mut walker, mut chance) = (game.walker(), Chance::from_seed(0));
    for (ply, (column, row)) in marks.iter().enumerate() {
        let text = format!("(mark {column} {row})");
        let legal = walker.legal();
        let mut joint: Vec<MoveId> = legal.iter().map(|(_, moves)| moves[0]).collect();
        let moves = legal.of(RoleId(ply as u16 % 2));
        joint[ply % 2] = *moves
            .iter()
            .find(|&&id| *game.moves().name(id) == *text)
            .unwrap();
        paidia_game::play(game, &mut walker, &joint, &mut chance).unwrap();
    }
    walker
}

fn fluents(game: &AnyGame, walker: &paidia_game::AnyWalker) -> Vec<String> {
    let mut state = game.initial();
    walker.save(&mut state);
    game.fluents(&state)
}

#[test]
fn the_first_player_has_nine_marks_and_the_second_waits() {
    for game in engines() {
        let mut walker = game.walker();
        let names = |moves: &[MoveId]| -> Vec<String> {
            moves
                .iter()
                .map(|&id| game.moves().name(id).to_string())
                .collect()
        };
        let squares =
            (1..=3).flat_map(|column| (1..=3).map(move |row| format!("(mark {column} {row})")));
        let legal = walker.legal();
        assert_eq!(names(legal.of(X)), squares.collect::<Vec<_>>());
        assert_eq!(names(legal.of(O)), ["noop"]);
        assert!(!walker.is_terminal());
    }
}

#[test]
fn a_joint_move_replaces_the_state() {
    for game in engines() {
        let before = fluents(&game, &after(&game, &[]));
        let now = fluents(&game, &after(&game, &[(1, 2)]));
        let gone: Vec<&String> = before
            .iter()
            .filter(|fluent| !now.contains(fluent))
            .collect();
        let new: Vec<&String> = now
            .iter()
            .filter(|fluent| !before.contains(fluent))
            .collect();
        let roles = &game.facts().roles;
        assert_eq!(before.len(), 10);
        assert!(
            gone.iter()
                .all(|fluent| fluent.contains("1 2") || fluent.contains(&roles[0])),
            "{gone:?}"
        );
        assert!(
            new.iter()
                .all(|fluent| fluent.contains("1 2") || fluent.contains(&roles[1])),
            "{new:?}"
        );
        assert_eq!((gone.len(), new.len()), (2, 2));
    }
}

#[test]
fn a_line_wins_and_a_full_board_draws() {
    let won = [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)];
    let lost = [(3, 3), (1, 1), (2, 1), (1, 2), (2, 2), (1, 3)];
    let drawn = [
        (1, 1),
        (2, 2),
        (3, 3),
        (1, 2),
        (3, 2),
        (3, 1),
        (1, 3),
        (2, 3),
        (2, 1),
    ];
    for game in engines() {
        for (marks, goals) in [
            (&won[..], (100, 0)),
            (&lost[..], (0, 100)),
            (&drawn[..], (50, 50)),
        ] {
            let mut walker = after(&game, &marks[..marks.len() - 1]);
            assert!(!walker.is_terminal(), "{marks:?}");
            walker = after(&game, marks);
            assert!(walker.is_terminal(), "{marks:?}");
            let found = (walker.goal(X), walker.goal(O));
            assert_eq!(found, (Goal::One(goals.0), Goal::One(goals.1)), "{marks:?}");
        }
    }
}
