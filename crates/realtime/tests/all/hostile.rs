//! Rules, moves and messages that mean no good.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::time::Instant;

use paidia_game::{Resource, RoleId, Ticks, TimedGame, TimedWalker};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_realtime::clock::Pace;
use paidia_realtime::live::{LiveSettings, Sent, host};
use paidia_realtime::messages::Message;
use paidia_realtime::players::make;
use paidia_realtime::{Arrival, Entry, RandomDraws, Table, contest};
use paidia_reason::timed::{Core, Timed};

fn load(text: &str) -> Timed {
    let source = Source::new("hostile", text.to_owned());
    let (sheet, report) = check_source(&source, None);
    assert!(!report.has_errors(), "{:?}", report.problems);
    let program = Program::new(&sheet.sheet, report.dialect).unwrap();
    Timed::new("hostile", &program, Core::Compiled, None).unwrap()
}

fn draws() -> RandomDraws {
    RandomDraws(paidia_game::Chance::from_seed(1))
}

#[test]
fn lifetimes_that_are_none_are_refused_or_dropped() {
    for lifetime in ["0", "-1", "0.0"] {
        let text = format!(
            "(role a) (init {lifetime} f) (init 1.0 g) (<= terminal (expired g)) (goal a 0)"
        );
        let (_, report) = check_source(&Source::new("bad", text), None);
        assert!(report.has_errors(), "{lifetime}");
    }
    // What a variable brings is no fault of the sheet, and no fact.
    let game = load(
        "(role a) (time 0) (time soon) (time 2.0) (init 1.0 g)
         (<= (next ?t (f ?t)) (time ?t) (expired g))
         (<= (legal a wait) (role a)) (<= terminal (expired (f 2))) (goal a 0)",
    );
    let mut table = Table::new(&game);
    table.run_before(Ticks::from_units(1.5), &mut draws(), &mut ());
    let mut state = paidia_game::Rules::initial(&game);
    table.walker().save(&mut state);
    assert_eq!(
        game.lasting(&state),
        [(Some(Ticks(2_000_000)), "(f 2)".to_owned())]
    );
    assert_eq!(table.walker().dropped().len(), 2);
}

#[test]
fn a_lifetime_beyond_all_bounds_is_a_fault() {
    let game = load(
        "(role a) (time 99999999999999999999) (init 1.0 g)
         (<= (next ?t f) (time ?t) (expired g)) (<= (legal a wait) (role a))
         (<= terminal (expired f)) (goal a 0)",
    );
    let mut table = Table::new(&game);
    table.run_before(Ticks::from_units(2.0), &mut draws(), &mut ());
    assert_eq!(
        table.fault().map(|fault| fault.resource),
        Some(Resource::Lifetime)
    );
}

#[test]
fn thousands_of_facts_end_at_once() {
    let game = load(
        "(role a) (<= (init 1.0 (f ?a ?b ?c ?d)) (d ?a) (d ?b) (d ?c) (d ?d))
         (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7)
         (<= (next infinity (was ?a ?b ?c ?d)) (expired (f ?a ?b ?c ?d)))
         (<= (legal a wait) (role a)) (<= terminal (true infinity (was 0 0 0 0))) (goal a 100)",
    );
    let mut entries: Vec<Entry> = Vec::new();
    let mut table = Table::new(&game);
    table.run_before(Ticks::from_units(5.0), &mut draws(), &mut entries);
    assert_eq!(entries.len(), 1, "one update");
    assert!(table.is_over());
    let mut state = paidia_game::Rules::initial(&game);
    table.walker().save(&mut state);
    assert_eq!(game.lasting(&state).len(), 4096);
}

#[test]
fn more_times_than_there_are_names_are_a_fault() {
    // Every move keeps what is left of the clock as an argument, at a time of its own.
    let game = load(
        "(role a) (init 100000.0 clock) (<= (next ?t clock) (true ?t clock))
         (<= (next infinity (was ?t)) (does a note) (true ?t clock))
         (<= (next infinity (was ?t)) (true infinity (was ?t)))
         (<= (legal a note) (role a)) (<= terminal (expired clock)) (goal a 0)",
    );
    let mut table = Table::new(&game);
    for time in 1..=5_000 {
        let arrival = Arrival {
            role: RoleId(0),
            text: "note".to_owned(),
        };
        table.instant(Ticks(time * 7), vec![arrival], &mut draws(), &mut ());
        if table.is_over() {
            break;
        }
    }
    assert_eq!(
        table.fault().map(|fault| fault.resource),
        Some(Resource::Times)
    );
}

#[test]
fn a_match_that_never_ends_by_itself_runs_into_its_limit() {
    let game = load(
        "(role a) (init 0.000001 tick) (<= (next 0.000001 tick) (expired tick))
         (<= (legal a wait) (true infinity never)) (<= terminal (true infinity never)) (goal a 0)",
    );
    let mut players = vec![make("none", &game, RoleId(0), 1).unwrap()];
    let until = Ticks::from_units(1_000.0);
    let outcome = contest::play(&game, &mut players, until, Ticks::ZERO, 1, &mut ());
    assert_eq!(
        outcome.fault.map(|fault| fault.resource),
        Some(Resource::Updates)
    );
}

#[test]
fn a_flood_and_moves_of_strangers_do_not_keep_a_match_from_its_end() {
    let game = load(
        "(role a) (role b) (init 1.0 clock) (<= (next ?t clock) (true ?t clock))
         (<= (legal ?r tap) (role ?r)) (<= terminal (expired clock)) (<= (goal ?r 100) (role ?r))",
    );
    let (sender, moves) = mpsc::channel();
    for number in 0..5_000 {
        let texts = ["tap", "nonsense", "(tap", "", "(tap 1 2)"];
        let sent = Sent {
            // Roles that there are not, too.
            role: RoleId(number % 4),
            text: texts[usize::from(number) % texts.len()].to_owned(),
            at: Instant::now(),
        };
        sender.send(sent).unwrap();
    }
    let settings = LiveSettings {
        name: "flood",
        pace: Pace { seconds: 0.3 },
        until: Ticks::from_units(50.0),
        seed: 1,
        stop: &AtomicBool::new(false),
    };
    let mut told = 0;
    let mut tell = |_: Message| told += 1;
    let (outcome, punctuality) = host(&game, &settings, &moves, &mut tell, &mut ());
    assert!(outcome.is_over && outcome.fault.is_none(), "{outcome:?}");
    assert!(punctuality.flooded >= 4_000, "{}", punctuality.flooded);
    assert!(told < 2_000, "{told} messages");
}
