//! Schemes and what their values have in common.

/// A scheme of the suites, by the name that suites, requests and records share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is the scheme of its name")]
pub enum Scheme {
    Bfv,
    Bgv,
    Ckks,
    Tfhe,
    Fhew,
    BinfheAp,
    Hfhe,
    Wide,
}

impl Scheme {
    /// All schemes, in the order in which reports show them.
    pub const ALL: [Self; 8] = [
        Self::Bfv,
        Self::Bgv,
        Self::Ckks,
        Self::Tfhe,
        Self::Fhew,
        Self::BinfheAp,
        Self::Hfhe,
        Self::Wide,
    ];

    /// The name of a scheme in earlier versions, and the scheme.
    pub const RENAMED: (&'static str, Self) = ("exact", Self::Wide);

    /// Returns the name in suites, requests and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bfv => "bfv",
            Self::Bgv => "bgv",
            Self::Ckks => "ckks",
            Self::Tfhe => "tfhe",
            Self::Fhew => "fhew",
            Self::BinfheAp => "binfhe_ap",
            Self::Hfhe => "hfhe",
            Self::Wide => "wide",
        }
    }

    /// Parses a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }

    /// Returns the present name of a scheme for the one that it had in earlier versions; `None` for
    /// all other names.
    pub fn renamed(name: &str) -> Option<&'static str> {
        let (earlier, scheme) = Self::RENAMED;
        (name == earlier).then(|| scheme.name())
    }

    /// Returns the kind of the scheme's values.
    pub fn kind(self) -> SchemeKind {
        match self {
            Self::Bfv | Self::Bgv => SchemeKind::Residues,
            Self::Ckks => SchemeKind::Reals,
            Self::Wide => SchemeKind::WideIntegers,
            Self::Tfhe | Self::Fhew | Self::BinfheAp => SchemeKind::Torus,
            Self::Hfhe => SchemeKind::Scalars,
        }
    }
}

/// Kind of values in a ciphertext of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SchemeKind {
    /// A vector of integers modulo the plaintext modulus, in two rows.
    Residues,
    /// A vector of real numbers in one row, with an error.
    Reals,
    /// A vector of machine integers.
    WideIntegers,
    /// A bit, a block, or an integer of several blocks; bootstrapped.
    Torus,
    /// One value in a large field.
    Scalars,
}

impl SchemeKind {
    /// Returns the number of rows of slots that rotations act on.
    pub fn rows(self) -> usize {
        match self {
            Self::Residues | Self::Torus | Self::Scalars => 2,
            Self::Reals | Self::WideIntegers => 1,
        }
    }

    /// Returns true if every operation bootstraps, so that the keys are bootstrapping keys and
    /// noise is a variance.
    pub fn bootstraps(self) -> bool {
        self == Self::Torus
    }

    /// Returns true if results are compared with a tolerance.
    pub fn is_approximate(self) -> bool {
        self == Self::Reals
    }

    /// Returns true if products of coefficient vectors are exact negacyclic convolutions.
    pub fn packs_coefficients(self) -> bool {
        self == Self::Residues
    }

    /// Returns the word of records for the layout of slots.
    pub fn pack(self) -> &'static str {
        if self.bootstraps() { "scalar" } else { "simd" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for scheme in Scheme::ALL {
            assert_eq!(Scheme::parse(scheme.name()), Some(scheme));
        }
        assert_eq!(Scheme::parse("rsa"), None);
        assert_eq!([Scheme::renamed("exact"), Scheme::renamed("wide")], [Some("wide"), None]);
        assert!(Scheme::Tfhe.kind().bootstraps() && !Scheme::Ckks.kind().bootstraps());
    }
}
