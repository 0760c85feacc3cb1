//! Questions: the purpose that all libraries share, and the form in which each library is asked.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use fathom_drivers::protocol::{ParamsRequest, Purpose};
use serde::{Deserialize, Serialize};

/// The text of the table of purposes.
const PURPOSES: &str = include_str!("../purposes.toml");

/// Rule by which the parameters of the libraries are made comparable.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum Division {
    /// Equal security and equal semantics; each library chooses its own ring degree.
    #[default]
    Equal,
    /// The ring degree of the engine's preset for all libraries.
    Ring,
    /// The library's own default parameters for the depth.
    Defaults,
    /// Equal messages, but a failure probability different from the engine's.
    Failure,
}

impl Division {
    /// All divisions, the default first.
    pub const ALL: [Self; 4] = [Self::Equal, Self::Ring, Self::Defaults, Self::Failure];

    /// Returns the word used in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Ring => "ring",
            Self::Defaults => "defaults",
            Self::Failure => "failure",
        }
    }

    /// Returns a heading for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Equal => "equal security, equal semantics",
            Self::Ring => "the same ring for all",
            Self::Defaults => "each library's defaults",
            Self::Failure => "unequal failure probabilities",
        }
    }
}

/// A peer's own names for presets of the engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PeerPresets {
    /// Presets with the same meaning and about the same failure probability.
    pub equal: BTreeMap<String, String>,
    /// Presets with a different failure probability, for [`Division::Failure`].
    pub unequal_failure: BTreeMap<String, Vec<String>>,
}

/// The purpose of a preset in the suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    depth: u32,
    #[serde(default)]
    plain_modulus: Option<u64>,
    #[serde(default)]
    scale_bits: Option<u32>,
    security: u32,
    ring: usize,
}

static TABLE: LazyLock<BTreeMap<String, Row>> =
    LazyLock::new(|| toml::from_str(PURPOSES).unwrap_or_default());

/// Returns the library-independent name of a preset: depth and plaintext, such as `d1-t65537`, or
/// the name of the preset if the table of purposes does not list it.
pub fn topic(preset: &str) -> String {
    let Some(row) = TABLE.get(preset) else { return preset.to_owned() };
    let plain = match (row.plain_modulus, row.scale_bits) {
        (Some(t), _) => format!("-t{t}"),
        (None, Some(bits)) => format!("-s{bits}"),
        (None, None) => String::new(),
    };
    let security =
        if row.security == 128 { String::new() } else { format!("-{}bit", row.security) };
    format!("d{}{plain}{security}", row.depth)
}

/// Returns the topic that a question names, its second part.
pub fn topic_of(question: &str) -> Option<&str> {
    question.split('/').nth(1)
}

/// Returns the requests by which a peer is asked for the purpose of `preset`, each with the name of
/// its parameters in case ids; empty if the peer cannot be asked.
pub fn ask_peer(
    preset: &str,
    presets: &PeerPresets,
    division: Division,
) -> Vec<(String, ParamsRequest)> {
    let by_name = |own: &String| (own.clone(), ParamsRequest::Preset { preset: own.clone() });
    let unequal = presets.unequal_failure.get(preset);
    if division == Division::Failure {
        return unequal.into_iter().flatten().map(by_name).collect();
    }
    let equal = presets.equal.get(preset);
    if equal.is_some() || unequal.is_some() {
        return equal.filter(|_| division == Division::Equal).map(by_name).into_iter().collect();
    }
    by_purpose(preset, division).into_iter().collect()
}

fn by_purpose(preset: &str, division: Division) -> Option<(String, ParamsRequest)> {
    let row = TABLE.get(preset)?;
    let purpose = Purpose {
        depth: row.depth,
        plain_modulus: row.plain_modulus,
        scale_bits: row.scale_bits,
        precision_bits: None,
        security: row.security,
        n: (division == Division::Ring).then_some(row.ring),
        defaults: division == Division::Defaults,
    };
    let suffix = match division {
        Division::Equal | Division::Failure => String::new(),
        Division::Ring => format!("-n{}", row.ring),
        Division::Defaults => "-defaults".into(),
    };
    Some((topic(preset) + &suffix, ParamsRequest::For(purpose)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_drivers::engine::Engine;
    use fathom_drivers::library::Library;
    use fathom_drivers::ops::{Scheme, SchemeKind};
    use fathom_drivers::protocol::Prepare;

    #[test]
    fn purposes_agree_with_what_the_engine_says_of_its_presets() {
        assert!(TABLE.len() >= 13, "the table of purposes is not read");
        let residues = |name: &str| {
            Scheme::parse(name).is_some_and(|scheme| scheme.kind() == SchemeKind::Residues)
        };
        for scheme in Engine.schemes().into_iter().filter(|found| residues(&found.scheme)) {
            // Published sets answer questions of their own.
            let asked = |preset: &String| !fathom_drivers::engine::is_published(preset);
            for preset in scheme.params.into_iter().filter(asked) {
                let row = TABLE.get(&preset).unwrap_or_else(|| panic!("{preset} has no purpose"));
                let params = ParamsRequest::Preset { preset: preset.clone() };
                let (scheme, seed) = (scheme.scheme.clone(), None);
                let request = Prepare { scheme, params, threads: 1, op_threads: 1, seed };
                let info = Engine.open(&request).unwrap().1;
                let found = (info.depth, Some(info.plain_modulus), info.n);
                assert_eq!(found, (row.depth, row.plain_modulus, row.ring), "{preset}");
            }
        }
    }

    #[test]
    fn a_peer_is_asked_for_the_purpose_in_each_division() {
        let none = PeerPresets::default();
        let name = |division| ask_peer("e2", &none, division).remove(0).0;
        assert_eq!(name(Division::Equal), "d5-t65537");
        assert_eq!(name(Division::Ring), "d5-t65537-n8192");
        assert_eq!(name(Division::Defaults), "d5-t65537-defaults");
        assert_eq!(
            (topic("e1-256").as_str(), topic("e3").as_str()),
            ("d1-t65537-256bit", "d6-s38")
        );
        let equal = BTreeMap::from([("u_2_2_128".to_owned(), "2_2".to_owned())]);
        let unequal_failure =
            BTreeMap::from([("u_bool_128".to_owned(), vec!["a".to_owned(), "b".to_owned()])]);
        let torus = PeerPresets { equal, unequal_failure };
        let asked = |preset, division| -> Vec<String> {
            ask_peer(preset, &torus, division).into_iter().map(|(name, _)| name).collect()
        };
        assert_eq!(asked("u_2_2_128", Division::Equal), ["2_2"]);
        assert_eq!(asked("u_bool_128", Division::Failure), ["a", "b"]);
        for (preset, division) in [
            ("u_2_2_128", Division::Ring),
            ("u_2_2_128", Division::Failure),
            ("u_bool_128", Division::Equal),
            ("native", Division::Equal),
            ("e2", Division::Failure),
        ] {
            assert!(asked(preset, division).is_empty(), "{preset} {division:?}");
        }
    }
}
