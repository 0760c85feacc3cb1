//! `arith-compare`: products, comparisons and selections.

mod bfv;
mod bits;
mod operands;
mod tables;
mod tfhe;

use std::sync::LazyLock;

use fathom::bfv::Bfv;
use fathom::ckks::Ckks;

use self::operands::{has_d, wide_bound};
use crate::schemes::ring::Program;
use crate::{Data, Error, Implementation, Inputs, Random, Spec, Task, Workload};

/// Products, comparisons and selections of encrypted unsigned integers.
pub(crate) struct ArithCompare;

impl Workload for ArithCompare {
    fn spec(&self) -> &Spec {
        static SPEC: LazyLock<Spec> =
            LazyLock::new(|| Spec::parse(include_str!("../../specs/arith-compare.toml")));
        &SPEC
    }

    fn generate(&self, task: &Task, random: &mut Random) -> Result<Inputs, Error> {
        let (tuples, bits) = (task.number("tuples")?, task.number("bits")? as u32);
        let wide = if wide_bound(task) { 2 * bits } else { bits };
        let mut columns = [const { Vec::new() }; 4];
        for tuple in 0..tuples {
            let [mut a, mut b] = [random.bits(bits), random.bits(bits)];
            let mut c = random.bits(wide);
            let d = random.bits(bits);
            // Comparisons that are decided by one, and the ends of the range.
            match tuple % 8 {
                1 => c = if wide > bits { a * b } else { a },
                3 => b = a,
                5 => [a, b, c] = [(1 << bits) - 1, (1 << bits) - 1, (1 << wide) - 1],
                7 => [a, b, c] = [0, 0, 0],
                _ => {}
            }
            for (column, value) in columns.iter_mut().zip([a, b, c, d]) {
                column.push(value);
            }
        }
        let [a, b, c, d] = columns;
        let data = Data::new().with_integers("a", a).with_integers("b", b).with_integers("c", c);
        let secret = if has_d(task) { data.with_integers("d", d) } else { data };
        Ok(Inputs { public: Data::new(), secret })
    }

    fn reference(&self, task: &Task, inputs: &Inputs) -> Result<Data, Error> {
        let data = &inputs.secret;
        let [a, b, c] = [data.integers("a")?, data.integers("b")?, data.integers("c")?];
        let d = if has_d(task) { data.integers("d")? } else { c };
        let results = (0..a.len()).map(|i| match task.variant.as_str() {
            "w1" => u64::from(a[i] * b[i] <= c[i]),
            "w2" => c[i] * u64::from(a[i] <= b[i]),
            "w3-select" => d[i] * u64::from(a[i] * b[i] <= c[i]),
            _ => u64::from(a[i] * b[i] <= c[i] * d[i]),
        });
        Ok(Data::new().with_integers("result", results.collect()))
    }

    fn implementations(&self) -> Vec<Box<dyn Implementation>> {
        vec![
            Box::new(tfhe::PROGRAM),
            Program::<Bfv, _>::boxed(bfv::Bitwise),
            Program::<Ckks, _>::boxed(tables::Tabulated),
        ]
    }
}
