//! HTTP as hosts speak it: `POST` with the message as its body, `GET` with the message as its path,
//! and what browsers ask beforehand.
//!
//! A connection is a stranger until a whole request has been read. The number of strangers is
//! limited; one more, and the oldest is disconnected. So slow senders, however many, do not keep a
//! host from being served.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderName};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout_at};

use super::sessions::Sessions;
use crate::ggp::message::{BadMessage, Message};
use crate::http::{self, BadBody, HEADER_BYTES, LAST_WORDS, PATIENCE, decoded, told_length};
use crate::threads::lock;

/// Strangers that are listened to at a time.
const STRANGERS: usize = 256;
/// The longest message that is read without any conditions.
const SMALL_BYTES: u64 = 256 << 10;
/// The longest message. The largest public rule sheet has 50 KB.
const LARGE_BYTES: u64 = 4 << 20;
/// Long messages that are read at a time.
const LARGE_MESSAGES: usize = 4;
/// Messages up to this length are understood at once; others meanwhile.
const AT_ONCE_BYTES: usize = 64 << 10;
/// Requests that are answered at a time.
const ANSWERED: usize = 256;
/// How long the other side may take to close a connection, so that it does not lose the reply.
const GOODBYE: Duration = Duration::from_millis(500);
/// Connections that may be in that state at a time.
const GOODBYES: usize = 128;

/// What the reply to any request says about whose pages may ask.
const CROSS_ORIGIN: [(&str, &str); 4] = [
    ("access-control-allow-origin", "*"),
    ("access-control-allow-methods", "POST, GET, OPTIONS"),
    ("access-control-allow-headers", "Content-Type"),
    ("access-control-max-age", "86400"),
];

const WELCOME: &str =
    "A player of General Game Playing. POST a message such as (INFO), or GET /%28INFO%29\n";

type Reply = Response<Full<Bytes>>;

/// Serves until it is told to stop.
pub(super) async fn serve(listener: &TcpListener, sessions: &Arc<Sessions>, stop: &AtomicBool) {
    let door = Arc::new(Door::new(Arc::clone(sessions)));
    let admit = |stream| door.admit(stream);
    http::admit_until(stop, listener, admit, || sessions.look_around()).await;
    sessions.close();
    sleep(LAST_WORDS).await;
}

/// Where strangers come in.
struct Door {
    sessions: Arc<Sessions>,
    /// Strangers by number; the lowest has been here for longest.
    strangers: Mutex<BTreeMap<usize, AbortHandle>>,
    next: AtomicUsize,
    large: Semaphore,
    answered: Semaphore,
    goodbyes: AtomicUsize,
}

/// A stranger, until it is dropped.
struct Visit {
    door: Arc<Door>,
    number: usize,
    arrived: Instant,
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.is_known();
    }
}

impl Visit {
    /// The whole request has been read: this connection is no longer disconnected for others.
    fn is_known(&self) {
        lock(&self.door.strangers).remove(&self.number);
    }
}

impl Door {
    fn new(sessions: Arc<Sessions>) -> Self {
        Self {
            sessions,
            strangers: Mutex::default(),
            next: AtomicUsize::new(0),
            large: Semaphore::new(LARGE_MESSAGES),
            answered: Semaphore::new(ANSWERED),
            goodbyes: AtomicUsize::new(0),
        }
    }

    /// Admits a connection, and disconnects the oldest stranger if there are too many.
    fn admit(self: &Arc<Self>, stream: TcpStream) {
        let visit = Visit {
            door: Arc::clone(self),
            number: self.next.fetch_add(1, Ordering::Relaxed),
            arrived: Instant::now(),
        };
        let number = visit.number;
        // It does not run before it is on the list, because there is one thread.
        let task = tokio::spawn(converse(visit, stream));
        let mut strangers = lock(&self.strangers);
        strangers.insert(number, task.abort_handle());
        if strangers.len() > STRANGERS
            && let Some((_, oldest)) = strangers.pop_first()
        {
            oldest.abort();
        }
    }
}

/// Reads one request, replies, and closes the connection.
async fn converse(visit: Visit, stream: TcpStream) {
    let _ = stream.set_nodelay(true);
    let visit = Arc::new(visit);
    let service = |request| {
        let visit = Arc::clone(&visit);
        async move { Ok::<_, Infallible>(reply_to(&visit, request).await) }
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(HEADER_BYTES)
        .keep_alive(false)
        .half_close(true)
        // Not every host knows that case does not matter.
        .title_case_headers(true)
        .serve_connection(TokioIo::new(stream), service_fn(service))
        .without_shutdown();
    if let Ok(parts) = connection.await {
        say_goodbye(&visit.door, parts.io.into_inner()).await;
    }
}

/// Waits until the other side has closed the connection: a connection that is closed with something
/// unread in it may take the reply with it, and some hosts send an empty line too many.
async fn say_goodbye(door: &Door, mut stream: TcpStream) {
    let _ = stream.shutdown().await;
    if door.goodbyes.fetch_add(1, Ordering::Relaxed) < GOODBYES {
        let mut rest = [0; 4096];
        let until = tokio::time::Instant::now() + GOODBYE;
        while let Ok(Ok(1..)) = timeout_at(until, stream.read(&mut rest)).await {}
    }
    door.goodbyes.fetch_sub(1, Ordering::Relaxed);
}

async fn reply_to(visit: &Visit, request: Request<Incoming>) -> Reply {
    let text = match read(visit, request).await {
        Ok(text) => text,
        Err(reply) => return *reply,
    };
    let Ok(_place) = visit.door.answered.try_acquire() else {
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "too many requests");
    };
    visit.is_known();
    match understand(text).await {
        Ok(message) => {
            let reply = visit.door.sessions.answer(message, visit.arrived).await;
            reply_with(StatusCode::OK, "text/acl", reply.to_string())
        }
        Err(bad) => refusal(StatusCode::BAD_REQUEST, &bad.to_string()),
    }
}

/// The message of a request, or the reply to a request without one.
async fn read(visit: &Visit, request: Request<Incoming>) -> Result<String, Box<Reply>> {
    match *request.method() {
        Method::POST => read_body(visit, request.into_body())
            .await
            .map_err(Box::new),
        Method::GET => {
            let path = request
                .uri()
                .path_and_query()
                .map_or("/", |path| path.as_str());
            match path.trim_start_matches('/') {
                "" => Err(Box::new(reply_with(
                    StatusCode::OK,
                    "text/plain",
                    WELCOME.to_owned(),
                ))),
                message => Ok(decoded(message)),
            }
        }
        Method::OPTIONS => Err(Box::new(reply_with(
            StatusCode::OK,
            "text/acl",
            String::new(),
        ))),
        _ => Err(Box::new(refusal(
            StatusCode::METHOD_NOT_ALLOWED,
            "a message comes by POST or GET",
        ))),
    }
}

async fn read_body(visit: &Visit, body: Incoming) -> Result<String, Reply> {
    let length = told_length(&body).unwrap_or(SMALL_BYTES);
    let _place = if (SMALL_BYTES + 1..=LARGE_BYTES).contains(&length) {
        let place = visit.door.large.try_acquire();
        let busy = |_| refusal(StatusCode::SERVICE_UNAVAILABLE, "too many long messages");
        Some(place.map_err(busy)?)
    } else {
        None
    };
    let limit = length.clamp(SMALL_BYTES, LARGE_BYTES) as usize;
    let whole = http::read_body(body, limit, (visit.arrived + PATIENCE).into()).await;
    let whole = whole.map_err(|bad| {
        let status = match bad {
            BadBody::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            BadBody::CutOff => StatusCode::BAD_REQUEST,
            BadBody::Late => StatusCode::REQUEST_TIMEOUT,
        };
        refusal(status, &bad.to_string())
    })?;
    Ok(String::from_utf8_lossy(&whole).into_owned())
}

/// Reads a message; a long one beside others, which do not wait for it.
async fn understand(text: String) -> Result<Message, BadMessage> {
    if text.len() <= AT_ONCE_BYTES {
        return text.parse();
    }
    let reading = tokio::task::spawn_blocking(move || text.parse());
    reading.await.unwrap_or(Err(BadMessage::NotAList))
}

fn refusal(status: StatusCode, why: &str) -> Reply {
    reply_with(status, "text/plain", format!("{why}\n"))
}

fn reply_with(status: StatusCode, kind: &'static str, text: String) -> Reply {
    let mut reply = Response::new(Full::new(Bytes::from(text)));
    *reply.status_mut() = status;
    let headers = reply.headers_mut();
    let fixed = |value: &'static str| hyper::header::HeaderValue::from_static(value);
    headers.insert(CONTENT_TYPE, fixed(kind));
    headers.insert(CONNECTION, fixed("close"));
    for (name, value) in CROSS_ORIGIN {
        headers.insert(HeaderName::from_static(name), fixed(value));
    }
    reply
}
