//! Inner products of an encrypted vector of each user with a template, clear or encrypted.

use fathom::rlwe::Rotations;
use fathom::{Error, SecretRng, bfv};
use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_drivers::engine::bits_of_sum;
use fathom_drivers::protocol::KeyKind;
use fathom_drivers::random::SplitMix64;
use fathom_workloads::Layout;

use crate::party;
use crate::party::Party;

/// The parameters, sizes and layout of an inner product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) set: &'static str,
    pub(super) terms: usize,
    pub(super) users: usize,
    pub(super) layout: Layout,
    /// True if the template is encrypted too.
    pub(super) encrypted: bool,
}

impl Place {
    /// Returns the ending of ids: `_plain_s128x32`, for example.
    pub(super) fn ending(&self) -> String {
        let kind = if self.encrypted { "" } else { "_plain" };
        let letter = match self.layout {
            Layout::Strided => 's',
            Layout::Consecutive => 'u',
        };
        format!("{kind}_{letter}{}x{}", self.terms, self.users)
    }

    /// Returns the key that encrypts the inputs: the secret key on the small published sets, whose
    /// noise limit the sums of products under a public key exceed. The client of a biometric match
    /// has it.
    pub(super) fn inputs(&self) -> KeyKind {
        if matches!(self.set, "h0" | "h1" | "h33") { KeyKind::Sk } else { KeyKind::Pk }
    }

    /// Returns true if the set is one whose noise limit the document exceeds, so that a refusal is
    /// an expected outcome: H0, at any product on slots.
    pub(super) fn may_be_refused(&self) -> bool {
        self.set == "h0"
    }
}

/// Returns the inner product at a place.
pub(super) fn program(place: Place) -> Program {
    let template = if place.encrypted { "an encrypted" } else { "a clear" };
    let text = format!(
        "inner products of {} terms with {template} template, for {} users of one ciphertext",
        place.terms, place.users
    );
    Program::new("bfv", place.set, format!("match{}", place.ending()), text, move |meter| {
        let own = Matcher::new(place, meter)?;
        let mut rng = SecretRng::from_os()?;
        let probe = own.encrypt(&mut rng)?;
        let result = meter.time(1, || own.matched(&probe));
        let result = own.expecting(result, meter)?;
        own.check(&own.scores(&result)?, meter);
        Ok(())
    })
}

enum Template {
    Clear(bfv::Multiplicand),
    Encrypted(bfv::Ciphertext),
}

/// Keys, a template, and the probes of all users.
pub(super) struct Matcher {
    place: Place,
    party: Party,
    template: Template,
    /// True if a product is switched to the next level before its values are added up, which is
    /// quicker where that level has room for the sum.
    switches: bool,
    steps: Vec<i64>,
    probes: Vec<i64>,
    expected: Vec<i64>,
}

impl Matcher {
    pub(super) fn new(place: Place, meter: &mut Meter) -> Result<Self, Error> {
        let mut rng = SecretRng::from_os()?;
        meter.inputs(place.inputs());
        let params = party::named(place.set, meter)?;
        let row = params.degree() / 2;
        let steps = place.layout.steps(row, place.terms);
        let party = Party::new(params, &Rotations::steps(&steps), &mut rng)?;
        let (mut probes, mut templates) = (vec![0; 2 * row], vec![0; 2 * row]);
        let mut random = SplitMix64(meter.seed());
        let mut expected = Vec::new();
        for user in 0..place.users.min(2 * row / place.terms) {
            let mut score = 0;
            for term in 0..place.terms {
                let slot = place.layout.slot(row, place.terms, [user, term]);
                let [probe, template] = [(); 2].map(|()| random.below(15) as i64 - 7);
                (probes[slot], templates[slot]) = (probe, template);
                score += probe * template;
            }
            expected.push(score);
        }
        let message = party.params.encode_signed(&templates)?;
        let template = if place.encrypted {
            Template::Encrypted(party.encrypt(&message, place.inputs(), &mut rng)?)
        } else {
            Template::Clear(message.to_multiplicand())
        };
        let switches = false;
        let mut own = Self { place, party, template, switches, steps, probes, expected };
        if let Template::Encrypted(template) = &own.template {
            let probe = own.encrypt(&mut rng)?;
            let switched = own.party.evaluator.mul(&probe, template);
            let needed = bits_of_sum(place.terms);
            own.switches = switched.is_ok_and(|product| product.noise_budget_bits() > needed);
        }
        Ok(own)
    }

    /// Returns the number of users.
    pub(super) fn users(&self) -> usize {
        self.expected.len()
    }

    /// Encodes and encrypts the probes.
    pub(super) fn encrypt(&self, rng: &mut SecretRng) -> Result<bfv::Ciphertext, Error> {
        let probes = self.party.params.encode_signed(&self.probes)?;
        self.party.encrypt(&probes, self.place.inputs(), rng)
    }

    /// Returns the inner products of an encrypted probe.
    pub(super) fn matched(&self, probe: &bfv::Ciphertext) -> Result<bfv::Ciphertext, Error> {
        let product = match &self.template {
            Template::Clear(template) => self.party.evaluator.mul_plain(probe, template)?,
            Template::Encrypted(template) => {
                let (evaluator, product) =
                    (&self.party.evaluator, self.party.evaluator.tensor(probe, template)?);
                if self.switches {
                    evaluator.relinearize_and_switch(&product)?
                } else {
                    evaluator.relinearize(&product)?
                }
            }
        };
        self.steps.iter().try_fold(product, |sum, step| {
            self.party.evaluator.add(&sum, &self.party.evaluator.rotate(&sum, *step)?)
        })
    }

    /// Decrypts and decodes the scores.
    pub(super) fn scores(&self, result: &bfv::Ciphertext) -> Result<Vec<i64>, Error> {
        let slots = self.party.secret.decrypt(result)?.slots_signed()?;
        let Place { terms, layout, .. } = self.place;
        let slot = |user| layout.slot(self.party.params.degree() / 2, terms, [user, 0]);
        Ok((0..self.users()).map(|user| slots[slot(user)]).collect())
    }

    /// Runs a whole batch: encoding, encryption, inner products, decryption and decoding.
    pub(super) fn batch(&self, rng: &mut SecretRng) -> Result<Vec<i64>, Error> {
        self.scores(&self.matched(&self.encrypt(rng)?)?)
    }

    /// Compares the scores with those of clear vectors.
    pub(super) fn check(&self, scores: &[i64], meter: &mut Meter) {
        meter.check(scores.iter().copied(), self.expected.iter().copied());
    }

    /// Notes a refusal as expected where the document's parameters imply it.
    pub(super) fn expecting<T>(
        &self,
        result: Result<T, Error>,
        meter: &mut Meter,
    ) -> Result<T, Error> {
        if result.is_err() {
            meter.refused_after(0, self.place.may_be_refused());
        }
        result
    }
}
