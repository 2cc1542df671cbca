//! Many playouts of one game: its program, and the machine code for it, made once and shared by all
//! threads.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use paidia_game::{Effort, Figures, Information, UnknownFluent, simulate_batch};
use paidia_reason::propnet::{GroundGame, Propnet};

use crate::batch::{Batch, BatchOptions};
use crate::compile::{compile, compile_decisive};
use crate::decisive::{self, Decisive, Seen};
use crate::gpu::{GpuError, OnGpu};
use crate::kernel::{Backend, Device};
use crate::lanes::Lanes;
use crate::program::Program;
use crate::stepping::{NoStart, Stepping};
use crate::word::LANES;

/// Many playouts of one game. Clones share everything; the network is compiled when it is needed
/// first.
///
/// States are sets of fluents: fluent number n is bit `n % 64` of word `n / 64`; words that are
/// missing are zero.
#[derive(Clone, Debug)]
pub struct Batches {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    ground: GroundGame,
    backend: Backend,
    program: OnceLock<Arc<Program>>,
    /// For one block at a time, and for as many as the backend runs at once.
    devices: [OnceLock<Arc<Device>>; 2],
    /// The same for play that looks a move ahead, where that is not too much, for both kinds.
    decisive: [OnceLock<Option<Arc<Program>>>; 2],
    decisive_devices: [[OnceLock<Arc<Device>>; 2]; 2],
    /// Where a GPU is to play.
    gpu: Option<OnGpu>,
}

impl Batches {
    /// Playouts of a game whose rules have become a network, by the backend that
    /// [`Backend::chosen`] says.
    pub fn new(ground: GroundGame) -> Self {
        let backend = Backend::chosen().unwrap_or_else(|_| Backend::fastest());
        Self::with_backend(ground, backend)
    }

    /// The same by a given backend.
    pub fn with_backend(ground: GroundGame, backend: Backend) -> Self {
        Self::of(ground, backend, None)
    }

    /// Playouts by a GPU, or by the processor where none plays, as [`Self::gpu_trouble`] tells.
    /// Machine code for the GPU is kept in a folder.
    pub fn on_gpu(ground: GroundGame, cache: Option<PathBuf>) -> Self {
        let backend = Backend::chosen().unwrap_or_else(|_| Backend::fastest());
        Self::of(ground, backend, Some(OnGpu::new(cache)))
    }

    fn of(ground: GroundGame, backend: Backend, gpu: Option<OnGpu>) -> Self {
        let shared = Shared {
            gpu,
            ground,
            backend,
            program: OnceLock::new(),
            devices: Default::default(),
            decisive: Default::default(),
            decisive_devices: Default::default(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Compiles now what is needed to [`simulate`](Self::simulate).
    pub fn prepare(&self) {
        if let Some(gpu) = &self.shared.gpu
            && gpu.prepare(&self.ground().network)
        {
            return;
        }
        self.device(self.shared.backend.width(BLOCKS));
    }

    /// Whether a GPU is to play.
    pub fn is_for_gpu(&self) -> bool {
        self.shared.gpu.is_some()
    }

    /// Why the processor plays, or played in the end, where a GPU was to.
    pub fn gpu_trouble(&self) -> Option<GpuError> {
        self.shared.gpu.as_ref()?.trouble()
    }

    /// Whether the program of this game runs as machine code, and if not, why: `on`, or `off,
    /// because ...`. The program is compiled for it, as [`prepare`](Self::prepare) does.
    pub fn native_in_words(&self) -> String {
        if let Some(gpu) = &self.shared.gpu {
            return gpu.in_words();
        }
        let backend = self.shared.backend;
        let because = match backend.is_native() {
            true => {
                let device = self.device(backend.width(BLOCKS));
                device.refusal().map(ToOwned::to_owned)
            }
            false => Backend::Native
                .why_off()
                .or_else(|| Some(format!("the backend is `{}`", backend.name()))),
        };
        because.map_or_else(
            || "on".to_owned(),
            |because| format!("off, because {because}"),
        )
    }

    /// The network, with the names of everything in it.
    pub fn ground(&self) -> &GroundGame {
        &self.shared.ground
    }

    /// The same game, one state at a time.
    pub fn propnet(&self) -> Propnet {
        Propnet::new(self.shared.ground.clone())
    }

    /// The state in which the game starts.
    pub fn initial(&self) -> Vec<u64> {
        let initial = self.ground().network.initial.iter().enumerate();
        self.bits(initial.filter(|(_, holds)| **holds).map(|(place, _)| place))
    }

    /// The state in which exactly these fluents hold.
    ///
    /// # Errors
    /// Names the first text that is no fluent of this game.
    pub fn state(&self, fluents: &[String]) -> Result<Vec<u64>, UnknownFluent> {
        let place = |text: &String| {
            let place = self.ground().fluents.binary_search(text);
            place.map_err(|_| UnknownFluent {
                text: text.clone(),
                because: "no play of these rules makes it true".to_owned(),
            })
        };
        let places: Vec<usize> = fluents.iter().map(place).collect::<Result<_, _>>()?;
        Ok(self.bits(places.into_iter()))
    }

    fn bits(&self, places: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut words = vec![0; self.ground().fluents.len().div_ceil(64)];
        places.for_each(|place| words[place / 64] |= 1 << (place % 64));
        words
    }

    /// The fluents that hold in a state.
    pub fn fluents(&self, state: &[u64]) -> Vec<String> {
        let holds = |place: &usize| {
            let word = state.get(place / 64);
            word.is_some_and(|word| word >> (place % 64) & 1 == 1)
        };
        let fluents = &self.ground().fluents;
        let places = (0..fluents.len()).filter(holds);
        places.map(|place| fluents[place].clone()).collect()
    }

    /// Lanes to put states into.
    pub fn lanes(&self) -> Lanes {
        Lanes::of(self.device(1))
    }

    /// Compiles now what is needed to [`simulate_by`](Self::simulate_by) this kind.
    pub fn prepare_by(&self, decisive: Decisive) {
        self.device_of(decisive, self.shared.backend.width(BLOCKS));
    }

    fn device_of(&self, decisive: Decisive, width: usize) -> Arc<Device> {
        let Some(program) = self.decisive_program(decisive) else {
            return self.device(width);
        };
        let devices = &self.shared.decisive_devices[usize::from(decisive == Decisive::Both)];
        let device = || Arc::new(Device::new(program, self.shared.backend, width));
        Arc::clone(devices[usize::from(width > 1)].get_or_init(device))
    }

    /// Whether playouts of a kind look a move ahead: not where too many gates would be needed, no
    /// move ends the game well, things are hidden or chance comes in.
    pub fn is_decisive(&self, kind: Decisive) -> bool {
        self.decisive_program(kind).is_some()
    }

    /// How many operations a step of a kind of playouts takes.
    pub fn operations(&self, kind: Decisive) -> usize {
        match self.decisive_program(kind) {
            Some(program) => program.operations(),
            None => self.device(1).program().operations(),
        }
    }

    fn decisive_program(&self, kind: Decisive) -> Option<Arc<Program>> {
        let place = match kind {
            Decisive::No => return None,
            Decisive::Own => 0,
            Decisive::Both => 1,
        };
        let Shared {
            ground, backend, ..
        } = &*self.shared;
        let compiled = || {
            let facts = &ground.facts;
            let is_open = facts.information == Information::Perfect && !facts.has_chance();
            let is_contest = facts.players().count() > 1;
            if ground.network.operations() > decisive::MOST_OPERATIONS {
                return None;
            }
            let seen = Seen::watch(&self.propnet()).filter(|_| is_open && is_contest)?;
            let program = compile_decisive(&ground.network, backend.order(), &seen, kind)?;
            let plain = self.device(1).program().operations();
            let is_worth_it = program.operations() <= decisive::MOST_COST * plain;
            is_worth_it.then(|| Arc::new(program))
        };
        self.shared.decisive[place].get_or_init(compiled).clone()
    }

    /// Playouts on one thread, from states of any kind that are such sets of fluents. Of the
    /// options, the backend is not looked at.
    pub fn open<S: ?Sized>(&self, options: BatchOptions) -> Batch<S> {
        let backend = self.shared.backend;
        let width = backend.width(options.blocks);
        let device = self.device_of(options.decisive, width);
        Batch::of(device, BatchOptions { backend, ..options })
    }

    /// Games in lanes that go on by given moves, each from this state, and again from there when it
    /// has ended, or after `step_limit` moves. There are at most [`crate::MOST_LANES`] lanes.
    ///
    /// # Errors
    /// If the state is over, or a role has no move in it.
    pub fn stepping(
        &self,
        lanes: usize,
        start: &[u64],
        step_limit: u32,
    ) -> Result<Stepping, NoStart> {
        let width = self.shared.backend.width(lanes.div_ceil(LANES));
        Stepping::of(self.device(width), width, lanes, start, step_limit)
    }

    /// Plays from a state and adds up what came out.
    pub fn simulate(&self, start: &[u64], effort: Effort, watch: &mut dyn FnMut(u64)) -> Figures {
        self.simulate_until(start, effort, watch, &AtomicBool::new(false))
    }

    /// The same, until the flag is set.
    pub fn simulate_until(
        &self,
        start: &[u64],
        effort: Effort,
        watch: &mut dyn FnMut(u64),
        interrupt: &AtomicBool,
    ) -> Figures {
        self.simulate_by(Decisive::No, start, effort, watch, interrupt)
    }

    /// The same by playouts that look a move ahead, where these can.
    pub fn simulate_by(
        &self,
        decisive: Decisive,
        start: &[u64],
        effort: Effort,
        watch: &mut dyn FnMut(u64),
        interrupt: &AtomicBool,
    ) -> Figures {
        if let (Some(gpu), Decisive::No) = (&self.shared.gpu, decisive) {
            let network = &self.ground().network;
            if let Some(figures) = gpu.simulate(network, start, effort, watch, interrupt) {
                return figures;
            }
        }
        let engine = |stream: usize| {
            self.open(BatchOptions {
                seed: effort.seed,
                stream: stream as u64,
                step_limit: effort.step_limit,
                blocks: BLOCKS,
                backend: self.shared.backend,
                decisive,
            })
        };
        let engines: Vec<Batch> = (0..effort.threads.max(1)).map(engine).collect();
        let roles = self.ground().facts.roles.len();
        let lanes = (BLOCKS * LANES) as u32;
        simulate_batch(
            engines,
            lanes,
            roles,
            start,
            effort.extent,
            watch,
            interrupt,
        )
    }

    fn device(&self, width: usize) -> Arc<Device> {
        let Shared {
            ground,
            backend,
            program,
            devices,
            ..
        } = &*self.shared;
        let program =
            || program.get_or_init(|| Arc::new(compile(&ground.network, backend.order())));
        let device = || Arc::new(Device::new(Arc::clone(program()), *backend, width));
        Arc::clone(devices[usize::from(width > 1)].get_or_init(device))
    }
}

/// How many blocks a thread runs side by side where nothing waits for single playouts.
pub(crate) const BLOCKS: usize = 4;
