//! `private-db` on blocks of TFHE.

use fathom::tfhe::integer::{FheBool, FheValue, Integers, RadixInt, ValueType};
use fathom::tfhe::{Block, Params};

use super::aggregate::{grouped, masked};
use super::predicate::selected;
use super::query::{Aggregate, BITS, BONUS_BITS, COUNT_BITS, GROUPS, MOST_ROWS, SUM_BITS};
use super::row::Row;
use crate::schemes::tfhe::{Encrypted, Field, Kind, Program};
use crate::work::Excerpt;
use crate::{Data, Error, Task};

/// The query and its aggregates as a program on blocks.
pub(super) const PROGRAM: Program = Program {
    method: "range of the salary by the hours from encrypted tables; sums of columns of digits",
    params: Params::INTEGERS,
    supports,
    inputs,
    outputs,
    circuit,
    excerpt: |task| Excerpt::of_number(task, "rows", PART as u64),
};

/// Number of rows that are computed at once, so that memory does not grow with the table: a row has
/// about 100 blocks at a time.
const PART: usize = 128;

fn supports(task: &Task) -> Result<(), Error> {
    let rows = task.number("rows")?;
    if rows > MOST_ROWS {
        let reason =
            format!("{rows} rows, more than the {MOST_ROWS} whose sum has {SUM_BITS} bits");
        return Err(Error::Unsupported { scheme: "tfhe", reason });
    }
    Ok(())
}

fn inputs(task: &Task) -> Result<Vec<Field>, Error> {
    let rows = task.number("rows")?;
    let mut fields = vec![
        Field::new("salary", Kind::Integer(BITS), rows),
        Field::new("hours", Kind::Integer(BITS), rows),
        Field::new("bonus", Kind::Integer(BONUS_BITS), rows),
    ];
    if Aggregate::of(task) == Aggregate::Groups {
        fields.push(Field::new("group", Kind::Integer(4), rows));
    }
    Ok(fields)
}

fn outputs(task: &Task) -> Result<Vec<Field>, Error> {
    Ok(vec![match Aggregate::of(task) {
        Aggregate::Rows => Field::new("selected", Kind::Truth, task.number("rows")?),
        Aggregate::Count => Field::new("count", Kind::Integer(COUNT_BITS), 1),
        Aggregate::Sum => Field::new("sum", Kind::Integer(SUM_BITS), 1),
        Aggregate::Groups => Field::new("sums", Kind::Integer(SUM_BITS), GROUPS),
    }])
}

fn circuit(
    integers: &Integers,
    task: &Task,
    _: &Data,
    inputs: &Encrypted,
) -> Result<Encrypted, Error> {
    let [salary, hours, bonus] = ["salary", "hours", "bonus"].map(|name| inputs.integers(name));
    let rows = salary?.iter().zip(hours?).zip(bonus?).map(|((salary, hours), bonus)| Row {
        salary: salary.blocks(),
        hours: hours.blocks(),
        bonus: bonus.blocks(),
    });
    let rows: Vec<_> = rows.collect();
    let (count, sum) = (ValueType::unsigned(COUNT_BITS)?, ValueType::unsigned(SUM_BITS)?);
    let parts = rows.chunks(PART);
    let result = Encrypted::default();
    Ok(match Aggregate::of(task) {
        Aggregate::Rows => {
            let mut truths = Vec::with_capacity(rows.len());
            for rows in parts {
                truths.extend(
                    selected(integers.evaluator(), rows)?.into_iter().map(FheBool::from_block),
                );
            }
            result.with_truths("selected", truths.into_iter().collect::<Result<_, _>>()?)
        }
        Aggregate::Count => {
            let parts = parts.map(|rows| {
                Ok(vec![integers.sum_columns(count, &[selected(integers.evaluator(), rows)?])?])
            });
            result.with_integers("count", total(integers, parts)?)
        }
        Aggregate::Sum => {
            let parts = parts.map(|rows| {
                let bonuses =
                    masked(integers.evaluator(), rows, &selected(integers.evaluator(), rows)?)?;
                Ok(vec![integers.sum_columns(sum, &columns(&bonuses))?])
            });
            result.with_integers("sum", total(integers, parts)?)
        }
        Aggregate::Groups => {
            let parts = parts.zip(inputs.integers("group")?.chunks(PART));
            let parts = parts.map(|(rows, groups)| sums_of_groups(integers, rows, groups));
            result.with_integers("sums", total(integers, parts)?)
        }
    })
}

/// Returns the sums of the results of all parts of a table, value by value.
fn total(
    integers: &Integers,
    parts: impl Iterator<Item = Result<Vec<RadixInt>, Error>>,
) -> Result<Vec<RadixInt>, Error> {
    let mut sums: Vec<RadixInt> = Vec::new();
    for part in parts {
        let part = part?;
        sums = if sums.is_empty() {
            part
        } else {
            integers.zip(&sums, &part, |integers, sum, part| integers.add(sum, part))?
        };
    }
    Ok(sums)
}

/// Returns the sum of each group over some rows, whose groups are `groups`.
fn sums_of_groups(
    integers: &Integers,
    rows: &[Row<'_>],
    groups: &[RadixInt],
) -> Result<Vec<RadixInt>, Error> {
    let values = masked(integers.evaluator(), rows, &selected(integers.evaluator(), rows)?)?;
    let groups: Vec<&[Block]> = groups.iter().map(FheValue::blocks).collect();
    let values = grouped(integers.evaluator(), &groups, &values)?;
    let ty = ValueType::unsigned(SUM_BITS)?;
    let group = |group: usize| -> Vec<Vec<Block>> {
        let digits = |row: &Vec<Vec<Block>>| row.iter().map(|of| of[group].clone()).collect();
        columns(&values.iter().map(digits).collect::<Vec<_>>())
    };
    let columns: Vec<_> = (0..GROUPS).map(group).collect();
    Ok(integers.map(&columns, |integers, columns| integers.sum_columns(ty, columns))?)
}

/// Returns the digits of all rows, place by place.
fn columns(rows: &[Vec<Block>]) -> Vec<Vec<Block>> {
    let places = rows.first().map_or(0, Vec::len);
    (0..places).map(|place| rows.iter().map(|digits| digits[place].clone()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_several_parts_are_right() {
        for variant in ["filter", "count", "sum", "group-by"] {
            PROGRAM.check_in_the_clear(["private-db", variant, "r256"], 2);
        }
    }
}
