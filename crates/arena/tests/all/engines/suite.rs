//! One suite for all engines: the conformance kit, random play beside the reference, recorded play,
//! counts, and every setting. Each test asserts how much it covered.
//!
//! `PAIDIA_GAMES=a,b` tries those games only, without floors; `PAIDIA_FULL=1` everything.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use paidia_arena::engine::{EngineError, EngineSpec, load};
use paidia_arena::rules::Ruleset;
use paidia_game::{AnyGame, ConformanceOptions, CrossCheck, Rules as _, conformance, perft};
use paidia_gdl::grounding::Budget;
use paidia_testkit::replay::difference;
use paidia_testkit::settings::{full, is_wanted};
use paidia_testkit::{Corpus, RuleSheet, corpus};

use crate::engines::table::{
    Covered, ENTRIES, Entry, LEFT_OUT, SETTINGS_ON, SLOW, TOGETHER, Walks,
};

/// What a test found.
#[derive(Default)]
struct Findings {
    covered: BTreeMap<&'static str, Covered>,
    wrong: Vec<String>,
}

impl Findings {
    /// Fails if anything is wrong, or if less was covered than the table promises.
    fn assert(&self, floor: impl Fn(&Entry) -> Covered) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
        println!("{:#?}", self.covered);
        if std::env::var_os("PAIDIA_GAMES").is_some() {
            return;
        }
        for entry in &ENTRIES {
            let found = self.covered.get(entry.engine).copied().unwrap_or_default();
            let floor = floor(entry);
            let enough = found.games >= floor.games
                && found.sheets >= floor.sheets
                && found.states >= floor.states;
            assert!(enough, "{}: {found:?}, not {floor:?}", entry.engine);
        }
    }
}

/// Runs a check on every sheet, as many at a time as there are processors.
fn on_all(
    sheets: &[RuleSheet],
    check: impl Fn(usize, &RuleSheet, &Mutex<Findings>) + Sync,
) -> Findings {
    let (next, findings) = (AtomicUsize::new(0), Mutex::default());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(sheet) = sheets.get(number) else {
                        return;
                    };
                    if is_wanted(&sheet.name) {
                        check(number, sheet, &findings);
                    }
                }
            });
        }
    });
    findings.into_inner().unwrap()
}

fn ruleset(sheet: &RuleSheet) -> Ruleset {
    let rules = Ruleset::from_text(&sheet.name, &sheet.text);
    rules.unwrap_or_else(|error| panic!("{}: {error}", sheet.name))
}

/// The rules on an engine; `None` where an engine that needs a network is over its budget.
fn game(engine: &str, rules: &Ruleset) -> Option<AnyGame> {
    let spec: EngineSpec = engine.parse().unwrap();
    let budget = Budget {
        time: Duration::from_secs(5),
        ..Budget::default()
    };
    match load(&spec, rules, budget) {
        Ok(loaded) => Some(loaded.game().unwrap()),
        Err(EngineError::NoNetwork { .. }) => {
            println!("{engine}, {}: over its budget", rules.name());
            None
        }
        Err(error) => panic!("{engine}, {}: {error}", rules.name()),
    }
}

/// Joint moves of the conformance kit, which takes each state apart in many ways.
fn kit(steps: u32) -> ConformanceOptions {
    ConformanceOptions {
        playouts: 1,
        step_limit: steps,
        seed: 1,
    }
}

/// What the conformance kit and the reference say about an engine on a game, and the number of
/// states that were compared.
fn examine(game: &AnyGame, reference: &AnyGame, steps: u32, walks: Walks) -> (Vec<String>, u64) {
    let broken = conformance(game, kit(steps));
    let mut wrong: Vec<String> = broken.iter().map(ToString::to_string).collect();
    let pair = CrossCheck {
        trusted: reference.clone(),
        suspect: game.clone(),
    };
    match pair.run(walks.playouts, walks.steps, 5) {
        Ok(agreement) => (wrong, agreement.states),
        Err(difference) => {
            wrong.push(difference.to_string());
            (wrong, 0)
        }
    }
}

const NONE: Walks = Walks {
    playouts: 0,
    steps: 0,
};

#[test]
fn bundled_games() {
    let sheets: Vec<RuleSheet> = RuleSheet::all_bundled().collect();
    let found = on_all(&sheets, |_, sheet, findings| {
        let rules = ruleset(sheet);
        let reference = game("reference", &rules).unwrap();
        for entry in &ENTRIES {
            let Some(game) = game(entry.engine, &rules) else {
                continue;
            };
            let left_out = LEFT_OUT
                .iter()
                .any(|(engine, game, _)| (*engine, *game) == (entry.engine, &*sheet.name));
            let walks = if left_out { NONE } else { entry.bundled };
            let (wrong, states) = examine(&game, &reference, 40, walks);
            let mut findings = findings.lock().unwrap();
            let place = format!("{}, {}", entry.engine, sheet.name);
            findings
                .wrong
                .extend(wrong.iter().map(|what| format!("{place}: {what}")));
            let covered = findings.covered.entry(entry.engine).or_default();
            covered.games += 1;
            covered.states += states;
        }
    });
    found.assert(|entry| Covered {
        sheets: 0,
        ..entry.floor
    });
}

/// How a public sheet is compared with the reference on an engine.
fn public_walks(entry: &Entry, name: &str) -> Walks {
    let steps = match SLOW.contains(&(entry.engine, name)) {
        true => 4,
        false => entry.public.steps,
    };
    match entry.compared.contains(&name) {
        true => Walks {
            steps,
            ..entry.public
        },
        false => NONE,
    }
}

#[test]
fn public_sheets() {
    let Some(corpus) = corpus() else { return };
    let sheets = corpus.all();
    let found = on_all(&sheets, |number, sheet, findings| {
        let rules = ruleset(sheet);
        let reference = game("reference", &rules).unwrap();
        for entry in &ENTRIES {
            let walks = public_walks(entry, &sheet.name);
            // The slower engines take a sample, unless there is time for everything.
            let sampled = entry.every_public || full() || number % 9 == 4;
            if !sampled && walks.steps == 0 {
                continue;
            }
            let Some(game) = game(entry.engine, &rules) else {
                continue;
            };
            let (wrong, _) = examine(&game, &reference, if sampled { 8 } else { 0 }, walks);
            let mut findings = findings.lock().unwrap();
            let place = format!("{}, {}", entry.engine, sheet.name);
            findings
                .wrong
                .extend(wrong.iter().map(|what| format!("{place}: {what}")));
            findings.covered.entry(entry.engine).or_default().sheets += 1;
        }
    });
    found.assert(|entry| Covered {
        games: 0,
        states: 0,
        ..entry.floor
    });
    for entry in &ENTRIES {
        let names = corpus.names();
        let gone: Vec<_> = entry
            .compared
            .iter()
            .filter(|name| !names.iter().any(|other| other == **name))
            .collect();
        assert!(gone.is_empty(), "{}: no sheets {gone:?}", entry.engine);
    }
}

/// Sheets whose records the slower engines follow at every run; the tests of `paidia replay` let
/// the others follow all of them.
const RECORDED: [&str; 8] = [
    "ticTacToe",
    "connectFour",
    "breakthroughSmall",
    "eightPuzzle",
    "2pffa",
    "blocker",
    "knightsTour",
    "tictactoe_3d_small_2player",
];

fn recorded(corpus: &Corpus) -> Vec<RuleSheet> {
    match full() {
        true => corpus.all(),
        false => RECORDED.map(|name| corpus.rules(name)).into(),
    }
}

#[test]
fn recorded_play() {
    let Some(corpus) = corpus() else { return };
    let sheets = recorded(&corpus);
    let found = on_all(&sheets, |_, sheet, findings| {
        let rules = ruleset(sheet);
        let playouts = corpus.playouts(&sheet.name);
        for entry in &ENTRIES {
            let Some(game) = game(entry.engine, &rules) else {
                continue;
            };
            let wrong = playouts.iter().find_map(|steps| difference(&game, steps));
            let mut findings = findings.lock().unwrap();
            let place = format!("{}, {}", entry.engine, sheet.name);
            findings
                .wrong
                .extend(wrong.map(|what| format!("{place}: {what}")));
            let covered = findings.covered.entry(entry.engine).or_default();
            covered.sheets += 1;
            covered.states += playouts.iter().map(Vec::len).sum::<usize>() as u64;
        }
    });
    found.assert(|_| Covered {
        games: 0,
        sheets: RECORDED.len(),
        states: 300,
    });
}

/// Every engine with every value of each of its settings, and with some settings together.
fn variants() -> Vec<String> {
    let all = crate::engines::every_setting().into_iter();
    let usual = all.filter(|written| !written.starts_with("auto"));
    usual.chain(TOGETHER.map(str::to_owned)).collect()
}

#[test]
fn settings_change_nothing() {
    let sheets = SETTINGS_ON.map(paidia_testkit::bundled);
    let (pairs, states) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let variants = variants();
    let found = on_all(&sheets, |_, sheet, findings| {
        let rules = ruleset(sheet);
        let reference = game("reference", &rules).unwrap();
        for engine in &variants {
            let game = game(engine, &rules).unwrap();
            let slow = engine.starts_with("prover");
            let walks = Walks {
                playouts: if slow { 1 } else { 2 },
                steps: if slow { 25 } else { 40 },
            };
            let (wrong, compared) = examine(&game, &reference, 10, walks);
            let wrong = wrong
                .iter()
                .map(|what| format!("{engine}, {}: {what}", sheet.name));
            findings.lock().unwrap().wrong.extend(wrong);
            pairs.fetch_add(1, Ordering::Relaxed);
            states.fetch_add(compared as usize, Ordering::Relaxed);
        }
    });
    assert!(found.wrong.is_empty(), "{}", found.wrong.join("\n"));
    let (pairs, states) = (pairs.into_inner(), states.into_inner());
    println!("{pairs} pairs, {states} states");
    assert_eq!(pairs, variants.len() * SETTINGS_ON.len());
    assert!(
        variants.len() >= 50 && states >= 10_000,
        "{variants:?}, {states} states"
    );
}

/// Leaves and terminals of the first depths, as many as ten thousand states allow.
fn counts(sheet: &RuleSheet) -> Vec<(u128, u128)> {
    let game = game("reference", &ruleset(sheet)).unwrap();
    let depth = if full() { 3 } else { 5 };
    let states = if full() { 3_000_000 } else { 10_000 };
    let found = perft(&game, &game.initial(), depth, states);
    let depths = found.depths.iter();
    depths
        .map(|depth| (depth.leaves, depth.terminals))
        .collect()
}

#[test]
fn bundled_games_count_like_the_public_sheets_of_the_same_game() {
    let Some(corpus) = corpus() else { return };
    let sheets: Vec<RuleSheet> = RuleSheet::all_bundled().collect();
    let compared = AtomicUsize::new(0);
    let found = on_all(&sheets, |_, sheet, findings| {
        let facts = paidia_library::find(&sheet.name).unwrap().facts().unwrap();
        let Some(public) = facts.public.filter(|public| public.differs.is_none()) else {
            return;
        };
        let (ours, theirs) = (counts(sheet), counts(&corpus.rules(&public.name)));
        // Either may have more states for the same play, and so stop at a lower depth.
        let depths = ours.len().min(theirs.len());
        compared.fetch_add(usize::from(depths > 2), Ordering::Relaxed);
        if ours[..depths] != theirs[..depths] {
            let what = format!("{}: {ours:?}, {}: {theirs:?}", sheet.name, public.name);
            findings.lock().unwrap().wrong.push(what);
        }
    });
    assert!(found.wrong.is_empty(), "{}", found.wrong.join("\n"));
    let compared = compared.into_inner();
    assert!(
        compared >= 25,
        "only {compared} games were compared beyond their first move"
    );
}
