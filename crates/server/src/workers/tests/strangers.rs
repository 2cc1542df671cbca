//! What strangers and mad masters send to a worker does it no harm.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use super::super::token::{Nonces, Side};
use super::super::wire::{
    FromMaster, FromWorker, LINE_BYTES, LINE_PATIENCE, Lines, OPEN_LEAVES, Start, from_hex, send,
    state_from_hex, state_to_hex, to_hex,
};
use super::{FOREVER, playable, rules, token, worker, workers};

const GAME: &str = "tic-tac-toe";

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(FOREVER)).unwrap();
    stream.set_write_timeout(Some(FOREVER)).unwrap();
    stream
}

/// A connection whose other side knows that this side knows the secret.
fn master(address: SocketAddr) -> (TcpStream, Lines) {
    let mut stream = connect(address);
    let mut lines = Lines::new(stream.try_clone().unwrap());
    let FromWorker::Hello { nonce, .. } = lines.next(LINE_BYTES, LINE_PATIENCE).unwrap() else {
        panic!("a worker says hello")
    };
    let nonces = Nonces {
        worker: from_hex(&nonce).unwrap().try_into().unwrap(),
        master: [1; 32],
    };
    let answer = FromMaster::Answer {
        nonce: to_hex(&nonces.master),
        proof: to_hex(&token().proof(Side::Master, &nonces)),
    };
    send(&mut stream, &answer).unwrap();
    let FromWorker::Welcome { proof } = lines.next(LINE_BYTES, LINE_PATIENCE).unwrap() else {
        panic!("a worker welcomes masters")
    };
    let proof = from_hex(&proof).unwrap();
    assert!(token().verifies(Side::Worker, &nonces, &proof));
    (stream, lines)
}

fn start() -> Start {
    Start {
        name: GAME.to_owned(),
        rules: rules(GAME).text,
        dialect: "gdl".to_owned(),
        discount: 1.0,
        step_limit: 100,
        seed: 1,
    }
}

/// A worker that plays tic-tac-toe for us.
fn started(address: SocketAddr) -> (TcpStream, Lines) {
    let (mut stream, mut lines) = master(address);
    send(&mut stream, &FromMaster::Start(start())).unwrap();
    let ready = lines.next(LINE_BYTES, LINE_PATIENCE).unwrap();
    assert!(matches!(ready, FromWorker::Ready { .. }), "{ready:?}");
    (stream, lines)
}

/// The reason why the worker ends the conversation.
#[track_caller]
fn refused(lines: &mut Lines) -> String {
    loop {
        match lines.next(LINE_BYTES, LINE_PATIENCE) {
            Ok(FromWorker::Refused { because }) => return because,
            Ok(_) => {}
            Err(trouble) => return trouble.to_string(),
        }
    }
}

/// A worker serves a client that knows the protocol.
#[track_caller]
fn assert_works(address: SocketAddr) {
    let playable = playable(GAME);
    let report = workers(&playable.game, GAME, &[address]).check();
    assert_eq!(report[0].problem, None);
}

#[test]
fn garbage_ends_a_conversation_and_nothing_else() {
    let address = worker(1);
    let long = "x".repeat(10_000_000);
    let deep = "[".repeat(400) + "\n";
    let wrong = format!(
        "{{\"answer\":{{\"nonce\":\"{}\",\"proof\":\"{}\"}}}}\n",
        "00".repeat(32),
        "00".repeat(32)
    );
    let start = format!(
        "{}\n",
        serde_json::to_string(&FromMaster::Start(start())).unwrap()
    );
    for words in [
        "\n",
        "GET / HTTP/1.1\r\n\r\n",
        "\0\u{7f}\n",
        &long,
        &deep,
        &wrong,
        &start,
    ] {
        let mut stream = connect(address);
        // The worker may hang up before everything is sent.
        let _ = stream.write_all(words.as_bytes());
        let mut said = String::new();
        let _ = stream.read_to_string(&mut said);
        assert!(
            !said.contains("welcome") && !said.contains("ready"),
            "{said}"
        );
    }
    assert_works(address);
}

#[test]
fn silent_and_half_closed_connections_keep_nobody_out() {
    let address = worker(1);
    let silent: Vec<TcpStream> = (0..8).map(|_| connect(address)).collect();
    assert_works(address);
    for mut stream in silent {
        stream.shutdown(Shutdown::Write).unwrap();
        let mut said = String::new();
        let _ = stream.read_to_string(&mut said);
        assert!(said.starts_with("{\"hello\""), "{said}");
    }
    let (stream, mut lines) = started(address);
    stream.shutdown(Shutdown::Write).unwrap();
    assert!(refused(&mut lines).contains("closed"));
}

#[test]
fn too_many_strangers_are_sent_away_and_their_places_become_free() {
    let address = worker(1);
    let mut crowd: Vec<TcpStream> = (0..40).map(|_| connect(address)).collect();
    let first_word = |stream: &mut TcpStream| {
        let mut word = [0; 8];
        stream.read_exact(&mut word).map(|()| word)
    };
    let words: Vec<_> = crowd.iter_mut().map(first_word).collect();
    let greeted = words.iter().flatten().filter(|word| *word == b"{\"hello\"");
    assert!((16..40).contains(&greeted.count()));
    drop(crowd);
    let started = std::time::Instant::now();
    let playable = playable(GAME);
    let workers = workers(&playable.game, GAME, &[address]);
    while workers.check()[0].problem.is_some() {
        assert!(started.elapsed() < FOREVER, "nobody is let in any more");
    }
}

#[test]
fn a_master_that_sends_slowly_is_not_waited_for() {
    let address = worker(1);
    let mut slow = connect(address);
    let mut reader = slow.try_clone().unwrap();
    let dripping = std::thread::spawn(move || {
        while slow.write_all(b" ").is_ok() {
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    let mut said = String::new();
    // The worker closes the connection, which this side sees as its end or as a reset.
    if let Err(error) = reader.read_to_string(&mut said) {
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{error}");
    }
    assert!(said.starts_with("{\"hello\""), "{said}");
    assert!(!said.contains("welcome"), "{said}");
    dripping.join().unwrap();
    assert_works(address);
}

#[test]
fn masters_must_make_sense() {
    let address = worker(2);
    let leaf = |playouts, state: &str| FromMaster::Leaf {
        id: 0,
        playouts,
        state: state.to_owned(),
    };
    let cases = [
        (leaf(0, "01"), "playouts"),
        (leaf(65_537, "01"), "playouts"),
        (leaf(1, "0"), "state"),
        (leaf(1, "zz"), "state"),
        (leaf(1, "é"), "state"),
        (leaf(1, &"ff".repeat(100)), "state"),
        (leaf(1, &"ff".repeat(60_000)), "too long"),
        (FromMaster::Start(start()), "not at this time"),
    ];
    for (message, reason) in cases {
        let (mut stream, mut lines) = started(address);
        let _ = send(&mut stream, &message);
        let because = refused(&mut lines);
        // If the worker has not read everything, the system may throw its last words away.
        let lost = reason == "too long" && because.contains("connection");
        assert!(because.contains(reason) || lost, "{because}, not {reason}");
    }
    let (mut stream, mut lines) = master(address);
    send(&mut stream, &leaf(1, "01")).unwrap();
    assert!(refused(&mut lines).contains("the rules come first"));
    let starts = [
        (1.5, 100, "gdl", "discount"),
        (-0.5, 100, "gdl", "discount"),
        (1.0, 0, "gdl", "step limit"),
        (1.0, u32::MAX, "gdl", "step limit"),
        (1.0, 100, "klingon", "dialect"),
        (1.0, 100, "rtgdl", "refused"),
    ];
    for (discount, step_limit, dialect, reason) in starts {
        let (mut stream, mut lines) = master(address);
        let start = Start {
            discount,
            step_limit,
            dialect: dialect.to_owned(),
            ..start()
        };
        send(&mut stream, &FromMaster::Start(start)).unwrap();
        let because = refused(&mut lines);
        assert!(because.contains(reason), "{because}, not {reason}");
    }
    assert_works(address);
}

#[test]
fn a_master_with_too_many_leaves_is_sent_away() {
    let address = worker(1);
    let (mut stream, mut lines) = started(address);
    let leaf = FromMaster::Leaf {
        id: 0,
        playouts: 65_536,
        state: String::new(),
    };
    let line = serde_json::to_string(&leaf).unwrap() + "\n";
    let _ = stream.write_all(line.repeat(OPEN_LEAVES + 10).as_bytes());
    let because = refused(&mut lines);
    assert!(
        because.contains("too many leaves") || because.contains("connection"),
        "{because}"
    );
    assert_works(address);
}

#[test]
fn proofs_are_worth_nothing_elsewhere() {
    let nonces = |worker, master| Nonces {
        worker: [worker; 32],
        master: [master; 32],
    };
    let proof = token().proof(Side::Master, &nonces(1, 2));
    assert!(token().verifies(Side::Master, &nonces(1, 2), &proof));
    assert!(!token().verifies(Side::Worker, &nonces(1, 2), &proof));
    assert!(!token().verifies(Side::Master, &nonces(3, 2), &proof));
    assert!(!token().verifies(Side::Master, &nonces(1, 3), &proof));
    assert!(!token().verifies(Side::Master, &nonces(1, 2), &proof[..31]));
    assert!(!token().verifies(Side::Master, &nonces(1, 2), &[]));
}

#[test]
fn states_are_read_as_they_were_written() {
    for words in [
        vec![],
        vec![0],
        vec![1 << 63],
        vec![0, 5],
        vec![u64::MAX, 7, 0, 0],
    ] {
        let text = state_to_hex(&words);
        let read = state_from_hex(&text, 67 + 64).unwrap();
        let padded: Vec<u64> = (0..3)
            .map(|place| words.get(place).copied().unwrap_or(0))
            .collect();
        assert_eq!(read, padded, "{text}");
    }
    assert_eq!(state_to_hex(&[0x0201, 0]), "0102");
    assert_eq!(state_from_hex("07", 3), Some(vec![7]));
    assert_eq!(state_from_hex("08", 3), None);
    assert_eq!(state_from_hex("", 0), Some(vec![]));
    assert_eq!(state_from_hex("01", 0), None);
    assert_eq!(state_from_hex(&"ff".repeat(8), 64), Some(vec![u64::MAX]));
    assert_eq!(state_from_hex(&("00".repeat(8) + "01"), 64), None);
}
