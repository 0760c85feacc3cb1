//! The evaluation keys of a table, which its server needs for encrypted predicates and for small
//! results with many groups.

use crate::container::{self, hex};
use crate::fold::keys_to_fold;
use crate::key::PublicPart;
use crate::layout::Family;
use crate::{Error, Schema, TableKey};
use fathom::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const MAGIC: [u8; 8] = *b"FTHMCEV1";
const WHAT: &str = "a file of evaluation keys of columns";

/// The keys with which a server computes encrypted predicates, a relinearisation key, and with
/// which it puts the sums of many groups into one ciphertext, keys of rotations; both are seeded,
/// with an encryption of zero. They are public: nothing can be decrypted with them.
#[derive(Clone, Debug)]
pub struct EvaluationKeys {
    schema: Schema,
    sets: BTreeMap<Family, KeySet>,
}

/// The keys of a set of parameters.
#[derive(Clone, Debug)]
struct KeySet {
    part: PublicPart,
    keys: bfv::EvaluationKeys,
}

#[derive(Serialize, Deserialize)]
struct Header {
    schema: Schema,
    /// Earlier files have these keys alone, of [`Family::Compare`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<PublicPart>,
    #[serde(default)]
    parts: BTreeMap<Family, PublicPart>,
}

impl TableKey {
    /// Generates the evaluation keys. The server of the table needs them for predicates on columns
    /// with the use `compare`; for columns with the use `filter`, its results of many groups are
    /// smaller with them. `None` if there is no such column.
    ///
    /// # Errors
    /// [`Error::Fathom`] if the operating system gives no random bytes.
    pub fn evaluation_keys(&self) -> Result<Option<EvaluationKeys>, Error> {
        let mut rng = SecretRng::from_os().map_err(fathom::Error::from)?;
        let mut sets = BTreeMap::new();
        for (family, part) in self.public_parts() {
            let secret = self.secret(family);
            let keys = match family {
                Family::Sums => continue,
                Family::Masks => secret.keys_for(&keys_to_fold(secret.params()), &mut rng)?,
                Family::Compare => secret.evaluation_keys(&Rotations::none(), &mut rng)?,
            };
            sets.insert(family, KeySet { part, keys });
        }
        let keys = EvaluationKeys { schema: self.schema().clone(), sets };
        Ok(Some(keys).filter(|keys| !keys.sets.is_empty()))
    }
}

impl EvaluationKeys {
    /// Encodes the keys for the server.
    pub fn to_bytes(&self) -> Vec<u8> {
        let parts = self.sets.iter().map(|(family, set)| (*family, set.part.clone())).collect();
        let header = Header { schema: self.schema.clone(), part: None, parts };
        let keys: Vec<Vec<u8>> = self.sets.values().map(|set| set.keys.to_bytes()).collect();
        let blobs: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
        container::seal(MAGIC, &header, &blobs).to_vec()
    }

    /// Reads what [`EvaluationKeys::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`Error::Malformed`], [`Error::Schema`]; [`Error::Fathom`] for keys that are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<EvaluationKeys, Error> {
        let (header, blobs): (Header, _) = container::open(MAGIC, WHAT, bytes)?;
        let Header { schema, part, mut parts } = header;
        schema.check()?;
        parts.extend(part.map(|part| (Family::Compare, part)));
        if blobs.is_empty() || blobs.len() != parts.len() {
            return Err(Error::malformed(
                WHAT,
                "it has not one set of keys for each that it names",
            ));
        }
        let mut sets = BTreeMap::new();
        for ((family, part), blob) in parts.into_iter().zip(blobs) {
            let params = part.params(family, &schema)?;
            let keys = bfv::EvaluationKeys::from_bytes(&params, blob)?;
            let id = keys.key_id().map(|id| hex(&id.to_bytes()));
            let is_compared = family == Family::Compare;
            let lacks = is_compared && keys.relinearization_key().is_none();
            if lacks || id.as_ref() != Some(&part.key) {
                return Err(Error::malformed(WHAT, "its keys are not those that it names"));
            }
            sets.insert(family, KeySet { part, keys });
        }
        Ok(EvaluationKeys { schema, sets })
    }

    /// Returns whether encrypted predicates need the keys, which only make results smaller
    /// otherwise.
    pub fn are_needed(&self) -> bool {
        self.sets.contains_key(&Family::Compare)
    }

    /// Makes the evaluators of a table.
    ///
    /// # Errors
    /// [`Error::OtherKey`] for a table of another key.
    pub(crate) fn evaluators(
        &self,
        table: &BTreeMap<Family, PublicPart>,
    ) -> Result<BTreeMap<Family, bfv::Evaluator>, Error> {
        let evaluator = |(family, set): (&Family, &KeySet)| {
            if table.get(family) == Some(&set.part) {
                return Ok((*family, bfv::Evaluator::new(set.keys.clone())));
            }
            let without = "a table without such keys".to_owned();
            let expected = table.get(family).map_or(without, |part| part.key.clone());
            Err(Error::OtherKey { what: WHAT, found: set.part.key.clone(), expected })
        };
        self.sets.iter().map(evaluator).collect()
    }
}
