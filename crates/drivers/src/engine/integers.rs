//! Wide integers of the engine: one integer in a ciphertext.

use ethnum::U256;
use fathom::SecretRng;
use fathom::rlwe::Rotations;
use fathom::wide::{
    Ciphertext, EvaluationKeys, Integer, Multiplicand, Params, Plaintext, Preset, SecretKey, Wide,
};

use super::ring::{Coded, Encoded, RingSession, no_encoding, no_preset};
use crate::ops;
use crate::ops::torus::IntegerType;
use crate::protocol::{
    Code, Encoding, Noise, Numbers, ParamsInfo, ParamsRequest, Prepare, Refusal,
};
use crate::refusal::refusal;
use crate::session::Bind;

/// Width of the inputs of cases; results are up to 256 bits wide.
const INPUT_BITS: u32 = 64;

impl Coded for Wide {
    const SCHEME: ops::Scheme = ops::Scheme::Wide;
    type Prepared = Multiplicand;

    fn presets() -> Vec<String> {
        Preset::ALL.map(|preset| preset.name().to_owned()).to_vec()
    }

    fn choose(request: &Prepare) -> Result<(Params, Option<String>), Refusal> {
        let ParamsRequest::Preset { preset } = &request.params else {
            return Err(Refusal::unsupported(
                "wide integers of the engine have presets; the library plans others with \
                 wide::Circuit::choose",
            ));
        };
        let unknown = || no_preset(ops::Scheme::Wide, preset);
        let found: Preset = preset.parse().map_err(|_| unknown())?;
        Ok((Params::preset(found).map_err(refusal)?, None))
    }

    fn describe(params: &Params, common: ParamsInfo) -> ParamsInfo {
        let depth = if params.name() == Preset::E4.name() { 1 } else { 4 };
        ParamsInfo {
            word_bits: Some(INPUT_BITS),
            depth,
            p_fail_log2: Some(params.spec().failure_log2),
            ..common
        }
    }

    fn read(
        params: &Params,
        values: &Numbers,
        encoding: Encoding,
    ) -> Result<Encoded<Self>, Refusal> {
        if encoding != Encoding::Slots {
            return Err(no_encoding(encoding));
        }
        let value = match values.words(IntegerType::widest())?[..] {
            [] => U256::ZERO,
            [value] => value,
            _ => return Err(Refusal::new(Code::BadRequest, "a ciphertext holds one integer")),
        };
        let (high, low) = value.into_words();
        let limbs = [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64];
        let used = (256 - value.leading_zeros()).div_ceil(64).max(1) as usize;
        let message = params.encode(Integer::from_limbs(&limbs[..used])).map_err(refusal)?;
        let prepared = Some(message.to_multiplicand());
        Ok(Encoded { message, prepared })
    }

    /// Returns the integer modulo `2^256`.
    fn write(message: &Plaintext, _: Encoding) -> Result<Numbers, Refusal> {
        let value = message.value();
        let limbs = value.magnitude().iter().take(4).rev();
        let size = limbs.fold(U256::ZERO, |sum, limb| (sum << 64) | U256::from(*limb));
        Ok(vec![if value.is_negative() { size.wrapping_neg() } else { size }].into())
    }

    fn factor(prepared: &Multiplicand) -> &Multiplicand {
        prepared
    }

    fn evaluation_keys(
        secret: &SecretKey,
        rotations: &Rotations,
        rng: &mut SecretRng,
    ) -> Result<EvaluationKeys, Refusal> {
        if *rotations != Rotations::none() {
            return Err(Refusal::unsupported("wide integers have no slots to rotate"));
        }
        secret.evaluation_keys(rng).map_err(refusal)
    }

    fn noise(secret: Option<&SecretKey>, x: &Ciphertext) -> Noise {
        Noise {
            measured_budget_bits: secret.and_then(|secret| {
                let clear = secret.decrypt(x).ok()?;
                secret.debug_noise_budget_bits(x, &clear).ok()
            }),
            tracked_budget_bits: Some(x.noise_budget_bits()),
        }
    }

    fn vectors() -> Vec<(&'static str, Bind<RingSession<Self>>)> {
        Vec::new()
    }
}
