//! Matches from their data to their results.

use std::collections::BTreeSet;
use std::path::Path;

use paidia_arena::study::matches::{MatchFigures, Matches, halving};
use paidia_arena::study::{
    self, Ending, Equipment, Experiment, Judgement, Ledger, Outcome, Run, Scale, Setup, StudyError,
    Summary,
};

use super::{Bundled, carry_out, refusal, run};

pub(super) const TEXT: &str = r#"
title = "Thinking against not thinking"
source = "Nobody, never"
about = "A test."
start_clock = true

[games]
tic-tac-toe = "ours"
tic-tac-chess = "another"
chinese-checkers-3 = "for three"

[players]
Thinker = "uct(noop=think)"
Guesser = "random"

[scales]
quick = { games = 6 }
report = { games = 12 }

[[cells]]
name = "two"
group = "small"
game = "tic-tac-toe"
players = ["Thinker", "Guesser"]
simulations = [60, 1]
paper = { points = 90.0, half_width = 5.0 }

[[cells]]
name = "three"
group = "large"
game = "chinese-checkers-3"
players = ["Thinker", "Guesser", "Guesser"]
states = [40, 1, 1]

[[claims]]
id = "C1"
text = "Thinking helps"
test = { kind = "each", cells = { games = ["tic-tac-toe"] } }
at_least = 10
"#;

const QUICK: Run = Run {
    scale: Scale::Quick,
    seed: 1,
};

fn parse(text: &str) -> Matches {
    study::parse("test", text).unwrap()
}

/// Plays the study, and gives its ledger.
fn play(file: &Path, scale: Scale, seed: u64, jobs: usize) -> Ledger<Outcome> {
    carry_out::<Matches>(TEXT, file, run(scale, seed), jobs).unwrap()
}

/// The records without what depends on the machine, in an order that does not depend on which
/// thread was first.
fn timeless(ledger: &Ledger<Outcome>) -> Vec<Outcome> {
    let mut records = ledger.records.clone();
    for seat in records.iter_mut().flat_map(|record| &mut record.seats) {
        seat.seconds = 0.0;
    }
    records.sort_by_key(|record| (record.cell.clone(), record.number));
    records
}

fn summary(ledger: &Ledger<Outcome>) -> Summary<MatchFigures> {
    study::summarise(&parse(TEXT), QUICK, ledger).unwrap()
}

#[test]
fn bundled_matches_are_all_different_and_have_as_many_players_as_their_games() {
    let mut found = 0;
    for bundled in study::all() {
        let Ok(study) = study::parse::<Matches>(bundled.name, bundled.text) else {
            continue;
        };
        found += 1;
        for scale in Scale::ALL {
            let agenda = study.agenda(run(scale, 1)).unwrap();
            let prints: BTreeSet<String> = agenda.iter().map(Setup::fingerprint).collect();
            assert_eq!(prints.len(), agenda.len(), "{}", bundled.name);
        }
        for cell in &study.cells {
            let name = &cell.name;
            if let Some(players) = players(&cell.game) {
                assert_eq!(cell.players.len(), players, "{}: {name}", bundled.name);
            }
        }
        for other in study.claims.iter().flat_map(|claim| &claim.about.also) {
            assert!(study::find(other).is_ok(), "{}: {other}", bundled.name);
        }
    }
    assert!(found >= 15);
}

/// How many players a game of a study has; nothing where its sheet is not at hand.
fn players(game: &str) -> Option<usize> {
    let Some(sheet) = game.strip_prefix("corpus:") else {
        let facts = paidia_library::find(game).unwrap().facts().unwrap();
        return Some(usize::from(facts.players));
    };
    let path = paidia_testkit::corpus()?.path(sheet);
    let text = std::fs::read_to_string(path).unwrap();
    let reading = paidia_gdl::syntax::read(&paidia_gdl::Source::new(sheet, text));
    let sheet = &reading.sheet;
    let heads = sheet.clauses.iter().map(|clause| &clause.head);
    let roles = heads.filter(|head| sheet.symbols.name(head.relation) == "role");
    Some(roles.count())
}

#[test]
fn results_do_not_depend_on_the_number_of_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let one = play(&folder.path().join("one.jsonl"), Scale::Quick, 1, 1);
    let two = play(&folder.path().join("two.jsonl"), Scale::Quick, 1, 2);
    assert_eq!(one.records.len(), 12);
    assert_eq!(timeless(&one), timeless(&two));
    let other = play(&folder.path().join("other.jsonl"), Scale::Quick, 2, 2);
    assert_ne!(timeless(&one), timeless(&other));
    for record in &one.records {
        assert_eq!(record.ending, Ending::Over);
        let places: BTreeSet<usize> = record.seats.iter().map(|seat| seat.place).collect();
        assert_eq!(places.len(), record.seats.len());
        let thinker = record
            .seats
            .iter()
            .find(|seat| seat.player == "Thinker")
            .unwrap();
        assert!(thinker.states > 0 && thinker.simulations > 0);
    }
}

#[test]
fn a_run_that_was_killed_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("whole.jsonl");
    let whole = play(&file, Scale::Quick, 1, 1);
    let text = std::fs::read(&file).unwrap();
    // Killed at any byte: in a line, at its end, before the first and after the last.
    let step = text.len() / 9;
    for end in (0..=text.len())
        .step_by(step)
        .chain([text.len() - 1, text.len()])
    {
        let torn = folder.path().join(format!("torn-{end}.jsonl"));
        std::fs::write(&torn, &text[..end]).unwrap();
        let kept = text[..end].iter().filter(|&&byte| byte == b'\n').count();
        let ledger: Ledger<Outcome> = Ledger::read(&torn).unwrap();
        let notes = ledger.runs.len() + ledger.ends.len();
        assert_eq!(ledger.records.len() + notes, kept);
        let continued = play(&torn, Scale::Quick, 1, 2);
        assert_eq!(
            timeless(&continued),
            timeless(&whole),
            "killed at byte {end}"
        );
        // The file says the same as what was in memory, and there is nothing left to do.
        let lines = std::fs::read_to_string(&torn).unwrap();
        let games = |text: &str| text.lines().filter(|line| line.contains("record")).count();
        assert_eq!(games(&lines), 12);
        assert!(
            lines
                .as_bytes()
                .starts_with(&text[..end][..whole_lines(&text[..end])])
        );
        play(&torn, Scale::Quick, 1, 1);
        let again = std::fs::read_to_string(&torn).unwrap();
        assert!(again.starts_with(&lines) && games(&again) == 12);
    }
}

fn whole_lines(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1)
}

#[test]
fn a_larger_scale_begins_with_the_smaller_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.jsonl");
    play(&file, Scale::Quick, 1, 2);
    let quick = std::fs::read_to_string(&file).unwrap();
    let report = play(&file, Scale::Report, 1, 2);
    assert_eq!(report.records.len(), 24);
    assert!(std::fs::read_to_string(&file).unwrap().starts_with(&quick));
    // The quick scale's results are its own games', however many there are.
    assert_eq!(summary(&report).figures.played, 12);
}

#[test]
fn a_whole_line_that_is_no_record_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.jsonl");
    std::fs::write(&file, "{\"game\":7}\n").unwrap();
    let error = Ledger::<Outcome>::open(&file).unwrap_err();
    assert!(
        matches!(error, StudyError::BadRecord { line: 1, .. }),
        "{error}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{\"game\":7}\n");
}

#[test]
fn results_are_reported_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = play(&folder.path().join("results.jsonl"), Scale::Quick, 1, 2);
    let summary = summary(&ledger);
    let figures = &summary.figures;
    assert_eq!(
        (figures.played, figures.wanted, figures.faulty),
        (12, 12, 0)
    );
    let two = &figures.cells[0];
    let points = two.points.unwrap();
    assert!(points.value > 60.0 && points.low < points.value && points.value <= points.high);
    assert_eq!(summary.claims[0].judgement, Judgement::Holds);
    assert!(summary.stands());

    let report = Matches::report(&summary);
    let text = report.text();
    assert!(
        text.contains("60 simulations v 1 simulations") && text.contains("90.0 (85.0 to 95.0)"),
        "{text}"
    );
    let csv = report.csv();
    assert_eq!(csv.lines().count(), 3);
    let columns = |line: &str| line.split(',').count();
    assert!(
        csv.lines()
            .all(|line| columns(line) == columns(csv.lines().next().unwrap())),
        "{csv}"
    );
    let markdown = report.markdown();
    assert!(
        markdown.contains("](test.svg)") && markdown.contains("**holds**"),
        "{markdown}"
    );
    let svg = report.svg();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    // Two points of ours, one of the paper's, two of the legend.
    assert_eq!(svg.matches("<circle").count(), 5);
}

#[test]
fn the_wrong_number_of_players_is_an_error_before_anything_is_played() {
    let (right, wrong) = ("game = \"tic-tac-toe\"", "game = \"chinese-checkers-3\"");
    // The claim has lost its cell, which is noticed first.
    let refused = refusal::<Matches>(TEXT, right, wrong);
    assert!(refused.contains("no cell"), "{refused}");
    let text = TEXT
        .replace(right, wrong)
        .replace("games = [\"tic-tac-toe\"]", "");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.jsonl");
    let error = carry_out::<Matches>(&text, &file, QUICK, 1).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the cell `two` has 2 players, but `chinese-checkers-3` wants 3"
    );
    let ledger: Ledger<Outcome> = Ledger::read(&file).unwrap();
    assert!(ledger.records.is_empty());
}

#[test]
fn faulty_data_is_named() {
    for (from, to, expected) in [
        (
            "Guesser = \"random\"",
            "Guesser = \"rnadom\"",
            "did you mean `random`?",
        ),
        (
            "quick = { games = 6 }",
            "quick = { games = 4 }",
            "cannot be shared equally",
        ),
        (
            "simulations = [60, 1]",
            "simulations = [60]",
            "with a number for each player",
        ),
        ("states = [40, 1, 1]", "", "with a number for each player"),
        (
            "[\"Thinker\", \"Guesser\"]",
            "[\"Thinker\", \"Nobody\"]",
            "does not tell of `Nobody`",
        ),
        ("name = \"three\"", "name = \"two\"", "two of that name"),
        ("at_least = 10", "", "at_least"),
        ("group = \"small\"", "grup = \"small\"", "grup"),
    ] {
        let message = refusal::<Matches>(TEXT, from, to);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_player_may_think_where_it_can_only_pass() {
    let simulations_of_the_second = |player: &str| -> u64 {
        let text = TEXT.replacen("uct(noop=think)", player, 1);
        let agenda = parse(&text).agenda(QUICK).unwrap();
        // Number 1 has the thinker in the second role of tic-tac-toe, which passes in every other
        // round.
        let mut setups = agenda.iter();
        let setup = setups
            .find(|setup| setup.cell == "two" && setup.number == 1)
            .unwrap();
        let record = Bundled
            .table("tic-tac-toe")
            .unwrap()
            .play(setup, 1)
            .unwrap();
        let rounds = record.steps as u64;
        assert_eq!(record.seats[1].player, "Thinker");
        record.seats[1].simulations * 100 / rounds
    };
    // 60 simulations a round, or in at most every other one.
    assert_eq!(simulations_of_the_second("uct(noop=think)"), 6000);
    assert!(simulations_of_the_second("uct") <= 3000);
}

#[test]
fn champions_are_found_by_halving_and_met() {
    let text = TEXT
        .replace(
            "[scales]",
            "Fool = \"mc-flat\"\n[champion]\ncandidates = [\"Fool\", \"Guesser\", \"Thinker\"]\nagainst = \"Guesser\"\nsimulations = 60\nrounds = { quick = [8, 6], report = [2] }\n[scales]",
        )
        .replace("players = [\"Thinker\", \"Guesser\"]", "players = [\"Guesser\", \"champion\"]");
    let study = parse(&text);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("champions.jsonl");
    let ledger = carry_out::<Matches>(&text, &file, QUICK, 2).unwrap();
    let games = |number| {
        let round = halving::round(&study, QUICK, number, &ledger).unwrap();
        round.map(|round| round.len())
    };
    // Three candidates play eight games each, the better two six more.
    assert_eq!([games(0), games(1), games(2)], [Some(24), Some(12), None]);
    let crowned = halving::crown(&study, QUICK, &ledger).unwrap();
    let champion = &crowned.cells[0].players[1];
    assert!(champion == "Thinker" || champion == "Fool", "{champion}");
    let summary = study::summarise(&study, QUICK, &ledger).unwrap();
    assert!(summary.notes.iter().any(|note| note.contains("8, 6 games")));
    assert_eq!(
        (summary.figures.played, ledger.records.len()),
        (12, 12 + 36)
    );
    // A run that goes on where the file ends has nothing to play again.
    let again = carry_out::<Matches>(&text, &file, QUICK, 2).unwrap();
    assert_eq!(again.records.len(), ledger.records.len());
    // A candidate that cannot play a game is left out there.
    let without = text.replace(
        "simulations = 60\n",
        "simulations = 60\nmissing = { tic-tac-toe = [\"Fool\"] }\n",
    );
    let first = halving::round(&parse(&without), QUICK, 0, &again).unwrap();
    assert_eq!(first.unwrap().len(), 16);
    // In games of three there is no champion.
    let refused = refusal::<Matches>(
        &text,
        "players = [\"Thinker\", \"Guesser\", \"Guesser\"]",
        "players = [\"Thinker\", \"champion\", \"Guesser\"]",
    );
    assert!(refused.contains("games of two"), "{refused}");
}

#[test]
fn perfect_play_is_counted_where_it_can_be_told() {
    let text = TEXT.replacen("[games]", "measure = \"perfect\"\n[games]", 1);
    let text = text.replacen(
        "[\"Thinker\", \"Guesser\"]",
        "[\"Thinker\", \"Thinker\"]",
        1,
    );
    let text = text.replacen("[60, 1]", "[400, 400]", 1);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.jsonl");
    let ledger = carry_out::<Matches>(&text, &file, QUICK, 2).unwrap();
    let (two, three): (Vec<_>, Vec<_>) = ledger
        .records
        .iter()
        .partition(|record| record.cell == "two");
    let perfect = two.iter().filter(|record| record.is_perfect == Some(true));
    let perfect: Vec<_> = perfect.collect();
    for record in &perfect {
        assert!(record.seats.iter().all(|seat| seat.goal == Some(50)));
    }
    assert!(two.iter().all(|record| record.is_perfect.is_some()) && !perfect.is_empty());
    // What is best for three is not worked out.
    assert!(three.iter().all(|record| record.is_perfect.is_none()));
    let summary = study::summarise(&parse(&text), QUICK, &ledger).unwrap();
    let figures = &summary.figures;
    assert_eq!((figures.played, figures.faulty), (12, 6));
    assert_eq!(figures.cells[0].tally.wins as usize, perfect.len());
    let text = Matches::report(&summary).text();
    let head = "Games in which every move was best, in percent";
    assert!(text.contains(head), "{text}");
}

#[test]
fn random_play_is_seldom_perfect() {
    let text = TEXT.replacen("[games]", "measure = \"perfect\"\n[games]", 1);
    let text = text.replacen("uct(noop=think)", "random", 1);
    let agenda = parse(&text).agenda(QUICK).unwrap();
    let table = Bundled.table("tic-tac-toe").unwrap();
    let two = agenda.iter().filter(|setup| setup.cell == "two");
    let perfect = two.filter(|setup| {
        let record = table.play(setup, 1).unwrap();
        record.is_perfect == Some(true)
    });
    let perfect = perfect.count();
    assert!(perfect <= 2, "{perfect} of 6");
}

const THREE: &str = r#"
    title = "T"
    source = "S"
    about = "A"
    games = { chinese-checkers-3 = "ours" }
    players = { One = "uct", Two = "mc-flat", Three = "random" }
    scales.quick = { games = 6 }
    scales.paper = { games = 12, budget = 0.5 }
    [[cells]]
    name = "all"
    group = "g"
    game = "chinese-checkers-3"
    players = ["One", "Two", "Three"]
    states = [100, 50, 1]
"#;

#[test]
fn every_player_has_every_role_equally_often() {
    let study = parse(THREE);
    let agenda = study.agenda(QUICK).unwrap();
    for role in 0..3 {
        for place in 0..3 {
            let there = |setup: &&Setup| setup.contestants[role].place == place;
            assert_eq!(agenda.iter().filter(there).count(), 2);
        }
    }
    let states: Vec<String> = agenda[1]
        .contestants
        .iter()
        .map(|contestant| contestant.thinking.to_string())
        .collect();
    assert_eq!(states, ["50 states", "1 states", "100 states"]);
}

#[test]
fn a_cell_can_keep_its_budget_at_every_scale() {
    let states = |text: &str| {
        let study = parse(text);
        let agenda = study.agenda(run(Scale::Paper, 1)).unwrap();
        agenda[0].contestants[0].thinking.to_string()
    };
    assert_eq!(states(THREE), "50 states");
    assert_eq!(states(&format!("{THREE}whole = true")), "100 states");
}

#[test]
fn some_cells_may_have_more_games() {
    let second = THREE[THREE.find("[[cells]]").unwrap()..].replace("all", "more");
    let second = second.replace(r#""g""#, r#""h""#);
    let longer = r#"{ games = 12, longer = [{ cells = { groups = ["h"] }, games = 15 }] }"#;
    let text = THREE.replace("{ games = 12, budget = 0.5 }", longer);
    let study = parse(&format!("{text}{second}"));
    let agenda = study.agenda(run(Scale::Paper, 1)).unwrap();
    let count = |cell| agenda.iter().filter(|setup| setup.cell == cell).count();
    assert_eq!((count("all"), count("more")), (12, 15));
    assert_eq!(agenda.last().unwrap().number, 14);
    let unplayed = text.replace(r#""h""#, r#""i""#);
    let error = study::parse::<Matches>("test", &unplayed);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("not played"), "{error}");
}

#[test]
fn an_agenda_begins_with_that_of_a_smaller_scale_if_budgets_are_the_same() {
    let half = parse(THREE);
    let same = parse(&THREE.replace("budget = 0.5", "budget = 1"));
    let fingerprints = |study: &Matches, scale| -> Vec<String> {
        let agenda = study.agenda(run(scale, 1)).unwrap();
        agenda.iter().map(Setup::fingerprint).collect()
    };
    let quick = fingerprints(&same, Scale::Quick);
    assert!(fingerprints(&same, Scale::Paper).starts_with(&quick));
    let other: BTreeSet<String> = fingerprints(&half, Scale::Paper).into_iter().collect();
    assert!(quick.iter().all(|print| !other.contains(print)));
}
