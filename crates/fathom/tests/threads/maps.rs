//! Operations in step whose closures wait for each other.

use super::{InProgress, decrypted, encrypted, ends, integers, simulated};
use fathom::Error;
use fathom::tfhe::integer::{FheUint8, FheValue, Integers};
use fathom::tfhe::{Lut, Params, Policy};
use rayon::prelude::*;
use std::sync::{Condvar, Mutex, OnceLock, mpsc};
use std::thread::sleep;
use std::time::Duration;

const VALUES: [u8; 6] = [3, 250, 0, 77, 128, 9];

/// Returns the values plus 9, by a map with this closure on two threads.
fn mapped(
    closure: impl Fn(&Integers, &FheUint8, usize) -> Result<FheUint8, Error> + Sync,
) -> Vec<FheUint8> {
    let elements: Vec<_> = encrypted(&VALUES).into_iter().enumerate().collect();
    let sums = integers(2).map(&elements, |e, (index, x)| closure(e, x, *index)).unwrap();
    assert_eq!(decrypted(&sums), VALUES.map(|value| value.wrapping_add(9)));
    sums
}

#[test]
fn closures_may_share_a_lock() {
    ends(|| {
        let lock = Mutex::new(());
        mapped(|e, x, _| {
            let _held = lock.lock().unwrap();
            e.add(x, 9_u8)
        });
    });
}

#[test]
fn closures_may_share_a_value_that_one_of_them_computes() {
    ends(|| {
        let (nine, four) = (OnceLock::new(), encrypted(&[4]));
        mapped(|e, x, _| e.add(x, nine.get_or_init(|| e.add(&four[0], 5_u8).unwrap())));
    });
}

#[test]
fn closures_may_use_threads_of_rayon() {
    ends(|| {
        mapped(|e, x, _| {
            let sums: Vec<_> = [2_u8, 9].into_par_iter().map(|by| e.add(x, by)).collect();
            sums.into_iter().next_back().unwrap()
        });
    });
}

#[test]
fn closures_may_wait_for_their_turn() {
    ends(|| {
        let (next, changed) = (Mutex::new(0), Condvar::new());
        mapped(|e, x, index| {
            let turn = next.lock().unwrap();
            let mut turn = changed.wait_while(turn, |next| *next != index).unwrap();
            let sum = e.add(x, 9_u8);
            *turn += 1;
            changed.notify_all();
            sum
        });
    });
}

#[test]
fn closures_may_wait_for_those_of_later_elements() {
    ends(|| {
        let (sender, receiver) = mpsc::channel();
        let receiver = Mutex::new(receiver);
        mapped(|e, x, index| {
            let sum = e.add(x, 9_u8);
            match index {
                0 => assert_eq!(receiver.lock().unwrap().recv(), Ok(5)),
                5 => sender.send(5).unwrap(),
                _ => {}
            }
            e.add(&sum?, 0_u8)
        });
    });
}

#[test]
fn results_do_not_depend_on_which_operations_meet() {
    ends(|| {
        let (inputs, lock) = (encrypted(&VALUES), Mutex::new(()));
        let together = mapped(|e, x, _| e.add(x, 9_u8));
        let alone = mapped(|e, x, _| {
            let _held = lock.lock().unwrap();
            e.add(x, 9_u8)
        });
        let some = mapped(|e, x, index| {
            sleep(Duration::from_millis(40 * (index as u64 % 3)));
            e.add(x, 9_u8)
        });
        let work = integers(2).with_policy(Policy::Work);
        let apart: Vec<_> = inputs.iter().map(|x| work.add(x, 9_u8).unwrap()).collect();
        for results in [together, alone, some] {
            // The same ciphertexts, with the same noise variances.
            assert!(results.iter().zip(&apart).all(|(x, y)| x.blocks() == y.blocks()));
        }
    });
}

/// Elements of which more than 64 wait for a lock, on keys and in a simulation.
#[test]
fn long_lists_may_share_a_lock() {
    ends(|| {
        let planned = Integers::simulated(&Params::preset(Params::INTEGERS).unwrap()).unwrap();
        let (lock, elements) = (Mutex::new(()), (0..200_u8).map(simulated).collect::<Vec<_>>());
        let sums = planned.map(&elements, |e, x| {
            let _held = lock.lock().unwrap();
            e.add(x, 1_u8)
        });
        assert_eq!(sums.unwrap().len(), 200);
        // A lookup of one digit for each of 70 elements.
        let digits = vec![encrypted(&[2])[0].blocks()[0].clone(); 70];
        let lut = Lut::new(digits[0].space(), 0..=3, |x| 3 - x).unwrap();
        let results = integers(2).evaluator().map(&digits, |e, x| {
            let _held = lock.lock().unwrap();
            e.apply(x, &lut)
        });
        assert_eq!(results.unwrap().len(), 70);
    });
}

#[test]
fn an_evaluator_that_is_captured_starts_no_threads_beyond_those_of_one_map() {
    ends(|| {
        let integers = Integers::simulated(&Params::preset(Params::INTEGERS).unwrap()).unwrap();
        let progress = InProgress::default();
        let outer: Vec<u8> = (0..64).collect();
        let sums = integers.map(&outer, |_, _| {
            integers.map(&outer, |e, &x| {
                progress.count(|| sleep(Duration::from_micros(200)));
                e.add(&simulated(x), 1_u8)
            })
        });
        assert_eq!(sums.unwrap().len(), 64);
        assert!(progress.most() <= 64, "{}", progress.most());
    });
}

#[test]
fn an_evaluator_that_is_captured_computes_the_same() {
    ends(|| {
        let (integers, ones) = (integers(2), encrypted(&[1, 2]));
        let inner = |x: &FheUint8| integers.map(&ones, |e, y| e.add(x, y));
        let sums = integers.map(&encrypted(&VALUES[..3]), |_, x| inner(x)).unwrap();
        let sums: Vec<_> = sums.iter().map(|sums| decrypted(sums)).collect();
        assert_eq!(sums, [[4, 5], [251, 252], [1, 2]]);
    });
}

#[test]
fn counts_of_a_simulation_do_not_depend_on_time() {
    ends(|| {
        let params = Params::preset(Params::INTEGERS).unwrap();
        let counts = |pause: u64| {
            let integers = Integers::simulated(&params).unwrap();
            let elements: Vec<u64> = (0..100).collect();
            let sums = integers.map(&elements, |e, &i| {
                let x = e.add(&simulated(i as u8), 1_u8)?;
                sleep(Duration::from_millis(pause * (i % 7)));
                if i % 2 == 0 { e.mul(&x, &x) } else { Ok(x) }
            });
            assert_eq!(sums.unwrap().len(), 100);
            integers.evaluator().layer_sizes()
        };
        assert_eq!(counts(0), counts(9));
    });
}

#[test]
fn a_panic_of_a_closure_reaches_the_caller_and_no_one_waits_for_it() {
    ends(|| {
        let map = || {
            mapped(|e, x, index| {
                assert_ne!(index, 2, "an intended panic");
                e.add(x, 9_u8)
            })
        };
        assert!(std::panic::catch_unwind(map).is_err());
    });
}

#[test]
fn an_evaluator_that_outlives_its_operation_goes_on_alone() {
    ends(|| {
        let (integers, inputs) = (integers(2), encrypted(&[1, 2]));
        let kept = integers.map(&inputs, |e, x| Ok((e.clone(), e.add(x, 1_u8)?))).unwrap();
        let sums: Vec<_> = kept.iter().map(|(e, sum)| e.add(sum, 1_u8).unwrap()).collect();
        assert_eq!(decrypted(&sums), [3, 4]);
    });
}
