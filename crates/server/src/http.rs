//! HTTP as hosts and browsers have it in common: limits, connections that are admitted until the
//! program stops, bodies with a limit on their length and time, and texts in paths.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout, timeout_at};

/// How long a request may take to arrive, the other side to take what it is sent, and how long a
/// connection may be without a request.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// The longest request line and headers; what comes in one piece with the last of it may be as long
/// again. A message in a path can have 64 KB.
pub(crate) const HEADER_BYTES: usize = 128 << 10;
/// How long replies may take to leave when the program stops.
pub(crate) const LAST_WORDS: Duration = Duration::from_millis(500);
/// How often it is looked whether to stop.
const TICK: Duration = Duration::from_millis(50);
/// How often it is looked after what goes on.
const ROUND: Duration = Duration::from_secs(1);

/// Admits connections until it is told to stop, and meanwhile looks after what goes on.
pub(crate) async fn admit_until(
    stop: &AtomicBool,
    listener: &TcpListener,
    admit: impl Fn(TcpStream),
    look_around: impl Fn(),
) {
    let mut looked = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        match timeout(TICK, listener.accept()).await {
            Ok(Ok((stream, _))) => admit(stream),
            // Perhaps there are too many files.
            Ok(Err(_)) => sleep(TICK).await,
            Err(_) => {}
        }
        if looked.elapsed() >= ROUND {
            looked = Instant::now();
            look_around();
        }
    }
}

/// Why a body could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadBody {
    /// It is longer than it may be.
    #[error("this message is too long")]
    TooLong,
    /// The connection ended before it did.
    #[error("the message was cut off")]
    CutOff,
    /// It did not arrive in time.
    #[error("the message took too long")]
    Late,
}

/// The length of a body, if the sender told it.
pub(crate) fn told_length(body: &Incoming) -> Option<u64> {
    body.size_hint().exact()
}

/// A whole body of at most `limit` bytes, if it arrives in time.
pub(crate) async fn read_body(
    body: Incoming,
    limit: usize,
    until: Instant,
) -> Result<Bytes, BadBody> {
    if told_length(&body).is_some_and(|length| length > limit as u64) {
        return Err(BadBody::TooLong);
    }
    match timeout_at(until, Limited::new(body, limit).collect()).await {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(BadBody::TooLong),
        Ok(Err(_)) => Err(BadBody::CutOff),
        Err(_) => Err(BadBody::Late),
    }
}

/// A text in a path: `+` is a blank, and `%28` the character with that number.
pub(crate) fn decoded(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let escaped = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let escaped = escaped.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let escaped = escaped.and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        at += if escaped.is_some() { 3 } else { 1 };
        found.push(escaped.unwrap_or(match bytes[at - 1] {
            b'+' => b' ',
            byte => byte,
        }));
    }
    String::from_utf8_lossy(&found).into_owned()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn texts_in_paths_are_decoded() {
        for (path, message) in [
            ("%28+INFO+%29", "( INFO )"),
            ("(INFO)", "(INFO)"),
            (
                "%28PLAY%20m%20%28%28mark+1+1%29+noop%29%29",
                "(PLAY m ((mark 1 1) noop))",
            ),
            ("%", "%"),
            ("%2", "%2"),
            ("%zz%+1", "%zz% 1"),
            ("%C3%A9%FF", "é\u{fffd}"),
        ] {
            assert_eq!(decoded(path), message);
        }
    }
}
