//! Players whose playouts or choices remember moves, on bundled games.

use paidia_game::{Chance, Game, MoveId, RoleId, Rules, Walker};
use paidia_reason::propnet::Propnet;
use paidia_search::uct::{Draw, Playouts, Rave, RaveUse, Selection, Settings, Uct};
use paidia_search::{Budget, Costs, Informed, Part};
use paidia_testkit::bundled;

fn with_playouts(playouts: Playouts) -> Settings {
    Settings {
        playouts,
        ..Settings::cadia()
    }
}

fn with_rave(usage: RaveUse) -> Settings {
    let selection = Selection::Rave(Rave {
        exploration: 40.0,
        equivalence: 700.0,
        usage,
    });
    Settings {
        selection,
        ..Settings::cadia()
    }
}

/// The moves that one player chooses for all roles in the first steps of a match with turns.
fn line(game: &Propnet, settings: Settings, steps: usize) -> Vec<MoveId> {
    let mut players: Vec<Uct<Propnet>> = game
        .facts()
        .role_ids()
        .map(|role| Uct::new(game, role, settings, 7))
        .collect();
    let (mut walker, mut chance, mut state) = (game.walker(), Chance::from_seed(9), game.initial());
    let mut line = Vec::new();
    for _ in 0..steps {
        walker.save(&mut state);
        let choices = players.iter_mut();
        let joint = choices.map(|player| player.choose(&state, Budget::simulations(150)).id);
        let joint: Vec<MoveId> = joint.collect();
        line.extend_from_slice(&joint);
        paidia_game::play(game, &mut walker, &joint, &mut chance).unwrap();
    }
    line
}

#[test]
fn a_decay_of_one_is_no_decay_and_another_is_noticed() {
    let game = bundled("connect-four").propnet();
    let moves = |decay| {
        let draw = Draw::Gibbs { temperature: 10.0 };
        line(&game, with_playouts(Playouts::Moves { draw, decay }), 12)
    };
    let plain = line(&game, Settings::cadia_history(), 12);
    assert_eq!(moves(1.0), plain);
    assert_ne!(moves(0.0), plain);
}

#[test]
fn playouts_by_sequences_can_be_repeated_and_differ_from_those_by_moves() {
    let game = bundled("connect-four").propnet();
    let sequences = || line(&game, with_playouts(Playouts::sequences()), 10);
    assert_eq!(sequences(), sequences());
    let draw = Draw::Greedy { epsilon: 0.2 };
    let moves = Playouts::Moves { draw, decay: 1.0 };
    assert_ne!(sequences(), line(&game, with_playouts(moves), 10));
}

#[test]
fn gibbs_may_draw_from_all_moves_of_a_state_or_from_the_untried_ones() {
    let game = bundled("connect-four").propnet();
    let drawn = |draws_all| {
        let settings = Settings {
            draws_all,
            // Cold enough to stay with a move that was tried and did well.
            ..with_playouts(Playouts::moves(0.1))
        };
        let mut player = Uct::new(&game, RoleId(0), settings, 1);
        let report = player.search(&game.initial(), Budget::simulations(7));
        let tried = report.moves.iter().filter(|own| own.visits > 0);
        tried.count()
    };
    assert_eq!(drawn(false), 7);
    assert!(drawn(true) < 7);
}

#[test]
fn everybody_takes_a_win_and_prevents_one() {
    let game = bundled("tic-tac-toe").propnet();
    let nst = Playouts::sequences();
    let mast = Playouts::moves(10.0);
    let ways = [
        with_playouts(mast),
        Settings {
            draws_all: true,
            ..with_playouts(mast)
        },
        with_playouts(nst),
        with_rave(RaveUse::Always),
        with_rave(RaveUse::Never),
        with_rave(RaveUse::Sometimes { probability: 0.5 }),
        with_rave(RaveUse::Adaptive { margin: 0.0 }),
        with_rave(RaveUse::AdaptiveEverywhere { margin: 0.0 }),
    ];
    for settings in ways {
        for (made, best) in [
            (
                ["(mark 1 1)", "(mark 2 2)", "(mark 1 2)", "(mark 3 3)"].as_slice(),
                "(mark 1 3)",
            ),
            (
                ["(mark 1 1)", "(mark 2 2)", "(mark 1 2)"].as_slice(),
                "(mark 1 3)",
            ),
        ] {
            assert_eq!(choice(&game, settings, made), best, "{settings:?}");
        }
    }
}

/// What a player chooses after some moves of roles that take turns.
fn choice(game: &Propnet, settings: Settings, made: &[&str]) -> String {
    let (mut walker, mut chance) = (game.walker(), Chance::from_seed(1));
    for (step, text) in made.iter().enumerate() {
        let own = game.moves().find(text).unwrap();
        let legal = walker.legal();
        let joint: Vec<MoveId> = game
            .facts()
            .role_ids()
            .map(|role| match role.index() == step % 2 {
                true => own,
                false => legal.of(role)[0],
            })
            .collect();
        walker.advance(&joint, &mut chance);
    }
    let role = RoleId((made.len() % 2) as u16);
    let mut state = game.initial();
    walker.save(&mut state);
    let mut player = Uct::new(game, role, settings, 3);
    let id = player.choose(&state, Budget::simulations(2_000)).id;
    game.moves().get(id).unwrap().to_string()
}

#[test]
fn a_search_tells_what_its_time_went_to() {
    let game = bundled("connect-four").propnet();
    let costs = |settings| -> Costs {
        let mut player = Uct::new(&game, RoleId(0), settings, 1);
        let budget = Budget::simulations(64 * 50);
        player.search(&game.initial(), budget).costs
    };
    let plain = costs(Settings::cadia());
    // A simulation that something else on the machine came into does not count.
    assert!((1..=50).contains(&plain.samples()), "{plain:?}");
    let sum: f64 = plain.shares().map(|(_, share)| share).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{plain:?}");
    assert!(plain.share(Part::Engine) > 0.0 && plain.share(Part::Selection) > 0.0);
    assert_eq!(plain.share(Part::Policy), 0.0);
    assert_eq!(plain.share(Part::Records), 0.0);
    let mast = costs(Settings::cadia_history());
    assert!(mast.share(Part::Policy) > 0.0, "{mast:?}");
    assert_eq!(mast.share(Part::Records), 0.0);
    let rave = costs(with_rave(RaveUse::Always));
    assert!(rave.share(Part::Records) > 0.0, "{rave:?}");
    assert_eq!(rave.share(Part::Policy), 0.0);
}

#[test]
fn a_tree_with_records_stays_within_its_memory() {
    let game = bundled("connect-four").propnet();
    let settings = Settings {
        memory: 60_000,
        ..with_rave(RaveUse::Always)
    };
    let mut player = Uct::new(&game, RoleId(0), settings, 1);
    player.search(&game.initial(), Budget::simulations(3_000));
    assert!(player.memory() <= 66_000, "{}", player.memory());
}
