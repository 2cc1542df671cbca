//! A GPU that plays: what it is, the code of a game on it, and the memory of threads.
//!
//! What is unsafe here is to start code that reads and writes by addresses. The code is made of a
//! form, which reads and writes rows, starts and tallies as long as it says they are, and these are
//! allocated by the same numbers.
#![allow(unsafe_code)]

mod cache;
mod driver;

use std::ffi::c_void;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use super::GpuError;
use super::form::Form;
use super::play::{Launch, Runner};
use super::ptx::{OLDEST, ptx};
use driver::{Address, Driver, Handle, driver};

/// A GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gpu {
    device: i32,
    /// Its name.
    pub name: String,
    /// Its compute capability.
    pub capability: (i32, i32),
    /// Its memory in bytes.
    pub memory: usize,
    /// How many multiprocessors it has.
    pub multiprocessors: i32,
    /// The version of CUDA that the driver knows.
    pub cuda: (i32, i32),
}

impl Gpu {
    /// The first GPU of this machine.
    ///
    /// # Errors
    /// Why none can play.
    pub fn find() -> Result<Self, GpuError> {
        static FOUND: OnceLock<Result<Gpu, GpuError>> = OnceLock::new();
        FOUND.get_or_init(Self::look).clone()
    }

    /// What it is, in words.
    pub fn in_words(&self) -> String {
        format!(
            "{} ({} multiprocessors, compute capability {}.{}, {} GiB, CUDA {}.{})",
            self.name,
            self.multiprocessors,
            self.capability.0,
            self.capability.1,
            self.memory >> 30,
            self.cuda.0,
            self.cuda.1
        )
    }

    fn look() -> Result<Self, GpuError> {
        let driver = driver()?;
        if driver.devices()? == 0 {
            return Err(GpuError::None(
                "the driver of NVIDIA finds no GPU".to_owned(),
            ));
        }
        let device = driver.device(0)?;
        let version = driver.version()?;
        let gpu = Self {
            device,
            name: driver.name(device)?,
            capability: (driver.attribute(75, device)?, driver.attribute(76, device)?),
            memory: driver.memory(device)?,
            multiprocessors: driver.attribute(16, device)?,
            cuda: (version / 1000, version % 1000 / 10),
        };
        if gpu.capability < OLDEST {
            let ((major, minor), (least, of_least)) = (gpu.capability, OLDEST);
            return Err(GpuError::None(format!(
                "{} has compute capability {major}.{minor}, and {least}.{of_least} is needed",
                gpu.name
            )));
        }
        if version < OLDEST_DRIVER {
            return Err(GpuError::None(format!(
                "the driver of NVIDIA knows CUDA {}.{}, and 11.0 is needed; a newer driver helps",
                gpu.cuda.0, gpu.cuda.1
            )));
        }
        Ok(gpu)
    }
}

/// The driver must know PTX 7.0.
const OLDEST_DRIVER: i32 = 11_000;

/// What it cost to have the code of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loading {
    /// Whether machine code was in the cache.
    pub was_cached: bool,
    /// To write the game as PTX.
    pub write: Duration,
    /// To make machine code of that, or to read it.
    pub make: Duration,
    /// To bring it onto the GPU.
    pub load: Duration,
    /// Bytes of PTX, and of machine code.
    pub sizes: (usize, usize),
    /// Registers of a thread, and bytes of its memory, those for registers that do not fit
    /// included.
    pub registers: i32,
    /// See [`Self::registers`].
    pub memory: i32,
    /// How many threads a multiprocessor runs at once.
    pub threads: i32,
}

/// The code of a game on a GPU.
pub(super) struct DeviceCode {
    driver: &'static Driver,
    context: Handle,
    module: Handle,
    function: Handle,
    form: Arc<Form>,
    loading: Loading,
    /// Held while the code is run: the memory of threads is the driver's, and one launch fills the
    /// GPU.
    running: Mutex<()>,
}

// SAFETY: handles of the driver may be used from any thread that has entered the context, which
// every method here does first.
unsafe impl Send for DeviceCode {}
// SAFETY: as above; the driver's functions may be called from several threads.
unsafe impl Sync for DeviceCode {}

impl std::fmt::Debug for DeviceCode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "DeviceCode({:?})", self.loading)
    }
}

impl DeviceCode {
    /// Loads a form, by machine code from a folder where it is there, and kept there else.
    pub(super) fn new(gpu: &Gpu, form: Arc<Form>, cache: Option<&Path>) -> Result<Self, GpuError> {
        let driver = driver()?;
        let context = driver.context(gpu.device)?;
        driver.enter(context)?;
        let mut loading = Loading::default();
        let started = Instant::now();
        let text = ptx(&form);
        loading.write = started.elapsed();
        let started = Instant::now();
        let kept = cache.map(|folder| cache::Place::new(folder, &text, gpu));
        let code = match kept.as_ref().and_then(cache::Place::read) {
            Some(code) => {
                loading.was_cached = true;
                code
            }
            None => {
                let code = driver.compile(&text)?;
                if let Some(place) = &kept {
                    place.write(&code);
                }
                code
            }
        };
        loading.make = started.elapsed();
        let started = Instant::now();
        let module = driver.load(&code)?;
        let function = driver.function(module, c"play")?;
        loading.load = started.elapsed();
        loading.sizes = (text.len(), code.len());
        loading.registers = driver.function_attribute(4, function)?;
        loading.memory = driver.function_attribute(3, function)?;
        loading.threads = driver.blocks(function, form.shape.block)? * form.shape.block as i32;
        Ok(Self {
            driver,
            context,
            module,
            function,
            form,
            loading,
            running: Mutex::new(()),
        })
    }
}

impl DeviceCode {
    pub(super) fn form(&self) -> &Arc<Form> {
        &self.form
    }

    pub(super) fn loading(&self) -> Loading {
        self.loading
    }
}

impl Drop for DeviceCode {
    fn drop(&mut self) {
        if self.driver.enter(self.context).is_ok() {
            self.driver.unload(self.module);
        }
    }
}

/// Memory on the device.
struct Buffer {
    driver: &'static Driver,
    context: Handle,
    address: Address,
    bytes: usize,
}

// SAFETY: an address of the device may be used from any thread that has entered the context.
unsafe impl Send for Buffer {}

impl Buffer {
    fn new(code: &DeviceCode, bytes: usize) -> Result<Self, GpuError> {
        code.driver.enter(code.context)?;
        Ok(Self {
            driver: code.driver,
            context: code.context,
            address: code.driver.allocate(bytes)?,
            bytes,
        })
    }

    fn of<T: Copy>(code: &DeviceCode, contents: &[T]) -> Result<Self, GpuError> {
        let buffer = Self::new(code, std::mem::size_of_val(contents))?;
        code.driver.to_device(buffer.address, contents)?;
        Ok(buffer)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.driver.enter(self.context).is_ok() {
            self.driver.free(self.address);
        }
    }
}

/// Threads on a GPU.
pub(super) struct DeviceThreads {
    code: Arc<DeviceCode>,
    rows: Option<Buffer>,
    starts: Option<Buffer>,
    tallies: Option<Buffer>,
}

impl DeviceThreads {
    pub(super) fn new(code: Arc<DeviceCode>) -> Self {
        Self {
            code,
            rows: None,
            starts: None,
            tallies: None,
        }
    }
}

impl Runner for DeviceThreads {
    fn reset(&mut self, rows: &[u32], starts: &[u32]) -> Result<(), GpuError> {
        let form = &self.code.form;
        let count = starts.len() / (form.fluents as usize).max(1);
        let tallies = vec![0u64; count.max(1) * form.tallies];
        (self.rows, self.starts, self.tallies) = (None, None, None);
        self.rows = Some(Buffer::of(&self.code, rows)?);
        self.starts = Some(Buffer::of(&self.code, starts)?);
        self.tallies = Some(Buffer::of(&self.code, &tallies)?);
        Ok(())
    }

    fn set_left(&mut self, left: &[u32]) -> Result<(), GpuError> {
        let Some(rows) = &self.rows else {
            return Ok(());
        };
        let start = self.code.form.left_row() * left.len() * 4;
        assert!(
            start + left.len() * 4 <= rows.bytes,
            "a row of that many threads"
        );
        self.code.driver.enter(self.code.context)?;
        self.code
            .driver
            .to_device(rows.address + start as u64, left)
    }

    fn launch(&mut self, launch: &Launch) -> Result<Vec<u64>, GpuError> {
        let (Some(rows), Some(starts), Some(tallies)) = (&self.rows, &self.starts, &self.tallies)
        else {
            return Ok(vec![0; self.code.form.tallies]);
        };
        let (driver, form) = (self.code.driver, &self.code.form);
        assert_eq!(rows.bytes, form.kept() * launch.threads as usize * 4);
        let _alone = self.code.running.lock();
        driver.enter(self.code.context)?;
        driver.clear(tallies.address, tallies.bytes)?;
        let (mut state, mut start, mut sums) = (rows.address, starts.address, tallies.address);
        let (mut seed, mut first, mut steps) = (launch.seed, launch.first_step, launch.steps);
        let (mut threads, mut limit) = (launch.threads, launch.limit);
        let mut count = (starts.bytes / 4 / (form.fluents as usize).max(1)).max(1) as u32;
        let mut arguments: [*mut c_void; 9] = [
            (&raw mut state).cast(),
            (&raw mut start).cast(),
            (&raw mut sums).cast(),
            (&raw mut seed).cast(),
            (&raw mut first).cast(),
            (&raw mut steps).cast(),
            (&raw mut threads).cast(),
            (&raw mut count).cast(),
            (&raw mut limit).cast(),
        ];
        // SAFETY: these are the parameters that `ptx` writes; the rows are as long as was asserted,
        // and there are tallies for each start.
        unsafe {
            let block = form.shape.block;
            driver.launch(
                self.code.function,
                launch.threads / block,
                block,
                &mut arguments,
            )?;
        }
        driver.wait()?;
        let mut found = vec![0u64; tallies.bytes / 8];
        driver.to_host(&mut found, tallies.address)?;
        Ok(found)
    }
}
