//! The number of threads is checked before any is started.

use fathom::tfhe::{ClientKey, Evaluator, Params};
use fathom::{MAX_THREADS, SecretRng};

#[test]
fn m2_absurd_numbers_of_threads_are_refused() {
    let mut rng = SecretRng::insecure_from_seed(1);
    let client = ClientKey::generate(&Params::preset(Params::GATES).unwrap(), &mut rng);
    let seeded = client.seeded_evaluation_keys(&mut rng).unwrap();
    for threads in [MAX_THREADS + 1, 100_000, usize::MAX] {
        let key = seeded.expand().unwrap();
        let error = Evaluator::new(key, threads).unwrap_err();
        assert_eq!(error, fathom::Error::TooManyThreads { threads, limit: MAX_THREADS });
        let text = error.to_string();
        assert!(text.contains(&threads.to_string()) && text.contains("for each core"), "{text}");
    }
}
