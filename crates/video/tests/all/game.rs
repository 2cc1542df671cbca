//! A level as a game for any player.

use std::sync::Arc;

use paidia_game::{
    Chance, ConformanceOptions, Game, Goal, MoveId, Randomness, RoleId, Rules, Walker, conformance,
};
use paidia_gdl::Source;
use paidia_video::{VideoGame, read_with_level};

/// A walker must reach the flag; a guard walks about.
pub(crate) const GUARDED: &str = "\
BasicGame square_size=10
    SpriteSet
        flag > Immovable
        coin > Resource limit=5
        guard > RandomNPC cooldown=2
        arrow > Missile singleton=true
        avatar > ShootAvatar stype=arrow
    LevelMapping
        f > flag
        c > coin
        g > guard
    InteractionSet
        avatar wall > stepBack
        guard wall EOS > stepBack
        arrow wall EOS > killSprite
        avatar guard > killSprite scoreChange=-2
        guard arrow > killBoth scoreChange=3
        coin avatar > collectResource scoreChange=1
        flag avatar > killSprite scoreChange=5
    TerminationSet
        SpriteCounter stype=flag win=True
        SpriteCounter stype=avatar win=False
        Timeout limit=60 win=False
Level
wwwwwwww
wA c  fw
w  cg  w
wwwwwwww
";

pub(crate) fn game(text: &str) -> VideoGame {
    let (reading, level) = read_with_level(&Source::new("test", text));
    let problems = reading.problems;
    VideoGame::new(
        "test",
        Arc::new(level.unwrap_or_else(|| panic!("{problems:?}"))),
    )
}

#[test]
fn a_video_game_keeps_the_contract() {
    let failures = conformance(&game(GUARDED), ConformanceOptions::default());
    assert!(failures.is_empty(), "{failures:#?}");
    let quiet = GUARDED
        .replace("wA c  fw\nw  cg  w", "wA c  fw\nw  c   w")
        .replace("guard > RandomNPC cooldown=2", "guard > Immovable");
    let quiet = game(&quiet);
    assert_eq!(quiet.facts().randomness, Randomness::None);
    let failures = conformance(&quiet, ConformanceOptions::default());
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn a_won_game_is_worth_its_score_and_the_win() {
    let game = game(&GUARDED.replace("wA c  fw\nw  cg  w", "wA c  fw\nw  c   w"));
    let mut walker = game.walker();
    let mut chance = Chance::from_seed(1);
    let right = game.moves().find("right").expect("a move");
    let mut steps = 0;
    while !walker.is_terminal() {
        assert!(walker.legal().of(RoleId(0)).contains(&right));
        walker.advance(&[right], &mut chance);
        steps += 1;
    }
    // The avatar looks to the right at first, and the flag is five cells away.
    assert_eq!(steps, 5);
    let score = 1 + 5;
    assert_eq!(
        walker.goal(RoleId(0)),
        Goal::One(score + paidia_video::WIN_VALUE)
    );
}

#[test]
fn an_unknown_move_is_none() {
    let game = game(GUARDED);
    let mut walker = game.walker();
    walker.advance(&[MoveId(77)], &mut Chance::from_seed(1));
    assert!(!walker.is_terminal());
}

#[test]
fn copies_and_advances_allocate_nothing_once_warm() {
    let game = game(GUARDED);
    let mut walker = game.walker();
    let start = game.initial();
    let mut state = game.initial();
    let mut play = |seed: u64| {
        let mut chance = Chance::from_seed(seed);
        walker.jump(&start);
        while !walker.is_terminal() {
            let mut joint = [MoveId(0)];
            let legal = walker.legal().of(RoleId(0));
            joint[0] = chance.pick(legal).expect("doing nothing is legal");
            walker.advance(&joint, &mut chance);
            walker.save(&mut state);
        }
    };
    (0..50).for_each(&mut play);
    let allocated = allocation_counter::measure(|| (0..50).for_each(&mut play));
    assert_eq!(allocated.count_total, 0, "{allocated:?}");
}
