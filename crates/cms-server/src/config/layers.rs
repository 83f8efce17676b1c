//! Where settings come from: defaults, then the file, then the environment, then flags. Later ones win.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

use super::{Config, Setting, settings, sign_in};
use crate::spelling::nearest;

/// What was found, before it is put together.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    /// The configuration file and its text.
    pub(crate) file: Option<(PathBuf, String)>,
    /// The process's environment.
    pub(crate) environment: BTreeMap<String, String>,
    /// Flags of the command line.
    pub(crate) flags: Vec<Flag>,
}

/// A setting given on the command line.
#[derive(Debug, Clone)]
pub(crate) struct Flag {
    /// Which setting.
    pub(crate) key: String,
    /// Its value as text.
    pub(crate) value: String,
    /// The flag as it is written.
    pub(crate) spelled: &'static str,
}

/// Who set a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Default,
    File(PathBuf),
    Variable(String),
    Flag(&'static str),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "file {}", path.display()),
            Self::Variable(name) => write!(f, "environment {name}"),
            Self::Flag(flag) => write!(f, "flag {flag}"),
        }
    }
}

/// The configuration in force.
#[derive(Debug)]
pub(crate) struct Resolved {
    /// The configuration.
    pub(crate) config: Config,
    /// Who set each setting.
    pub(crate) sources: Vec<(Setting, Source)>,
    /// Environment variables that look like settings and are none.
    pub(crate) unknown: Vec<UnknownVariable>,
}

/// An environment variable that looks like a setting and is none.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the environment variable {name} looks like a setting and is none{}", .nearest.as_ref().map_or_else(String::new, |nearest| format!(": did you mean {nearest}?")))]
pub(crate) struct UnknownVariable {
    name: String,
    /// The variable of a setting that is spelled almost like it.
    nearest: Option<String>,
}

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("`{}` is not TOML: line {line}: {message}", .path.display())]
    NotToml { path: PathBuf, line: usize, message: String },
    #[error("`{key}` is not a setting ({source_name}){}", .nearest.as_ref().map_or_else(|| "; `cms config` lists them".to_owned(), |nearest| format!(": did you mean `{nearest}`?")))]
    Unknown { key: String, source_name: String, nearest: Option<String> },
    #[error("`{key}` ({source_name}): {message}")]
    Refused { key: String, source_name: String, message: String },
    #[error("the configuration cannot describe itself: {0}")]
    Describe(#[from] serde_json::Error),
}

impl Layers {
    /// Puts the layers together. Anything that is not a setting, or does not fit one, is an error that names it.
    pub(crate) fn resolve(self) -> Result<Resolved, ConfigError> {
        let mut given: BTreeMap<String, (Value, Source)> = BTreeMap::new();
        let settings = settings()?;
        if let Some((path, text)) = self.file {
            let table: toml::Table = toml::from_str(&text).map_err(|error| not_toml(&path, &text, &error))?;
            for (section, members) in table {
                match members {
                    toml::Value::Table(members) if settings.iter().any(|setting| setting.key.starts_with(&format!("{section}."))) => {
                        for (name, value) in members {
                            given.insert(format!("{section}.{name}"), (serde_json::to_value(value)?, Source::File(path.clone())));
                        }
                    }
                    other => {
                        given.insert(section, (serde_json::to_value(other)?, Source::File(path.clone())));
                    }
                }
            }
        }
        for setting in &settings {
            let variable = setting.variable();
            // Container platforms set empty variables for "nothing": they count as not given.
            if let Some(text) = self.environment.get(&variable).filter(|text| !text.is_empty()) {
                given.insert(setting.key.clone(), (setting.read(text), Source::Variable(variable)));
            }
        }
        for flag in self.flags {
            let value = settings.iter().find(|setting| setting.key == flag.key).map_or(Value::Null, |setting| setting.read(&flag.value));
            given.insert(flag.key, (value, Source::Flag(flag.spelled)));
        }
        if let Some((key, (_, source))) = given.iter().find(|(key, _)| settings.iter().all(|setting| setting.key != **key)) {
            return Err(ConfigError::Unknown { key: key.clone(), source_name: source.to_string(), nearest: nearest_to(key, &settings) });
        }
        let mut config = put_together(&settings, &given)?;
        config.providers.take_credentials(&self.environment);
        config.gateway.take_audience(&self.environment);
        let unknown = unknown(&settings, &self.environment);
        let source = |setting: &Setting| given.get(&setting.key).map_or(Source::Default, |(_, source)| source.clone());
        let sources = settings.into_iter().map(|setting| (source(&setting), setting)).map(|(source, setting)| (setting, source)).collect();
        Ok(Resolved { config, sources, unknown })
    }
}

/// The place and the reason. The library's own text would quote the line, and with it perhaps a password.
fn not_toml(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    ConfigError::NotToml { path: path.to_owned(), line: before.matches('\n').count() + 1, message: error.message().to_owned() }
}

fn put_together(settings: &[Setting], given: &BTreeMap<String, (Value, Source)>) -> Result<Config, ConfigError> {
    let mut whole = Map::new();
    for setting in settings {
        let (section, name) = setting.key.split_once('.').unwrap_or((&setting.key, ""));
        let value = given.get(&setting.key).map_or(&setting.default, |(value, _)| value);
        if let Value::Object(section) = whole.entry(section).or_insert_with(|| Value::Object(Map::new())) {
            section.insert(name.to_owned(), value.clone());
        }
    }
    serde_path_to_error::deserialize(Value::Object(whole)).map_err(|error| {
        let path = error.path().to_string();
        let key = settings.iter().find(|setting| path.starts_with(&setting.key)).map_or(path.clone(), |setting| setting.key.clone());
        let source_name = given.get(&key).map_or_else(String::new, |(_, source)| source.to_string());
        ConfigError::Refused { key, source_name, message: error.into_inner().to_string() }
    })
}

/// What is spelled almost like a key: a setting of its section, or a section.
fn nearest_to(key: &str, settings: &[Setting]) -> Option<String> {
    let parts = || settings.iter().filter_map(|setting| setting.key.split_once('.'));
    let (section, name) = key.split_once('.').map_or((key, None), |(section, name)| (section, Some(name)));
    let section = nearest(section, parts().map(|(section, _)| section))?;
    let Some(name) = name else { return Some(section.to_owned()) };
    let name = nearest(name, parts().filter(|(known, _)| *known == section).map(|(_, name)| name))?;
    Some(format!("{section}.{name}"))
}

/// Variables that begin like a section and name no setting. They are told, not refused: container platforms set variables such as
/// `CMS_SERVER_PORT` for a service that happens to be called so.
fn unknown(settings: &[Setting], environment: &BTreeMap<String, String>) -> Vec<UnknownVariable> {
    // Credentials of providers have names of their own.
    let known = |name: &String| settings.iter().any(|setting| setting.variable() == *name) || sign_in::is_credential(name);
    let mut unknown = Vec::new();
    for name in environment.keys().filter(|name| !known(name)) {
        // The settings of the section that the variable begins like, without what they all begin with.
        let sections: BTreeSet<_> = settings.iter().filter_map(|setting| Some(setting.key.split_once('.')?.0)).collect();
        let prefixes = sections.into_iter().map(|section| format!("CMS_{}_", section.to_uppercase()));
        if let Some(prefix) = prefixes.filter(|prefix| name.starts_with(prefix)).max_by_key(String::len) {
            let variables: Vec<_> = settings.iter().map(Setting::variable).collect();
            let rest = |text: &'_ str| text.strip_prefix(&prefix).map(str::to_owned);
            let known: Vec<_> = variables.iter().filter_map(|variable| rest(variable)).collect();
            let nearest = nearest(&rest(name).unwrap_or_default(), known.iter().map(String::as_str));
            unknown.push(UnknownVariable { name: name.clone(), nearest: nearest.map(|rest| format!("{prefix}{rest}")) });
        }
    }
    unknown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers(file: &str, environment: &[(&str, &str)], flags: &[(&str, &str)]) -> Layers {
        Layers {
            file: Some(("cms.toml".into(), file.to_owned())),
            environment: environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            flags: flags.iter().map(|(key, value)| Flag { key: (*key).to_owned(), value: (*value).to_owned(), spelled: "--set" }).collect(),
        }
    }

    fn refusal(layers: Layers) -> String {
        layers.resolve().unwrap_err().to_string()
    }

    fn source(resolved: &Resolved, key: &str) -> String {
        resolved.sources.iter().find(|(setting, _)| setting.key == key).unwrap().1.to_string()
    }

    #[test]
    fn without_anything_the_defaults_are_in_force() {
        assert_eq!(Layers::default().resolve().unwrap().config, Config::default());
    }

    #[test]
    fn flags_win_over_the_environment_over_the_file_over_defaults() {
        let file = "[server]\nlisten = \"a:1\"\nbody_limit = \"1MiB\"\nrequest_timeout = \"5s\"";
        let environment = [("CMS_SERVER_LISTEN", "b:2"), ("CMS_SERVER_BODY_LIMIT", "2MiB")];
        let resolved = layers(file, &environment, &[("server.listen", "c:3")]).resolve().unwrap();
        assert_eq!(resolved.config.server.listen.to_string(), "c:3");
        assert_eq!(resolved.config.server.body_limit.to_string(), "2MiB");
        assert_eq!(resolved.config.server.request_timeout.to_string(), "5s");
        assert_eq!(
            ["server.listen", "server.body_limit", "server.request_timeout", "server.body_timeout"].map(|key| source(&resolved, key)),
            ["flag --set", "environment CMS_SERVER_BODY_LIMIT", "file cms.toml", "default"]
        );
    }

    #[test]
    fn every_kind_of_value_can_be_given_as_text() {
        let environment = [
            ("CMS_SITE_LOCALES", "de, fr"),
            ("CMS_API_PUBLIC_READ", "true"),
            ("CMS_DATABASE_MAX_READERS", "3"),
            ("CMS_METRICS_LISTEN", "127.0.0.1:9000"),
            ("CMS_LOG_FORMAT", "json"),
        ];
        let config = layers("", &environment, &[]).resolve().unwrap().config;
        assert_eq!(config.site.locales.default_locale().as_str(), "de");
        assert!(config.api.public_read);
        assert_eq!(config.database.max_readers.get(), 3);
        assert_eq!(config.metrics.listen.map(|address| address.to_string()).as_deref(), Some("127.0.0.1:9000"));
        assert_eq!(config.log.format, super::super::LogFormat::Json);
    }

    #[test]
    fn a_key_that_is_no_setting_is_refused_with_its_path() {
        assert_eq!(
            refusal(layers("[server]\nlisten_on = \"a:1\"", &[], &[])),
            "`server.listen_on` is not a setting (file cms.toml): did you mean `server.listen`?"
        );
        assert_eq!(refusal(layers("servr = 1", &[], &[])), "`servr` is not a setting (file cms.toml): did you mean `server`?");
        assert!(refusal(layers("[servr]\nlisten = 1", &[], &[])).starts_with("`servr` is not a setting"));
        assert_eq!(refusal(layers("", &[], &[("x.y", "1")])), "`x.y` is not a setting (flag --set); `cms config` lists them");
    }

    #[test]
    fn a_value_that_does_not_fit_is_refused_with_its_key_and_its_source() {
        assert!(
            refusal(layers("", &[("CMS_SERVER_BODY_LIMIT", "lots")], &[]))
                .starts_with("`server.body_limit` (environment CMS_SERVER_BODY_LIMIT): expected a size")
        );
        assert!(
            refusal(layers("[site]\nlocales = [\"en\", \"x\"]", &[], &[])).starts_with("`site.locales` (file cms.toml): not a locale code")
        );
        for wrong in ["abc", "127.0.0.1", ":8080", "127.0.0.1:80800", "::1:8080"] {
            let refused = refusal(layers("", &[], &[("server.listen", wrong)]));
            assert!(refused.starts_with("`server.listen` (flag --set): expected an address and a port"), "{refused}");
        }
        assert!(refusal(layers("[database]\nmigrate = \"never\"", &[], &[])).contains("expected `auto` or `manual`"));
        assert!(refusal(layers("server = 1", &[], &[])).starts_with("`server` is not a setting"));
    }

    #[test]
    fn a_line_that_is_not_toml_is_named_and_not_shown() {
        let told = refusal(layers("[database]\nurl = postgres://cms:s3cret@db/cms\n", &[], &[]));
        assert!(told.starts_with("`cms.toml` is not TOML: line 2: ") && !told.contains("s3cret"), "{told}");
    }

    #[test]
    fn a_variable_that_looks_like_a_setting_is_told_and_an_empty_one_is_nothing() {
        let environment =
            [("CMS_API_CACHE_BYTES", "0"), ("CMS_SERVER_X", "x"), ("CMS_TOKEN", "x"), ("CMS_SERVER_LISTEN", ""), ("PATH", "/bin")];
        let resolved = layers("", &environment, &[]).resolve().unwrap();
        let told: Vec<_> = resolved.unknown.iter().map(ToString::to_string).collect();
        let looks = |name: &str| format!("the environment variable {name} looks like a setting and is none");
        assert_eq!(told, [looks("CMS_API_CACHE_BYTES") + ": did you mean CMS_API_CACHE?", looks("CMS_SERVER_X")]);
        assert_eq!(resolved.config, Config::default());
    }
}
