//! Cancellation of long operations.

use super::{InProgress, encrypted, ends, integers, keys, rng, simulated};
use fathom::rlwe::modular::{Preset, Rotations};
use fathom::tfhe::Params;
use fathom::tfhe::integer::{FheUint8, Integers};
use fathom::{CancelToken, Error, bfv, ckks};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Starts an operation that takes half a minute or more on an evaluator of two threads with a
/// token, which is cancelled after a moment. It must end within seconds.
fn ends_when_cancelled<R>(operation: impl FnOnce(&Integers) -> Result<R, Error> + Send + 'static)
where
    R: Send + 'static,
{
    ends(move || {
        let token = CancelToken::new();
        let integers = integers(2).with_cancel(&token);
        let start = Instant::now();
        let result = std::thread::scope(|scope| {
            let running = scope.spawn(|| operation(&integers));
            sleep(Duration::from_millis(300));
            token.cancel();
            running.join().unwrap()
        });
        assert!(matches!(result, Err(Error::Cancelled)));
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    });
}

/// Returns four values, so many times.
fn long_list(times: usize) -> Vec<FheUint8> {
    std::iter::repeat_n(encrypted(&[7, 1, 250, 3]), times).flatten().collect()
}

#[test]
fn a_sort_is_cancelled() {
    let list = long_list(64);
    ends_when_cancelled(move |integers| integers.sort(&list));
}

#[test]
fn operations_in_step_are_cancelled() {
    let list = long_list(64);
    ends_when_cancelled(move |integers| integers.map(&list, |e, x| e.div(x, x)));
}

#[test]
fn one_layer_of_many_bootstraps_is_cancelled() {
    let packing = keys().0.packing_keys(&mut rng(8)).unwrap();
    let server = integers(2).with_packing_keys(packing).unwrap();
    let list = server.compress_list(&long_list(250)).unwrap();
    ends_when_cancelled(move |integers| integers.decompress_list::<FheUint8>(&list));
}

#[test]
fn nothing_is_computed_once_the_token_is_cancelled() {
    let token = CancelToken::new();
    let integers = integers(2).with_cancel(&token.clone());
    let x = encrypted(&[7]);
    integers.add(&x[0], 1_u8).unwrap();
    let before = integers.counts();
    token.cancel();
    assert!(token.is_cancelled());
    assert!(matches!(integers.add(&x[0], 1_u8), Err(Error::Cancelled)));
    assert_eq!(integers.counts(), before);
}

#[test]
fn closures_of_a_map_are_called_no_more_once_their_operation_is_cancelled() {
    let params = Params::preset(Params::INTEGERS).unwrap();
    let (token, calls) = (CancelToken::new(), InProgress::default());
    let integers = Integers::simulated(&params).unwrap().with_cancel(&token);
    let elements: Vec<u8> = (0..200).collect();
    let result = integers.map(&elements, |e, &x| {
        calls.count(|| token.cancel());
        e.add(&simulated(x), 1_u8)
    });
    assert!(matches!(result, Err(Error::Cancelled)));
    assert!(calls.most() <= 64);
}

#[test]
fn another_token_does_not_cancel() {
    let (token, other) = (CancelToken::new(), CancelToken::new());
    let params = Params::preset(Params::INTEGERS).unwrap();
    let integers = Integers::simulated(&params).unwrap().with_cancel(&token);
    other.cancel();
    integers.add(&simulated(1), 1_u8).unwrap();
    token.cancel();
    integers.with_cancel(&CancelToken::new()).add(&simulated(1), 1_u8).unwrap();
}

#[test]
fn operations_of_ring_schemes_are_cancelled() {
    let mut rng = rng(9);
    let params = bfv::Params::preset(Preset::E1).unwrap();
    let secret = bfv::SecretKey::generate(&params, &mut rng);
    let keys = secret.evaluation_keys(&Rotations::steps(&[1]), &mut rng).unwrap();
    let x = secret.encrypt(&params.encode(&[1]).unwrap(), &mut rng).unwrap();
    let token = CancelToken::new();
    let evaluator = bfv::Evaluator::new(keys).with_cancel(&token);
    evaluator.mul(&x, &x).unwrap();
    token.cancel();
    let refused = [
        evaluator.mul(&x, &x),
        evaluator.add(&x, &x),
        evaluator.rotate(&x, 1),
        evaluator.evaluate_polynomial(&x, &[1, 2]),
    ];
    assert!(refused.iter().all(|result| matches!(result, Err(Error::Cancelled))));

    let params = ckks::Params::preset(ckks::Preset::E3Depth1).unwrap();
    let secret = ckks::SecretKey::generate(&params, &mut rng);
    let matrix = vec![vec![0.1; 8]; 8];
    let map = ckks::LinearMap::for_level(&params, &matrix, params.top_level()).unwrap();
    let keys = secret.evaluation_keys(&map.rotations(), &mut rng).unwrap();
    let packed = map.pack(&[0.5; 8]).unwrap();
    let x = packed.try_map(|packed| secret.encrypt(packed, &mut rng)).unwrap();
    let evaluator = ckks::Evaluator::new(keys).with_cancel(&token);
    assert!(matches!(evaluator.transform(&map, &x), Err(Error::Cancelled)));
}
