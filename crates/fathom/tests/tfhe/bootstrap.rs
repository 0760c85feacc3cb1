//! Lookup tables under real keys, at secure parameters.

use crate::keys;
use fathom::tfhe::{Job, Lut, Params};

#[test]
fn every_kind_of_table_gives_the_clear_result() {
    for name in ["u_2_2_128", "tfhe_rs_2_2"] {
        let (client, evaluator, mut rng) = keys(Params::preset(name).unwrap());
        let space = client.params().space();
        let blocks: Vec<_> = (0..4).map(|m| client.encrypt(m, &mut rng).unwrap()).collect();
        for (m, block) in blocks.iter().enumerate() {
            assert_eq!(client.decrypt(block).unwrap(), m as i32);
        }
        let square = Lut::new(space, 0..=15, |x| x * x % 16).unwrap();
        let split = Lut::many(space, 0..=7, &[&|x| x % 4, &|x| x / 4]).unwrap();
        let sign = Lut::new(space, -15..=15, |x| x.signum()).unwrap();
        let digits = Lut::multi_value(space, 0..=15, &[&|x| x % 4, &|x| x / 4]).unwrap();
        let positive = Lut::new(space, -15..=16, |x| i32::from(x > 0)).unwrap();
        let mut inputs = Vec::new();
        for a in 0..4 {
            for b in 0..4 {
                inputs.push((blocks[b].plus(&blocks[a]), &split, a + b));
                inputs.push((blocks[b].plus_scaled(&blocks[a], 4), &digits, 4 * a + b));
                inputs.push((blocks[b].plus_scaled(&blocks[a], 4), &square, 4 * a + b));
            }
        }
        let inputs: Vec<_> = inputs.into_iter().map(|(x, l, v)| (x, l, v as i32)).collect();
        let signed = (0..16).map(|i| {
            let (a, b) = (i % 4, i / 4);
            let difference = blocks[a].minus(&blocks[b]).times(4);
            (difference.plus(&blocks[b]).plus_constant(-2), a as i32, b as i32)
        });
        let signed: Vec<_> = signed.collect();
        let mut all: Vec<_> = inputs.iter().map(|(x, l, v)| (x, *l, *v)).collect();
        for (x, a, b) in &signed {
            for lut in [&sign, &positive] {
                all.push((x, lut, 4 * (a - b) + b - 2));
            }
        }
        all.retain(|(input, ..)| input.norm() <= client.params().max_norm());
        let jobs: Vec<_> = all.iter().map(|(input, lut, _)| Job { input, lut }).collect();
        let results = evaluator.bootstrap(&jobs).unwrap();
        for ((_, lut, value), outputs) in all.iter().zip(&results) {
            let got: Vec<_> = outputs.iter().map(|o| client.decrypt(o).unwrap()).collect();
            let expected = match () {
                () if std::ptr::eq(*lut, &square) => vec![value * value % 16],
                () if std::ptr::eq(*lut, &sign) => vec![value.signum()],
                () if std::ptr::eq(*lut, &positive) => vec![i32::from(*value > 0)],
                () => vec![value % 4, value / 4],
            };
            assert_eq!(got, expected, "{name} {value}");
        }
    }
}
