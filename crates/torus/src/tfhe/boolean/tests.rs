use super::{Bit, Gate, Gates};
use crate::tfhe::{Block, Error, Evaluator, Params, Space};

#[expect(clippy::needless_pass_by_value, reason = "parameters are made in place by the callers")]
fn simulated(params: Params) -> Gates {
    Gates::new(Evaluator::simulated(&params)).unwrap()
}

fn bit(gates: &Gates, value: bool) -> Bit {
    Bit::simulated(gates.evaluator().params(), value)
}

fn clear(bit: &Bit) -> bool {
    let block = bit.block();
    let value = block.space().decode(block.lwe().body());
    assert!(value == 0 || value == 1, "a bit holds {value}");
    value == 1
}

/// Returns all gates of the three bits with their truth values.
fn truth_table(bits: [&Bit; 3], values: [bool; 3]) -> Vec<(Gate<'_>, bool)> {
    let ([a, b, c], [x, y, z]) = (bits, values);
    vec![
        (Gate::And(a, b), x & y),
        (Gate::Nand(a, b), !(x & y)),
        (Gate::Or(a, b), x | y),
        (Gate::Nor(a, b), !(x | y)),
        (Gate::Xor(a, b), x ^ y),
        (Gate::Xnor(a, b), !(x ^ y)),
        (Gate::AndNy(a, b), !x & y),
        (Gate::AndYn(a, b), x && !y),
        (Gate::OrNy(a, b), !x | y),
        (Gate::OrYn(a, b), x || !y),
        (Gate::Majority(a, b, c), values.iter().filter(|&&bit| bit).count() >= 2),
        (Gate::Xor3(a, b, c), x ^ y ^ z),
        (Gate::Mux(a, b, c), if x { y } else { z }),
    ]
}

fn triples() -> impl Iterator<Item = [bool; 3]> {
    (0..8).map(|i| [i & 1 == 1, i & 2 == 2, i & 4 == 4])
}

#[test]
fn truth_tables_hold_over_every_space() {
    for params in
        [Params::preset(Params::GATES).unwrap(), Params::preset(Params::INTEGERS).unwrap()]
    {
        let gates = simulated(params);
        for values in triples() {
            let bits = values.map(|value| bit(&gates, value));
            for (gate, expected) in truth_table(bits.each_ref(), values) {
                let output = gates.gate(gate).unwrap();
                assert_eq!(clear(&output), expected, "{gate:?}");
                assert_eq!(clear(&!output), !expected);
            }
        }
    }
}

#[test]
fn methods_compute_the_gates_they_are_named_after() {
    let gates = simulated(Params::preset(Params::GATES).unwrap());
    for [x, y, z] in triples() {
        let [a, b, c] = [x, y, z].map(|value| bit(&gates, value));
        let all = [
            (gates.and(&a, &b), x & y),
            (gates.nand(&a, &b), !(x & y)),
            (gates.or(&a, &b), x | y),
            (gates.nor(&a, &b), !(x | y)),
            (gates.xor(&a, &b), x ^ y),
            (gates.xnor(&a, &b), x == y),
            (gates.and_ny(&a, &b), !x & y),
            (gates.and_yn(&a, &b), x && !y),
            (gates.or_ny(&a, &b), !x | y),
            (gates.or_yn(&a, &b), x || !y),
            (gates.not(&a), !x),
            (gates.select(&a, &b, &c), if x { y } else { z }),
        ];
        for (index, (output, expected)) in all.into_iter().enumerate() {
            assert_eq!(clear(&output.unwrap()), expected, "method {index} of {x}, {y}, {z}");
        }
    }
    let other = bit(&simulated(Params::preset(Params::INTEGERS).unwrap()), true);
    assert!(matches!(gates.not(&other), Err(Error::ParamsMismatch { .. })));
}

#[test]
fn a_gate_is_one_bootstrap_and_a_multiplexer_two_side_by_side() {
    let gates = simulated(Params::preset(Params::GATES).unwrap());
    let bits = [bit(&gates, true), bit(&gates, false), bit(&gates, true)];
    for (gate, _) in truth_table(bits.each_ref(), [true, false, true]) {
        let before = gates.evaluator().counts();
        gates.gate(gate).unwrap();
        let after = gates.evaluator().counts();
        let expected = if matches!(gate, Gate::Mux(..)) { 2 } else { 1 };
        assert_eq!(after.bootstraps - before.bootstraps, expected, "{gate:?}");
        assert_eq!(after.layers - before.layers, 1);
    }
}

#[test]
fn a_batch_is_one_layer_and_keeps_its_order() {
    let gates = simulated(Params::preset(Params::GATES).unwrap());
    let values = [true, false, false];
    let bits = values.map(|value| bit(&gates, value));
    let table = truth_table(bits.each_ref(), values);
    let batch: Vec<_> = table.iter().map(|(gate, _)| *gate).collect();
    let outputs = gates.evaluate(&batch).unwrap();
    assert_eq!(gates.evaluator().counts().layers, 1);
    let expected: Vec<_> = table.iter().map(|&(_, value)| value).collect();
    assert_eq!(outputs.iter().map(clear).collect::<Vec<_>>(), expected);
}

#[test]
fn outputs_of_any_gate_are_inputs_of_any_other() {
    let gates = simulated(Params::preset(Params::GATES).unwrap());
    for values in triples() {
        let bits = values.map(|value| bit(&gates, value));
        let noisy = bits.each_ref().map(|bit| gates.gate(Gate::Mux(bit, bit, bit)).unwrap());
        for (gate, expected) in truth_table(noisy.each_ref(), values) {
            assert_eq!(clear(&gates.gate(gate).unwrap()), expected);
        }
    }
}

#[test]
fn a_bit_meets_itself_and_its_complement_within_the_noise_limit() {
    let gates = simulated(Params::preset(Params::GATES).unwrap());
    for [x, y, z] in triples() {
        let [a, b, c] = [x, y, z]
            .map(|value| bit(&gates, value))
            .map(|bit| gates.gate(Gate::Mux(&bit, &bit, &bit)).unwrap());
        let (not_a, not_c) = (!&a, !&c);
        for (bits, values) in [
            ([&a, &a, &b], [x, x, y]),
            ([&a, &b, &a], [x, y, x]),
            ([&b, &a, &a], [y, x, x]),
            ([&a, &a, &a], [x, x, x]),
            ([&a, &not_a, &b], [x, !x, y]),
            ([&not_c, &b, &c], [!z, y, z]),
            ([&a, &not_a, &a], [x, !x, x]),
        ] {
            for (gate, expected) in truth_table(bits, values) {
                assert_eq!(clear(&gates.gate(gate).unwrap()), expected, "{gate:?}");
            }
            let any = gates.any(&bits.map(Clone::clone)).unwrap();
            assert_eq!(clear(&any), values.contains(&true));
            let odd = gates.parity(&bits.map(Clone::clone)).unwrap();
            assert_eq!(clear(&odd), values[0] ^ values[1] ^ values[2]);
        }
    }
}

#[test]
fn multiplexers_of_one_bit_meet_within_the_noise_limit() {
    let gates = simulated(Params::preset(Params::GATES).unwrap());
    for select in [true, false] {
        for [x, y, z] in triples() {
            let [s, common, b, c] = [select, true, y, z].map(|value| bit(&gates, value));
            let first = gates.gate(Gate::And(&s, &common)).unwrap();
            let others = [&b, &c].map(|other| Gate::Mux(&s, &common, other));
            let last = bit(&gates, x);
            let noisy = gates.evaluate(&[others[0], others[1], Gate::Mux(&s, &common, &last)]);
            let noisy = noisy.unwrap();
            let [p, q, r] = [y, z, x].map(|other| if select { true } else { other });
            for (bits, values) in [
                ([&noisy[0], &noisy[1], &noisy[2]], [p, q, r]),
                ([&noisy[0], &noisy[1], &first], [p, q, select]),
                ([&first, &noisy[1], &noisy[2]], [select, q, r]),
            ] {
                for (gate, expected) in truth_table(bits, values) {
                    assert_eq!(clear(&gates.gate(gate).unwrap()), expected, "{gate:?}");
                }
                let bits = bits.map(Clone::clone);
                assert_eq!(clear(&gates.all(&bits).unwrap()), values == [true; 3]);
                assert_eq!(clear(&gates.parity(&bits).unwrap()), values[0] ^ values[1] ^ values[2]);
            }
            // Three more bootstraps, in a layer of their own.
            let before = gates.evaluator().counts();
            gates.gate(Gate::Majority(&noisy[0], &noisy[1], &noisy[2])).unwrap();
            let after = gates.evaluator().counts();
            let spent = [after.bootstraps - before.bootstraps, after.layers - before.layers];
            assert_eq!(spent, [4, 2]);
        }
    }
}

#[test]
fn many_bits_reduce_in_a_tree() {
    for (params, layers) in [
        (Params::preset(Params::GATES).unwrap(), 4),
        (Params::preset(Params::INTEGERS).unwrap(), 1),
    ] {
        let gates = simulated(params);
        for ones in [0, 1, 8, 12, 13] {
            let bits: Vec<_> = (0..13).map(|i| bit(&gates, (i * 5) % 13 < ones)).collect();
            assert_eq!(clear(&gates.all(&bits).unwrap()), ones == 13);
            assert_eq!(clear(&gates.any(&bits).unwrap()), ones > 0);
            assert_eq!(clear(&gates.parity(&bits).unwrap()), ones % 2 == 1);
        }
        let bits: Vec<_> = (0..13).map(|_| bit(&gates, true)).collect();
        let before = gates.evaluator().counts().layers;
        gates.all(&bits).unwrap();
        assert_eq!(gates.evaluator().counts().layers - before, layers);
        for few in 0..4 {
            assert!(clear(&gates.all(&bits[..few]).unwrap()));
            assert_eq!(clear(&gates.any(&bits[..few]).unwrap()), few > 0);
            assert_eq!(clear(&gates.parity(&bits[..few]).unwrap()), few % 2 == 1);
        }
    }
}

#[test]
fn clear_bits_cost_no_bootstrap() {
    let gates = simulated(Params::preset(Params::GATES).unwrap());
    let (yes, no) = (
        Bit::trivial(gates.evaluator().params(), true),
        Bit::trivial(gates.evaluator().params(), false),
    );
    for (gate, expected) in truth_table([&yes, &no, &yes], [true, false, true]) {
        assert_eq!(clear(&gates.gate(gate).unwrap()), expected);
    }
    assert_eq!(gates.evaluator().counts().bootstraps, 0);
}

#[test]
fn bits_of_other_parameters_are_refused() {
    let gates = simulated(Params::preset(Params::GATES).unwrap());
    let other = Bit::trivial(&Params::preset(Params::INTEGERS).unwrap(), true);
    let own = bit(&gates, true);
    let refused = gates.gate(Gate::And(&own, &other)).unwrap_err();
    assert!(matches!(refused, Error::ParamsMismatch { .. }), "{refused}");
    assert!(matches!(gates.all(&[own, other]), Err(Error::ParamsMismatch { .. })));
}

#[test]
fn a_space_finer_than_the_parameters_own_is_refused() {
    let gates = simulated(Params::preset(Params::GATES).unwrap());
    let fine = Space::of::<3>();
    let lut = crate::tfhe::Lut::new(fine, 0..=1, |x| x).unwrap();
    let block = Block::simulated(fine, 1, (0, 1));
    let refused = gates.evaluator().apply(&block, &lut).unwrap_err();
    assert!(matches!(refused, Error::NoiseExceeded { limit: 0, .. }), "{refused}");
}

#[test]
fn a_bit_is_a_block_of_0_or_1_with_a_gates_noise() {
    let params = Params::preset(Params::GATES).unwrap();
    let one = Block::simulated(params.space(), 1, (0, 1));
    let two = one.unchecked_add(&Block::simulated(params.space(), 0, (0, 0)));
    assert_eq!(Bit::from_block(&params, two.clone()).unwrap().block(), &two);
    for wide in [one.mul_scalar(2), one.mul_scalar(-1), two.unchecked_add(&one).within(0, 1)] {
        let refused = Bit::from_block(&params, wide).unwrap_err();
        assert_eq!(refused, Error::NotCanonical { blocks: 1, top: 1, noise_variance: 2 });
    }
    let refused = Bit::from_block(&Params::preset(Params::INTEGERS).unwrap(), one).unwrap_err();
    assert!(matches!(refused, Error::ParamsMismatch { .. }), "{refused}");
}
