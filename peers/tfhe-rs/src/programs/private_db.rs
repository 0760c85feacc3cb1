//! `private-db`: the predicate of all rows in parallel, then sums.

use fathom_workloads::{Error, Task};
use rayon::prelude::*;
use tfhe::prelude::{CastFrom, FheEq, FheOrd, IfThenZero};
use tfhe::{FheBool, FheUint4, FheUint8, FheUint10, FheUint12, FheUint16, FheUint24};

use super::columns::{Encrypted, Field, Kind};
use super::program::Program;

/// The program.
pub(super) const PROGRAM: Program = Program {
    method: "products, sums and comparisons with clear bounds for all rows in parallel, then sums",
    supports,
    inputs,
    outputs,
    circuit: |task, _, inputs| circuit(task, inputs),
};

/// The greatest number of rows whose sum of bonuses of 10 bits has 24 bits.
const MOST_ROWS: usize = 1 << 14;

/// Number of groups.
const GROUPS: u64 = 8;

fn supports(task: &Task) -> Result<(), Error> {
    let rows = task.number("rows")?;
    let reason = || format!("{rows} rows, more than the {MOST_ROWS} whose sum has 24 bits");
    if rows > MOST_ROWS {
        return Err(Error::Unsupported { scheme: "tfhe", reason: reason() });
    }
    Ok(())
}

fn inputs(task: &Task) -> Result<Vec<Field>, Error> {
    let rows = task.number("rows")?;
    let mut fields = vec![
        Field::new("salary", Kind::Integer(8), rows),
        Field::new("hours", Kind::Integer(8), rows),
        Field::new("bonus", Kind::Integer(10), rows),
    ];
    if task.variant == "group-by" {
        fields.push(Field::new("group", Kind::Integer(4), rows));
    }
    Ok(fields)
}

fn outputs(task: &Task) -> Result<Vec<Field>, Error> {
    Ok(vec![match task.variant.as_str() {
        "filter" => Field::new("selected", Kind::Truth, task.number("rows")?),
        "count" => Field::new("count", Kind::Integer(16), 1),
        "sum" => Field::new("sum", Kind::Integer(24), 1),
        _ => Field::new("sums", Kind::Integer(24), GROUPS as usize),
    }])
}

fn circuit(task: &Task, inputs: &Encrypted) -> Result<Encrypted, Error> {
    let salary = inputs.column::<FheUint8>("salary")?;
    let hours = inputs.column::<FheUint8>("hours")?;
    let bonus = inputs.column::<FheUint10>("bonus")?;
    let rows = salary.par_iter().zip(hours).zip(bonus);
    let selected: Vec<_> =
        rows.map(|((salary, hours), bonus)| is_selected(salary, hours, bonus)).collect();
    let result = Encrypted::default();
    Ok(match task.variant.as_str() {
        "filter" => result.with("selected", selected),
        "count" => {
            let ones = selected.into_iter().map(FheUint16::cast_from);
            result.with("count", vec![ones.sum::<FheUint16>()])
        }
        "sum" => result.with("sum", vec![sum_of(bonus, &selected)]),
        _ => {
            let groups = inputs.column::<FheUint4>("group")?;
            let sum = |group: u64| {
                let rows = selected.par_iter().zip(groups);
                let of_group = rows.map(|(selected, own)| selected & own.eq(group));
                sum_of(bonus, &of_group.collect::<Vec<_>>())
            };
            let sums = (0..GROUPS).into_par_iter().map(sum);
            result.with::<FheUint24>("sums", sums.collect())
        }
    })
}

/// Returns whether 5000 <= salary * hours <= 6000 and 700 <= salary + bonus <= 800, exactly.
fn is_selected(salary: &FheUint8, hours: &FheUint8, bonus: &FheUint10) -> FheBool {
    let product = || {
        let hours = FheUint16::cast_from(hours.clone());
        let product = FheUint16::cast_from(salary.clone()) * hours;
        let (above, below) = rayon::join(|| product.ge(5000_u64), || product.le(6000_u64));
        above & below
    };
    let total = || {
        let bonus = FheUint12::cast_from(bonus.clone());
        let total = FheUint12::cast_from(salary.clone()) + bonus;
        let (above, below) = rayon::join(|| total.ge(700_u64), || total.le(800_u64));
        above & below
    };
    let (product, total) = rayon::join(product, total);
    product & total
}

/// Adds up the bonuses of the selected rows.
fn sum_of(bonus: &[FheUint10], selected: &[FheBool]) -> FheUint24 {
    let rows = bonus.par_iter().zip(selected);
    let masked = rows.map(|(bonus, selected)| selected.if_then_zero(bonus));
    let masked: Vec<FheUint10> = masked.collect();
    masked.into_iter().map(FheUint24::cast_from).sum()
}
