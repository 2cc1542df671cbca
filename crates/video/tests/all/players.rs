//! Controllers on small games whose best play is known.

use std::time::Duration;

use paidia_gdl::Source;
use paidia_video::players::{
    AtRandom, Budget, Controller, Method, Novelty, OneStep, Settings, Simulator, Tree, TreeOptions,
    Width, play,
};
use paidia_video::{Action, Level, read_with_level};

fn level(text: &str) -> Level {
    let (reading, level) = read_with_level(&Source::new("test", text));
    level.unwrap_or_else(|| panic!("{:?}", reading.problems))
}

/// A flag at the end of a corridor with a bend, and a pit next to the start.
pub(crate) const MAZE: &str = "\
BasicGame square_size=10
    SpriteSet
        flag > Immovable
        pit > Immovable
    LevelMapping
        f > flag
        p > pit
    InteractionSet
        avatar wall > stepBack
        avatar pit > killSprite
        flag avatar > killSprite scoreChange=1
    TerminationSet
        SpriteCounter stype=flag win=True
        SpriteCounter stype=avatar win=False
        Timeout limit=40 win=False
Level
wwwwwwww
wpA    w
wwwwww w
wf     w
wwwwwwww
";

/// Two boxes must be pushed into a hole, one from each side.
const BOXES: &str = "\
BasicGame square_size=10
    SpriteSet
        hole > Immovable
        box > Passive
    LevelMapping
        h > hole
        b > box
    InteractionSet
        avatar wall > stepBack
        avatar hole > stepBack
        box avatar > bounceForward
        box wall box > undoAll
        box hole > killSprite scoreChange=1
    TerminationSet
        SpriteCounter stype=box win=True
        Timeout limit=30 win=False
Level
wwwwwww
wA    w
w bhb w
wwwwwww
";

#[test]
fn width_searches_take_the_shortest_way() {
    let maze = level(MAZE);
    for novelty in [Novelty::One, Novelty::Two, Novelty::OneAndAHalf] {
        let mut search = Width::new(novelty);
        let outcome = play(&maze, &mut search, Budget::calls(3_000), 1);
        assert!(outcome.won, "{novelty:?} {outcome:?}");
        // Four to the right, two down, five to the left.
        assert_eq!(outcome.ticks, 11, "{novelty:?}");
    }
}

#[test]
fn width_one_expands_no_more_nodes_than_there_are_atoms() {
    for text in [MAZE, BOXES, crate::game::GUARDED] {
        let level = level(text);
        let mut search = Width::new(Novelty::One);
        let mut simulator = Simulator::new(&level, 3);
        simulator.refill(Budget::calls(50_000));
        search.choose(&mut simulator, &level.start(1));
        assert!(search.expanded() <= Width::atom_count(&level));
        // It ends because nothing is new, long before the budget does.
        assert!(simulator.used() < 20_000, "{}", simulator.used());
        assert!(simulator.has_budget());
    }
}

#[test]
fn width_two_solves_two_boxes_with_the_shortest_plan() {
    let boxes = level(BOXES);
    let outcome = play(
        &boxes,
        &mut Width::new(Novelty::Two),
        Budget::calls(60_000),
        1,
    );
    assert!(outcome.won && outcome.score == 2, "{outcome:?}");
    // Down and a push, up, three to the right, down and a push.
    assert_eq!(outcome.ticks, 8);
}

#[test]
fn prepruning_leaves_out_an_action_that_dies() {
    let maze = level(MAZE);
    let start = maze.start(1);
    // Too small a budget for any search after the samples: only what is safe is left.
    for seed in 0..40 {
        let mut simulator = Simulator::new(&maze, seed);
        simulator.refill(Budget::calls(1));
        let action = Width::new(Novelty::One).choose(&mut simulator, &start);
        assert_ne!(action, Action::Left);
        let action = OneStep::default().choose(&mut simulator, &start);
        assert_ne!(action, Action::Left);
    }
    let mut died = 0;
    for seed in 0..40 {
        let mut simulator = Simulator::new(&maze, seed);
        simulator.refill(Budget::calls(0));
        let mut search = Width::new(Novelty::One).without_prepruning();
        died += i32::from(search.choose(&mut simulator, &start) == Action::Left);
    }
    assert!(died > 0, "without samples, nothing tells of the pit");
}

#[test]
fn tree_searches_win_what_lies_within_their_depth() {
    let near = level(&MAZE.replace("wf     w", "w    f w"));
    let options = [
        TreeOptions::default(),
        TreeOptions::open_loop(),
        TreeOptions {
            mix_max: 0.1,
            reversal: 0.95,
            ..TreeOptions::open_loop()
        },
        TreeOptions {
            partial_expansion: true,
            ..TreeOptions::open_loop()
        },
    ];
    for options in options {
        let mut won = 0;
        for seed in 0..5 {
            let outcome = play(&near, &mut Tree::new(options), Budget::calls(4_000), seed);
            won += i32::from(outcome.won);
        }
        assert!(won >= 4, "{won} of 5 with {options:?}");
    }
}

#[test]
fn switches_at_rest_change_nothing() {
    let guarded = level(crate::game::GUARDED);
    let vanilla = TreeOptions::open_loop();
    let rest = TreeOptions {
        mix_max: 0.0,
        macro_length: 1,
        reversal: 1.0,
        ..vanilla
    };
    for seed in 0..5 {
        let one = play(&guarded, &mut Tree::new(vanilla), Budget::calls(500), seed);
        let other = play(&guarded, &mut Tree::new(rest), Budget::calls(500), seed);
        assert_eq!(one, other);
    }
}

#[test]
fn a_seed_means_the_same_play_and_a_budget_is_kept() {
    let guarded = level(crate::game::GUARDED);
    let make: [fn() -> Box<dyn Controller>; 4] = [
        || Box::new(AtRandom),
        || Box::new(OneStep::default()),
        || Box::new(Width::new(Novelty::One)),
        || Box::new(Tree::new(TreeOptions::open_loop())),
    ];
    for controller in make {
        let budget = Budget::calls(300);
        let one = play(&guarded, controller().as_mut(), budget, 9);
        let other = play(&guarded, controller().as_mut(), budget, 9);
        assert_eq!(one, other);
        // Samples are made in any case; beyond them a decision may finish what it began.
        assert!(one.calls <= one.ticks as u64 * 320, "{one:?}");
    }
}

/// By the processor's time, which cannot be more than the clock's.
#[test]
fn decisions_end_with_their_time() {
    let guarded = level(crate::game::GUARDED);
    let state = guarded.start(1);
    let settings = [
        Settings::of(Method::Tree),
        Settings::of(Method::Olets),
        Settings::of(Method::Rolling),
        Settings::of(Method::Width(Novelty::All)),
        Settings::of(Method::Chooser),
        Settings::of(Method::Scout),
    ];
    for settings in settings {
        let (mut late, mut used) = (0, 0);
        for seed in 0..10 {
            let mut simulator = Simulator::new(&guarded, seed);
            let mut controller = settings.controller();
            simulator.refill(Budget::time(Duration::from_millis(5)));
            let begin = cpu_time::ThreadTime::now();
            controller.choose(&mut simulator, &state);
            late += i32::from(begin.elapsed() > Duration::from_millis(20));
            used += simulator.used();
        }
        // On a busy machine the time of one may be over before it begins.
        assert!(used > 0, "{settings:?}");
        assert!(late <= 1, "{settings:?}: {late} of 10 decisions of 5 ms");
    }
}

#[test]
fn every_controller_plays_legal_games_within_its_calls() {
    let guarded = level(crate::game::GUARDED);
    let methods = [
        Method::Chooser,
        Method::Scout,
        Method::Random,
        Method::OneStep,
        Method::Width(Novelty::All),
        Method::Width(Novelty::OneAndAHalf),
        Method::Tree,
        Method::Rolling,
        Method::Olets,
    ];
    let learning = Settings {
        tree: TreeOptions {
            evolve: true,
            knowledge: true,
            mix_max: 0.1,
            macro_length: 3,
            whole_macros: true,
            partial_expansion: true,
            reversal: 0.95,
            ..TreeOptions::open_loop()
        },
        ..Settings::of(Method::Tree)
    };
    for settings in methods.map(Settings::of).into_iter().chain([learning]) {
        let run = |seed| {
            let mut controller = settings.controller();
            play(&guarded, controller.as_mut(), Budget::calls(200), seed)
        };
        let outcome = run(4);
        assert_eq!(outcome, run(4), "{settings:?}: a seed means the same play");
        let most = 200 * 25 + outcome.ticks as u64 * 260;
        assert!(outcome.calls <= most, "{settings:?}: {outcome:?}");
    }
}

/// Three coins in a row, and one far away: what the avatar learns of the near ones leads it to the
/// far one, which lies beyond the depth of any playout. (B11)
const COINS: &str = "\
BasicGame square_size=10
    SpriteSet
        coin > Immovable
        stone > Immovable
    LevelMapping
        c > coin
        s > stone
    InteractionSet
        avatar wall > stepBack
        coin avatar > killSprite scoreChange=2
    TerminationSet
        SpriteCounter stype=coin win=True
        Timeout limit=200 win=False
Level
wwwwwwwwwwwwwwwwwwwwwwwwww
w                        w
wcccA                  c w
w                        w
wwwwwwwwwwwwwwwwwwwwwwwwww
";

#[test]
fn what_was_learnt_leads_to_things_beyond_the_horizon() {
    // Coins that a player cares about are resources or portals.
    let text = COINS.replace("coin > Immovable", "coin > Resource limit=9");
    let text = text.replace("coin avatar > killSprite", "coin avatar > collectResource");
    let level = level(&text);
    let nearest = |knowledge: bool| {
        let options = TreeOptions {
            knowledge,
            ..TreeOptions::open_loop()
        };
        let mut nearer = 0;
        for seed in 0..6 {
            let mut tree = Tree::new(options);
            let mut simulator = Simulator::new(&level, seed);
            let (mut state, mut scratch) = (level.start(1), paidia_video::Scratch::default());
            for _ in 0..26 {
                simulator.refill(Budget::calls(1_500));
                let action = tree.choose(&mut simulator, &state);
                level.advance(&mut state, action, &mut scratch);
            }
            let avatar = state.avatar_view(&level).expect("an avatar");
            nearer += i32::from(state.score() >= 6 && avatar.place.0 >= 100);
        }
        nearer
    };
    let (with, without) = (nearest(true), nearest(false));
    assert!(
        with >= 4 && with > without,
        "{with} with knowledge, {without} without, of 6"
    );
}

/// V9.5: the penalty for going back makes an avatar see more of a maze without rewards, with fewer
/// steps to and fro.
#[test]
fn the_reversal_penalty_spreads_the_avatar() {
    let maze = level(
        &MAZE
            .replace(
                "wpA    w\nwwwwww w\nwf     w",
                "wwwwwwww\nw  A   w\nw w ww w\nw      w\nw wwww w\nwf     w",
            )
            .replace(
                "flag avatar > killSprite scoreChange=1",
                "flag avatar > stepBack",
            ),
    );
    let visited = |reversal: f64| {
        let (mut sum, mut back) = (0, 0);
        for seed in 0..8 {
            let mut tree = Tree::new(TreeOptions {
                reversal,
                ..TreeOptions::open_loop()
            });
            let mut simulator = Simulator::new(&maze, seed);
            let (mut state, mut scratch) = (maze.start(1), paidia_video::Scratch::default());
            let mut way = Vec::new();
            while !state.is_over() {
                simulator.refill(Budget::calls(300));
                let action = tree.choose(&mut simulator, &state);
                maze.advance(&mut state, action, &mut scratch);
                way.extend(state.avatar_view(&maze).map(|avatar| avatar.place));
            }
            back += way
                .windows(3)
                .filter(|three| three[0] == three[2] && three[0] != three[1])
                .count();
            sum += way.iter().collect::<std::collections::HashSet<_>>().len();
        }
        (sum, back)
    };
    let (with, without) = (visited(0.95), visited(1.0));
    assert!(
        with.0 > without.0,
        "{} places with the penalty, {} without",
        with.0,
        without.0
    );
    assert!(
        with.1 < without.1,
        "{} steps to and fro with the penalty, {} without",
        with.1,
        without.1
    );
}
