//! Whether the machine has the memory for bootstrapping keys.

use fathom_planner::MEMORY_PER_KEY_BYTE;

use crate::drivers::available_bytes;

/// Returns why this machine cannot run programs whose bootstrapping keys have `wire` bytes as they
/// are sent; `None` if it can, or if its memory is unknown.
pub(crate) fn shortage(wire: u64) -> Option<String> {
    short_of(wire, available_bytes())
}

fn short_of(wire: u64, available: Option<u64>) -> Option<String> {
    let (needed, present) = (MEMORY_PER_KEY_BYTE * wire, available?);
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
        let wire = 1_000_000_000;
        assert_eq!(short_of(wire, Some(6_000_000_000)), None);
        assert_eq!(short_of(wire, None), None);
        let text = short_of(wire, Some(1_200_000_000)).unwrap();
        assert!(text.contains("6.0 GB") && text.contains("1.2 GB are available"), "{text}");
    }
}
