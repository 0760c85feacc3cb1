//! Programs with threads of rayon, tokio and the standard library around one evaluator: none hangs,
//! none aborts, and as many operations are in progress as the program has threads.

use fathom::prelude::*;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::time::Duration;

type Outcome = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// Runs a program on a thread of its own, and fails if it takes minutes.
fn ends(program: impl FnOnce() -> Outcome + Send + 'static) -> Outcome {
    let (done, result) = mpsc::channel();
    std::thread::spawn(move || done.send(program()));
    result.recv_timeout(Duration::from_secs(600)).map_err(|_| "the program hangs or panics")?
}

/// Gates with two encrypted operands.
struct Service {
    client: tfhe::ClientKey,
    gates: Gates,
    bits: [Bit; 2],
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Service {
    fn start(threads: usize) -> Result<Service, Error> {
        let mut rng = SecretRng::from_os()?;
        let client = tfhe::ClientKey::generate(&tfhe::Params::preset("u_bool_40")?, &mut rng);
        let gates = Gates::with_keys(client.evaluation_keys(&mut rng)?, threads)?;
        let bits = [client.encrypt(true, &mut rng)?, client.encrypt(false, &mut rng)?];
        Ok(Service { client, gates, bits, now: AtomicUsize::new(0), most: AtomicUsize::new(0) })
    }

    /// Evaluates three gates in one call and checks them.
    fn request(&self) -> Outcome {
        let [a, b] = &self.bits;
        self.most.fetch_max(self.now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let results = self.gates.evaluate(&[Gate::Xor(a, b), Gate::And(a, b), Gate::Or(a, b)]);
        self.now.fetch_sub(1, Ordering::SeqCst);
        for (result, expected) in results?.iter().zip([true, false, true]) {
            assert_eq!(self.client.decrypt(result)?, expected);
        }
        Ok(())
    }
}

#[test]
fn a_loop_of_rayon() -> Outcome {
    ends(|| {
        for threads in [1, 2] {
            let service = Service::start(threads)?;
            (0..24).into_par_iter().try_for_each(|_| service.request())?;
            assert!(service.most.into_inner() <= rayon::current_num_threads());
        }
        Ok(())
    })
}

#[test]
fn a_pool_of_rayon_with_nested_loops() -> Outcome {
    ends(|| {
        let service = Service::start(2)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
        pool.install(|| {
            (0..4)
                .into_par_iter()
                .try_for_each(|_| (0..4).into_par_iter().try_for_each(|_| service.request()))
        })?;
        assert!(service.most.into_inner() <= 2);
        Ok(())
    })
}

#[test]
fn blocking_tasks_of_tokio() -> Outcome {
    ends(|| {
        let service = Arc::new(Service::start(2)?);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build()?;
        runtime.block_on(async {
            let tasks = (0..12).map(|_| {
                let service = Arc::clone(&service);
                tokio::task::spawn_blocking(move || service.request())
            });
            for task in tasks.collect::<Vec<_>>() {
                task.await??;
            }
            Ok(())
        })
    })
}

#[test]
fn threads_of_the_standard_library() -> Outcome {
    ends(|| {
        let service = Service::start(1)?;
        std::thread::scope(|scope| {
            let threads = (0..4).map(|_| scope.spawn(|| service.request())).collect::<Vec<_>>();
            threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
        })
    })
}

/// The closures share a lock and a value that one of them computes.
#[test]
fn a_map_whose_closures_wait_for_each_other() -> Outcome {
    ends(|| {
        let mut rng = SecretRng::from_os()?;
        let client = tfhe::ClientKey::generate(&tfhe::Params::preset("u_2_2_40")?, &mut rng);
        let integers = Integers::with_keys(client.evaluation_keys(&mut rng)?, 2)?;
        let values = client.encrypt_many::<FheUint8>([3_u8, 200], &mut rng)?;
        let (log, offset) = (Mutex::new(Vec::new()), OnceLock::new());
        let sums = integers.map(&values, |e, x| {
            let mut log = log.lock().expect("no panic");
            let offset = offset.get_or_init(|| e.add(x, 1_u8));
            let sum = e.add(x, offset.as_ref().map_err(|_| Error::DivisionByZero)?)?;
            log.push(sum.value_type());
            Ok(sum)
        })?;
        let sums = [client.decrypt(&sums[0])?, client.decrypt(&sums[1])?];
        // Either closure may have been the first.
        assert!(sums == [7, 204] || sums == [204, 145], "{sums:?}");
        assert_eq!(log.into_inner()?.len(), 2);
        Ok(())
    })
}

/// A thread cancels what another one computes.
#[test]
fn a_request_is_cancelled() -> Outcome {
    ends(|| {
        let service = Service::start(2)?;
        let token = CancelToken::new();
        let gates = Gates::new(service.gates.evaluator().with_cancel(&token))?;
        let [a, b] = &service.bits;
        let many = vec![Gate::Xor(a, b); 100_000];
        let result = std::thread::scope(|scope| {
            let running = scope.spawn(|| gates.evaluate(&many));
            token.cancel();
            running.join().expect("no panic")
        });
        assert!(matches!(result, Err(Error::Cancelled)));
        service.request()
    })
}
