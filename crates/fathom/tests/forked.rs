//! Two processes that draw the same objects after a fork, and the comparison of what they draw.
#![allow(dead_code, reason = "every test binary uses its own part")]

use fathom::SecretRng;
use std::io::{PipeWriter, Read, Write, pipe};
use std::process::exit;

/// The parts of ciphertexts that a scheme draws, each with its name and its bytes.
pub(crate) type Drawn = Vec<(String, Vec<u8>)>;
pub(crate) type Case = Box<dyn FnOnce() -> Drawn>;

pub(crate) fn named(name: &str, parts: impl IntoIterator<Item = (&'static str, Vec<u8>)>) -> Drawn {
    parts.into_iter().map(|(part, bytes)| (format!("{name}: {part}"), bytes)).collect()
}

pub(crate) fn words(numbers: impl IntoIterator<Item = u64>) -> Vec<u8> {
    numbers.into_iter().flat_map(u64::to_le_bytes).collect()
}

pub(crate) fn rng() -> SecretRng {
    SecretRng::from_os().unwrap()
}

fn draw(cases: Vec<Case>) -> Drawn {
    cases.into_iter().flat_map(|case| case()).collect()
}

fn send(drawn: &Drawn, mut to: PipeWriter) {
    for (name, bytes) in drawn {
        for part in [name.as_bytes(), bytes] {
            to.write_all(&(part.len() as u32).to_le_bytes()).unwrap();
            to.write_all(part).unwrap();
        }
    }
}

fn receive(mut bytes: &[u8]) -> Drawn {
    let mut part = || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (part, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        bytes = rest;
        Some(part.to_vec())
    };
    let mut drawn = Vec::new();
    while let (Some(name), Some(bytes)) = (part(), part()) {
        drawn.push((String::from_utf8(name).unwrap(), bytes));
    }
    drawn
}

/// Returns the greatest number of equal bytes in a row at the same places.
fn longest_agreement(left: &[u8], right: &[u8]) -> usize {
    let agree = left.iter().zip(right).map(|(a, b)| a == b);
    let (_, longest) = agree.fold((0, 0), |(now, longest), equal| {
        let now = if equal { now + 1 } else { 0 };
        (now, longest.max(now))
    });
    longest
}

/// Runs the cases in a child and in this process, and fails if both draw the same.
pub(crate) fn run(cases: Vec<Case>) {
    let (mut from_child, to_parent) = pipe().unwrap();
    match fork::fork().unwrap() {
        fork::Fork::Child => {
            drop(from_child);
            send(&draw(cases), to_parent);
            exit(0);
        }
        fork::Fork::Parent(child) => {
            drop(to_parent);
            let mut bytes = Vec::new();
            from_child.read_to_end(&mut bytes).unwrap();
            let (own, others) = (draw(cases), receive(&bytes));
            fork::waitpid(child).unwrap();
            compare(&own, &others);
        }
    }
}

fn compare(own: &Drawn, others: &Drawn) {
    assert_eq!(own.len(), others.len(), "the child failed");
    let mut equal = Vec::new();
    for ((name, left), (other, right)) in own.iter().zip(others) {
        assert_eq!(name, other);
        // Frames agree in their headers, of less than 200 bytes, and nowhere else.
        let skipped = if left.starts_with(b"FATHOM") { 200.min(left.len() / 2) } else { 0 };
        let rest = [left, right].map(|bytes| bytes.get(skipped..).unwrap_or_default());
        let agreement = longest_agreement(rest[0], rest[1]);
        println!("fork: {name}: {} bytes, {agreement} in a row agree", left.len());
        if left == right || agreement >= 32 {
            equal.push(name);
        }
    }
    assert!(equal.is_empty(), "parent and child drew the same: {equal:?}");
}
