//! Many playouts of one game: its program, and the machine code for it, made once and shared by all
//! threads.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use paidia_game::{Effort, Figures, Information, UnknownFluent, simulate_batch};
use paidia_reason::propnet::{GroundGame, Propnet};

use crate::batch::{Batch, BatchOptions};
use crate::compile::{compile, compile_decisive, compile_weighted};
use crate::decisive::{self, Decisive, Refusal, Seen};
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

/// How moves are drawn in playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Draws {
    /// From which.
    pub decisive: Decisive,
    /// Whether each is as likely as its weight says ([`Batch::weigh`]), or all are as likely.
    pub is_weighted: bool,
}

impl Draws {
    const COUNT: usize = 6;

    /// From all, each as likely.
    pub const PLAIN: Self = Self {
        decisive: Decisive::No,
        is_weighted: false,
    };

    fn place(self) -> usize {
        let decisive = match self.decisive {
            Decisive::No => 0,
            Decisive::Own => 1,
            Decisive::Both => 2,
        };
        2 * decisive + usize::from(self.is_weighted)
    }
}

impl From<Decisive> for Draws {
    fn from(decisive: Decisive) -> Self {
        Self {
            decisive,
            ..Self::PLAIN
        }
    }
}

#[derive(Debug)]
struct Shared {
    ground: GroundGame,
    backend: Backend,
    /// For each of the [`Draws`], if it can be had.
    programs: [OnceLock<Result<Arc<Program>, Refusal>>; Draws::COUNT],
    /// For one block at a time, and for as many as the backend runs at once.
    devices: [[OnceLock<Arc<Device>>; 2]; Draws::COUNT],
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
            programs: Default::default(),
            devices: Default::default(),
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
    pub fn prepare_by(&self, draws: Draws) {
        self.device_of(draws, self.shared.backend.width(BLOCKS));
    }

    /// The device that draws so, or as it can.
    fn device_of(&self, draws: Draws, width: usize) -> Arc<Device> {
        let (draws, program) = match self.program(draws) {
            Ok(program) => (draws, program),
            Err(_) => {
                let plain = Draws {
                    decisive: Decisive::No,
                    ..draws
                };
                return self.device_of(plain, width);
            }
        };
        let device = || Arc::new(Device::new(program, self.shared.backend, width));
        let devices = &self.shared.devices[draws.place()];
        Arc::clone(devices[usize::from(width > 1)].get_or_init(device))
    }

    /// Whether playouts of a kind look a move ahead.
    pub fn is_decisive(&self, kind: Decisive) -> bool {
        kind != Decisive::No && self.foresees(kind).is_ok()
    }

    /// Whether playouts of a kind can be made.
    ///
    /// # Errors
    /// Why they are made as if nothing were seen ahead.
    pub fn foresees(&self, kind: Decisive) -> Result<(), Refusal> {
        self.program(kind.into()).map(drop)
    }

    /// How many operations a step of a kind of playouts takes.
    pub fn operations(&self, draws: Draws) -> usize {
        self.device_of(draws, 1).program().operations()
    }

    fn program(&self, draws: Draws) -> Result<Arc<Program>, Refusal> {
        let compiled = || self.compiled(draws).map(Arc::new);
        self.shared.programs[draws.place()]
            .get_or_init(compiled)
            .clone()
    }

    fn compiled(&self, draws: Draws) -> Result<Program, Refusal> {
        let Shared {
            ground, backend, ..
        } = &*self.shared;
        let (facts, network) = (&ground.facts, &ground.network);
        match draws {
            Draws::PLAIN => return Ok(compile(network, backend.order())),
            Draws {
                decisive: Decisive::No,
                is_weighted: true,
            } => return Ok(compile_weighted(network, backend.order())),
            _ => {}
        }
        if facts.information == Information::Hidden {
            return Err(Refusal::Hidden);
        }
        if facts.has_chance() {
            return Err(Refusal::Chance);
        }
        if facts.players().count() < 2 {
            return Err(Refusal::Alone);
        }
        let operations = network.operations();
        if operations > decisive::MOST_OPERATIONS {
            return Err(Refusal::Large(operations));
        }
        let seen = Seen::watch(&self.propnet(), network).ok_or(Refusal::Fluents)?;
        let Draws {
            decisive: kind,
            is_weighted,
        } = draws;
        let program = compile_decisive(network, backend.order(), &seen, kind, is_weighted)?;
        let plain = self.device(1).program().operations();
        let cost = program.operations().div_ceil(plain.max(1));
        match cost <= decisive::MOST_COST {
            true => Ok(program),
            false => Err(Refusal::Cost(cost)),
        }
    }

    /// Playouts on one thread, from states of any kind that are such sets of fluents. Of the
    /// options, the backend is not looked at.
    pub fn open<S: ?Sized>(&self, options: BatchOptions) -> Batch<S> {
        let backend = self.shared.backend;
        let width = backend.width(options.blocks);
        let device = self.device_of(options.draws, width);
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
        self.simulate_by(Draws::PLAIN, start, effort, watch, interrupt)
    }

    /// The same by playouts that draw moves so, as far as they can.
    pub fn simulate_by(
        &self,
        draws: Draws,
        start: &[u64],
        effort: Effort,
        watch: &mut dyn FnMut(u64),
        interrupt: &AtomicBool,
    ) -> Figures {
        if let (Some(gpu), Draws::PLAIN) = (&self.shared.gpu, draws) {
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
                draws,
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
        self.device_of(Draws::PLAIN, width)
    }
}

/// How many blocks a thread runs side by side where nothing waits for single playouts.
pub(crate) const BLOCKS: usize = 4;
