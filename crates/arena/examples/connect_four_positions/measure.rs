//! A player on the positions.

use paidia_arena::{Playable, PlayerSpec};
use paidia_game::{Chance, Game, MoveId, RoleId, Rules, Walker};
use paidia_reason::propnet::Propnet;
use paidia_search::{Budget, Decision};

use crate::positions::Position;
use crate::solver::Value;
use crate::{bundled, common};

/// Discs in a row of the table.
const STEP: u32 = 5;

/// Lets the player move in every position and prints how often it keeps the value.
pub(crate) fn print(positions: &[Position], spec: &PlayerSpec, budget: Budget, seed: u64) {
    let game = bundled::load("connect-four");
    let mut results = Vec::new();
    for position in positions {
        let decision = answer(&game, position, spec, budget, seed);
        let column = column_of(&game.game, decision.id);
        let right = position.right.contains(&column);
        if !right {
            print_failure(&game.game, position, &decision, column);
        }
        results.push((position, right));
    }
    println!(
        "\n{:<22}{:>10}{:>10}{:>10}",
        "discs", "positions", "right", "share"
    );
    let row = |name: &str, wanted: &dyn Fn(&Position) -> bool| {
        let of_row = results.iter().filter(|(position, _)| wanted(position));
        let (count, right) = of_row.fold((0, 0), |(count, right), result| {
            (count + 1, right + u32::from(result.1))
        });
        if count > 0 {
            let share = 100.0 * f64::from(right) / f64::from(count);
            println!("{name:<22}{count:>10}{right:>10}{share:>9.1}%");
        }
    };
    for from in (8..=22).step_by(STEP as usize) {
        let discs = from..from + STEP;
        row(&format!("{} to {}", from, from + STEP - 1), &|position| {
            discs.contains(&position.board.plies())
        });
    }
    row("won", &|position| position.value == Value::Win);
    row("drawn", &|position| position.value == Value::Draw);
    row("a threat to answer", &Position::is_forced);
    row("all", &|_| true);
}

fn print_failure(game: &Propnet, position: &Position, decision: &Decision, column: u32) {
    let report = &decision.report;
    let moves: Vec<String> = report
        .moves
        .iter()
        .map(|made| {
            format!(
                "{}: {:.1} in {}",
                column_of(game, made.id),
                made.value,
                made.visits
            )
        })
        .collect();
    println!(
        "{}: chose {column} ({} simulations; {})",
        position.line(),
        report.simulations,
        moves.join(", ")
    );
}

/// What a new player does in the position.
pub(crate) fn answer(
    game: &Playable<Propnet>,
    position: &Position,
    spec: &PlayerSpec,
    budget: Budget,
    seed: u64,
) -> Decision {
    let (mut walker, mut chance) = (game.game.walker(), Chance::from_seed(0));
    for (ply, digit) in position.moves.chars().enumerate() {
        let text = format!("(drop {digit})");
        let legal = walker.legal();
        let mut joint: Vec<MoveId> = legal.iter().map(|(_, moves)| moves[0]).collect();
        let mover = &legal.of(RoleId((ply % 2) as u16));
        let dropped = mover
            .iter()
            .find(|&&id| *game.game.moves().name(id) == *text);
        joint[ply % 2] = *dropped.expect("the column has room in the bundled game too");
        walker.advance(&joint, &mut chance);
    }
    let mut state = game.game.initial();
    walker.save(&mut state);
    let role = RoleId((position.board.plies() % 2) as u16);
    common::search(spec, game, role, seed).choose(&state, budget)
}

/// The column of a drop, from 1 on.
pub(crate) fn column_of(game: &Propnet, id: MoveId) -> u32 {
    let name = game.moves().name(id);
    let digit = name.chars().find_map(|character| character.to_digit(10));
    digit.expect("the player on the move drops a disc")
}

#[cfg(test)]
mod tests {
    use paidia_search::Budget;

    use super::{answer, column_of};
    use crate::bundled;
    use crate::positions;

    #[test]
    fn the_default_player_is_right_more_often_than_not_with_few_simulations() {
        let game = bundled::load("connect-four");
        let spec = "paidia".parse().unwrap();
        let chosen: Vec<_> = positions::all().into_iter().step_by(8).collect();
        let right = chosen.iter().filter(|position| {
            let decision = answer(&game, position, &spec, Budget::simulations(2_000), 1);
            position.right.contains(&column_of(&game.game, decision.id))
        });
        // A move drawn at random is right in less than a third of the positions.
        let right = right.count();
        assert!(right * 2 > chosen.len(), "{right} of {}", chosen.len());
    }
}
