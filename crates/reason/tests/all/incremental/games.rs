//! Games: jumps between unrelated states, and how much work updates take.

use paidia_game::{Chance, Game, Goal, Legible, MoveId, RoleId, Rules, Walker, playout};
use paidia_reason::incremental::{Options, Work};
use paidia_reason::{Incremental, Reference};
use paidia_testkit::bundled;

/// All that can be asked in a state, as texts.
fn view<G: Game>(game: &G, walker: &mut G::Walker) -> (bool, Vec<Vec<String>>, Vec<Goal>) {
    let legal = walker.legal().iter().map(|(_, moves)| {
        let texts = moves.iter().map(|&id| game.moves().name(id).to_string());
        texts.collect()
    });
    let legal = legal.collect();
    let roles = 0..game.facts().roles.len() as u16;
    let goals = roles.map(|role| walker.goal(RoleId(role))).collect();
    (walker.is_terminal(), legal, goals)
}

/// States from the beginning to the end of some matches, as lists of fluents.
fn states(game: &Reference, matches: u32) -> Vec<Vec<String>> {
    let mut chance = Chance::from_seed(11);
    let (mut joint, mut state): (Vec<MoveId>, _) = (Vec::new(), game.initial());
    let mut found = Vec::new();
    for length in 0..matches {
        let mut walker = game.walker();
        playout(&mut walker, &mut joint, 3 * length, &mut chance);
        walker.save(&mut state);
        found.push(game.fluents(&state));
    }
    found
}

#[test]
fn unrelated_states_can_be_jumped_to() {
    for name in ["hex-7x7", "connect-four", "othello", "atari-go-7x7"] {
        let program = bundled(name).program();
        let game = Incremental::new(name, &program).unwrap();
        let reference = Reference::new(name, &program).unwrap();
        let states = states(&reference, 20);
        let (mut walker, mut trusted) = (game.walker(), reference.walker());
        let mut chance = Chance::from_seed(1);
        for jump in 0..60 {
            let texts = &states[chance.below(states.len() as u32) as usize];
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            walker.jump(&game.state(&texts).unwrap());
            // Sometimes on at once, with everything left to do.
            if jump % 3 == 0 {
                continue;
            }
            trusted.jump(&reference.state(&texts).unwrap());
            let expected = view(&reference, &mut trusted);
            assert_eq!(view(&game, &mut walker), expected, "{name}, jump {jump}");
        }
    }
}

/// How much a few random playouts take, without asking for goals.
fn work(name: &str, options: Options) -> Work {
    let game = Incremental::with(name, &bundled(name).program(), options).unwrap();
    let (mut walker, mut joint) = (game.walker(), Vec::new());
    let mut chance = Chance::from_seed(4);
    for _ in 0..10 {
        walker.jump(&game.initial());
        playout(&mut walker, &mut joint, 200, &mut chance);
    }
    walker.work()
}

#[test]
fn only_recursion_needs_a_heap() {
    for (name, recursive) in [
        ("connect-four", false),
        ("othello", false),
        ("hex-7x7", true),
        ("y-36", true),
    ] {
        let heap = work(name, Options::default()).heap;
        assert_eq!(heap > 0, recursive, "{name}: {heap}");
    }
}

#[test]
fn what_nobody_asks_for_is_not_looked_at() {
    let eager = Options {
        lazy: false,
        ..Options::default()
    };
    // In Hex the end needs all that the goals need; in the others, goals need more.
    for (name, more) in [("hex-7x7", 0), ("connect-four", 1), ("othello", 1)] {
        let (lazy, eager) = (work(name, Options::default()), work(name, eager));
        assert!(
            lazy.polls + more <= eager.polls,
            "{name}: {lazy:?}, {eager:?}"
        );
    }
}
