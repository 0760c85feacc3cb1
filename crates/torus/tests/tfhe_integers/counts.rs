//! The number of bootstraps of each operation, which docs/maths/tfhe-integers.md quotes.

use super::harness::{Numbers, Session, mask};
use fathom::tfhe::Policy;
use fathom::tfhe::integer::{FheBool, FheInt, FheInteger, FheUint, Integers, U256};

/// The widths of the columns.
const WIDTHS: usize = 6;

/// Name; bootstraps at 8, 16, 32, 64, 128 and 256 bits; and those of tfhe-rs 1.8.2 with two
/// threads, which were counted with its feature `pbs-stats` on encrypted operands.
///
/// The clear operands are 77 and a dense random number (a different one in tfhe-rs).
type Row = (&'static str, [u64; WIDTHS], Option<[u64; WIDTHS]>);

#[rustfmt::skip]
const COUNTS: &[Row] = &[
    ("neg", [4, 8, 16, 32, 64, 128], Some([7, 15, 31, 63, 127, 255])),
    ("add", [4, 8, 16, 32, 64, 128], Some([8, 16, 32, 64, 128, 256])),
    ("overflowing_sub", [4, 8, 16, 32, 64, 128], Some([8, 16, 32, 64, 128, 256])),
    ("i overflowing_add", [5, 9, 17, 33, 65, 129], Some([10, 18, 34, 66, 130, 258])),
    ("mul", [14, 42, 126, 404, 1406, 5204], Some([28, 111, 440, 1737, 6892, 27453])),
    ("eq", [3, 5, 9, 17, 35, 69], Some([5, 11, 21, 42, 81, 163])),
    ("gt", [3, 5, 11, 21, 43, 85], Some([5, 11, 23, 47, 126, 285])),
    ("i gt", [4, 6, 12, 22, 44, 86], None),
    ("max", [7, 13, 27, 53, 107, 213], Some([17, 35, 71, 143, 318, 669])),
    ("select", [4, 8, 16, 32, 64, 128], Some([12, 24, 48, 96, 192, 384])),
    ("and", [4, 8, 16, 32, 64, 128], Some([4, 8, 16, 32, 64, 128])),
    ("not", [0, 0, 0, 0, 0, 0], Some([0, 0, 0, 0, 0, 0])),
    ("i abs", [5, 9, 17, 33, 65, 129], Some([14, 26, 50, 98, 194, 386])),
    ("div_rem", [62, 179, 577, 1982, 7350, 27983], Some([164, 518, 1789, 6601, 25285, 98664])),
    ("i div_rem", [81, 214, 644, 2113, 7609, 28498], None),
    ("shl", [9, 14, 27, 49, 97, 206], Some([21, 50, 119, 265, 596, 1312])),
    ("i shr", [11, 17, 32, 56, 107, 232], None),
    ("rotate_left", [7, 10, 22, 41, 82, 174], Some([21, 49, 114, 258, 579, 1283])),
    ("leading_zeros", [5, 10, 20, 43, 86, 173], Some([10, 17, 37, 70, 144, 283])),
    ("log2", [6, 10, 21, 43, 87, 173], Some([16, 38, 82, 192, 438, 994])),
    ("count_ones", [4, 7, 14, 23, 46, 87], Some([8, 13, 19, 40, 66, 139])),
    ("add clear", [4, 8, 16, 32, 64, 128], Some([7, 15, 31, 63, 127, 255])),
    ("mul clear", [5, 15, 44, 132, 368, 1101], Some([13, 45, 133, 424, 1519, 5727])),
    ("mul 77", [4, 12, 28, 60, 124, 252], Some([13, 33, 73, 153, 313, 633])),
    ("eq clear", [3, 4, 6, 13, 27, 50], Some([3, 5, 11, 21, 42, 81])),
    ("eq 77", [3, 4, 5, 8, 15, 30], Some([3, 4, 6, 11, 18, 36])),
    ("gt clear", [3, 5, 11, 21, 43, 85], Some([3, 5, 11, 23, 47, 126])),
    ("max clear", [7, 13, 27, 53, 107, 213], Some([7, 13, 27, 55, 111, 254])),
    ("and clear", [3, 3, 6, 16, 36, 65], None),
    ("div clear", [10, 19, 62, 190, 608, 1892], Some([55, 101, 375, 1132, 4233, 13743])),
    ("div 77", [10, 28, 81, 218, 634, 1959], Some([33, 100, 290, 1121, 3665, 14934])),
    ("rem clear", [17, 33, 95, 255, 736, 2146], Some([80, 161, 524, 1495, 5283, 17184])),
    ("rem 77", [17, 48, 125, 310, 822, 2339], Some([51, 149, 395, 1338, 4106, 15823])),
    ("shl 3", [3, 7, 15, 31, 63, 127], Some([3, 7, 15, 31, 63, 127])),
    ("rotate_left 3", [4, 8, 16, 32, 64, 128], Some([4, 8, 16, 32, 64, 128])),
];

/// Counts the bootstraps and layers of an operation.
fn measure<T, E: std::fmt::Debug>(
    session: &Session,
    run: impl FnOnce(&Integers) -> Result<T, E>,
) -> (u64, u64) {
    let before = session.integers.counts();
    run(&session.integers).unwrap();
    let after = session.integers.counts();
    (after.bootstraps - before.bootstraps, after.layers - before.layers)
}

struct Operands<const BITS: usize> {
    a: FheUint<BITS>,
    b: FheUint<BITS>,
    x: FheInt<BITS>,
    y: FheInt<BITS>,
    condition: FheBool,
    dense: U256,
}

impl<const BITS: usize> Operands<BITS>
where
    FheUint<BITS>: FheInteger,
    FheInt<BITS>: FheInteger,
{
    fn new(session: &Session) -> Self {
        let mut numbers = Numbers(5);
        let dense = U256::ONE | (U256::ONE << (BITS - 1) as u32);
        Operands {
            a: session.encrypt(numbers.value()),
            b: session.encrypt(numbers.value()),
            x: session.encrypt(numbers.value()),
            y: session.encrypt(numbers.value()),
            condition: session.encrypt_bool(true),
            dense: (numbers.value() | dense) & mask::<FheUint<BITS>>(),
        }
    }
}

/// Returns the counts for a width, in the order of [`COUNTS`].
fn column<const BITS: usize>(session: &Session) -> Vec<u64>
where
    FheUint<BITS>: FheInteger,
    FheInt<BITS>: FheInteger,
{
    let Operands { a, b, x, y, condition, dense } = &Operands::<BITS>::new(session);
    let (dense, small) = (*dense, 77u8);
    let counts = [
        measure(session, |e| e.neg(a)),
        measure(session, |e| e.add(a, b)),
        measure(session, |e| e.overflowing_sub(a, b)),
        measure(session, |e| e.overflowing_add(x, y)),
        measure(session, |e| e.mul(a, b)),
        measure(session, |e| e.eq(a, b)),
        measure(session, |e| e.gt(a, b)),
        measure(session, |e| e.gt(x, y)),
        measure(session, |e| e.max(a, b)),
        measure(session, |e| e.select(condition, a, b)),
        measure(session, |e| e.and(a, b)),
        measure(session, |e| e.not(a)),
        measure(session, |e| e.abs(x)),
        measure(session, |e| e.div_rem(a, b)),
        measure(session, |e| e.div_rem(x, y)),
        measure(session, |e| e.shl(a, b)),
        measure(session, |e| e.shr(x, b)),
        measure(session, |e| e.rotate_left(a, b)),
        measure(session, |e| e.leading_zeros(a)),
        measure(session, |e| e.log2(a)),
        measure(session, |e| e.count_ones(a)),
        measure(session, |e| e.add(a, dense)),
        measure(session, |e| e.mul(a, dense)),
        measure(session, |e| e.mul(a, small)),
        measure(session, |e| e.eq(a, dense)),
        measure(session, |e| e.eq(a, small)),
        measure(session, |e| e.gt(a, dense)),
        measure(session, |e| e.max(a, dense)),
        measure(session, |e| e.and(a, dense)),
        measure(session, |e| e.div(a, dense)),
        measure(session, |e| e.div(a, small)),
        measure(session, |e| e.rem(a, dense)),
        measure(session, |e| e.rem(a, small)),
        measure(session, |e| e.shl(a, 3)),
        measure(session, |e| e.rotate_left(a, 3)),
    ];
    counts.map(|(bootstraps, _)| bootstraps).to_vec()
}

/// Returns the columns of all widths.
fn columns(session: &Session) -> [Vec<u64>; WIDTHS] {
    [
        column::<8>(session),
        column::<16>(session),
        column::<32>(session),
        column::<64>(session),
        column::<128>(session),
        column::<256>(session),
    ]
}

#[test]
fn bootstraps_are_those_of_the_table() {
    let columns = columns(&Session::simulated());
    let rows = COUNTS.iter().enumerate().map(|(row, &(name, expected, _))| {
        (name, columns.each_ref().map(|column| column[row]), expected)
    });
    let changed: Vec<_> = rows.filter(|(_, counted, expected)| counted != expected).collect();
    assert!(changed.is_empty(), "name, counted, expected: {changed:?}");
    assert!(columns.iter().all(|column| column.len() == COUNTS.len()));
}

#[test]
fn documents_give_the_bootstraps() {
    let document = include_str!("../../../../docs/maths/tfhe-integers.md");
    for (name, ours, theirs) in COUNTS {
        let cells: Vec<_> = ours.iter().map(u64::to_string).collect();
        let theirs = theirs.map_or("-".to_owned(), |theirs| theirs[3].to_string());
        let row = format!("| {name} | {} | {theirs} |", cells.join(" | "));
        assert!(document.contains(&row), "docs/maths/tfhe-integers.md lacks {row}");
    }
}

#[test]
fn no_operation_takes_more_bootstraps_than_in_tfhe_rs() {
    for (name, ours, theirs) in COUNTS {
        let fewer = |theirs: &[u64; WIDTHS]| ours.iter().zip(theirs).all(|(a, b)| a <= b);
        assert!(theirs.as_ref().is_none_or(fewer), "{name}");
    }
}

/// Returns the bootstraps and layers of a sum for each width.
fn sums(session: &Session) -> [(u64, u64); WIDTHS] {
    fn sum<const BITS: usize>(session: &Session) -> (u64, u64)
    where
        FheUint<BITS>: FheInteger,
        FheInt<BITS>: FheInteger,
    {
        let Operands { a, b, .. } = &Operands::<BITS>::new(session);
        measure(session, |e| e.add(a, b))
    }
    [
        sum::<8>(session),
        sum::<16>(session),
        sum::<32>(session),
        sum::<64>(session),
        sum::<128>(session),
        sum::<256>(session),
    ]
}

#[test]
fn the_latency_policy_saves_layers_for_bootstraps() {
    let work = sums(&Session::simulated());
    assert_eq!(work, [(4, 4), (8, 8), (16, 16), (32, 32), (64, 64), (128, 128)]);
    let latency = sums(&Session::simulated().with_policy(Policy::Latency));
    assert_eq!(latency, [(4, 4), (13, 4), (31, 5), (69, 6), (147, 7), (305, 8)]);
    let chains = sums(&Session::simulated().with_policy(Policy::Chains(2)));
    assert_eq!(chains, [(5, 3), (11, 5), (23, 9), (47, 17), (95, 33), (191, 65)]);
}
