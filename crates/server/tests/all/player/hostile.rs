//! Hostile clients, while a match is played.
//!
//! `PAIDIA_FULL=1 cargo test --release -p paidia-server --test all player::hostile` sends ten
//! thousand requests and keeps the host's clock to the letter; without it there are fewer, and a
//! busy machine may be late.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use paidia_game::Chance;

use crate::player::client::Player;
use crate::player::matches::Host;

/// How many there are at a time.
const STRANGERS: u64 = 4;

/// Sends something that no host would send, and cares little about the reply.
fn attack(address: SocketAddr, chance: &mut Chance, held: &mut Vec<TcpStream>) {
    let Ok(mut stream) = TcpStream::connect(address) else {
        return;
    };
    let _ = stream.set_read_timeout(Some(Duration::from_millis(300)));
    let _ = stream.set_write_timeout(Some(Duration::from_millis(300)));
    let post = |body: &str| {
        format!(
            "POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let count = chance.below(1_000) as usize;
    let request = match chance.below(14) {
        0 => (0..count).map(|_| chance.bits() as u8 as char).collect(),
        1 => post(&"(".repeat(count * 100)),
        2 => post(&format!(
            "(PLAY test.connect-four.0 {}{})",
            "(".repeat(count),
            ")".repeat(count)
        )),
        3 => "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n(INFO)".to_owned(),
        4 => format!(
            "POST / HTTP/1.1\r\nContent-Length: 4000000\r\n\r\n{}",
            "x".repeat(count)
        ),
        5 => post(&"(START x y (".repeat(count * 100)),
        6 => post(&format!(
            "(START flood{count} red ((role red)) 1000000 1000000)"
        )),
        7 => format!("BREW /{count} HTTP/1.1\r\nHost: me\r\n\r\n"),
        8 => format!("GET /{} HTTP/1.1\r\n\r\n", "%28".repeat(count * 20)),
        9 => format!("POST / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(count)),
        10 => "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n(INFO".to_owned(),
        11 => post(&format!("(PLAY {} (((noop", "m".repeat(count))),
        12 => post("(STOP nobody NIL)(ABORT nobody)"),
        _ => {
            // A client that never finishes its request, and stays connected.
            let _ = stream.write_all(b"POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\n(PL");
            held.push(stream);
            return;
        }
    };
    let _ = stream.write_all(request.as_bytes());
    match chance.below(4) {
        0 => {}
        1 => {
            let _ = stream.shutdown(Shutdown::Write);
            let _ = stream.read(&mut [0; 512]);
        }
        _ => {
            let _ = stream.read(&mut [0; 512]);
        }
    }
}

#[test]
fn strangers_do_not_make_it_miss_a_move() {
    let full = std::env::var_os("PAIDIA_FULL").is_some();
    let (attacks, clock, moves) = if full {
        (10_000, 1.0, 100)
    } else {
        (400, 3.0, 3)
    };
    // Rules that are no rules take a seat for a moment; ours must be free then.
    let player = Player::with("uct(memory=64)", |options| options.matches = 16);
    let over = AtomicBool::new(false);
    let sent: u64 = std::thread::scope(|scope| {
        let strangers = |number| {
            let (address, over) = (player.address, &over);
            scope.spawn(move || besiege(address, number, attacks / STRANGERS, over))
        };
        let strangers: Vec<_> = (0..STRANGERS).map(strangers).collect();
        let mut host = Host::new(&player, "connect-four", 0, [clock, clock]);
        host.patience = host.start.play_clock * if full { 1 } else { 3 };
        let mut played = 0;
        while played < moves {
            host.start.id = format!("test.connect-four.{played}");
            let _ = host.play(moves);
            played += 10;
        }
        over.store(true, Ordering::Relaxed);
        let sent = strangers
            .into_iter()
            .map(|stranger| stranger.join().unwrap());
        sent.sum()
    });
    assert!(sent >= attacks, "{sent}");
    player.wait_until_available();
    assert!(!player.told().contains("not legal"), "{}", player.told());
}

/// Sends at least `attacks` requests, and goes on until the match is over.
fn besiege(address: SocketAddr, seed: u64, attacks: u64, over: &AtomicBool) -> u64 {
    let (mut chance, mut held) = (Chance::from_seed(seed), Vec::new());
    let mut sent = 0;
    while sent < attacks || !over.load(Ordering::Relaxed) {
        attack(address, &mut chance, &mut held);
        sent += 1;
        held.drain(..held.len().saturating_sub(100));
    }
    sent
}
