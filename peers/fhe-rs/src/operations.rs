//! Operations of fhe.rs on ciphertexts.

use crate::keys::Keys;
use crate::refusal::{guarded, refusal};
use crate::session::{Encoded, FheSession};
use fathom_drivers::protocol::{Code, KeyKind, Refusal};
use fathom_drivers::session::{Bind, Call, Item, ItemOf, Session};
use fhe::bfv::{Ciphertext, Encoding, Plaintext};
use fhe_traits::FheEncoder;

type FheItem = ItemOf<FheSession>;
type FheCall<'a> = Result<Call<'a, FheSession>, Refusal>;

/// Returns the operations of fhe.rs, each with the function that binds it.
pub(crate) fn vectors() -> Vec<(&'static str, Bind<FheSession>)> {
    vec![
        ("encrypt_pk", |session, x, _| encryption(session, x, KeyKind::Pk)),
        ("encrypt_sk", |session, x, _| encryption(session, x, KeyKind::Sk)),
        ("decrypt", |session, x, _| {
            let x = x[0].ciphertext()?;
            Ok(Box::new(move || Session::decrypt(session, x).map(Item::Plaintext)))
        }),
        ("add", |_, x, _| pair(x).map(|(x, y)| computed(move || Ok(x + y)))),
        ("sub", |_, x, _| pair(x).map(|(x, y)| computed(move || Ok(x - y)))),
        ("neg", |_, x, _| x[0].ciphertext().map(|x| computed(move || Ok(-x)))),
        ("mul_no_relin", |_, x, _| pair(x).map(|(x, y)| computed(move || Ok(x * y)))),
        ("mul", |session, x, _| product(session.keys()?, pair(x)?)),
        // Dropping a modulus costs more noise budget than a product at the lower level would save.
        ("mul_switch", |session, x, _| product(session.keys()?, pair(x)?)),
        ("square", |session, x, _| product(session.keys()?, pair(&[x[0], x[0]])?)),
        ("relin", |session, x, _| relinearization(session.keys()?, x[0].ciphertext()?)),
        ("add_plain", |_, x, _| {
            let (x, y) = (x[0].ciphertext()?, &x[1].plaintext()?.plaintext);
            Ok(computed(move || Ok(x + y)))
        }),
        ("mul_plain", |_, x, _| {
            let (x, y) = (x[0].ciphertext()?, &x[1].plaintext()?.plaintext);
            Ok(computed(move || Ok(x * y)))
        }),
        ("rotate", |session, x, args| {
            rotation(session, x[0].ciphertext()?, args.steps.unwrap_or_default())
        }),
        ("rotate_sum", |session, x, _| {
            let (x, rotations) = (x[0].ciphertext()?, session.keys()?.rotations()?);
            Ok(computed(move || rotations.computes_inner_sum(x).map_err(refusal)))
        }),
        ("dot_slots", |session, x, _| {
            let ((x, y), keys) = (pair(x)?, session.keys()?);
            let rotations = keys.rotations()?;
            Ok(computed(move || {
                let product = keys.multiply(x, y)?;
                rotations.computes_inner_sum(&product).map_err(refusal)
            }))
        }),
        ("dot", |session, x, _| dot(session.keys()?, x)),
        ("polynomial", |session, x, args| {
            let coefficients = args.coefficients.as_deref().unwrap_or_default();
            polynomial(session, x[0].ciphertext()?, coefficients)
        }),
        ("mod_switch", |_, x, _| switch(x[0].ciphertext()?)),
    ]
}

/// Returns the two ciphertexts of an operation.
fn pair<'a>(inputs: &[&'a FheItem]) -> Result<(&'a Ciphertext, &'a Ciphertext), Refusal> {
    Ok((inputs[0].ciphertext()?, inputs[1].ciphertext()?))
}

fn product<'a>(keys: &'a Keys, (x, y): (&'a Ciphertext, &'a Ciphertext)) -> FheCall<'a> {
    Ok(computed(move || keys.multiply(x, y)))
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

fn relinearization<'a>(keys: &'a Keys, x: &'a Ciphertext) -> FheCall<'a> {
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
