//! Small tournaments from their data to their results: straight, interrupted, and several matches
//! at a time.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use paidia_arena::Playable;
use paidia_arena::contest::{ContestGames, EngineContest, Outcome};
use paidia_arena::record::{MatchRecord, verify};
use paidia_arena::store::{Archive, Database};
use paidia_arena::tournament::{self, Plan, RunOptions, Summary, Tournament, TournamentError};
use paidia_testkit::bundled;

const TEXT: &str = r#"
title = "Three on two"
seed = 7
games = ["tic-tac-toe", "chinese-checkers-3"]
rounds = 2
seats = "balanced"
simulations = 20
start = { simulations = 30 }

[players]
Thinker = "uct"
Sampler = { player = "mc-flat", simulations = 10 }
Guesser = "random"
"#;

const GAMES: [&str; 2] = ["tic-tac-toe", "chinese-checkers-3"];

fn tables() -> ContestGames {
    GAMES
        .map(|name| {
            let board = EngineContest::new(Playable::any(bundled(name).any()));
            (name.to_owned(), Box::new(board) as _)
        })
        .into()
}

fn tournament() -> Tournament {
    Tournament::parse("three", TEXT).unwrap()
}

/// Plays some of the tournament, and gives what came out so far, without what depends on the
/// machine.
fn play(folder: &Path, jobs: usize, at_most: Option<usize>) -> Vec<Outcome> {
    let (tournament, tables) = (tournament(), tables());
    let plan = Plan::new(&tournament, &tables).unwrap();
    let database = Database::open(&folder.join("matches.sqlite")).unwrap();
    let options = RunOptions {
        jobs,
        at_most,
        records: true,
        wait: at_most.is_none(),
        interrupt: Arc::default(),
    };
    let list = database.begin("three", &plan.setups()).unwrap();
    tournament::run(&tournament, &plan, &tables, &list, &options, &|_, _| {}).unwrap();
    let mut outcomes = database.outcomes("three", &plan.setups()).unwrap();
    for seat in outcomes.iter_mut().flat_map(|outcome| &mut outcome.seats) {
        seat.seconds = 0.0;
    }
    outcomes
}

fn summary(outcomes: &[Outcome]) -> Summary {
    let tournament = tournament();
    let plan = Plan::new(&tournament, &tables()).unwrap();
    tournament::summarise(&tournament, &plan, outcomes).unwrap()
}

#[test]
fn results_are_the_same_straight_interrupted_and_in_parallel() {
    let folder = || tempfile::tempdir().unwrap();
    let (straight, interrupted, parallel) = (folder(), folder(), folder());
    let all = play(straight.path(), 1, None);
    // Three pairs in two orders, and one company of three in three, twice.
    assert_eq!(all.len(), 2 * (6 + 3));
    for most in [1, 4, 0, 3] {
        let some = play(interrupted.path(), 1, Some(most));
        assert!(some.len() < all.len());
    }
    assert_eq!(play(interrupted.path(), 2, None), all);
    assert_eq!(play(interrupted.path(), 1, None), all);
    assert_eq!(play(parallel.path(), 2, None), all);
    let page = summary(&all).html();
    assert_eq!(summary(&play(parallel.path(), 2, None)).html(), page);
    let setups: BTreeSet<&String> = all.iter().map(|outcome| &outcome.setup).collect();
    assert_eq!(setups.len(), all.len());
}

#[test]
fn every_match_has_a_row_and_a_record_that_an_engine_repeats() {
    let folder = tempfile::tempdir().unwrap();
    let all = play(folder.path(), 2, None);
    let database = Database::open(&folder.path().join("matches.sqlite")).unwrap();
    let rows = database.matches(None).unwrap();
    assert_eq!(rows.len(), all.len());
    for row in rows {
        let record = MatchRecord::read(&folder.path().join(&row.file)).unwrap();
        assert_eq!(record.match_id, row.id);
        assert_eq!(record.tournament_name_from_host.as_deref(), Some("three"));
        assert_eq!(verify(&bundled(&row.game).any(), &record), []);
        assert_eq!(database.matches(Some(&row.id)).unwrap(), [row]);
    }
}

#[test]
fn more_rounds_keep_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let two = play(folder.path(), 2, None);
    let more = Tournament::parse("three", &TEXT.replace("rounds = 2", "rounds = 3")).unwrap();
    let setups = Plan::new(&more, &tables()).unwrap().setups();
    assert_eq!(setups.len(), 27);
    let database = Database::open(&folder.path().join("matches.sqlite")).unwrap();
    assert_eq!(
        database.outcomes("three", &setups).unwrap().len(),
        two.len()
    );
    let other = Tournament::parse("three", &TEXT.replace("seed = 7", "seed = 8")).unwrap();
    let setups = Plan::new(&other, &tables()).unwrap().setups();
    assert_eq!(database.outcomes("three", &setups).unwrap(), []);
}

#[test]
fn rules_that_change_under_the_same_name_are_another_game() {
    let tournament =
        Tournament::parse("one", &TEXT.replace(", \"chinese-checkers-3\"", "")).unwrap();
    let setups = |rules: &str| {
        let board =
            EngineContest::new(Playable::any(bundled("tic-tac-toe").any())).with_rules(rules);
        let tables: ContestGames = [("tic-tac-toe".to_owned(), Box::new(board) as _)].into();
        Plan::new(&tournament, &tables).unwrap().setups()
    };
    assert_eq!(setups("(role x)"), setups("(role x)"));
    let (one, other) = (setups("(role x)"), setups("(role y)"));
    assert!(one.iter().all(|setup| !other.contains(setup)));
}

#[test]
fn the_reports_tell_what_came_out() {
    let folder = tempfile::tempdir().unwrap();
    let summary = summary(&play(folder.path(), 2, None));
    assert_eq!(
        (summary.played, summary.wanted, summary.faulty),
        (18, 18, 0)
    );
    assert_eq!(summary.standings.len(), 3);
    let worst = summary.standings.last().unwrap();
    assert_eq!(worst.player, "Guesser");
    let ratings: f64 = summary
        .standings
        .iter()
        .map(|standing| standing.rating.unwrap().value)
        .sum();
    assert!(ratings.abs() < 1e-6);
    // Four matches of two and six of three have each pair in them: 2 x 2 orders, and 2 x 3.
    assert!(
        summary
            .pairings
            .iter()
            .all(|pairing| pairing.tally.games == 10)
    );
    let text = summary.text();
    assert!(text.contains("18 of 18 matches, seed 7."), "{text}");
    assert_eq!(summary.csv().lines().count(), 1 + 3 + 2 * 3);
    assert!(
        summary
            .markdown()
            .contains("## Players, with 95 % intervals")
    );
}

#[test]
fn the_page_refers_to_nothing_outside() {
    let folder = tempfile::tempdir().unwrap();
    let mut summary = summary(&play(folder.path(), 2, Some(9)));
    summary.title = "<b>\"Mine\" & yours</b>".to_owned();
    let page = summary.html();
    for outside in [
        "http", "//", "src=", "href", "url(", "@import", "<script", "<link", "<b>",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("<svg").count(), 2);
    assert_eq!(page.matches("<table").count(), 4);
    assert!(page.contains("9 of 18 matches"));
    for tag in ["html", "body", "table", "svg", "tr", "td", "p", "h2"] {
        let count = |text: String| page.matches(&text).count();
        let opened = count(format!("<{tag}>")) + count(format!("<{tag} "));
        assert_eq!(opened, count(format!("</{tag}>")), "{tag}");
    }
}

#[test]
fn nonsense_is_refused_by_name() {
    let message = |from: &str, to: &str| {
        let text = TEXT.replace(from, to);
        let planned = Tournament::parse("three", &text)
            .and_then(|tournament| Plan::new(&tournament, &tables()));
        planned.map_or_else(
            |error: TournamentError| error.to_string(),
            |_| "fine".into(),
        )
    };
    assert_eq!(message("seed", "seed"), "fine");
    assert!(message("rounds = 2", "rounds = 0").contains("`rounds`"));
    assert!(message("rounds = 2", "rounds = 9000000000000").contains("more than 1000000 matches"));
    assert!(message("\"uct\"", "\"utc\"").contains("did you mean `uct`?"));
    assert!(message("simulations = 20", "").contains("give one of"));
    assert!(message("simulations = 20", "seconds = -1").contains("seconds are numbers"));
    assert!(message("simulations = 20", "simulations = 20\nstates = 3").contains("give one of"));
    assert!(message("chinese-checkers-3", "tic-tac-toe").contains("twice"));
    assert!(message("chinese-checkers-3", "chess").contains("`chess` is not loaded"));
    assert!(message("balanced", "best").contains("cannot be read"));
    assert!(message("title", "tittle").contains("cannot be read"));
}
