//! The player as a process of its own.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use super::{listening, paidia};

/// A player, killed when the test ends.
struct Player {
    process: Child,
    address: String,
}

impl Player {
    fn start(arguments: &[&str]) -> Self {
        let call = [&["player", "--listen", "127.0.0.1:0"], arguments].concat();
        let (process, address) = listening(&call);
        Self { process, address }
    }

    fn say(&self, message: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = message.len();
        write!(
            stream,
            "POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{message}"
        )
        .unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response.split_once("\r\n\r\n").unwrap().1.to_owned()
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const RULES: &str = super::ONE_MOVE;

#[test]
fn it_plays_tells_and_goes_when_it_is_told() {
    let mut player = Player::start(&["--name", "Zeno", "--player", "uct", "--threads", "2"]);
    assert!(
        player
            .say("(info)")
            .contains("(name Zeno) (status available)")
    );
    assert_eq!(player.say(&format!("(START m a ({RULES}) 2 2)")), "ready");
    assert_eq!(player.say("(PLAY m NIL)"), "win");
    assert_eq!(player.say("(STOP m (win))"), "done");
    assert_eq!(player.say(&format!("(START n a ({RULES}) 1 60)")), "ready");
    let process = player.process.id().to_string();
    assert!(
        Command::new("kill")
            .arg(&process)
            .status()
            .unwrap()
            .success()
    );
    let begun = Instant::now();
    let status = loop {
        match player.process.try_wait().unwrap() {
            Some(status) => break status,
            None => assert!(begun.elapsed() < Duration::from_secs(30)),
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "{status}");
    let mut told = String::new();
    let mut errors = player.process.stderr.take().unwrap();
    errors.read_to_string(&mut told).unwrap();
    for line in [
        "\"m\": starts with the role \"a\"",
        "\"m\": win: ",
        "\"m\": over: a 100",
    ] {
        assert!(told.contains(line), "{line} is not in\n{told}");
    }
}

#[test]
fn a_call_that_is_wrong_is_told_at_once() {
    let run = paidia(&["player", "--player", "uct(colour=red)"]).expect(2);
    assert!(run.err.contains("has no `colour`"), "{}", run.err);
    let run = paidia(&["player", "--player", "uct(threads=0)"]).expect(2);
    assert!(run.err.contains("`0` is not a value"), "{}", run.err);
    let run = paidia(&["player", "--listen", "nowhere"]).expect(2);
    assert!(run.err.contains("cannot listen at nowhere"), "{}", run.err);
}
