//! The clear type of each width.

use super::{AnyInteger, FheInt, FheUint, I256, Integer, U256, Value, Widening};

macro_rules! integer {
    ($type:ty, $unsigned:ty, $bits:literal, $value:ty) => {
        impl AnyInteger for $type {
            type Value = $value;
            type Unsigned = $unsigned;

            fn value(&self, bits: U256) -> $value {
                <$value as Value>::from_bits(bits, $bits)
            }
        }
        impl Integer for $type {}
    };
}

macro_rules! native {
    ($($bits:literal: $unsigned:ty, $signed:ty;)*) => {$(
        integer! { FheUint<$bits>, FheUint<$bits>, $bits, $unsigned }
        integer! { FheInt<$bits>, FheUint<$bits>, $bits, $signed }
    )*};
}

native! {
    8: u8, i8;
    16: u16, i16;
    32: u32, i32;
    64: u64, i64;
    128: u128, i128;
}

macro_rules! wide {
    ($($bits:literal)*) => {$(
        integer! { FheUint<$bits>, FheUint<$bits>, $bits, U256 }
        integer! { FheInt<$bits>, FheUint<$bits>, $bits, I256 }
    )*};
}

wide! {
    2 4 6 10 12 14 18 20 22 24 26 28 30 34 36 38 40 42 44 46
    48 50 52 54 56 58 60 62 66 68 70 72 74 76 78 80 82 84 86 88
    90 92 94 96 98 100 102 104 106 108 110 112 114 116 118 120 122 124 126 130
    132 134 136 138 140 142 144 146 148 150 152 154 156 158 160 162 164 166 168 170
    172 174 176 178 180 182 184 186 188 190 192 194 196 198 200 202 204 206 208 210
    212 214 216 218 220 222 224 226 228 230 232 234 236 238 240 242 244 246 248 250
    252 254 256
}

macro_rules! widening {
    ($($bits:literal)*) => {$(
        impl Widening for FheUint<$bits> {
            type Wide = FheUint<{ 2 * $bits }>;
        }
        impl Widening for FheInt<$bits> {
            type Wide = FheInt<{ 2 * $bits }>;
        }
    )*};
}

widening! {
    2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 40 42 44 46 48 50 52 54 56 58 60 62 64
    66 68 70 72 74 76 78 80 82 84 86 88 90 92 94 96 98 100 102 104 106 108 110 112 114 116 118 120
    122 124 126 128
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fault S2: a negative value was decrypted as its two's complement over 256 bits.
    #[test]
    fn s2_values_have_the_type_and_the_sign_of_the_width() {
        let bits = U256::from(0xffff_fffb_u32);
        assert_eq!(<FheInt<32> as AnyInteger>::Value::from_bits(bits, 32), -5);
        assert_eq!(<FheUint<32> as AnyInteger>::Value::from_bits(bits, 32), 0xffff_fffb);
        assert_eq!(
            <FheInt<34> as AnyInteger>::Value::from_bits(bits, 34),
            I256::from(0xffff_fffb_u32)
        );
        assert_eq!(
            <FheInt<6> as AnyInteger>::Value::from_bits(U256::from(0x3b_u8), 6),
            I256::from(-5)
        );
        assert_eq!(<FheInt<256> as AnyInteger>::Value::from_bits(U256::MAX, 256), I256::from(-1));
        assert_eq!(
            <FheInt<2> as AnyInteger>::Value::from_bits(U256::from(2_u8), 2),
            I256::from(-2)
        );
        assert_eq!(
            <FheUint<6> as AnyInteger>::Value::from_bits(U256::from(0x3b_u8), 6),
            U256::from(59_u8)
        );
    }
}
