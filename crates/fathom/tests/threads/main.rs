//! Programs with threads: none hangs, none aborts, and as many operations are in progress as the
//! program has threads.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_assert_message,
    reason = "a failure here fails the test"
)]

mod cancel;
mod keys;
mod lists;
mod loops;
mod maps;
mod numbers;

use fathom::SecretRng;
use fathom::tfhe::integer::{FheUint8, Integers, Typed};
use fathom::tfhe::{Block, ClientKey, EvaluationKeys, Params};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;

/// The environment variable that names the test whose program a child process runs.
const CHILD: &str = "FATHOM_THREADS_CHILD";

/// Runs a program on a thread of its own, and fails if it takes minutes.
fn ends<R: Send + 'static>(program: impl FnOnce() -> R + Send + 'static) -> R {
    let (done, result) = mpsc::channel();
    let running = std::thread::spawn(move || drop(done.send(program())));
    match result.recv_timeout(Duration::from_mins(5)) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("the program hangs"),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            std::panic::resume_unwind(running.join().unwrap_err())
        }
    }
}

/// Runs `program` in a process of its own, in which nothing ran before: this test program once
/// more, restricted to the test of this name.
fn in_child(test: &str, variables: &[(&str, &str)], program: impl FnOnce() + Send + 'static) {
    if std::env::var(CHILD).is_ok_and(|name| name == test) {
        return ends(program);
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test]).env(CHILD, test).envs(variables.iter().copied());
    let output = child.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

/// Keys for integers, generated once.
fn keys() -> &'static (ClientKey, Arc<EvaluationKeys>) {
    static KEYS: OnceLock<(ClientKey, Arc<EvaluationKeys>)> = OnceLock::new();
    KEYS.get_or_init(|| {
        let mut rng = rng(1);
        let client = ClientKey::generate(&Params::preset("u_2_2_40").unwrap(), &mut rng);
        let keys = client.evaluation_keys(&mut rng).unwrap();
        (client, Arc::new(keys))
    })
}

fn rng(seed: u64) -> SecretRng {
    SecretRng::insecure_from_seed(seed)
}

/// Returns integers on this number of threads.
fn integers(threads: usize) -> Integers {
    Integers::with_keys(Arc::clone(&keys().1), threads).unwrap()
}

fn encrypted(values: &[u8]) -> Vec<FheUint8> {
    let mut rng = rng(2);
    values.iter().map(|&value| keys().0.encrypt(value, &mut rng).unwrap()).collect()
}

/// Returns an integer for a simulation.
fn simulated(value: u8) -> FheUint8 {
    let space = Params::preset(Params::INTEGERS).unwrap().space();
    let digits = (0..4).map(|i| Block::simulated(space, i32::from(value) >> (2 * i) & 3, (0, 3)));
    FheUint8::from_blocks(digits.collect()).unwrap()
}

fn decrypted(values: &[FheUint8]) -> Vec<u8> {
    values.iter().map(|value| keys().0.decrypt(value).unwrap()).collect()
}

/// Counts what is in progress at a time.
#[derive(Default)]
struct InProgress {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl InProgress {
    fn count<R>(&self, work: impl FnOnce() -> R) -> R {
        self.most.fetch_max(self.now.fetch_add(1, SeqCst) + 1, SeqCst);
        let result = work();
        self.now.fetch_sub(1, SeqCst);
        result
    }

    fn most(&self) -> usize {
        self.most.load(SeqCst)
    }
}
