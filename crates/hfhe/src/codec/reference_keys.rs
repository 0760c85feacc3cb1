//! Key files of the reference implementation.

use super::{element, exactly};
use crate::Error;
use crate::compat::{
    COLUMNS, DECOY_BITS, DECOY_WORDS, DEPTH_SLOPE_BITS, EDGE_BUDGET, NOISE_DENOMINATOR,
    NOISE_ENTROPY_BITS, PAIR_FRACTION, PublicKey, SAMPLES, SECRET_BITS, SUBGROUP_ORDER, SecretKey,
};
use crate::{Fp, Workers};
use fathom::wire::WireError;
use fathom_base::wire::reader::Reader;
use fathom_kernels::MASK_WORDS;
use zeroize::Zeroizing;

const SECRET_MAGIC: u32 = 0x6666_6999;
const PUBLIC_MAGIC: u32 = 0x0666_0666;
const VERSION: u32 = 1;
const SECRET_BYTES: usize = 8 + 32 + 8 + 8 * MASK_WORDS;

/// Length of a public key file: header and parameters, digest, matrix, two permutations,
/// generators.
const PUBLIC_BYTES: usize = (8 + 32 + 8 + 4 + 8 + 32)
    + (8 + COLUMNS * (4 + 8 * DECOY_WORDS))
    + 2 * (8 + 4 * DECOY_BITS)
    + (16 + 8 + 16 * SUBGROUP_ORDER);

impl SecretKey {
    /// Encodes a secret key file of the reference. The bytes are **secret** and wiped when dropped.
    pub fn to_reference_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let prf = &self.secret.prf;
        let mut out = Zeroizing::new(Vec::with_capacity(SECRET_BYTES));
        out.extend(SECRET_MAGIC.to_le_bytes());
        out.extend(VERSION.to_le_bytes());
        prf.key.iter().for_each(|word| out.extend(word.to_le_bytes()));
        out.extend((MASK_WORDS as u64).to_le_bytes());
        prf.vector.iter().for_each(|word| out.extend(word.to_le_bytes()));
        out
    }

    /// Reads a secret key file of the reference, which must belong to `public`; the file itself
    /// does not identify it. The caller is responsible for wiping `bytes`.
    ///
    /// # Errors
    /// [`WireError::Magic`], [`WireError::Truncated`], [`WireError::TrailingBytes`] or
    /// [`WireError::Malformed`].
    pub fn from_reference_secret_bytes(
        public: &PublicKey,
        bytes: &[u8],
    ) -> Result<SecretKey, Error> {
        let mut reader = Reader::new(bytes);
        header(&mut reader, SECRET_MAGIC)?;
        let mut words = Zeroizing::new([0; 4 + MASK_WORDS]);
        let (key, vector) = words.split_at_mut(4);
        for word in key {
            *word = reader.u64()?;
        }
        exactly("words of the secret vector", reader.u64()?, MASK_WORDS as u64)?;
        for word in vector {
            *word = reader.u64()?;
        }
        reader.finish()?;
        Ok(SecretKey::from_words(public, &words))
    }
}

impl PublicKey {
    /// Length of a public key file of the reference.
    pub const REFERENCE_BYTES: usize = PUBLIC_BYTES;

    /// Encodes a public key file of the reference. It has 16.9 MB, nearly all of which can be
    /// derived from 24 bytes.
    pub fn to_reference_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(PUBLIC_BYTES);
        out.extend(PUBLIC_MAGIC.to_le_bytes());
        out.extend(VERSION.to_le_bytes());
        out.extend(parameters().into_iter().flat_map(u32::to_le_bytes));
        out.extend(PAIR_FRACTION.to_bits().to_le_bytes());
        out.extend((EDGE_BUDGET as u32).to_le_bytes());
        out.extend(self.tag().to_le_bytes());
        out.extend(self.digest());
        out.extend((COLUMNS as u64).to_le_bytes());
        for column in self.matrix.columns().rows().chunks(DECOY_WORDS) {
            out.extend((DECOY_BITS as u32).to_le_bytes());
            out.extend(column.iter().copied().flat_map(u64::to_le_bytes));
        }
        let permutation = self.permutation();
        for images in [permutation.forward, permutation.inverse] {
            out.extend((DECOY_BITS as u64).to_le_bytes());
            out.extend(images.into_iter().flat_map(u32::to_le_bytes));
        }
        // The second generator is never used; any nonzero element will do.
        out.extend(self.powers()[2].value().to_le_bytes());
        out.extend((SUBGROUP_ORDER as u64).to_le_bytes());
        out.extend(self.powers().iter().flat_map(|power| power.value().to_le_bytes()));
        out
    }

    /// Reads a public key file of the reference. All derivable content is derived and compared.
    ///
    /// # Errors
    /// [`WireError::Truncated`] or [`WireError::TrailingBytes`] unless the file has the only valid
    /// length; [`WireError::Malformed`] for parameters other than the reference's;
    /// [`WireError::Contradiction`] if the content does not follow from the tag and the generator.
    pub fn from_reference_bytes(bytes: &[u8], workers: &Workers) -> Result<PublicKey, Error> {
        let mut reader = Reader::new(bytes);
        header(&mut reader, PUBLIC_MAGIC)?;
        if bytes.len() < PUBLIC_BYTES {
            return Err(WireError::Truncated { needed: PUBLIC_BYTES, got: bytes.len() }.into());
        }
        for parameter in parameters() {
            exactly("parameters", reader.u32()?.into(), parameter.into())?;
        }
        exactly("parameters", reader.u64()?, PAIR_FRACTION.to_bits())?;
        exactly("parameters", reader.u32()?.into(), EDGE_BUDGET as u64)?;
        let tag = reader.u64()?;
        let powers_len = 16 * SUBGROUP_ORDER;
        let mut powers = Reader::new(&bytes[PUBLIC_BYTES - powers_len - 24..PUBLIC_BYTES]);
        let second = element(&mut powers, "second generator")?;
        if second == Fp::ZERO {
            return Err(WireError::Malformed { field: "second generator" }.into());
        }
        powers.take(8 + 16)?;
        let public = PublicKey::derive(tag, element(&mut powers, "generator")?, workers)?;
        let mut expected = public.to_reference_bytes();
        let at = PUBLIC_BYTES - powers_len - 24;
        expected[at..at + 16].copy_from_slice(&second.value().to_le_bytes());
        match bytes.strip_prefix(&expected[..]) {
            None => Err(WireError::Contradiction { field: "content derived from the tag" }.into()),
            Some([]) => Ok(public),
            Some(extra) => Err(WireError::TrailingBytes { extra: extra.len() }.into()),
        }
    }
}

fn header(reader: &mut Reader<'_>, magic: u32) -> Result<(), WireError> {
    if reader.u32()? != magic {
        return Err(WireError::Magic);
    }
    exactly("version", reader.u32()?.into(), VERSION.into())
}

/// Returns the parameters in a public key file, all of which are fixed.
fn parameters() -> [u32; 8] {
    [
        DECOY_BITS as u32,
        SUBGROUP_ORDER as u32,
        SAMPLES as u32,
        SECRET_BITS as u32,
        1,
        NOISE_DENOMINATOR,
        NOISE_ENTROPY_BITS as u32,
        DEPTH_SLOPE_BITS as u32,
    ]
}
