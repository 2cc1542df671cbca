//! Small made-up games that are odd: roles get stuck, have no goal or several, lines never end.
//!
//! A seed gives a rule sheet that passes the checks, though with warnings. Its states are places
//! numbered from 0 on; in each place every role has some moves, perhaps none, and the moves of one
//! role decide which place comes next.

use std::fmt::Write as _;

use paidia_game::Chance;

/// What a made-up game is like.
#[derive(Clone, Copy, Debug)]
pub struct Oddities {
    /// How many roles there are.
    pub roles: u32,
    /// How many places there are.
    pub places: u32,
    /// The most moves of a role in a place.
    pub moves: u32,
    /// Of a hundred roles in places, how many have no move there.
    pub stuck: u32,
    /// Of a hundred roles in places, how many have no goal there, and how many have two.
    pub odd_goals: u32,
    /// Whether the last role is chance.
    pub has_chance: bool,
}

impl Oddities {
    /// Drawn by a seed: one to three roles as a rule, now and then twenty.
    #[must_use]
    pub fn drawn(seed: u64) -> Self {
        let mut chance = Chance::from_seed(seed);
        let roles = match chance.below(10) {
            0 => 20,
            drawn => 1 + drawn % 3,
        };
        Self {
            roles,
            places: 2 + chance.below(7),
            moves: 1 + chance.below(4),
            stuck: [0, 5, 15, 40][chance.below(4) as usize] / roles.div_ceil(6),
            odd_goals: [0, 20, 60][chance.below(3) as usize],
            has_chance: roles > 1 && chance.below(5) == 0,
        }
    }
}

/// The rule sheet of a made-up game.
#[must_use]
pub fn sheet(oddities: Oddities, seed: u64) -> String {
    let mut chance = Chance::from_seed(!seed);
    let mut text = String::new();
    for role in 0..oddities.roles {
        let _ = writeln!(text, "(role {})", role_name(oddities, role));
    }
    text.push_str("(init (at 0))\n");
    for place in 0..oddities.places {
        describe_place(oddities, place, &mut chance, &mut text);
    }
    // Whatever was drawn, some place ends the game, and every relation has a rule.
    let last = oddities.places;
    let _ = writeln!(text, "(<= terminal (true (at {last})))");
    for role in 0..oddities.roles {
        let name = role_name(oddities, role);
        let goal = chance.below(5) * 25;
        let _ = writeln!(text, "(<= (goal {name} {goal}) (true (at {last})))");
        let _ = writeln!(text, "(<= (legal {name} rest) (true (at {last})))");
    }
    text
}

fn role_name(oddities: Oddities, role: u32) -> String {
    match oddities.has_chance && role + 1 == oddities.roles {
        true => "random".to_owned(),
        false => format!("r{role}"),
    }
}

/// The moves of all roles in a place, what comes of them, and the goals.
fn describe_place(oddities: Oddities, place: u32, chance: &mut Chance, text: &mut String) {
    let here = format!("(true (at {place}))");
    let driver = chance.below(oddities.roles);
    for role in 0..oddities.roles {
        let name = role_name(oddities, role);
        let is_stuck = chance.below(100) < oddities.stuck;
        let moves = match is_stuck {
            true => 0,
            false => 1 + chance.below(oddities.moves),
        };
        for id in 0..moves {
            let _ = writeln!(text, "(<= (legal {name} (go {id})) {here})");
        }
        if role == driver {
            for id in 0..moves.max(1) {
                let to = chance.below(oddities.places + 1);
                let does = format!("(does {name} (go {id}))");
                let _ = writeln!(text, "(<= (next (at {to})) {here} {does})");
            }
        }
        let goals = match chance.below(100) < oddities.odd_goals {
            true => 2 * chance.below(2),
            false => 1,
        };
        for goal in 0..goals {
            let value = goal * 25 + chance.below(2) * 50;
            let _ = writeln!(text, "(<= (goal {name} {value}) {here})");
        }
    }
    if chance.below(6) == 0 {
        let _ = writeln!(text, "(<= terminal {here})");
    }
}
