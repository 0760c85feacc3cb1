//! Files of expanded evaluation keys.

use fathom::tfhe::boolean::{Gate, Gates};
use fathom::tfhe::integer::{FheUint8, Integers};
use fathom::tfhe::{ClientKey, EvaluationKeys, Params};
use fathom::wire::WireError;
use fathom::{Error, SecretRng};
use std::fs;
use std::path::PathBuf;

/// The bytes of the header.
const PAGE: usize = 4096;

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("fathom-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn client(name: &str) -> (ClientKey, SecretRng) {
    let mut rng = SecretRng::insecure_from_seed(17);
    (ClientKey::generate(&Params::preset(name).unwrap(), &mut rng), rng)
}

/// Keys that were read give the same ciphertexts as those that were written.
#[test]
fn keys_of_a_file_are_those_that_were_written() {
    let folder = Folder::new("same");
    for name in ["u_bool_40", "b_bool_40"] {
        let (client, mut rng) = client(name);
        let keys = client.evaluation_keys(&mut rng).unwrap();
        let path = folder.file(name);
        keys.write_to(&path).unwrap();
        let read = EvaluationKeys::read_from(client.params(), &path).unwrap();
        assert_eq!((read.key_id(), read.byte_len()), (keys.key_id(), keys.byte_len()));
        let [a, b] = [true, false].map(|bit| client.encrypt(bit, &mut rng).unwrap());
        let gate = |keys| Gates::with_keys(keys, 1).unwrap().gate(Gate::Xor(&a, &b)).unwrap();
        let (written, read) = (gate(keys), gate(read));
        assert_eq!(written, read, "{name}");
        assert!(client.decrypt(&read).unwrap());
    }
}

/// The set of integers has keys of every kind.
#[test]
fn integers_compute_under_keys_of_a_file() {
    let folder = Folder::new("integers");
    let (client, mut rng) = client(Params::INTEGERS);
    let path = folder.file("keys");
    client.evaluation_keys(&mut rng).unwrap().write_to(&path).unwrap();
    let length = fs::metadata(&path).unwrap().len() as usize;
    let keys = EvaluationKeys::read_from(client.params(), &path).unwrap();
    assert!((keys.byte_len()..keys.byte_len() + 20 * PAGE).contains(&length));
    let integers = Integers::with_keys(keys, 2).unwrap();
    let [a, b]: [FheUint8; 2] = [17_u8, 11].map(|value| client.encrypt(value, &mut rng).unwrap());
    // A product reads encrypted tables, which need the automorphism keys.
    let product = integers.mul(&a, &b).unwrap();
    assert_eq!(client.decrypt(&product).unwrap(), 187);
}

#[test]
fn files_that_are_damaged_or_of_others_are_refused() {
    let folder = Folder::new("damage");
    let (client, mut rng) = client("u_bool_40");
    let params = client.params();
    let path = folder.file("keys");
    let absent = EvaluationKeys::read_from(params, &path).unwrap_err();
    assert!(matches!(&absent, Error::File { path, .. } if path.ends_with("keys")), "{absent}");
    let keys = client.evaluation_keys(&mut rng).unwrap();
    let nowhere = keys.write_to(folder.file("no/such/folder")).unwrap_err();
    assert!(matches!(nowhere, Error::File { .. }), "{nowhere}");
    keys.write_to(&path).unwrap();
    let bytes = fs::read(&path).unwrap();

    let other = Params::preset("u_bool_64").unwrap();
    let refused = EvaluationKeys::read_from(&other, &path).unwrap_err();
    assert!(matches!(refused, Error::ParamsMismatch { .. }), "{refused}");

    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        let path = folder.file("changed");
        fs::write(&path, bytes).unwrap();
        match EvaluationKeys::read_from(params, &path).unwrap_err() {
            Error::Wire(error) => error,
            error => panic!("{error}"),
        }
    };
    let at = |place: usize| changed(&|bytes| bytes[place] ^= 1);
    assert_eq!(at(3), WireError::Magic);
    assert_eq!(at(8), WireError::Version { got: 0, reads: 1 });
    assert_eq!(at(10), WireError::Malformed { field: "byte order" });
    // The key id, the unit, the hash, and rows of each kind.
    let rows = [PAGE, PAGE + bytes.len() / 2, bytes.len() - PAGE];
    for place in [44, 60, 68].into_iter().chain(rows) {
        assert_eq!(at(place), WireError::Checksum, "byte {place}");
    }
    let zero = |range: std::ops::Range<usize>| changed(&|bytes| bytes[range.clone()].fill(0));
    assert_eq!(zero(44..60), WireError::Malformed { field: "key id" });
    assert_eq!(zero(60..68), WireError::Malformed { field: "unit" });
    assert_eq!(at(200), WireError::Malformed { field: "filling" });
    let needed = bytes.len();
    let cut = |length: usize| changed(&|bytes| bytes.truncate(length));
    assert_eq!(cut(needed - 1), WireError::Truncated { needed, got: needed - 1 });
    assert_eq!(cut(PAGE), WireError::Truncated { needed, got: PAGE });
    assert_eq!(cut(9), WireError::Truncated { needed: PAGE, got: 9 });
    assert_eq!(changed(&|bytes| bytes.push(0)), WireError::TrailingBytes { extra: 1 });
}

/// A change of the layout of keys in memory, which is that of files, needs another version: values
/// of one key, in units that hide differences between kernels, are compared with those on record.
#[test]
fn the_layout_of_version_1_is_on_record() {
    let folder = Folder::new("layout");
    let (client, mut rng) = client("u_bool_40");
    let path = folder.file("keys");
    client.evaluation_keys(&mut rng).unwrap().write_to(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let doubles = bytes[PAGE..].as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes));
    let sample: Vec<f64> = doubles.step_by(9973).take(60).collect();
    let greatest = sample.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
    let close = |(x, record): (&f64, f64)| (x / greatest * 1000.0 - record).abs() < 0.501;
    assert!(sample.len() == LAYOUT.len() && sample.iter().zip(LAYOUT).all(close), "{sample:?}");
}

#[rustfmt::skip]
const LAYOUT: [f64; 60] = [
    -685.0, 74.0, -193.0, 69.0, -30.0, -543.0, 43.0, -773.0, -476.0, -442.0, 100.0, -13.0,
    -100.0, -269.0, -953.0, 449.0, 301.0, -434.0, 105.0, 436.0, 359.0, 651.0, -258.0, 309.0,
    -335.0, 592.0, 262.0, 117.0, -631.0, 1000.0, 448.0, 317.0, -659.0, -63.0, 301.0, -432.0,
    -52.0, 378.0, -455.0, -155.0, -82.0, 655.0, 201.0, 563.0, 171.0, -42.0, 371.0, -265.0,
    -24.0, 243.0, -549.0, 625.0, -65.0, 129.0, -26.0, 20.0, 801.0, 180.0, 81.0, 34.0,
];
