//! What machine a study is run on, and what else that was doing: part of the evidence.

use std::fs;

/// The name of the processor as the system tells it, or its architecture.
pub(super) fn processor() -> String {
    let told = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let lines = told.lines().filter_map(|line| line.split_once(':'));
    let mut names = lines.filter(|(key, _)| key.trim() == "model name");
    let name = names.next().map(|(_, name)| name.trim().to_owned());
    name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// How many threads wanted to run in the last minute, in the mean, where the system tells it.
pub(super) fn load() -> Option<f64> {
    let told = fs::read_to_string("/proc/loadavg").ok()?;
    told.split_whitespace().next()?.parse().ok()
}
