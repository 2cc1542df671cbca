//! The functions of NVIDIA's driver that are called, found in its library when it is first asked
//! for, so that the program starts where there is none.
//!
//! What is unsafe here is to call functions of a library by the types that its manual says they
//! have. Handles are made and given back by [`super`] alone, and buffers are at least as long as
//! what is copied.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use libloading::Library;

use crate::gpu::GpuError;

type Status = c_int;
pub(super) type Handle = *mut c_void;
pub(super) type Address = u64;

/// Declares the functions with their types, and how they are found.
macro_rules! functions {
    ($($name:ident = $symbol:literal: fn($($type:ty),*);)*) => {
        struct Functions {
            $($name: unsafe extern "C" fn($($type),*) -> Status,)*
        }

        impl Functions {
            /// # Safety
            /// The library must be NVIDIA's driver.
            unsafe fn find(library: &Library) -> Result<Self, libloading::Error> {
                Ok(Self {
                    // SAFETY: these are the types in the manual of the driver.
                    $($name: *unsafe { library.get($symbol) }?,)*
                })
            }
        }
    };
}

functions! {
    init = b"cuInit\0": fn(c_uint);
    driver_version = b"cuDriverGetVersion\0": fn(*mut c_int);
    error_text = b"cuGetErrorString\0": fn(Status, *mut *const c_char);
    device_count = b"cuDeviceGetCount\0": fn(*mut c_int);
    device = b"cuDeviceGet\0": fn(*mut c_int, c_int);
    device_name = b"cuDeviceGetName\0": fn(*mut c_char, c_int, c_int);
    device_attribute = b"cuDeviceGetAttribute\0": fn(*mut c_int, c_int, c_int);
    device_memory = b"cuDeviceTotalMem_v2\0": fn(*mut usize, c_int);
    retain = b"cuDevicePrimaryCtxRetain\0": fn(*mut Handle, c_int);
    set_current = b"cuCtxSetCurrent\0": fn(Handle);
    synchronize = b"cuCtxSynchronize\0": fn();
    allocate = b"cuMemAlloc_v2\0": fn(*mut Address, usize);
    free = b"cuMemFree_v2\0": fn(Address);
    to_device = b"cuMemcpyHtoD_v2\0": fn(Address, *const c_void, usize);
    to_host = b"cuMemcpyDtoH_v2\0": fn(*mut c_void, Address, usize);
    clear = b"cuMemsetD8_v2\0": fn(Address, u8, usize);
    load = b"cuModuleLoadData\0": fn(*mut Handle, *const c_void);
    unload = b"cuModuleUnload\0": fn(Handle);
    function = b"cuModuleGetFunction\0": fn(*mut Handle, Handle, *const c_char);
    function_attribute = b"cuFuncGetAttribute\0": fn(*mut c_int, c_int, Handle);
    blocks = b"cuOccupancyMaxActiveBlocksPerMultiprocessor\0": fn(*mut c_int, Handle, c_int, usize);
    launch = b"cuLaunchKernel\0": fn(Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void, *mut *mut c_void);
    link_create = b"cuLinkCreate_v2\0": fn(c_uint, *mut c_int, *mut *mut c_void, *mut Handle);
    link_add = b"cuLinkAddData_v2\0": fn(Handle, c_int, *mut c_void, usize, *const c_char, c_uint, *mut c_int, *mut *mut c_void);
    link_complete = b"cuLinkComplete\0": fn(Handle, *mut *mut c_void, *mut usize);
    link_destroy = b"cuLinkDestroy\0": fn(Handle);
}

/// The driver.
pub(super) struct Driver {
    functions: Functions,
    /// Keeps the functions where they are.
    _library: Library,
}

/// The names of the driver's library.
const NAMES: [&str; 3] = ["libcuda.so.1", "libcuda.so", "nvcuda.dll"];

/// The driver of this machine.
pub(super) fn driver() -> Result<&'static Driver, GpuError> {
    static DRIVER: OnceLock<Result<Driver, GpuError>> = OnceLock::new();
    let found = DRIVER.get_or_init(Driver::new);
    found.as_ref().map_err(Clone::clone)
}

impl Driver {
    fn new() -> Result<Self, GpuError> {
        // SAFETY: loading the driver runs its own initialisation alone.
        let mut libraries = NAMES.iter().map(|name| unsafe { Library::new(name) });
        let library = libraries.find_map(Result::ok);
        let library = library.ok_or_else(|| {
            GpuError::None("there is no driver of NVIDIA (libcuda.so.1)".to_owned())
        })?;
        // SAFETY: the library has the name of the driver.
        let functions = unsafe { Functions::find(&library) }
            .map_err(|error| GpuError::None(format!("the driver of NVIDIA is too old: {error}")))?;
        let driver = Self {
            functions,
            _library: library,
        };
        // SAFETY: called before all else, with the only flags there are.
        driver.check("start", unsafe { (driver.functions.init)(0) })?;
        Ok(driver)
    }

    /// The error of a call, in words.
    fn check(&self, what: &str, status: Status) -> Result<(), GpuError> {
        if status == 0 {
            return Ok(());
        }
        let mut text: *const c_char = std::ptr::null();
        // SAFETY: the text, if there is one, is a constant of the driver.
        let said = unsafe {
            match (self.functions.error_text)(status, &raw mut text) {
                0 if !text.is_null() => CStr::from_ptr(text).to_string_lossy().into_owned(),
                _ => "an unknown error".to_owned(),
            }
        };
        Err(match status {
            OUT_OF_MEMORY => GpuError::Memory(format!("{what}: {said}")),
            _ => GpuError::Driver(format!("could not {what}: {said} ({status})")),
        })
    }

    fn number(
        &self,
        what: &str,
        call: impl FnOnce(*mut c_int) -> Status,
    ) -> Result<c_int, GpuError> {
        let mut number = 0;
        self.check(what, call(&raw mut number))?;
        Ok(number)
    }

    fn handle(
        &self,
        what: &str,
        call: impl FnOnce(*mut Handle) -> Status,
    ) -> Result<Handle, GpuError> {
        let mut handle = std::ptr::null_mut();
        self.check(what, call(&raw mut handle))?;
        Ok(handle)
    }

    /// The version of CUDA that the driver knows, times 1,000.
    pub(super) fn version(&self) -> Result<i32, GpuError> {
        // SAFETY: writes one number.
        self.number("tell its version", |to| unsafe {
            (self.functions.driver_version)(to)
        })
    }

    pub(super) fn devices(&self) -> Result<i32, GpuError> {
        // SAFETY: writes one number.
        self.number("count GPUs", |to| unsafe {
            (self.functions.device_count)(to)
        })
    }

    pub(super) fn device(&self, number: i32) -> Result<i32, GpuError> {
        // SAFETY: writes one number.
        self.number("find the GPU", |to| unsafe {
            (self.functions.device)(to, number)
        })
    }

    pub(super) fn name(&self, device: i32) -> Result<String, GpuError> {
        let mut text: [c_char; 256] = [0; 256];
        // SAFETY: writes at most 255 characters and a zero.
        let status = unsafe { (self.functions.device_name)(text.as_mut_ptr(), 255, device) };
        self.check("name the GPU", status)?;
        // SAFETY: the last character is still zero.
        Ok(unsafe { CStr::from_ptr(text.as_ptr()) }
            .to_string_lossy()
            .into_owned())
    }

    pub(super) fn attribute(&self, attribute: c_int, device: i32) -> Result<i32, GpuError> {
        // SAFETY: writes one number.
        let call = |to| unsafe { (self.functions.device_attribute)(to, attribute, device) };
        self.number("describe the GPU", call)
    }

    pub(super) fn memory(&self, device: i32) -> Result<usize, GpuError> {
        let mut bytes = 0;
        // SAFETY: writes one number.
        let status = unsafe { (self.functions.device_memory)(&raw mut bytes, device) };
        self.check("tell the GPU's memory", status)?;
        Ok(bytes)
    }

    /// The context of a device that all of the process share.
    pub(super) fn context(&self, device: i32) -> Result<Handle, GpuError> {
        // SAFETY: writes one handle.
        self.handle("open the GPU", |to| unsafe {
            (self.functions.retain)(to, device)
        })
    }

    /// Has this thread work in a context.
    pub(super) fn enter(&self, context: Handle) -> Result<(), GpuError> {
        // SAFETY: contexts are never released.
        self.check("work on the GPU", unsafe {
            (self.functions.set_current)(context)
        })
    }

    /// Waits until all is done.
    pub(super) fn wait(&self) -> Result<(), GpuError> {
        // SAFETY: has no arguments.
        self.check("play", unsafe { (self.functions.synchronize)() })
    }

    pub(super) fn allocate(&self, bytes: usize) -> Result<Address, GpuError> {
        let mut address = 0;
        // SAFETY: writes one address.
        let status = unsafe { (self.functions.allocate)(&raw mut address, bytes.max(1)) };
        self.check(&format!("{bytes} bytes"), status)?;
        Ok(address)
    }

    pub(super) fn free(&self, address: Address) {
        // SAFETY: the address was allocated and is given back once. An error would be that of an
        // earlier call, which was told.
        let _ = unsafe { (self.functions.free)(address) };
    }

    pub(super) fn to_device<T: Copy>(&self, address: Address, from: &[T]) -> Result<(), GpuError> {
        let bytes = std::mem::size_of_val(from);
        // SAFETY: reads as many bytes as there are; the caller has allocated as many there.
        let status = unsafe { (self.functions.to_device)(address, from.as_ptr().cast(), bytes) };
        self.check("copy to the GPU", status)
    }

    pub(super) fn to_host<T: Copy>(
        &self,
        into: &mut [T],
        address: Address,
    ) -> Result<(), GpuError> {
        let bytes = std::mem::size_of_val(into);
        // SAFETY: writes as many bytes as there are, of numbers, for which all bits are valid.
        let status = unsafe { (self.functions.to_host)(into.as_mut_ptr().cast(), address, bytes) };
        self.check("copy from the GPU", status)
    }

    pub(super) fn clear(&self, address: Address, bytes: usize) -> Result<(), GpuError> {
        // SAFETY: the caller has allocated as many bytes there.
        self.check("clear memory", unsafe {
            (self.functions.clear)(address, 0, bytes)
        })
    }

    /// Machine code for the GPU of this thread's context, made of PTX.
    pub(super) fn compile(&self, ptx: &str) -> Result<Vec<u8>, GpuError> {
        const INPUT_PTX: c_int = 1;
        const NAME: &CStr = c"paidia";
        let mut log = vec![0u8; 8192];
        // The log of errors, and its size.
        let mut options: [c_int; 2] = [5, 6];
        let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), log.len() as *mut c_void];
        let mut text = ptx.as_bytes().to_vec();
        text.push(0);
        let functions = &self.functions;
        // SAFETY: two options with two values; the log outlives the linker.
        let linker = self.handle("begin to translate", |to| unsafe {
            (functions.link_create)(2, options.as_mut_ptr(), values.as_mut_ptr(), to)
        })?;
        // SAFETY: the text ends with a zero, which its size counts.
        let added = unsafe {
            (functions.link_add)(
                linker,
                INPUT_PTX,
                text.as_mut_ptr().cast(),
                text.len(),
                NAME.as_ptr(),
                0,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
            )
        };
        let (mut code, mut size) = (std::ptr::null_mut(), 0);
        let made = match added {
            // SAFETY: writes where the code is, and its size.
            0 => unsafe { (functions.link_complete)(linker, &raw mut code, &raw mut size) },
            refused => refused,
        };
        let bytes = match made {
            // SAFETY: the code is there until the linker is destroyed.
            0 => unsafe { std::slice::from_raw_parts(code.cast::<u8>(), size) }.to_vec(),
            _ => Vec::new(),
        };
        // SAFETY: the linker was created and is destroyed once.
        unsafe { (functions.link_destroy)(linker) };
        let end = log.iter().position(|&byte| byte == 0).unwrap_or(log.len());
        let said = String::from_utf8_lossy(&log[..end]);
        self.check(&format!("translate the game ({})", said.trim()), made)?;
        Ok(bytes)
    }

    pub(super) fn load(&self, code: &[u8]) -> Result<Handle, GpuError> {
        // SAFETY: the code was made by the linker for this GPU; its format tells its size.
        self.handle("load the game", |to| unsafe {
            (self.functions.load)(to, code.as_ptr().cast())
        })
    }

    pub(super) fn unload(&self, module: Handle) {
        // SAFETY: the module was loaded and is given back once.
        let _ = unsafe { (self.functions.unload)(module) };
    }

    pub(super) fn function(&self, module: Handle, name: &CStr) -> Result<Handle, GpuError> {
        // SAFETY: writes one handle.
        self.handle("find the code", |to| unsafe {
            (self.functions.function)(to, module, name.as_ptr())
        })
    }

    /// A number about a function.
    pub(super) fn function_attribute(
        &self,
        attribute: c_int,
        function: Handle,
    ) -> Result<i32, GpuError> {
        // SAFETY: writes one number.
        let call = |to| unsafe { (self.functions.function_attribute)(to, attribute, function) };
        self.number("describe the code", call)
    }

    /// How many blocks of that many threads a multiprocessor holds.
    pub(super) fn blocks(&self, function: Handle, threads: u32) -> Result<i32, GpuError> {
        // SAFETY: writes one number.
        let call = |to| unsafe { (self.functions.blocks)(to, function, threads as c_int, 0) };
        self.number("describe the code", call)
    }

    /// Starts that many blocks of threads.
    ///
    /// # Safety
    /// The arguments must be those of the function, and addresses among them of memory that is
    /// large enough for all that it does.
    pub(super) unsafe fn launch(
        &self,
        function: Handle,
        blocks: u32,
        threads: u32,
        arguments: &mut [*mut c_void],
    ) -> Result<(), GpuError> {
        // SAFETY: as the caller promises.
        let status = unsafe {
            (self.functions.launch)(
                function,
                blocks,
                1,
                1,
                threads,
                1,
                1,
                0,
                std::ptr::null_mut(),
                arguments.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        };
        self.check("start to play", status)
    }
}

const OUT_OF_MEMORY: Status = 2;
