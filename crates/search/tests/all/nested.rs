//! Nested Monte Carlo search on bundled games: what its paper claims and proves.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use paidia_game::{Chance, Game, MoveId, RoleId, Rules, Walker, follow};
use paidia_reason::propnet::Propnet;
use paidia_search::nested::{Levels, Nested, Nesting};
use paidia_search::uct::{Playouts, Rave, RaveUse, Selection, Settings, Uct};
use paidia_search::{Budget, Decision, Informed, StopReason};
use paidia_testkit::bundled;

type State = <Propnet as Rules>::State;

/// The state after some moves.
fn after(game: &Propnet, line: &str) -> State {
    let (mut walker, mut state) = (game.walker(), game.initial());
    follow(game, &mut walker, line, &mut Chance::from_seed(0)).unwrap();
    walker.save(&mut state);
    state
}

/// Searches without a limit.
fn search(game: &Propnet, role: RoleId, nesting: Nesting, seed: u64, state: &State) -> Decision {
    Nested::new(game, role, nesting, seed).choose(state, Budget::default())
}

/// Random states of a game, from a least number of moves on, in which a role has a choice, each
/// with that role.
struct Positions<'a> {
    game: &'a Propnet,
    walker: <Propnet as Game>::Walker,
    chance: Chance,
    least: u32,
    joint: Vec<MoveId>,
}

impl<'a> Positions<'a> {
    fn new(game: &'a Propnet, least: u32) -> Self {
        Self {
            game,
            walker: game.walker(),
            chance: Chance::from_seed(5),
            least,
            joint: Vec::new(),
        }
    }

    fn next(&mut self) -> (State, RoleId) {
        loop {
            let steps = self.least + self.chance.below(4);
            self.walker.jump(&self.game.initial());
            for _ in 0..steps {
                if !self.walker.is_terminal() {
                    self.walker.draw(&mut self.chance, &mut self.joint).unwrap();
                    self.walker.advance(&self.joint, &mut self.chance);
                }
            }
            if self.walker.is_terminal() {
                continue;
            }
            let legal = self.walker.legal();
            let chooser = legal.iter().find(|(_, moves)| moves.len() > 1);
            if let Some((role, _)) = chooser {
                let mut state = self.game.initial();
                self.walker.save(&mut state);
                return (state, role);
            }
        }
    }
}

/// The levels in which something is left out, one combination after the other.
fn combination(number: u64) -> Levels {
    Levels::of([&[1, 2][..], &[1], &[2]][number as usize % 3])
}

/// Both propositions of the paper: what is left out does not change the move.
fn compare_moves(name: &str, least: u32, positions: u64, samples: u32) {
    let game = bundled(name).propnet();
    let mut source = Positions::new(&game, least);
    let mut saved = [0i64; 2];
    for seed in 0..positions {
        let (state, role) = source.next();
        let pairs = [
            (Nesting::plain(2), |nesting: &mut Nesting, levels| {
                nesting.cut = levels;
            }),
            (Nesting::discounted(2), |nesting: &mut Nesting, levels| {
                nesting.prune = levels;
            }),
        ] as [(Nesting, fn(&mut Nesting, Levels)); 2];
        for ((whole, leave_out), saved) in pairs.into_iter().zip(&mut saved) {
            let whole = Nesting { samples, ..whole };
            let mut part = whole;
            leave_out(&mut part, combination(seed));
            let whole = search(&game, role, whole, seed, &state);
            let part = search(&game, role, part, seed, &state);
            assert_eq!(whole.id, part.id, "{name}, position {seed}");
            *saved += whole.report.states as i64 - part.report.states as i64;
        }
    }
    // It would be easy to leave nothing out.
    assert!(saved.iter().all(|&states| states > 0), "{name}: {saved:?}");
}

#[test]
fn what_is_left_out_changes_no_move() {
    compare_moves("tic-tac-toe", 3, 6_000, 1);
    compare_moves("nim-small", 2, 1_500, 1);
    compare_moves("knightthrough-5x5", 8, 1_500, 1);
}

#[test]
fn nor_with_several_playouts_a_move_or_moves_at_the_same_time() {
    compare_moves("tic-tac-toe", 4, 500, 3);
    compare_moves("tic-tic-toe", 3, 500, 1);
}

#[test]
fn a_discount_finds_the_only_win_of_tic_tac_toe() {
    let game = bundled("tic-tac-toe").propnet();
    let state = after(&game, "(mark 1 1) (mark 1 2) (mark 3 2) (mark 2 2)");
    let count = |nesting: Nesting| {
        let mut moves: BTreeMap<String, u32> = BTreeMap::new();
        for seed in 0..1_000 {
            let id = search(&game, RoleId(0), nesting, seed, &state).id;
            *moves.entry(game.moves().name(id).to_string()).or_default() += 1;
        }
        moves
    };
    let discounted = count(Nesting::discounted(3));
    assert_eq!(
        discounted,
        BTreeMap::from([("(mark 3 1)".to_owned(), 1_000)])
    );
    let plain = count(Nesting::plain(3));
    // The paper has 575, of 1000.
    assert!((450..=650).contains(&plain["(mark 3 1)"]), "{plain:?}");
    assert_eq!(plain.get("(mark 1 3)"), None, "{plain:?}");
}

/// States visited in some searches of level 3 in the middle of a game.
fn states(game: &Propnet, state: &State, nesting: Nesting) -> u64 {
    let visited = |seed| search(game, RoleId(0), nesting, seed, state).report.states;
    (0..4).map(visited).sum()
}

#[test]
fn the_more_levels_leave_something_out_the_fewer_states_are_visited() {
    let game = bundled("breakthrough-5x5").propnet();
    let line = "(move 2 2 2 3) (move 4 4 4 3) (move 1 2 1 3) (move 5 4 5 3)";
    let state = after(&game, line);
    let levels = [&[][..], &[1], &[1, 2], &[1, 2, 3]].map(Levels::of);
    let cut = levels.map(|cut| {
        let nesting = Nesting {
            cut,
            ..Nesting::plain(3)
        };
        states(&game, &state, nesting)
    });
    assert!(cut.windows(2).all(|pair| pair[0] > 3 * pair[1]), "{cut:?}");
    let pruned = levels.map(|prune| Nesting {
        prune,
        ..Nesting::discounted(3)
    });
    let cascade = Nesting {
        cascade: true,
        ..pruned[3]
    };
    let pruned = pruned.map(|nesting| states(&game, &state, nesting));
    assert!(
        pruned.windows(2).all(|pair| pair[0] > pair[1]),
        "{pruned:?}"
    );
    assert!(states(&game, &state, cascade) < pruned[3]);
}

#[test]
fn any_number_of_roles_and_chance_are_served() {
    for (name, level) in [("chinese-checkers-3", 1), ("monty-hall", 3), ("battle", 1)] {
        let game = bundled(name).propnet();
        let (mut walker, mut state) = (game.walker(), game.initial());
        let mut chance = Chance::from_seed(3);
        for step in 0..3 {
            walker.save(&mut state);
            let choose = |role: RoleId| {
                if game.facts().random() == Some(role) {
                    return MoveId::CHANCE;
                }
                let chosen = || search(&game, role, Nesting::discounted(level), step, &state).id;
                assert_eq!(chosen(), chosen(), "{name}");
                chosen()
            };
            let joint: Vec<MoveId> = game.facts().role_ids().map(choose).collect();
            paidia_game::play(&game, &mut walker, &joint, &mut chance).unwrap();
            if walker.is_terminal() {
                break;
            }
        }
    }
}

#[test]
fn a_budget_ends_the_search_with_the_best_so_far() {
    let game = bundled("connect-four").propnet();
    let role = RoleId(0);
    let mut player = Nested::new(&game, role, Nesting::plain(3), 1);
    let decision = player.choose(&game.initial(), Budget::states(20_000));
    assert_eq!(decision.report.stopped, StopReason::States);
    assert!((20_000..21_000).contains(&decision.report.states));
    let decision = player.choose(&game.initial(), Budget::simulations(100));
    assert_eq!(decision.report.stopped, StopReason::Simulations);
    assert_eq!(decision.report.simulations, 100);
    let stop = AtomicBool::new(true);
    let decision = player.choose_until(&game.initial(), Budget::default(), &stop);
    assert_eq!(decision.report.stopped, StopReason::Interrupted);
    assert_eq!(decision.report.moves.len(), 7);
    assert!(decision.report.moves.iter().all(|one| one.visits == 0));
    let mut player = Nested::new(&game, role, Nesting::discounted(1), 1);
    let decision = player.choose(&game.initial(), Budget::default());
    assert_eq!(decision.report.stopped, StopReason::Done);
    let best = decision.report.moves[0];
    assert_eq!(best.id, decision.id);
    let others = decision.report.moves.iter();
    assert!(
        others
            .into_iter()
            .all(|one| one.visits == 1 && one.value <= best.value)
    );
}

#[test]
fn nothing_is_allocated_once_it_is_warm() {
    let game = bundled("connect-four").propnet();
    let mut player = Nested::new(&game, RoleId(0), Nesting::discounted(2), 1);
    let state = game.initial();
    player.choose(&state, Budget::default());
    let counted = allocation_counter::measure(|| {
        player.choose(&state, Budget::default());
    });
    // The report has a list of the moves, which is sorted.
    assert!(counted.count_total <= 4, "{counted:?}");
}

fn with_nested_playouts(nesting: Nesting, settings: Settings) -> Settings {
    Settings {
        playouts: Playouts::Nested(nesting),
        ..settings
    }
}

#[test]
fn tree_searches_play_out_by_nested_searches() {
    let game = bundled("connect-four").propnet();
    let cut = Nesting {
        cut: Levels::ALL,
        ..Nesting::plain(1)
    };
    let rave = Selection::Rave(Rave {
        exploration: 40.0,
        equivalence: 700.0,
        usage: RaveUse::Always,
    });
    let with_rave = Settings {
        selection: rave,
        ..Settings::cadia()
    };
    for settings in [Settings::cadia(), Settings::paidia(), with_rave] {
        let search = || {
            let settings = with_nested_playouts(cut, settings);
            let mut player = Uct::new(&game, RoleId(0), settings, 4);
            player.search(&game.initial(), Budget::simulations(200))
        };
        let (one, other) = (search(), search());
        assert_eq!((one.simulations, one.states), (200, other.states));
        assert_eq!(one.moves, other.moves);
        // Each step of a playout takes up to seven playouts, and there are many steps.
        assert!(one.playouts > 20 * one.simulations, "{}", one.playouts);
    }
}

#[test]
fn a_tree_search_ends_in_the_middle_of_a_nested_playout() {
    let game = bundled("connect-four").propnet();
    let settings = with_nested_playouts(Nesting::plain(3), Settings::cadia());
    let mut player = Uct::new(&game, RoleId(0), settings, 4);
    let report = player.search(&game.initial(), Budget::states(5_000));
    // A playout of this level takes a million states. What is left of it is played at random.
    assert_eq!(
        (report.simulations, report.stopped),
        (1, StopReason::States)
    );
    assert!((5_000..6_000).contains(&report.states), "{}", report.states);
}

#[test]
fn nested_playouts_take_the_wins_that_random_ones_miss() {
    let game = bundled("tic-tac-toe").propnet();
    // The role to move cannot prevent three in a row in three places.
    let state = after(
        &game,
        "(mark 1 1) (mark 1 3) (mark 3 3) (mark 2 3) (mark 3 1)",
    );
    let are_lost = |playouts| {
        let settings = Settings {
            playouts,
            discount: 1.0,
            ..Settings::cadia()
        };
        (0..20).all(|seed| {
            // One for each move.
            let mut player = Uct::new(&game, RoleId(1), settings, seed);
            let report = player.search(&state, Budget::simulations(4));
            report.moves.iter().all(|one| one.value == -100.0)
        })
    };
    assert!(are_lost(Playouts::Nested(Nesting::discounted(1))));
    assert!(!are_lost(Playouts::Uniform));
}
