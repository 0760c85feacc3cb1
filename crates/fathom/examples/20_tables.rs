//! Tables of integers over all slots at once, several of them for little more than one.
//!
//! `cargo run --release -p fathom --example 20_tables [set] [bits] [threads]` with set `boot-c`
//! (default, up to 7 bits), `boot-a` or `boot-t` (up to 9 bits).

use fathom::SecretRng;
use fathom::ckks::{
    BootstrapSecret, BootstrapSet, Bootstrapper, Complex64, Params, SecretKey, Table,
};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let set: BootstrapSet = arguments.next().as_deref().unwrap_or("boot-c").parse()?;
    let bits: u32 = arguments.next().as_deref().unwrap_or("4").parse()?;
    let threads: usize = arguments.next().as_deref().unwrap_or("1").parse()?;
    let params = Params::bootstrappable(set)?;
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let server = Bootstrapper::new(secret.bootstrapping_keys(&mut rng)?).with_threads(threads)?;

    // Any functions will do: a scrambled order, a square, a parity and a threshold.
    let size = 1_u32 << bits;
    let functions: [&dyn Fn(u32) -> u32; 4] =
        [&|v| (v * 5 + 3) % size, &|v| v * v % size, &|v| v.count_ones() % 2, &|v| {
            u32::from(v >= size / 3)
        }];
    let table = |f: &dyn Fn(u32) -> u32| Table::new(bits, |v| f64::from(f(v)));
    let started = Instant::now();
    let one = server.prepare(&[table(functions[0])?])?;
    let [a, b, c, d] = functions.map(table);
    let four = server.prepare(&[a?, b?, c?, d?])?;
    println!("{set}, {bits} bits: prepared in {:.1} s", started.elapsed().as_secs_f64());

    // Two integers in every slot: the real and the imaginary part.
    let integer = |i: usize| (i * 40_503) as u32 % size;
    let count = params.slot_count();
    let slots: Vec<_> = (0..count)
        .map(|i| Complex64::new(f64::from(integer(i)), f64::from(integer(i + count))))
        .collect();
    let largest = 2f64.sqrt() * f64::from(size);
    let x = secret.encrypt(&params.encode_within(&slots, largest)?, &mut rng)?;
    server.apply(&x, &one)?; // The first one touches memory that later ones reuse.
    let started = Instant::now();
    let [single] = server.apply(&x, &one)?;
    let of_one = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let all = server.apply(&x, &four)?;
    let of_four = started.elapsed().as_secs_f64();
    println!(
        "one table of {} integers: {of_one:.2} s ({:.4} ms each); four tables: {of_four:.2} s",
        2 * count,
        of_one * 1e3 / (2 * count) as f64
    );
    for (result, f) in std::iter::once(&single).zip([functions[0]]).chain(all.iter().zip(functions))
    {
        let found = secret.decrypt(result)?;
        let mut worst = 0.0_f64;
        for (slot, operand) in found.slots_complex().iter().zip(&slots) {
            for (y, v) in [(slot.re, operand.re), (slot.im, operand.im)] {
                worst = worst.max((y - f64::from(f(v as u32))).abs());
            }
        }
        let bound = result.error_bound();
        println!("level {}, worst error {worst:.5}, bound {bound:.5}", result.level());
        assert!(worst <= bound && bound < 0.5, "every integer is exact after rounding");
    }
    Ok(())
}
