//! The routes of the API, and the functions that answer them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::body::Bytes;
use hyper::{Method, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::events::Listener;
use super::matches::Filter;
use super::person::Person;
use super::refusal::Refusal;
use super::tables::{Plain, TableOrder};
use super::{
    Site, analyse, beliefs, checking, games, info, live, matches, puzzles, statistics, video, why,
};

use Route::{Now, Study, Work};

/// How long a question may wait for a free worker thread.
const QUEUE: Duration = Duration::from_secs(20);

/// What can be asked: a method and a path below `/api/`, in which `*` is any name, and how it is
/// answered.
pub(super) type Entry = (Method, &'static str, Route);

/// Everything that can be asked. A module with questions of its own has a list of them, which is
/// named here.
const ALL: &[&[Entry]] = &[
    ROUTES,
    live::ROUTES,
    puzzles::ROUTES,
    video::ROUTES,
    why::ROUTES,
];

const ROUTES: &[Entry] = &[
    get("games", Now(|site, _| json(&games::list(site)))),
    post(
        "games",
        Work(|site, asked| json(&games::paste(site, &asked.read()?)?)),
    ),
    get(
        "games/*",
        Work(|site, asked| json(&games::whole(site, asked.id())?)),
    ),
    get(
        "games/*/picture",
        Work(|site, asked| json(&games::picture(site, asked.id())?)),
    ),
    get(
        "games/*/info",
        Study(|site, asked, _| json(&info::info(site, asked.id())?)),
    ),
    post(
        "games/*/statistics",
        Study(|site, asked, stop| {
            let wish = asked.read()?;
            json(&statistics::statistics(site, asked.id(), &wish, stop)?)
        }),
    ),
    get("players", Now(|site, _| json(&games::players(site)))),
    get("status", Now(|site, _| json(&site.status()))),
    post(
        "check",
        Work(|_, asked| json(&checking::check(&asked.read()?)?)),
    ),
    post(
        "format",
        Work(|_, asked| json(&checking::format(&asked.read()?)?)),
    ),
    post(
        "analyse",
        Study(|site, asked, stop| json(&analyse::analyse(site, &asked.read()?, stop)?)),
    ),
    post(
        "beliefs",
        Study(|site, asked, stop| json(&beliefs::beliefs(site, &asked.read()?, stop)?)),
    ),
    post(
        "line",
        Work(|site, asked| json(&analyse::line(site, &asked.read()?)?)),
    ),
    get("tables", Work(|site, _| json(&site.tables.list()))),
    post(
        "tables",
        Work(|site, asked| {
            json(
                &site
                    .tables
                    .open(site, &asked.read()?, asked.person.as_ref())?,
            )
        }),
    ),
    get(
        "tables/*",
        Work(|site, asked| {
            let table = site.tables.find(site, asked.id())?;
            let person = asked.person.as_ref();
            Ok(Answer::Json(table.snapshot(asked.role()?, person)?.into()))
        }),
    ),
    get(
        "tables/*/events",
        Work(|site, asked| {
            let table = site.tables.find(site, asked.id())?;
            let person = asked.person.as_ref();
            events(table.listen(asked.role()?, person, &site.listeners)?)
        }),
    ),
    post(
        "tables/*/move",
        Work(|site, asked| order(site, asked, TableOrder::Move)),
    ),
    post(
        "tables/*/take-back",
        Work(|site, asked| order(site, asked, TableOrder::TakeBack)),
    ),
    post(
        "tables/*/seats",
        Work(|site, asked| order(site, asked, TableOrder::Seats)),
    ),
    post(
        "tables/*/pause",
        Work(|site, asked| order(site, asked, |Plain {}| TableOrder::Pause)),
    ),
    post(
        "tables/*/resume",
        Work(|site, asked| order(site, asked, |Plain {}| TableOrder::Resume)),
    ),
    post(
        "tables/*/pace",
        Work(|site, asked| order(site, asked, TableOrder::Pace)),
    ),
    post(
        "tables/*/resign",
        Work(|site, asked| order(site, asked, TableOrder::Resign)),
    ),
    post(
        "tables/*/sit",
        Work(|site, asked| order(site, asked, TableOrder::Sit)),
    ),
    post(
        "tables/*/step",
        Work(|site, asked| order(site, asked, |Plain {}| TableOrder::Step)),
    ),
    post(
        "tables/*/move-now",
        Work(|site, asked| order(site, asked, |Plain {}| TableOrder::MoveNow)),
    ),
    post(
        "tables/*/close",
        Work(|site, asked| order(site, asked, |Plain {}| TableOrder::Close)),
    ),
    get(
        "matches",
        Work(|site, asked| json(&matches::list(site, &Filter::read(&asked.query)?)?)),
    ),
    get(
        "matches/*",
        Work(|site, asked| json(&matches::whole(site, asked.id())?)),
    ),
    get("tournaments", Now(|site, _| json(&site.tournaments.list()))),
    post(
        "tournaments",
        Work(|site, asked| json(&site.tournaments.open(site, &asked.read()?)?)),
    ),
    get(
        "tournaments/*",
        Now(|site, asked| json(&site.tournaments.find(asked.id())?.view())),
    ),
    get(
        "tournaments/*/events",
        Now(|site, asked| events(site.tournaments.find(asked.id())?.listen(&site.listeners)?)),
    ),
    post(
        "tournaments/*/stop",
        Now(|site, asked| {
            asked.read::<Plain>()?;
            site.tournaments.find(asked.id())?.stop();
            json(&Plain {})
        }),
    ),
];

/// How a question is answered.
#[derive(Clone, Copy)]
pub(super) enum Route {
    /// At once.
    Now(fn(&Arc<Site>, &Question) -> Result<Answer, Refusal>),
    /// By a worker, as soon as one is free.
    Work(fn(&Arc<Site>, &Question) -> Result<Answer, Refusal>),
    /// By one of the few places for long work, which is interrupted when the client is gone.
    Study(fn(&Arc<Site>, &Question, &AtomicBool) -> Result<Answer, Refusal>),
}

pub(super) const fn get(path: &'static str, route: Route) -> Entry {
    (Method::GET, path, route)
}

pub(super) const fn post(path: &'static str, route: Route) -> Entry {
    (Method::POST, path, route)
}

/// What a path asks for.
pub(super) struct Found {
    pub(super) route: Route,
    /// What stands where the path has `*`.
    pub(super) arguments: Vec<String>,
}

/// A question.
pub(super) struct Question {
    pub(super) arguments: Vec<String>,
    pub(super) query: String,
    /// Who asks, if that is told.
    pub(super) person: Option<Person>,
    pub(super) body: Bytes,
}

/// What a question is answered with.
pub(super) enum Answer {
    /// A JSON object.
    Json(Bytes),
    /// What happens from now on.
    Events(Box<Listener>),
}

/// What a path asks for, if it can be asked.
pub(super) fn find(method: &Method, parts: &[String]) -> Option<Found> {
    let fits = |path: &str| {
        let places = path.split('/');
        let alike = |(place, part): (&str, &String)| place == "*" || place == part;
        places.clone().count() == parts.len() && places.zip(parts).all(alike)
    };
    let routes = ALL.iter().copied().flatten();
    let mut routes = routes.filter(|(own, ..)| own == method);
    let &(_, path, route) = routes.find(|(_, path, _)| fits(path))?;
    let named = path
        .split('/')
        .zip(parts)
        .filter(|(place, _)| *place == "*");
    Some(Found {
        route,
        arguments: named.map(|(_, part)| part.clone()).collect(),
    })
}

/// Answers a question.
pub(super) async fn answer(
    site: &Arc<Site>,
    route: Route,
    question: Question,
) -> Result<Answer, Refusal> {
    match route {
        Now(answer) => answer(site, &question),
        Work(answer) => site.work(move |site| answer(site, &question)).await,
        Study(answer) => {
            let study =
                move |site: &Arc<Site>, interrupt: &AtomicBool| answer(site, &question, interrupt);
            site.study(study).await
        }
    }
}

/// Passes an order on to a table.
fn order<T: DeserializeOwned>(
    site: &Arc<Site>,
    asked: &Question,
    order: fn(T) -> TableOrder,
) -> Result<Answer, Refusal> {
    let order = order(asked.read()?);
    let person = asked.person.as_ref();
    json(&site.tables.order(site, asked.id(), person, order)?)
}

/// What happens from now on, as an answer.
fn events(listener: Listener) -> Result<Answer, Refusal> {
    Ok(Answer::Events(Box::new(listener)))
}

impl Question {
    /// The object that was sent.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        let body: &[u8] = if self.body.is_empty() {
            b"{}"
        } else {
            &self.body
        };
        let read = serde_json::from_slice(body);
        read.map_err(|error| Refusal::bad(format!("the question cannot be read: {error}")))
    }

    /// The role whose view is asked for, written `role=0`.
    pub(super) fn role(&self) -> Result<Option<usize>, Refusal> {
        let role = self
            .query
            .split('&')
            .find_map(|part| part.strip_prefix("role="));
        let bad = |_| Refusal::bad("`role` is the place of a role, from 0 on");
        role.map(|role| role.parse().map_err(bad)).transpose()
    }

    /// The first name in the path.
    pub(super) fn id(&self) -> &str {
        self.arguments.first().map_or("", String::as_str)
    }
}

/// A value as an answer.
pub(super) fn json(value: &impl Serialize) -> Result<Answer, Refusal> {
    let bytes = serde_json::to_vec(value);
    let bytes = bytes.map_err(|error| Refusal::unusable(error.to_string()))?;
    Ok(Answer::Json(bytes.into()))
}

#[derive(Serialize)]
pub(super) struct Status {
    version: &'static str,
    address: String,
    token: bool,
    /// Searches now.
    thinking: usize,
    tables: usize,
    limits: super::Limits,
}

impl Site {
    /// Answers a question on a worker thread, as soon as one is free.
    async fn work(
        self: &Arc<Self>,
        work: impl FnOnce(&Arc<Site>) -> Result<Answer, Refusal> + Send + 'static,
    ) -> Result<Answer, Refusal> {
        let gone = || Refusal::busy("the question was dropped; ask again");
        let worker = Arc::clone(&self.workers).acquire_owned();
        let Ok(Ok(worker)) = timeout(QUEUE, worker).await else {
            let error = "all workers are busy with questions that take long; ask again later";
            return Err(Refusal::busy(error));
        };
        let site = Arc::clone(self);
        let work = move || {
            let done = work(&site);
            // The place is taken until the work ends, even if the client is gone.
            drop(worker);
            done
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err(gone()))
    }

    /// Answers a question that takes longer, unless too many are in work already. The work is
    /// interrupted when the client goes away.
    async fn study(
        self: &Arc<Self>,
        work: impl FnOnce(&Arc<Site>, &AtomicBool) -> Result<Answer, Refusal> + Send + 'static,
    ) -> Result<Answer, Refusal> {
        let Ok(student) = Arc::clone(&self.students).try_acquire_owned() else {
            let error = "too many long questions are being worked on; wait for their answers";
            return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, error));
        };
        let leaving = Leaving(Arc::default());
        let (site, interrupt) = (Arc::clone(self), Arc::clone(&leaving.0));
        let work = move || {
            let done = work(&site, &interrupt);
            drop(student);
            done
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err(Refusal::busy("the question was dropped; ask again")))
    }

    fn status(&self) -> Status {
        Status {
            version: env!("CARGO_PKG_VERSION"),
            address: self.guard.address().to_string(),
            token: self.guard.needs_token(),
            thinking: self.desk.busy(),
            tables: self.tables.count(),
            limits: self.options.limits,
        }
    }
}

/// Interrupts the work on an answer when it is dropped, since the client is gone.
struct Leaving(Arc<AtomicBool>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Method, find};

    fn parts(path: &str) -> Vec<String> {
        path.split('/').map(str::to_owned).collect()
    }

    #[test]
    fn names_in_paths_are_found() {
        let found = find(&Method::GET, &parts("games/chess/picture")).unwrap();
        assert_eq!(found.arguments, parts("chess"));
        assert!(find(&Method::POST, &parts("games/chess")).is_none());
        assert!(find(&Method::GET, &parts("games/")).is_some_and(|found| found.arguments == [""]));
        assert!(find(&Method::GET, &parts("nothing")).is_none());
    }
}
