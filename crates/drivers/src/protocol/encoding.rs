//! Layouts of values, as requests name them.

use serde::{Deserialize, Serialize};

use crate::integer_type::IntegerType;

/// The mapping of values to a plaintext: `slots`, `complex`, `coefficients`, or an integer type
/// such as `u64`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Encoding {
    /// One value per slot; products are slot by slot. A torus ciphertext has one slot.
    #[default]
    Slots,
    /// Two values per slot of CKKS: its real and its imaginary part.
    Complex,
    /// One value per coefficient; products are negacyclic convolutions.
    Coefficients,
    /// Machine integers of the type, one for each slot. A torus ciphertext has one slot.
    Integer(IntegerType),
}

impl From<Encoding> for String {
    fn from(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Slots => "slots".into(),
            Encoding::Complex => "complex".into(),
            Encoding::Coefficients => "coefficients".into(),
            Encoding::Integer(ty) => ty.to_string(),
        }
    }
}

impl TryFrom<String> for Encoding {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        match name.as_str() {
            "slots" => Ok(Self::Slots),
            "complex" => Ok(Self::Complex),
            "coefficients" => Ok(Self::Coefficients),
            name => name.parse().map(Self::Integer).map_err(|_| {
                format!(
                    "`{name}` is no encoding: slots, complex, coefficients or a type such as u64"
                )
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_have_names() {
        for name in ["slots", "complex", "coefficients", "u64", "i256"] {
            let encoding = Encoding::try_from(name.to_owned()).unwrap();
            assert_eq!(String::from(encoding), name);
        }
        let refused = Encoding::try_from("u65".to_owned()).unwrap_err();
        assert!(refused.contains("u65") && refused.contains("coefficients"), "{refused}");
    }
}
