//! A game that a GPU is to play, and the processor where none does.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock, PoisonError};

use paidia_game::{Effort, Figures};
use paidia_reason::propnet::Network;

use super::play::most_moves;
use super::{Gpu, GpuError, GpuThreads, Shape};

/// Step limits below this number share their code; larger ones have code of their own.
const USUAL_LIMIT: u32 = (1 << 14) - 1;

/// A game that a GPU is to play.
#[derive(Debug)]
pub(crate) struct OnGpu {
    /// Where machine code is kept.
    cache: Option<PathBuf>,
    /// For usual step limits, and for larger ones.
    code: [OnceLock<Result<GpuThreads, GpuError>>; 2],
    /// What went wrong last.
    trouble: Mutex<Option<GpuError>>,
}

impl OnGpu {
    pub(crate) fn new(cache: Option<PathBuf>) -> Self {
        Self {
            cache,
            code: Default::default(),
            trouble: Mutex::new(None),
        }
    }

    /// Makes the code that is usually needed; whether the GPU can play.
    pub(crate) fn prepare(&self, network: &Network) -> bool {
        self.threads(network, USUAL_LIMIT).is_some()
    }

    /// Why no GPU plays, or did not go on.
    pub(crate) fn trouble(&self) -> Option<GpuError> {
        let trouble = self.trouble.lock();
        trouble.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether a GPU plays, and if not, why.
    pub(crate) fn in_words(&self) -> String {
        let code = self.code[0].get().and_then(|made| made.as_ref().ok());
        match (self.trouble(), Gpu::find()) {
            (Some(error), _) | (None, Err(error)) => format!("off, because {error}"),
            (None, Ok(gpu)) => {
                let layout = code.map_or(String::new(), |code| format!(", {}", code.in_words()));
                format!("on {}{layout}", gpu.in_words())
            }
        }
    }

    /// Plays from a state; nothing if the GPU does not, which is noted.
    pub(crate) fn simulate(
        &self,
        network: &Network,
        start: &[u64],
        effort: Effort,
        watch: &mut dyn FnMut(u64),
        interrupt: &AtomicBool,
    ) -> Option<Figures> {
        if effort.step_limit > most_moves(effort.step_limit) {
            let because = format!("playouts have {} moves at most", most_moves(u32::MAX));
            self.note(GpuError::None(because));
            return None;
        }
        let threads = self.threads(network, effort.step_limit)?;
        let played = threads.simulate(start, effort, watch, interrupt);
        played.map_err(|error| self.note(error)).ok()
    }

    fn threads(&self, network: &Network, limit: u32) -> Option<&GpuThreads> {
        let place = usize::from(limit > USUAL_LIMIT);
        let limit = [USUAL_LIMIT, u32::MAX][place];
        let made = self.code[place].get_or_init(|| {
            let gpu = Gpu::find()?;
            GpuThreads::new(
                &gpu,
                network,
                limit,
                Shape::default(),
                self.cache.as_deref(),
            )
        });
        made.as_ref().map_err(|error| self.note(error.clone())).ok()
    }

    fn note(&self, error: GpuError) {
        let trouble = self.trouble.lock();
        *trouble.unwrap_or_else(PoisonError::into_inner) = Some(error);
    }
}
