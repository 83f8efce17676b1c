//! `cms audit`: the audit log as lines of JSON, and whether anybody changed it.

use std::{
    io::{BufWriter, Write},
    process::ExitCode,
};

use clap::Subcommand;
use cms_core::{
    Clock, Cms, Door, SystemClock,
    accounts::{
        audit::AuditItem,
        audit_export::{Exported, NoteExport},
    },
};
use cms_domain::{access::Actor, id::AuditLineId, time::Timestamp};
use cms_storage::{AuditFilter, Store};
use serde_json::json;

use super::App;
use crate::wire;

/// How many lines are read at a time: what an export holds in memory, however long the log is.
const PAGE: usize = 500;

#[derive(Debug, Subcommand)]
pub(super) enum Audit {
    /// Print the lines, the oldest first, each as a line of JSON. That it was done leaves a line, too.
    Export {
        /// Not before this instant, as in 2027-01-31T00:00:00Z.
        #[arg(long)]
        from: Option<Timestamp>,
        /// Before this instant.
        #[arg(long)]
        to: Option<Timestamp>,
    },
    /// Check that no line was changed, removed, put in or moved since it was sealed.
    ///
    /// Prints the number and the hash of the last line. Whoever can write to the database can also seal a forged log anew: keep what is
    /// printed elsewhere, and the next check tells by it whether the log is still the one that it was.
    Verify,
}

pub(super) async fn run(app: &App, command: Audit) -> anyhow::Result<ExitCode> {
    wire::must_exist(&app.config)?;
    let (cms, store) = wire::cms(&app.config).await?;
    let code = match command {
        Audit::Export { from, to } => {
            let filter = AuditFilter { from, to, ..AuditFilter::default() };
            let written = export(&cms, &store, &filter, &mut BufWriter::new(std::io::stdout())).await?;
            app.out.remark(&format!("{written} lines exported"));
            ExitCode::SUCCESS
        }
        Audit::Verify => verify(app, &store).await?,
    };
    store.close().await;
    Ok(code)
}

/// Writes the lines that there are when the export begins, page by page.
async fn export(cms: &Cms, store: &Store, filter: &AuditFilter, out: &mut (impl Write + Send)) -> anyhow::Result<u64> {
    let parts = [("from", filter.from), ("to", filter.to)].into_iter().filter_map(|(name, at)| Some(format!("{name} {}", at?))).collect();
    cms.invoke(&Actor::System, Door::Local, NoteExport { what: Exported::Audit, parts }).await?;
    let (mut written, mut after): (u64, Option<AuditLineId>) = (0, None);
    loop {
        let page = store.reader().audit().since(filter, after, PAGE).await?;
        let is_last = page.len() < PAGE;
        after = page.last().map(|line| line.id);
        for line in page {
            serde_json::to_writer(&mut *out, &AuditItem::of(line, None)?)?;
            out.write_all(b"\n")?;
            written += 1;
        }
        if is_last {
            out.flush()?;
            return Ok(written);
        }
    }
}

async fn verify(app: &App, store: &Store) -> anyhow::Result<ExitCode> {
    let snapshot = store.snapshot().await?;
    let chain = snapshot.reader().audit().check_chain(SystemClock.now()).await?;
    let flaw = chain.flaw.map(|flaw| flaw.to_string());
    let answer = json!({ "lines": chain.lines, "last": chain.last, "unsealed": chain.unsealed, "flaw": flaw });
    app.out.answer(&answer, || {
        let seen = format!("{} lines are as they were sealed, up to {}; {} are not sealed yet", chain.lines, chain.last, chain.unsealed);
        flaw.map_or_else(|| seen.clone(), |flaw| format!("{seen}\n{flaw}"))
    })?;
    Ok(if chain.flaw.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::testing::{on_both, site};

    #[tokio::test]
    async fn an_export_has_every_line_once_in_order_and_says_that_it_was_made() {
        on_both(async |store| {
            let (app, rows) = (site(store).await, store.store());
            let mut out = Vec::new();
            let written = export(app.cms(), rows, &AuditFilter::default(), &mut out).await.unwrap();
            let lines: Vec<Value> = out.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
            let ids: Vec<_> = lines.iter().map(|line| line["id"].as_str().unwrap().to_owned()).collect();
            assert_eq!(u64::try_from(lines.len()).unwrap(), written);
            assert!(ids.is_sorted() && lines.iter().any(|line| line["action"] == "content.create"), "{lines:?}");
            assert_eq!(lines.last().unwrap()["action"], "export.begin");
            let none = AuditFilter { to: Some(Timestamp::MIN), ..AuditFilter::default() };
            assert_eq!(export(app.cms(), rows, &none, &mut Vec::new()).await.unwrap(), 0);
        })
        .await;
    }
}
