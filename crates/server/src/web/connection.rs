//! HTTP with browsers: connections, requests, replies.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, IF_NONE_MATCH,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep};

use super::Site;
use super::api::{self, Answer};
use super::events::Listener;
use super::page;
use super::patience::Patient;
use super::person::Person;
use super::refusal::Refusal;
use crate::http::{BadBody, HEADER_BYTES, LAST_WORDS, PATIENCE, admit_until, decoded, read_body};

/// What every reply says: nothing of it is of use to other sites, and the page takes nothing from
/// them.
const HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// What a reply carries.
pub(super) enum Content {
    /// All of it at once.
    Whole(Option<Bytes>),
    /// Events, as they happen.
    Events(Box<Listener>),
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Content::Whole(Some(bytes.into()))
    }
}

impl Body for Content {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            Content::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Content::Events(listener) => {
                let next = listener.poll(context);
                next.map(|event| event.map(|event| Ok(Frame::data(event))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Content::Whole(None))
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        match self {
            Content::Whole(bytes) => {
                hyper::body::SizeHint::with_exact(bytes.as_ref().map_or(0, Bytes::len) as u64)
            }
            Content::Events(_) => hyper::body::SizeHint::default(),
        }
    }
}

type Reply = Response<Content>;

/// Serves until it is told to stop; then puts all tables away.
pub(super) async fn serve(listener: &TcpListener, site: &Arc<Site>, stop: &AtomicBool) {
    let places = Arc::new(Semaphore::new(site.options.limits.connections));
    let admit = |stream| {
        // A connection beyond the limit is closed without a reply.
        if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
            tokio::spawn(converse(Arc::clone(site), stream, place));
        }
    };
    let idle = Duration::from_secs(site.options.limits.idle_seconds);
    let look_around = || {
        let site = Arc::clone(site);
        // Matches may have to be written down.
        drop(tokio::task::spawn_blocking(move || {
            site.tables.look_around(&site, idle);
        }));
    };
    admit_until(stop, listener, admit, look_around).await;
    let closing = Arc::clone(site);
    let close = move || {
        closing.tournaments.close();
        closing.tables.close();
        closing.lives.close();
    };
    // A panic ends the task as well.
    let _ = tokio::task::spawn_blocking(close).await;
    sleep(LAST_WORDS).await;
}

/// Answers the requests of one connection.
async fn converse(site: Arc<Site>, stream: TcpStream, _place: OwnedSemaphorePermit) {
    let _ = stream.set_nodelay(true);
    let service = |request| {
        let site = Arc::clone(&site);
        async move { Ok::<_, Infallible>(reply_to(&site, request).await) }
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(HEADER_BYTES)
        .serve_connection(
            TokioIo::new(Patient::new(stream, PATIENCE)),
            service_fn(service),
        );
    // After an error there is no client left to be told.
    let _ = connection.await;
}

async fn reply_to(site: &Arc<Site>, request: Request<Incoming>) -> Reply {
    let path = request.uri().path().to_owned();
    let api_path = path.strip_prefix("/api/").map(str::to_owned);
    let checked = site
        .guard
        .check(request.method(), request.headers(), api_path.is_some());
    let answered = match (checked, api_path) {
        (Err(refusal), _) => Err(refusal),
        (Ok(()), None) => answer_page(site, &request),
        (Ok(()), Some(path)) => answer_api(site, &path, request).await,
    };
    let mut reply = answered.unwrap_or_else(|refusal| {
        let mut reply = Response::new(Content::from(refusal.json()));
        *reply.status_mut() = refusal.status;
        reply
    });
    let headers = reply.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    if !headers.contains_key(CONTENT_TYPE) {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    reply
}

/// A file of the page.
fn answer_page(site: &Site, request: &Request<Incoming>) -> Result<Reply, Refusal> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let status = StatusCode::METHOD_NOT_ALLOWED;
        return Err(Refusal::new(
            status,
            "the page is there to be read: use GET",
        ));
    }
    let path = request.uri().path();
    let sent = page::find(site.options.page.as_deref(), path);
    let sent = sent.ok_or_else(|| Refusal::missing("there is no such file of the page"))?;
    let known = request.headers().get(IF_NONE_MATCH);
    let is_known =
        known.is_some() && known.map(HeaderValue::as_bytes) == sent.tag.map(str::as_bytes);
    let mut reply = Response::new(Content::Whole(match is_known {
        true => None,
        false => Some(match sent.bytes {
            std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            std::borrow::Cow::Owned(bytes) => bytes.into(),
        }),
    }));
    if is_known {
        *reply.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = reply.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(sent.kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Some(tag) = sent.tag {
        headers.insert(ETAG, HeaderValue::from_static(tag));
    }
    Ok(reply)
}

/// The answer to a question.
async fn answer_api(
    site: &Arc<Site>,
    path: &str,
    request: Request<Incoming>,
) -> Result<Reply, Refusal> {
    let parts: Vec<String> = path.split('/').map(decoded).collect();
    let method = request.method().clone();
    let Some(found) = api::find(&method, &parts) else {
        return not_found(&method, &parts);
    };
    let query = request.uri().query().unwrap_or("").to_owned();
    let person = Person::of(request.headers(), &query)?;
    let body = match method == Method::POST {
        true => read_json(site, request).await?,
        false => Bytes::new(),
    };
    let asked = api::Question {
        arguments: found.arguments,
        query,
        person,
        body,
    };
    Ok(match api::answer(site, found.route, asked).await? {
        Answer::Json(bytes) => Response::new(Content::Whole(Some(bytes))),
        Answer::Events(listener) => {
            let mut reply = Response::new(Content::Events(listener));
            let kind = HeaderValue::from_static("text/event-stream");
            reply.headers_mut().insert(CONTENT_TYPE, kind);
            reply
        }
    })
}

/// The body of a request, which must say that it is JSON.
async fn read_json(site: &Site, request: Request<Incoming>) -> Result<Bytes, Refusal> {
    let kind = request.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or("").trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(Refusal::new(
            status,
            "send JSON, and say so with Content-Type: application/json",
        ));
    }
    let limit = site.options.limits.body_bytes;
    let whole = read_body(request.into_body(), limit, Instant::now() + PATIENCE).await;
    whole.map_err(|bad| match bad {
        BadBody::TooLong => Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("a question may have {limit} bytes"),
        ),
        BadBody::CutOff => Refusal::bad(bad.to_string()),
        BadBody::Late => Refusal::new(StatusCode::REQUEST_TIMEOUT, bad.to_string()),
    })
}

fn not_found(method: &Method, parts: &[String]) -> Result<Reply, Refusal> {
    let others = [Method::GET, Method::POST];
    let Some(other) = others
        .iter()
        .find(|&other| api::find(other, parts).is_some())
    else {
        return Err(Refusal::missing(
            "there is no such question; docs/web.md lists those there are",
        ));
    };
    let status = StatusCode::METHOD_NOT_ALLOWED;
    let refusal = Refusal::new(
        status,
        format!("this is asked with {other}, not with {method}"),
    );
    let mut reply = Response::new(Content::from(refusal.json()));
    *reply.status_mut() = status;
    let allowed = if *other == Method::GET { "GET" } else { "POST" };
    reply
        .headers_mut()
        .insert(ALLOW, HeaderValue::from_static(allowed));
    Ok(reply)
}
