//! Controllers of video games as players of the catalogue, and studies of them.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use paidia_arena::rules::Ruleset;
use paidia_arena::study::{self, Run, Scale, Session};
use paidia_arena::{
    BadPlayer, Local, MatchEnd, PLAYERS, Playable, PlayerSpec, Referee, Seats, make,
};
use paidia_game::{AnyGame, Goal, RoleId, Rules};
use paidia_search::Budget;

/// A flag behind a corner.
const CORNER: &str = "BasicGame square_size=10\n  SpriteSet\n    flag > Door\n  LevelMapping\n    f > flag\n  \
    InteractionSet\n    avatar wall > stepBack\n    flag avatar > killSprite scoreChange=1\n  TerminationSet\n    \
    SpriteCounter stype=flag win=True\n    Timeout limit=30\nLevel\nwwwwww\nwA   w\nwwww w\nwf   w\nwwwwww\n";

fn game(text: &str) -> AnyGame {
    let Ruleset::Other(rules) = Ruleset::from_text("game", text).unwrap() else {
        panic!("a video game is no GDL")
    };
    rules.game().unwrap()
}

/// The goal that a player reaches in a whole match, and the moves that were made for it.
fn play(game: &AnyGame, player: &str, budget: Budget, seed: u64) -> (i32, usize) {
    let spec: PlayerSpec = player.parse().unwrap();
    let player = make(&spec, &Playable::any(game.clone()), RoleId(0), seed).unwrap();
    let mut seats: Seats<AnyGame> = Local::seats(vec![Some(player)], budget);
    let referee = Referee::new(game, 3_000);
    let mut played = referee.start(&game.initial(), seed);
    let MatchEnd::Over(goals) = referee.play(&mut played, &mut seats) else {
        panic!("{spec}: the match has no end")
    };
    let failures = played.moves.iter().flatten();
    let failed = failures.filter(|made| made.failure.is_some()).count();
    match goals[..] {
        [Goal::One(goal)] => (goal, failed),
        _ => panic!("{goals:?}"),
    }
}

#[test]
fn controllers_play_matches_as_all_players_do() {
    let corner = game(CORNER);
    for kind in PLAYERS {
        let is_controller = (kind.defaults)().is_for_video();
        if !is_controller && kind.name != "paidia" && kind.name != "random" {
            continue;
        }
        let (goal, failed) = play(&corner, kind.name, Budget::simulations(400), 3);
        assert_eq!(failed, 0, "{}", kind.name);
        let won = goal == 1 + paidia_video::WIN_VALUE;
        // Plain search in breadth does not come to the flag within this budget.
        let sees_far = ["iw", "paidia", "video"].contains(&kind.name);
        assert!(won || !sees_far, "{} reached {goal}", kind.name);
    }
}

#[test]
fn options_of_controllers_are_read_and_told() {
    let spec: PlayerSpec = "mcts(mixmax=0.1, reversal=0.95, macro=3, open-loop=yes)"
        .parse()
        .unwrap();
    let written = "mcts(macro=3, mixmax=0.1, open-loop=yes, reversal=0.95)";
    assert_eq!(
        spec.to_string(),
        written,
        "settings in the order of their names"
    );
    for wrong in [
        "iw(width=4)",
        "mcts(mixmax=2)",
        "rolling(length=0)",
        "olets(depth=3)",
    ] {
        assert!(wrong.parse::<PlayerSpec>().is_err(), "{wrong}");
    }
    let spec: PlayerSpec = "iw(width=3/2)".parse().unwrap();
    assert!(spec.settings().is_for_video());
}

#[test]
fn controllers_refuse_other_games_by_name() {
    let other = paidia_testkit::bundled("tic-tac-toe").any();
    let spec: PlayerSpec = "olets".parse().unwrap();
    let refused = Playable::any(other).search(&spec, RoleId(0), 1);
    assert!(matches!(
        refused.map(|_| ()),
        Err(BadPlayer::OtherGame("olets"))
    ));
}

/// A controller that is interrupted answers at once: it never freezes a match.
#[test]
fn controllers_answer_when_they_are_interrupted() {
    let corner = game(CORNER);
    let playable = Playable::any(corner.clone());
    for name in [
        "iw",
        "breadth",
        "mcts",
        "kb-fast-evo",
        "rolling",
        "olets",
        "scout",
        "video",
    ] {
        let spec: PlayerSpec = name.parse().unwrap();
        let mut search = playable.search(&spec, RoleId(0), 1).unwrap();
        let stop = AtomicBool::new(true);
        let budget = Budget::time(Duration::from_secs(3_600));
        let decision = search.choose_until(&corner.initial(), budget, &stop);
        assert!(
            decision.report.states < 1_000,
            "{name}: {}",
            decision.report.states
        );
    }
}

#[test]
fn studies_of_controllers_are_sound_and_small_ones_are_played() {
    for name in ["kb-fast-evo", "iw-sets", "gvgai-mcts", "video-default"] {
        let study = study::find(name).unwrap().read().unwrap();
        assert!(study.count(Scale::Report).unwrap() > 100, "{name}");
    }
    let text = r#"
title = "Two controllers"
source = "none"
about = "A test."
games = [{ name = "nowhere at all", own = "goats" }]
controllers = [{ name = "look", player = "one-step" }, { name = "any", player = "random" }]
[scales]
quick = { levels = 2, runs = 1, calls = 60, ticks = 30 }
[[claims]]
id = "look"
text = "Looking ahead does no harm."
controller = "look"
than = "any"
at_least = -100.0
"#;
    let folder = tempfile::tempdir().unwrap();
    let study = study::read("two", text).unwrap();
    let report = study.perform(&Session {
        run: Run {
            scale: Scale::Quick,
            seed: 1,
        },
        file: &folder.path().join("two.jsonl"),
        jobs: 1,
        report_only: false,
        equipment: &Nothing,
        interrupt: &AtomicBool::new(false),
        progress: &|_, _, _| {},
    });
    let report = report.unwrap();
    assert!(report.text().contains("4 of 4 games"), "{}", report.text());
}

/// No games and no engines.
struct Nothing;

impl study::Equipment for Nothing {
    fn table(&self, game: &str) -> Result<Box<dyn study::ContestGame>, study::StudyError> {
        Err(study::StudyError::Game(format!("there is no {game}")))
    }

    fn contender(
        &self,
        _: &str,
        _: &str,
    ) -> Result<Box<dyn study::measurements::Contender>, String> {
        Err("there are no engines".to_owned())
    }
}
