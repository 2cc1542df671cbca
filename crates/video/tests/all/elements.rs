//! Classes, effects and terminations that few games or none of the recorded ones have, on small
//! games of their own. The labels are those of the statements that the engine follows.

use std::sync::Arc;

use paidia_gdl::Source;
use paidia_video::{Action, Level, Random, Scratch, SpriteView, State, read};

use Action::{Down, Left, Nil, Right, Up, Use};

/// A game of blocks of ten pixels, with its blocks given as lines.
struct Small {
    level: Level,
}

/// What a small game is made of: sprites, characters, interactions, terminations, rows.
struct Parts<'a> {
    header: &'a str,
    sprites: &'a str,
    cells: &'a str,
    pairs: &'a str,
    ends: &'a str,
    rows: &'a str,
}

impl Default for Parts<'_> {
    fn default() -> Self {
        Self {
            header: "",
            sprites: "",
            cells: "",
            pairs: "avatar wall > stepBack",
            ends: "Timeout limit=100",
            rows: "",
        }
    }
}

impl Small {
    fn new(parts: &Parts<'_>) -> Self {
        let block = |name: &str, lines: &str| {
            let lines = lines.lines().map(|line| format!("        {line}\n"));
            format!("    {name}\n{}", lines.collect::<String>())
        };
        let text = format!(
            "BasicGame square_size=10 {}\n{}{}{}{}",
            parts.header,
            block("SpriteSet", parts.sprites),
            block("LevelMapping", parts.cells),
            block("InteractionSet", parts.pairs),
            block("TerminationSet", parts.ends)
        );
        let reading = read(&Source::new("small", text.as_str()));
        assert!(
            reading.problems.is_empty(),
            "{:?}\n{text}",
            reading.problems
        );
        let level = Level::read(&Arc::new(reading.game), &Source::new("rows", parts.rows));
        Self {
            level: level
                .level
                .unwrap_or_else(|| panic!("{:?}", level.problems)),
        }
    }

    /// Plays actions of the avatar; what it does not have is doing nothing.
    fn play(&self, seed: i64, actions: &[Action]) -> State {
        let (mut state, mut scratch) = (self.level.start(seed), Scratch::default());
        for &action in actions {
            let action = self.level.checked(&state, action);
            self.level.advance(&mut state, action, &mut scratch);
        }
        state
    }

    fn sprites(&self, state: &State, name: &str) -> Vec<SpriteView> {
        let types = &self.level.game.types;
        let kind = types.iter().position(|kind| kind.name == name);
        let kind = kind.unwrap_or_else(|| panic!("a type {name}")) as u16;
        state.sprites_of(&self.level, kind).collect()
    }

    fn places(&self, state: &State, name: &str) -> Vec<(i32, i32)> {
        let sprites = self.sprites(state, name).into_iter();
        sprites.map(|sprite| sprite.place).collect()
    }

    fn count(&self, state: &State, name: &str) -> usize {
        self.sprites(state, name).len()
    }
}

/// The shifts of the four directions in the order of draws.
const SHIFTS: [(i32, i32); 4] = [(0, -10), (-10, 0), (0, 10), (10, 0)];

fn moved((x, y): (i32, i32), direction: i32) -> (i32, i32) {
    let (right, down) = SHIFTS[direction as usize];
    (x + right, y + down)
}

/// N-4: sees its target only straight ahead, in the direction that it drew last.
#[test]
fn a_chaser_by_sight_sees_in_the_direction_that_it_drew() {
    let small = Small::new(&Parts {
        sprites: "hunter > LOSChaser stype=avatar",
        cells: "h > hunter",
        rows: "       \n       \n       \n   h   \n       \n       \n   A   ",
        ..Parts::default()
    });
    for seed in 0..40 {
        let mut random = Random::from_seed(seed);
        let mut at = (30, 30);
        let mut last = None;
        for tick in 1..4 {
            // The avatar stands at (30, 60): seen when looking down from the same column.
            let (dx, dy) = (at.0 - 30, at.1 - 60);
            let seen = match last {
                Some(0) => dx == 0 && dy >= 0,
                Some(1) => dy == 0 && dx >= 0,
                Some(2) => dx == 0 && dy <= 0,
                Some(3) => dy == 0 && dx <= 0,
                _ => false,
            };
            let near = |shift: (i32, i32)| {
                (dx + shift.0.signum()).abs() + (dy + shift.1.signum()).abs() < dx.abs() + dy.abs()
            };
            let ways: Vec<i32> = (0..4).filter(|&way| near(SHIFTS[way as usize])).collect();
            let way = if seen && !ways.is_empty() {
                ways[random.below(ways.len() as i32) as usize]
            } else {
                let way = random.below(4);
                last = Some(way);
                way
            };
            at = moved(at, way);
            let state = small.play(seed, &vec![Nil; tick]);
            assert_eq!(
                small.places(&state, "hunter"),
                [at],
                "seed {seed} tick {tick}"
            );
            assert_eq!(
                state.random().state(),
                random.state(),
                "seed {seed} tick {tick}"
            );
        }
    }
}

/// N-5, N-9: the shortest way round obstacles, without a draw.
#[test]
fn a_chaser_by_paths_goes_round_obstacles() {
    let small = Small::new(&Parts {
        header: "obs=wall",
        sprites: "hunter > PathChaser stype=avatar",
        cells: "h > hunter",
        pairs: "avatar wall > stepBack\nhunter wall > stepBack",
        rows: "wwwwwww\nwh w Aw\nw  w  w\nw     w\nwwwwwww",
        ..Parts::default()
    });
    let state = small.play(1, &[Nil; 8]);
    assert_eq!(
        small.places(&state, "hunter"),
        small.places(&state, "avatar")
    );
    assert_eq!(state.random().state(), Random::from_seed(1).state());
}

/// N-7: the same towards one of several types, remembering whom it is after.
#[test]
fn a_chaser_of_alternatives_by_paths_reaches_its_target() {
    let small = Small::new(&Parts {
        header: "obs=wall",
        sprites: "hunter > PathAltChaser stype1=avatar stype2=wall",
        cells: "h > hunter",
        pairs: "avatar wall > stepBack\nhunter wall > stepBack",
        rows: "wwwwwww\nwh w Aw\nw  w  w\nw     w\nwwwwwww",
        ..Parts::default()
    });
    let state = small.play(1, &[Nil; 8]);
    assert_eq!(
        small.places(&state, "hunter"),
        small.places(&state, "avatar")
    );
}

/// N-6: sprites of the type itself count twice, and the draw is made among all ways.
#[test]
fn a_chaser_of_alternatives_draws_among_doubled_ways() {
    let small = Small::new(&Parts {
        sprites: "hunter > AlternateChaser stype1=avatar stype2=wall",
        cells: "h > hunter",
        rows: "h    \n     \n    A",
        ..Parts::default()
    });
    for seed in 0..20 {
        // Down and right both lead nearer, for both of the avatar's entries.
        let drawn = Random::from_seed(seed).below(4);
        let wanted = moved((0, 0), [2, 3, 2, 3][drawn as usize]);
        assert_eq!(small.places(&small.play(seed, &[Nil]), "hunter"), [wanted]);
    }
}

/// A-11, FM-5: leaves a trail, in the real game.
#[test]
fn a_turning_avatar_leaves_a_trail_and_turns_at_right_angles_only() {
    let small = Small::new(&Parts {
        sprites: "trail > Immovable\navatar > OngoingTurningAvatar spawnBehind=trail",
        rows: "     \n A   \n     \n     ",
        ..Parts::default()
    });
    // The first turn only wakes the sprite; going back is refused, going down is not.
    let state = small.play(1, &[Nil, Nil, Left, Down]);
    assert_eq!(
        small.places(&state, "trail"),
        [(10, 10), (20, 10), (30, 10)]
    );
    assert_eq!(small.places(&state, "avatar"), [(30, 20)]);
}

/// FM-4.
#[test]
fn avatars_have_their_own_actions() {
    let avatar = |class: &str| {
        Small::new(&Parts {
            sprites: &format!("shot > Immovable\nother > Flicker limit=1\navatar > {class}"),
            rows: "   \n A \n   ",
            ..Parts::default()
        })
    };
    let at = |class: &str, action| {
        let small = avatar(class);
        small.places(&small.play(1, &[action]), "avatar")
    };
    assert_eq!(at("HorizontalAvatar", Up), [(10, 10)]);
    assert_eq!(at("HorizontalAvatar", Left), [(0, 10)]);
    assert_eq!(at("VerticalAvatar", Left), [(10, 10)]);
    assert_eq!(at("VerticalAvatar", Up), [(10, 0)]);
    assert_eq!(at("NullAvatar", Up), [(10, 10)]);
    assert_eq!(
        avatar("NullAvatar")
            .level
            .actions(&avatar("NullAvatar").level.start(1)),
        [Nil]
    );
    let shooter = avatar("ShootOnlyAvatar stype=shot,other");
    let state = shooter.play(1, &[Left]);
    // It looks to the right, and what it shoots appears there, by the place of the key.
    assert_eq!(shooter.places(&state, "shot"), [(20, 10)]);
    assert_eq!(shooter.places(&shooter.play(1, &[Up]), "other"), [(20, 10)]);
    assert_eq!(shooter.count(&shooter.play(1, &[Use]), "shot"), 0);
    let forward = avatar("HorizontalAvatar");
    let mut state = forward.level.start(1);
    forward
        .level
        .advance(&mut state, Up, &mut Scratch::forward());
    assert_eq!(forward.places(&state, "avatar"), [(10, 0)]);
}

/// K-19, K-20: one draw a tick, one sprite of every listed type, each of which counts.
#[test]
fn a_spawner_of_many_makes_one_of_each() {
    let small = Small::new(&Parts {
        sprites: "one > Immovable\nother > Immovable\n\
                  source > SpawnPointMultiSprite stypes=one,other cooldown=2 total=4 speed=1",
        cells: "s > source",
        rows: "s A",
        ..Parts::default()
    });
    let state = small.play(3, &[Nil; 2]);
    assert_eq!(
        (small.count(&state, "one"), small.count(&state, "other")),
        (1, 1)
    );
    // It is static, and its orientation is that of what it makes.
    assert_eq!(small.places(&state, "source"), [(0, 0)]);
    assert_eq!(small.sprites(&state, "one")[0].orientation, (1.0, 0.0));
    let mut random = Random::from_seed(3);
    random.float();
    random.float();
    assert_eq!(state.random().state(), random.state());
    let state = small.play(3, &[Nil; 9]);
    assert_eq!(
        (small.count(&state, "one"), small.count(&state, "other")),
        (2, 2)
    );
    assert_eq!(small.count(&state, "source"), 0);
}

/// K-3, K-6, K-11, K-13: classes that only stand, or move as others do.
#[test]
fn plain_classes_stand_or_fly() {
    let small = Small::new(&Parts {
        sprites: "belt > Conveyor orientation=RIGHT\npack > ResourcePack resource_name=gold\n\
                  gold > Resource\nbolt > ErraticMissile orientation=RIGHT\n\
                  maker > SpriteProducer\nold > Passive timeToLive=2",
        cells: "b > belt\np > pack\ne > bolt\nm > maker\no > old",
        rows: "bpmo  \ne     \nA     ",
        ..Parts::default()
    });
    let state = small.play(1, &[Nil; 3]);
    assert_eq!(small.places(&state, "belt"), [(0, 0)]);
    assert_eq!(small.places(&state, "bolt"), [(20, 10)]);
    assert_eq!(
        small.count(&state, "pack") + small.count(&state, "maker"),
        2
    );
    // Two turns count down, and the third one kills.
    assert_eq!(small.count(&state, "old"), 0);
    assert_eq!(small.count(&small.play(1, &[Nil; 2]), "old"), 1);
}

/// EF-collectResourceIfHeld, EF-changeResource of what is no plain resource.
#[test]
fn resources_are_collected_where_another_is_held() {
    let parts = |value: i32| Parts {
        sprites: "key > Resource limit=3\ngold > Resource limit=5 value=2",
        cells: "k > key\ng > gold",
        rows: "Akgg ",
        pairs: match value {
            1 => {
                "key avatar > collectResource scoreChange=1\n\
                  gold avatar > collectResourceIfHeld heldResource=key scoreChange=10"
            }
            _ => {
                "key avatar > collectResource scoreChange=1\n\
                  gold avatar > collectResourceIfHeld heldResource=key value=2 scoreChange=10"
            }
        },
        ..Parts::default()
    };
    let small = Small::new(&parts(1));
    let state = small.play(1, &[Right; 3]);
    assert_eq!((state.score(), small.count(&state, "gold")), (21, 0));
    let avatar = state.avatar_view(&small.level).expect("an avatar");
    let held: Vec<i32> = state.resources(&avatar).map(|(_, amount)| amount).collect();
    assert_eq!(held, [1, 4]);
    // Held too little: nothing happens, and nothing counts.
    let small = Small::new(&parts(2));
    let state = small.play(1, &[Right; 3]);
    assert_eq!((state.score(), small.count(&state, "gold")), (1, 2));
}

/// EF-spawnBehind, EF-spawnIfHasLess: one draw each time, whatever comes of it.
#[test]
fn spawns_follow_places_and_stocks() {
    let small = Small::new(&Parts {
        sprites: "mark > Immovable\ntile > Immovable\ngold > Resource limit=5",
        cells: "t > tile\ng > gold",
        rows: "At g ",
        pairs: "tile avatar > spawnBehind stype=mark",
        ..Parts::default()
    });
    let state = small.play(5, &[Right]);
    assert_eq!(small.places(&state, "mark"), [(0, 0)]);
    let small = Small::new(&Parts {
        sprites: "mark > Immovable\ntile > Immovable\ngold > Resource limit=5",
        cells: "t > tile\ng > gold",
        rows: "Atgt ",
        pairs: "gold avatar > collectResource\n\
                avatar tile > spawnIfHasLess resource=gold stype=mark limit=0 scoreChange=3",
        ..Parts::default()
    });
    let state = small.play(5, &[Right, Right, Right]);
    assert_eq!(small.places(&state, "mark"), [(10, 0)]);
    assert_eq!(state.score(), 3);
    let mut random = Random::from_seed(5);
    random.double();
    random.double();
    assert_eq!(state.random().state(), random.state());
}

/// EF-transformIfCount: by how many there are, else into the other, which does not score.
#[test]
fn transformations_by_count_choose_between_two_types() {
    let with = |rows: &str| {
        let small = Small::new(&Parts {
            sprites: "egg > Immovable\nhen > Immovable\ncock > Immovable\ncorn > Immovable",
            cells: "e > egg\nc > corn",
            rows,
            pairs: "egg avatar > transformIfCount stype=hen stypeCount=corn geq=1 leq=2 \
                    estype=cock scoreChange=4",
            ..Parts::default()
        });
        let state = small.play(1, &[Right]);
        let counts = (small.count(&state, "hen"), small.count(&state, "cock"));
        (counts, small.count(&state, "egg"), state.score())
    };
    assert_eq!(with("Ae c"), ((1, 0), 0, 4));
    assert_eq!(with("Ae  "), ((0, 1), 0, 0));
    assert_eq!(with("Aeccc"), ((0, 1), 0, 0));
}

/// W-4, W-7, W-2.
#[test]
fn games_end_by_kinds_and_by_score() {
    let won = |ends: &str, rows: &str| {
        let small = Small::new(&Parts {
            sprites: "fruit > Immovable\n    pear >\n    plum >\ncoin > Immovable",
            cells: "p > pear\nq > plum\nc > coin",
            rows,
            pairs: "coin avatar > killSprite scoreChange=1",
            ends,
            ..Parts::default()
        });
        let state = small.play(1, &[Right]);
        (state.is_over(), state.win())
    };
    let kinds = "MultiSpriteCounterSubTypes stype1=fruit limit=3 subTypesNum=2 win=True";
    assert_eq!(won(kinds, "A pqq"), (true, 1));
    assert_eq!(won(kinds, "A qqq"), (false, -1));
    assert_eq!(won(kinds, "A pq "), (false, -1));
    let score = "SpriteCounter stype=coin limit=5 count_score=True";
    assert_eq!(won(score, "Ac"), (true, 1));
    assert_eq!(won(score, "A c"), (true, 0));
    assert_eq!(
        won("SpriteCounterMore stype=pear limit=2 win=True", "A pp"),
        (true, 1)
    );
}

/// EF-killIfAlive, killIfFast, killIfSlow, killIfOtherHasMore with `subtract`, removeScore.
#[test]
fn rare_effects_kill_as_they_should() {
    let play = |sprites: &str, pairs: &str, actions: &[Action]| {
        let small = Small::new(&Parts {
            sprites,
            cells: "t > tile\ng > gold",
            rows: "Agtt ",
            pairs,
            ..Parts::default()
        });
        let state = small.play(1, actions);
        let counts = (small.count(&state, "tile"), small.count(&state, "gold"));
        (counts, state.score())
    };
    let sprites = "gold > Resource limit=5 value=2\ntile > Immovable";
    let all = [Right, Right, Right];
    assert_eq!(
        play(sprites, "tile avatar > killIfAlive scoreChange=1", &all),
        ((0, 1), 2)
    );
    // What is static has the speed of the other.
    let fast = "tile avatar > killIfFast limspeed=0.5";
    assert_eq!(play(sprites, fast, &all).0, (0, 1));
    assert_eq!(
        play(sprites, "tile avatar > killIfSlow limspeed=0.5", &all).0,
        (2, 1)
    );
    let subtract = "gold avatar > collectResource\n\
                    tile avatar > killIfOtherHasMore resource=gold limit=2 subtract=True";
    assert_eq!(play(sprites, subtract, &all).0, (1, 0));
    let removed = "gold avatar > collectResource scoreChange=7\navatar tile > removeScore";
    assert_eq!(play(sprites, removed, &all).1, 0);
}

/// EF-halfSpeed, increaseSpeedToAll, decreaseSpeedToAll; M-5.
#[test]
fn speeds_change() {
    let travelled = |effect: &str| {
        let small = Small::new(&Parts {
            sprites: "bolt > Missile orientation=RIGHT speed=0.8\ntile > Immovable",
            cells: "b > bolt\nt > tile",
            rows: "b         \nAt        ",
            pairs: &format!("avatar tile > {effect}"),
            ..Parts::default()
        });
        // The avatar reaches the tile in the first tick; the missile wakes in it.
        let state = small.play(1, &[Right, Left, Nil]);
        small.places(&state, "bolt")[0].0
    };
    assert_eq!(travelled("stepBack"), 16);
    assert_eq!(travelled("increaseSpeedToAll stype=bolt value=0.2"), 20);
    assert_eq!(travelled("decreaseSpeedToAll stype=bolt value=0.5"), 6);
    assert_eq!(travelled("setSpeedForAll stype=bolt value=0.5"), 10);
}

/// EF-updateSpawnType.
#[test]
fn spawners_make_something_else_after_they_were_told() {
    let small = Small::new(&Parts {
        sprites: "one > Immovable\nother > Immovable\nsource > SpawnPoint stype=one cooldown=1\n\
                  tile > Immovable",
        cells: "s > source\nt > tile",
        rows: "s   \nAt  ",
        pairs: "tile avatar > updateSpawnType stype=other spawnPoint=source",
        ..Parts::default()
    });
    let state = small.play(1, &[Right, Nil, Nil]);
    assert_eq!(
        (small.count(&state, "one"), small.count(&state, "other")),
        (1, 2)
    );
}

/// EF-addHealthPointsToMax, EF-subtractHealthPoints with a killing blow.
#[test]
fn health_has_a_limit_and_an_end() {
    let small = Small::new(&Parts {
        sprites: "heart > Immovable\nthorn > Immovable\n\
                  avatar > MovingAvatar healthPoints=3 limitHealthPoints=5",
        cells: "h > heart\nt > thorn",
        rows: "Aht ",
        pairs: "avatar heart > addHealthPointsToMax value=4\n\
                avatar thorn > subtractHealthPoints value=5 scoreChange=1 scoreChangeIfKilled=-9",
        ends: "SpriteCounter stype=avatar win=False",
        ..Parts::default()
    });
    let avatar = |state: &State| state.avatar_view(&small.level).expect("an avatar");
    let state = small.play(1, &[Right]);
    assert_eq!(avatar(&state).health, (5, 5));
    let state = small.play(1, &[Right, Right]);
    assert!(avatar(&state).disabled && state.win() == 0);
    assert_eq!(state.score(), -9);
}

/// E-1 to E-4, addTimer.
#[test]
fn timers_run_when_they_are_due() {
    let small = Small::new(&Parts {
        sprites: "tile > Immovable\nice > Immovable\nwater > Immovable",
        cells: "t > tile\ni > ice",
        rows: "At i ",
        pairs: "tile avatar > addTimer timer=3 ftype=transformToAll stype=ice stypeTo=water \
                scoreChange=2",
        ..Parts::default()
    });
    let after = |ticks: usize| {
        let mut actions = vec![Right];
        actions.resize(ticks, Left);
        let state = small.play(1, &actions);
        (small.count(&state, "water"), state.score())
    };
    // It is set in tick 0, and due in tick 3.
    assert_eq!(after(3), (0, 2));
    assert_eq!(after(4), (1, 4));
}

/// I-3, E-5: a type with two lines about leaving the screen runs its effects twice.
#[test]
fn lines_about_leaving_the_screen_add_up() {
    let small = Small::new(&Parts {
        sprites: "bolt > Missile orientation=UP",
        cells: "b > bolt",
        rows: "b \n A",
        pairs: "bolt EOS > stepBack scoreChange=1",
        ..Parts::default()
    });
    assert_eq!(small.play(1, &[Nil; 3]).score(), 2);
    let twice = Small::new(&Parts {
        sprites: "bolt > Missile orientation=UP",
        cells: "b > bolt",
        rows: "b \n A",
        pairs: "bolt EOS > reverseDirection scoreChange=1\nEOS bolt > reverseDirection scoreChange=10",
        ..Parts::default()
    });
    assert_eq!(twice.play(1, &[Nil; 2]).score(), 22);
}

/// `faithful=no`: a child's own class counts, dead avatars meet nothing, and trails are right in
/// forward models. Without it all three are as the original has them.
#[test]
fn mistakes_of_the_original_can_be_mended() {
    let trail = |header: &str| {
        let small = Small::new(&Parts {
            header,
            sprites: "trail > Immovable\navatar > OngoingTurningAvatar spawnBehind=trail",
            rows: "      \n A    \n      ",
            ..Parts::default()
        });
        let (mut state, mut scratch) = (small.level.start(1), Scratch::forward());
        for _ in 0..3 {
            small.level.advance(&mut state, Nil, &mut scratch);
        }
        (small.count(&state, "trail"), small.count(&state, "wall"))
    };
    assert_eq!((trail("faithful=no"), trail("")), ((2, 0), (0, 2)));
    let touched = |header: &str| {
        let small = Small::new(&Parts {
            header,
            sprites: "pit > Immovable\ngem > Immovable",
            cells: "p > pit gem",
            rows: "Ap ",
            pairs: "avatar pit > killSprite\ngem avatar > killSprite scoreChange=1",
            ..Parts::default()
        });
        small.play(1, &[Right]).score()
    };
    assert_eq!((touched("faithful=no"), touched("")), (0, 1));
    let flown = |header: &str| {
        let small = Small::new(&Parts {
            header,
            sprites: "things > Immovable\n    bolt > Missile orientation=RIGHT",
            cells: "b > bolt",
            rows: "b    \n A   ",
            ..Parts::default()
        });
        small.places(&small.play(1, &[Nil; 3]), "bolt")[0].0
    };
    assert_eq!((flown("faithful=no"), flown("")), (20, 0));
}
