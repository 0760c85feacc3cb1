//! A search for an error beyond its bound: random circuits of all verbs, on random magnitudes,
//! intervals and fillings of the slots.
//!
//! Every result of every step is decrypted and compared, slot by slot, with the same computation in
//! double precision. The difference must be within the carried bound, whatever the operands were:
//! an operation that cannot honour its operands refuses them, and then it refuses their simulated
//! twins too: what was planned runs. A refusal ends the circuit. It was
//! wrong if the same step on the same ciphertexts, with measured instead of tracked bounds, gives
//! at least ten correct bits.
//!
//! Most sets are insecure rings of 256 slots, where a step takes less than a millisecond. A short
//! run is an ordinary test; `cargo xtask ckks-search` runs it longer. `FATHOM_SEARCH_CIRCUITS` is
//! the number of circuits for each set, `FATHOM_SEARCH_SETS` a list of their names,
//! `FATHOM_SEARCH_SEED` another seed, and `FATHOM_SEARCH_ONE` the number of one circuit that is
//! written out step by step.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![allow(clippy::type_complexity, reason = "a row of the table has the type of its call")]
#![allow(clippy::redundant_closure_for_method_calls, reason = "all rows of a table have one form")]

mod draw;
mod functions;
mod message;
mod operations;
mod reference;
mod world;

use super::{Automatic, Ckks, Explicit, Mode, Params, Preset, Spec, explicit};
use crate::Error;
use crate::rlwe::{self, Encryption};
use fathom_circuits::{Dice, Place, Search, Step, Tally, replay, seed, sets, setting};
use fathom_verbs::Schemes;
use functions::power_series;
use message::Message;
use operations::{JOURNEYS, Row, encrypt, rotate};
use std::panic::{AssertUnwindSafe, catch_unwind};
use world::{PRECISE, World};

/// Insecure sets of 256 slots by their names.
fn toy(name: &str) -> Spec {
    let spec = Spec {
        name: name.to_owned(),
        degree: 512,
        special_bits: vec![45.8, 45.8],
        digit_limbs: 2,
        ..Preset::E3Small.spec()
    };
    match name {
        "small" => Spec { depth: 3, ..spec },
        "deep" => Spec { depth: 14, ..spec },
        // Errors of a thousandth: the metadata matter.
        "coarse" => {
            Spec { base_bits: vec![34.0], scale_bits: 25.0, depth: 8, digit_limbs: 1, ..spec }
        }
        // Bounds that hold whatever the samplers draw.
        "worst" => Spec { depth: 3, failure_log2: crate::WORST_CASE, ..spec },
        // Two base primes, and values of up to 500.
        "wide" => Spec {
            base_bits: vec![36.0, 36.0],
            scale_bits: 44.0,
            depth: 7,
            magnitude: 500.0,
            ..spec
        },
        _ => panic!("no set is named {name}"),
    }
}

/// Runs the circuits of one set.
fn search<M: Mode>(set: &str, params: &rlwe::Params<Ckks<M>>, circuits: u64) -> Tally {
    let seed = seed(1);
    Search::new(set, seed).circuits(0..circuits).run(&mut World::new(params, seed))
}

/// Returns the step of a row of the table, whose arguments are drawn.
fn step<M: Mode>(world: &World<M>, name: &str, operands: &[usize]) -> Step<World<M>> {
    let operation = world.operations.iter().find(|operation| operation.name == name).unwrap();
    operation.step(&world.servers[0], &mut Dice::new(1), places(operands))
}

fn places(steps: &[usize]) -> Vec<Place> {
    steps.iter().map(|&step| Place { step, part: 0 }).collect()
}

/// Returns the encryption of real numbers of random size and layout.
fn encryption<M: Mode>(world: &World<M>) -> Step<World<M>> {
    let (top, slots) = (world.params().top_level(), world.params().slot_count());
    let message = Message::random(&mut Dice::new(4), message::Range::Real(-1.0, 1.0), 1.0, slots);
    let call = encrypt(message, Encryption::SecretKey, (top, slots, 5));
    Step::new("encrypt", call, Vec::new())
}

fn assert_runs(set: &str, steps: impl FnOnce(&World<Automatic>) -> Vec<Step<World<Automatic>>>) {
    let mut world = World::<Automatic>::new(&Params::insecure(toy(set)).unwrap(), 1);
    let steps = steps(&world);
    let count = steps.len() as u64;
    let tally = replay(&mut world, steps);
    assert_eq!(tally.right, count, "{:?}", tally.findings());
}

/// A reader refused the noise bound: rounding had left one norm above the next.
#[test]
fn what_a_difference_of_products_and_constants_gives_is_read_back() {
    assert_runs("small", |world| {
        vec![
            encryption(world),
            Step::new("evaluate_polynomial", power_series(vec![0.699, 0.0]), places(&[0])),
            step(world, "sum_slots", &[0]),
            Step::new("rotate", rotate(1), places(&[2])),
            step(world, "square", &[3]),
            Step::new("evaluate_polynomial", power_series(vec![-0.545, 0.0]), places(&[1])),
            step(world, "sub", &[5, 4]),
            step(world, "receive", &[6]),
        ]
    });
}

/// A simulation took a conjugate and a rotation of one ciphertext for the same.
#[test]
fn a_conjugate_less_a_rotation_is_simulated_as_it_runs() {
    assert_runs("coarse", |world| {
        vec![
            encryption(world),
            Step::new("rotate", rotate(-1), places(&[0])),
            step(world, "conjugate", &[0]),
            step(world, "sub", &[2, 1]),
        ]
    });
}

/// A verb that the table gains needs a row here.
#[test]
fn every_verb_of_the_table_is_searched() {
    let world = World::<Automatic>::new(&Params::insecure(toy("small")).unwrap(), 1);
    for verb in fathom_verbs::verbs().filter(|verb| verb.schemes != Schemes::Exact) {
        let name = match verb.name {
            "tensor" | "relinearize" => "tensor_relinearize",
            "mod_switch_to" => "mod_switch_down",
            name => name,
        };
        let is_searched = world.operations.iter().any(|operation| operation.name == name);
        assert!(is_searched, "no circuit calls {}", verb.name);
    }
}

/// A ciphertext of other parameters or of another key is refused as such, before anything else is
/// found wrong with it.
#[test]
fn every_operation_refuses_foreign_ciphertexts_as_such() {
    let world = |set, seed| World::<Automatic>::new(&Params::insecure(toy(set)).unwrap(), seed);
    let own = world("small", 1);
    // These rows prepare their clear operands for the level of the ciphertext.
    let is_tried = |row: &&Row<Automatic>| {
        row.group != JOURNEYS && !["mul_plain", "add_addend", "transform"].contains(&row.name)
    };
    let mut wrong = Vec::new();
    for foreign in [world("deep", 1), world("small", 2)] {
        let fresh = encryption(&foreign).formula.apply(&foreign.servers[0], &[]).unwrap();
        for row in own.operations.iter().filter(is_tried) {
            let formula = row.formula(&own.servers[0], &mut Dice::new(3));
            let operands = vec![&fresh[0]; row.arity];
            let call = || formula.apply(&own.servers[0], &operands).map(|_| "a result");
            match catch_unwind(AssertUnwindSafe(call)) {
                Ok(Err(Error::ParamsMismatch { .. } | Error::KeyMismatch { .. })) => {}
                outcome => wrong.push(format!("{}: {outcome:?}", row.name)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_circuit_is_found_whose_error_exceeds_its_bound() {
    let circuits = setting("FATHOM_SEARCH_CIRCUITS", 250);
    Tally::print_head();
    let mut tallies = Vec::new();
    for set in sets("small,deep,coarse,wide,worst,small-x,deep-x,e3s") {
        let tally = match set.strip_suffix("-x") {
            Some(name) => {
                search::<Explicit>(&set, &explicit::Params::insecure(toy(name)).unwrap(), circuits)
            }
            None if set == "e3s" => {
                let secure = Params::preset(Preset::E3Small).unwrap();
                search::<Automatic>(&set, &secure, circuits.div_ceil(25))
            }
            None => search::<Automatic>(&set, &Params::insecure(toy(&set)).unwrap(), circuits),
        };
        tally.print();
        tallies.push(tally);
    }
    let findings: Vec<String> = tallies.iter().flat_map(Tally::findings).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    let wrong: u64 = tallies.iter().map(|tally| tally.refused_wrongly).sum();
    let right: u64 = tallies.iter().map(|tally| tally.noted(&format!("right: {PRECISE}"))).sum();
    println!("refused wrongly: {wrong} of {} circuits with ten bits", wrong + right);
    assert!(20 * wrong <= wrong + right, "more than a twentieth is refused wrongly");
}
