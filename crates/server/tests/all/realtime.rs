//! Matches in real time with players that are reached over HTTP, also over bad connections.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use paidia_arena::Guest;
use paidia_arena::engine::{EngineSpec, load_in_time};
use paidia_arena::realtime::{TimedMatch, play};
use paidia_arena::rules::Ruleset;
use paidia_game::{Chance, Rules, Ticks};
use paidia_realtime::agent::Agent;
use paidia_realtime::clock::Pace;
use paidia_realtime::messages::{Message, Messenger};
use paidia_realtime::players::make;
use paidia_realtime::{Entry, TimedRecord, TimedRecorder, Watch};
use paidia_reason::timed::{Timed, Walker};
use paidia_server::ggp::host::elsewhere_in_time;
use paidia_server::ggp::player::{Options, PlayerServer, account_sum};

/// Two players who may do things at any time, things that happen by themselves, and an end.
const RULES: &str = "(role red) (role blue)
    (init 0.25 beat) (init 4.0 match) (init infinity (level 0))
    (<= (legal ?r (tap ?n)) (role ?r) (true infinity (level ?n)))
    (<= (legal ?r rest) (role ?r) (not (resting ?r)))
    (<= (resting ?r) (true ?t (rests ?r)))
    (<= (next 0.25 beat) (expired beat))
    (<= (next ?t beat) (true ?t beat))
    (<= (next ?t match) (true ?t match))
    (<= (next 0.7 (rests ?r)) (does ?r rest))
    (<= (next ?t (rests ?r)) (true ?t (rests ?r)))
    (<= (next infinity (level ?m)) (true infinity (level ?n)) (expired beat) (after ?n ?m))
    (<= (next infinity (level ?n)) (true infinity (level ?n)) (not (expired beat)))
    (<= (next infinity (tapped ?r ?n)) (does ?r (tap ?n)))
    (<= (next infinity (tapped ?r ?n)) (true infinity (tapped ?r ?n)))
    (after 0 1) (after 1 2) (after 2 3) (after 3 0)
    (<= terminal (expired match))
    (<= (goal ?r 100) (role ?r))";

/// A player program, whose log is kept.
struct Player {
    address: SocketAddr,
    log: Arc<Mutex<String>>,
    stop: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Player {
    fn start(player: &str) -> Self {
        let log = Arc::new(Mutex::new(String::new()));
        let lines = Arc::clone(&log);
        let options = Options {
            in_time: player.to_owned(),
            matches: 4,
            log: Arc::new(move |line| {
                let mut log = lines.lock().unwrap();
                *log += &format!("{line}\n");
            }),
            ..Options::new("random".parse().unwrap())
        };
        let server = PlayerServer::bind("127.0.0.1:0", options).unwrap();
        let address = server.address().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&stop);
        let thread = thread::spawn(move || server.serve(&ends).unwrap());
        Self {
            address,
            log,
            stop,
            thread: Some(thread),
        }
    }

    /// The line of its log with this in it, as soon as there is one.
    fn line(&self, part: &str) -> String {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let log = self.log.lock().unwrap().clone();
            if let Some(line) = log.lines().find(|line| line.contains(part)) {
                return line.to_owned();
            }
            assert!(Instant::now() < until, "no `{part}` in\n{log}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn ask(&self, text: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let length = text.len();
        let request = format!(
            "POST / HTTP/1.1\r\nHost: player\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply.split("\r\n\r\n").nth(1).unwrap_or("").to_owned()
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What a bad connection does: each way takes a time and up to as much more, and of a hundred
/// connections some are cut, before or after the question.
#[derive(Clone, Copy)]
struct Trouble {
    delay: Duration,
    jitter: Duration,
    lost: u32,
}

/// A way to an address on which connections suffer.
fn bad_way(to: SocketAddr, trouble: Trouble, seed: u64) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let number = AtomicU64::new(0);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let own = seed
                ^ number
                    .fetch_add(1, Ordering::Relaxed)
                    .wrapping_mul(0x9E37_79B9);
            let mut chance = Chance::from_seed(own);
            thread::spawn(move || carry(stream, to, trouble, &mut chance));
        }
    });
    address
}

fn carry(client: TcpStream, to: SocketAddr, trouble: Trouble, chance: &mut Chance) -> Option<()> {
    let mut wait = || trouble.delay + trouble.jitter.mul_f64(chance.fraction());
    let (there, back) = (wait(), wait());
    let (lose_question, lose_reply) = (chance.below(100), chance.below(100));
    thread::sleep(there);
    if lose_question < trouble.lost {
        return None;
    }
    let server = TcpStream::connect(to).ok()?;
    let (mut from, mut into) = (client.try_clone().ok()?, server.try_clone().ok()?);
    thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut into);
        let _ = into.shutdown(Shutdown::Write);
    });
    let mut reply = Vec::new();
    let (mut server, mut client) = (server, client);
    server.read_to_end(&mut reply).ok()?;
    thread::sleep(back);
    if lose_reply >= trouble.lost {
        client.write_all(&reply).ok()?;
    }
    client.shutdown(Shutdown::Both).ok()
}

/// Keeps a record, and what a player is told.
struct Notes<'a> {
    recorder: TimedRecorder<Timed>,
    messenger: Messenger<'a, Timed>,
    told: Vec<Message>,
}

impl Watch<Walker> for Notes<'_> {
    fn entry(&mut self, entry: &Entry, walker: &mut Walker) {
        self.recorder.entry(entry, walker);
        self.told.extend(self.messenger.about(entry, walker));
    }
}

/// Plays a match with players at addresses; the record, and the account that every player must
/// have of it.
fn host(game: &Timed, rules: &Ruleset, addresses: &[SocketAddr]) -> (TimedRecord, u64) {
    let id = "bad-weather";
    let guests = addresses.iter();
    let guests = guests.map(|address| (Guest::Elsewhere(format!("http://{address}")), None));
    let guests: Vec<_> = guests.collect();
    let pace = Pace { seconds: 0.5 };
    let elsewhere = elsewhere_in_time(rules, game).unwrap();
    let settings = TimedMatch {
        id,
        pace: Some(pace),
        until: Ticks::from_units(50.0),
        reaction: Ticks::ZERO,
        seed: 1,
        stop: &AtomicBool::new(false),
        elsewhere: Some(&elsewhere),
    };
    let mut notes = Notes {
        recorder: TimedRecorder::new(game, TimedRecord::default()),
        messenger: Messenger::new(game, id),
        told: Vec::new(),
    };
    let (outcome, _) = play(game, &guests, &settings, &mut notes).unwrap();
    assert!(outcome.is_over, "{outcome:?}");
    let role = game.facts().players().next().unwrap();
    let nobody = make("none", game, role, 0).unwrap();
    let mut agent = Agent::new(game, id, role, pace, nobody);
    for message in notes.told.iter().filter(|message| message.to == role) {
        agent.hear(&message.text, Instant::now()).unwrap();
    }
    let account = account_sum(&agent.account());
    (notes.recorder.finish(&outcome), account)
}

fn load(text: &str) -> (Ruleset, Timed) {
    let rules = Ruleset::from_text("weather", text).unwrap();
    let game = load_in_time(&EngineSpec::default(), &rules, None).unwrap();
    (rules, game)
}

#[test]
fn players_end_with_the_history_of_the_host_however_bad_the_way_is() {
    let (rules, game) = load(RULES);
    let slow = Trouble {
        delay: Duration::from_millis(100),
        jitter: Duration::ZERO,
        lost: 0,
    };
    let wild = Trouble {
        delay: Duration::from_millis(20),
        jitter: Duration::from_millis(150),
        lost: 12,
    };
    for (trouble, seed) in [(slow, 1), (wild, 2)] {
        let players = ["random(rate=3)", "random(rate=2)"].map(Player::start);
        let ways = players.iter().zip(seed..);
        let ways: Vec<SocketAddr> = ways
            .map(|(player, seed)| bad_way(player.address, trouble, seed))
            .collect();
        let (record, account) = host(&game, &rules, &ways);
        let made = record.events.iter().filter(|event| event.result == "made");
        assert!(made.count() >= 3, "{:?}", record.events);
        for player in &players {
            let line = player.line("account");
            assert!(line.contains(&format!("account {account:016x}")), "{line}");
            assert!(line.contains("over"), "{line}");
        }
    }
}

#[test]
fn strangers_are_refused_and_the_player_goes_on() {
    let player = Player::start("none");
    let flat = RULES.split_whitespace().collect::<Vec<_>>().join(" ");
    let start =
        |role: &str, pace: &str| player.ask(&format!("(START m1 {role} ({flat}) 5 {pace})"));
    assert_eq!(start("green", "1"), "busy");
    assert_eq!(start("red", "0"), "busy");
    assert_eq!(player.ask("(PLAY m2 nil 0.0)"), "busy");
    assert_eq!(player.ask("(STOP m2 (nil nil) 1.0)"), "done");
    assert_eq!(start("red", "1"), "ready");
    // The same again is no second match, and another of that name is none either.
    assert_eq!(start("red", "1"), "ready");
    assert_eq!(start("blue", "1"), "busy");
    let asked = thread::scope(|scope| {
        let first = scope.spawn(|| player.ask("(PLAY m1 nil 0.0)"));
        thread::sleep(Duration::from_millis(300));
        // Something newer, however odd, ends the wait for a move.
        let second = scope.spawn(|| player.ask("(PLAY m1 (nonsense (() x) 0.5)"));
        let third = scope.spawn(|| player.ask("(PLAY m1 ((tap 0) nil) 0.1)"));
        thread::sleep(Duration::from_millis(300));
        assert_eq!(player.ask("(STOP m1 (nil nil) 4.0)"), "done");
        let _ = second.join();
        [first.join().unwrap(), third.join().unwrap()]
    });
    assert_eq!(asked, ["NIL", "NIL"]);
    assert_eq!(
        player.ask("(INFO)"),
        "((name Paidia) (status available) (species alien))"
    );
}
