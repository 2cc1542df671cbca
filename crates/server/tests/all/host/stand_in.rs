//! Players for tests, written against sockets alone: what they hear is what was sent.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use paidia_server::ggp::host::Address;
use paidia_server::ggp::message::{Message, News, Start};

use paidia_game::{Chance, Game, RoleId, Rules, Walker, play};
use paidia_reason::Reference;

use super::load;

/// A request as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The lines before the message, the first one first.
    pub(crate) head: Vec<String>,
    /// The message as it was sent.
    pub(crate) body: String,
}

/// A player that listens on some port of this machine.
pub(crate) struct StandIn {
    pub(crate) address: Address,
    /// Everything it was sent.
    pub(crate) heard: Arc<Mutex<Vec<Request>>>,
}

impl StandIn {
    /// A player that does with every request, and the connection it came over, what `answer` does;
    /// false ends it.
    pub(crate) fn new(
        answer: impl Fn(&Message, &mut TcpStream) -> bool + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let heard: Arc<Mutex<Vec<Request>>> = Arc::default();
        let noted = Arc::clone(&heard);
        std::thread::spawn(move || {
            let answer = Arc::new(answer);
            let (ends, end) = std::sync::mpsc::channel();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = read(&mut stream);
                let message: Message = request.body.parse().unwrap();
                noted.lock().unwrap().push(request);
                let (answer, ends) = (Arc::clone(&answer), ends.clone());
                // One that hangs still hears what comes next.
                std::thread::spawn(move || ends.send(answer(&message, &mut stream)));
                let soon = std::time::Duration::from_millis(100);
                if end.recv_timeout(soon) == Ok(false) {
                    break;
                }
            }
        });
        Self {
            address: address.parse().unwrap(),
            heard,
        }
    }

    /// A player that plays by the rules, at random, and thinks so long about each move.
    pub(crate) fn honest(thinking: std::time::Duration) -> Self {
        let memory: Mutex<Option<Memory>> = Mutex::default();
        Self::new(move |message, stream| {
            let mut memory = memory.lock().unwrap();
            let said = match message {
                Message::Start(start) => {
                    *memory = Some(Memory::new(start));
                    "READY".to_owned()
                }
                Message::Play { news, .. } => {
                    std::thread::sleep(thinking);
                    memory.as_mut().unwrap().choose(news)
                }
                Message::Info => "((name stand-in) (status available))".to_owned(),
                _ => "done".to_owned(),
            };
            reply(stream, &said);
            true
        })
    }

    /// The messages it heard, as they were sent.
    pub(crate) fn messages(&self) -> Vec<String> {
        let heard = self.heard.lock().unwrap();
        heard.iter().map(|request| request.body.clone()).collect()
    }
}

/// Replies as ggp-base's players do.
pub(crate) fn reply(stream: &mut TcpStream, text: &str) {
    let length = text.len();
    let head = format!("HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {length}");
    // The host may have gone; that is its business.
    let _ = stream.write_all(format!("{head}\r\n\r\n{text}").as_bytes());
}

/// Reads a request as ggp-base's players do: a head up to an empty line, and as many characters as
/// it says.
fn read(stream: &mut TcpStream) -> Request {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_owned()),
        }
    }
    let length = head.iter().find_map(|line| {
        let line = line.to_ascii_lowercase();
        line.strip_prefix("content-length:")?.trim().parse().ok()
    });
    let mut body = vec![0; length.expect("a length")];
    reader.read_exact(&mut body).unwrap();
    let body = String::from_utf8(body).unwrap();
    Request { head, body }
}

/// What a player knows of its match.
struct Memory {
    game: Reference,
    walker: <Reference as Game>::Walker,
    role: RoleId,
    chance: Chance,
}

impl Memory {
    fn new(start: &Start) -> Self {
        let game = load(&start.id, &start.rules);
        Self {
            walker: game.walker(),
            role: game.facts().role(&start.role).expect("a role"),
            game,
            chance: Chance::from_seed(7),
        }
    }

    /// Follows what was played, and draws a legal move.
    fn choose(&mut self, news: &News) -> String {
        if let News::Moves(moves) = news {
            self.walker.legal();
            let found = moves.iter().map(|text| self.game.moves().find(text));
            let joint: Option<Vec<_>> = found.collect();
            let joint = joint.expect("moves of the game");
            play(&self.game, &mut self.walker, &joint, &mut self.chance).unwrap();
        }
        let legal = self.walker.legal().of(self.role);
        let id = self.chance.pick(legal).expect("a legal move");
        self.game.moves().name(id).to_string()
    }
}
