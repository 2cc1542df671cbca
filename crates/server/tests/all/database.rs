//! Work lists that machines share, on a real PostgreSQL server that each test starts for itself.

use paidia_arena::contest::{Ending, Outcome};
use paidia_arena::record::MatchRecord;
use paidia_arena::store::{Archive, StoreError, WorkList};
use paidia_server::database::{Definition, GameDefinition, SharedDatabase, SharedList};
use paidia_testkit::postgres::PostgresServer;
use paidia_testkit::process::wait_for;
use postgres::{Client, NoTls};

fn definition(lease: u32) -> Definition {
    Definition {
        program: "1".to_owned(),
        name: "t".to_owned(),
        file: "title = \"Ours\"".to_owned(),
        games: vec![GameDefinition {
            name: "mine.kif".to_owned(),
            rules: "(role \"näme\")\n".to_owned(),
            engine: "reference".to_owned(),
        }],
        records: true,
        lease,
    }
}

fn outcome(setup: &str, steps: usize) -> Outcome {
    Outcome {
        cell: "cell".into(),
        number: 0,
        seed: 1,
        setup: setup.into(),
        ending: Ending::Over,
        steps,
        seats: Vec::new(),
        goal_range: (0, 100),
        is_perfect: None,
    }
}

fn record(id: &str, goal: i32) -> MatchRecord {
    MatchRecord {
        match_id: id.to_owned(),
        start_time: 5,
        states: vec![vec!["start".to_owned()]],
        goal_values: vec![goal],
        ..MatchRecord::default()
    }
}

fn setups(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// What is free, all claimed now.
fn claims(list: &SharedList<'_>) -> Vec<String> {
    std::iter::from_fn(|| list.claim().unwrap()).collect()
}

/// Waits until a match is free.
fn claim_at_last(list: &SharedList<'_>) -> String {
    wait_for("a free match", || list.claim().unwrap())
}

#[test]
fn matches_are_claimed_once_finished_once_and_free_again_when_a_lease_runs_out() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let [one, other] = [(); 2].map(|()| SharedDatabase::open(&server.address()).unwrap());
    let all = setups(&["a", "b", "c"]);
    let list = one.begin(&definition(3600), &all).unwrap();
    let (joined, theirs) = other.join("t").unwrap().unwrap();
    assert_eq!(joined, definition(3600));
    assert!(other.join("nobody's").unwrap().is_none());
    assert!(other.open_tournaments().unwrap()[0].free);
    assert_eq!(list.claim().unwrap().unwrap(), "a");
    assert_eq!(theirs.claim().unwrap().unwrap(), "b");

    // Another client is claiming the last one at this moment: `claim` does not wait for it.
    let mut client = Client::connect(&server.address(), NoTls).unwrap();
    let mut busy = client.transaction().unwrap();
    let lock = "SELECT setup FROM paidia.task WHERE setup = 'c' FOR UPDATE";
    busy.query(lock, &[]).unwrap();
    assert_eq!(list.claim().unwrap(), None);
    busy.rollback().unwrap();
    assert_eq!(theirs.claim().unwrap().unwrap(), "c");
    assert_eq!(list.claim().unwrap(), None);
    assert!(!other.open_tournaments().unwrap()[0].free);

    // The first result counts.
    list.finish(&outcome("a", 1), Some(&record("t.a", 100)))
        .unwrap();
    theirs
        .finish(&outcome("a", 2), Some(&record("t.a", 0)))
        .unwrap();
    assert_eq!(other.outcomes("t", &all).unwrap(), [outcome("a", 1)]);
    let rows = other.matches(None).unwrap();
    assert_eq!((rows.len(), &rows[0].goals), (1, &vec![100]));
    assert_eq!(other.record(&rows[0]).unwrap(), record("t.a", 100));
    assert_eq!(other.matches(Some("t.b")).unwrap(), []);
    assert_eq!(list.left().unwrap(), 2);

    // `b` and `c` are claimed. Of those only `c` is renewed, until another process has `b`.
    client
        .execute("UPDATE paidia.task SET lease = now() + '2 s'", &[])
        .unwrap();
    theirs.renew(&setups(&["c"])).unwrap();
    assert_eq!(claim_at_last(&list), "b");
    theirs.renew(&setups(&["b", "c"])).unwrap();
    assert_eq!(list.claim().unwrap(), None);
    // Whose claim ran out may still be the first to finish.
    theirs.finish(&outcome("b", 3), None).unwrap();
    theirs.finish(&outcome("c", 4), None).unwrap();
    list.finish(&outcome("b", 5), None).unwrap();
    assert_eq!(list.left().unwrap(), 0);
    assert_eq!(other.open_tournaments().unwrap(), []);
    let outcomes = one.outcomes("t", &setups(&["c", "b"])).unwrap();
    assert_eq!(outcomes, [outcome("c", 4), outcome("b", 3)]);
}

#[test]
fn a_tournament_that_is_begun_anew_keeps_what_is_done_and_those_who_play_notice() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let database = SharedDatabase::open(&server.address()).unwrap();
    let first = database
        .begin(&definition(3600), &setups(&["a", "b"]))
        .unwrap();
    assert_eq!(first.claim().unwrap().unwrap(), "a");
    first.finish(&outcome("a", 1), None).unwrap();

    // The same once more, as after a crash: claims stay as they are.
    let again = database
        .begin(&definition(3600), &setups(&["a", "b"]))
        .unwrap();
    assert_eq!(again.revision(), first.revision());
    assert_eq!(first.left().unwrap(), 1);
    assert_eq!(first.claim().unwrap().unwrap(), "b");

    let other = Definition {
        file: "title = \"Longer\"".to_owned(),
        ..definition(3600)
    };
    let second = database.begin(&other, &setups(&["c", "a"])).unwrap();
    assert_ne!(second.revision(), first.revision());
    assert_eq!(first.claim().unwrap(), None);
    assert!(matches!(first.left(), Err(StoreError::Changed(_))));
    assert_eq!(second.left().unwrap(), 1);
    assert_eq!(claims(&second), ["c"]);
    // What is not in the list any more is kept when it comes in, for when it comes back.
    first.finish(&outcome("b", 2), None).unwrap();
    let back = database
        .begin(&definition(3600), &setups(&["a", "b", "c"]))
        .unwrap();
    assert_eq!(back.left().unwrap(), 1);
    let done = database.outcomes("t", &setups(&["a", "b", "c"])).unwrap();
    assert_eq!(done, [outcome("a", 1), outcome("b", 2)]);
}

#[test]
fn a_broken_connection_is_made_anew_and_refusals_are_clear() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let address = server.address();
    // Both come to an empty database.
    let openers = [(); 2].map(|()| {
        let address = address.clone();
        std::thread::spawn(move || SharedDatabase::open(&address).map(|_| ()))
    });
    for opener in openers {
        opener.join().unwrap().unwrap();
    }
    let database = SharedDatabase::open(&address).unwrap();
    let list = database.begin(&definition(60), &setups(&["a"])).unwrap();
    let mut client = Client::connect(&address, NoTls).unwrap();
    let ended = client.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'paidia'",
        &[],
    );
    assert!(ended.unwrap() >= 1);
    assert_eq!(list.claim().unwrap().unwrap(), "a");

    let message = |address: &str| match SharedDatabase::open(address) {
        Ok(_) => panic!("it opened"),
        Err(error) => error.to_string(),
    };
    let wrong = message(&address.replace("hush-hush", "hush-hash"));
    assert!(wrong.contains("password authentication failed"), "{wrong}");
    assert!(!wrong.contains("hush"), "{wrong}");
    let nowhere = message("postgres://paidia:hush-hush@127.0.0.1:1/postgres");
    assert!(nowhere.contains("127.0.0.1:1/postgres"), "{nowhere}");
    assert!(nowhere.contains("error connecting"), "{nowhere}");
    assert!(!nowhere.contains("hush"), "{nowhere}");
    let missing = message(&address.replace("/postgres", "/nothing"));
    assert!(missing.contains("does not exist"), "{missing}");

    client
        .execute("UPDATE paidia.version SET number = 2", &[])
        .unwrap();
    let newer = message(&address);
    assert!(newer.contains("version 2"), "{newer}");
    assert!(newer.contains("knows version 1"), "{newer}");
}
