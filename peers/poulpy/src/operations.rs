//! Operations of poulpy on ciphertexts.
//!
//! poulpy writes every result into a ciphertext of the caller, whose width states how many bits of
//! the result are kept. Products lower the modulus by the scale, so `mul` and `mul_switch` are one.

use crate::backend::{Arena, Backend, Ciphertext};
use crate::params::HEADROOM;
use crate::refusal::{guarded, refusal};
use crate::session::PoulpySession;
use fathom_drivers::protocol::{Code, KeyKind, Refusal};
use fathom_drivers::session::{Bind, Call, Item, ItemOf, Session};
use poulpy_ckks::api::{
    CKKSAddOps, CKKSConjugateOps, CKKSCopyOps, CKKSDotProductOps, CKKSInnerSumOps, CKKSMulOps,
    CKKSNegOps, CKKSPolynomialEvaluationOps, CKKSRotateOps, CKKSSubOps,
};
use poulpy_ckks::polynomial::{Basis, CKKSPolynomialEncode, Polynomial, SplitStrategy};
use poulpy_ckks::{CKKSInfos, CKKSResult, CoeffsMeta};
use poulpy_core::layouts::LWEInfos;
use poulpy_hal::layouts::{HostBytesBackend, Module};

type PoulpyItem = ItemOf<PoulpySession>;
type PoulpyCall<'a> = Result<Call<'a, PoulpySession>, Refusal>;

/// Returns the operations of poulpy, each with the function that binds it.
pub(crate) fn vectors() -> Vec<(&'static str, Bind<PoulpySession>)> {
    vec![
        ("encrypt_pk", |own, x, _| encryption(own, x, KeyKind::Pk)),
        ("encrypt_sk", |own, x, _| encryption(own, x, KeyKind::Sk)),
        ("decrypt", |own, x, _| {
            let x = x[0].ciphertext()?;
            Ok(Box::new(move || Session::decrypt(own, x).map(Item::Plaintext)))
        }),
        ("add", |own, x, _| {
            let (x, y) = pair(x)?;
            own.computed(narrower(x, y), |module, to, arena| module.ckks_add_into(to, x, y, arena))
        }),
        ("sub", |own, x, _| {
            let (x, y) = pair(x)?;
            own.computed(narrower(x, y), |module, to, arena| module.ckks_sub_into(to, x, y, arena))
        }),
        ("neg", |own, x, _| {
            let x = x[0].ciphertext()?;
            own.computed(width(x), |module, to, arena| module.ckks_neg_into(to, x, arena))
        }),
        ("add_plain", |own, x, _| {
            let (x, y) = (x[0].ciphertext()?, x[1].plaintext()?);
            own.computed(width(x), |module, to, arena| module.ckks_add_pt_vec_into(to, x, y, arena))
        }),
        ("mul_plain", |own, x, _| {
            let (x, y) = (x[0].ciphertext()?, x[1].plaintext()?);
            own.computed(own.below(width(x)), |module, to, arena| {
                module.ckks_mul_pt_vec_into(to, x, y, arena)
            })
        }),
        ("mul", |own, x, _| product(own, pair(x)?)),
        ("mul_switch", |own, x, _| product(own, pair(x)?)),
        ("square", |own, x, _| {
            let (x, key) = (x[0].ciphertext()?, &own.keys()?.tensor);
            own.computed(own.below(width(x)), |module, to, arena| {
                module.ckks_square_into(to, x, key, arena)
            })
        }),
        ("dot", dot),
        ("rotate", |own, x, args| rotation(own, x, args.steps.unwrap_or_default())),
        ("conjugate", |own, x, _| {
            let (x, keys) = (x[0].ciphertext()?, &own.keys()?.rotations);
            own.computed(width(x), |module, to, arena| {
                module.ckks_conjugate_into(to, x, keys, arena)
            })
        }),
        ("rotate_sum", |own, x, _| {
            let (x, keys) = (x[0].ciphertext()?, &own.keys()?.rotations);
            let slots = own.log_slots();
            own.computed(width(x), move |module, to, arena| {
                module.ckks_inner_sum(0, slots, false, to, x, keys, arena)
            })
        }),
        ("dot_slots", |own, x, _| {
            let ((x, y), keys) = (pair(x)?, own.keys()?);
            let slots = own.log_slots();
            own.computed(own.below(narrower(x, y)), move |module, to, arena| {
                module.ckks_mul_into(to, x, y, &keys.tensor, arena)?;
                module.ckks_inner_sum_assign(0, slots, false, to, &keys.rotations, arena)
            })
        }),
        ("polynomial", |own, x, args| {
            polynomial(own, x[0].ciphertext()?, args.coefficients.as_deref().unwrap_or_default())
        }),
        ("mod_switch", |own, x, _| switch(own, x[0].ciphertext()?)),
    ]
}

impl PoulpySession {
    /// Binds an operation whose result has `width` bits.
    fn computed<'a>(
        &'a self,
        width: usize,
        work: impl Fn(&Module<Backend>, &mut Ciphertext, &mut Arena<'_>) -> CKKSResult<()>
        + Send
        + Sync
        + 'a,
    ) -> PoulpyCall<'a> {
        Ok(Box::new(move || {
            guarded(|| {
                let mut result = self.empty(width);
                let work = |arena: &mut Arena<'_>| work(&self.module, &mut result, arena);
                self.scratch.with(work).map_err(refusal)?;
                Ok(Item::Ciphertext(result))
            })?
        }))
    }

    /// Returns the width of a product of factors of `width` bits; without room for it, poulpy
    /// refuses the product.
    fn below(&self, width: usize) -> usize {
        width.saturating_sub(self.shape.scale).max(self.shape.scale)
    }

    fn log_slots(&self) -> usize {
        (self.shape.n / 2).ilog2() as usize
    }
}

/// Returns the two ciphertexts of an operation.
fn pair<'a>(inputs: &[&'a PoulpyItem]) -> Result<(&'a Ciphertext, &'a Ciphertext), Refusal> {
    Ok((inputs[0].ciphertext()?, inputs[1].ciphertext()?))
}

fn width(x: &Ciphertext) -> usize {
    x.k().as_usize()
}

fn narrower(x: &Ciphertext, y: &Ciphertext) -> usize {
    width(x).min(width(y))
}

fn encryption<'a>(
    own: &'a PoulpySession,
    inputs: &[&'a PoulpyItem],
    key: KeyKind,
) -> PoulpyCall<'a> {
    let (plaintext, depth) = (inputs[0].plaintext()?, own.shape.depth);
    Ok(Box::new(move || guarded(|| own.encrypt_with(plaintext, key, depth))?.map(Item::Ciphertext)))
}

fn product<'a>(own: &'a PoulpySession, (x, y): (&'a Ciphertext, &'a Ciphertext)) -> PoulpyCall<'a> {
    let key = &own.keys()?.tensor;
    own.computed(own.below(narrower(x, y)), move |module, to, arena| {
        module.ckks_mul_into(to, x, y, key, arena)
    })
}

/// Adds products before a single relinearisation, which poulpy does if all have one layout.
fn dot<'a>(
    own: &'a PoulpySession,
    inputs: &[&'a PoulpyItem],
    _: &'a fathom_drivers::protocol::Args,
) -> PoulpyCall<'a> {
    let list = inputs.iter().map(|item| item.ciphertext()).collect::<Result<Vec<_>, _>>()?;
    let narrowest = list.iter().map(|x| width(x)).min();
    let none = || Refusal::new(Code::BadRequest, "a dot product wants operands");
    let width = own.below(narrowest.ok_or_else(none)?);
    let key = &own.keys()?.tensor;
    own.computed(width, move |module, to, arena| {
        let (left, right) = list.split_at(list.len() / 2);
        module.ckks_dot_product_ct(to, left, right, key, arena)
    })
}

fn rotation<'a>(own: &'a PoulpySession, inputs: &[&'a PoulpyItem], steps: i64) -> PoulpyCall<'a> {
    let (x, keys) = (inputs[0].ciphertext()?, &own.keys()?.rotations);
    own.computed(width(x), move |module, to, arena| {
        module.ckks_rotate_into(steps, to, x, keys, arena)
    })
}

/// Keeps the scale and drops as many bits of the modulus.
fn switch<'a>(own: &'a PoulpySession, x: &'a Ciphertext) -> PoulpyCall<'a> {
    let scale = own.shape.scale;
    if x.log_budget() < HEADROOM + scale {
        return Err(Refusal::unsupported("the ciphertext is at the last level"));
    }
    own.computed(width(x) - scale, move |module, to, arena| module.ckks_copy(to, x, arena))
}

/// Evaluates a polynomial by the library's own evaluator, with integer coefficients that take no
/// bits of the modulus.
fn polynomial<'a>(
    own: &'a PoulpySession,
    x: &'a Ciphertext,
    coefficients: &[i64],
) -> PoulpyCall<'a> {
    if coefficients.len() < 2 {
        return Err(Refusal::new(Code::BadRequest, "a polynomial wants two coefficients at least"));
    }
    let reals = coefficients.iter().map(|c| *c as f64).collect();
    let polynomial = Polynomial::<f64>::new(Basis::Monomial, reals);
    let host = Module::<HostBytesBackend>::new(own.shape.n as u64);
    let scale = CoeffsMeta::from_delta_budget(0, own.shape.scale);
    let radix = own.shape.radix.into();
    let strategy = SplitStrategy::MinDepth;
    let encoded = guarded(|| polynomial.encode_bsgs_with(&host, radix, scale, strategy))?
        .map_err(|error| Refusal::new(Code::Internal, format!("poulpy refused: {error}")))?;
    let key = &own.keys()?.tensor;
    own.computed(width(x), move |module, to, arena| {
        module.ckks_eval_poly_real_const_coeffs(to, x, &encoded, key, arena)
    })
}
