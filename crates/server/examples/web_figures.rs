//! Measures the web arena over loopback: the first page, how soon a move is answered, how soon and
//! how often it is told what a search has found, what that costs the search, and what 50 listeners
//! cost it.
//!
//! ```text
//! cargo run --release -p paidia-server --example web_figures
//! ```
//!
//! The arena runs in this process, so that its CPU time can be measured; the listeners are a
//! process of their own. The last figures are of a match of players that think by the clock; it is
//! played with and without listeners by turns, and its simulations a CPU second are compared.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use paidia_server::web::{Options, WebServer};
use serde_json::{Value, json};

/// Listeners to a match.
const LISTENERS: usize = 50;
/// Pairs of matches, one with listeners and one without.
const PAIRS: usize = 4;
/// Moves of a match that are looked at.
const MOVES: usize = 8;
/// Seconds a move.
const SECONDS: f64 = 1.0;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, address, table] = &arguments[..]
        && word == "listen"
    {
        return listen_only(&Arena(address.parse()?), table);
    }
    let folder = tempfile::tempdir()?;
    let options = Options {
        records: folder.path().to_owned(),
        ..Options::default()
    };
    let server = WebServer::bind("127.0.0.1:0", options)?;
    let arena = Arena(server.address()?);
    let stop: Arc<AtomicBool> = Arc::default();
    let stopped = Arc::clone(&stop);
    let serving = std::thread::spawn(move || server.serve(&stopped));
    first_page(&arena)?;
    answered_moves(&arena)?;
    streaming(&arena)?;
    listeners(&arena)?;
    stop.store(true, Ordering::Relaxed);
    serving.join().map_err(|_| "the arena panicked")??;
    Ok(())
}

/// Everything that the first page needs before it can be used.
fn first_page(arena: &Arena) -> Result<(), Failure> {
    let begun = Instant::now();
    let page = arena.get("/")?;
    let mut paths = linked(&page, &["href=\"", "src=\""]);
    let (mut bytes, mut count) = (page.len(), 1);
    let mut known = paths.clone();
    while let Some(path) = paths.pop() {
        let file = arena.get(&path)?;
        (bytes, count) = (bytes + file.len(), count + 1);
        if path.ends_with(".js") {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            for import in linked(&file, &["from \"./", "import(\"./"]) {
                let path = format!("{folder}/{import}");
                if !known.contains(&path) {
                    known.push(path.clone());
                    paths.push(path);
                }
            }
        }
    }
    let games = arena.get("/api/games")?;
    let time = begun.elapsed();
    println!(
        "first page: {count} files with {bytes} bytes and the list of games with {} bytes in {time:.1?}",
        games.len()
    );
    let begun = Instant::now();
    let games: Value = serde_json::from_str(&games)?;
    let games = games["games"].as_array().ok_or("no games")?;
    for game in games {
        arena.get(&format!(
            "/api/games/{}/picture",
            game["id"].as_str().unwrap_or("")
        ))?;
    }
    println!(
        "pictures of all {} games, read for the first time: {:.1?}",
        games.len(),
        begun.elapsed()
    );
    Ok(())
}

/// Paths of our own that a file names after one of these texts.
fn linked(file: &str, before: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for start in before {
        for rest in file.split(start).skip(1) {
            let path = rest.split('"').next().unwrap_or("");
            if path.contains('.') && !path.contains(':') {
                found.push(path.to_owned());
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// How long it takes from sending a move to hearing of the position after it.
fn answered_moves(arena: &Arena) -> Result<(), Failure> {
    for game in ["tic-tac-toe", "breakthrough", "chess"] {
        let order = json!({"game": game, "seats": ["human", "human"]});
        let table = arena.table(&order)?;
        let mut events = arena.listen(&table)?;
        let snapshot = events.until("snapshot")?;
        let mut frame = snapshot["frames"][0].clone();
        let mut times = Vec::new();
        while times.len() < 9 && frame["ended"].is_null() {
            let role = frame["turn"][0].as_u64().ok_or("nobody's turn")? as usize;
            let text = &frame["legal"][role][0]["move"];
            let begun = Instant::now();
            arena.post(
                &format!("{table}/move"),
                &json!({"ply": frame["ply"], "role": role, "move": text}),
            )?;
            frame = events.until("frame")?;
            times.push(begun.elapsed());
        }
        times.sort();
        let (middle, worst) = (times[times.len() / 2], times[times.len() - 1]);
        println!(
            "a move in {game}: answered in {middle:.1?}, at worst {worst:.1?}, of {}",
            times.len()
        );
        arena.post(&format!("{table}/close"), &json!({}))?;
    }
    Ok(())
}

/// What listeners cost a match of players.
fn listeners(arena: &Arena) -> Result<(), Failure> {
    // The network is made with the first match, which does not count.
    rate(arena, 0)?;
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        without.push(rate(arena, 0)?);
        with.push(rate(arena, LISTENERS)?);
    }
    let (without, with) = (mean(&without), mean(&with));
    println!(
        "connect-four, {SECONDS} s a move: {without:.0} simulations a CPU second with one listener, {with:.0} with {LISTENERS} more ({:+.2} %)",
        (with / without - 1.0) * 100.0
    );
    Ok(())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// How soon a listener hears what a search has found, how often, and what that costs the search.
fn streaming(arena: &Arena) -> Result<(), Failure> {
    for game in ["connect-four", "breakthrough", "othello", "chess"] {
        let seats = ["paidia(threads=1)", "paidia(threads=1)"];
        let order = json!({"game": game, "seats": seats, "seconds": SECONDS, "paused": true});
        let table = arena.table(&order)?;
        let mut events = arena.listen(&table)?;
        events.until("snapshot")?;
        arena.post(&format!("{table}/resume"), &json!({}))?;
        let (mut first, mut updates) = (Vec::new(), Vec::new());
        let (mut begun, mut told) = (Instant::now(), 0u32);
        while updates.len() < MOVES {
            match &*events.next()?.0 {
                "thinking" => (begun, told) = (Instant::now(), 0),
                "thought" => {
                    if told == 0 {
                        first.push(begun.elapsed());
                    }
                    told += 1;
                }
                "frame" => updates.push(f64::from(told) / begun.elapsed().as_secs_f64()),
                _ => {}
            }
        }
        arena.post(&format!("{table}/close"), &json!({}))?;
        // The engine is made during the first search.
        first.remove(0);
        updates.remove(0);
        first.sort();
        updates.sort_by(f64::total_cmp);
        println!(
            "a search in {game}: first told after {:.0?}, at worst {:.0?}; at least {:.1} times a second",
            first[first.len() / 2],
            first[first.len() - 1],
            updates[0]
        );
    }
    let (mut alone, mut heard) = (Vec::new(), Vec::new());
    unheard(arena)?;
    for _ in 0..PAIRS {
        alone.push(unheard(arena)?);
        heard.push(rate(arena, 0)?);
    }
    let (alone, heard) = (mean(&alone), mean(&heard));
    println!(
        "connect-four, {SECONDS} s a move: {alone:.0} simulations a CPU second untold, {heard:.0} told to one listener ({:+.2} %)",
        (heard / alone - 1.0) * 100.0
    );
    Ok(())
}

/// Simulations a CPU second of a match without listeners, so that searches are not told.
fn unheard(arena: &Arena) -> Result<f64, Failure> {
    let seats = ["uct(threads=1)", "uct(threads=1)"];
    let order = json!({"game": "connect-four", "seats": seats, "seconds": SECONDS, "paused": true, "seed": 1});
    let table = arena.table(&order)?;
    let cpu = ProcessTime::now();
    let mut frames = vec![Value::Null];
    while frames.len() <= MOVES {
        let before = frames.len();
        arena.post(&format!("{table}/step"), &json!({}))?;
        std::thread::sleep(Duration::from_secs_f64(SECONDS));
        while frames.len() <= before {
            std::thread::sleep(Duration::from_millis(10));
            let snapshot: Value = serde_json::from_str(&arena.get(&table)?)?;
            frames.clone_from(snapshot["frames"].as_array().ok_or("no frames")?);
        }
    }
    let cpu = cpu.elapsed().as_secs_f64();
    arena.post(&format!("{table}/close"), &json!({}))?;
    let by = frames
        .iter()
        .filter_map(|frame| frame["made"]["by"].as_array());
    let simulations = by.flatten().filter_map(|by| by["simulations"].as_u64());
    Ok(simulations.sum::<u64>() as f64 / cpu)
}

/// Simulations a CPU second of this process, while a match is played and listened to.
fn rate(arena: &Arena, listeners: usize) -> Result<f64, Failure> {
    let seats = ["uct(threads=1)", "uct(threads=1)"];
    let order = json!({"game": "connect-four", "seats": seats, "seconds": SECONDS, "paused": true, "seed": 1});
    let table = arena.table(&order)?;
    let mut own = arena.listen(&table)?;
    let program = std::env::current_exe()?;
    let mut client = match listeners {
        0 => None,
        _ => Some(
            Command::new(program)
                .args(["listen", &arena.0.to_string(), &table])
                .spawn()?,
        ),
    };
    while arena.viewers(&table)? < listeners + 1 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let cpu = ProcessTime::now();
    arena.post(&format!("{table}/resume"), &json!({}))?;
    let mut simulations = 0;
    for _ in 0..MOVES {
        let frame = own.until("frame")?;
        let by = frame["made"]["by"].as_array().ok_or("no players")?;
        simulations += by
            .iter()
            .filter_map(|by| by["simulations"].as_u64())
            .sum::<u64>();
    }
    let cpu = cpu.elapsed().as_secs_f64();
    arena.post(&format!("{table}/close"), &json!({}))?;
    own.until("closed")?;
    if let Some(client) = &mut client {
        client.wait()?;
    }
    Ok(simulations as f64 / cpu)
}

/// Listens many times at once, until the table is closed.
fn listen_only(arena: &Arena, table: &str) -> Result<(), Failure> {
    let streams: Result<Vec<Events>, Failure> =
        (0..LISTENERS).map(|_| arena.listen(table)).collect();
    let listen = |mut stream: Events| std::thread::spawn(move || stream.until("closed").is_ok());
    let threads: Vec<_> = streams?.into_iter().map(listen).collect();
    let heard = threads.into_iter().filter_map(|thread| thread.join().ok());
    match heard.filter(|heard| *heard).count() {
        LISTENERS => Ok(()),
        heard => Err(format!("{heard} of {LISTENERS} heard everything").into()),
    }
}

/// The arena, as a browser sees it.
struct Arena(SocketAddr);

impl Arena {
    fn ask(&self, method: &str, path: &str, body: &str) -> Result<String, Failure> {
        let mut stream = TcpStream::connect(self.0)?;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}",
            self.0
        )?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
        match head.starts_with("HTTP/1.1 200") {
            true => Ok(body.to_owned()),
            false => Err(format!("{method} {path}: {answer}").into()),
        }
    }

    fn get(&self, path: &str) -> Result<String, Failure> {
        self.ask("GET", path, "")
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        Ok(serde_json::from_str(&self.ask(
            "POST",
            path,
            &body.to_string(),
        )?)?)
    }

    fn table(&self, order: &Value) -> Result<String, Failure> {
        let opened = self.post("/api/tables", order)?;
        Ok(format!(
            "/api/tables/{}",
            opened["id"].as_str().ok_or("no table")?
        ))
    }

    /// How many listen to a table.
    fn viewers(&self, table: &str) -> Result<usize, Failure> {
        let list: Value = serde_json::from_str(&self.get("/api/tables")?)?;
        let tables = list["tables"].as_array().ok_or("no tables")?;
        let own = tables
            .iter()
            .find(|listed| table.ends_with(listed["id"].as_str().unwrap_or("?")));
        Ok(own.and_then(|own| own["viewers"].as_u64()).unwrap_or(0) as usize)
    }

    fn listen(&self, table: &str) -> Result<Events, Failure> {
        let mut stream = TcpStream::connect(self.0)?;
        write!(
            stream,
            "GET {table}/events HTTP/1.1\r\nHost: {}\r\n\r\n",
            self.0
        )?;
        Ok(Events(BufReader::new(stream)))
    }
}

/// A stream of events.
struct Events(BufReader<TcpStream>);

impl Events {
    fn line(&mut self) -> Result<String, std::io::Error> {
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        Ok(line)
    }

    /// The name and the data of the next event.
    fn next(&mut self) -> Result<(String, Value), Failure> {
        let mut name = String::new();
        loop {
            let line = self.line()?;
            if line.is_empty() {
                return Err("the stream has ended".into());
            }
            if let Some(event) = line.strip_prefix("event: ") {
                event.trim().clone_into(&mut name);
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Ok((name, serde_json::from_str(data)?));
            }
        }
    }

    /// The data of the next event with this name.
    fn until(&mut self, wanted: &str) -> Result<Value, Failure> {
        loop {
            let (name, data) = self.next()?;
            if name == wanted {
                return Ok(data);
            }
        }
    }
}
