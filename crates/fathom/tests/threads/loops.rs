//! Operations in loops of rayon and on threads of programs.

use super::{InProgress, decrypted, encrypted, ends, in_child, integers, keys, rng};
use fathom::tfhe::integer::{FheUint8, FheValue, Integers};
use fathom::tfhe::{ClientKey, Params};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// An operation of several bootstraps, counted while it is in progress.
fn and(integers: &Integers, [a, b]: [&FheUint8; 2], progress: &InProgress) {
    let result = progress.count(|| integers.and(a, b).unwrap());
    assert_eq!(keys().0.decrypt(&result).unwrap(), 0b1000);
}

fn operands() -> [FheUint8; 2] {
    encrypted(&[0b1100, 0b1010]).try_into().unwrap()
}

#[test]
fn a_parallel_loop_has_one_operation_in_progress_for_each_of_its_threads() {
    ends(|| {
        let [a, b] = operands();
        for (threads, own) in [(1, 2), (2, 1), (2, 2), (3, 2)] {
            let (integers, progress) = (integers(own), InProgress::default());
            pool(threads).install(|| {
                (0..12).into_par_iter().for_each(|_| and(&integers, [&a, &b], &progress));
            });
            assert!(progress.most() <= threads, "{} on {threads} threads", progress.most());
        }
    });
}

/// The global pool of rayon, of one thread and of two.
#[test]
fn a_loop_of_the_global_pool_neither_aborts_nor_hangs() {
    for threads in ["1", "2"] {
        let variables = [("RAYON_NUM_THREADS", threads)];
        let test = "loops::a_loop_of_the_global_pool_neither_aborts_nor_hangs";
        in_child(test, &variables, || {
            let ([a, b], integers) = (operands(), integers(2));
            let progress = InProgress::default();
            (0..40).into_par_iter().for_each(|_| and(&integers, [&a, &b], &progress));
            assert!(progress.most() <= rayon::current_num_threads());
        });
    }
}

#[test]
fn nested_loops_scopes_and_joins_have_one_operation_in_progress_for_each_thread() {
    ends(|| {
        let ([a, b], integers) = (operands(), integers(2));
        let progress = InProgress::default();
        let one = || and(&integers, [&a, &b], &progress);
        pool(2).install(|| {
            (0..4).into_par_iter().for_each(|_| (0..3).into_par_iter().for_each(|_| one()));
            rayon::scope(|scope| (0..6).for_each(|_| scope.spawn(|_| one())));
            rayon::join(|| rayon::join(one, one), || rayon::join(one, one));
        });
        assert!(progress.most() <= 2, "{}", progress.most());
    });
}

#[test]
fn operations_within_pools_within_pools_end() {
    ends(|| {
        let ([a, b], integers) = (operands(), integers(2));
        let (outer, inner, progress) = (pool(2), pool(2), InProgress::default());
        outer.install(|| {
            (0..8).into_par_iter().for_each(|_| {
                inner.install(|| and(&integers, [&a, &b], &progress));
            });
        });
        assert!(progress.most() <= 2, "{}", progress.most());
    });
}

#[test]
fn threads_of_a_program_share_an_evaluator() {
    ends(|| {
        for own in [1, 2] {
            let ([a, b], integers) = (operands(), integers(own));
            let progress = InProgress::default();
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| (0..2).for_each(|_| and(&integers, [&a, &b], &progress)));
                }
            });
            assert!(progress.most() <= 8);
        }
    });
}

#[test]
fn keys_are_generated_and_expanded_in_loops_one_for_each_thread() {
    ends(|| {
        let params = Params::preset("u_bool_40").unwrap();
        let progress = InProgress::default();
        pool(2).install(|| {
            (0..6).into_par_iter().for_each(|seed| {
                let client = ClientKey::generate(&params, &mut rng(seed));
                let seeded = || client.seeded_evaluation_keys(&mut rng(seed)).unwrap();
                let expanded = progress.count(|| seeded().expand().unwrap());
                assert_eq!(expanded.key_id(), client.id());
            });
        });
        assert!(progress.most() <= 2, "{}", progress.most());
    });
}

#[test]
fn results_in_a_loop_are_those_on_the_calling_thread() {
    ends(|| {
        let ([a, b], integers) = (operands(), integers(2));
        let own = integers.mul(&a, &b).unwrap();
        let looped: Vec<_> =
            pool(2).install(|| (0..2).into_par_iter().map(|_| integers.mul(&a, &b)).collect());
        assert!(looped.iter().all(|result| result.as_ref().unwrap().blocks() == own.blocks()));
        assert_eq!(decrypted(&[own]), [0b1100 * 0b1010]);
    });
}
