//! Small integers under real keys, at secure parameters.

use crate::tfhe::keys;
use fathom::tfhe::Params;
use fathom::tfhe::shortint::{Call, Operation, ShortInt, ShortInts};

#[test]
fn operations_agree_with_integers() {
    let sets = [
        ("u_2_2_128", [3, 2]),
        ("u_2_2_128", [1, 3]),
        ("u_1_1_128", [1, 1]),
        ("u_3_3_128", [7, 5]),
        ("u_4_4_128", [9, 14]),
        ("b_1_1_128", [1, 1]),
        ("b_3_3_128", [6, 3]),
    ];
    for (name, [x, y]) in sets {
        let (client, evaluator, mut rng) = keys(Params::preset(name).unwrap());
        let ints = ShortInts::new(evaluator).unwrap();
        let bits = client.params().spec().message_bits;
        let [a, b] = [x, y].map(|value| client.encrypt::<ShortInt>(value, &mut rng).unwrap());
        let call = |operation| Call { operation, left: &a, right: &b };
        let outputs = ints.evaluate(&Operation::ALL.map(call)).unwrap();
        for (operation, output) in Operation::ALL.into_iter().zip(&outputs) {
            let value = client.decrypt(output).unwrap();
            assert_eq!(
                value,
                operation.of_clear(x, y, bits).unwrap(),
                "{name}: {operation:?} {x} {y}"
            );
        }
        let [low, high] = ints.mul_full(&a, &b).unwrap();
        let [low, high] = [low, high].map(|half| client.decrypt(&half).unwrap());
        assert_eq!((high << bits) + low, x * y);
        let difference = ints.unchecked_sub(&a, &b).unwrap();
        assert_eq!(client.decrypt_message_and_carry(&difference).unwrap(), x as i32 - y as i32);
        let [message, _] = ints.message_and_carry(&difference).unwrap();
        assert_eq!(client.decrypt(&message).unwrap(), (x + (1 << bits) - y) % (1 << bits));
    }
}
