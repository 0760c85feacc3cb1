//! Times of repeated calls.

use std::time::{Instant, SystemTime};

use fathom::Error;

use crate::stats::lower_quartile;

/// Returns the last result of `repeats` calls, at least one, and the lower quartile of their
/// times in nanoseconds.
pub(crate) fn timed<T>(
    repeats: usize,
    mut call: impl FnMut() -> Result<T, Error>,
) -> Result<(T, f64), Error> {
    let mut times = Vec::with_capacity(repeats);
    loop {
        let start = Instant::now();
        let result = call()?;
        times.push(start.elapsed().as_nanos() as f64);
        if times.len() >= repeats {
            return Ok((result, lower_quartile(&times).expect("there was a call")));
        }
    }
}

/// Returns the present time in UTC as RFC 3339 with whole seconds.
pub(crate) fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}
