//! Whether moves come in time: a player, a host that counts, and threads that keep the processor
//! busy.
//!
//! The player is a process's worth of its own threads behind a real connection; the host measures
//! from before it connects until it has read the whole reply, and draws the moves of all other
//! roles. `docs/protocol.md` has a section on clocks.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use paidia_arena::PlayerSpec;
use paidia_game::{Chance, Game, MoveId, RoleId, Rules, Walker, find_move};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_reason::Reference;
use paidia_server::ggp::message::{Message, News, Reply, Start};
use paidia_server::ggp::player::{Options, PlayerServer};

/// Counts the moves that come too late.
#[derive(Parser)]
struct Arguments {
    /// How many moves are asked for; those without a choice do not count
    #[arg(long, default_value_t = 1_000)]
    moves: usize,

    /// Seconds a move
    #[arg(long, default_value_t = 1.0)]
    clock: f64,

    /// Threads that keep the processor busy
    #[arg(long, default_value_t = 1)]
    load: usize,

    /// The bundled game
    #[arg(long, default_value = "connect-four", value_parser = bundled)]
    game: String,

    /// The player
    #[arg(long, default_value = "paidia")]
    player: PlayerSpec,
}

/// How long replies took.
#[derive(Default)]
struct Times {
    chosen: Vec<Duration>,
    /// Where there was only one legal move.
    forced: Vec<Duration>,
}

impl Times {
    fn note(&mut self, time: Duration, had_a_choice: bool) {
        if had_a_choice {
            self.chosen.push(time);
        } else {
            self.forced.push(time);
        }
    }
}

fn bundled(name: &str) -> Result<String, String> {
    let found = paidia_library::find(name);
    found
        .map(|game| game.name.to_owned())
        .map_err(|unknown| unknown.to_string())
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let options = Options::new(arguments.player.clone());
    let server = PlayerServer::bind("127.0.0.1:0", options).expect("a free port");
    let address = server.address().expect("an address");
    let stop: Arc<AtomicBool> = Arc::default();
    let times = std::thread::scope(|scope| {
        let serving = Arc::clone(&stop);
        scope.spawn(move || server.serve(&serving).expect("connections"));
        for _ in 0..arguments.load {
            scope.spawn(|| keep_busy(&stop));
        }
        let times = host(&arguments, address);
        stop.store(true, Ordering::Relaxed);
        times
    });
    report(&arguments, times)
}

fn keep_busy(stop: &AtomicBool) {
    let mut chance = Chance::from_seed(1);
    while !stop.load(Ordering::Relaxed) {
        (0..1_000).for_each(|_| {
            std::hint::black_box(chance.bits());
        });
    }
}

/// Plays matches until the wanted number of moves was made.
fn host(arguments: &Arguments, address: SocketAddr) -> Times {
    let rules = paidia_library::find(&arguments.game)
        .expect("a bundled game")
        .rules;
    let (reading, report) = check_source(&Source::new(&arguments.game, rules), None);
    let program = Program::new(&reading.sheet, report.dialect).expect("rules that are in order");
    let game = Reference::new(&arguments.game, &program).expect("rules that can be played");
    let players: Vec<RoleId> = game.facts().players().collect();
    let mut times = Times::default();
    let mut chance = Chance::from_seed(1);
    for number in 0.. {
        let role = players[number % players.len()];
        let start = Start {
            id: format!("match.{number}"),
            role: game.facts().role_name(role).to_owned(),
            rules: rules.to_owned(),
            start_clock: Duration::from_secs(3),
            play_clock: Duration::from_secs_f64(arguments.clock),
        };
        say(address, &Message::Start(start.clone()));
        play(
            &game,
            &start,
            role,
            address,
            arguments.moves,
            &mut chance,
            &mut times,
        );
        eprintln!("{} of {} moves", times.chosen.len(), arguments.moves);
        if times.chosen.len() >= arguments.moves {
            break;
        }
    }
    times
}

/// Plays one match that was started.
fn play(
    game: &Reference,
    start: &Start,
    role: RoleId,
    address: SocketAddr,
    most: usize,
    chance: &mut Chance,
    times: &mut Times,
) {
    let mut walker = game.walker();
    let mut news = News::Nothing;
    let mut joint: Vec<MoveId> = Vec::new();
    while !walker.is_terminal() && times.chosen.len() < most {
        let id = start.id.clone();
        let message = Message::Play { id, news };
        let asked = Instant::now();
        let reply = say(address, &message);
        let time = asked.elapsed();
        walker
            .legal()
            .draw(chance, &mut joint)
            .expect("rules that are in order");
        let Ok(Reply::Move(text)) = message.read_reply(&reply) else {
            panic!("{reply} is no move");
        };
        let legal = walker.legal().of(role);
        times.note(time, legal.len() > 1);
        joint[role.index()] = find_move(game.moves(), legal, &text).expect("a legal move");
        let names = joint.iter().map(|&id| game.moves().name(id).to_string());
        news = News::Moves(names.collect());
        walker.advance(&joint, chance);
    }
    let id = start.id.clone();
    say(address, &Message::Stop { id, news });
}

/// Says something over a connection of its own, and gives the reply.
fn say(address: SocketAddr, message: &Message) -> String {
    let text = message.to_string();
    let mut stream = TcpStream::connect(address).expect("a connection");
    let length = text.len();
    let head =
        format!("POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: {length}\r\n\r\n");
    stream
        .write_all((head + &text).as_bytes())
        .expect("somebody who listens");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    let (_, body) = response.split_once("\r\n\r\n").expect("a body");
    body.to_owned()
}

fn report(arguments: &Arguments, times: Times) -> ExitCode {
    let Times { mut chosen, forced } = times;
    chosen.sort();
    let clock = Duration::from_secs_f64(arguments.clock);
    let is_late = |time: &&Duration| **time >= clock;
    let late = chosen.iter().filter(is_late).count();
    let late_forced = forced.iter().filter(is_late).count();
    let quantile = |part: f64| {
        let place = (chosen.len().saturating_sub(1) as f64 * part) as usize;
        chosen.get(place).copied().unwrap_or_default()
    };
    println!(
        "{} moves at {clock:?}: {late} too late; half within {:.3?}, 99 % within {:.3?}, all within {:.3?}",
        chosen.len(),
        quantile(0.5),
        quantile(0.99),
        quantile(1.0)
    );
    println!(
        "{} moves without a choice: {late_forced} too late",
        forced.len()
    );
    match late + late_forced {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
