//! The numbers of bootstraps of powers, of arithmetic that tells of overflow, and of lists, which
//! docs/maths/tfhe-integers.md quotes.

use super::harness::{Numbers, Session};
use fathom::tfhe::Policy;
use fathom::tfhe::integer::{FheInt, FheInteger, FheUint, FheUint8, FheUint16, Integers, U256};

/// A name and the bootstraps of each column.
type Row = (&'static str, Vec<u64>);

/// Counts the bootstraps of an operation.
fn count<T, E: std::fmt::Debug>(
    session: &Session,
    run: impl FnOnce(&Integers) -> Result<T, E>,
) -> u64 {
    let before = session.integers.counts().bootstraps;
    run(&session.integers).unwrap();
    session.integers.counts().bootstraps - before
}

/// Joins columns to rows.
fn rows(columns: Vec<Vec<(&'static str, u64)>>) -> Vec<Row> {
    let mut rows: Vec<Row> = columns[0].iter().map(|(name, _)| (*name, Vec::new())).collect();
    for column in columns {
        for (row, (_, bootstraps)) in rows.iter_mut().zip(column) {
            row.1.push(bootstraps);
        }
    }
    rows
}

/// Checks that the document has every row.
fn documented(rows: &[Row]) {
    let document = include_str!("../../../../docs/maths/tfhe-integers.md");
    let text = rows.iter().map(|(name, counts)| {
        let cells: Vec<_> = counts.iter().map(u64::to_string).collect();
        format!("| {name} | {} |", cells.join(" | "))
    });
    let missing: Vec<String> = text.filter(|row| !document.contains(row)).collect();
    assert!(missing.is_empty(), "docs/maths/tfhe-integers.md lacks\n{}", missing.join("\n"));
}

fn arithmetic<const BITS: usize>(session: &Session) -> Vec<(&'static str, u64)>
where
    FheUint<BITS>: FheInteger,
    FheInt<BITS>: FheInteger,
{
    let mut numbers = Numbers(7);
    let [a, b]: [FheUint<BITS>; 2] = [(); 2].map(|()| session.encrypt(numbers.value()));
    let [x, y]: [FheInt<BITS>; 2] = [(); 2].map(|()| session.encrypt(numbers.value()));
    let exponent: FheUint<4> = session.encrypt(U256::from(9_u8));
    let condition = session.encrypt_bool(true);
    vec![
        ("pow 3", count(session, |e| e.pow(&a, 3))),
        ("pow, exponent of 4 bits", count(session, |e| e.pow(&a, &exponent))),
        ("overflowing_mul", count(session, |e| e.overflowing_mul(&a, &b))),
        ("i overflowing_mul", count(session, |e| e.overflowing_mul(&x, &y))),
        ("checked_div", count(session, |e| e.checked_div(&a, &b))),
        ("saturating_add", count(session, |e| e.saturating_add(&a, &b))),
        ("i saturating_sub", count(session, |e| e.saturating_sub(&x, &y))),
        ("saturating_mul", count(session, |e| e.saturating_mul(&a, &b))),
        ("abs_diff", count(session, |e| e.abs_diff(&a, &b))),
        ("product_columns", count(session, |e| e.product_columns(&a, &b))),
        ("isqrt", count(session, |e| e.isqrt(&a))),
        (
            "select of clear values",
            count(session, |e| e.select::<FheUint<BITS>>(&condition, 200_u8, 7_u8)),
        ),
    ]
}

#[test]
fn documents_give_the_bootstraps_of_checked_arithmetic() {
    let session = &Session::simulated();
    documented(&rows(vec![
        arithmetic::<8>(session),
        arithmetic::<16>(session),
        arithmetic::<32>(session),
        arithmetic::<64>(session),
    ]));
}

#[test]
fn documents_give_the_bootstraps_of_lists() {
    let session = &Session::simulated().with_policy(Policy::Work);
    let column = |length: usize| {
        let mut numbers = Numbers(length as u64);
        let clear: Vec<u8> = (0..length).map(|_| numbers.word() as u8).collect();
        let list: Vec<FheUint8> =
            clear.iter().map(|&value| session.encrypt(U256::from(value))).collect();
        let value: FheUint8 = session.encrypt(U256::from(clear[0]));
        let index: FheUint16 = session.encrypt(U256::from(1_u8));
        vec![
            ("sort", count(session, |e| e.sort(&list))),
            ("sort_by_key", count(session, |e| e.sort_by_key(&list, &list))),
            ("max_of", count(session, |e| e.max_of(&list))),
            ("argmax", count(session, |e| e.argmax(&list))),
            ("contains an integer", count(session, |e| e.contains(&list, &value))),
            ("find", count(session, |e| e.find(&list, &value))),
            ("lookup", count(session, |e| e.lookup(&list, &index))),
            ("lookup_clear", count(session, |e| e.lookup_clear::<FheUint8>(&clear, &index))),
            ("sum", count(session, |e| e.sum(&list))),
        ]
    };
    documented(&rows([4, 16, 64, 256].map(column).to_vec()));
}
