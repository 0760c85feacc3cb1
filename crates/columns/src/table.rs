//! The Arrow schema of an encrypted table: one row for each block.
//!
//! | column | type | content |
//! |---|---|---|
//! | `rows` | `int32` | rows of the table in this block |
//! | `rows__groups` | `list<int32>` | with a declared key: the rows of each group |
//! | a clear column | `list<T>` | its values in the order of the slots |
//! | `NAME__valid` | `list<bool>` | with missing values: which values of a column are there |
//! | `NAME__values_I`, `NAME__squares_I` | `fixed_size_binary` | ciphertext of limb `I` |
//!
//! Metadata `fathom.table` of the schema holds the schema of the table, the parameters, the
//! identifiers of the keys and the slots of the groups. Every ciphertext column has the extension
//! type `fathom.column`, whose metadata describes it alone.

use crate::arrange::{Bucket, check_buckets};
use crate::key::PublicPart;
use crate::layout::{Component, Family, ROWS};
use crate::{ClearColumn, EncryptedColumn, Error, Schema};
use arrow_schema::extension::{EXTENSION_TYPE_METADATA_KEY, EXTENSION_TYPE_NAME_KEY};
use arrow_schema::{DataType, Field, Schema as ArrowSchema};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// Name of the Arrow extension type of ciphertext columns.
pub const EXTENSION: &str = "fathom.column";
/// Key of the metadata of an encrypted table in its Arrow schema.
pub const TABLE_METADATA: &str = "fathom.table";
/// Version of the layout.
const VERSION: u32 = 1;
/// The longest metadata that a reader parses, in bytes.
const LONGEST_METADATA: usize = 1 << 22;
/// The largest ciphertext that a reader accepts, in bytes; no layout comes near.
const LARGEST_FRAME: i32 = 1 << 20;

pub(crate) const ROWS_COLUMN: &str = "rows";
pub(crate) const GROUPS_COLUMN: &str = "rows__groups";

/// What an encrypted table says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableInfo {
    version: u32,
    pub(crate) schema: Schema,
    pub(crate) families: BTreeMap<Family, PublicPart>,
    /// In the order of their labels; empty without a declared key.
    pub(crate) buckets: Vec<Bucket>,
}

/// Metadata of the extension type.
#[derive(Serialize)]
struct Extension<'a> {
    v: u32,
    scheme: &'static str,
    params: &'a str,
    key: &'a str,
    #[serde(rename = "type")]
    width: crate::Width,
    range: [i64; 2],
    layout: Component,
    limb: u32,
    limbs: u32,
    per: usize,
}

impl TableInfo {
    pub(crate) fn new(
        schema: Schema,
        families: BTreeMap<Family, PublicPart>,
        buckets: Vec<Bucket>,
    ) -> TableInfo {
        TableInfo { version: VERSION, schema, families, buckets }
    }

    /// Makes the Arrow schema; `frame_bytes` are those of the ciphertexts of each family.
    pub(crate) fn arrow(&self, frame_bytes: impl Fn(Family) -> i32) -> ArrowSchema {
        let text = serde_json::to_string(self).expect("the metadata has only keys of text");
        let metadata = HashMap::from([(TABLE_METADATA.to_owned(), text)]);
        ArrowSchema::new_with_metadata(self.fields(frame_bytes), metadata)
    }

    /// Makes the columns of the Arrow schema.
    pub(crate) fn fields(&self, frame_bytes: impl Fn(Family) -> i32) -> Vec<Field> {
        let mut fields = vec![Field::new(ROWS_COLUMN, DataType::Int32, false)];
        if self.schema.declared_key().is_some() {
            fields.push(list(GROUPS_COLUMN, DataType::Int32, Missing::Never));
        }
        for ClearColumn { name, kind, .. } in &self.schema.clear {
            fields.push(list(name, kind.data_type(), Missing::Sometimes));
        }
        for column in &self.schema.encrypted {
            if column.nulls {
                fields.push(list(&valid_column(&column.name), DataType::Boolean, Missing::Never));
            }
            let width = frame_bytes(column.family());
            for (component, limb) in column.limbs() {
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
        let part = &self.families[&column.family()];
        let extension = Extension {
            v: VERSION,
            scheme: "bfv",
            params: &part.params,
            key: &part.key,
            width: column.width,
            range: column.limits(),
            layout: component,
            limb,
            limbs: column.limb_count(component),
            per: ROWS,
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
    /// [`Error::Malformed`], [`Error::Schema`].
    pub(crate) fn read(arrow: &ArrowSchema) -> Result<TableInfo, Error> {
        let refuse = |reason: String| Error::malformed("the metadata of a table", reason);
        let text = arrow
            .metadata()
            .get(TABLE_METADATA)
            .filter(|text| text.len() <= LONGEST_METADATA)
            .ok_or_else(|| refuse(format!("there is no {TABLE_METADATA} of at most 4 MiB")))?;
        let info: TableInfo = serde_json::from_str(text).map_err(|e| refuse(e.to_string()))?;
        if info.version != VERSION {
            return Err(refuse(format!("version {} is not {VERSION}", info.version)));
        }
        info.schema.check()?;
        check_buckets(&info.buckets)?;
        if info.schema.declared_key().is_none() && !info.buckets.is_empty() {
            return Err(refuse("there are groups without a declared key".to_owned()));
        }
        if info.schema.encrypted.iter().any(|c| !info.families.contains_key(&c.family())) {
            return Err(refuse("there are no parameters for a column".to_owned()));
        }
        let expected = info.arrow(|_| 0);
        for field in arrow.fields() {
            let own = expected.field_with_name(field.name());
            if !own.is_ok_and(|own| same_type(own.data_type(), field.data_type())) {
                return Err(refuse(format!("{:?} is no column of the table", field.name())));
            }
        }
        Ok(info)
    }
}

/// Whether elements of a list can be missing.
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

/// Returns the name of the list that says which values of a column are there.
pub(crate) fn valid_column(name: &str) -> String {
    format!("{name}__valid")
}

/// Returns the name of the column of one limb.
pub(crate) fn limb_column(name: &str, component: Component, limb: u32) -> String {
    match component {
        Component::Values => format!("{name}__values_{limb}"),
        Component::Squares => format!("{name}__squares_{limb}"),
    }
}
