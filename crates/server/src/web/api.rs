//! The questions, and who answers them.

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
use super::refusal::Refusal;
use super::tables::{Plain, TableOrder};
use super::{House, analyse, checking, games, info, matches, statistics};

/// How long a question may wait until somebody works on it.
const QUEUE: Duration = Duration::from_secs(20);

/// What can be asked: methods and paths below `/api/`, in which `*` is any name.
const PATHS: &[(Method, &str)] = &[
    (Method::GET, "games"),
    (Method::POST, "games"),
    (Method::GET, "games/*"),
    (Method::GET, "games/*/picture"),
    (Method::GET, "games/*/info"),
    (Method::POST, "games/*/statistics"),
    (Method::GET, "players"),
    (Method::GET, "status"),
    (Method::POST, "check"),
    (Method::POST, "format"),
    (Method::POST, "analyse"),
    (Method::POST, "line"),
    (Method::GET, "tables"),
    (Method::POST, "tables"),
    (Method::GET, "tables/*"),
    (Method::GET, "tables/*/events"),
    (Method::POST, "tables/*/move"),
    (Method::POST, "tables/*/take-back"),
    (Method::POST, "tables/*/seats"),
    (Method::POST, "tables/*/pause"),
    (Method::POST, "tables/*/resume"),
    (Method::POST, "tables/*/pace"),
    (Method::POST, "tables/*/resign"),
    (Method::POST, "tables/*/step"),
    (Method::POST, "tables/*/close"),
    (Method::GET, "matches"),
    (Method::GET, "matches/*"),
    (Method::GET, "tournaments"),
    (Method::POST, "tournaments"),
    (Method::GET, "tournaments/*"),
    (Method::GET, "tournaments/*/events"),
    (Method::POST, "tournaments/*/stop"),
];

/// What a path asks for.
pub(super) struct Found {
    pub(super) path: &'static str,
    /// What stands where the path has `*`.
    pub(super) arguments: Vec<String>,
}

/// A question.
pub(super) struct Question {
    pub(super) arguments: Vec<String>,
    pub(super) query: String,
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
    let mut paths = PATHS.iter().filter(|(own, _)| own == method);
    let &(_, path) = paths.find(|(_, path)| fits(path))?;
    let named = path
        .split('/')
        .zip(parts)
        .filter(|(place, _)| *place == "*");
    Some(Found {
        path,
        arguments: named.map(|(_, part)| part.clone()).collect(),
    })
}

/// Answers a question.
pub(super) async fn answer(
    house: &Arc<House>,
    method: &Method,
    path: &str,
    question: Question,
) -> Result<Answer, Refusal> {
    if path.starts_with("tables") {
        return answer_table(house, method, path, question).await;
    }
    let is_get = *method == Method::GET;
    let id = question.argument();
    match path {
        "games" if is_get => json(&games::list(house)),
        "games" => {
            let asked = question.read()?;
            house
                .work(move |house| json(&games::paste(house, &asked)?))
                .await
        }
        "games/*" => {
            house
                .work(move |house| json(&games::whole(house, &id)?))
                .await
        }
        "games/*/picture" => {
            house
                .work(move |house| json(&games::picture(house, &id)?))
                .await
        }
        "games/*/info" => {
            house
                .study(move |house, _| json(&info::info(house, &id)?))
                .await
        }
        "games/*/statistics" => {
            let asked = question.read()?;
            let study = move |house: &Arc<House>, interrupt: &AtomicBool| {
                json(&statistics::statistics(house, &id, &asked, interrupt)?)
            };
            house.study(study).await
        }
        "players" => json(&games::players()),
        "status" => json(&house.status()),
        "check" => {
            let asked = question.read()?;
            house.work(move |_| json(&checking::check(&asked)?)).await
        }
        "format" => {
            let asked = question.read()?;
            house.work(move |_| json(&checking::format(asked)?)).await
        }
        "analyse" => {
            let asked = question.read()?;
            let study = move |house: &Arc<House>, interrupt: &AtomicBool| {
                json(&analyse::analyse(house, &asked, interrupt)?)
            };
            house.study(study).await
        }
        "line" => {
            let asked = question.read()?;
            house
                .work(move |house| json(&analyse::line(house, &asked)?))
                .await
        }
        "matches" => {
            let filter = Filter::read(&question.query)?;
            house
                .work(move |house| json(&matches::list(house, &filter)?))
                .await
        }
        "matches/*" => {
            house
                .work(move |house| json(&matches::whole(house, &id)?))
                .await
        }
        "tournaments" if is_get => json(&house.tournaments.list()),
        "tournaments" => {
            let asked = question.read()?;
            house
                .work(move |house| json(&house.tournaments.open(house, &asked)?))
                .await
        }
        "tournaments/*" => json(&house.tournaments.find(&id)?.view()),
        "tournaments/*/events" => {
            let listener = house.tournaments.find(&id)?.listen(&house.listeners)?;
            Ok(Answer::Events(Box::new(listener)))
        }
        "tournaments/*/stop" => {
            question.read::<Plain>()?;
            house.tournaments.find(&id)?.stop();
            json(&Plain {})
        }
        _ => Err(Refusal::missing("there is no such question")),
    }
}

/// Answers a question about tables.
async fn answer_table(
    house: &Arc<House>,
    method: &Method,
    path: &str,
    question: Question,
) -> Result<Answer, Refusal> {
    let id = question.argument();
    let plain = |order: TableOrder| question.read::<Plain>().map(|_| order);
    let order = match path {
        "tables" if *method == Method::GET => {
            return house.work(|house| json(&house.tables.list())).await;
        }
        "tables" => {
            let asked = question.read()?;
            return house
                .work(move |house| json(&house.tables.open(house, &asked)?))
                .await;
        }
        "tables/*" => {
            let (table, role) = (house.tables.find(&id)?, question.role()?);
            return house
                .work(move |_| Ok(Answer::Json(table.snapshot(role).into())))
                .await;
        }
        "tables/*/events" => {
            let (table, role) = (house.tables.find(&id)?, question.role()?);
            let listen = move |house: &Arc<House>| table.listen(role, &house.listeners);
            return house
                .work(listen)
                .await
                .map(|listener| Answer::Events(Box::new(listener)));
        }
        "tables/*/move" => TableOrder::Move(question.read()?),
        "tables/*/take-back" => TableOrder::TakeBack(question.read()?),
        "tables/*/seats" => TableOrder::Seats(question.read()?),
        "tables/*/pace" => TableOrder::Pace(question.read()?),
        "tables/*/resign" => TableOrder::Resign(question.read()?),
        "tables/*/pause" => plain(TableOrder::Pause)?,
        "tables/*/resume" => plain(TableOrder::Resume)?,
        "tables/*/step" => plain(TableOrder::Step)?,
        "tables/*/close" => plain(TableOrder::Close)?,
        _ => return Err(Refusal::missing("there is no such question")),
    };
    house
        .work(move |house| json(&house.tables.order(house, &id, order)?))
        .await
}

impl Question {
    /// The object that was sent.
    fn read<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        let body: &[u8] = if self.body.is_empty() {
            b"{}"
        } else {
            &self.body
        };
        let read = serde_json::from_slice(body);
        read.map_err(|error| Refusal::bad(format!("the question cannot be read: {error}")))
    }

    /// The role whose view is asked for, written `role=0`.
    fn role(&self) -> Result<Option<usize>, Refusal> {
        let role = self
            .query
            .split('&')
            .find_map(|part| part.strip_prefix("role="));
        let bad = |_| Refusal::bad("`role` is the place of a role, from 0 on");
        role.map(|role| role.parse().map_err(bad)).transpose()
    }

    /// The first name in the path.
    fn argument(&self) -> String {
        self.arguments.first().cloned().unwrap_or_default()
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

impl House {
    /// Has somebody work on a question, as soon as somebody is free.
    async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Arc<House>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let gone = || Refusal::busy("the question was dropped; ask again");
        let worker = Arc::clone(&self.workers).acquire_owned();
        let Ok(Ok(worker)) = timeout(QUEUE, worker).await else {
            let error = "everybody is at work on questions that take long; ask again later";
            return Err(Refusal::busy(error));
        };
        let house = Arc::clone(self);
        let work = move || {
            let done = work(&house);
            // Whoever asked may be gone by now, but somebody was at work all the same.
            drop(worker);
            done
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err(gone()))
    }

    /// Has somebody work on a question that takes longer, unless too many do so already. Who asks and goes away interrupts it.
    async fn study<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Arc<House>, &AtomicBool) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let Ok(student) = Arc::clone(&self.students).try_acquire_owned() else {
            let error = "too many long questions are being worked on; wait for their answers";
            return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, error));
        };
        let leaving = Leaving(Arc::default());
        let (house, interrupt) = (Arc::clone(self), Arc::clone(&leaving.0));
        let work = move || {
            let done = work(&house, &interrupt);
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

/// Somebody who waits for an answer, and interrupts the work on it when it goes away.
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
        assert_eq!(
            (found.path, found.arguments),
            ("games/*/picture", parts("chess"))
        );
        assert!(find(&Method::POST, &parts("games/chess")).is_none());
        assert!(find(&Method::GET, &parts("games/")).is_some_and(|found| found.arguments == [""]));
        assert!(find(&Method::GET, &parts("nothing")).is_none());
    }
}
