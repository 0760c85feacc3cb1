//! The Rust operators, for operands bound to an evaluator.

use super::super::operand::encrypted;
use super::super::{AnyInteger, AnyRadixValue, Operand, ShiftAmount, Side, ValueType};
use crate::tfhe::{Error, Evaluator};
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign,
    Mul, MulAssign, Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

/// An operand bound to its evaluator, so that the Rust operators apply.
///
/// Example: `(evaluator.bind(&a) * &b + 1u8).finish()?`.
///
/// The right operand is an integer, a clear value or another bound operand. The operators
/// themselves do not fail; [`Bound::finish`] returns the first error of the expression.
#[derive(Clone, Debug)]
pub struct Bound<'e, T> {
    evaluator: &'e Evaluator,
    value: Result<T, Error>,
}

impl Evaluator {
    /// Binds an operand to this evaluator.
    pub fn bind<T: AnyRadixValue>(&self, value: &T) -> Bound<'_, T> {
        Bound { evaluator: self, value: Ok(value.clone()) }
    }
}

impl<'e, T: AnyRadixValue> Bound<'e, T> {
    /// Returns the value of the expression.
    ///
    /// # Errors
    /// The first error that one of its operations returned.
    pub fn finish(self) -> Result<T, Error> {
        self.value
    }

    /// Applies a method of the evaluator to the value.
    pub fn then<U: AnyRadixValue>(
        self,
        operation: impl FnOnce(&Evaluator, &T) -> Result<U, Error>,
    ) -> Bound<'e, U> {
        let evaluator = self.evaluator;
        Bound { evaluator, value: self.value.and_then(|value| operation(evaluator, &value)) }
    }
}

impl<T: AnyRadixValue> Bound<'_, T> {
    /// Replaces the value by the result of a method of the evaluator.
    fn apply(&mut self, operation: impl FnOnce(&Evaluator, &T) -> Result<T, Error>) {
        if let Ok(value) = &self.value {
            self.value = operation(self.evaluator, value);
        }
    }
}

impl<T: AnyRadixValue> Operand<T> for Bound<'_, T> {
    fn side(&self, ty: ValueType) -> Result<Side<'_>, Error> {
        encrypted(self.value.as_ref().map_err(Clone::clone)?, ty)
    }

    fn value_type(&self) -> Result<Option<ValueType>, Error> {
        self.value.as_ref().map(|value| Some(value.value_type())).map_err(Clone::clone)
    }
}

macro_rules! operators {
    ($bound:ident: $($trait:ident, $operator:ident, $method:ident;)*) => {$(
        impl<'e, T: $bound, R: Operand<T>> $trait<R> for Bound<'e, T> {
            type Output = Bound<'e, T>;

            fn $operator(self, right: R) -> Bound<'e, T> {
                self.then(|evaluator, left| evaluator.$method(left, right))
            }
        }
    )*};
}

operators! { AnyInteger:
    Add, add, add;
    Sub, sub, sub;
    Mul, mul, mul;
    Div, div, div;
    Rem, rem, rem;
}
operators! { AnyRadixValue:
    BitAnd, bitand, and;
    BitOr, bitor, or;
    BitXor, bitxor, xor;
}

macro_rules! assign {
    ($bound:ident: $($trait:ident, $operator:ident, $method:ident;)*) => {$(
        impl<T: $bound, R: Operand<T>> $trait<R> for Bound<'_, T> {
            fn $operator(&mut self, right: R) {
                self.apply(|evaluator, left| evaluator.$method(left, right));
            }
        }
    )*};
}

assign! { AnyInteger:
    AddAssign, add_assign, add;
    SubAssign, sub_assign, sub;
    MulAssign, mul_assign, mul;
    DivAssign, div_assign, div;
    RemAssign, rem_assign, rem;
}
assign! { AnyRadixValue:
    BitAndAssign, bitand_assign, and;
    BitOrAssign, bitor_assign, or;
    BitXorAssign, bitxor_assign, xor;
}

impl<T: AnyInteger, A: ShiftAmount> ShlAssign<A> for Bound<'_, T> {
    fn shl_assign(&mut self, amount: A) {
        self.apply(|evaluator, value| evaluator.shl(value, amount));
    }
}

impl<T: AnyInteger, A: ShiftAmount> ShrAssign<A> for Bound<'_, T> {
    fn shr_assign(&mut self, amount: A) {
        self.apply(|evaluator, value| evaluator.shr(value, amount));
    }
}

impl<T: AnyInteger> Neg for Bound<'_, T> {
    type Output = Self;

    fn neg(self) -> Self {
        self.then(Evaluator::neg)
    }
}

impl<T: AnyRadixValue> Not for Bound<'_, T> {
    type Output = Self;

    fn not(self) -> Self {
        self.then(Evaluator::not)
    }
}

impl<T: AnyInteger, A: ShiftAmount> Shl<A> for Bound<'_, T> {
    type Output = Self;

    fn shl(self, amount: A) -> Self {
        self.then(|evaluator, value| evaluator.shl(value, amount))
    }
}

impl<T: AnyInteger, A: ShiftAmount> Shr<A> for Bound<'_, T> {
    type Output = Self;

    fn shr(self, amount: A) -> Self {
        self.then(|evaluator, value| evaluator.shr(value, amount))
    }
}
