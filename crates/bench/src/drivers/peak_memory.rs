//! The peak memory of a process.

/// Returns the peak resident set size of a process so far, in bytes; 0 if it is unknown.
pub(super) fn peak_rss(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"));
    let peak = status.ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    });
    peak.unwrap_or(0) * 1024
}
