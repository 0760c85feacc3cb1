//! Frames with a corrected checksum, so that their faults reach the checks behind it.

/// The offset of the payload.
pub(crate) const PAYLOAD: usize = 72;

/// Length of the checksum, which comes last.
const CHECKSUM: usize = 16;

/// Returns the frame with a correct checksum.
pub(crate) fn repaired(mut frame: Vec<u8>) -> Vec<u8> {
    let body = frame.len() - CHECKSUM;
    let mut sum = [0; CHECKSUM];
    blake3::Hasher::new().update(&frame[..body]).finalize_xof().fill(&mut sum);
    frame[body..].copy_from_slice(&sum);
    frame
}

/// Returns the payload of a frame.
pub(crate) fn payload(frame: &[u8]) -> &[u8] {
    &frame[PAYLOAD..frame.len() - CHECKSUM]
}

/// Returns the frame with another payload.
pub(crate) fn with_payload(frame: &[u8], payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u64).to_le_bytes();
    repaired([&frame[..PAYLOAD - 8], &length, payload, &[0; CHECKSUM]].concat())
}

/// Returns the frame with these bytes at an offset of its payload.
pub(crate) fn with_bytes(frame: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut frame = frame.to_vec();
    frame[PAYLOAD + at..][..bytes.len()].copy_from_slice(bytes);
    repaired(frame)
}
