//! The arena in the browser: a page, embedded in the program, and what it asks for as JSON.
//!
//! `connection` serves HTTP, and `guard` decides which requests are allowed; `page` has the files
//! of the page, and `api` routes requests. Behind it are the `game_list`, the `tables` at which
//! people and players play, `matches` that were written down, and `tournaments`; `frame` and
//! `decision` are how positions and searches are shown. `docs/web.md` describes the API.
//!
//! One thread serves all connections and never computes: what takes longer than a moment is done by
//! worker threads, whose number is limited.

mod analyse;
mod api;
mod beliefs;
mod bred;
mod checking;
mod connection;
mod decision;
mod events;
mod frame;
mod game_list;
mod games;
mod guard;
mod info;
mod keep;
mod levels;
mod limits;
mod line;
mod live;
mod matches;
mod page;
mod patience;
mod person;
mod puzzles;
mod refusal;
mod statistics;
mod table;
mod tables;
mod thinker;
mod tournaments;
mod video;
mod why;

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use paidia_arena::store::FOLDER;
use tokio::sync::Semaphore;

use game_list::GameList;
use guard::Guard;
use keep::Keep;
pub use limits::Limits;
use live::Lives;
use matches::Records;
use tables::Tables;
use thinker::Desk;
use tournaments::Tournaments;
use video::VideoGames;

use crate::threads::STACK_BYTES;

/// What an arena is like.
#[derive(Clone, Debug)]
pub struct Options {
    /// A folder to take the page from, instead of what is embedded, to work on the page.
    pub page: Option<PathBuf>,
    /// Names by which other machines may call this one, beside its addresses.
    pub host_names: Vec<String>,
    /// The folder in which matches are written down.
    pub records: PathBuf,
    /// A folder of board games that are shown beside the bundled ones, as `paidia evolve` makes it.
    pub bred: Option<PathBuf>,
    /// How much is allowed.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            page: None,
            host_names: Vec::new(),
            records: FOLDER.into(),
            bred: None,
            limits: Limits::default(),
        }
    }
}

/// An arena that waits for browsers.
pub struct WebServer {
    listener: TcpListener,
    site: Arc<Site>,
}

/// Everything that questions are about.
struct Site {
    options: Options,
    guard: Guard,
    games: GameList,
    tables: Tables,
    /// Tables in real time.
    lives: Lives,
    tournaments: Tournaments,
    video: VideoGames,
    records: Records,
    /// What goes on after a restart.
    keep: Keep,
    /// Where searches take place.
    desk: Desk,
    /// Places for questions that take a moment.
    workers: Arc<Semaphore>,
    /// Places for questions that take longer.
    students: Arc<Semaphore>,
    /// Places for listeners to events.
    listeners: Arc<Semaphore>,
}

impl WebServer {
    /// An arena that listens at an address.
    ///
    /// # Errors
    /// If the address cannot be listened at, the system has no random numbers for a token, or the
    /// folder of bred games cannot be read.
    pub fn bind(address: impl ToSocketAddrs, options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let keep = Keep::new(&options.records);
        let address = listener.local_addr()?;
        let secret = match address.ip().is_loopback() {
            true => String::new(),
            false => keep.secret()?,
        };
        let guard = Guard::new(address, &options.host_names, secret);
        let bred = options
            .bred
            .as_deref()
            .map_or(Ok(Vec::new()), bred::games)?;
        Ok(Self {
            listener,
            site: Arc::new(Site {
                guard,
                games: GameList::new(options.limits.pasted_games, keep.clone(), bred),
                tables: Tables::new(&keep),
                lives: Lives::default(),
                keep,
                tournaments: Tournaments::default(),
                video: VideoGames::default(),
                records: Records::new(options.records.clone()),
                desk: Desk::new(options.limits.searches),
                workers: Arc::new(Semaphore::new(options.limits.workers)),
                students: Arc::new(Semaphore::new(options.limits.questions)),
                listeners: Arc::new(Semaphore::new(options.limits.listeners)),
                options,
            }),
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The address to open in a browser; it has the token that allows changes.
    pub fn link(&self) -> String {
        self.site.guard.link()
    }

    /// Serves browsers until it is told to stop. Matches that are being played go on when an arena
    /// is opened with the same folder of records.
    ///
    /// # Errors
    /// If the system cannot wait for connections.
    pub fn serve(self, stop: &AtomicBool) -> io::Result<()> {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().thread_stack_size(STACK_BYTES);
        let runtime = builder.build()?;
        let listener = self.listener;
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            self.site.tournaments.go_on(&self.site);
            connection::serve(&listener, &self.site, stop).await;
            Ok(())
        });
        runtime.shutdown_background();
        served
    }
}
