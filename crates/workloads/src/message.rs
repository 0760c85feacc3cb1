//! Messages between the roles: a list of byte strings, each after its length as a little-endian
//! integer of 8 bytes.

use crate::Error;

/// Joins parts into one message.
pub fn join(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut message = Vec::with_capacity(parts.iter().map(|part| part.len() + 8).sum());
    for part in parts {
        message.extend_from_slice(&(part.len() as u64).to_le_bytes());
        message.extend_from_slice(part);
    }
    message
}

/// Splits a message into its parts, without copying them.
///
/// # Errors
/// [`Error::Message`] if a length exceeds the bytes that follow it.
pub fn split(mut message: &[u8]) -> Result<Vec<&[u8]>, Error> {
    let mut parts = Vec::new();
    while !message.is_empty() {
        let cut = || Error::Message(format!("part {} is cut off", parts.len()));
        let (length, rest) = message.split_first_chunk().ok_or_else(cut)?;
        let length = u64::from_le_bytes(*length);
        let length = usize::try_from(length).ok().filter(|length| *length <= rest.len());
        let (part, rest) = rest.split_at(length.ok_or_else(cut)?);
        parts.push(part);
        message = rest;
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_and_cut_messages_do_not() {
        let parts = vec![vec![1, 2, 3], vec![], vec![9]];
        let message = join(&parts);
        assert_eq!(split(&message).unwrap(), parts);
        assert!(split(&message[..message.len() - 1]).is_err());
        assert!(split(&message[..5]).is_err());
        assert!(split(&u64::MAX.to_le_bytes()).is_err());
    }
}
