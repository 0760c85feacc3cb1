//! Huge pages for large buffers.
//!
//! Every bootstrap reads a key of some tens of megabytes from end to end. With pages of 4 KB this
//! takes tens of thousands of address translations, and prefetches wait for translations like other
//! loads.

/// Bytes of a huge page on systems with ordinary pages of 4 KB.
pub(crate) const HUGE: usize = 2 << 20;

/// Returns the allocation size for a buffer of at least one huge page that starts at a page
/// boundary; a last page that is at least half full is rounded up.
pub(crate) fn whole_pages(bytes: usize) -> usize {
    if bytes % HUGE < HUGE / 2 { bytes } else { bytes.next_multiple_of(HUGE) }
}

/// Requests huge pages from systems that grant them on request (`madvise`, the usual setting of
/// Linux). A refusal affects only the speed.
#[cfg(target_os = "linux")]
pub(crate) fn ask_for_huge_ones<T>(values: &mut [T]) {
    use rustix::mm::{Advice, madvise};

    let range = values.as_mut_ptr_range();
    let start = (range.start as usize).next_multiple_of(HUGE);
    let end = range.end as usize / HUGE * HUGE;
    if start < end {
        let first = range.start.with_addr(start);
        // SAFETY: the pages lie within memory that is borrowed exclusively, and this advice changes
        // nothing that can be read.
        let _ = unsafe { madvise(first.cast(), end - start, Advice::LinuxHugepage) };
    }
}

/// Does nothing: other systems choose the page size by themselves.
#[cfg(not(target_os = "linux"))]
pub(crate) fn ask_for_huge_ones<T>(_values: &mut [T]) {}
