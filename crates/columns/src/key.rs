//! The secret keys of a table.

use crate::container::{self, hex, unhex};
use crate::layout::Family;
use crate::{Error, Schema};
use fathom::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use zeroize::Zeroizing;

const MAGIC: [u8; 8] = *b"FTHMCSK1";
const WHAT: &str = "a secret key of columns";

/// The secret keys that encrypt a table and decrypt what is computed on it: one for each set of
/// parameters that its columns use. Only the client has them.
///
/// Nobody who computes needs a key: see [`Server`](crate::Server).
pub struct TableKey {
    schema: Schema,
    secrets: BTreeMap<Family, bfv::SecretKey>,
}

/// Describes, in a file, a set of parameters and its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PublicPart {
    /// The parameters in hexadecimal.
    pub(crate) params: String,
    /// The identifier of the secret key in hexadecimal.
    pub(crate) key: String,
}

#[derive(Serialize, Deserialize)]
struct Header {
    schema: Schema,
    families: Vec<(Family, PublicPart)>,
}

impl TableKey {
    /// Generates keys for a schema.
    ///
    /// # Errors
    /// [`Error::Schema`]; [`Error::Fathom`] if the operating system gives no random bytes.
    pub fn generate(schema: &Schema) -> Result<TableKey, Error> {
        schema.check()?;
        let mut rng = SecretRng::from_os().map_err(fathom::Error::from)?;
        let mut secrets = BTreeMap::new();
        for family in schema.families() {
            secrets.insert(family, bfv::SecretKey::generate(&family.params(schema)?, &mut rng));
        }
        Ok(TableKey { schema: schema.clone(), secrets })
    }

    /// Returns the schema of the table.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns the public identifiers of the keys, one for each set of parameters.
    pub fn ids(&self) -> impl Iterator<Item = KeyId> {
        self.secrets.values().map(bfv::SecretKey::id)
    }

    /// Encodes the keys, for storage that only their owner can read. The bytes are **secret** and
    /// wiped when dropped.
    pub fn to_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let families = self.public_parts().into_iter().collect();
        let header = Header { schema: self.schema.clone(), families };
        let secrets: Vec<_> = self.secrets.values().map(bfv::SecretKey::to_secret_bytes).collect();
        let secrets: Vec<&[u8]> = secrets.iter().map(|bytes| bytes.as_slice()).collect();
        container::seal(MAGIC, &header, &secrets)
    }

    /// Reads what [`TableKey::to_secret_bytes`] wrote. The caller is responsible for wiping
    /// `bytes`.
    ///
    /// # Errors
    /// [`Error::Malformed`], [`Error::Schema`]; [`Error::Fathom`] for a key that is none.
    pub fn from_secret_bytes(bytes: &[u8]) -> Result<TableKey, Error> {
        let (header, blobs): (Header, _) = container::open(MAGIC, WHAT, bytes)?;
        header.schema.check()?;
        if blobs.len() != header.families.len() {
            return Err(Error::malformed(WHAT, "it has not one key for each set of parameters"));
        }
        let mut secrets = BTreeMap::new();
        for ((family, part), blob) in header.families.iter().zip(blobs) {
            let secret =
                bfv::SecretKey::from_secret_bytes(&part.params(*family, &header.schema)?, blob)?;
            secrets.insert(*family, secret);
        }
        if header.schema.families().iter().any(|family| !secrets.contains_key(family)) {
            return Err(Error::malformed(WHAT, "a key of its columns is missing"));
        }
        Ok(TableKey { schema: header.schema, secrets })
    }

    pub(crate) fn secret(&self, family: Family) -> &bfv::SecretKey {
        self.secrets.get(&family).expect("there is a key for every family of the schema")
    }

    /// Returns the identifiers of the keys in hexadecimal.
    pub(crate) fn public_keys(&self) -> BTreeMap<Family, String> {
        self.public_parts().into_iter().map(|(family, part)| (family, part.key)).collect()
    }

    pub(crate) fn public_parts(&self) -> BTreeMap<Family, PublicPart> {
        let part = |key: &bfv::SecretKey| PublicPart {
            params: hex(&key.params().to_bytes()),
            key: hex(&key.id().to_bytes()),
        };
        self.secrets.iter().map(|(family, key)| (*family, part(key))).collect()
    }
}

impl PublicPart {
    /// Reads the parameters and checks that they are those of a layout.
    pub(crate) fn params(&self, family: Family, schema: &Schema) -> Result<bfv::Params, Error> {
        let malformed =
            || Error::malformed("the parameters of a table", "they are not hexadecimal");
        let params = bfv::Params::from_bytes(&unhex(&self.params).ok_or_else(malformed)?)?;
        family.check(&params, schema)?;
        Ok(params)
    }
}

/// Shows the identifiers of the keys and nothing else.
impl fmt::Debug for TableKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.secrets.iter().map(|(family, key)| (family, key.id()));
        write!(f, "TableKey({:?}, secrets hidden)", keys.collect::<Vec<_>>())
    }
}
