//! Operators with a clear value on the left: `1u8 + &a`.

use super::super::{
    AnyInteger, AnyRadixValue, Clear, FheBool, FheInt, FheUint, I256, Operand, RadixInt, U256,
};
use super::{Bound, Outcome};
use crate::tfhe::{Error, Evaluator};
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Sub};

/// Implements an operator with a `$clear` on the left and a `$right` on the right.
macro_rules! operator {
    (
        $clear:ty, $bound:ident, $trait:ident, $operator:ident:
        $([$($generic:tt)*] $right:ty;)*
    ) => {$(
        impl<$($generic)*> $trait<&$right> for $clear
        where
            $clear: Operand<$right>,
            $right: $bound,
        {
            type Output = Outcome<$right>;

            fn $operator(self, right: &$right) -> Self::Output {
                Outcome::on(right, |evaluator, right| $operator(evaluator, self, right))
            }
        }

        impl<$($generic)*> $trait<$right> for $clear
        where
            $clear: Operand<$right>,
            $right: $bound,
        {
            type Output = Outcome<$right>;

            fn $operator(self, right: $right) -> Self::Output {
                $trait::$operator(self, &right)
            }
        }
    )*};
}

/// Implements operators with a `$clear` on the left and the result of an expression on the right.
macro_rules! on_expressions {
    ($clear:ty: $([$($generic:tt)*] $word:ty, $trait:ident, $operator:ident;)*) => {$(
        impl<$($generic)*> $trait<Outcome<$word>> for $clear {
            type Output = Outcome<$word>;

            fn $operator(self, right: Outcome<$word>) -> Self::Output {
                right.then(|evaluator, right| $operator(evaluator, self, right))
            }
        }

        impl<'e, $($generic)*> $trait<Bound<'e, $word>> for $clear {
            type Output = Bound<'e, $word>;

            fn $operator(self, right: Bound<'e, $word>) -> Self::Output {
                right.then(|evaluator, right| $operator(evaluator, self, right))
            }
        }
    )*};
}

macro_rules! integers {
    ($clear:ty: $($trait:ident, $operator:ident;)*) => {$(
        operator! { $clear, AnyInteger, $trait, $operator:
            [const BITS: usize] FheUint<BITS>;
            [const BITS: usize] FheInt<BITS>;
            [] RadixInt;
        }
        on_expressions! { $clear: [T: AnyInteger] T, $trait, $operator; }
    )*};
    ($($clear:ty),*) => {$(
        integers! { $clear:
            Add, add;
            Sub, sub;
            Mul, mul;
            Div, div;
            Rem, rem;
            BitAnd, bitand;
            BitOr, bitor;
            BitXor, bitxor;
        }
    )*};
}

integers! {
    u8, u16, u32, u64, u128, usize, U256, i8, i16, i32, i64, i128, isize, I256, Clear
}

operator! { bool, AnyRadixValue, BitAnd, bitand: [] FheBool; }
operator! { bool, AnyRadixValue, BitOr, bitor: [] FheBool; }
operator! { bool, AnyRadixValue, BitXor, bitxor: [] FheBool; }
on_expressions! { bool:
    [] FheBool, BitAnd, bitand;
    [] FheBool, BitOr, bitor;
    [] FheBool, BitXor, bitxor;
}

macro_rules! commutative {
    ($($operator:ident, $method:ident, $bound:ident;)*) => {$(
        fn $operator<T: $bound>(
            evaluator: &Evaluator,
            left: impl Operand<T>,
            right: &T,
        ) -> Result<T, Error> {
            evaluator.$method(right, left)
        }
    )*};
}

commutative! {
    add, add, AnyInteger;
    mul, mul, AnyInteger;
    bitand, and, AnyRadixValue;
    bitor, or, AnyRadixValue;
    bitxor, xor, AnyRadixValue;
}

macro_rules! with_trivial_left {
    ($($operator:ident;)*) => {$(
        fn $operator<T: AnyInteger>(
            evaluator: &Evaluator,
            left: impl Operand<T>,
            right: &T,
        ) -> Result<T, Error> {
            let left = left.side(right.value_type())?.into_blocks(right.bits());
            evaluator.$operator(&right.like(left.into_owned()), right)
        }
    )*};
}

with_trivial_left! { sub; div; rem; }
