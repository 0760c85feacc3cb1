//! FHEW: gates, frames and decryption with bits of three keys and two parameter sets.

use crate::operations;
use fathom::SecretRng;
use fathom::tfhe::fhew::{FhewBit, FhewEvaluationKey, FhewGate, FhewParams, FhewSecretKey};

struct Client {
    params: FhewParams,
    secret: FhewSecretKey,
    evaluation: FhewEvaluationKey,
}

/// A bit, its owner and its value.
type Known = (FhewBit, usize, bool);

const GATES: [(FhewGate, fn(bool, bool) -> bool); 6] = [
    (FhewGate::And, |a, b| a & b),
    (FhewGate::Nand, |a, b| !(a & b)),
    (FhewGate::Or, |a, b| a | b),
    (FhewGate::Nor, |a, b| !(a | b)),
    (FhewGate::Xor, |a, b| a ^ b),
    (FhewGate::Xnor, |a, b| a == b),
];

#[test]
fn s4_fhew_is_right_or_refuses_whatever_is_mixed() {
    let mut rng = SecretRng::insecure_from_seed(4);
    let sets = [FhewParams::ginx_128(), FhewParams::ginx_128(), FhewParams::lmkcdey_128()];
    let clients: Vec<Client> = sets
        .into_iter()
        .map(|params| {
            let secret = FhewSecretKey::generate(&params, &mut rng);
            let evaluation = FhewEvaluationKey::generate(&secret, &mut rng).unwrap();
            Client { params, secret, evaluation }
        })
        .collect();
    let mut pool: Vec<Known> = Vec::new();
    let (mut right, mut refused) = (0, 0);
    let steps = operations() / 100;
    while right + refused < steps {
        let mut below = |bound: usize| (rng.next_word() % bound as u64) as usize;
        let (i, j) = (below(pool.len().max(1)), below(pool.len().max(1)));
        let owner = pool.get(i).map(|(_, owner, _)| *owner);
        let other = below(clients.len());
        let by = owner.filter(|_| below(3) > 0).unwrap_or(other);
        let (kind, gate) = (below(8), GATES[below(GATES.len())]);
        let client = &clients[by];
        if pool.len() < 6 || kind == 0 {
            let bit = rng.next_word() & 1 == 1;
            pool.push((client.secret.encrypt(bit, &mut rng), by, bit));
            continue;
        }
        let ((a, of_a, x), (b, of_b, y)) = (&pool[i], &pool[j]);
        let same_set = client.params == clients[*of_a].params;
        let result = match kind {
            1 => client
                .secret
                .decrypt(a)
                .map(|bit| {
                    assert_eq!(bit, *x);
                    None
                })
                .map_err(|_| *of_a != by),
            2 => match a.to_bytes(&clients[*of_a].params) {
                Ok(bytes) => match FhewBit::from_bytes(&client.params, &bytes) {
                    Ok(read) => Ok(Some((read, *of_a, *x))),
                    Err(_) => Err(!same_set),
                },
                Err(error) => panic!("{error}"),
            },
            _ => {
                let (gate, function) = gate;
                let own = *of_a == by && *of_b == by;
                let result = client.evaluation.gate(gate, a, b);
                // A foreign bit is refused by its key or by its set.
                assert_eq!(result.is_ok(), own);
                result.map(|bit| Some((bit, by, function(*x, *y)))).map_err(|_| !own)
            }
        };
        match result {
            Ok(known) => {
                right += 1;
                if let Some((bit, owner, value)) = known {
                    assert_eq!(clients[owner].secret.decrypt(&bit).unwrap(), value);
                    pool.push((bit, owner, value));
                }
            }
            Err(expected) => {
                assert!(expected, "own objects are not refused");
                refused += 1;
            }
        }
        if pool.len() > 18 {
            pool.swap_remove((rng.next_word() % 12) as usize);
        }
    }
    println!("fhew: {steps} operations, {right} right, {refused} refused, 0 wrong");
    assert!(right > steps / 8 && refused > steps / 8);
}
