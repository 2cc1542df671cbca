//! Small studies from their data to their results.

use std::collections::BTreeSet;
use std::path::Path;

use paidia_arena::Playable;
use paidia_arena::study::{
    self, Board, Ending, Experiment, Judgement, Ledger, Outcome, Plan, Scale, Study, StudyError,
    Summary, Tables, halving,
};
use paidia_testkit::bundled;

const TEXT: &str = r#"
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

fn tables() -> Tables {
    let load = |name: &str| Board::new(Playable::new(bundled(name).reference()));
    let names = ["tic-tac-toe", "chinese-checkers-3"];
    names
        .map(|name| (name.to_owned(), Box::new(load(name)) as _))
        .into()
}

fn experiment() -> Experiment {
    Experiment::parse("test", TEXT).unwrap()
}

/// Plays the study, and gives its ledger.
fn play(file: &Path, scale: Scale, seed: u64, jobs: usize) -> Ledger {
    let plan = Plan::new(&experiment(), scale, seed).unwrap();
    let mut ledger = Ledger::open(file).unwrap();
    study::run(&plan, &tables(), &mut ledger, jobs, &|_, _| {}).unwrap();
    ledger
}

/// The records without what depends on the machine, in an order that does not depend on who was first.
fn timeless(ledger: &Ledger) -> Vec<Outcome> {
    let mut records = ledger.records.clone();
    for seat in records.iter_mut().flat_map(|record| &mut record.seats) {
        seat.seconds = 0.0;
    }
    records.sort_by_key(|record| (record.cell.clone(), record.number));
    records
}

fn summary(ledger: &Ledger) -> Summary {
    let plan = Plan::new(&experiment(), Scale::Quick, 1).unwrap();
    study::summarise(&experiment(), &plan, ledger, &[])
}

#[test]
fn bundled_studies_are_sound_and_their_games_exist() {
    assert!(study::all().len() >= 5);
    for bundled in study::all() {
        let read = bundled.read();
        let Study::Matches(experiment) =
            read.unwrap_or_else(|error| panic!("{}: {error}", bundled.name))
        else {
            continue;
        };
        for scale in Scale::ALL {
            let plan = Plan::new(&experiment, scale, 1).unwrap();
            let fingerprints: BTreeSet<String> =
                plan.games.iter().map(study::Setup::fingerprint).collect();
            assert_eq!(fingerprints.len(), plan.games.len(), "{}", bundled.name);
        }
        for game in experiment.games.keys() {
            assert!(
                paidia_library::find(game).is_ok(),
                "{}: {game}",
                bundled.name
            );
        }
        for cell in &experiment.cells {
            let facts = paidia_library::find(&cell.game).unwrap().facts().unwrap();
            let players = usize::from(facts.players);
            assert_eq!(
                cell.players.len(),
                players,
                "{}: {}",
                bundled.name,
                cell.name
            );
        }
        for other in experiment.claims.iter().flat_map(|claim| &claim.also) {
            assert!(study::find(other).is_ok(), "{}: {other}", bundled.name);
        }
    }
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
        assert_eq!(Ledger::read(&torn).unwrap().records.len(), kept);
        let continued = play(&torn, Scale::Quick, 1, 2);
        assert_eq!(
            timeless(&continued),
            timeless(&whole),
            "killed at byte {end}"
        );
        // The file says the same as what was in memory, and there is nothing left to do.
        let lines = std::fs::read_to_string(&torn).unwrap();
        assert_eq!(lines.lines().count(), 12);
        assert!(
            lines
                .as_bytes()
                .starts_with(&text[..end][..whole_lines(&text[..end])])
        );
        play(&torn, Scale::Quick, 1, 1);
        assert_eq!(std::fs::read_to_string(&torn).unwrap(), lines);
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
    assert_eq!(summary(&report).played, 12);
}

#[test]
fn a_whole_line_that_is_no_record_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.jsonl");
    std::fs::write(&file, "{\"game\":7}\n").unwrap();
    let error = Ledger::open(&file).unwrap_err();
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
    assert_eq!(
        (summary.played, summary.wanted, summary.faulty),
        (12, 12, 0)
    );
    let two = &summary.cells[0];
    let points = two.points.unwrap();
    assert!(points.value > 60.0 && points.low < points.value && points.value <= points.high);
    assert_eq!(summary.claims[0].judgement, Judgement::Holds);
    assert!(summary.stands());

    let text = summary.text();
    assert!(
        text.contains("60 simulations v 1 simulations") && text.contains("90.0 (85.0 to 95.0)"),
        "{text}"
    );
    let csv = summary.csv();
    assert_eq!(csv.lines().count(), 3);
    let columns = |line: &str| line.split(',').count();
    assert!(
        csv.lines()
            .all(|line| columns(line) == columns(csv.lines().next().unwrap())),
        "{csv}"
    );
    let markdown = summary.markdown(Some("test.svg"));
    assert!(
        markdown.contains("](test.svg)") && markdown.contains("**holds**"),
        "{markdown}"
    );
    let svg = summary.svg();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    // Two points of ours, one of the paper's, two of the legend.
    assert_eq!(svg.matches("<circle").count(), 5);
}

#[test]
fn the_wrong_number_of_players_is_an_error_before_anything_is_played() {
    let text = TEXT.replace("game = \"tic-tac-toe\"", "game = \"chinese-checkers-3\"");
    let experiment = Experiment::parse("test", &text).unwrap_err();
    // The claim has lost its cell, which is noticed first.
    assert!(experiment.to_string().contains("no cell"), "{experiment}");
    let text = text.replace("games = [\"tic-tac-toe\"]", "");
    let plan = Plan::new(&Experiment::parse("test", &text).unwrap(), Scale::Quick, 1).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(&folder.path().join("results.jsonl")).unwrap();
    let error = study::run(&plan, &tables(), &mut ledger, 1, &|_, _| {}).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the cell `two` has 2 players, but `chinese-checkers-3` wants 3"
    );
    assert!(ledger.records.is_empty());
}

#[test]
fn faulty_data_is_named() {
    let message = |from: &str, to: &str| {
        let text = TEXT.replacen(from, to, 1);
        assert_ne!(text, TEXT, "{from}");
        Experiment::parse("test", &text).unwrap_err().to_string()
    };
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
        let message = message(from, to);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_player_may_think_where_it_can_only_pass() {
    let simulations_of_the_second = |player: &str| -> u64 {
        let text = TEXT.replacen("uct(noop=think)", player, 1);
        let experiment = Experiment::parse("test", &text).unwrap();
        let plan = Plan::new(&experiment, Scale::Quick, 1).unwrap();
        // Number 1 has the thinker in the second role of tic-tac-toe, which passes in every other round.
        let mut setups = plan.games.iter();
        let setup = setups
            .find(|setup| setup.cell == "two" && setup.number == 1)
            .unwrap();
        let record = tables()["tic-tac-toe"].play(setup, 1).unwrap();
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
    let experiment = Experiment::parse("test", &text).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("champions.jsonl");
    let mut ledger = Ledger::open(&file).unwrap();
    let mut played = Vec::new();
    for number in 0.. {
        let round = halving::round(&experiment, Scale::Quick, 1, number, &ledger).unwrap();
        let Some(round) = round else { break };
        played.push(round.games.len());
        study::run(&round, &tables(), &mut ledger, 2, &|_, _| {}).unwrap();
    }
    // Three candidates play eight games each, the better two six more.
    assert_eq!(played, [24, 12]);
    let crowned = halving::crown(&experiment, Scale::Quick, 1, &ledger).unwrap();
    let champion = &crowned.cells[0].players[1];
    assert!(champion == "Thinker" || champion == "Fool", "{champion}");
    assert!(crowned.notes.last().unwrap().contains("8, 6 games"));
    // Who goes on where the file ends has nothing to play again.
    let again = Ledger::read(&file).unwrap();
    let first = halving::round(&experiment, Scale::Quick, 1, 0, &again)
        .unwrap()
        .unwrap();
    let known: BTreeSet<&String> = again.records.iter().map(|record| &record.setup).collect();
    assert!(
        first
            .games
            .iter()
            .all(|setup| known.contains(&setup.fingerprint()))
    );
    // Who cannot play a game is not asked to.
    let without = text.replace(
        "simulations = 60\n",
        "simulations = 60\nmissing = { tic-tac-toe = [\"Fool\"] }\n",
    );
    let without = Experiment::parse("test", &without).unwrap();
    let first = halving::round(&without, Scale::Quick, 1, 0, &again).unwrap();
    assert_eq!(first.unwrap().games.len(), 16);
    // In games of three there is no champion.
    let three = text.replace(
        "players = [\"Thinker\", \"Guesser\", \"Guesser\"]",
        "players = [\"Thinker\", \"champion\", \"Guesser\"]",
    );
    let refused = Experiment::parse("test", &three).unwrap_err().to_string();
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
    let experiment = Experiment::parse("test", &text).unwrap();
    let plan = Plan::new(&experiment, Scale::Quick, 1).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(&folder.path().join("results.jsonl")).unwrap();
    study::run(&plan, &tables(), &mut ledger, 2, &|_, _| {}).unwrap();
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
    // Nobody knows what is best for three.
    assert!(three.iter().all(|record| record.is_perfect.is_none()));
    let summary = study::summarise(&experiment, &plan, &ledger, &[]);
    assert_eq!((summary.played, summary.faulty), (12, 6));
    assert_eq!(summary.cells[0].tally.wins as usize, perfect.len());
    let head = "Games in which every move was best, in percent";
    assert!(summary.text().contains(head), "{}", summary.text());
}

#[test]
fn random_play_is_seldom_perfect() {
    let text = TEXT.replacen("[games]", "measure = \"perfect\"\n[games]", 1);
    let text = text.replacen("uct(noop=think)", "random", 1);
    let plan = Plan::new(&Experiment::parse("test", &text).unwrap(), Scale::Quick, 1).unwrap();
    let tables = tables();
    let two = plan.games.iter().filter(|setup| setup.cell == "two");
    let perfect = two.filter(|setup| {
        let record = tables["tic-tac-toe"].play(setup, 1).unwrap();
        record.is_perfect == Some(true)
    });
    let perfect = perfect.count();
    assert!(perfect <= 2, "{perfect} of 6");
}
