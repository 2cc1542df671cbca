//! Messages: one JSON object a line, with a limit on its length and on the time until it is there.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of all this. Sides with different versions do not talk.
pub(super) const VERSION: u32 = 1;

/// The longest line before both sides know each other, in bytes.
pub(super) const GREETING_BYTES: usize = 512;
/// The longest rule sheet. The largest public one has 50 KB.
pub(super) const RULES_BYTES: usize = 1 << 20;
/// The longest line with rules, in which characters may be escaped.
pub(super) const START_BYTES: usize = 2 * RULES_BYTES + 4096;
/// The longest of all other lines.
pub(super) const LINE_BYTES: usize = 64 << 10;

/// How long a greeting may take.
pub(super) const GREETING_PATIENCE: Duration = Duration::from_secs(5);
/// How long any other line may take. Masters without anything to say send [`FromMaster::Ping`] more
/// often than this.
pub(super) const LINE_PATIENCE: Duration = Duration::from_secs(90);
/// How often a master says that it is there.
pub(super) const PING_EVERY: Duration = Duration::from_secs(20);
/// How long the other side may take to read what is sent.
pub(super) const WRITE_PATIENCE: Duration = Duration::from_secs(20);

/// The leaves that a master may have open at a worker.
pub(super) const OPEN_LEAVES: usize = 4096;
/// The playouts that may be asked for from one leaf.
pub(super) const LEAF_PLAYOUTS: std::ops::RangeInclusive<u32> = 1..=65_536;

/// What a worker says. Numbers and proofs are bytes in hexadecimal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum FromWorker {
    /// The first words.
    Hello { version: u32, nonce: String },
    /// The master's proof is right, and here is the worker's.
    Welcome { proof: String },
    /// The rules can be played. The fingerprint is of the numbers of fluents and moves, the room is
    /// the number of playouts that should be open.
    Ready { fingerprint: String, room: u32 },
    /// What came out of a leaf.
    Done {
        id: u64,
        playouts: u32,
        states: u64,
        /// Joint moves of the shortest playout.
        shortest: u32,
        means: Vec<f64>,
    },
    /// The answer to a ping.
    Pong,
    /// The last words.
    Refused { because: String },
}

/// What a master says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum FromMaster {
    /// The answer to the worker's first words.
    Answer { nonce: String, proof: String },
    /// What is to be played, and how.
    Start(Start),
    /// Playouts are wanted from a state: bit n % 8 of byte n / 8 is fluent n, missing bytes are
    /// zero.
    Leaf {
        id: u64,
        playouts: u32,
        state: String,
    },
    /// The master no longer waits for the leaves sent so far.
    Cancel,
    /// Nothing to say, but still there.
    Ping,
}

/// What is to be played, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Start {
    /// The name of the game, for messages.
    pub(super) name: String,
    pub(super) rules: String,
    pub(super) dialect: String,
    /// What is left of a goal one step further from the end.
    pub(super) discount: f64,
    /// Joint moves after which a playout is cut.
    pub(super) step_limit: u32,
    pub(super) seed: u64,
}

/// Why a conversation ended.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// There is no connection, or it broke.
    #[error("the connection failed: {0}")]
    Connection(#[source] io::Error),
    /// The other side ended the connection.
    #[error("the other side closed the connection")]
    Closed,
    /// The other side took too long.
    #[error("the other side took too long")]
    Late,
    /// A message is longer than it may be.
    #[error("a message is too long")]
    TooLong,
    /// A message makes no sense, or not here.
    #[error("a message makes no sense: {0}")]
    Nonsense(&'static str),
    /// The other side speaks another version of the protocol.
    #[error("the other side speaks version {0} of the protocol, not {VERSION}")]
    Version(u32),
    /// The other side does not know the secret.
    #[error("the tokens differ")]
    Token,
    /// Both sides have the rules, but number fluents and moves differently.
    #[error("both sides read the rules differently; run the same version of Paidia on both")]
    Fingerprint,
    /// The other side says why it does not want to go on.
    #[error("refused: {0}")]
    Refused(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => Trouble::Late,
            ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
                Trouble::Closed
            }
            _ => Trouble::Connection(error),
        }
    }
}

/// The lines that come in.
pub(super) struct Lines {
    reader: BufReader<Timed>,
    line: Vec<u8>,
}

/// A stream with a deadline: a line does not take longer, however slowly the other side sends.
struct Timed {
    stream: TcpStream,
    until: Instant,
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}

impl Lines {
    pub(super) fn new(stream: TcpStream) -> Self {
        let timed = Timed {
            stream,
            until: Instant::now(),
        };
        Self {
            reader: BufReader::new(timed),
            line: Vec::new(),
        }
    }

    /// The next message, if it is there in time and no longer than this.
    pub(super) fn next<M: DeserializeOwned>(
        &mut self,
        limit: usize,
        patience: Duration,
    ) -> Result<M, Trouble> {
        self.reader.get_mut().until = Instant::now() + patience;
        self.line.clear();
        self.line.shrink_to(LINE_BYTES);
        let mut limited = (&mut self.reader).take(limit as u64 + 1);
        let read = limited.read_until(b'\n', &mut self.line)?;
        match self.line.split_last() {
            Some((b'\n', line)) => serde_json::from_slice(line)
                .map_err(|_| Trouble::Nonsense("not a message of this protocol")),
            _ if read > limit => Err(Trouble::TooLong),
            _ => Err(Trouble::Closed),
        }
    }
}

/// Adds a message to what is to be sent.
pub(super) fn write(message: &impl Serialize, out: &mut Vec<u8>) {
    // Neither can fail: the types have no maps, and memory takes everything.
    let _ = serde_json::to_writer(&mut *out, message);
    out.push(b'\n');
}

/// Sends one message.
pub(super) fn send(stream: &mut TcpStream, message: &impl Serialize) -> io::Result<()> {
    let mut line = Vec::new();
    write(message, &mut line);
    stream.write_all(&line)
}

/// Sets up a new connection: small messages are sent at once, and a write does not wait for ever
/// for the other side to read.
pub(super) fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_PATIENCE))
}

/// Bytes in hexadecimal.
pub(super) fn to_hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    let digits = bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    digits.collect()
}

/// Bytes from hexadecimal.
pub(super) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| Some(char::from(byte).to_digit(16)? as u8);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs
        .iter()
        .map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?));
    rest.is_empty().then(|| bytes.collect())?
}

/// A state for a message.
pub(super) fn state_to_hex(words: &[u64]) -> String {
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let used = bytes.iter().rposition(|&byte| byte != 0);
    bytes.truncate(used.map_or(0, |last| last + 1));
    to_hex(&bytes)
}

/// A state from a message; `None` if it is no state of a game with this many fluents.
pub(super) fn state_from_hex(text: &str, fluents: usize) -> Option<Vec<u64>> {
    let bytes = from_hex(text)?;
    let mut words = vec![0; fluents.div_ceil(64)];
    for (place, byte) in bytes.iter().enumerate() {
        *words.get_mut(place / 8)? |= u64::from(*byte) << (place % 8 * 8);
    }
    let beyond = words.last().is_some_and(|&word| {
        let used = fluents - (words.len() - 1) * 64;
        word.checked_shr(used as u32).unwrap_or(0) != 0
    });
    (!beyond).then_some(words)
}
