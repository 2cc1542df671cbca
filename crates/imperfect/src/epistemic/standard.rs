//! Six properties that a well-made game has (Huang, Ruan and Thielscher, GIGA'13).

use paidia_game::{Game, Goal, Legible, MoveId};

use super::formula::Formula;
use crate::explore::{Explorer, TooLarge};

/// A property of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its number, from 1 to 6, as the paper has it.
    pub number: u8,
    /// The player that it is about, if it is about one.
    pub player: Option<String>,
    /// What it means.
    pub meaning: String,
    /// The formula.
    pub formula: Formula,
}

fn atom(text: String) -> Formula {
    Formula::Atom(text)
}

fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}

fn implies(one: Formula, other: Formula) -> Formula {
    Formula::Implies(Box::new(one), Box::new(other))
}

fn globally(formula: Formula) -> Formula {
    Formula::Globally(Box::new(formula))
}

fn knows_whether(player: &str, formula: &Formula) -> Formula {
    let knows = |formula: Formula| Formula::Knows(player.to_owned(), Box::new(formula));
    Formula::Or(vec![knows(formula.clone()), knows(not(formula.clone()))])
}

/// The properties of a game. Moves and goals are those of reachable states.
///
/// # Errors
/// If the game is too large.
pub fn properties<G: Game + Legible>(
    explorer: &mut Explorer<G>,
) -> Result<Vec<Property>, TooLarge> {
    explorer.expand_all()?;
    let table = &explorer.table;
    let terminal = || atom("terminal".to_owned());
    let moves = |place: usize| {
        let role = paidia_game::RoleId(place as u16);
        let states = table.states.iter();
        let mut ids: Vec<MoveId> = states
            .flat_map(|entry| entry.legal.of(role))
            .copied()
            .collect();
        ids.sort_unstable();
        ids.dedup();
        let legal = |id| {
            atom(format!(
                "(legal {} {})",
                table.roles[place],
                explorer.game.moves().name(id)
            ))
        };
        ids.into_iter().map(legal).collect::<Vec<Formula>>()
    };
    let playable = (0..table.roles.len())
        .map(|place| Formula::Or(moves(place)))
        .collect();
    let mut properties = vec![
        Property {
            number: 1,
            player: None,
            meaning: "the game always ends".to_owned(),
            formula: Formula::All(Box::new(Formula::Finally(Box::new(terminal())))),
        },
        Property {
            number: 2,
            player: None,
            meaning: "until the end every role always has a legal move".to_owned(),
            formula: Formula::All(Box::new(globally(implies(
                not(terminal()),
                Formula::And(playable),
            )))),
        },
    ];
    for role in &table.players {
        let name = &table.roles[role.index()];
        let highest = explorer.game.facts().goal_range.end();
        let won = atom(format!("(goal {name} {highest})"));
        let states = table.states.iter();
        let mut goals: Vec<i32> = states
            .filter_map(|entry| match entry.goals[role.index()] {
                Goal::One(value) => Some(value),
                Goal::None | Goal::Several => None,
            })
            .collect();
        goals.sort_unstable();
        goals.dedup();
        let goals = goals
            .iter()
            .map(|value| knows_whether(name, &atom(format!("(goal {name} {value})"))));
        let legal = moves(role.index())
            .into_iter()
            .map(|legal| knows_whether(name, &legal));
        let knows_end = Formula::Knows(name.clone(), Box::new(terminal()));
        let own: [(u8, String, Formula); 4] = [
            (
                3,
                format!("{name} can reach the highest goal"),
                not(Formula::All(Box::new(globally(not(won))))),
            ),
            (
                4,
                format!("{name} knows when the game is over"),
                globally(implies(terminal(), knows_end)),
            ),
            (
                5,
                format!("{name} always knows which of its moves are legal"),
                globally(implies(not(terminal()), Formula::And(legal.collect()))),
            ),
            (
                6,
                format!("{name} knows its goal at the end"),
                globally(implies(terminal(), Formula::And(goals.collect()))),
            ),
        ];
        properties.extend(own.map(|(number, meaning, formula)| Property {
            number,
            player: Some(name.clone()),
            meaning,
            formula,
        }));
    }
    properties.sort_by_key(|property| property.number);
    Ok(properties)
}
