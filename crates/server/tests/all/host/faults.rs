//! Badly behaved players, one for each fault: the match ends in time, everything is recorded, and
//! the other player gets its full time.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use paidia_arena::MatchEnd;
use paidia_arena::record::MatchRecord;
use paidia_server::ggp::host::MAX_REPLY_BYTES;
use paidia_server::ggp::message::Message;

use super::stand_in::{StandIn, reply};
use super::{CLOCKS, PENNIES, load, played, seats, terms};

/// Longer than a match of [`PENNIES`] lasts on any machine, unless the host waits for a player that
/// never answers.
const LONGEST: Duration = Duration::from_secs(600);

/// What a bad player does, and what becomes of it.
struct Fault {
    name: &'static str,
    answer: fn(&Message, &mut TcpStream) -> bool,
    /// The errors at the start and with each of the two moves.
    errors: [&'static str; 3],
}

const FAULTS: [Fault; 12] = [
    Fault {
        name: "never answers",
        answer: |_, _| {
            std::thread::sleep(LONGEST);
            true
        },
        errors: ["TO"; 3],
    },
    Fault {
        name: "answers late",
        answer: |message, stream| {
            std::thread::sleep(CLOCKS.play + CLOCKS.grace + Duration::from_millis(500));
            obey(message, stream)
        },
        errors: ["TO"; 3],
    },
    Fault {
        name: "answers garbage",
        answer: |_, stream| {
            reply(stream, ")(\u{1b}[2J ;");
            true
        },
        errors: ["IL )( [2J ;"; 3],
    },
    Fault {
        name: "answers 100 MB of garbage",
        answer: |_, stream| {
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 104857600\r\n\r\n");
            while stream.write_all(&[b'x'; 65536]).is_ok() {}
            true
        },
        errors: ["IL more than 65536 bytes"; 3],
    },
    Fault {
        name: "answers 100 MB of head",
        answer: |_, stream| {
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nSize: ");
            while stream.write_all(&[b'x'; 65536]).is_ok() {}
            true
        },
        errors: ["CE"; 3],
    },
    Fault {
        name: "answers a byte a second",
        answer: |_, stream| drip(stream, b"HTTP/1.0 200 OK\r\nContent-Length: 99\r\n\r\n"),
        errors: ["TO"; 3],
    },
    Fault {
        name: "answers a byte of its head a second",
        answer: |_, stream| drip(stream, b"HTTP/1.0 200 OK\r\nName: "),
        errors: ["TO"; 3],
    },
    Fault {
        name: "closes in the middle of its reply",
        answer: |_, stream| {
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 99\r\n\r\n(show heads)");
            true
        },
        errors: ["CE"; 3],
    },
    Fault {
        name: "redirects",
        answer: |_, stream| {
            let _ = stream.write_all(
                b"HTTP/1.0 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 12\r\n\r\n(show heads)",
            );
            true
        },
        errors: ["CE"; 3],
    },
    Fault {
        name: "chooses illegal moves",
        answer: |message, stream| {
            match message {
                Message::Play { .. } => reply(stream, " ( Show\tedge ) "),
                _ => reply(stream, "ready"),
            }
            true
        },
        errors: ["", "IL (Show edge)", "IL (Show edge)"],
    },
    Fault {
        name: "answers with HTTP errors",
        answer: |_, stream| {
            let _ = stream.write_all(b"HTTP/1.0 500 No\r\nContent-Length: 12\r\n\r\n(show heads)");
            true
        },
        errors: ["CE"; 3],
    },
    Fault {
        name: "dies after START",
        answer: |message, stream| {
            obey(message, stream);
            false
        },
        errors: ["", "CE", "CE"],
    },
];

/// Does what it should.
fn obey(message: &Message, stream: &mut TcpStream) -> bool {
    match message {
        Message::Play { .. } => reply(stream, "(show heads)"),
        _ => reply(stream, "ready"),
    }
    true
}

/// Says something, and then a letter a second.
fn drip(stream: &mut TcpStream, first: &[u8]) -> bool {
    let _ = stream.write_all(first);
    for _ in 0..LONGEST.as_secs() {
        if stream.write_all(b"H").is_err() {
            break;
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    true
}

/// Plays a match of a bad player against one that takes most of its time.
fn suffer(fault: &Fault) {
    let name = fault.name;
    let game = load("pennies", PENNIES);
    let bad = StandIn::new(fault.answer);
    let good = StandIn::honest(CLOCKS.play * 8 / 10);
    let addresses = [&good.address, &bad.address];
    let began = Instant::now();
    let (result, record) = played(
        &game,
        seats(&game, &addresses, terms("pennies", PENNIES, CLOCKS)),
    );
    assert!(began.elapsed() < LONGEST, "{name}: {:?}", began.elapsed());
    assert!(matches!(result, MatchEnd::Over(_)), "{name}: {result:?}");
    assert!(record.is_completed && record.goal_values.iter().sum::<i32>() == 100);
    check_errors(name, &record, fault.errors);
    // The well-behaved one heard everything that a player hears, and each of its moves was taken.
    let heard = good.messages();
    let kinds: Vec<&str> = heard.iter().map(|message| &message[..5]).collect();
    assert_eq!(kinds, ["(STAR", "(PLAY", "(PLAY", "(STOP"], "{name}");
}

fn check_errors(name: &str, record: &MatchRecord, expected: [&str; 3]) {
    let good: Vec<&str> = record.errors.iter().map(|errors| &*errors[0]).collect();
    let bad: Vec<&str> = record.errors.iter().map(|errors| &*errors[1]).collect();
    assert_eq!(good, ["", "", ""], "{name}: the well-behaved player");
    assert_eq!(bad, expected, "{name}");
}

#[test]
fn bad_players_harm_nobody_but_themselves() {
    assert_eq!(MAX_REPLY_BYTES, 65536);
    let before = peak_memory();
    std::thread::scope(|scope| {
        for fault in &FAULTS {
            scope.spawn(|| suffer(fault));
        }
    });
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        assert!(after - before < 90 << 20, "{} MB", (after - before) >> 20);
    }
}

#[test]
fn a_player_that_is_not_there_stops_nothing() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", nobody.local_addr().unwrap());
    drop(nobody);
    let game = load("pennies", PENNIES);
    let good = StandIn::honest(Duration::ZERO);
    let (result, record) = played(
        &game,
        seats(
            &game,
            &[&good.address, &address.parse().unwrap()],
            terms("pennies", PENNIES, CLOCKS),
        ),
    );
    assert!(matches!(result, MatchEnd::Over(_)));
    check_errors("nobody", &record, ["CE"; 3]);
}

/// The most memory that this process ever had, in bytes, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes << 10)
}
