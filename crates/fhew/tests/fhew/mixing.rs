//! Random gates, frames and decryptions that mix bits of three keys and two parameter sets on
//! purpose: every result is right, or there is a typed error.
//!
//! A hundredth of `FATHOM_MIXING_OPERATIONS`, the number of operations for each ring scheme, is the
//! number of those here; `cargo xtask mixing` runs both at length.

use fathom::SecretRng;
use fathom::wire::{Wire, WireValue};
use fathom_fhew::{Error, FhewBit, FhewEvaluationKeys, FhewGate, FhewParams, FhewSecretKey};

struct Client {
    params: FhewParams,
    secret: FhewSecretKey,
    evaluation: FhewEvaluationKeys,
}

/// A bit, its owner and its value.
type Known = (FhewBit, usize, bool);

/// A gate with its truth function.
type Truth = (FhewGate, fn(bool, bool) -> bool);

const GATES: [Truth; 6] = [
    (FhewGate::And, |a, b| a & b),
    (FhewGate::Nand, |a, b| !(a & b)),
    (FhewGate::Or, |a, b| a | b),
    (FhewGate::Nor, |a, b| !(a | b)),
    (FhewGate::Xor, |a, b| a ^ b),
    (FhewGate::Xnor, |a, b| a == b),
];

impl Client {
    fn new(params: FhewParams, rng: &mut SecretRng) -> Client {
        let secret = FhewSecretKey::generate(&params, rng);
        let evaluation = secret.evaluation_keys(rng).unwrap();
        Client { params, secret, evaluation }
    }
}

/// The result of a step: a bit, nothing to keep, or a refusal.
type Outcome = Result<Option<Known>, Error>;

/// Returns whether an error says that an object belongs to another key or parameter set.
fn is_foreign(error: &impl std::fmt::Debug) -> bool {
    let text = format!("{error:?}");
    text.contains("KeyMismatch") || text.contains("ParamsMismatch")
}

fn operations() -> u64 {
    std::env::var("FATHOM_MIXING_OPERATIONS").map_or(1500, |n| n.parse().unwrap()) / 100
}

/// Decrypts a bit with the key of client `by`, or reads its frame, or computes a gate. Returns
/// whether that is allowed, and the result.
fn step(
    clients: &[Client],
    (by, kind): (usize, usize),
    gate: (FhewGate, fn(bool, bool) -> bool),
    [(a, of_a, x), (b, of_b, y)]: [&Known; 2],
) -> (bool, Outcome) {
    let client = &clients[by];
    match kind {
        1 => {
            let decrypted = client.secret.decrypt(a);
            assert!(decrypted.is_err() || decrypted == Ok(*x));
            (*of_a == by, decrypted.map(|_| None))
        }
        2 => {
            let bytes = a.to_bytes(&clients[*of_a].params).unwrap();
            let allowed = client.params == clients[*of_a].params;
            match FhewBit::from_bytes(&client.params, &bytes) {
                Ok(read) => (allowed, Ok(Some((read, *of_a, *x)))),
                Err(error) => {
                    assert!(is_foreign(&error) && !allowed, "{error}");
                    (false, Ok(None))
                }
            }
        }
        _ => {
            let result = client.evaluation.gate(gate.0, a, b);
            let value = gate.1(*x, *y);
            (*of_a == by && *of_b == by, result.map(|bit| Some((bit, by, value))))
        }
    }
}

#[test]
fn s4_fhew_is_right_or_refuses_whatever_is_mixed() {
    let mut rng = SecretRng::insecure_from_seed(4);
    let sets = [
        FhewParams::preset("fhew_ginx_128").unwrap(),
        FhewParams::preset("fhew_ginx_128").unwrap(),
        FhewParams::preset("fhew_lmkcdey_128").unwrap(),
    ];
    let clients = sets.map(|params| Client::new(params, &mut rng));
    let mut pool: Vec<Known> = Vec::new();
    let (mut right, mut refused) = (0, 0);
    let steps = operations();
    while right + refused < steps {
        let mut below = |bound: usize| (rng.next_word() % bound as u64) as usize;
        let (i, j) = (below(pool.len().max(1)), below(pool.len().max(1)));
        let (owner, other) = (pool.get(i).map(|known| known.1), below(clients.len()));
        let by = owner.filter(|_| below(3) > 0).unwrap_or(other);
        let (kind, gate) = (below(8), GATES[below(GATES.len())]);
        if pool.len() < 6 || kind == 0 {
            let bit = rng.next_word() & 1 == 1;
            pool.push((clients[by].secret.encrypt(bit, &mut rng), by, bit));
            continue;
        }
        match step(&clients, (by, kind), gate, [&pool[i], &pool[j]]) {
            (allowed, Ok(Some((bit, owner, value)))) => {
                assert!(allowed, "foreign objects are refused");
                assert_eq!(clients[owner].secret.decrypt(&bit).unwrap(), value);
                pool.push((bit, owner, value));
                right += 1;
            }
            (true, Ok(None)) => right += 1,
            (false, Ok(None)) => refused += 1,
            (allowed, Err(error)) => {
                assert!(is_foreign(&error) && !allowed, "{error}");
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
