//! The processor time of this process.

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
