//! Processor time and memory of processes.

use std::time::Duration;

/// Returns the processor time of all threads of this process, including those that have ended.
#[cfg(unix)]
pub(super) fn process_cpu() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
}

#[cfg(not(unix))]
pub(super) fn process_cpu() -> Option<Duration> {
    None
}

/// Returns the peak resident set size of a process so far, in bytes; 0 if it is unknown.
pub fn peak_rss(process: u32) -> u64 {
    kilobytes(&process.to_string(), "VmHWM:").unwrap_or(0) * 1024
}

/// Returns the resident set size of this process, in bytes; 0 if it is unknown.
pub fn resident_bytes() -> u64 {
    kilobytes("self", "VmRSS:").unwrap_or(0) * 1024
}

/// Starts a new peak of the resident set size of this process, where the system has that.
pub fn restart_peak() {
    // Elsewhere the peak is that since the process began.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Returns the memory that a new use could have without swapping, in bytes; `None` if unknown.
pub fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// Returns a size in the status of a process.
fn kilobytes(process: &str, name: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}
