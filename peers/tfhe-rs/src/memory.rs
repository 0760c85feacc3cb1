//! Memory for keys.

use fathom_drivers::protocol::Refusal;

/// Refuses work that needs more memory than the machine has available, if that is known, because
/// the system would otherwise kill arbitrary processes, possibly the testbed.
pub(crate) fn check(needed: u64) -> Result<(), Refusal> {
    let Some(free) = available().filter(|&free| free < needed) else { return Ok(()) };
    let message = format!(
        "the keys of this set need {} GB of memory, and {} GB are available: close other programs \
         or choose smaller blocks",
        needed >> 30,
        free >> 30
    );
    Err(Refusal::unsupported(message))
}

/// Returns the available memory in bytes, if the system reports it.
fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn more_than_any_machine_has_is_refused_and_little_is_not() {
        assert!(check(0).is_ok());
        if std::path::Path::new("/proc/meminfo").exists() {
            assert!(check(1 << 60).is_err());
        }
    }
}
