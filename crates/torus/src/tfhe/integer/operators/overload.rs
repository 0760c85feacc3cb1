//! The operators: on plain values, on outcomes, and with a clear value on the left.
//!
//! The language allows no implementation for all types of a trait, so that each plain type and each
//! clear one has its own, by macros.

use super::Outcome;
use crate::tfhe::Error;
use crate::tfhe::integer::{
    Amount, Clear, FheBool, FheInt, FheInteger, FheUint, FheValue, I256, Integers, Operand,
    RadixInt, U256,
};
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign,
    Mul, MulAssign, Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

/// Implements a binary operator and its assigning form on outcomes: the bound of the value, that of
/// the right operand, the operator, and the method.
macro_rules! on_outcomes {
    ($(
        $bound:ident, [$($operand:tt)*]:
        $trait:ident $operator:ident, $assign:ident $assigning:ident, $method:ident;
    )*) => {$(
        impl<T: $bound, R: $($operand)*> $trait<R> for Outcome<T> {
            type Output = Outcome<T>;

            fn $operator(self, right: R) -> Outcome<T> {
                self.then(|integers, left| integers.$method(left, right))
            }
        }

        impl<T: $bound, R: $($operand)*> $assign<R> for Outcome<T> {
            fn $assigning(&mut self, right: R) {
                self.apply(|integers, left| integers.$method(left, right));
            }
        }
    )*};
}

on_outcomes! {
    FheInteger, [Operand<T>]: Add add, AddAssign add_assign, add;
    FheInteger, [Operand<T>]: Sub sub, SubAssign sub_assign, sub;
    FheInteger, [Operand<T>]: Mul mul, MulAssign mul_assign, mul;
    FheInteger, [Operand<T>]: Div div, DivAssign div_assign, div;
    FheInteger, [Operand<T>]: Rem rem, RemAssign rem_assign, rem;
    FheValue, [Operand<T>]: BitAnd bitand, BitAndAssign bitand_assign, and;
    FheValue, [Operand<T>]: BitOr bitor, BitOrAssign bitor_assign, or;
    FheValue, [Operand<T>]: BitXor bitxor, BitXorAssign bitxor_assign, xor;
    FheInteger, [Amount]: Shl shl, ShlAssign shl_assign, shl;
    FheInteger, [Amount]: Shr shr, ShrAssign shr_assign, shr;
}

impl<T: FheInteger> Neg for Outcome<T> {
    type Output = Outcome<T>;

    fn neg(self) -> Outcome<T> {
        self.then(Integers::neg)
    }
}

impl<T: FheValue> Not for Outcome<T> {
    type Output = Outcome<T>;

    fn not(self) -> Outcome<T> {
        self.then(Integers::not)
    }
}

/// Implements a binary operator on `$type` and `&$type`.
macro_rules! binary {
    (
        [$($generic:tt)*] $type:ty:
        $bound:ident, [$($operand:tt)*], $trait:ident, $operator:ident, $method:ident
    ) => {
        impl<$($generic)* R: $($operand)*> $trait<R> for &$type
        where
            $type: $bound,
        {
            type Output = Outcome<$type>;

            fn $operator(self, right: R) -> Outcome<$type> {
                Outcome::on(self, |integers, left| integers.$method(left, right))
            }
        }

        impl<$($generic)* R: $($operand)*> $trait<R> for $type
        where
            $type: $bound,
        {
            type Output = Outcome<$type>;

            fn $operator(self, right: R) -> Outcome<$type> {
                $trait::$operator(&self, right)
            }
        }
    };
}

/// Implements a unary operator on `$type` and `&$type`.
macro_rules! unary {
    ([$($generic:tt)*] $type:ty: $bound:ident, $trait:ident, $operator:ident) => {
        impl<$($generic)*> $trait for &$type
        where
            $type: $bound,
        {
            type Output = Outcome<$type>;

            fn $operator(self) -> Outcome<$type> {
                Outcome::on(self, Integers::$operator)
            }
        }

        impl<$($generic)*> $trait for $type
        where
            $type: $bound,
        {
            type Output = Outcome<$type>;

            fn $operator(self) -> Outcome<$type> {
                $trait::$operator(&self)
            }
        }
    };
}

macro_rules! bitwise {
    ($generic:tt $type:ty) => {
        binary! { $generic $type: FheValue, [Operand<$type>], BitAnd, bitand, and }
        binary! { $generic $type: FheValue, [Operand<$type>], BitOr, bitor, or }
        binary! { $generic $type: FheValue, [Operand<$type>], BitXor, bitxor, xor }
        unary! { $generic $type: FheValue, Not, not }
    };
}

macro_rules! integer {
    ($generic:tt $type:ty) => {
        bitwise! { $generic $type }
        binary! { $generic $type: FheInteger, [Operand<$type>], Add, add, add }
        binary! { $generic $type: FheInteger, [Operand<$type>], Sub, sub, sub }
        binary! { $generic $type: FheInteger, [Operand<$type>], Mul, mul, mul }
        binary! { $generic $type: FheInteger, [Operand<$type>], Div, div, div }
        binary! { $generic $type: FheInteger, [Operand<$type>], Rem, rem, rem }
        binary! { $generic $type: FheInteger, [Amount], Shl, shl, shl }
        binary! { $generic $type: FheInteger, [Amount], Shr, shr, shr }
        unary! { $generic $type: FheInteger, Neg, neg }
    };
}

integer! { [const BITS: usize,] FheUint<BITS> }
integer! { [const BITS: usize,] FheInt<BITS> }
integer! { [] RadixInt }
bitwise! { [] FheBool }

/// Implements an operator with a `$clear` on the left and a plain value on the right.
macro_rules! before_values {
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
                Outcome::on(right, |integers, right| $operator(integers, self, right))
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

/// Implements operators with a `$clear` on the left and an outcome on the right.
macro_rules! before_outcomes {
    ($clear:ty: $([$($generic:tt)*] $value:ty, $trait:ident, $operator:ident;)*) => {$(
        impl<$($generic)*> $trait<Outcome<$value>> for $clear {
            type Output = Outcome<$value>;

            fn $operator(self, right: Outcome<$value>) -> Self::Output {
                right.then(|integers, right| $operator(integers, self, right))
            }
        }
    )*};
}

macro_rules! before_integers {
    ($clear:ty: $($trait:ident, $operator:ident;)*) => {$(
        before_values! { $clear, FheInteger, $trait, $operator:
            [const BITS: usize] FheUint<BITS>;
            [const BITS: usize] FheInt<BITS>;
            [] RadixInt;
        }
        before_outcomes! { $clear: [T: FheInteger] T, $trait, $operator; }
    )*};
    ($($clear:ty),*) => {$(
        before_integers! { $clear:
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

before_integers! {
    u8, u16, u32, u64, u128, usize, U256, i8, i16, i32, i64, i128, isize, I256, Clear
}

before_values! { bool, FheValue, BitAnd, bitand: [] FheBool; }
before_values! { bool, FheValue, BitOr, bitor: [] FheBool; }
before_values! { bool, FheValue, BitXor, bitxor: [] FheBool; }
before_outcomes! { bool:
    [] FheBool, BitAnd, bitand;
    [] FheBool, BitOr, bitor;
    [] FheBool, BitXor, bitxor;
}

macro_rules! commutative {
    ($($operator:ident, $method:ident, $bound:ident;)*) => {$(
        fn $operator<T: $bound>(
            integers: &Integers,
            left: impl Operand<T>,
            right: &T,
        ) -> Result<T, Error> {
            integers.$method(right, left)
        }
    )*};
}

commutative! {
    add, add, FheInteger;
    mul, mul, FheInteger;
    bitand, and, FheValue;
    bitor, or, FheValue;
    bitxor, xor, FheValue;
}

macro_rules! with_trivial_left {
    ($($operator:ident;)*) => {$(
        fn $operator<T: FheInteger>(
            integers: &Integers,
            left: impl Operand<T>,
            right: &T,
        ) -> Result<T, Error> {
            let left = integers.operand(right, &left)?;
            integers.$operator(&right.like(left.into_owned()), right)
        }
    )*};
}

with_trivial_left! { sub; div; rem; }
