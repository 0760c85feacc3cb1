//! The evaluation keys of a table, which its server needs for encrypted predicates.

use crate::container::{self, hex};
use crate::key::PublicPart;
use crate::layout::Family;
use crate::{Error, Schema, TableKey};
use fathom::prelude::*;
use serde::{Deserialize, Serialize};

const MAGIC: [u8; 8] = *b"FTHMCEV1";
const WHAT: &str = "a file of evaluation keys of columns";

/// The keys with which a server computes encrypted predicates: a relinearisation key, seeded, and
/// an encryption of zero. They are public: nothing can be decrypted with them.
#[derive(Clone, Debug)]
pub struct EvaluationKeys {
    schema: Schema,
    part: PublicPart,
    keys: bfv::EvaluationKeys,
}

#[derive(Serialize, Deserialize)]
struct Header {
    schema: Schema,
    part: PublicPart,
}

impl TableKey {
    /// Generates the evaluation keys, which the server of the table needs for predicates on columns
    /// with the use `compare`; `None` if there is no such column.
    ///
    /// # Errors
    /// [`Error::Fathom`] if the operating system gives no random bytes.
    pub fn evaluation_keys(&self) -> Result<Option<EvaluationKeys>, Error> {
        let Some(part) = self.public_parts().remove(&Family::Compare) else { return Ok(None) };
        let mut rng = SecretRng::from_os().map_err(fathom::Error::from)?;
        let keys = self.secret(Family::Compare).evaluation_keys(&Rotations::none(), &mut rng)?;
        Ok(Some(EvaluationKeys { schema: self.schema().clone(), part, keys }))
    }
}

impl EvaluationKeys {
    /// Encodes the keys for the server.
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = Header { schema: self.schema.clone(), part: self.part.clone() };
        container::seal(MAGIC, &header, &[&self.keys.to_bytes()]).to_vec()
    }

    /// Reads what [`EvaluationKeys::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`Error::Malformed`], [`Error::Schema`]; [`Error::Fathom`] for keys that are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<EvaluationKeys, Error> {
        let (Header { schema, part }, blobs): (Header, _) = container::open(MAGIC, WHAT, bytes)?;
        schema.check()?;
        let [blob] = blobs.as_slice() else {
            return Err(Error::malformed(WHAT, "it has not one set of keys"));
        };
        let params = part.params(Family::Compare, &schema)?;
        let keys = bfv::EvaluationKeys::from_bytes(&params, blob)?;
        let id = keys.key_id().map(|id| hex(&id.to_bytes()));
        if keys.relinearization_key().is_none() || id.as_ref() != Some(&part.key) {
            return Err(Error::malformed(WHAT, "its keys are not those that it names"));
        }
        Ok(EvaluationKeys { schema, part, keys })
    }

    /// Makes the evaluator of a table.
    ///
    /// # Errors
    /// [`Error::OtherKey`] for a table of another key.
    pub(crate) fn evaluator(&self, table: Option<&PublicPart>) -> Result<bfv::Evaluator, Error> {
        if table == Some(&self.part) {
            return Ok(bfv::Evaluator::new(self.keys.clone()));
        }
        let expected = table.map_or("a table without comparisons", |part| &part.key).to_owned();
        Err(Error::OtherKey { what: WHAT, found: self.part.key.clone(), expected })
    }
}
