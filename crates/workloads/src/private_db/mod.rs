//! `private-db`: a range query on an encrypted table, with aggregates.

mod aggregate;
mod predicate;
mod product_range;
mod query;
mod row;
mod tfhe;
mod total_range;

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use self::query::{Aggregate, BITS, BONUS_BITS, GROUPS, PRODUCTS, TOTALS, selects};
use crate::{Data, Error, Implementation, Inputs, Random, Spec, Task, Workload};

/// The rows of an encrypted table that two ranges select, or aggregates over them.
pub(crate) struct PrivateDb;

impl Workload for PrivateDb {
    fn spec(&self) -> &Spec {
        static SPEC: LazyLock<Spec> =
            LazyLock::new(|| Spec::parse(include_str!("../../specs/private-db.toml")));
        &SPEC
    }

    fn generate(&self, task: &Task, random: &mut Random) -> Result<Inputs, Error> {
        let mut columns = [const { Vec::new() }; 3];
        for index in 0..task.number("rows")? {
            for (column, value) in columns.iter_mut().zip(row(index, random)) {
                column.push(value);
            }
        }
        let rows = columns[0].len();
        let [salary, hours, bonus] = columns;
        let mut secret = Data::new()
            .with_integers("salary", salary)
            .with_integers("hours", hours)
            .with_integers("bonus", bonus);
        if Aggregate::of(task) == Aggregate::Groups {
            let groups = (0..rows).map(|_| random.below(GROUPS as u64));
            secret = secret.with_integers("group", groups.collect());
        }
        Ok(Inputs { public: Data::new(), secret })
    }

    fn reference(&self, task: &Task, inputs: &Inputs) -> Result<Data, Error> {
        let data = &inputs.secret;
        let (salary, hours) = (data.integers("salary")?, data.integers("hours")?);
        let bonus = data.integers("bonus")?;
        let selected: Vec<bool> =
            (0..bonus.len()).map(|i| selects(salary[i], hours[i], bonus[i])).collect();
        let rows = || (0..bonus.len()).filter(|&row| selected[row]);
        Ok(match Aggregate::of(task) {
            Aggregate::Rows => {
                let truths = selected.iter().map(|&selected| u64::from(selected));
                Data::new().with_integers("selected", truths.collect())
            }
            Aggregate::Count => Data::new().with_integers("count", vec![rows().count() as u64]),
            Aggregate::Sum => {
                Data::new().with_integers("sum", vec![rows().map(|row| bonus[row]).sum()])
            }
            Aggregate::Groups => {
                let group = data.integers("group")?;
                let mut sums = vec![0; GROUPS];
                for row in rows() {
                    sums[group[row] as usize] += bonus[row];
                }
                Data::new().with_integers("sums", sums)
            }
        })
    }

    fn implementations(&self) -> Vec<Box<dyn Implementation>> {
        vec![Box::new(tfhe::PROGRAM)]
    }
}

/// Makes the salary, hours and bonus of a row: of eight, four are at the ends of the ranges or next
/// to them, two are within, one is random, and one has the ends of all columns.
fn row(index: usize, random: &mut Random) -> [u64; 3] {
    let greatest = (1 << BITS) - 1;
    let hours = random.bits(BITS as u32).max(24);
    let near = |range: &RangeInclusive<u64>, random: &mut Random| {
        let end = if random.chance(1, 2) { *range.start() } else { *range.end() };
        end + random.below(3) - 1
    };
    match index % 8 {
        7 if random.chance(1, 2) => [greatest, greatest, (1 << BONUS_BITS) - 1],
        7 => [0, 0, 0],
        6 => {
            // The product is an end of its range, and so is the total.
            let product = if random.chance(1, 2) { *PRODUCTS.start() } else { *PRODUCTS.end() };
            let hours = [25, 40, 50, 100, 125, 200][random.below(6) as usize];
            let total = if random.chance(1, 2) { *TOTALS.start() } else { *TOTALS.end() };
            [product / hours, hours, total - product / hours]
        }
        0..=2 => {
            // The product is at most `hours` beyond an end of its range.
            let salary = (near(&PRODUCTS, random) / hours + random.below(2)).min(greatest);
            [salary, hours, near(&TOTALS, random) - salary]
        }
        3 => [random.bits(8), random.bits(8), random.bits(BONUS_BITS as u32)],
        _ => {
            let inside = PRODUCTS.start() + random.below(PRODUCTS.end() - PRODUCTS.start());
            let salary = (inside / hours).min(greatest);
            let total = TOTALS.start() + random.below(TOTALS.end() - TOTALS.start() + 1);
            [salary, hours, total - salary]
        }
    }
}
