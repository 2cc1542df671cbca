//! Playouts on a GPU: the network of a game as code for threads, each of which plays 32 lanes from
//! beginning to end.
//!
//! [`lower`] makes the [`form`] of a program: everything a thread does. [`ptx`] writes it in the
//! assembly language that the GPU's driver translates; [`soft`] runs it in plain code, and so shows
//! on any machine what a GPU does, for both play the same playouts by a seed. [`play`] keeps the
//! threads busy. `docs/methods/gpu.md` tells more.

#[cfg(feature = "gpu")]
mod device;
#[cfg(not(feature = "gpu"))]
#[path = "gpu/device_off.rs"]
mod device;
mod form;
mod liveness;
mod lower;
mod on_gpu;
mod philox;
mod play;
mod ptx;
mod soft;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use paidia_game::{Effort, Figures};
use paidia_reason::propnet::Network;

use device::{DeviceCode, DeviceThreads};
use form::Form;
use play::Soft;

pub(crate) use on_gpu::OnGpu;

pub use device::{Gpu, Loading};
pub use form::Shape;

/// Why a GPU does not play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// There is no GPU that could.
    #[error("no GPU plays here: {0}")]
    None(String),
    /// The GPU's memory does not hold what is needed.
    #[error("the GPU's memory is too small for {0}; other programs may use it, too")]
    Memory(String),
    /// The driver refused.
    #[error("the GPU's driver {0}")]
    Driver(String),
}

/// Which GPU plays, or why none does; nothing where the program was built without GPUs.
pub fn gpu_in_words() -> Option<String> {
    let found = Gpu::find().map_or_else(|error| error.to_string(), |gpu| gpu.in_words());
    cfg!(feature = "gpu").then_some(found)
}

/// A game as code for threads, run in plain code.
#[derive(Clone, Debug)]
pub struct SoftThreads {
    form: Arc<Form>,
}

impl SoftThreads {
    /// For playouts that are cut after that many moves.
    pub fn new(network: &Network, step_limit: u32, shape: Shape) -> Self {
        Self {
            form: Arc::new(play::form(network, step_limit, shape)),
        }
    }

    /// The code for a GPU.
    pub fn ptx(&self) -> String {
        ptx::ptx(&self.form)
    }

    /// How many instructions there are, how many words of memory a thread has, and how many words
    /// are held at once.
    pub fn size(&self) -> (usize, u32, u32) {
        (self.form.size(), self.form.memory, self.form.slots)
    }

    /// Plays from a state and adds up what came out; of the effort, the threads are not looked at.
    pub fn simulate(&self, start: &[u64], effort: Effort) -> Figures {
        let mut soft = Soft::new(Arc::clone(&self.form));
        let never = AtomicBool::new(false);
        let figures = play::simulate(&self.form, &mut soft, start, effort, &mut |_| {}, &never);
        figures.unwrap_or_default()
    }
}

/// A game as code for threads on a GPU.
#[derive(Clone, Debug)]
pub struct GpuThreads {
    code: Arc<DeviceCode>,
}

impl GpuThreads {
    /// For playouts that are cut after that many moves; machine code is kept in a folder.
    ///
    /// # Errors
    /// Why this GPU does not play it.
    pub fn new(
        gpu: &Gpu,
        network: &Network,
        step_limit: u32,
        shape: Shape,
        cache: Option<&Path>,
    ) -> Result<Self, GpuError> {
        let form = Arc::new(play::form(network, step_limit, shape));
        Ok(Self {
            code: Arc::new(DeviceCode::new(gpu, form, cache)?),
        })
    }

    /// How the game is laid out on threads, in words.
    pub fn in_words(&self) -> String {
        let form = self.code.form();
        let (words, functions) = (form.slots, form.functions.len());
        match functions {
            0 => format!("{words} words a thread, in registers"),
            _ => format!(
                "{words} words a thread, too many for registers, so {functions} functions and memory"
            ),
        }
    }

    /// What it cost to load.
    pub fn loading(&self) -> Loading {
        self.code.loading()
    }

    /// Plays from a state and adds up what came out, until the flag is set. Of the effort, the
    /// threads are not looked at; the step limit is at most that of the code.
    ///
    /// # Errors
    /// Why the GPU did not go on.
    pub fn simulate(
        &self,
        start: &[u64],
        effort: Effort,
        watch: &mut dyn FnMut(u64),
        interrupt: &AtomicBool,
    ) -> Result<Figures, GpuError> {
        let mut threads = DeviceThreads::new(Arc::clone(&self.code));
        let form = Arc::clone(self.code.form());
        play::simulate(&form, &mut threads, start, effort, watch, interrupt)
    }
}
