//! An independent encoder after docs/wire-format.md: slow, bit by bit, and without the library.

/// A frame under construction.
pub(crate) struct Frame {
    pub(crate) tag: u8,
    pub(crate) scheme: [u8; 4],
    pub(crate) params_id: [u8; 32],
    pub(crate) claims: Claims,
    pub(crate) key_id: [u8; 16],
    pub(crate) payload: Payload,
}

/// The fields that only ciphertexts use.
#[derive(Clone, Copy, Default)]
pub(crate) struct Claims {
    pub(crate) flags: u8,
    pub(crate) meta: Meta,
}

/// The metadata of a ciphertext of a ring scheme; none for a number of components of 0.
#[derive(Clone, Copy, Default)]
pub(crate) struct Meta {
    pub(crate) level: u32,
    pub(crate) components: u8,
    pub(crate) noise: [f64; 9],
    pub(crate) factor: u64,
}

impl Meta {
    fn bytes(&self) -> Vec<u8> {
        if self.components == 0 {
            return Vec::new();
        }
        let mut out = self.level.to_le_bytes().to_vec();
        out.push(self.components);
        out.extend(self.noise.iter().flat_map(|number| number.to_le_bytes()));
        out.extend(self.factor.to_le_bytes());
        out
    }
}

impl Frame {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let c = &self.claims;
        let payload = &self.payload.0;
        let meta = c.meta.bytes();
        let mut out = b"FATHOM\x04\x00".to_vec();
        out.extend([self.tag, c.flags]);
        out.extend((meta.len() as u16).to_le_bytes());
        out.extend(self.scheme);
        out.extend(self.params_id);
        out.extend(self.key_id);
        out.extend((payload.len() as u64).to_le_bytes());
        out.extend(meta);
        out.extend(payload);
        let sum = blake3::hash(&out);
        out.extend(&sum.as_bytes()[..16]);
        out
    }
}

/// Bytes with deterministic content: number `i` is `i * 0x9E3779B97F4A7C15 mod 2^64`, reduced to
/// its range.
#[derive(Default)]
pub(crate) struct Payload(pub(crate) Vec<u8>);

impl Payload {
    pub(crate) fn number(mut self, bytes: &[u8]) -> Payload {
        self.0.extend(bytes);
        self
    }

    pub(crate) fn seed(mut self, first: u8) -> Payload {
        self.0.extend((0..32).map(|i| first.wrapping_add(i)));
        self
    }

    /// Appends a row like [`Payload::row`], of numbers without a pattern: the finaliser of
    /// splitmix64 of number `count + i`.
    pub(crate) fn mixed_row(self, count: usize, bound: u64) -> Payload {
        let mixed = |i: u64| {
            let z = (i ^ i >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ z >> 31
        };
        self.packed(
            (1..=count as u64)
                .map(|i| mixed((count as u64 + i).wrapping_mul(0x9E37_79B9_7F4A_7C15))),
            bound,
        )
    }

    /// Appends `count` values below `bound`, each with as many bits as the bound has, lowest bit
    /// first.
    pub(crate) fn row(self, count: usize, bound: u64) -> Payload {
        self.packed((1..=count as u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)), bound)
    }

    fn packed(mut self, values: impl Iterator<Item = u64>, bound: u64) -> Payload {
        let width = 64 - bound.leading_zeros();
        let values = values.map(|value| value % bound);
        let bits: Vec<u8> =
            values.flat_map(|v| (0..width).map(move |k| (v >> k & 1) as u8)).collect();
        let byte = |bits: &[u8]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | bit);
        self.0.extend(bits.chunks(8).map(byte));
        self
    }

    /// Appends a row for each modulus, `polynomials` times.
    pub(crate) fn polynomials(self, polynomials: usize, count: usize, moduli: &[u64]) -> Payload {
        let rows = std::iter::repeat_n(moduli, polynomials).flatten();
        rows.fold(self, |payload, q| payload.row(count, *q))
    }
}
