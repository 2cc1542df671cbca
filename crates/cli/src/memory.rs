//! How much memory the program has taken.

/// The most memory that this process ever had, in bytes, where the system tells (Linux does).
pub(crate) fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn the_peak_grows_with_what_is_taken() {
        let before = super::peak().unwrap();
        let taken = vec![1u8; before as usize + (64 << 20)];
        assert!(super::peak().unwrap() >= taken.len() as u64);
    }
}
