//! What runs programs, and which of these a machine has.

use super::native::Vector;
use super::wide;
use crate::compile::Order;
use crate::native::why_off;

/// How many operations are moved around to bring equal kinds together.
const WINDOW: usize = 256;

/// What runs programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Plain code, on any processor.
    Portable,
    /// Plain code compiled for processors with AVX2.
    Avx2,
    /// Machine code made when the program is loaded, for processors with AVX2.
    Native,
    /// The same for processors with AVX-512: two blocks at a time, and gates of three inputs.
    Avx512,
}

/// Why `PAIDIA_BACKEND` cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// There is none of this name.
    #[error("PAIDIA_BACKEND is `{0}`; it can be {names}", names = Backend::names())]
    Unknown(String),
    /// This machine does not have it.
    #[error("PAIDIA_BACKEND is `{name}`, which is off, because {because}", name = .0.name(), because = .1)]
    Off(Backend, String),
}

impl Backend {
    /// All there are, slowest first.
    pub const ALL: [Backend; 4] = [
        Backend::Portable,
        Backend::Avx2,
        Backend::Native,
        Backend::Avx512,
    ];

    /// The one that the environment variable `PAIDIA_BACKEND` names, else the fastest on this
    /// machine.
    ///
    /// # Errors
    /// The variable names none, or one that this machine does not have.
    pub fn chosen() -> Result<Self, BackendError> {
        let Some(wanted) = std::env::var_os("PAIDIA_BACKEND") else {
            return Ok(Self::fastest());
        };
        let wanted = wanted.to_string_lossy();
        let named = Self::ALL
            .into_iter()
            .find(|backend| backend.name() == wanted);
        let backend = named.ok_or_else(|| BackendError::Unknown(wanted.into_owned()))?;
        match backend.why_off() {
            None => Ok(backend),
            Some(because) => Err(BackendError::Off(backend, because)),
        }
    }

    /// The fastest on this machine.
    pub fn fastest() -> Self {
        let mut available = Self::ALL.into_iter().rev();
        let found = available.find(|backend| backend.is_available());
        found.unwrap_or(Backend::Portable)
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        self.why_off().is_none()
    }

    /// Why this machine does not have it; `None` if it does.
    pub fn why_off(self) -> Option<String> {
        let without_avx2 = || (!wide::is_available()).then(|| "there is no AVX2".to_owned());
        match self {
            Backend::Portable => None,
            Backend::Avx2 => without_avx2(),
            Backend::Native => why_off().or_else(without_avx2),
            Backend::Avx512 => why_off().or_else(|| {
                let is_there = Vector::Full.is_available();
                (!is_there).then(|| "there is no AVX-512 (F and VL)".to_owned())
            }),
        }
    }

    /// Whether it runs machine code made for the program.
    pub fn is_native(self) -> bool {
        matches!(self, Backend::Native | Backend::Avx512)
    }

    /// The word for people and for `PAIDIA_BACKEND`.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Portable => "portable",
            Backend::Avx2 => "avx2",
            Backend::Native => "native",
            Backend::Avx512 => "avx512",
        }
    }

    /// How programs are compiled that it runs fastest.
    pub fn order(self) -> Order {
        match self {
            Backend::Portable | Backend::Avx2 => Order::Runs(WINDOW),
            Backend::Native => Order::Depth,
            Backend::Avx512 => Order::Triples,
        }
    }

    /// How many blocks are run at once, of that many.
    pub(crate) fn width(self, blocks: usize) -> usize {
        match (self, blocks) {
            (Backend::Native, _) | (_, 0 | 1) => 1,
            (Backend::Avx512, _) | (_, 2) => 2,
            (Backend::Portable | Backend::Avx2, _) => 4,
        }
    }

    /// The machine code for that many blocks at once; `None` if it is an interpreter.
    pub(super) fn vector(self, width: usize) -> Option<Vector> {
        match (self, width) {
            (Backend::Portable | Backend::Avx2, _) => None,
            (Backend::Native, _) => Some(Vector::Avx2),
            (Backend::Avx512, 1) => Some(Vector::Half),
            (Backend::Avx512, _) => Some(Vector::Full),
        }
    }

    /// All names, for messages.
    fn names() -> String {
        let names = Self::ALL.map(|backend| format!("`{}`", backend.name()));
        names.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::{Backend, BackendError};

    #[test]
    fn errors_name_what_could_be_said() {
        let unknown = BackendError::Unknown("avx9".to_owned()).to_string();
        assert!(unknown.contains("`avx9`"), "{unknown}");
        for backend in Backend::ALL {
            assert!(
                unknown.contains(&format!("`{}`", backend.name())),
                "{unknown}"
            );
        }
        let off = BackendError::Off(Backend::Native, "of the moon".to_owned());
        let expected = "PAIDIA_BACKEND is `native`, which is off, because of the moon";
        assert_eq!(off.to_string(), expected);
    }

    #[test]
    fn the_fastest_is_available() {
        assert!(Backend::fastest().is_available());
        assert!(Backend::Portable.is_available());
        let is_on = crate::why_off().is_none();
        assert!(is_on || !Backend::Native.is_available());
    }
}
