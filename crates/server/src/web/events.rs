//! Server-sent events: a stream of what happens, the same bytes for every listener.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::Bytes;
use serde::Serialize;
use tokio::sync::broadcast::{Receiver, Sender, channel, error::RecvError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

use super::refusal::Refusal;

/// Events that are kept for a slow listener. One that is slower still is dropped; it reconnects and
/// gets a new snapshot.
const BACKLOG: usize = 128;
/// How often something is sent, so that both sides notice if the other is gone.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// What ends the streams of those who listen.
pub(super) const HANG_UP: Bytes = Bytes::new();

/// An event as it is sent.
pub(super) fn event(name: &str, data: &impl Serialize) -> Bytes {
    let json = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    event_of(name, &json)
}

/// An event with data that is JSON already.
pub(super) fn event_of(name: &str, json: &str) -> Bytes {
    format!("event: {name}\ndata: {json}\n\n").into()
}

/// Where events come from.
pub(super) struct Channel {
    sender: Sender<Bytes>,
    listeners: Arc<AtomicUsize>,
}

impl Channel {
    pub(super) fn new() -> Self {
        Self {
            sender: channel(BACKLOG).0,
            listeners: Arc::default(),
        }
    }

    /// Sends an event to all listeners.
    pub(super) fn tell(&self, event: Bytes) {
        // There may be no listeners.
        let _ = self.sender.send(event);
    }

    /// How many listen.
    pub(super) fn listeners(&self) -> usize {
        self.listeners.load(Ordering::Relaxed)
    }

    /// A listener that gets `first`, and then every event from now on.
    pub(super) fn listen(
        &self,
        first: Bytes,
        places: &Arc<Semaphore>,
    ) -> Result<Listener, Refusal> {
        let Ok(place) = Arc::clone(places).try_acquire_owned() else {
            return Err(Refusal::busy(
                "there are too many listeners; close some pages",
            ));
        };
        self.listeners.fetch_add(1, Ordering::Relaxed);
        Ok(Listener {
            first: Some(first),
            next: next(self.sender.subscribe()),
            heartbeat: Box::pin(sleep(HEARTBEAT)),
            listeners: Arc::clone(&self.listeners),
            _place: place,
        })
    }
}

/// The next event, and those after it.
type Next = Pin<Box<dyn Future<Output = (Result<Bytes, RecvError>, Receiver<Bytes>)> + Send>>;

fn next(mut receiver: Receiver<Bytes>) -> Next {
    Box::pin(async move {
        let event = receiver.recv().await;
        (event, receiver)
    })
}

/// A listener, until it is dropped.
pub(super) struct Listener {
    first: Option<Bytes>,
    next: Next,
    heartbeat: Pin<Box<Sleep>>,
    listeners: Arc<AtomicUsize>,
    _place: OwnedSemaphorePermit,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.listeners.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Listener {
    /// What is to be sent next; nothing if it is over, or if this listener is too slow.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(first));
        }
        if let Poll::Ready((event, receiver)) = self.next.as_mut().poll(context) {
            self.next = next(receiver);
            return Poll::Ready(event.ok().filter(|event| *event != HANG_UP));
        }
        if self.heartbeat.as_mut().poll(context).is_ready() {
            self.heartbeat = Box::pin(sleep(HEARTBEAT));
            return Poll::Ready(Some(Bytes::from_static(b": still here\n\n")));
        }
        Poll::Pending
    }
}
