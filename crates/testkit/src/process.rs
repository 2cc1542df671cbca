//! Programs that tests start: their output, their end, and waiting for either.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Longer than anything that a test waits for takes, on any machine: a test that waits this long
/// has failed.
pub const PATIENCE: Duration = Duration::from_secs(900);

/// Waits until something is so.
///
/// # Panics
/// If it does not become so.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    wait_for(what, || is_so().then_some(()));
}

/// Waits until there is an answer.
///
/// # Panics
/// If there never is.
#[track_caller]
pub fn wait_for<T>(what: &str, mut answer: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(answer) = answer() {
            return answer;
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// What a run of a program gave.
pub struct Run {
    /// Its exit code; -1 if a signal ended it.
    pub code: i32,
    /// What it wrote to its standard output.
    pub out: String,
    /// What it wrote to its standard error.
    pub err: String,
}

impl Run {
    /// Runs a program to its end, with something on its standard input.
    ///
    /// # Panics
    /// If the program cannot be run, or writes what is not text.
    #[must_use]
    pub fn new(program: impl AsRef<Path>, arguments: &[&str], input: &str) -> Self {
        let mut child = Command::new(program.as_ref())
            .args(arguments)
            // What one test measured is not for the next.
            .env("PAIDIA_CACHE", "off")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program may end without reading.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The output as JSON, of which there must be one object on one line.
    ///
    /// # Panics
    /// If it is something else.
    #[track_caller]
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        assert_eq!(self.out.lines().count(), 1, "{}{}", self.out, self.err);
        serde_json::from_str(&self.out).unwrap()
    }

    /// The run, which must have ended with this exit code.
    ///
    /// # Panics
    /// If it did not.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        let Self { out, err, .. } = &self;
        assert_eq!(self.code, code, "output:\n{out}\nerrors:\n{err}");
        self
    }
}

/// A process in the background, killed with SIGKILL when the test ends, if not before.
pub struct Process(pub Child);

impl Process {
    /// Starts a program whose output is of no interest.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn start(program: impl AsRef<Path>, arguments: &[&str]) -> Self {
        let mut command = Command::new(program.as_ref());
        command.args(arguments).env("PAIDIA_CACHE", "off");
        command.stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Self(command.spawn().unwrap())
    }

    /// Starts a program that says in its first line where it listens: `... at ADDRESS`.
    ///
    /// # Panics
    /// If it cannot be started, or says something else.
    #[must_use]
    #[track_caller]
    pub fn listening(program: impl AsRef<Path>, arguments: &[&str]) -> (Self, String) {
        let mut command = Command::new(program.as_ref());
        command.args(arguments).env("PAIDIA_CACHE", "off");
        command.stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = Self(command.spawn().unwrap());
        let mut first = String::new();
        let mut out = BufReader::new(process.0.stdout.take().unwrap());
        out.read_line(&mut first).unwrap();
        let address = first.trim().split_once(" at ");
        let (_, address) = address.unwrap_or_else(|| panic!("it says `{first}`"));
        (process, address.to_owned())
    }

    /// Whether it has not ended yet.
    ///
    /// # Panics
    /// If the system does not tell.
    pub fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Asks it to end, as Ctrl-C does.
    ///
    /// # Panics
    /// If there is no program `kill`.
    pub fn terminate(&self) {
        let id = self.0.id().to_string();
        let status = Command::new("kill").arg(id).status();
        assert!(status.unwrap().success());
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// If it does not end.
    #[track_caller]
    pub fn wait(&mut self) -> ExitStatus {
        wait_for("the end of a process", || self.0.try_wait().unwrap())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The address of a text such as `http://127.0.0.1:80/`.
///
/// # Panics
/// If it is not an address.
#[must_use]
pub fn socket_address(link: &str) -> SocketAddr {
    let address = link.trim_start_matches("http://").trim_end_matches('/');
    address.to_socket_addrs().unwrap().next().unwrap()
}

/// A file with this text in a folder; its path as text.
///
/// # Panics
/// If it cannot be written.
pub fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}
