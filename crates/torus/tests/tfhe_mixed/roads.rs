//! Copies of ciphertexts by every road: values that are computed along different roads may be the
//! same ciphertext or its negative. Their noise must count as the same then, and only then.

use fathom::SecretRng;
use fathom::tfhe::boolean::{Bit, Gate, Gates};
use fathom::tfhe::integer::{FheUint8, FheValue, Integers};
use fathom::tfhe::shortint::{Operation, ShortInt, ShortInts};
use fathom::tfhe::{Block, ClientKey, Evaluator, Function, Job, Lut, PackingKeys, Params};
use fathom::wire::{Wire, WireFresh, WireValue};
use fathom_circuits::Dice;

struct World {
    params: Params,
    client: ClientKey,
    evaluator: Evaluator,
    rng: SecretRng,
}

impl World {
    fn new(set: &str) -> World {
        let params = Params::preset(set).unwrap();
        let mut rng = SecretRng::insecure_from_seed(21);
        let client = ClientKey::generate(&params, &mut rng);
        let seeded = client.seeded_evaluation_keys(&mut rng).unwrap();
        let evaluator = Evaluator::new(seeded.expand().unwrap(), 2).unwrap();
        World { params, client, evaluator, rng }
    }

    fn packing_keys(&mut self) -> PackingKeys {
        self.client.seeded_packing_keys(&mut self.rng).unwrap().expand().unwrap()
    }
}

/// A block and the road by which it was computed.
type Road = (String, Block);

/// Numbers of pairs of blocks that were the same ciphertext and that were negatives of each other.
#[derive(Debug, Default)]
struct Found {
    copies: usize,
    negatives: usize,
}

/// Compares all pairs of blocks that are encrypted: where their masks agree, up to the sign, their
/// noise must count as the same, and nowhere else.
fn compare(roads: &[Road]) -> Found {
    let mut found = Found::default();
    let roads: Vec<_> = roads.iter().filter(|(_, block)| !block.is_clear()).collect();
    for (index, (name, a)) in roads.iter().enumerate() {
        for (other, b) in &roads[..index] {
            let about = format!("{name}; {other}");
            let masks = || a.lwe().mask().iter().zip(b.lwe().mask());
            let [sum, difference] = [a.add(b), a.sub(b)].map(Result::unwrap);
            let double = a.mul_scalar(2).noise_variance().min(b.mul_scalar(2).noise_variance());
            if masks().all(|(x, y)| x == y) {
                assert!(difference.is_clear(), "{about}");
                assert!(sum.noise_variance() >= double, "copies count as unlike: {about}");
                found.copies += 1;
            } else if masks().all(|(x, y)| *x == y.wrapping_neg()) {
                assert!(sum.is_clear(), "{about}");
                assert!(difference.noise_variance() >= double, "negatives: {about}");
                found.negatives += 1;
            } else {
                let near = |x: u32| x.cast_signed().unsigned_abs() < 1 << 16;
                let alike = masks().all(|(x, y)| near(x.wrapping_sub(*y)))
                    || masks().all(|(x, y)| near(x.wrapping_add(*y)));
                assert!(!alike, "masks that differ by rounding: {about}");
                for noise in [sum, difference].map(|block| block.noise_variance()) {
                    assert!(noise > 0 && noise < u32::MAX, "{noise} of unlike masks: {about}");
                }
            }
        }
    }
    found
}

/// Returns the argument by every road that keeps its ciphertext or adds a public number: as it is,
/// read back, shifted, and shifted back.
fn arguments(world: &mut World, message: u32) -> Vec<(String, Block, i32)> {
    let half = world.params.space().half();
    let x: Block = world.client.encrypt(message, &mut world.rng).unwrap();
    let bytes = x.to_bytes(&world.params).unwrap();
    let received = Block::from_bytes(&world.params, &bytes).unwrap();
    let fresh = Block::from_bytes_fresh(&world.params, &bytes).unwrap();
    let copies = [("x", x.clone()), ("received x", received), ("fresh x", fresh)];
    let mut all: Vec<_> = copies.map(|(name, block)| (name.to_owned(), block, 0)).to_vec();
    for shift in [1, half / 2, half, -1] {
        all.push((format!("x + {shift}"), x.add_scalar(shift), shift));
    }
    let wide = 2 * half;
    all.push((format!("x + {wide}"), x.add_scalar(wide).sub_scalar(wide), 0));
    all
}

/// Returns tables that compute functions of the values on `0..half`, less the shift: alone,
/// negated, with constants, side by side and from one accumulator.
fn tables(params: &Params, values: &[i32], shift: i32) -> Vec<(String, Lut)> {
    let (space, half) = (params.space(), params.space().half());
    let top = params.message_modulus() - 1;
    let at = |x: i32| values[(x - shift).rem_euclid(half) as usize];
    let (low, high) = (shift, shift + half - 1);
    let mut luts = Vec::new();
    let mut push = |name: &str, lut: Lut| luts.push((name.to_owned(), lut));
    push("table", Lut::new(space, low..=high, at).unwrap());
    push("of its domain", Lut::new(space, low..=low + top, at).unwrap());
    push("negated", Lut::new(space, low..=high, |x| 3 - at(x)).unwrap());
    push("with one more", Lut::new(space, low..=high, |x| 1 + at(x)).unwrap());
    push("one further", Lut::new(space, low..=high, |x| at(x + 1)).unwrap());
    let step = |x: i32| i32::from(x - shift >= half / 2);
    push("step", Lut::new(space, low..=high, step).unwrap());
    let both: [Function<'_>; 2] = [&at, &step];
    push("both", Lut::multi_value(space, low..=high, &both).unwrap());
    let below = |x: i32| 1 - step(x);
    let again: [Function<'_>; 3] = [&below, &at, &step];
    push("again", Lut::multi_value(space, low..=high, &again).unwrap());
    for count in [2, 4] {
        if count * (top + 1) <= half {
            let functions: Vec<_> = (0..count).map(|part| move |x: i32| at(x + part)).collect();
            let functions: Vec<_> = functions.iter().map(|f| f as Function<'_>).collect();
            push("side by side", Lut::many(space, low..=low + top, &functions).unwrap());
        }
    }
    luts
}

/// Computes the tables on an argument by every road.
fn lookups(world: &mut World, message: u32) -> Vec<Road> {
    let half = world.params.space().half();
    let mut dice = Dice::new(u64::from(message) + 5);
    let values: Vec<i32> = (0..half).map(|_| dice.below(2) as i32).collect();
    let mut jobs = Vec::new();
    for (name, argument, shift) in arguments(world, message) {
        for (table, lut) in tables(&world.params, &values, shift) {
            jobs.push((format!("{table} of {name}"), argument.clone(), lut));
        }
    }
    let bootstraps: Vec<_> = jobs.iter().map(|(_, input, lut)| Job { input, lut }).collect();
    let outputs = world.evaluator.bootstrap(&bootstraps).unwrap();
    let mut roads = Vec::new();
    for ((name, _, _), outputs) in jobs.iter().zip(outputs) {
        let named = outputs.into_iter().enumerate();
        roads.extend(named.map(|(index, block)| (format!("{name}, {index}"), block)));
    }
    roads
}

#[test]
fn lookups_along_every_road_count_as_the_copies_that_they_are() {
    for set in ["u_bool_128", "u_1_1_64", "u_2_2_64"] {
        let mut world = World::new(set);
        let mut roads = lookups(&mut world, 1);
        let bytes: Vec<_> = roads.iter().map(|(_, block)| block.to_bytes(&world.params)).collect();
        let received = roads.iter().zip(bytes).step_by(9).map(|((name, _), bytes)| {
            let block = Block::from_bytes(&world.params, &bytes.unwrap()).unwrap();
            (format!("received {name}"), block)
        });
        let received: Vec<_> = received.collect();
        roads.extend(received);
        let found = compare(&roads);
        println!("{set}: {} blocks, {found:?}", roads.len());
        assert!(found.copies > roads.len() && found.negatives > roads.len() / 4);
    }
}

/// A sum of one flag for each value of an argument. All start from rotations of one polynomial.
#[test]
fn flags_of_all_values_have_the_variance_that_is_tracked() {
    const SAMPLES: usize = 40;
    let mut world = World::new("u_2_2_64");
    let (space, half) = (world.params.space(), world.params.space().half());
    let luts: Vec<Lut> = (0..half)
        .map(|value| Lut::new(space, 0..=half - 1, |x| i32::from(x == value)).unwrap())
        .collect();
    let unit = world.params.noise().variances().blind_rotation;
    let (mut squares, mut tracked) = (0.0, 0);
    for _ in 0..SAMPLES {
        let x: Block = world.client.encrypt(1_u8, &mut world.rng).unwrap();
        let jobs: Vec<_> = luts.iter().map(|lut| Job { input: &x, lut }).collect();
        let flags = world.evaluator.bootstrap(&jobs).unwrap();
        let zero = Block::trivial(space, 0);
        let sum = flags.iter().flatten().fold(zero, |sum, flag| sum.add(flag).unwrap());
        tracked = sum.noise_variance();
        let error = world.client.phase(sum.lwe()).unwrap().wrapping_sub(space.encode(1)) as i64;
        squares += (error as f64 / 2_f64.powi(64)).powi(2);
    }
    let ratio = squares / SAMPLES as f64 / unit / f64::from(tracked);
    println!("variance {tracked}, measured {ratio:.2} of it");
    // The mean of so many squares deviates by 0.22.
    assert!((0.3..1.8).contains(&ratio), "{ratio}");
}

#[test]
fn gates_by_every_name_count_as_the_copies_that_they_are() {
    let mut world = World::new("u_bool_128");
    let gates = Gates::new(world.evaluator.clone()).unwrap();
    let [a, b]: [Bit; 2] =
        [true, false].map(|bit| world.client.encrypt(bit, &mut world.rng).unwrap());
    let [yes, no] = [true, false].map(|bit| Bit::trivial(&world.params, bit));
    let (not_a, not_b) = (!&a, !&b);
    let mut all = Vec::new();
    for (x, y) in [(&a, &b), (&b, &a), (&not_a, &not_b), (&not_a, &b)] {
        all.extend([
            Gate::And(x, y),
            Gate::Nand(x, y),
            Gate::Or(x, y),
            Gate::Nor(x, y),
            Gate::Xor(x, y),
            Gate::Xnor(x, y),
            Gate::AndNy(x, y),
            Gate::AndYn(x, y),
            Gate::OrNy(x, y),
            Gate::OrYn(x, y),
            Gate::Majority(x, y, &no),
            Gate::Majority(x, y, &yes),
            Gate::Xor3(x, y, &no),
            Gate::Mux(x, y, &no),
        ]);
    }
    let outputs = gates.evaluate(&all).unwrap();
    let named = all.iter().map(|gate| format!("{gate:?}")).zip(outputs);
    let mut roads: Vec<Road> = named.map(|(name, bit)| (name, bit.block().clone())).collect();
    for (name, bit) in [("all", gates.all(&[a.clone(), b.clone()])), ("any", gates.any(&[a, b]))] {
        roads.push((name.to_owned(), bit.unwrap().block().clone()));
    }
    let found = compare(&roads);
    println!("{} gates: {found:?}", roads.len());
    assert!(found.copies > 20 && found.negatives > 20);
}

#[test]
fn integers_and_lists_along_every_road_count_as_the_copies_that_they_are() {
    let mut world = World::new("u_2_2_64");
    let packing = world.packing_keys();
    let evaluator = world.evaluator.with_packing_keys(packing).unwrap();
    let ints = ShortInts::new(evaluator.clone()).unwrap();
    let mut roads: Vec<Road> = Vec::new();
    let [x, y]: [ShortInt; 2] =
        [2_u32, 3].map(|value| world.client.encrypt(value, &mut world.rng).unwrap());
    for operation in Operation::ALL {
        let result = ints.call(operation, &x, &y).unwrap();
        roads.push((format!("{operation:?}"), result.block().clone()));
    }
    let less = ints.apply_two(&x, &y, |a, b| u32::from(a < b)).unwrap();
    roads.push(("a function that is Less".to_owned(), less.block().clone()));
    let integers = Integers::new(evaluator.clone()).unwrap();
    let [a, b]: [FheUint8; 2] =
        [201_u8, 77].map(|value| world.client.encrypt(value, &mut world.rng).unwrap());
    let read = FheUint8::from_bytes(&world.params, &a.to_bytes(&world.params).unwrap()).unwrap();
    for (name, a) in [("", &a), (" read", &read)] {
        let words = [
            ("add", integers.add(a, &b)),
            ("add 5", integers.add(a, 5_u8)),
            ("and", integers.and(a, &b)),
            ("or", integers.or(a, &b)),
            ("min", integers.min(a, &b)),
            ("refresh", integers.refresh(a)),
        ];
        for (verb, word) in words {
            let blocks = word.unwrap().blocks().to_vec().into_iter().enumerate();
            roads.extend(blocks.map(|(i, block)| (format!("{verb}{name} {i}"), block)));
        }
        let flags = [
            ("eq", integers.eq(a, &b)),
            ("ne", integers.ne(a, &b)),
            ("lt", integers.lt(a, &b)),
            ("ge", integers.ge(a, &b)),
            ("le", integers.le(a, &b)),
        ];
        for (verb, flag) in flags {
            roads.push((format!("{verb}{name}"), flag.unwrap().block().clone()));
        }
    }
    let list = evaluator.compress(&[a.blocks(), b.blocks()].concat()).unwrap();
    let again = evaluator.compress(&[a.blocks(), b.blocks()].concat()).unwrap();
    for (name, list) in [("list", &list), ("the list again", &again), ("the list", &list)] {
        for (i, block) in evaluator.decompress(list, 0..8).unwrap().into_iter().enumerate() {
            roads.push((format!("{name} {i}"), block));
        }
    }
    let found = compare(&roads);
    println!("{} blocks: {found:?}", roads.len());
    assert!(found.copies > 40 && found.negatives > 2);
}
