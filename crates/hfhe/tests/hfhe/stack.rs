//! No copy of a secret key stays on the stack (fault L5 for HFHE).

use fathom::SecretRng;
use fathom_hfhe::{Workers, compat, native};
use std::hint::black_box;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

const DEPTH: usize = 192 << 10;

/// Calls `act` deeper in the stack than the search that follows.
#[inline(never)]
fn deeper(act: impl FnOnce()) {
    let room = black_box([0_u8; 16 << 10]);
    act();
    black_box(&room);
}

/// Returns the number of pieces of 16 bytes of a secret, whose bits are inverted here, below `top`;
/// `None` if the system does not expose the stack.
#[inline(never)]
fn found(top: usize, inverted: &[u8]) -> Option<usize> {
    let mut memory = std::fs::File::open("/proc/self/mem").ok()?;
    memory.seek(SeekFrom::Start((top - DEPTH) as u64)).ok()?;
    let mut bytes = vec![0; DEPTH];
    memory.read_exact(&mut bytes).ok()?;
    let is_piece = |window: &[u8]| {
        inverted.chunks_exact(16).any(|piece| piece.iter().zip(window).all(|(a, b)| *a == !b))
    };
    Some(bytes.windows(16).step_by(4).filter(|window| is_piece(window)).count())
}

/// Runs `act` on a fresh stack and returns the number of pieces of the secret that it leaves there.
#[expect(clippy::large_stack_arrays, reason = "the stack is what is looked at")]
fn left_by(act: impl FnOnce() + Send + 'static, inverted: Vec<u8>) -> Option<usize> {
    let run = move || {
        // Pages of the stack that were never touched cannot be read.
        black_box([1_u8; 2 * DEPTH]);
        let anchor = 0_u64; // Aligned, as copies of keys are.
        deeper(act);
        found(std::ptr::from_ref(black_box(&anchor)).addr(), &inverted)
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap()
}

/// Returns the payload of a secret key's frame with inverted bits, so that the search does not find
/// this copy.
fn hidden(frame: &[u8]) -> Vec<u8> {
    frame[72..frame.len() - 16].iter().map(|byte| !byte).collect()
}

/// Asserts that no piece of a key was found, where memory can be read.
fn assert_nothing_left(pieces: Option<usize>) {
    match pieces {
        None => println!("SKIPPED: /proc/self/mem cannot be read"),
        Some(count) => assert_eq!(count, 0, "pieces of the key found"),
    }
}

/// Returns the generator of keys.
fn generator() -> SecretRng {
    SecretRng::insecure_from_seed(6)
}

/// Returns the generator of encryptions. From that of the keys, the public seed of the encryption
/// would equal the first bytes of the key, and finding it on the stack would mean nothing.
fn other_generator() -> SecretRng {
    SecretRng::insecure_from_seed(7)
}

#[test]
fn l5_no_native_key_stays_on_the_stack() {
    let inverted = hidden(&native::SecretKey::generate(&mut generator()).to_secret_bytes());
    let act = || {
        let key = native::SecretKey::generate(&mut generator());
        let bytes = key.to_secret_bytes();
        let read = native::SecretKey::from_secret_bytes(&bytes).unwrap();
        let x = read.encrypt_u64(5, &mut other_generator());
        assert_eq!(key.decrypt_any_circuit(&x).unwrap(), 5_u64.into());
    };
    assert_nothing_left(left_by(act, inverted));
}

/// Each operation alone, since what one leaves may be overwritten by the next.
#[test]
fn l5_encryption_and_decryption_leave_no_native_key() {
    let key = Arc::new(native::SecretKey::generate(&mut generator()));
    let inverted = hidden(&key.to_secret_bytes());
    let x = key.encrypt_u64(5, &mut generator());
    let cube = x.square().unwrap().mul(&x).unwrap();
    for ciphertext in [x, cube] {
        let key = Arc::clone(&key);
        let act = move || {
            key.decrypt_any_circuit(&ciphertext).unwrap();
        };
        assert_nothing_left(left_by(act, inverted.clone()));
    }
    let act = move || {
        key.encrypt_u64(5, &mut other_generator());
    };
    assert_nothing_left(left_by(act, inverted));
}

#[test]
fn l5_no_compatible_key_stays_on_the_stack() {
    let generate = || compat::SecretKey::generate(&mut generator(), &Workers::one()).unwrap();
    let inverted = hidden(&generate().to_secret_bytes());
    let act = move || {
        let key = generate();
        let bytes = key.to_secret_bytes();
        let read = compat::SecretKey::from_secret_bytes(key.public(), &bytes).unwrap();
        let x = read.encrypt_u64(5, &mut other_generator());
        assert_eq!(key.decrypt_any_circuit(&x).unwrap(), 5_u64.into());
    };
    assert_nothing_left(left_by(act, inverted));
}

/// Each operation alone, since what one leaves may be overwritten by the next.
#[test]
fn l5_no_operation_leaves_a_compatible_key() {
    let generate = || compat::SecretKey::generate(&mut generator(), &Workers::one()).unwrap();
    let key = Arc::new(generate());
    let bytes = key.to_secret_bytes();
    let inverted = hidden(&bytes);
    let x = key.encrypt_u64(5, &mut other_generator());
    let operations: [fn(&compat::SecretKey, &[u8], &compat::Ciphertext); 4] = [
        |key, bytes, _| drop(compat::SecretKey::from_secret_bytes(key.public(), bytes).unwrap()),
        |key, _, _| drop(key.encrypt_u64(5, &mut other_generator())),
        |key, _, x| assert_eq!(key.decrypt_any_circuit(x).unwrap(), 5_u64.into()),
        |key, _, _| drop(key.to_secret_bytes()),
    ];
    for operation in operations {
        let (key, bytes, x) = (Arc::clone(&key), bytes.to_vec(), x.clone());
        assert_nothing_left(left_by(move || operation(&key, &bytes, &x), inverted.clone()));
    }
    assert_nothing_left(left_by(move || drop(generate()), inverted));
}

#[test]
fn l5_copies_on_the_stack_are_found_where_they_are() {
    let inverted = hidden(&native::SecretKey::generate(&mut generator()).to_secret_bytes());
    let act = || {
        let bytes = native::SecretKey::generate(&mut generator()).to_secret_bytes();
        let key: [u8; 32] = *bytes[72..].first_chunk().unwrap();
        black_box(key);
    };
    if let Some(count) = left_by(act, inverted) {
        assert!(count > 0);
    }
}
