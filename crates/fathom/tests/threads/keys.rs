//! Expanded keys that evaluators, threads and processes share.

use super::{decrypted, encrypted, ends, in_child, keys, rng};
use fathom::tfhe::integer::Integers;
use fathom::tfhe::{ClientKey, EvaluationKeys, Params};
use fathom::wire::WireError;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder of this test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("fathom-threads-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn small_key() -> (Params, EvaluationKeys) {
    let params = Params::preset("u_bool_40").unwrap();
    let client = ClientKey::generate(&params, &mut rng(3));
    let keys = client.evaluation_keys(&mut rng(4)).unwrap();
    (params, keys)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn evaluators_share_one_key_in_memory() {
    let key = Arc::clone(&keys().1);
    let before = Arc::strong_count(&key);
    let both = [1, 2].map(|threads| Integers::with_keys(Arc::clone(&key), threads).unwrap());
    assert_eq!(Arc::strong_count(&key), before + 2);
    let x = encrypted(&[5]);
    let sums = both.each_ref().map(|integers| integers.add(&x[0], 1_u8).unwrap());
    assert_eq!(decrypted(&sums), [6, 6]);
}

#[test]
fn writers_of_one_file_do_not_disturb_each_other_or_a_reader() {
    ends(|| {
        let (folder, (params, keys)) = (Folder::new("writers"), small_key());
        let path = folder.0.join("keys");
        keys.write_to(&path).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| (0..4).for_each(|_| keys.write_to(&path).unwrap()));
                scope.spawn(|| {
                    for _ in 0..4 {
                        let read = EvaluationKeys::read_from(&params, &path).unwrap();
                        assert_eq!(read.key_id(), keys.key_id());
                    }
                });
            }
        });
        assert_eq!(names(&folder.0), ["keys"]);
    });
}

#[test]
fn a_file_that_cannot_be_replaced_leaves_no_other_behind() {
    let (folder, (_, keys)) = (Folder::new("folder"), small_key());
    let path = folder.0.join("keys");
    fs::create_dir_all(path.join("not empty")).unwrap();
    keys.write_to(&path).unwrap_err();
    assert_eq!(names(&folder.0), ["keys"]);
}

#[test]
fn bytes_of_expanded_keys_are_those_of_the_file() {
    let (folder, (params, keys)) = (Folder::new("bytes"), small_key());
    let path = folder.0.join("keys");
    keys.write_to(&path).unwrap();
    let bytes = keys.to_bytes();
    assert!(bytes == fs::read(&path).unwrap());
    let read = EvaluationKeys::from_bytes(&params, &bytes).unwrap();
    assert!(read.to_bytes() == bytes && read.key_id() == keys.key_id());
}

#[test]
fn damaged_bytes_of_expanded_keys_are_refused() {
    let (params, keys) = small_key();
    let bytes = keys.to_bytes();
    let refused = |bytes: &[u8]| EvaluationKeys::from_bytes(&params, bytes).unwrap_err();
    assert_eq!(refused(&[]), WireError::Truncated { needed: 4096, got: 0 }.into());
    let (needed, got) = (bytes.len(), bytes.len() - 1);
    assert_eq!(refused(&bytes[..got]), WireError::Truncated { needed, got }.into());
    let mut changed = bytes;
    changed[needed / 2] ^= 1;
    assert_eq!(refused(&changed), WireError::Checksum.into());
    changed.push(0);
    assert_eq!(refused(&changed), WireError::TrailingBytes { extra: 1 }.into());
}

/// A program chooses the threads of the global pool itself, after it has read its keys.
#[test]
fn keys_are_made_and_read_without_the_global_pool_of_rayon() {
    let test = "keys::keys_are_made_and_read_without_the_global_pool_of_rayon";
    in_child(test, &[], || {
        let (folder, (params, keys)) = (Folder::new("global"), small_key());
        let path = folder.0.join("keys");
        keys.write_to(&path).unwrap();
        EvaluationKeys::read_from(&params, &path).unwrap();
        rayon::ThreadPoolBuilder::new().num_threads(1).build_global().unwrap();
    });
}
