//! Exact values: known games, small graphs with known answers, and polite refusals.

use paidia_game::solve::{Method, Oracle};
use paidia_game::{
    Chance, Game, RoleId, Rules, Solution, SolveBudget, SolveError, Walker, play, solve,
};

use crate::games::coins::Coins;
use crate::games::graph::{GraphGame, Node};
use crate::games::tic_tac_toe::{Flaw, TicTacToe};

const BUDGET: SolveBudget = SolveBudget {
    states: 10_000,
    edges: 100_000,
};

fn solved(roles: u16, nodes: &[Node]) -> Result<Solution, SolveError> {
    let game = GraphGame::new(roles, nodes);
    let solution = solve(&game, &0, BUDGET)?;
    // The line can be played and ends with the goals that are promised.
    let mut walker = game.walker();
    for joint in &solution.line {
        play(&game, &mut walker, joint, &mut Chance::from_seed(0)).unwrap();
    }
    assert!(walker.is_terminal());
    let goals: Vec<i32> = game
        .facts()
        .role_ids()
        .filter_map(|role| walker.goal(role).value())
        .collect();
    assert_eq!(goals, solution.goals);
    Ok(solution)
}

#[test]
fn tic_tac_toe_is_a_draw_and_every_opening_holds_it() {
    let game = TicTacToe::new();
    let solution = solve(&game, &game.initial(), BUDGET).unwrap();
    assert_eq!(solution.method, Method::Minimax);
    assert_eq!(solution.goals, [50, 50]);
    assert_eq!(solution.best_moves.len(), 9);
    assert_eq!(solution.line.len(), 9);
    assert_eq!(solution.states, 5478);
}

#[test]
fn a_won_position_is_won_by_the_winning_move() {
    let game = TicTacToe::new();
    let mut walker = game.walker();
    let line = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)";
    paidia_game::follow(&game, &mut walker, line, &mut Chance::from_seed(0)).unwrap();
    let mut start = game.initial();
    walker.save(&mut start);
    let solution = solve(&game, &start, BUDGET).unwrap();
    assert_eq!(solution.goals, [100, 0]);
    let best: Vec<_> = solution
        .best_moves
        .iter()
        .map(|&id| game.moves().name(id))
        .collect();
    assert!(best.contains(&"(mark 1 3)".into()));
}

#[test]
fn an_oracle_knows_what_the_whole_graph_says() {
    let game = TicTacToe::new();
    let mut oracle = Oracle::new(&game, 10_000).unwrap();
    let mut chance = Chance::from_seed(4);
    for _ in 0..30 {
        let (mut walker, mut states) = (game.walker(), vec![game.initial()]);
        let mut is_faultless = true;
        while !walker.is_terminal() {
            let state = *states.last().unwrap();
            let solution = solve(&game, &state, BUDGET).unwrap();
            assert_eq!(oracle.value(&state).unwrap(), solution.goals[0]);
            let mut best = solution.best_moves;
            game.moves().sort(&mut best);
            if solution.mover.is_some() {
                assert_eq!(oracle.best_moves(&state).unwrap(), best);
            }
            let mut joint = Vec::new();
            walker.draw(&mut chance, &mut joint).unwrap();
            let mover = solution.mover.map_or(0, RoleId::index);
            is_faultless &= best.is_empty() || best.contains(&joint[mover]);
            walker.advance(&joint, &mut chance);
            let mut next = state;
            walker.save(&mut next);
            states.push(next);
        }
        assert_eq!(oracle.is_faultless(&states).unwrap(), is_faultless);
    }
    assert!(oracle.remembered() < 5_478);
}

#[test]
fn an_oracle_refuses_what_it_cannot_answer() {
    let answer = |nodes: &[Node], states| {
        let game = GraphGame::new(2, nodes);
        let value = Oracle::new(&game, states).unwrap().value(&0);
        value.unwrap_err().to_string()
    };
    let (win, loss) = (Node::End(vec![100, 0]), Node::End(vec![0, 100]));
    let endless = [
        Node::Choice(0, vec![1, 1]),
        Node::Choice(1, vec![0, 2]),
        win.clone(),
    ];
    assert!(answer(&endless, 100).contains("does not end"));
    let generous = [
        Node::Choice(0, vec![1, 2]),
        loss.clone(),
        Node::End(vec![90, 90]),
    ];
    assert!(answer(&generous, 100).contains("add up"));
    let together = [Node::All(vec![1, 2]), win.clone(), loss.clone()];
    assert!(answer(&together, 100).contains("same time"));
    assert!(answer(&[Node::Choice(0, vec![1, 2]), loss, win], 0).contains("more than 0 states"));
    assert!(Oracle::new(&GraphGame::new(3, &[Node::End(vec![1, 2, 3])]), 9).is_err());
}

#[test]
fn a_single_player_takes_the_best_end_by_the_shortest_way() {
    // The best end, 80, is two moves away by one way and three by the other.
    let solution = solved(
        1,
        &[
            Node::Choice(0, vec![1, 2]),
            Node::Choice(0, vec![3, 0]),
            Node::Choice(0, vec![4, 2]),
            Node::Choice(0, vec![4, 5]),
            Node::End(vec![80]),
            Node::End(vec![30]),
        ],
    )
    .unwrap();
    assert_eq!(solution.method, Method::BestReachable);
    assert_eq!(solution.goals, [80]);
    assert_eq!(solution.line.len(), 2);
}

#[test]
fn a_single_player_stops_looking_at_the_highest_goal() {
    let mut nodes = vec![Node::Choice(0, vec![1, 2]), Node::End(vec![100])];
    nodes.extend((2..5000).map(|node| Node::Choice(0, vec![node + 1])));
    nodes.push(Node::End(vec![0]));
    let solution = solved(1, &nodes).unwrap();
    assert_eq!((solution.goals, solution.states), (vec![100], 2));
}

#[test]
fn repeated_positions_do_not_confuse_minimax() {
    // The two can go round in circles between nodes 0 and 1, but either can leave the circle with
    // 40 to 60.
    let nodes = [
        Node::Choice(0, vec![1, 2]),
        Node::Choice(1, vec![0, 3, 4]),
        Node::End(vec![40, 60]),
        Node::End(vec![90, 10]),
        Node::End(vec![40, 60]),
    ];
    let solution = solved(2, &nodes).unwrap();
    assert_eq!(solution.method, Method::Minimax);
    assert_eq!(solution.goals, [40, 60]);
    assert_eq!(solution.best_moves.len(), 2);
    assert_eq!(solution.line.len(), 1);
}

#[test]
fn play_that_need_not_end_has_no_value() {
    let error = solved(
        2,
        &[
            Node::Choice(0, vec![1, 2]),
            Node::Choice(1, vec![0, 0]),
            Node::End(vec![0, 100]),
        ],
    );
    let error = error.unwrap_err();
    assert!(matches!(error, SolveError::Endless(_)), "{error:?}");
    assert!(
        error
            .to_string()
            .contains("r0 can force a goal of 0, r1 cannot force the end"),
        "{error}"
    );
}

#[test]
fn three_players_take_what_is_best_for_themselves() {
    // r0 would like 90, but there r1 chooses; r1 is indifferent at node 2 and takes the first move.
    let solution = solved(
        3,
        &[
            Node::Choice(0, vec![1, 2]),
            Node::Choice(1, vec![3, 4]),
            Node::Choice(1, vec![5, 6]),
            Node::End(vec![90, 10, 0]),
            Node::End(vec![10, 50, 40]),
            Node::End(vec![20, 30, 50]),
            Node::End(vec![0, 30, 70]),
        ],
    )
    .unwrap();
    assert_eq!(solution.method, Method::MaxN);
    assert_eq!(solution.goals, [20, 30, 50]);
}

#[test]
fn two_players_without_a_constant_sum_are_solved_by_max_n() {
    let solution = solved(
        2,
        &[
            Node::Choice(0, vec![1, 2]),
            Node::End(vec![60, 60]),
            Node::End(vec![50, 0]),
        ],
    )
    .unwrap();
    assert_eq!(
        (solution.method, solution.goals),
        (Method::MaxN, vec![60, 60])
    );
}

#[test]
fn what_cannot_be_solved_is_refused_with_the_reason() {
    let both = [
        Node::All(vec![1, 2]),
        Node::End(vec![0, 100]),
        Node::End(vec![100, 0]),
    ];
    let error = solved(2, &both).unwrap_err().to_string();
    assert_eq!(
        error,
        "exact solving does not apply: r0 and r1 choose at the same time"
    );

    let coins = Coins::new();
    let error = solve(&coins, &coins.initial(), BUDGET)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "exact solving does not apply: chance draws some of the moves"
    );

    let circle = [
        Node::Choice(0, vec![0, 1, 2]),
        Node::End(vec![1, 1]),
        Node::End(vec![0, 1]),
    ];
    let error = solved(2, &circle).unwrap_err().to_string();
    assert!(
        error.starts_with("max^n does not apply: positions can repeat"),
        "{error}"
    );
}

#[test]
fn a_budget_and_faulty_rules_are_told() {
    let game = TicTacToe::new();
    let budget = SolveBudget::states(50);
    let error = solve(&game, &game.initial(), budget).unwrap_err();
    assert!(
        matches!(error, SolveError::OutOfBudget { states: 50, .. }),
        "{error:?}"
    );
    let budget = SolveBudget {
        states: 10_000,
        edges: 20,
    };
    let error = solve(&game, &game.initial(), budget).unwrap_err();
    assert_eq!(error, SolveError::TooManyEdges { edges: 20 });

    let stuck = TicTacToe::with_flaw(Flaw::Stuck);
    let error = solve(&stuck, &stuck.initial(), BUDGET).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("no legal move in a state that is not terminal"),
        "{error}"
    );
    let goalless = solved(2, &[Node::Choice(0, vec![1, 1]), Node::End(vec![3])]).unwrap_err();
    assert_eq!(
        goalless.to_string(),
        "the rules are faulty: r1 has no goal in a terminal state"
    );
}
