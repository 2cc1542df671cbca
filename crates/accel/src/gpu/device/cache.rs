//! Machine code for GPUs in a folder, by a hash of everything that it is made of.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::Gpu;

/// Where the machine code of a game is kept.
pub(super) struct Place {
    folder: PathBuf,
    file: PathBuf,
}

impl Place {
    pub(super) fn new(folder: &Path, ptx: &str, gpu: &Gpu) -> Self {
        let mut hash = Sha256::new();
        hash.update(ptx);
        hash.update(format!("{:?}{:?}", gpu.capability, gpu.cuda));
        let name: String = (hash.finalize().iter().take(16))
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Self {
            folder: folder.to_owned(),
            file: folder.join(format!("{name}.cubin")),
        }
    }

    /// The code, if it is there.
    pub(super) fn read(&self) -> Option<Vec<u8>> {
        let bytes = std::fs::read(&self.file).ok()?;
        let (code, sum) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
        // What a crash or a full disk left is not code.
        (Sha256::digest(code)[..] == *sum).then(|| code.to_vec())
    }

    /// Keeps code. Where that cannot be done it is made again next time.
    pub(super) fn write(&self, code: &[u8]) {
        let mut bytes = code.to_vec();
        bytes.extend_from_slice(&Sha256::digest(code));
        let own = self
            .file
            .with_extension(format!("{}.part", std::process::id()));
        let written = std::fs::create_dir_all(&self.folder)
            .and_then(|()| std::fs::write(&own, bytes))
            .and_then(|()| std::fs::rename(&own, &self.file));
        if written.is_err() {
            let _ = std::fs::remove_file(&own);
        }
    }
}
