//! Names in JSON: one as text, several as a list, and none as null.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Several(Vec<String>),
}

pub(crate) fn serialize<S: Serializer>(names: &[String], to: S) -> Result<S::Ok, S::Error> {
    match names {
        [] => to.serialize_none(),
        [one] => to.serialize_str(one),
        several => several.serialize(to),
    }
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    Ok(match Option::<Names>::deserialize(from)? {
        None => Vec::new(),
        Some(Names::One(name)) => vec![name],
        Some(Names::Several(names)) => names,
    })
}
