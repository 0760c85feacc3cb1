//! Operations on machine integers: names, operands and results.

use std::fmt;

use ethnum::U256;

use super::IntegerType;
use crate::random::SplitMix64;

/// Kind of an operation on machine integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the function of its name")]
pub enum IntegerKind {
    Neg,
    Add,
    Sub,
    Mul,
    Eq,
    Ne,
    Gt,
    Ge,
    Lt,
    Le,
    Max,
    Min,
    And,
    Or,
    Xor,
    Not,
    Div,
    Rem,
    Shl,
    Shr,
    RotateLeft,
    RotateRight,
    LeadingZeros,
    TrailingZeros,
    LeadingOnes,
    TrailingOnes,
    CountOnes,
    Log2,
}

use IntegerKind as Kind;

/// Kind, stem of its names, description, and the approximate number of bootstraps of an operation
/// on `n` blocks, per block and per pair of blocks. The latter determines the time that a case is
/// given.
const KINDS: [(Kind, &str, &str, [f64; 2]); 28] = [
    (Kind::Neg, "neg", "negation, modulo 2^bits", [2.0, 0.0]),
    (Kind::Add, "add", "sum, modulo 2^bits", [2.0, 0.0]),
    (Kind::Sub, "sub", "difference, modulo 2^bits", [2.0, 0.0]),
    (Kind::Mul, "mul", "product, modulo 2^bits", [2.0, 1.0]),
    (Kind::Eq, "eq", "a = b", [1.0, 0.0]),
    (Kind::Ne, "ne", "a != b", [1.0, 0.0]),
    (Kind::Gt, "gt", "a > b", [1.0, 0.0]),
    (Kind::Ge, "ge", "a >= b", [1.0, 0.0]),
    (Kind::Lt, "lt", "a < b", [1.0, 0.0]),
    (Kind::Le, "le", "a <= b", [1.0, 0.0]),
    (Kind::Max, "max", "the greater of a and b", [3.0, 0.0]),
    (Kind::Min, "min", "the smaller of a and b", [3.0, 0.0]),
    (Kind::And, "and", "bitwise and", [1.0, 0.0]),
    (Kind::Or, "or", "bitwise or", [1.0, 0.0]),
    (Kind::Xor, "xor", "bitwise exclusive or", [1.0, 0.0]),
    (Kind::Not, "not", "bitwise complement", [0.1, 0.0]),
    (Kind::Div, "div", "quotient, rounded towards 0", [4.0, 2.0]),
    (Kind::Rem, "rem", "remainder of the quotient", [4.0, 2.0]),
    (Kind::Shl, "shl", "shift to more significant places", [5.0, 0.0]),
    (Kind::Shr, "shr", "shift to less significant places", [5.0, 0.0]),
    (Kind::RotateLeft, "rotate_left", "rotation to more significant places", [5.0, 0.0]),
    (Kind::RotateRight, "rotate_right", "rotation to less significant places", [5.0, 0.0]),
    (Kind::LeadingZeros, "leading_zeros", "zeros above the highest bit set", [2.0, 0.0]),
    (Kind::TrailingZeros, "trailing_zeros", "zeros below the lowest bit set", [2.0, 0.0]),
    (Kind::LeadingOnes, "leading_ones", "ones above the highest zero", [2.0, 0.0]),
    (Kind::TrailingOnes, "trailing_ones", "ones below the lowest zero", [2.0, 0.0]),
    (Kind::CountOnes, "count_ones", "bits set", [2.0, 0.0]),
    (Kind::Log2, "log2", "place of the highest bit set", [2.0, 0.0]),
];

impl IntegerKind {
    /// Iterates over all kinds, in the order in which tables show them.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().map(|(kind, ..)| *kind)
    }

    /// Returns the first part of the operation's names.
    pub fn stem(self) -> &'static str {
        self.row().1
    }

    /// Returns the number of operands, one or two.
    pub fn arity(self) -> usize {
        match self {
            Kind::Neg
            | Kind::Not
            | Kind::LeadingZeros
            | Kind::TrailingZeros
            | Kind::LeadingOnes
            | Kind::TrailingOnes
            | Kind::CountOnes
            | Kind::Log2 => 1,
            Kind::Add
            | Kind::Sub
            | Kind::Mul
            | Kind::Eq
            | Kind::Ne
            | Kind::Gt
            | Kind::Ge
            | Kind::Lt
            | Kind::Le
            | Kind::Max
            | Kind::Min
            | Kind::And
            | Kind::Or
            | Kind::Xor
            | Kind::Div
            | Kind::Rem
            | Kind::Shl
            | Kind::Shr
            | Kind::RotateLeft
            | Kind::RotateRight => 2,
        }
    }

    /// Returns true if the result is a truth value.
    pub fn is_comparison(self) -> bool {
        matches!(self, Kind::Eq | Kind::Ne | Kind::Gt | Kind::Ge | Kind::Lt | Kind::Le)
    }

    /// Returns true if the right operand is a number of bits.
    pub fn is_shift(self) -> bool {
        matches!(self, Kind::Shl | Kind::Shr | Kind::RotateLeft | Kind::RotateRight)
    }

    fn row(self) -> &'static (Kind, &'static str, &'static str, [f64; 2]) {
        KINDS.iter().find(|(kind, ..)| *kind == self).unwrap_or(&KINDS[0])
    }
}

/// An operation on encrypted integers of one type, written `add_u64`, or `gt_u32_scalar` if the
/// right operand is clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerOp {
    /// Kind of the operation.
    pub kind: IntegerKind,
    /// Type of the left operand.
    pub ty: IntegerType,
    /// True if the right operand is clear.
    pub scalar: bool,
    /// Treatment of carries.
    pub mode: CarryMode,
}

/// Treatment of the carries of an operation, as tfhe-rs names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CarryMode {
    /// Results have no carries; operands may.
    #[default]
    Default,
    /// Operands have no carries, results may; nothing is checked.
    Unchecked,
    /// Unchecked operations, which refuse operands whose carries leave no room.
    Checked,
    /// Unchecked operations, which first propagate the carries of operands that leave no room.
    Smart,
}

impl CarryMode {
    /// The modes that names state, each with its suffix.
    const NAMED: [(Self, &str); 3] =
        [(Self::Unchecked, "_unchecked"), (Self::Checked, "_checked"), (Self::Smart, "_smart")];

    fn suffix(self) -> &'static str {
        Self::NAMED.iter().find(|(mode, _)| *mode == self).map_or("", |(_, suffix)| suffix)
    }

    /// Returns true if an operation of this kind exists in this mode, on encrypted operands.
    fn has(self, kind: Kind) -> bool {
        let linear = matches!(kind, Kind::Add | Kind::Sub | Kind::And | Kind::Or | Kind::Xor);
        let binary = kind.arity() == 2 && !matches!(kind, Kind::Rem | Kind::RotateRight);
        match self {
            Self::Default => true,
            Self::Checked => linear,
            Self::Unchecked | Self::Smart => binary,
        }
    }
}

impl IntegerOp {
    /// Returns the operation on encrypted operands, in the default mode.
    pub fn new(kind: IntegerKind, ty: IntegerType) -> Self {
        Self { kind, ty, scalar: false, mode: CarryMode::Default }
    }

    /// Returns every operation in every mode but the default, on unsigned integers.
    pub fn in_named_modes() -> Vec<Self> {
        let types = || IntegerType::WIDTHS.into_iter().filter_map(IntegerType::unsigned);
        let of = |mode: CarryMode| {
            let kinds = IntegerKind::all().filter(move |kind| mode.has(*kind));
            kinds.flat_map(move |kind| types().map(move |ty| Self { mode, ..Self::new(kind, ty) }))
        };
        CarryMode::NAMED.into_iter().flat_map(|(mode, _)| of(mode)).collect()
    }

    /// Returns every operation on every type, in the default mode.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for kind in IntegerKind::all() {
            for scalar in [false, true].into_iter().take(kind.arity()) {
                let unsigned = IntegerType::WIDTHS.into_iter().filter_map(IntegerType::unsigned);
                let signed = IntegerType::WIDTHS.into_iter().filter_map(IntegerType::signed);
                all.extend(unsigned.chain(signed).map(|ty| Self { scalar, ..Self::new(kind, ty) }));
            }
        }
        all
    }

    /// Parses a name.
    pub fn parse(name: &str) -> Option<Self> {
        let mut named = CarryMode::NAMED.iter();
        let stem = named.find_map(|(mode, end)| Some((name.strip_suffix(end)?, *mode)));
        let (name, mode) = stem.unwrap_or((name, CarryMode::Default));
        let (rest, scalar) = match name.strip_suffix("_scalar") {
            Some(rest) => (rest, true),
            None => (name, false),
        };
        let (stem, ty) = rest.rsplit_once('_')?;
        let kind = IntegerKind::all().find(|kind| kind.stem() == stem)?;
        let op = Self { kind, ty: ty.parse().ok()?, scalar, mode };
        let plain = mode == CarryMode::Default;
        let in_mode = mode.has(kind) && !op.ty.is_signed() && !scalar;
        (if plain { !scalar || kind.arity() == 2 } else { in_mode }).then_some(op)
    }

    /// Returns the names of its kind for all types, abbreviated with braces.
    pub fn family(self) -> String {
        let scalar = if self.kind.arity() == 2 { "[_scalar]" } else { "" };
        if self.mode != CarryMode::Default {
            return format!("{}_u{{2..256}}{}", self.kind.stem(), self.mode.suffix());
        }
        format!("{}_{{u,i}}{{2..256}}{scalar}", self.kind.stem())
    }

    /// Returns a description in one line.
    pub fn meaning(self) -> String {
        let right = match (self.scalar, self.kind.is_shift()) {
            (false, _) => "",
            (true, false) => ", b clear",
            (true, true) => ", b clear and odd",
        };
        let mode = match self.mode {
            CarryMode::Default => "",
            CarryMode::Unchecked => ", carries left in the result",
            CarryMode::Checked => ", refused if carries leave no room",
            CarryMode::Smart => ", carries of operands propagated if they leave no room",
        };
        format!("{} of encrypted {}{right}{mode}", self.kind.row().2, self.ty)
    }

    /// Returns the type of the right operand.
    pub fn right_type(self) -> IntegerType {
        if self.kind.is_shift() { self.ty.to_unsigned() } else { self.ty }
    }

    /// Returns the approximate number of bootstraps.
    pub fn rough_bootstraps(self) -> f64 {
        let blocks = f64::from(self.ty.bits() / 2);
        let [linear, quadratic] = self.kind.row().3;
        linear * blocks + quadratic * blocks * blocks
    }

    /// Returns random operands, as the bits of their types; only shift amounts may be 0.
    ///
    /// For comparisons, one pair in four is equal, so that both outcomes occur; encrypted divisors
    /// may be short, so that quotients are long. Clear shift amounts are odd: an even amount only
    /// moves blocks of two bits, so that the median would depend on the number of even amounts
    /// drawn.
    pub fn operands(self, random: &mut SplitMix64) -> Vec<U256> {
        let left = integer(self.ty, random).max(U256::ONE);
        if self.kind.arity() == 1 {
            return vec![left];
        }
        let bits = self.ty.bits();
        let mut right = integer(self.ty, random);
        if self.kind.is_shift() {
            right %= U256::from(bits);
            right |= U256::from(self.scalar);
        } else if self.kind.is_comparison() && random.below(4) == 0 {
            right = left;
        } else if matches!(self.kind, Kind::Div | Kind::Rem) && !self.scalar {
            right >>= random.below(bits as usize) as u32;
        }
        let least = if self.kind.is_shift() { U256::ZERO } else { U256::ONE };
        vec![left, right.max(least)]
    }

    /// Computes the result: the bits of an integer, a count, or a truth value.
    pub fn of(self, operands: &[U256]) -> U256 {
        let (a, b) = (operands[0], operands.get(1).copied().unwrap_or(U256::ZERO));
        let (x, y) = (self.ty.sign_extend(a), self.ty.sign_extend(b));
        let signed = self.ty.is_signed();
        let less = |one: U256, other: U256| self.is_less(one, other);
        let word = |value: U256| self.ty.wrap(value);
        let truth = |holds: bool| U256::from(u8::from(holds));
        let count = |bits: u32| U256::from(bits);
        match self.kind {
            Kind::Neg => word(a.wrapping_neg()),
            Kind::Add => word(a.wrapping_add(b)),
            Kind::Sub => word(a.wrapping_sub(b)),
            Kind::Mul => word(a.wrapping_mul(b)),
            Kind::Eq => truth(a == b),
            Kind::Ne => truth(a != b),
            Kind::Gt => truth(less(b, a)),
            Kind::Ge => truth(!less(a, b)),
            Kind::Lt => truth(less(a, b)),
            Kind::Le => truth(!less(b, a)),
            Kind::Max => word(if less(a, b) { b } else { a }),
            Kind::Min => word(if less(a, b) { a } else { b }),
            Kind::And => word(a & b),
            Kind::Or => word(a | b),
            Kind::Xor => word(a ^ b),
            Kind::Not => word(!a),
            Kind::Div => word(if signed { x.wrapping_div(y).as_u256() } else { a / b }),
            Kind::Rem => word(if signed { x.wrapping_rem(y).as_u256() } else { a % b }),
            Kind::Shl => word(a << b.as_u32()),
            Kind::Shr => word(if signed { (x >> b.as_u32()).as_u256() } else { a >> b.as_u32() }),
            Kind::RotateLeft => word(self.rotated(a, b.as_u32())),
            Kind::RotateRight => word(self.rotated(a, self.ty.bits() - b.as_u32())),
            Kind::LeadingZeros => count(self.ty.bits() - Self::length(a)),
            Kind::TrailingZeros => count(a.trailing_zeros().min(self.ty.bits())),
            Kind::LeadingOnes => count(self.ty.bits() - Self::length(self.ty.wrap(!a))),
            Kind::TrailingOnes => count((!a).trailing_zeros()),
            Kind::CountOnes => count(a.count_ones()),
            Kind::Log2 => count(Self::length(a) - 1),
        }
    }

    /// Rotates `a` left, by at most its width.
    fn rotated(self, a: U256, by: u32) -> U256 {
        let bits = self.ty.bits();
        if by.is_multiple_of(bits) { a } else { (a << by) | (a >> (bits - by)) }
    }

    /// Returns the number of bits up to the highest set one.
    fn length(a: U256) -> u32 {
        256 - a.leading_zeros()
    }

    fn is_less(self, a: U256, b: U256) -> bool {
        if self.ty.is_signed() { self.ty.sign_extend(a) < self.ty.sign_extend(b) } else { a < b }
    }
}

fn integer(ty: IntegerType, random: &mut SplitMix64) -> U256 {
    let mut word = || u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
    ty.wrap(U256::from_words(word(), word()))
}

impl fmt::Display for IntegerOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scalar = if self.scalar { "_scalar" } else { "" };
        write!(f, "{}_{}{scalar}{}", self.kind.stem(), self.ty, self.mode.suffix())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, a: i64, b: i64) -> U256 {
        let op = IntegerOp::parse(name).unwrap();
        let bits = |value: i64| op.ty.wrap(ethnum::I256::from(value).as_u256());
        op.of(&[bits(a), bits(b)])
    }

    #[test]
    fn names_say_kind_type_and_clear_operands() {
        for op in IntegerOp::all().into_iter().chain(IntegerOp::in_named_modes()) {
            assert_eq!(IntegerOp::parse(&op.to_string()), Some(op));
        }
        for name in ["add_i8_smart", "add_u8_scalar_smart", "mul_u8_checked", "neg_u8_unchecked"] {
            assert_eq!(IntegerOp::parse(name), None, "{name}");
        }
        for name in ["add", "add_u7", "neg_u8_scalar", "add_u8_plain", "", "_u8", "u8", "sum_u8"] {
            assert_eq!(IntegerOp::parse(name), None, "{name}");
        }
        assert!(IntegerOp::parse("gt_u32_scalar").unwrap().scalar);
        assert!(IntegerOp::parse("div_i8").unwrap().ty.is_signed());
    }

    #[test]
    fn results_by_hand() {
        for (name, a, b, result) in [
            ("add_u8", 200, 100, 44),
            ("sub_u64", 1, 2, u64::MAX),
            ("div_i8", -7, 2, 253),
            ("rem_i8", -7, 2, 255),
            ("gt_u8", -1, 1, 1),
            ("gt_i8", -1, 1, 0),
            ("max_i16", -5, -9, 65531),
            ("shr_i8", -128, 3, 0xf0),
            ("shl_u8", 0x81, 1, 2),
            ("rotate_left_u8", 0x81, 1, 3),
            ("rotate_right_u8", 3, 1, 0x81),
            ("rotate_right_u8", 3, 0, 3),
            ("leading_zeros_u64", 1, 0, 63),
            ("trailing_ones_u8", 7, 0, 3),
            ("leading_ones_i8", -1, 0, 8),
            ("log2_u256", 1024, 0, 10),
            ("mul_u128", -1, -1, 1),
        ] {
            assert_eq!(of(name, a, b), U256::from(result), "{name}");
        }
    }

    #[test]
    fn operands_are_of_their_types_and_never_divide_by_zero() {
        let mut random = SplitMix64(1);
        for op in IntegerOp::all() {
            for _ in 0..50 {
                let operands = op.operands(&mut random);
                assert_eq!(operands.len(), op.kind.arity());
                assert!(operands.iter().all(|value| op.ty.wrap(*value) == *value));
                let shift = op.kind.is_shift();
                assert!(!shift || operands[1] < U256::from(op.ty.bits()), "{op}");
                assert!(!(shift && op.scalar) || operands[1].as_u32() % 2 == 1, "{op}");
                assert!(shift || operands.iter().all(|value| *value != U256::ZERO), "{op}");
            }
        }
    }
}
