//! Damaged games and levels never panic, hang or grow without limit.
//!
//! Without more, 1,500 damaged games and 2,000 damaged texts are tried, always the same ones.
//! `PAIDIA_VIDEO_FUZZ` tells how many of each instead, and `PAIDIA_VIDEO_SEED` which:
//!
//! ```text
//! PAIDIA_VIDEO_FUZZ=1000000 PAIDIA_VIDEO_SEED=7 \
//!     cargo test --release -p paidia-video --test all -- damage
//! ```

use paidia_game::Chance;
use paidia_gdl::Source;
use paidia_video::{Action, Scratch, read_with_level};

use crate::game::GUARDED;

/// Words that are put in, so that damage is of more kinds than spelling.
const WORDS: [&str; 30] = [
    "Spreader",
    "SpawnPoint prob=1 stype=avatar",
    "cloneSprite",
    "spawn stype=guard",
    "EOS",
    "TIME",
    "addTimer timer=0 repeating=true ftype=killAll stype=guard",
    "transformTo stype=flag",
    "transformToAll stype=guard stypeTo=coin killSecond=True",
    "undoAll",
    "speed=1e9",
    "wMult=900",
    "cooldown=-5",
    "limit=999999999",
    "singleton=true",
    "orientation=NIL",
    "Fleeing stype=avatar",
    "avatar > guard > avatar",
    "PathAltChaser stype1=avatar",
    "hMult=-1",
    "value=2147483647",
    "turnAround",
    "wrapAround offset=99999999",
    "pullWithIt pixelPerfect=true",
    "bounceForward",
    "transformToSingleton stype=guard stype_other=coin",
    "spend=-2147483648",
    "=",
    ">",
    "setSpeedForAll stype=arrow value=0.3",
];

fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).map_or(usual, |text| text.parse().expect("a whole number"))
}

/// A game to damage: a small one, or one that comes with the program.
fn whole(chance: &mut Chance) -> String {
    let games = paidia_video::GAMES;
    let place = chance.below(2 * games.len() as u32) as usize;
    let bundled = games.get(place).and_then(|game| {
        let level = chance.below(game.levels() as u32) as usize;
        paidia_video::with_one_level(game.text, level)
    });
    bundled.unwrap_or_else(|| GUARDED.to_owned())
}

fn damaged(text: &str, chance: &mut Chance) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + chance.below(5) {
        let at = chance.below(lines.len() as u32) as usize;
        let other = chance.below(lines.len() as u32) as usize;
        match chance.below(6) {
            0 => drop(lines.remove(at)),
            1 => lines.swap(at, other),
            2 => {
                let copy = lines[at].clone();
                lines.insert(other, copy);
            }
            3 | 4 => {
                let word = WORDS[chance.below(WORDS.len() as u32) as usize];
                let mut words: Vec<&str> = lines[at].split(' ').collect();
                let place = chance.below(words.len() as u32 + 1) as usize;
                words.insert(place, word);
                lines[at] = words.join(" ");
            }
            _ => {
                let mut words: Vec<&str> = lines[at].split(' ').collect();
                let word = WORDS[chance.below(WORDS.len() as u32) as usize];
                if let Some(last) = words.last_mut() {
                    *last = word;
                }
                lines[at] = words.join(" ");
            }
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
    }
    lines.join("\n")
}

#[test]
fn damaged_games_are_refused_or_played() {
    let mut chance = Chance::from_seed(number("PAIDIA_VIDEO_SEED", 24));
    let (mut played, rounds) = (0, number("PAIDIA_VIDEO_FUZZ", 1_500));
    for round in 0..rounds {
        let whole = whole(&mut chance);
        let text = damaged(&whole, &mut chance);
        let (reading, level) = read_with_level(&Source::new("damaged", text.as_str()));
        let Some(level) = level else {
            assert!(
                !reading.problems.is_empty(),
                "round {round} says why:\n{text}"
            );
            continue;
        };
        played += 1;
        let mut state = level.start(round as i64);
        let mut scratch = Scratch::default();
        scratch.note_events(true);
        for _ in 0..70 {
            let action = Action::ALL[chance.below(6) as usize];
            level.advance(&mut state, action, &mut scratch);
        }
        assert!(state.sprites(&level).count() <= 50_000, "{text}");
    }
    assert!(
        played > rounds * 2 / 5,
        "{played} damaged games were playable"
    );
}

#[test]
fn arbitrary_bytes_are_read() {
    let mut chance = Chance::from_seed(number("PAIDIA_VIDEO_SEED", 5));
    for _ in 0..number("PAIDIA_VIDEO_FUZZ", 2_000) {
        let mut bytes = whole(&mut chance).into_bytes();
        for _ in 0..1 + chance.below(8) {
            let at = chance.below(bytes.len() as u32) as usize;
            bytes[at] = chance.below(256) as u8;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let _ = read_with_level(&Source::new("bytes", text));
    }
}

#[test]
fn sprites_without_end_stop_at_a_limit() {
    let text = GUARDED.replace(
        "guard wall EOS > stepBack",
        "guard guard > cloneSprite\n        guard coin > cloneSprite\n        flag flag > spawn stype=guard",
    );
    let text = text
        .replace("w  cg  w", "wgggggcw")
        .replace("guard > RandomNPC cooldown=2", "guard > Immovable");
    let text = text.replace("limit=60", "limit=2000");
    let text = text.replace("coin avatar > collectResource", "guard flag > cloneSprite\n        guard TIME > cloneSprite timer=1 repeating=true\n        coin avatar > collectResource");
    let (reading, level) = read_with_level(&Source::new("growing", text));
    let level = level.unwrap_or_else(|| panic!("{:?}", reading.problems));
    let mut state = level.start(1);
    let mut scratch = Scratch::default();
    for _ in 0..300 {
        level.advance(&mut state, Action::Nil, &mut scratch);
    }
    let count = state.sprites(&level).count();
    assert!(count <= 10_100, "{count} sprites");
    assert!(
        state.fault().is_some() || count > 100,
        "{count} sprites, no fault"
    );
}
