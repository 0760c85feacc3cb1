//! The Arrow schema of an encrypted table: one row for each block.
//!
//! | column | type | content |
//! |---|---|---|
//! | `rows` | `int32` | rows of the table in this block |
//! | `rows__checksums` | `fixed_size_binary` | 16 bytes for each of the other columns, in order |
//! | `rows__groups` | `list<int32>` | with a declared key: the rows of each group |
//! | a clear column | `list<T>` | its values in the order of the slots |
//! | `NAME__valid` | `list<bool>` | with missing values: which values of a column are there |
//! | `NAME__values_I`, `NAME__squares_I` | `fixed_size_binary` | ciphertext of limb `I` |
//! | `NAME__bits_I` | `fixed_size_binary` | for encrypted predicates: ciphertext of bit `I` |
//! | `NAME__selected_values_I`, `NAME__selected_squares_I` | `fixed_size_binary` | their limbs |
//!
//! A clear column whose name is `rows` or contains `__` is stored as `NAME__clear`, so that no two
//! columns have one name.
//!
//! Metadata `fathom.table` of the schema holds the schema of the table, the parameters, the
//! identifiers of the table and of its keys, the slots of the groups and the number of blocks;
//! `fathom.table.checksum` is its checksum. Every ciphertext column has the extension type
//! `fathom.column`, whose metadata describes it alone.

use crate::arrange::{Bucket, check_buckets};
use crate::checksum::{BYTES, Checksums};
use crate::container::hex;
use crate::key::PublicPart;
use crate::layout::{Component, Family};
use crate::{ClearColumn, EncryptedColumn, Error, Schema};
use arrow_schema::extension::{EXTENSION_TYPE_METADATA_KEY, EXTENSION_TYPE_NAME_KEY};
use arrow_schema::{DataType, Field, Fields, Schema as ArrowSchema};
use fathom::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// Name of the Arrow extension type of ciphertext columns.
pub const EXTENSION: &str = "fathom.column";
/// Key of the metadata of an encrypted table in its Arrow schema.
pub const TABLE_METADATA: &str = "fathom.table";
/// Key of the checksum of these metadata.
const METADATA_CHECKSUM: &str = "fathom.table.checksum";
/// Version of the layout. In version 1, no checksums bound ciphertexts to their places.
const VERSION: u32 = 2;
/// The longest metadata that a reader parses, in bytes.
const LONGEST_METADATA: usize = 1 << 22;
/// Bytes of the identifier of a table.
const IDENTIFIER_BYTES: usize = 16;
/// The largest ciphertext that a reader accepts, in bytes; no layout comes near.
const LARGEST_FRAME: i32 = 1 << 20;

pub(crate) const ROWS_COLUMN: &str = "rows";
pub(crate) const GROUPS_COLUMN: &str = "rows__groups";
pub(crate) const CHECKSUMS_COLUMN: &str = "rows__checksums";

/// The description that an encrypted table carries in its metadata.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableInfo {
    version: u32,
    /// The identifier of the table, drawn when it is encrypted, in hexadecimal.
    pub(crate) table: String,
    pub(crate) schema: Schema,
    pub(crate) families: BTreeMap<Family, PublicPart>,
    /// The groups of the declared key with their slots, in the order of their labels; empty without
    /// a declared key.
    pub(crate) buckets: Vec<Bucket>,
    /// The number of blocks.
    pub(crate) blocks: usize,
}

/// The field that the metadata have in every version.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// Metadata of the extension type.
#[derive(Serialize)]
struct Extension<'a> {
    v: u32,
    scheme: &'static str,
    params: &'a str,
    key: &'a str,
    #[serde(rename = "type")]
    kind: crate::EncryptedType,
    range: [i64; 2],
    layout: Component,
    limb: u32,
    limbs: u32,
    per: usize,
}

impl TableInfo {
    /// Describes a new table.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for groups whose values are longer than readers accept;
    /// [`Error::Fathom`] if the operating system gives no random bytes.
    pub(crate) fn new(
        schema: Schema,
        families: BTreeMap<Family, PublicPart>,
        buckets: Vec<Bucket>,
        blocks: usize,
    ) -> Result<TableInfo, Error> {
        let mut rng = SecretRng::from_os().map_err(fathom::Error::from)?;
        let table = hex(&rng.next_seed().0[..IDENTIFIER_BYTES]);
        let info = TableInfo { version: VERSION, table, schema, families, buckets, blocks };
        let length = info.text().len();
        if length <= LONGEST_METADATA {
            return Ok(info);
        }
        let reason = format!(
            "the metadata, which hold the values of its groups, take {length} bytes of the \
             {LONGEST_METADATA} that readers accept; group by a shorter text, or leave `group_by` \
             out and declare the use `filter` for the encrypted columns"
        );
        let column = info.schema.declared_key().map_or_else(String::new, |key| key.name.clone());
        Err(Error::Unsupported { operation: "an arrangement of rows by groups", column, reason })
    }

    fn text(&self) -> String {
        serde_json::to_string(self).expect("the metadata has only keys of text")
    }

    /// Returns the checksums of the table.
    pub(crate) fn checksums(&self) -> Checksums {
        Checksums::of_table(&self.text())
    }

    /// Returns the names of all columns in the order of their checksums, but for the checksums
    /// themselves: those in the clear, and those of ciphertexts.
    pub(crate) fn checked_names(&self) -> Vec<String> {
        let groups = self.schema.declared_key().map(|_| GROUPS_COLUMN.to_owned());
        let clear = self.schema.clear.iter().map(|column| clear_column(&column.name));
        let nullable = self.schema.encrypted.iter().filter(|column| column.nulls);
        let valid = nullable.map(|column| valid_column(&column.name));
        let ciphertexts = self.schema.encrypted.iter().flat_map(|column| {
            column.limbs().map(|(part, limb)| limb_column(&column.name, part, limb))
        });
        let first = std::iter::once(ROWS_COLUMN.to_owned()).chain(groups);
        first.chain(clear).chain(valid).chain(ciphertexts).collect()
    }

    /// Makes the Arrow schema; `frame_bytes` are those of the ciphertexts of each component.
    pub(crate) fn arrow(&self, frame_bytes: impl Fn(Family, Component) -> i32) -> ArrowSchema {
        TableInfo::schema_of(&self.text(), self.fields(frame_bytes))
    }

    /// Makes an Arrow schema with these metadata of a table and their checksum.
    pub(crate) fn schema_of(text: &str, fields: impl Into<Fields>) -> ArrowSchema {
        let checksum = Checksums::of_table(text).of_metadata();
        let metadata = [(TABLE_METADATA, text.to_owned()), (METADATA_CHECKSUM, checksum)];
        let metadata = metadata.map(|(key, value)| (key.to_owned(), value));
        ArrowSchema::new_with_metadata(fields, HashMap::from(metadata))
    }

    /// Makes the columns of the Arrow schema.
    pub(crate) fn fields(&self, frame_bytes: impl Fn(Family, Component) -> i32) -> Vec<Field> {
        let checksums = DataType::FixedSizeBinary((BYTES * self.checked_names().len()) as i32);
        let mut fields = vec![
            Field::new(ROWS_COLUMN, DataType::Int32, false),
            Field::new(CHECKSUMS_COLUMN, checksums, false),
        ];
        if self.schema.declared_key().is_some() {
            fields.push(list(GROUPS_COLUMN, DataType::Int32, Missing::Never));
        }
        for ClearColumn { name, kind, .. } in &self.schema.clear {
            fields.push(list(&clear_column(name), kind.data_type(), Missing::Sometimes));
        }
        for column in &self.schema.encrypted {
            if column.nulls {
                fields.push(list(&valid_column(&column.name), DataType::Boolean, Missing::Never));
            }
            for (component, limb) in column.limbs() {
                let width = frame_bytes(column.family(component), component);
                let name = limb_column(&column.name, component, limb);
                let metadata = self.extension(column, component, limb);
                let field = Field::new(name, DataType::FixedSizeBinary(width), false);
                fields.push(field.with_metadata(metadata));
            }
        }
        fields
    }

    fn extension(
        &self,
        column: &EncryptedColumn,
        component: Component,
        limb: u32,
    ) -> HashMap<String, String> {
        let part = &self.families[&column.family(component)];
        let extension = Extension {
            v: VERSION,
            scheme: "bfv",
            params: &part.params,
            key: &part.key,
            kind: column.kind,
            range: column.limits(),
            layout: component,
            limb,
            limbs: column.limb_count(component),
            per: self.schema.block_rows(),
        };
        let text = serde_json::to_string(&extension).expect("the metadata has only keys of text");
        HashMap::from([
            (EXTENSION_TYPE_NAME_KEY.to_owned(), EXTENSION.to_owned()),
            (EXTENSION_TYPE_METADATA_KEY.to_owned(), text),
        ])
    }

    /// Reads the metadata of an Arrow schema and checks the types of all columns. Projections may
    /// leave columns out.
    ///
    /// # Errors
    /// [`Error::Malformed`], [`Error::Version`], [`Error::Schema`].
    pub(crate) fn read(arrow: &ArrowSchema) -> Result<TableInfo, Error> {
        let refuse = |reason: String| Error::malformed("the metadata of a table", reason);
        let text = arrow
            .metadata()
            .get(TABLE_METADATA)
            .filter(|text| text.len() <= LONGEST_METADATA)
            .ok_or_else(|| refuse(format!("there is no {TABLE_METADATA} of at most 4 MiB")))?;
        let checksum = arrow.metadata().get(METADATA_CHECKSUM);
        if checksum != Some(&Checksums::of_table(text).of_metadata()) {
            return Err(refuse("their checksum does not fit, so they are damaged".to_owned()));
        }
        let malformed = |error: serde_json::Error| refuse(error.to_string());
        let Versioned { version } = serde_json::from_str(text).map_err(malformed)?;
        if version != VERSION {
            return Err(Error::Version { found: version, reads: VERSION });
        }
        let info: TableInfo = serde_json::from_str(text).map_err(malformed)?;
        if info.text() != *text {
            return Err(refuse("they are not in the form in which they are written".to_owned()));
        }
        info.schema.check()?;
        check_buckets(&info.buckets, info.schema.block_rows())?;
        if info.schema.declared_key().is_none() && !info.buckets.is_empty() {
            return Err(refuse("there are groups without a declared key".to_owned()));
        }
        if info.schema.families().iter().any(|family| !info.families.contains_key(family)) {
            return Err(refuse("there are no parameters for a column".to_owned()));
        }
        let expected = info.arrow(|_, _| 0);
        for field in arrow.fields() {
            let own = expected.field_with_name(field.name());
            if !own.is_ok_and(|own| same_type(own.data_type(), field.data_type())) {
                return Err(refuse(format!("{:?} is no column of the table", field.name())));
            }
        }
        Ok(info)
    }
}

/// The rule for missing elements of a list.
#[derive(Clone, Copy)]
enum Missing {
    Never,
    Sometimes,
}

fn list(name: &str, item: DataType, missing: Missing) -> Field {
    let item = Field::new("element", item, matches!(missing, Missing::Sometimes));
    Field::new(name, DataType::List(item.into()), false)
}

/// Compares types without the names of elements and the widths of ciphertexts.
fn same_type(own: &DataType, found: &DataType) -> bool {
    match (own, found) {
        (DataType::List(own), DataType::List(found)) => own.data_type() == found.data_type(),
        (DataType::FixedSizeBinary(_), DataType::FixedSizeBinary(width)) => {
            (1..=LARGEST_FRAME).contains(width)
        }
        (own, found) => own == found,
    }
}

/// Returns the name of the list that holds a clear column: its own, unless a column of another kind
/// could have it.
pub(crate) fn clear_column(name: &str) -> String {
    let could_be_another = name == ROWS_COLUMN || name.contains("__");
    if could_be_another { format!("{name}__clear") } else { name.to_owned() }
}

/// Returns the name of the list that says which values of a column are there.
pub(crate) fn valid_column(name: &str) -> String {
    format!("{name}__valid")
}

/// Returns the name of the column of one limb.
pub(crate) fn limb_column(name: &str, component: Component, limb: u32) -> String {
    format!("{name}__{}_{limb}", component.name())
}
