//! GPUs where the program was built without: there is none.

use std::path::Path;
use std::sync::Arc;

use super::GpuError;
use super::form::Form;
use super::play::{Launch, Runner};

/// A GPU, of which there is none here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gpu {}

/// What it cost to have the code of a game, of which there is none here.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loading {}

impl Gpu {
    /// The first GPU of this machine.
    ///
    /// # Errors
    /// Always: the program was built without.
    pub fn find() -> Result<Self, GpuError> {
        let because = "the program was built without GPUs (`cargo build --features gpu`)";
        Err(GpuError::None(because.to_owned()))
    }

    /// What it is, in words.
    pub fn in_words(&self) -> String {
        match *self {}
    }
}

/// The code of a game on a GPU.
#[derive(Debug)]
pub(super) enum DeviceCode {}

impl DeviceCode {
    pub(super) fn new(gpu: &Gpu, _: Arc<Form>, _: Option<&Path>) -> Result<Self, GpuError> {
        match *gpu {}
    }

    pub(super) fn form(&self) -> &Arc<Form> {
        match *self {}
    }

    pub(super) fn loading(&self) -> Loading {
        match *self {}
    }
}

/// Threads on a GPU.
pub(super) struct DeviceThreads(Arc<DeviceCode>);

impl DeviceThreads {
    pub(super) fn new(code: Arc<DeviceCode>) -> Self {
        Self(code)
    }
}

impl Runner for DeviceThreads {
    fn reset(&mut self, _: &[u32], _: &[u32]) -> Result<(), GpuError> {
        match *self.0 {}
    }

    fn set_left(&mut self, _: &[u32]) -> Result<(), GpuError> {
        match *self.0 {}
    }

    fn launch(&mut self, _: &Launch) -> Result<Vec<u64>, GpuError> {
        match *self.0 {}
    }
}
