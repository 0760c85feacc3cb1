//! Random circuits, computed and simulated side by side.

use fathom::rlwe::{Ciphertext, Evaluator, Scheme};
use fathom::{Error, SecretRng};

/// The operands of random circuits.
pub(crate) struct Sides<'a, S: Scheme> {
    pub(crate) real: &'a Evaluator<S>,
    pub(crate) simulated: &'a Evaluator<S>,
    /// Pairs of a ciphertext and what stands for it.
    pub(crate) inputs: Vec<[Ciphertext<S>; 2]>,
}

/// One operation of a scheme, by number, on two operands.
pub(crate) type Operation<'a, S> =
    &'a dyn Fn(&Evaluator<S>, u64, [&Ciphertext<S>; 2]) -> Result<Ciphertext<S>, Error>;

/// Operations that every scheme has.
pub(crate) const COMMON: u64 = 6;
/// Ciphertexts that are kept as operands.
const KEPT: usize = 6;

/// Runs random operations on both sides, whose results, refusals and transforms have to agree.
/// Returns how many results there were.
pub(crate) fn run<S: Scheme>(
    sides: Sides<'_, S>,
    (count, operations): (usize, u64),
    operation: Operation<'_, S>,
    traits: &dyn Fn(&Ciphertext<S>) -> Vec<f64>,
) -> usize {
    let Sides { real, simulated, inputs } = sides;
    let mut rng = SecretRng::insecure_from_seed(11);
    let (mut pool, mut done) = (inputs.clone(), 0);
    for step in 0..count {
        let mut pick = |bound: u64| rng.next_word() % bound;
        let choice = pick(COMMON + operations);
        let [i, j] = [0; 2].map(|_| pick(pool.len() as u64) as usize);
        let apply = |evaluator: &Evaluator<S>, side: usize| {
            let before = evaluator.params().transform_count();
            let operands = [&pool[i][side], &pool[j][side]];
            let result = match choice.checked_sub(COMMON) {
                Some(special) => operation(evaluator, special, operands),
                None => common(evaluator, choice, operands),
            };
            (result, evaluator.params().transform_count() - before)
        };
        let ((wanted, transforms), (found, counted)) = (apply(real, 0), apply(simulated, 1));
        assert_eq!(transforms, counted, "step {step}, operation {choice}");
        let see = |c: &Ciphertext<S>| {
            let shape = (c.level(), c.component_count());
            (shape, c.noise_bound_bits(), c.noise_budget_bits(), traits(c))
        };
        let same = (wanted.as_ref().map(see), found.as_ref().map(see));
        assert_eq!(same.0, same.1, "step {step}, operation {choice}");
        let (Ok(wanted), Ok(found)) = (wanted, found) else { continue };
        done += 1;
        if pool.len() == KEPT {
            pool.remove(pick(KEPT as u64) as usize);
        }
        pool.push([wanted, found]);
        // Begins again where no level is left.
        if step % 16 == 15 {
            pool.clone_from(&inputs);
        }
    }
    done
}

fn common<S: Scheme>(
    e: &Evaluator<S>,
    choice: u64,
    [a, b]: [&Ciphertext<S>; 2],
) -> Result<Ciphertext<S>, Error> {
    match choice {
        0 => e.add(a, b),
        1 => e.sub(a, b),
        2 => e.neg(a),
        3 => e.mul(a, b),
        4 => e.square(a),
        _ => e.dot(&[a.clone(), b.clone()], &[b.clone(), b.clone()]),
    }
}
