//! Functions of integers that a bootstrapping applies to all slots: tables, and the sign of a
//! difference.

use std::rc::Rc;

use fathom::ckks::{Ciphertext, Complex64, Evaluator, Table};
use fathom::{Error, SecretRng};
use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_drivers::random::SplitMix64;

use super::parties::{Desk, Parties};

/// Bits of the integers that are compared.
const COMPARED_BITS: u32 = 8;

/// Largest error of a value that is rounded to the right integer.
const LESS_THAN_HALF: f64 = 0.499;

/// Returns the programs of one and of four random tables on this many bits.
pub(super) fn programs(desk: &Rc<Desk>, bits: u32) -> [Program; 2] {
    let text =
        |count| format!("{count} on {bits} bits, of the real and the imaginary parts of all slots");
    [
        desk.program(format!("table{bits}"), text("one random table"), move |meter, parties| {
            run::<1>(meter, parties, bits)
        }),
        desk.program(
            format!("table{bits}_x4"),
            text("four random tables"),
            move |meter, parties| run::<4>(meter, parties, bits),
        ),
    ]
}

/// Returns the program of a comparison.
pub(super) fn sign(desk: &Rc<Desk>) -> Program {
    let text = format!(
        "sign of the difference of two integers of {COMPARED_BITS} bits, two pairs in every slot"
    );
    desk.program("sign_slots", text, compare)
}

/// Applies `N` random tables.
fn run<const N: usize>(meter: &mut Meter, parties: &Parties, bits: u32) -> Result<(), Error> {
    let (size, count) = (1_usize << bits, 2 * parties.params.slot_count());
    let mut random = SplitMix64(meter.seed());
    let functions: [Vec<i64>; N] = std::array::from_fn(|_| integers(&mut random, size, size));
    let tables: Vec<Table> = functions
        .iter()
        .map(|values| Table::new(bits, |v| values[v as usize] as f64))
        .collect::<Result<_, _>>()?;
    let tables: [Table; N] = tables.try_into().expect("a table for every function");
    let prepared = parties.server.prepare(&tables)?;
    let operands = every_integer(&mut random, size, count);
    let x = encrypt(parties, &operands, size)?;
    let results = meter.time_long(|| parties.server.apply(&x, &prepared))?;
    for (result, values) in results.iter().zip(&functions) {
        let expected: Vec<i64> = operands.iter().map(|v| values[*v as usize]).collect();
        check(meter, parties, result, &expected)?;
    }
    meter.values(count);
    Ok(())
}

fn compare(meter: &mut Meter, parties: &Parties) -> Result<(), Error> {
    let (size, count) = (1_usize << COMPARED_BITS, 2 * parties.params.slot_count());
    let mut random = SplitMix64(meter.seed());
    let table = Table::signed(COMPARED_BITS + 1, |difference| f64::from(difference.signum()))?;
    let prepared = parties.server.prepare(&[table])?;
    let operands = [(); 2].map(|()| every_integer(&mut random, size, count));
    let [x, y] = [encrypt(parties, &operands[0], size)?, encrypt(parties, &operands[1], size)?];
    let evaluator = Evaluator::without_keys(&parties.params);
    let [signs] = meter.time_long(|| parties.server.apply(&evaluator.sub(&x, &y)?, &prepared))?;
    let pairs = operands[0].iter().zip(&operands[1]);
    let expected: Vec<i64> = pairs.map(|(x, y)| (x - y).signum()).collect();
    check(meter, parties, &signs, &expected)?;
    meter.values(count);
    Ok(())
}

/// Encrypts integers below `size`, two in every slot.
fn encrypt(parties: &Parties, integers: &[i64], size: usize) -> Result<Ciphertext, Error> {
    let (real, imaginary) = integers.split_at(integers.len() / 2);
    let pairs = real.iter().zip(imaginary);
    let slots: Vec<_> = pairs.map(|(a, b)| Complex64::new(*a as f64, *b as f64)).collect();
    let largest = 2f64.sqrt() * (size - 1) as f64;
    let mut rng = SecretRng::from_os()?;
    parties.secret.encrypt(&parties.params.encode_within(&slots, largest)?, &mut rng)
}

/// Compares every value of a result, which must be nearer than a half to its integer, so that
/// rounding is exact.
fn check(
    meter: &mut Meter,
    parties: &Parties,
    result: &Ciphertext,
    expected: &[i64],
) -> Result<(), Error> {
    let found = parties.secret.decrypt(result)?;
    let slots = found.slots_complex();
    let parts = slots.iter().map(|slot| slot.re).chain(slots.iter().map(|slot| slot.im));
    let parts: Vec<_> = parts.map(Complex64::from).collect();
    let expected: Vec<_> = expected.iter().map(|v| Complex64::from(*v as f64)).collect();
    meter.check_near(&parts, &expected, found.error_bound().min(LESS_THAN_HALF));
    Ok(())
}

/// Returns `count` random integers below `size`, of which the first ones are all there are.
pub(super) fn every_integer(random: &mut SplitMix64, size: usize, count: usize) -> Vec<i64> {
    let rest = integers(random, size, count.saturating_sub(size));
    (0..size.min(count) as i64).chain(rest).collect()
}

/// Returns `count` random integers below `size`.
pub(super) fn integers(random: &mut SplitMix64, size: usize, count: usize) -> Vec<i64> {
    (0..count).map(|_| (random.next_u64() % size as u64) as i64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_integer_is_an_operand() {
        let operands = every_integer(&mut SplitMix64(3), 16, 100);
        assert_eq!(operands.len(), 100);
        assert!((0..16).all(|v| operands.contains(&v)) && operands.iter().all(|v| *v < 16));
    }
}
