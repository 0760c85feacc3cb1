//! Gates under real keys, at secure parameters.

use crate::tfhe::keys;
use fathom::tfhe::boolean::{Bit, Gate, Gates};
use fathom::tfhe::{Block, Params};
use fathom::wire::{Wire, WireValue};

/// Returns all gates of three bits with their expected outputs.
fn gates([a, b, c]: [&Bit; 3], [x, y, z]: [bool; 3]) -> Vec<(Gate<'_>, bool)> {
    vec![
        (Gate::And(a, b), x & y),
        (Gate::Nand(a, b), !(x & y)),
        (Gate::Or(a, b), x | y),
        (Gate::Nor(a, b), !(x | y)),
        (Gate::Xor(a, b), x ^ y),
        (Gate::Xnor(a, b), x == y),
        (Gate::AndNy(a, b), !x & y),
        (Gate::AndYn(a, b), x && !y),
        (Gate::OrNy(a, b), !x | y),
        (Gate::OrYn(a, b), x || !y),
        (Gate::Majority(a, b, c), [x, y, z].iter().filter(|&&bit| bit).count() >= 2),
        (Gate::Xor3(a, b, c), x ^ y ^ z),
        (Gate::Mux(a, b, c), if x { y } else { z }),
    ]
}

#[test]
fn truth_tables_hold_on_gate_outputs_of_every_family() {
    for name in ["u_bool_128", "b_bool_128"] {
        let (client, evaluator, mut rng) = keys(Params::preset(name).unwrap());
        let circuit = Gates::new(evaluator).unwrap();
        for i in 0..8 {
            let values = [i & 1 == 1, i & 2 == 2, i & 4 == 4];
            let bits = values.map(|bit| client.encrypt::<Bit>(bit, &mut rng).unwrap());
            // These are the noisiest inputs that a circuit can produce.
            let noisy = bits.each_ref().map(|bit| circuit.gate(Gate::Mux(bit, bit, bit)).unwrap());
            let table = gates(noisy.each_ref(), values);
            let batch: Vec<_> = table.iter().map(|(gate, _)| *gate).collect();
            let outputs = circuit.evaluate(&batch).unwrap();
            for ((gate, expected), output) in table.iter().zip(&outputs) {
                assert_eq!(client.decrypt(output).unwrap(), *expected, "{name}: {gate:?}");
                assert_eq!(client.decrypt(&!output).unwrap(), !*expected);
            }
        }
    }
}

#[test]
fn many_bits_reduce_under_a_real_key() {
    let (client, evaluator, mut rng) = keys(Params::preset(Params::GATES).unwrap());
    let circuit = Gates::new(evaluator).unwrap();
    for ones in [0, 3, 7] {
        let bits: Vec<_> =
            (0..7).map(|i| client.encrypt::<Bit>(i < ones, &mut rng).unwrap()).collect();
        let value = |bit: Bit| client.decrypt(&bit).unwrap();
        assert_eq!(value(circuit.all(&bits).unwrap()), ones == 7);
        assert_eq!(value(circuit.any(&bits).unwrap()), ones > 0);
        assert_eq!(value(circuit.parity(&bits).unwrap()), ones % 2 == 1);
    }
}

#[test]
fn a_bit_travels_and_meets_a_copy_of_itself() {
    let params = Params::preset(Params::GATES).unwrap();
    let (client, evaluator, mut rng) = keys(params.clone());
    let circuit = Gates::new(evaluator).unwrap();
    for value in [false, true] {
        let sent = client.encrypt::<Bit>(value, &mut rng).unwrap();
        let sent = circuit.gate(Gate::Mux(&sent, &sent, &sent)).unwrap();
        let bytes = sent.block().to_bytes(&params).unwrap();
        let read = || {
            let block = Block::from_bytes(&params, &bytes).unwrap();
            Bit::from_block(&params, block).unwrap()
        };
        let [a, b, c] = [read(), read(), !&read()];
        // The sums of these would have noise variances of 8 and 18, while the set allows 6.
        let table = gates([&a, &b, &sent], [value; 3]);
        let table = table.into_iter().chain(gates([&a, &c, &b], [value, !value, value]));
        for (gate, expected) in table {
            let output = circuit.gate(gate).unwrap();
            assert_eq!(client.decrypt(&output).unwrap(), expected, "{gate:?}");
        }
    }
}
