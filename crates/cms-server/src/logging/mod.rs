//! Log lines: text for people, JSON for programs, always on the standard error output.

mod json;
#[cfg(test)]
mod tests;

use std::io::IsTerminal;

use anyhow::Context;
use tracing::Dispatch;
use tracing_subscriber::{
    EnvFilter,
    fmt::{MakeWriter, format::JsonFields},
    util::SubscriberInitExt,
};

use crate::config::{Log, LogFormat};

/// Begins to log. `rust_log` is the variable of that name.
pub(crate) fn init(log: &Log, rust_log: Option<&str>) -> anyhow::Result<()> {
    let (filter, key) =
        rust_log.filter(|filter| !filter.is_empty()).map_or((log.level.as_str(), "log.level"), |filter| (filter, "RUST_LOG"));
    // These libraries tell of each step of what we tell in one line. A filter that names one goes first.
    let filter = format!("sea_orm_migration=warn,rmcp=warn,{filter}");
    let filter = EnvFilter::builder().parse(filter).with_context(|| format!("`{key}` is not a log filter"))?;
    let terminal = std::io::stderr().is_terminal();
    let json = match log.format {
        LogFormat::Auto => !terminal,
        LogFormat::Text => false,
        LogFormat::Json => true,
    };
    dispatch(json, terminal, filter, std::io::stderr).init();
    Ok(())
}

/// What writes the lines.
fn dispatch<W>(json: bool, colours: bool, filter: EnvFilter, writer: W) -> Dispatch
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer);
    if json {
        builder.fmt_fields(JsonFields::new()).event_format(json::OneObject).finish().into()
    } else {
        builder.with_ansi(colours).with_target(false).finish().into()
    }
}
