//! Operations of fhe.rs on ciphertexts.

use crate::keys::Keys;
use crate::library::{guarded, refusal};
use crate::session::{Encoded, FheSession};
use fathom_bench::drivers::library::{Call, Item, ItemOf, Operation};
use fathom_bench::drivers::protocol::{Code, KeyKind, Refusal};
use fhe::bfv::{Ciphertext, Encoding, Plaintext};
use fhe_traits::FheEncoder;

type FheItem = ItemOf<FheSession>;
type FheCall<'a> = Result<Call<'a, FheSession>, Refusal>;

/// Prepares one operation on one set of operands.
pub(crate) fn bind<'a>(
    session: &'a FheSession,
    operation: &'a Operation,
    inputs: &[&'a FheItem],
) -> FheCall<'a> {
    let keys = session.keys()?;
    let x = || inputs[0].ciphertext();
    let pair = || Ok::<_, Refusal>((x()?, inputs[1].ciphertext()?));
    match operation {
        Operation::EncryptPk => encryption(session, inputs, KeyKind::Pk),
        Operation::EncryptSk => encryption(session, inputs, KeyKind::Sk),
        Operation::Decrypt => {
            let x = x()?;
            Ok(Box::new(move || {
                let decrypt = || fathom_bench::drivers::library::Session::decrypt(session, x);
                decrypt().map(Item::Plaintext)
            }))
        }
        Operation::Add => pair().map(|(x, y)| computed(move || Ok(x + y))),
        Operation::Sub => pair().map(|(x, y)| computed(move || Ok(x - y))),
        Operation::MulNoRelin => pair().map(|(x, y)| computed(move || Ok(x * y))),
        // Dropping a modulus costs more noise budget than a product at the lower level would save.
        Operation::Mul | Operation::MulSwitch => {
            pair().map(|(x, y)| computed(move || keys.multiply(x, y)))
        }
        Operation::Square => x().map(|x| computed(move || keys.multiply(x, x))),
        Operation::Relin => relinearisation(keys, x()?),
        Operation::AddPlain => {
            let (x, y) = (x()?, &inputs[1].plaintext()?.plaintext);
            Ok(computed(move || Ok(x + y)))
        }
        Operation::MulPlain => {
            let (x, y) = (x()?, &inputs[1].plaintext()?.plaintext);
            Ok(computed(move || Ok(x * y)))
        }
        Operation::Rotate { steps } => rotation(session, x()?, *steps),
        Operation::RotateSum => {
            let (x, rotations) = (x()?, keys.rotations()?);
            Ok(computed(move || rotations.computes_inner_sum(x).map_err(refusal)))
        }
        Operation::DotSlots => {
            let ((x, y), rotations) = (pair()?, keys.rotations()?);
            Ok(computed(move || {
                let product = keys.multiply(x, y)?;
                rotations.computes_inner_sum(&product).map_err(refusal)
            }))
        }
        Operation::Dot => dot(keys, inputs),
        Operation::Polynomial { coefficients } => polynomial(session, x()?, coefficients),
        Operation::ModSwitch => switch(x()?),
        other => Err(Refusal::unsupported(format!("bfv has no {other:?} here"))),
    }
}

fn computed<'a>(
    call: impl Fn() -> Result<Ciphertext, Refusal> + Send + Sync + 'a,
) -> Call<'a, FheSession> {
    Box::new(move || guarded(&call)?.map(Item::Ciphertext))
}

fn encryption<'a>(session: &'a FheSession, inputs: &[&'a FheItem], key: KeyKind) -> FheCall<'a> {
    let Encoded { plaintext, .. } = inputs[0].plaintext()?;
    Ok(computed(move || session.encrypt_with(plaintext, key)))
}

fn relinearisation<'a>(keys: &'a Keys, x: &'a Ciphertext) -> FheCall<'a> {
    let key = keys.relin()?;
    if x.len() != 3 {
        let message = format!("`relin` wants 3 polynomials and got {}", x.len());
        return Err(Refusal::new(Code::BadRequest, message));
    }
    Ok(computed(move || {
        let mut product = x.clone();
        key.relinearizes(&mut product).map_err(refusal)?;
        Ok(product)
    }))
}

fn switch(x: &Ciphertext) -> FheCall<'_> {
    if x[0].ctx().moduli().len() == 1 {
        return Err(Refusal::unsupported("the ciphertext is at the last level"));
    }
    Ok(computed(move || {
        let mut lower = x.clone();
        lower.switch_down().map_err(refusal)?;
        Ok(lower)
    }))
}

fn rotation<'a>(session: &'a FheSession, x: &'a Ciphertext, steps: i64) -> FheCall<'a> {
    let rotations = session.keys()?.rotations()?;
    let steps = steps.rem_euclid(session.bfv.degree() as i64 / 2) as usize;
    if !rotations.supports_column_rotation_by(steps) {
        let message = format!("`keygen` was not asked for rotations by {steps}");
        return Err(Refusal::new(Code::BadRequest, message));
    }
    Ok(computed(move || rotations.rotates_columns_by(x, steps).map_err(refusal)))
}

/// Computes a dot product; the products are summed before a single relinearisation.
fn dot<'a>(keys: &'a Keys, inputs: &[&'a FheItem]) -> FheCall<'a> {
    let list = inputs.iter().map(|item| item.ciphertext()).collect::<Result<Vec<_>, _>>()?;
    let key = keys.relin()?;
    Ok(computed(move || {
        let (left, right) = list.split_at(list.len() / 2);
        let mut products = left.iter().zip(right).map(|(x, y)| *x * *y);
        let none = || Refusal::new(Code::BadRequest, "a dot product wants operands");
        let first = products.next().ok_or_else(none)?;
        let mut sum = products.fold(first, |mut sum, product| {
            sum += &product;
            sum
        });
        key.relinearizes(&mut sum).map_err(refusal)?;
        Ok(sum)
    }))
}

/// Computes powers as products of the halves of their exponents, which minimises the depth.
fn polynomial<'a>(session: &'a FheSession, x: &'a Ciphertext, coefficients: &[i64]) -> FheCall<'a> {
    let keys = session.keys()?;
    let t = session.bfv.plaintext().cast_signed();
    let constant = |coefficient: &i64, encoding| {
        let value = [coefficient.rem_euclid(t).cast_unsigned()];
        Plaintext::try_encode(&value[..], encoding, &session.bfv).map_err(refusal)
    };
    // A constant polynomial has the same value in every slot.
    let encoded = coefficients.iter().map(|c| constant(c, Encoding::poly()));
    let encoded = encoded.collect::<Result<Vec<_>, _>>()?;
    let [free, linear, ..] = &encoded[..] else {
        return Err(Refusal::new(Code::BadRequest, "a polynomial wants two coefficients at least"));
    };
    let (free, linear) = (free.clone(), linear.clone());
    let higher: Vec<Plaintext> = encoded[2..].to_vec();
    Ok(computed(move || {
        let mut sum = &(x * &linear) + &free;
        let mut powers = vec![x.clone()];
        for (exponent, coefficient) in (2..).zip(&higher) {
            let (low, high) = (&powers[exponent / 2 - 1], &powers[exponent.div_ceil(2) - 1]);
            let power = keys.multiply(low, high)?;
            sum += &(&power * coefficient);
            powers.push(power);
        }
        Ok(sum)
    }))
}
