//! The player as a process of its own.

use std::io::Read;

use paidia_testkit::http::ggp;
use paidia_testkit::process::{Process, socket_address};

use super::{listening, paidia};

struct Player {
    process: Process,
    address: String,
}

impl Player {
    fn start(arguments: &[&str]) -> Self {
        let call = [&["player", "--listen", "127.0.0.1:0"], arguments].concat();
        let (process, address) = listening(&call);
        Self { process, address }
    }

    fn say(&self, message: &str) -> String {
        ggp(socket_address(&self.address), message).text()
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
    player.process.terminate();
    let status = player.process.wait();
    assert!(status.success(), "{status}");
    let mut told = String::new();
    let mut errors = player.process.0.stderr.take().unwrap();
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
