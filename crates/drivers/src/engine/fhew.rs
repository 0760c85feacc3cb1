//! The engine's FHEW schemes under test, through the public API of `fathom_fhew` only.

use fathom_fhew::{
    Error, FhewBit, FhewEvaluationKeys, FhewGate, FhewParams, FhewSecretKey, Method,
};

use super::generators::Generators;
use crate::ops::torus::Gate;
use crate::ops::{Operation, Scheme};
use crate::protocol::{
    CiphertextBytes, Code, Encoding, KeyBytes, KeyKind, Numbers, ParamsInfo, ParamsRequest,
    Prepare, Refusal, SchemeInfo, TorusInfo, TorusKey,
};
use crate::served::{Served, serving};
use crate::session::{Bind, Call, Item, ItemOf, Session, vector_names};

/// Bits of the modulus of LWE ciphertexts; a 16-bit word holds one coefficient.
const LWE_BITS: u32 = 15;
/// Bits of the prime modulus of the ring.
const RING_BITS: u32 = 26;
/// Standard deviation of the noise under both keys (variance 10.5).
const DEVIATION: f64 = 3.24;

/// A parameter set with its keys.
struct FhewSession {
    params: FhewParams,
    generators: Generators,
    keys: Option<(FhewSecretKey, FhewEvaluationKeys)>,
}

/// Returns the operations and presets of `fhew` (GINX and LMKCDEY) and `binfhe_ap`.
pub(super) fn schemes() -> [SchemeInfo; 2] {
    [Scheme::Fhew, Scheme::BinfheAp].map(|scheme| {
        let gates =
            Gate::ALL.iter().filter(|gate| **gate == Gate::Not || two_bits(**gate).is_some());
        let gates = gates.map(|gate| gate.name().to_owned());
        SchemeInfo {
            scheme: scheme.name().into(),
            params: sets(scheme).iter().map(|params| params.name().to_owned()).collect(),
            ops: vector_names::<FhewSession>().into_iter().chain(gates).collect(),
        }
    })
}

fn sets(scheme: Scheme) -> Vec<FhewParams> {
    let is_ap = |set: &FhewParams| matches!(set.method(), Method::Ap { .. });
    let sets = FhewParams::presets().into_iter();
    sets.filter(|set| is_ap(set) == (scheme == Scheme::BinfheAp)).collect()
}

/// Opens a session on a preset.
///
/// # Errors
/// `unsupported` for anything but a preset.
pub(super) fn open(
    scheme: Scheme,
    request: &Prepare,
) -> Result<(Box<dyn Served>, ParamsInfo), Refusal> {
    let ParamsRequest::Preset { preset } = &request.params else {
        return Err(Refusal::unsupported("the FHEW family has presets only"));
    };
    let params = sets(scheme).into_iter().find(|params| params.name() == preset);
    let params = params.ok_or_else(|| {
        Refusal::unsupported(format!("the engine has no preset {preset} of {}", request.scheme))
    })?;
    let info = describe(&params);
    let session = FhewSession { params, generators: Generators::new(request.seed), keys: None };
    Ok((serving(session, request.threads), info))
}

impl FhewSession {
    fn keys(&self) -> Result<&(FhewSecretKey, FhewEvaluationKeys), Refusal> {
        self.keys.as_ref().ok_or_else(|| Refusal::new(Code::BadRequest, "`keygen` comes first"))
    }
}

impl Session for FhewSession {
    type Ciphertext = FhewBit;
    type Plaintext = bool;

    fn generate_keys(&mut self) -> Result<(), Refusal> {
        let params = &self.params;
        let keys = self.generators.with(|rng| {
            let secret = FhewSecretKey::generate(params, rng);
            let evaluation = secret.evaluation_keys(rng).map_err(refusal)?;
            Ok((secret, evaluation))
        });
        self.keys = Some(keys?);
        Ok(())
    }

    /// Returns the key sizes. The schemes have no wire format: keys have the size of their words,
    /// and that of the blind rotation key is unknown.
    fn key_bytes(&self) -> KeyBytes {
        let words = (self.params.lwe_dimension() + self.params.degree()) as u64;
        KeyBytes { sk: words.div_ceil(4), ..KeyBytes::default() }
    }

    fn encode(&self, values: &Numbers, encoding: Encoding) -> Result<bool, Refusal> {
        if encoding != Encoding::Slots {
            return Err(Refusal::unsupported("a bit is encoded as one slot"));
        }
        match values.integers()? {
            [] => Ok(false),
            [value] => Ok(value.rem_euclid(2) == 1),
            several => {
                let message = format!("{} values do not fit in a bit", several.len());
                Err(Refusal::new(Code::BadRequest, message))
            }
        }
    }

    fn decode(&self, plaintext: &bool, _encoding: Encoding) -> Result<Numbers, Refusal> {
        Ok(vec![i64::from(*plaintext)].into())
    }

    fn encrypt(
        &self,
        plaintext: &bool,
        key: KeyKind,
        level: Option<u32>,
    ) -> Result<FhewBit, Refusal> {
        if key == KeyKind::Pk || level.is_some() {
            return Err(Refusal::unsupported("inputs are encrypted under the secret key"));
        }
        let secret = &self.keys()?.0;
        self.generators.with(|rng| Ok(secret.encrypt(*plaintext, rng)))
    }

    fn decrypt(&self, ciphertext: &FhewBit) -> Result<bool, Refusal> {
        self.keys()?.0.decrypt(ciphertext).map_err(refusal)
    }

    fn vectors() -> Vec<(&'static str, Bind<Self>)> {
        vec![
            ("encrypt_sk", |own, x, _| {
                let bit = x[0].plaintext()?;
                let call = move || own.encrypt(bit, KeyKind::Sk, None).map(Item::Ciphertext);
                Ok(Box::new(call))
            }),
            ("decrypt", |own, x, _| {
                let bit = x[0].ciphertext()?;
                Ok(Box::new(move || own.decrypt(bit).map(Item::Plaintext)))
            }),
        ]
    }

    fn gate<'a>(
        &'a self,
        gate: Gate,
        inputs: &[&'a ItemOf<Self>],
    ) -> Result<Call<'a, Self>, Refusal> {
        if gate != Gate::Not && two_bits(gate).is_none() {
            return Err(Operation::Gate(gate).unsupported());
        }
        let bits: Vec<&FhewBit> =
            inputs.iter().map(|item| item.ciphertext()).collect::<Result<_, _>>()?;
        let key = &self.keys()?.1;
        let call = move || apply(key, gate, &bits).map(Item::Ciphertext).map_err(refusal);
        Ok(Box::new(call))
    }

    /// Returns the size in memory, one 16-bit word per coefficient.
    fn ciphertext_bytes(&self, ciphertext: &FhewBit) -> CiphertextBytes {
        let words = ciphertext.dimension() as u64 + 1;
        let theory = (words * u64::from(LWE_BITS)).div_ceil(8);
        CiphertextBytes { packed: 2 * words, seeded: None, theory }
    }
}

/// Returns the refusal for an error, as for other schemes.
fn refusal(error: Error) -> Refusal {
    if let Error::Fathom(error) = error {
        return crate::refusal::refusal(error);
    }
    Refusal::new(Code::Internal, error.to_string())
}

fn apply(key: &FhewEvaluationKeys, gate: Gate, bits: &[&FhewBit]) -> Result<FhewBit, Error> {
    match two_bits(gate) {
        Some(gate) => key.gate(gate, bits[0], bits[1]),
        None => Ok(!bits[0]),
    }
}

/// Returns the gate of two bits with that name.
fn two_bits(gate: Gate) -> Option<FhewGate> {
    Some(match gate {
        Gate::Nand => FhewGate::Nand,
        Gate::And => FhewGate::And,
        Gate::Or => FhewGate::Or,
        Gate::Nor => FhewGate::Nor,
        Gate::Xor => FhewGate::Xor,
        Gate::Xnor => FhewGate::Xnor,
        Gate::AndNy => FhewGate::AndNy,
        Gate::AndYn => FhewGate::AndYn,
        Gate::OrNy => FhewGate::OrNy,
        Gate::OrYn => FhewGate::OrYn,
        Gate::Not | Gate::Mux | Gate::Majority | Gate::Xor3 => return None,
    })
}

fn describe(params: &FhewParams) -> ParamsInfo {
    let key = |dimension, bits: u32, ring_degree| TorusKey {
        dimension,
        log_q: bits.into(),
        secret: "ternary".into(),
        deviation_log2: DEVIATION.log2() - f64::from(bits),
        ring_degree: Some(ring_degree),
    };
    let lwe = key(params.lwe_dimension(), LWE_BITS, 1);
    let glwe = key(params.degree(), RING_BITS, params.degree());
    ParamsInfo {
        name: params.name().to_owned(),
        n: params.degree(),
        log_q: RING_BITS.into(),
        log_qp: RING_BITS.into(),
        plain_modulus: 2,
        scale_bits: None,
        word_bits: None,
        slots: 1,
        levels: 0,
        secret: "ternary".into(),
        sigma: DEVIATION,
        depth: 0,
        p_fail_log2: Some(params.failure_log2()),
        explanation: None,
        character: None,
        torus: Some(TorusInfo { family: "U".into(), message_bits: 1, carry_bits: 0, lwe, glwe }),
    }
}
