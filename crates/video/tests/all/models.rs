//! What controllers rely on: the forward model is the game, and the limits of a search and of a
//! game hold.

use paidia_gdl::Source;
use paidia_video::players::{AtRandom, Budget, Scout, Simulator, Tree, TreeOptions, play};
use paidia_video::players::{Controller, Method, Settings};
use paidia_video::{Action, Level, Random, Scratch, read_with_level};

fn level(text: &str) -> Level {
    let (reading, level) = read_with_level(&Source::new("test", text));
    level.unwrap_or_else(|| panic!("{:?}", reading.problems))
}

/// B13: with the same seed a copy advances as the game does, and what is done to a copy does
/// nothing to the original.
#[test]
fn a_copy_advances_as_the_game_does() {
    let guarded = level(crate::game::GUARDED);
    let (mut real, mut forward) = (Scratch::default(), Scratch::forward());
    for seed in 0..30 {
        let mut state = guarded.start(seed);
        let mut chance = Random::from_seed(seed + 100);
        while !state.is_over() {
            let actions = guarded.actions(&state);
            let action = actions[chance.below(actions.len() as i32) as usize];
            let before = state.clone();
            let mut copy = state.clone();
            for other in Action::ALL {
                guarded.advance(&mut copy, other, &mut forward);
            }
            assert!(state == before && state.random() == before.random());
            copy.copy(&state);
            copy.set_random(Random::from_seed(seed * 7));
            state.set_random(Random::from_seed(seed * 7));
            guarded.advance(&mut copy, action, &mut forward);
            guarded.advance(&mut state, action, &mut real);
            assert!(copy == state && copy.random() == state.random());
        }
    }
}

/// A coin at the end of a corridor, so many steps away.
fn corridor(steps: usize) -> Level {
    let game = crate::players::MAZE.split("Level\n").next().unwrap();
    let game = game.replace("limit=40", "limit=900");
    let wall = "w".repeat(steps + 3);
    level(&format!(
        "{game}Level\n{wall}\nwA{}f\n{wall}\n",
        " ".repeat(steps - 1)
    ))
}

/// B12: tree and playout together are ten steps deep, so a flag ten steps away is seen and one that
/// is eleven steps away is not.
#[test]
fn a_search_sees_ten_steps_and_no_more() {
    let sees = |steps: usize, seed: u64| {
        let level = corridor(steps);
        let mut simulator = Simulator::new(&level, seed);
        simulator.refill(Budget::calls(400_000));
        let mut tree = Tree::new(TreeOptions {
            // Little is wasted on other ways, and what was best is what counts.
            exploration: 0.01,
            mix_max: 1.0,
            ..TreeOptions::open_loop()
        });
        tree.choose(&mut simulator, &level.start(1));
        tree.best_value()
    };
    for seed in 0..3 {
        assert!(sees(8, seed) > 1e6, "a flag within reach is seen");
        assert!(sees(11, seed) < 1.0, "a flag beyond the depth is not");
    }
}

/// B12, Z-1: a game that is not won in 2001 ticks is lost.
#[test]
fn games_without_an_end_are_lost_after_two_thousand_ticks() {
    let text = crate::players::MAZE
        .replace("        Timeout limit=40 win=False\n", "")
        .replace("        SpriteCounter stype=avatar win=False\n", "")
        .replace("        SpriteCounter stype=flag win=True\n", "");
    let level = level(&text);
    let outcome = play(&level, &mut AtRandom, Budget::calls(0), 1);
    assert!(!outcome.won && outcome.ticks == 2_001, "{outcome:?}");
}

/// Two boxes for a hole round a corner: some thirty steps without a reward on the way, in a game in
/// which nothing moves by itself.
const CORNERS: &str = "\
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
        box hole > killSprite
    TerminationSet
        SpriteCounter stype=box win=True
        Timeout limit=400 win=False
Level
wwwwwwwww
wA      w
w b   b w
w       w
wwww wwww
wwwwhwwww
wwwwwwwww
";

/// What stands still may be thought about for as long as it takes.
#[test]
fn our_search_thinks_on_while_nothing_moves() {
    let corners = level(CORNERS);
    let outcome = play(&corners, &mut Scout::default(), Budget::calls(400), 1);
    assert!(outcome.won, "{outcome:?}");
    let again = play(&corners, &mut Scout::default(), Budget::calls(400), 1);
    assert_eq!(outcome, again);
    // The sample controllers, with as much, do not see so far.
    let mut tree = Settings::of(Method::Tree).controller();
    assert!(!play(&corners, tree.as_mut(), Budget::calls(400), 1).won);
}

/// A key far from the door, monsters between, and no reward for the way: what was never touched and
/// never had leads on.
#[test]
fn our_search_goes_for_what_it_has_not_touched() {
    let dungeon = paidia_video::Bundled::find("dungeon").expect("a bundled game");
    let text = paidia_video::with_one_level(dungeon.text, 0).expect("a level");
    let dungeon = level(&text);
    let won = |settings: Settings| {
        let one = |seed| {
            let mut controller = settings.controller();
            play(&dungeon, controller.as_mut(), Budget::calls(300), seed).won
        };
        (0..3).filter(|&seed| one(seed)).count()
    };
    assert!(won(Settings::of(Method::Scout)) >= 2);
}
