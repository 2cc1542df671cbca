//! A PostgreSQL server for one test, with its data in a folder that vanishes with it.

use std::fs::File;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::need::need;
use crate::process::PATIENCE;

/// A running server, stopped when it is dropped.
pub struct PostgresServer {
    home: Home,
    process: Child,
    port: u16,
}

/// Where a server lives.
struct Home {
    folder: TempDir,
    binaries: PathBuf,
    /// PostgreSQL does not run as root; the user and group that it runs as then.
    user: Option<(u32, u32)>,
}

impl PostgresServer {
    /// Starts a server; `None` where PostgreSQL is not installed and need not be.
    ///
    /// # Panics
    /// If it is installed and does not start.
    #[must_use]
    #[track_caller]
    pub fn start() -> Option<Self> {
        let home = Home::new(need("postgres", binaries())?);
        home.make();
        // Another program may take the port before the server does; then another port is tried.
        let started = (0..5).find_map(|_| home.serve());
        let Some((process, port)) = started else {
            let log = std::fs::read_to_string(home.log());
            panic!("PostgreSQL does not start: {}", log.unwrap());
        };
        Some(Self {
            home,
            process,
            port,
        })
    }

    /// The address of its database, as the program takes it.
    #[must_use]
    pub fn address(&self) -> String {
        format!(
            "postgres://paidia:hush-hush@127.0.0.1:{}/postgres",
            self.port
        )
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        let mut stop = self.home.command("pg_ctl");
        let _ = stop
            .args(["-D", "data", "-m", "immediate", "stop"])
            .output();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Home {
    fn new(binaries: PathBuf) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let is_root = folder.path().metadata().unwrap().uid() == 0;
        let user = is_root.then(|| (number("-u"), number("-g")));
        if let Some((user, group)) = user {
            chown(folder.path(), Some(user), Some(group)).unwrap();
        }
        Self {
            folder,
            binaries,
            user,
        }
    }

    /// Makes an empty database in `data`, with a superuser `paidia` that has a password.
    fn make(&self) {
        std::fs::write(self.folder.path().join("password"), "hush-hush").unwrap();
        let mut make = self.command("initdb");
        make.args(["-D", "data", "-U", "paidia", "--pwfile=password"]);
        make.args(["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"]);
        let made = make.arg("--no-sync").output().unwrap();
        assert!(
            made.status.success(),
            "{}",
            std::fs::read_to_string(self.log()).unwrap()
        );
    }

    /// A server that listens at some port; `None` if it could not.
    fn serve(&self) -> Option<(Child, u16)> {
        let port = free_port();
        let mut serve = self.command("postgres");
        serve.args(["-D", "data", "-p", &port.to_string()]);
        serve.args(["-c", "listen_addresses=127.0.0.1"]);
        serve.args(["-c", "unix_socket_directories="]);
        // Nothing must survive the machine.
        serve.args(["-c", "fsync=off", "-c", "shared_buffers=16MB"]);
        let mut process = serve.spawn().unwrap();
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE && process.try_wait().unwrap().is_none() {
            let mut ready = self.command("pg_isready");
            ready.args(["-h", "127.0.0.1", "-p", &port.to_string()]);
            if ready.status().unwrap().success() {
                return Some((process, port));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = process.kill();
        let _ = process.wait();
        None
    }

    /// Where the programs write what they have to say.
    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.binaries.join(program));
        command.current_dir(self.folder.path());
        let log = File::options().create(true).append(true).open(self.log());
        command.stdout(Stdio::null()).stderr(log.unwrap());
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }
}

/// The programs of the newest PostgreSQL.
fn binaries() -> Result<PathBuf, String> {
    let versions = std::fs::read_dir("/usr/lib/postgresql");
    let folders = versions.into_iter().flatten();
    let folders = folders.filter_map(|version| Some(version.ok()?.path().join("bin")));
    let whole = |folder: &PathBuf| Path::is_file(&folder.join("initdb"));
    let newest = folders.filter(whole).max();
    newest.ok_or_else(|| "there is no PostgreSQL under /usr/lib/postgresql".to_owned())
}

/// A port that is free at this moment.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// The number of the user (`-u`) or of the group (`-g`) without rights that every system has.
fn number(which: &str) -> u32 {
    let output = Command::new("id").args([which, "nobody"]).output().unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .trim()
        .parse()
        .unwrap()
}
