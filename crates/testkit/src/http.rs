//! A small HTTP client on plain sockets: it sends exactly what a test writes, and hides nothing of
//! the answer.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

use crate::process::PATIENCE;

/// What came back over a connection.
#[derive(Debug)]
pub struct Response {
    /// The status, such as 200.
    pub status: u16,
    /// The lines before the body.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// If it is not JSON.
    #[must_use]
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A connection that does not wait for ever.
///
/// # Panics
/// If the address does not accept connections.
#[must_use]
#[track_caller]
pub fn connect(address: SocketAddr) -> TcpStream {
    // A server that listens everywhere is asked on this machine.
    let address = SocketAddr::from(([127, 0, 0, 1], address.port()));
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Sends bytes and reads all that comes back until the other side closes.
///
/// # Panics
/// If what comes back is not an answer.
#[track_caller]
pub fn exchange(address: SocketAddr, request: &[u8]) -> Response {
    let mut stream = connect(address);
    // A server that refuses a long request need not read all of it.
    let _ = stream.write_all(request);
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response);
    let end = response.windows(4).position(|window| window == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&response)));
    let head = String::from_utf8_lossy(&response[..end]).into_owned();
    Response {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        body: response[end + 4..].to_vec(),
        head,
    }
}

/// Sends a request with a body, whose length is added to the lines of `head`, and closes the
/// connection.
#[track_caller]
pub fn request(address: SocketAddr, head: &[&str], body: &str) -> Response {
    let head = head.join("\r\n");
    let length = body.len();
    let request = format!("{head}\r\nContent-Length: {length}\r\n\r\n{body}");
    exchange(address, request.as_bytes())
}

/// Sends a message of the GGP protocol as Java hosts do.
#[track_caller]
pub fn ggp(address: SocketAddr, message: &str) -> Response {
    let head = [
        "POST / HTTP/1.0",
        "Accept: text/delim",
        "Sender: GAMESERVER",
        "Receiver: me",
        "Content-Type: text/acl",
    ];
    request(address, &head, message)
}
