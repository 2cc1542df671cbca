//! Reading traces: one JSON object a line, plain or gzip, never all of it in memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use serde::Deserialize;

use super::{BadTrace, Within};

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 64 << 20;

/// The longest trace that is read, in bytes after unpacking. A small gzip file can hold any number
/// of them.
const MAX_TRACE: u64 = 8 << 30;

/// How the first line of a trace looks.
const FIRST_LINE: &str = r#"{"game": NAME, "roles": [...]}"#;

/// The first line of a trace.
#[derive(Clone, Debug, Deserialize)]
#[serde(expecting = "an object with the game and its roles")]
pub(super) struct Header {
    /// The roles, in the order of all lists by role.
    pub(super) roles: Vec<String>,
}

/// One recorded state, and what was done there.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Step {
    /// The playout, from 0.
    pub(super) playout: u64,
    /// The step in the playout, from 0.
    pub(super) step: u64,
    /// The fluents that hold.
    pub(super) state: Vec<String>,
    /// The legal moves of each role.
    pub(super) legal: Option<Vec<Vec<String>>>,
    /// The joint move that was made.
    pub(super) moves: Option<Vec<String>>,
    /// Whether the game is over.
    #[serde(default)]
    pub(super) terminal: bool,
    /// The goal of each role.
    pub(super) goals: Option<Vec<Option<i64>>>,
    /// The line of the trace, from 1.
    #[serde(skip)]
    pub(super) line: u64,
}

/// An open trace, after its first line.
pub(super) struct Trace {
    reader: Box<dyn BufRead>,
    /// The first line.
    pub(super) header: Header,
    buffer: Vec<u8>,
    line: u64,
}

impl Trace {
    /// Opens a trace and reads its first line.
    pub(super) fn open(path: &Path) -> Result<Self, BadTrace> {
        let file = File::open(path).within(|| "cannot read it".to_owned())?;
        let mut reader = BufReader::new(file);
        let is_gzip = reader
            .fill_buf()
            .within(|| "cannot read it".to_owned())?
            .starts_with(&[0x1f, 0x8b]);
        let reader: Box<dyn BufRead> = if is_gzip {
            Box::new(BufReader::new(MultiGzDecoder::new(reader).take(MAX_TRACE)))
        } else {
            Box::new(reader.take(MAX_TRACE))
        };
        Self::new(reader)
    }

    fn new(reader: Box<dyn BufRead>) -> Result<Self, BadTrace> {
        let header = Header { roles: Vec::new() };
        let mut trace = Self {
            reader,
            header,
            buffer: Vec::new(),
            line: 0,
        };
        if !trace.next_line()? {
            let empty = format!("the trace is empty; its first line should be {FIRST_LINE}");
            return Err(BadTrace(empty));
        }
        trace.header = serde_json::from_slice(&trace.buffer)
            .within(|| format!("the first line should be {FIRST_LINE}"))?;
        Ok(trace)
    }

    /// The next recorded states, at most `most`, and fewer where they take much room; none at the
    /// end.
    pub(super) fn next_steps(&mut self, most: usize) -> Result<Vec<Step>, BadTrace> {
        let (mut steps, mut bytes) = (Vec::new(), 0);
        while steps.len() < most && bytes < MAX_LINE && self.next_line()? {
            bytes += self.buffer.len() as u64;
            let step = serde_json::from_slice(&self.buffer);
            let step: Step =
                step.within(|| format!("line {} is not a step of a trace", self.line))?;
            steps.push(Step {
                line: self.line,
                ..step
            });
        }
        Ok(steps)
    }

    /// Reads the next line that is not blank; false at the end.
    fn next_line(&mut self) -> Result<bool, BadTrace> {
        loop {
            self.buffer.clear();
            self.line += 1;
            let limited = &mut (&mut *self.reader).take(MAX_LINE);
            let read = limited.read_until(b'\n', &mut self.buffer);
            let read = read.within(|| format!("cannot read line {}", self.line))?;
            if read == 0 {
                return Ok(false);
            }
            if read as u64 == MAX_LINE {
                let (line, most) = (self.line, MAX_LINE >> 20);
                return Err(BadTrace(format!("line {line} is longer than {most} MB")));
            }
            if !self.buffer.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BadTrace, Trace};
    use std::io::Cursor;

    fn read(text: &'static str) -> Result<Vec<u64>, BadTrace> {
        let mut trace = Trace::new(Box::new(Cursor::new(text)))?;
        let mut steps = Vec::new();
        loop {
            let lot = trace.next_steps(2)?;
            if lot.is_empty() {
                return Ok(steps);
            }
            steps.extend(lot.iter().map(|step| step.step));
        }
    }

    #[test]
    fn steps_are_read_and_blank_lines_are_skipped() {
        let steps = read(
            "{\"game\":\"g\",\"roles\":[\"a\"]}\n\n{\"playout\":0,\"step\":0,\"state\":[],\"legal\":[[\"m\"]],\"moves\":[\"m\"]}\n\
             {\"playout\":0,\"step\":1,\"state\":[],\"terminal\":true,\"goals\":[100]}",
        );
        assert_eq!(steps.unwrap(), [0, 1]);
    }

    #[test]
    fn broken_traces_are_refused_with_their_line() {
        assert!(read("").unwrap_err().to_string().contains("empty"));
        assert!(read("[]").unwrap_err().to_string().contains("first line"));
        let cut = read("{\"game\":\"g\",\"roles\":[]}\n{\"playout\":0,\"step\":0,\"sta");
        assert!(cut.unwrap_err().to_string().contains("line 2"));
    }
}
