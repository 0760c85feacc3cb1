//! The schemes behind one interface: what their encodings differ in, and the choice at run time.

use crate::errors::Refusal;
use crate::numbers::Number;
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::ckks::Ckks;
use fathom::rlwe::modular::Plaintext;
use fathom::rlwe::{Ciphertext, Encryption, Evaluator, Level, LinearMap, Mapped, Params, Scheme};
use fathom::{Error, bfv, bgv, ckks};

/// The order of values in the slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Values fill the slots once, and missing ones are zero.
    Once,
    /// This many values, a power of two, repeat in all slots.
    Repeated(usize),
}

impl Layout {
    /// Returns the layout of a period, where zero stands for none.
    pub fn of(period: usize) -> Layout {
        if period == 0 { Layout::Once } else { Layout::Repeated(period) }
    }

    /// Appends zeros up to the period.
    fn filled<N: Number>(self, values: &[N]) -> Vec<N> {
        let mut all = values.to_vec();
        if let Layout::Repeated(period) = self {
            all.resize(period.max(values.len()), N::ZERO);
        }
        all
    }
}

/// A scheme whose slots Python fills with numbers.
pub trait Kind: Scheme<Value: Number> + Mapped {
    /// Returns the number of slots.
    fn slot_count(params: &Params<Self>) -> usize;

    /// Encodes secret values; `magnitude` bounds those of approximate schemes.
    ///
    /// # Errors
    /// Those of the encoders of the scheme.
    fn encoded(
        params: &Params<Self>,
        values: &[Self::Value],
        layout: Layout,
        magnitude: Option<f64>,
    ) -> Result<Self::Plaintext, Error>;

    /// Encodes public values, such as weights.
    ///
    /// # Errors
    /// Those of the encoders of the scheme.
    fn encoded_public(
        params: &Params<Self>,
        values: &[Self::Value],
        layout: Layout,
    ) -> Result<Self::Plaintext, Error>;

    /// Prepares a matrix for vectors at `level`.
    ///
    /// # Errors
    /// [`Error::Shape`] and the refusals of entries.
    fn map(
        params: &Params<Self>,
        rows: &[Vec<Self::Value>],
        level: Level,
    ) -> Result<LinearMap<Self>, Error>;

    /// Evaluates a polynomial in every slot, coefficients lowest first.
    ///
    /// # Errors
    /// Those of `Evaluator::evaluate_polynomial` of the scheme.
    fn polynomial(
        evaluator: &Evaluator<Self>,
        x: &Ciphertext<Self>,
        coefficients: &[Self::Value],
    ) -> Result<Ciphertext<Self>, Error>;

    /// Returns a simulated fresh encryption of this many values; `magnitude` bounds those of
    /// approximate schemes.
    ///
    /// # Errors
    /// Those of the encoders of the scheme, and of simulated encryptions.
    fn stand_in(
        evaluator: &Evaluator<Self>,
        encryption: Encryption,
        layout: Layout,
        count: usize,
        magnitude: Option<f64>,
    ) -> Result<Ciphertext<Self>, Error>;

    /// Returns the bound on the error of every slot; zero in exact schemes.
    fn error_bound(message: &Self::Plaintext) -> f64;
}

macro_rules! exact {
    ($($scheme:ty),+) => {
        $(impl Kind for $scheme {
            fn slot_count(params: &Params<Self>) -> usize {
                params.slot_count()
            }

            fn encoded(
                params: &Params<Self>,
                values: &[i64],
                layout: Layout,
                _: Option<f64>,
            ) -> Result<Plaintext<Self>, Error> {
                let values = layout.filled(values);
                match layout {
                    Layout::Once => params.encode_signed(&values),
                    Layout::Repeated(period) => {
                        params.encode_signed(&values.repeat(params.degree() / period))
                    }
                }
            }

            fn encoded_public(
                params: &Params<Self>,
                values: &[i64],
                layout: Layout,
            ) -> Result<Plaintext<Self>, Error> {
                Self::encoded(params, values, layout, None)
            }

            fn map(
                params: &Params<Self>,
                rows: &[Vec<i64>],
                _: Level,
            ) -> Result<LinearMap<Self>, Error> {
                LinearMap::new_signed(params, rows)
            }

            fn polynomial(
                evaluator: &Evaluator<Self>,
                x: &Ciphertext<Self>,
                coefficients: &[i64],
            ) -> Result<Ciphertext<Self>, Error> {
                let t = evaluator.params().plain_modulus().cast_signed();
                let reduced = coefficients.iter().map(|c| c.rem_euclid(t).cast_unsigned());
                evaluator.evaluate_polynomial(x, &reduced.collect::<Vec<_>>())
            }

            fn stand_in(
                evaluator: &Evaluator<Self>,
                encryption: Encryption,
                _: Layout,
                _: usize,
                _: Option<f64>,
            ) -> Result<Ciphertext<Self>, Error> {
                evaluator.simulated_encryption(encryption, evaluator.params().top_level())
            }

            fn error_bound(_: &Plaintext<Self>) -> f64 {
                0.0
            }
        })+
    };
}

exact!(Bfv, Bgv);

impl Kind for Ckks<ckks::Automatic> {
    fn slot_count(params: &ckks::Params) -> usize {
        params.slot_count()
    }

    fn encoded(
        params: &ckks::Params,
        values: &[f64],
        layout: Layout,
        magnitude: Option<f64>,
    ) -> Result<ckks::Plaintext, Error> {
        let magnitude = magnitude.unwrap_or(params.magnitude());
        match layout {
            Layout::Once => params.encode_within(values, magnitude),
            Layout::Repeated(_) => params.encode_repeated_within(&layout.filled(values), magnitude),
        }
    }

    fn encoded_public(
        params: &ckks::Params,
        values: &[f64],
        layout: Layout,
    ) -> Result<ckks::Plaintext, Error> {
        match layout {
            Layout::Once => params.encode_public(values),
            Layout::Repeated(_) => params.encode_public_repeated(&layout.filled(values)),
        }
    }

    fn map(
        params: &ckks::Params,
        rows: &[Vec<f64>],
        level: Level,
    ) -> Result<ckks::LinearMap, Error> {
        LinearMap::for_level(params, rows, level)
    }

    fn polynomial(
        evaluator: &ckks::Evaluator,
        x: &ckks::Ciphertext,
        coefficients: &[f64],
    ) -> Result<ckks::Ciphertext, Error> {
        evaluator.evaluate_polynomial(x, coefficients)
    }

    fn stand_in(
        evaluator: &ckks::Evaluator,
        encryption: Encryption,
        layout: Layout,
        count: usize,
        magnitude: Option<f64>,
    ) -> Result<ckks::Ciphertext, Error> {
        let params = evaluator.params();
        let largest = magnitude.unwrap_or(params.magnitude());
        let message = Self::encoded(params, &vec![largest; count], layout, magnitude)?;
        evaluator.simulated_encryption_like(encryption, &message, params.top_level())
    }

    fn error_bound(message: &ckks::Plaintext) -> f64 {
        message.error_bound()
    }
}

/// An object of one of the schemes.
#[derive(Clone, Debug)]
pub enum Of<B, G, C> {
    /// The object belongs to BFV.
    Bfv(B),
    /// The object belongs to BGV.
    Bgv(G),
    /// The object belongs to CKKS.
    Ckks(C),
}

/// Parameters of any scheme.
pub type AnyParams = Of<bfv::Params, bgv::Params, ckks::Params>;
/// A secret key of any scheme.
pub type AnySecret = Of<bfv::SecretKey, bgv::SecretKey, ckks::SecretKey>;
/// A public key of any scheme.
pub type AnyPublic = Of<bfv::PublicKey, bgv::PublicKey, ckks::PublicKey>;
/// An evaluator of any scheme.
pub type AnyEvaluator = Of<bfv::Evaluator, bgv::Evaluator, ckks::Evaluator>;
/// The ciphertexts of a vector of any scheme.
pub type AnyParts = Of<Vec<bfv::Ciphertext>, Vec<bgv::Ciphertext>, Vec<ckks::Ciphertext>>;
/// A prepared matrix of any scheme.
pub type AnyMap = Of<bfv::LinearMap, bgv::LinearMap, ckks::LinearMap>;

/// Evaluates an expression with the object of any scheme.
macro_rules! each {
    ($any:expr, $inner:ident => $body:expr) => {
        match $any {
            $crate::scheme::Of::Bfv($inner) => $body,
            $crate::scheme::Of::Bgv($inner) => $body,
            $crate::scheme::Of::Ckks($inner) => $body,
        }
    };
}

/// Makes an object of the scheme that another object has; the expression may end with `?`.
macro_rules! lift {
    ($any:expr, $inner:ident => $body:expr) => {
        match $any {
            $crate::scheme::Of::Bfv($inner) => $crate::scheme::Of::Bfv($body),
            $crate::scheme::Of::Bgv($inner) => $crate::scheme::Of::Bgv($body),
            $crate::scheme::Of::Ckks($inner) => $crate::scheme::Of::Ckks($body),
        }
    };
}

/// Makes an object of the scheme that several others have, and refuses objects of different ones.
macro_rules! lift_all {
    (($($any:expr),+), ($($inner:ident),+) => $body:expr) => {{
        use $crate::scheme::Of::{Bfv, Bgv, Ckks};
        match ($($any),+) {
            ($(Bfv($inner)),+) => Bfv($body),
            ($(Bgv($inner)),+) => Bgv($body),
            ($(Ckks($inner)),+) => Ckks($body),
            ($($inner),+) => return Err($crate::scheme::other_scheme(&[$($inner.name()),+]).into()),
        }
    }};
}

/// Evaluates an expression with objects of one scheme, and refuses those of different ones.
macro_rules! each_all {
    (($($any:expr),+), ($($inner:ident),+) => $body:expr) => {{
        use $crate::scheme::Of::{Bfv, Bgv, Ckks};
        match ($($any),+) {
            ($(Bfv($inner)),+) => $body,
            ($(Bgv($inner)),+) => $body,
            ($(Ckks($inner)),+) => $body,
            ($($inner),+) => return Err($crate::scheme::other_scheme(&[$($inner.name()),+]).into()),
        }
    }};
}

pub(crate) use {each, each_all, lift, lift_all};

impl<B, G, C> Of<B, G, C> {
    /// Returns the name of the scheme.
    pub fn name(&self) -> &'static str {
        match self {
            Of::Bfv(_) => "bfv",
            Of::Bgv(_) => "bgv",
            Of::Ckks(_) => "ckks",
        }
    }
}

/// Returns an evaluator and the ciphertexts of a vector, which are of real numbers.
///
/// # Errors
/// The refusal of an operation that integers do not have.
pub fn of_reals<'a>(
    operation: &'static str,
    evaluator: &'a AnyEvaluator,
    parts: &'a AnyParts,
) -> Result<(&'a ckks::Evaluator, &'a [ckks::Ciphertext]), Refusal> {
    if let (Of::Ckks(evaluator), Of::Ckks(parts)) = (evaluator, parts) {
        return Ok((evaluator, parts));
    }
    let message = format!("{operation} takes real numbers");
    Err(Refusal::new("KindError", "type_mismatch", message).with("operation", operation))
}

/// Refuses objects of different schemes.
pub fn other_scheme(names: &[&'static str]) -> Refusal {
    let message = format!("objects belong to different schemes: {}", names.join(" and "));
    Refusal::new("KindError", "scheme_mismatch", message).with("schemes", names.join(","))
}

/// Returns the refusal of the name of a scheme that does not exist.
pub fn unknown_scheme(name: &str) -> Refusal {
    let message = format!("no scheme is named {name:?}; take bfv, bgv or ckks");
    Refusal::new("ParamsError", "unknown_scheme", message).with("name", name.to_owned())
}
