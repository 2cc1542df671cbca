//! Playing: checked moves, random playouts, turn orders.

use paidia_game::{
    Chance, Ending, Game, IllegalMove, MoveId, PlayoutRunner, RoleId, Rules, TurnOrder, Walker,
    observe_turn_order, play,
};

use crate::games::coins::Coins;
use crate::games::graph::{GraphGame, Node};
use crate::games::tic_tac_toe::{Flaw, TicTacToe};

#[test]
fn an_illegal_move_names_its_role_and_changes_nothing() {
    let game = TicTacToe::new();
    let mut walker = game.walker();
    let mut chance = Chance::from_seed(1);
    let (mark, noop) = (MoveId(0), MoveId(9));
    let refused = play(&game, &mut walker, &[mark, mark], &mut chance).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`(mark 1 1)` is not a legal move of o here"
    );
    let refused = play(&game, &mut walker, &[mark], &mut chance).unwrap_err();
    assert_eq!(
        refused,
        IllegalMove::WrongLength {
            expected: 2,
            found: 1
        }
    );
    let refused = play(&game, &mut walker, &[MoveId::CHANCE, noop], &mut chance).unwrap_err();
    assert!(matches!(
        refused,
        IllegalMove::NotLegal {
            role: RoleId(0),
            ..
        }
    ));
    let mut state = game.initial();
    walker.save(&mut state);
    assert_eq!(state, game.initial());
    assert_eq!(play(&game, &mut walker, &[mark, noop], &mut chance), Ok(()));
}

#[test]
fn nobody_moves_after_the_end() {
    let game = GraphGame::new(1, &[Node::End(vec![7])]);
    let refused = play(
        &game,
        &mut game.walker(),
        &[MoveId(0)],
        &mut Chance::from_seed(1),
    );
    assert_eq!(refused, Err(IllegalMove::GameOver));
}

#[test]
fn chance_moves_for_random_alone() {
    let game = Coins::new();
    let mut walker = game.walker();
    let mut chance = Chance::from_seed(1);
    let tails = walker.legal().of(RoleId(0))[1];
    assert_eq!(
        play(
            &game,
            &mut walker,
            &[tails, tails, MoveId::CHANCE],
            &mut chance
        ),
        Ok(())
    );
    let refused = play(
        &game,
        &mut walker,
        &[MoveId::CHANCE, tails, tails],
        &mut chance,
    );
    assert!(matches!(
        refused,
        Err(IllegalMove::NotLegal {
            role: RoleId(0),
            ..
        })
    ));
}

#[test]
fn random_tic_tac_toe_has_its_known_odds() {
    let game = TicTacToe::new();
    let mut runner = PlayoutRunner::new(&game, game.initial(), 100);
    let mut chance = Chance::from_seed(1);
    for _ in 0..20_000 {
        assert_eq!(runner.run(&mut chance).ending, Ending::Finished);
    }
    let figures = runner.figures();
    assert_eq!((figures.playouts, figures.finished()), (20_000, 20_000));
    assert_eq!((figures.shortest, figures.longest), (5, 9));
    // x wins 0.5849 of random games, o 0.2881; five standard errors are 1.6 goal points.
    let x = figures.mean_goal(RoleId(0)).unwrap();
    let o = figures.mean_goal(RoleId(1)).unwrap();
    assert!((x - 64.84).abs() < 1.6, "{x}");
    assert!((x + o - 100.0).abs() < 1e-9);
    assert_eq!(
        figures.states as f64,
        figures.mean_length().unwrap() * 20_000.0
    );
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let game = Coins::new();
    let run = |seed| {
        let mut runner = PlayoutRunner::new(&game, game.initial(), 100);
        let mut chance = Chance::from_seed(seed);
        (0..50).for_each(|_| {
            runner.run(&mut chance);
        });
        runner.figures().clone()
    };
    assert_eq!(run(4), run(4));
    assert_ne!(run(4), run(5));
}

#[test]
fn figures_of_threads_add_up() {
    let game = Coins::new();
    let run = |chance: &mut Chance, playouts| {
        let mut runner = PlayoutRunner::new(&game, game.initial(), 100);
        (0..playouts).for_each(|_| {
            runner.run(chance);
        });
        runner.figures().clone()
    };
    let mut chance = Chance::from_seed(9);
    let mut parts = run(&mut chance, 10);
    parts.merge(&run(&mut chance, 20));
    assert_eq!(parts, run(&mut Chance::from_seed(9), 30));
    assert_eq!(parts.without_goal(RoleId(0)), 0);
    assert_eq!(parts.mean_goal(RoleId(2)), None);
}

#[test]
fn endless_play_is_cut_and_stuck_roles_and_limits_are_told() {
    let mut chance = Chance::from_seed(1);
    let endless = GraphGame::new(1, &[Node::Choice(0, vec![0, 0])]);
    let mut runner = PlayoutRunner::new(&endless, 0, 30);
    let playout = runner.run(&mut chance);
    assert_eq!((playout.length, playout.ending), (30, Ending::Cut));
    assert_eq!((runner.figures().cut, runner.figures().finished()), (1, 0));

    let stuck = TicTacToe::with_flaw(Flaw::Stuck);
    let mut runner = PlayoutRunner::new(&stuck, stuck.initial(), 30);
    while runner.figures().stuck == 0 {
        runner.run(&mut chance);
    }

    let small = Coins::with_move_limit(1);
    let mut runner = PlayoutRunner::new(&small, small.initial(), 30);
    runner.run(&mut chance);
    let fault = runner.figures().fault.unwrap();
    assert_eq!(
        fault.to_string(),
        "the engine stopped at a limit: more than 1 different moves"
    );
}

#[test]
fn turn_orders_are_seen() {
    assert_eq!(
        observe_turn_order(&TicTacToe::new(), 3, 1),
        TurnOrder::Alternating
    );
    assert_eq!(
        observe_turn_order(&Coins::new(), 3, 1),
        TurnOrder::Simultaneous
    );
    let single = GraphGame::new(1, &[Node::Choice(0, vec![1, 1]), Node::End(vec![1])]);
    assert_eq!(observe_turn_order(&single, 3, 1), TurnOrder::SinglePlayer);
    let over = GraphGame::new(2, &[Node::End(vec![1, 1])]);
    assert_eq!(observe_turn_order(&over, 3, 1), TurnOrder::Unknown);
}
