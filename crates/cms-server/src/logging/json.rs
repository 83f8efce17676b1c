//! A line of the log as one JSON object without nesting: what happened, then what the spans around it say, the nearest first.

use std::fmt;

use serde_json::{Map, Value};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{
        FmtContext, FormatEvent, FormattedFields,
        format::{JsonFields, Writer},
        time::{FormatTime, SystemTime},
    },
    registry::LookupSpan,
};

/// Writes the lines. Their members come in the order in which they are recorded, and none comes twice: readers of JSON keep the first,
/// the last, or refuse the line.
pub(super) struct OneObject;

impl<S> FormatEvent<S, JsonFields> for OneObject
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(&self, context: &FmtContext<'_, S, JsonFields>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let mut timestamp = String::new();
        SystemTime.format_time(&mut Writer::new(&mut timestamp))?;
        let (mut line, metadata) = (Line::default(), event.metadata());
        line.add("", "timestamp", timestamp.into());
        line.add("", "level", metadata.level().as_str().into());
        line.add("", "target", metadata.target().into());
        event.record(&mut line);
        for span in context.event_scope().into_iter().flatten() {
            let extensions = span.extensions();
            let Some(fields) = extensions.get::<FormattedFields<JsonFields>>() else { continue };
            // What was recorded by the same formatter is an object; a span without fields has none.
            let Ok(Value::Object(fields)) = serde_json::from_str(fields) else { continue };
            for (name, value) in fields {
                line.add(span.name(), &name, value);
            }
        }
        writeln!(writer, "{}", Value::Object(line.0))
    }
}

/// The members of a line.
#[derive(Default)]
struct Line(Map<String, Value>);

impl Line {
    /// Adds a member. A name that is taken is told with who else says it, unless both say the same.
    fn add(&mut self, whose: &str, name: &str, value: Value) {
        let name = name.strip_prefix("r#").unwrap_or(name);
        match self.0.get(name) {
            None => {
                self.0.insert(name.to_owned(), value);
            }
            Some(known) if *known == value => {}
            Some(_) => {
                self.0.entry(format!("{whose}.{name}")).or_insert(value);
            }
        }
    }

    fn record(&mut self, field: &Field, value: Value) {
        match field.name() {
            // Where a library's own log says that it speaks; the rest of what it says of its source is for its makers.
            "log.target" => {
                self.0.insert("target".to_owned(), value);
            }
            name if name.starts_with("log.") => {}
            name => self.add("event", name, value),
        }
    }
}

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.record(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.record(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.record(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.record(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.record(field, value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record(field, format!("{value:?}").into());
    }
}
