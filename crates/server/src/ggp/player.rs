//! A player that hosts reach over HTTP.
//!
//! `http` reads requests and writes replies; `sessions` has the list of matches; `session` is one
//! match, in a thread of its own; `load` makes the rules a `thinker`, which keeps a belief about
//! the state and searches. One thread serves all connections and never computes for long, so that
//! neither a search nor a stranger keeps a reply from leaving in time.

mod http;
mod in_time;
mod load;
mod session;
mod sessions;
mod thinker;

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use paidia_arena::PlayerSpec;
use paidia_arena::engine::EngineSpec;

pub use in_time::account_sum;
use sessions::Sessions;

/// Is told what happens, a line at a time, by any thread.
pub type Log = Arc<dyn Fn(fmt::Arguments<'_>) + Send + Sync>;

/// The player that plays, and its limits.
#[derive(Clone)]
pub struct Options {
    /// The player of the catalogue that chooses moves.
    pub player: PlayerSpec,
    /// The player of matches in real time.
    pub in_time: String,
    /// The name that hosts are told.
    pub name: String,
    /// How many matches are played at a time.
    pub matches: usize,
    /// What works out what the rules say, as soon as it is made; until then, or if it cannot be
    /// made, the reference engine does.
    pub engine: EngineSpec,
    /// Whether players think on while others choose.
    pub ponder: bool,
    /// Where random choices come from, together with the name of the match.
    pub seed: u64,
    /// How long a host may be silent beyond its clocks before its match is left.
    pub idle: Duration,
    /// Is told what happens.
    pub log: Log,
}

impl Options {
    /// One match at a time, played by this player, without a log.
    pub fn new(player: PlayerSpec) -> Self {
        Self {
            player,
            in_time: "search".to_owned(),
            name: "Paidia".to_owned(),
            matches: 1,
            engine: EngineSpec::default(),
            ponder: true,
            seed: 1,
            idle: Duration::from_secs(600),
            log: Arc::new(|_| {}),
        }
    }
}

/// Waits for hosts.
pub struct PlayerServer {
    listener: TcpListener,
    sessions: Arc<Sessions>,
}

impl PlayerServer {
    /// A player that listens at an address.
    ///
    /// # Errors
    /// If the address cannot be listened at.
    pub fn bind(address: impl ToSocketAddrs, options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Self {
            listener,
            sessions: Arc::new(Sessions::new(options)),
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves hosts until it is told to stop; then ends all matches.
    ///
    /// # Errors
    /// If the system cannot wait for connections.
    pub fn serve(self, stop: &AtomicBool) -> io::Result<()> {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        // Long messages are read beside the others, one at a time.
        let runtime = builder.enable_all().max_blocking_threads(1).build()?;
        let listener = self.listener;
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            http::serve(&listener, &self.sessions, stop).await;
            Ok(())
        });
        // A running search notices that its channel is closed.
        runtime.shutdown_background();
        served
    }
}
