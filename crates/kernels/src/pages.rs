//! Huge pages under large buffers.
//!
//! A key of some tens of megabytes is read from end to end by every bootstrap. With pages of 4 KB
//! that is tens of thousands of address translations, and a request ahead of use waits for its
//! translation like any other.

/// Bytes of a huge page where ordinary ones have 4 KB.
pub(crate) const HUGE: usize = 2 << 20;

/// The bytes to take for a buffer of at least a huge page that begins with one: a last page that is
/// half full is rounded up.
pub(crate) fn whole_pages(bytes: usize) -> usize {
    if bytes % HUGE < HUGE / 2 { bytes } else { bytes.next_multiple_of(HUGE) }
}

/// Asks for huge pages where the system gives them on request (`madvise`, the usual setting of
/// Linux). If it does not, nothing changes but the speed.
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

/// Other systems choose by themselves.
#[cfg(not(target_os = "linux"))]
pub(crate) fn ask_for_huge_ones<T>(_values: &mut [T]) {}
