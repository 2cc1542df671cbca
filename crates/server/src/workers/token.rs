//! The secret that masters and workers share, and how they prove that they know it.
//!
//! Each side sends an unpredictable number and answers with an HMAC over both numbers, so that a
//! replayed answer is worthless. The secret itself is never sent. An answer says which side it is
//! from, so that it cannot be reflected.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// A number that is used once.
pub(super) type Nonce = [u8; 32];

/// The lengths that a secret may have, in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 16..=1024;

/// A secret that masters and workers share.
#[derive(Clone)]
pub struct Token {
    secret: Vec<u8>,
}

/// Why something is no token.
#[derive(Debug, thiserror::Error)]
pub enum BadToken {
    /// The file cannot be read.
    #[error("the token file cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// Too short to be a secret, or absurdly long.
    #[error(
        "a token has {} to {} bytes; `openssl rand -hex 32` makes a good one",
        LENGTHS.start(),
        LENGTHS.end()
    )]
    Length,
}

impl Token {
    /// A token; white space around it does not count.
    ///
    /// # Errors
    /// If it is too short or too long.
    pub fn new(text: &[u8]) -> Result<Self, BadToken> {
        let secret = text.trim_ascii().to_vec();
        if LENGTHS.contains(&secret.len()) {
            Ok(Self { secret })
        } else {
            Err(BadToken::Length)
        }
    }

    /// Reads a token from a file.
    ///
    /// # Errors
    /// If there is no such file, or no token in it.
    pub fn read(path: &Path) -> Result<Self, BadToken> {
        let mut text = Vec::new();
        let limit = 2 * *LENGTHS.end() as u64;
        File::open(path)?.take(limit).read_to_end(&mut text)?;
        Self::new(&text)
    }

    /// What a side answers to prove that it knows the secret.
    pub(super) fn proof(&self, side: Side, nonces: &Nonces) -> [u8; 32] {
        self.code(side, nonces).finalize().into_bytes().into()
    }

    /// Whether this is what the side should have answered; takes the same time for every wrong
    /// answer.
    pub(super) fn verifies(&self, side: Side, nonces: &Nonces, proof: &[u8]) -> bool {
        self.code(side, nonces).verify_slice(proof).is_ok()
    }

    fn code(&self, side: Side, nonces: &Nonces) -> Hmac<Sha256> {
        let mut code = <Hmac<Sha256> as KeyInit>::new_from_slice(&self.secret)
            .expect("HMAC takes keys of any length");
        code.update(match side {
            Side::Master => b"paidia worker 1, master",
            Side::Worker => b"paidia worker 1, worker",
        });
        code.update(&nonces.worker);
        code.update(&nonces.master);
        code
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token")
    }
}

/// The side that proves that it knows the secret.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Master,
    Worker,
}

/// The numbers of one conversation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nonces {
    pub(super) worker: Nonce,
    pub(super) master: Nonce,
}

/// An unpredictable number.
pub(super) fn nonce() -> io::Result<Nonce> {
    let mut nonce = [0; 32];
    getrandom::fill(&mut nonce).map_err(io::Error::other)?;
    Ok(nonce)
}
