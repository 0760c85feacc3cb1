//! The check that the machine has the memory for bootstrapping keys.

use fathom_planner::MEMORY_PER_KEY_BYTE;

use super::process_usage::available_bytes;

/// Returns why this machine cannot run programs whose bootstrapping keys have `wire` bytes as they
/// are sent; `None` if it can, or if its memory is unknown.
pub fn shortage(wire: u64) -> Option<String> {
    short_of(MEMORY_PER_KEY_BYTE * wire, available_bytes())
}

/// Returns the same for a client and a server on this machine.
pub(crate) fn shortage_of_both(wire: u64) -> Option<String> {
    short_of((CLIENT_PER_KEY_BYTE + MEMORY_PER_KEY_BYTE) * wire, available_bytes())
}

/// Peak memory of a client for each byte of the keys. Measured: 4.9 for `boot-t`.
const CLIENT_PER_KEY_BYTE: u64 = 5;

fn short_of(needed: u64, available: Option<u64>) -> Option<String> {
    let present = available?;
    (present < needed).then(|| {
        let [needed, present] = [needed, present].map(|bytes| bytes as f64 / 1e9);
        format!("needs {needed:.1} GB of memory, of which {present:.1} GB are available")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_the_memory_is_told_what_is_needed_and_what_is_there() {
        let needed = 6_000_000_000;
        assert_eq!(short_of(needed, Some(6_000_000_000)), None);
        assert_eq!(short_of(needed, None), None);
        let text = short_of(needed, Some(1_200_000_000)).unwrap();
        assert!(text.contains("6.0 GB") && text.contains("1.2 GB are available"), "{text}");
    }
}
