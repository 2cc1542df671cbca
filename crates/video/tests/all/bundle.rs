//! The games that come with the program: clean, playable, winnable, and scored as their rules say.

use std::sync::Arc;

use paidia_gdl::Source;
use paidia_video::players::{Budget, Method, Settings, play};
use paidia_video::{Action, GAMES, Level, Scratch, parts, read, read_with_level, with_one_level};

/// The levels of a bundled game.
fn levels(name: &str) -> Vec<Level> {
    let game = paidia_video::Bundled::find(name).expect("a bundled game");
    (0..game.levels())
        .map(|number| level(game.text, number))
        .collect()
}

fn level(text: &str, number: usize) -> Level {
    let one = with_one_level(text, number).expect("a level");
    let (reading, level) = read_with_level(&Source::new("game", one));
    assert!(reading.problems.is_empty(), "{:?}", reading.problems);
    level.expect("a level that can be played")
}

#[test]
fn bundled_games_are_clean_and_have_five_levels() {
    for game in GAMES {
        assert_eq!(game.levels(), 5, "{}", game.name);
        let description = &game.text[..parts(game.text).description];
        let reading = read(&Source::new(game.name, description));
        assert!(
            reading.problems.is_empty(),
            "{}: {:?}",
            game.name,
            reading.problems
        );
        let (title, rules) = game.title_and_rules();
        assert!(!title.is_empty() && rules.len() > 30, "{}", game.name);
        for level in levels(game.name) {
            let mut state = level.start(1);
            let mut scratch = Scratch::default();
            for _ in 0..5 {
                level.advance(&mut state, Action::Nil, &mut scratch);
            }
            assert!(!state.is_over(), "{} is over at once", game.name);
        }
    }
}

/// Games are won by one controller or another, so no rule makes them hopeless. Without more, three
/// of them are tried; `PAIDIA_VIDEO_WINS=all` tries all of them for an hour of the processor's time
/// and prints who won:
///
/// ```text
/// PAIDIA_VIDEO_WINS=all cargo test --release -p paidia-video --test all -- --nocapture can_be_won
/// ```
#[test]
fn bundled_games_can_be_won() {
    use paidia_video::players::Novelty::{One, OneAndAHalf, Two};
    let methods = [
        Method::Width(One),
        Method::Olets,
        Method::Width(OneAndAHalf),
        Method::Rolling,
        Method::Width(Two),
    ];
    let all = std::env::var("PAIDIA_VIDEO_WINS").is_ok_and(|wanted| wanted == "all");
    let games = GAMES
        .iter()
        .filter(|game| all || ["goats", "missiles", "nets"].contains(&game.name));
    let mut lost = Vec::new();
    for game in games {
        let mut won = Vec::new();
        for (number, level) in levels(game.name)
            .iter()
            .enumerate()
            .take(if all { 5 } else { 1 })
        {
            let winner = methods.iter().find(|method| {
                let mut controller = Settings::of(**method).controller();
                play(level, controller.as_mut(), Budget::calls(400), 3).won
            });
            won.extend(winner.map(|method| (number, method)));
        }
        println!("{}: {won:?}", game.name);
        if won.is_empty() {
            lost.push(game.name);
        }
    }
    // What needs plans of hundreds of ticks is beyond these budgets.
    assert!(lost.len() <= 4, "never won: {lost:?}");
}

/// Plays actions on a small level of a bundled game: the score and the winner.
fn scenario(name: &str, rows: &str, actions: &[Action]) -> (i64, i8) {
    let game = paidia_video::Bundled::find(name).expect("a bundled game");
    let description = &game.text[..parts(game.text).description];
    let reading = read(&Source::new(name, description));
    let level = Level::read(&Arc::new(reading.game), &Source::new("rows", rows));
    let level = level.level.expect("a level");
    let (mut state, mut scratch) = (level.start(7), Scratch::default());
    for &action in actions {
        level.advance(&mut state, action, &mut scratch);
    }
    (state.score(), state.win())
}

/// B14: what counts how much in the games of table I.
#[test]
fn scores_are_those_of_the_rules() {
    use Action::{Down, Left, Nil, Right, Up, Use};
    // A shot hits a shelter, and flies on to nothing.
    assert_eq!(
        scenario("invaders", "g   \n    \n   s\n   A", &[Use, Nil, Nil]),
        (1, -1)
    );
    // A gem.
    let boulders = "wwwww\nwAx.w\nw..ew\nwwwww";
    assert_eq!(scenario("boulders", boulders, &[Right]), (2, -1));
    // A butterfly is caught where it sits: it is the last, which wins.
    assert_eq!(scenario("nets", "wwww\nwAbw\nwwww", &[Right]), (2, 1));
    // The goat has nowhere to flee to.
    assert_eq!(scenario("goats", "wwww\nwAsw\nwwww", &[Right]), (1, 1));
    // The other side of the river, and a truck.
    assert_eq!(scenario("river", "wwww\nwe w\nwA w\nwwww", &[Up]), (1, 1));
    assert_eq!(
        scenario("river", "wwwwww\nwe   w\nwAL  w\nwwwwww", &[Nil; 8]),
        (-2, 0)
    );
    // A blast beside the avatar, where something comes by; and a city that is hit.
    let blast = "wwww\nwAmw\nw  w\nwc w\nwwww";
    assert_eq!(scenario("missiles", blast, &[Use]), (2, 1));
    let hit = "wwwww\nwA mw\nw  cw\nwwwww";
    assert_eq!(scenario("missiles", hit, &[Nil; 8]), (-1, 0));
    assert_eq!(scenario("gateways", "wwww\nwAew\nwwww", &[Right]), (1, 1));
    assert_eq!(scenario("cellar", "wwwww\nwAbow\nwwwww", &[Right]), (1, 1));
    // Honey, then a dead one that costs it.
    assert_eq!(scenario("graveyard", "wwww\nwAhw\nwwww", &[Right]), (1, -1));
    // The key, and with it the door.
    let dungeon = "wwwww\nwAkew\nwwwww";
    assert_eq!(scenario("dungeon", dungeon, &[Right]), (1, -1));
    assert_eq!(scenario("dungeon", dungeon, &[Right, Right, Right]).0, 2);
    assert_eq!(
        scenario("dungeon", "wwwww\nwAekw\nwwwww", &[Right, Down, Left]),
        (0, -1)
    );
}
