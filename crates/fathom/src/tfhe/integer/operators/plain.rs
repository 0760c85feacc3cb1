//! Operators on plain values, which need the evaluator of a scope.

use super::super::{
    AnyInteger, AnyRadixValue, FheBool, FheInt, FheUint, Operand, RadixInt, ShiftAmount,
};
use super::Outcome;
use crate::tfhe::Evaluator;
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign,
    Mul, MulAssign, Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

/// Implements a binary operator on `$type` and `&$type`.
macro_rules! binary {
    ([$($generic:tt)*] $type:ty: $bound:ident, $trait:ident, $operator:ident, $method:ident) => {
        impl<$($generic)* R: Operand<$type>> $trait<R> for &$type
        where
            $type: $bound,
        {
            type Output = Outcome<$type>;

            fn $operator(self, right: R) -> Outcome<$type> {
                Outcome::on(self, |evaluator, left| evaluator.$method(left, right))
            }
        }

        impl<$($generic)* R: Operand<$type>> $trait<R> for $type
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
                Outcome::on(self, Evaluator::$operator)
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

/// Implements a shift on `$type` and `&$type`.
macro_rules! shift {
    ([$($generic:tt)*] $type:ty: $trait:ident, $operator:ident) => {
        impl<$($generic)* A: ShiftAmount> $trait<A> for &$type
        where
            $type: AnyInteger,
        {
            type Output = Outcome<$type>;

            fn $operator(self, amount: A) -> Outcome<$type> {
                Outcome::on(self, |evaluator, value| evaluator.$operator(value, amount))
            }
        }

        impl<$($generic)* A: ShiftAmount> $trait<A> for $type
        where
            $type: AnyInteger,
        {
            type Output = Outcome<$type>;

            fn $operator(self, amount: A) -> Outcome<$type> {
                $trait::$operator(&self, amount)
            }
        }
    };
}

macro_rules! bitwise {
    ($generic:tt $type:ty) => {
        binary! { $generic $type: AnyRadixValue, BitAnd, bitand, and }
        binary! { $generic $type: AnyRadixValue, BitOr, bitor, or }
        binary! { $generic $type: AnyRadixValue, BitXor, bitxor, xor }
        unary! { $generic $type: AnyRadixValue, Not, not }
    };
}

macro_rules! integer {
    ($generic:tt $type:ty) => {
        bitwise! { $generic $type }
        binary! { $generic $type: AnyInteger, Add, add, add }
        binary! { $generic $type: AnyInteger, Sub, sub, sub }
        binary! { $generic $type: AnyInteger, Mul, mul, mul }
        binary! { $generic $type: AnyInteger, Div, div, div }
        binary! { $generic $type: AnyInteger, Rem, rem, rem }
        unary! { $generic $type: AnyInteger, Neg, neg }
        shift! { $generic $type: Shl, shl }
        shift! { $generic $type: Shr, shr }
    };
}

integer! { [const BITS: usize,] FheUint<BITS> }
integer! { [const BITS: usize,] FheInt<BITS> }
integer! { [] RadixInt }
bitwise! { [] FheBool }

macro_rules! on_outcomes {
    ($bound:ident: $($trait:ident, $operator:ident, $method:ident;)*) => {$(
        impl<T: $bound, R: Operand<T>> $trait<R> for Outcome<T> {
            type Output = Outcome<T>;

            fn $operator(self, right: R) -> Outcome<T> {
                self.then(|evaluator, left| evaluator.$method(left, right))
            }
        }
    )*};
}

on_outcomes! { AnyInteger:
    Add, add, add;
    Sub, sub, sub;
    Mul, mul, mul;
    Div, div, div;
    Rem, rem, rem;
}
on_outcomes! { AnyRadixValue:
    BitAnd, bitand, and;
    BitOr, bitor, or;
    BitXor, bitxor, xor;
}

macro_rules! assign_on_outcomes {
    ($bound:ident: $($trait:ident, $operator:ident, $method:ident;)*) => {$(
        impl<T: $bound, R: Operand<T>> $trait<R> for Outcome<T> {
            fn $operator(&mut self, right: R) {
                self.apply(|evaluator, left| evaluator.$method(left, right));
            }
        }
    )*};
}

assign_on_outcomes! { AnyInteger:
    AddAssign, add_assign, add;
    SubAssign, sub_assign, sub;
    MulAssign, mul_assign, mul;
    DivAssign, div_assign, div;
    RemAssign, rem_assign, rem;
}
assign_on_outcomes! { AnyRadixValue:
    BitAndAssign, bitand_assign, and;
    BitOrAssign, bitor_assign, or;
    BitXorAssign, bitxor_assign, xor;
}

impl<T: AnyInteger, A: ShiftAmount> ShlAssign<A> for Outcome<T> {
    fn shl_assign(&mut self, amount: A) {
        self.apply(|evaluator, value| evaluator.shl(value, amount));
    }
}

impl<T: AnyInteger, A: ShiftAmount> ShrAssign<A> for Outcome<T> {
    fn shr_assign(&mut self, amount: A) {
        self.apply(|evaluator, value| evaluator.shr(value, amount));
    }
}

impl<T: AnyInteger> Neg for Outcome<T> {
    type Output = Outcome<T>;

    fn neg(self) -> Outcome<T> {
        self.then(Evaluator::neg)
    }
}

impl<T: AnyRadixValue> Not for Outcome<T> {
    type Output = Outcome<T>;

    fn not(self) -> Outcome<T> {
        self.then(Evaluator::not)
    }
}

impl<T: AnyInteger, A: ShiftAmount> Shl<A> for Outcome<T> {
    type Output = Outcome<T>;

    fn shl(self, amount: A) -> Outcome<T> {
        self.then(|evaluator, value| evaluator.shl(value, amount))
    }
}

impl<T: AnyInteger, A: ShiftAmount> Shr<A> for Outcome<T> {
    type Output = Outcome<T>;

    fn shr(self, amount: A) -> Outcome<T> {
        self.then(|evaluator, value| evaluator.shr(value, amount))
    }
}
