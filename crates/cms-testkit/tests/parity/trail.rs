//! Every operation that writes leaves a line in the audit log, or is named here with the reason why it does not.

use std::{collections::BTreeSet, fs, io, path::Path, sync::Arc};

use cms_core::{
    accounts::audit::ListAudit,
    descriptor::Descriptor,
    operation::{Method, Surface},
};
use cms_domain::user::Role;
use cms_testkit::site;
use serde_json::json;

use crate::{Caller, Case, Twins, cases, every, samples};

/// Operations that leave no line though they are more than a look, and why. Everything else that is not a GET leaves one.
const SILENT: &[(&str, &str)] = &[
    ("passkey.begin", "asks the authenticator; the answer is what changes something"),
    ("passkey.begin_sign_in", "asks the authenticator; signing in leaves the line"),
    ("proof.begin_passkey", "asks the authenticator; proving leaves the line"),
    ("proof.begin_provider", "sends the browser away; coming back leaves the line"),
    ("setup.begin_admin", "asks the authenticator; finishing the setup leaves the line"),
    ("sign_up.check", "looks at a link"),
    ("sign_up.begin", "asks the authenticator; making the account leaves the line"),
    ("invitation.check", "looks at a link"),
    ("invitation.begin", "asks the authenticator; accepting leaves the line"),
    ("provider.begin", "sends the browser away; coming back leaves the line"),
    ("connection.begin", "sends the browser away; coming back leaves the line"),
    ("jobs.watch", "looks at jobs"),
    ("content.watch", "looks at entries"),
    ("schema.plan", "looks at a model"),
    ("schema.check_type", "looks at values"),
    ("oauth.describe_request", "looks at a request"),
    ("oauth.describe_device", "looks at a code"),
    ("session.sign_out", "without a session, as here, nobody signs out; with one the line is tested below"),
    ("content.create", "a draft is told by its revision; one that is published at once leaves its line, as tested where entries are"),
    ("content.update", "a draft is told by its revision; one that is published at once leaves its line, as tested where entries are"),
    ("content.merge", "a draft is told by its revision; one that is public at once leaves its line, as tested where entries are"),
    ("content.duplicate", "makes a draft, which its revision tells"),
    ("content.discard_draft", "the revisions of the draft stay, and tell"),
    ("revision.restore", "makes a draft, which its revision tells"),
    ("content.acquire_lock", "says who is editing, for some minutes"),
    ("content.release_lock", "says who is editing, for some minutes"),
    ("media_usage.advance", "has entries looked through that nobody looks through; nothing that people made changes"),
    ("media.upload_url", "says where to send a file; confirming it leaves the line"),
    ("account.cancel_email_change", "nothing waits here; with an address that does, the line is tested where addresses are"),
];

/// Operations that have another one do the part that leaves the line.
const PARTS: &[(&str, &str)] = &[
    ("user.send_recovery", "user.make_recovery"),
    ("invitation.create", "invitation.make"),
    ("invitation.resend", "invitation.renew"),
    ("magic_link.send", "magic_link.write"),
    ("sign_up.request", "sign_up.write"),
];

/// The operation whose line tells of an operation.
fn recorded_as(id: &str) -> &str {
    PARTS.iter().find(|(whole, _)| *whole == id).map_or(id, |(_, part)| part)
}

/// Whether an operation leaves a line.
pub(crate) fn is_recorded(case: &Case) -> bool {
    case.http.method != Method::Get && !SILENT.iter().any(|(silent, _)| *silent == case.id)
}

pub(crate) async fn lines(twins: &Twins, action: &str) -> usize {
    let action = json!({ "action": recorded_as(action) });
    let found = site::done::<ListAudit>(twins.rest.doors.app(), Role::Admin, action).await;
    found["items"].as_array().unwrap().len()
}

#[tokio::test]
async fn every_operation_that_writes_leaves_a_line_in_the_audit_log_unless_it_says_why_not() {
    let recorded = cases().into_iter().filter(is_recorded).filter(|case| !samples::is_elsewhere(case.id));
    let mut silent = Vec::new();
    for case in recorded {
        let twins = Twins::open().await;
        let before = lines(&twins, case.id).await;
        twins.call(&case, Caller::admin(&case), &twins.sample(&case).await).await;
        if lines(&twins, case.id).await == before {
            silent.push(case.id);
        }
        twins.close().await;
    }
    assert_eq!(silent, [""; 0]);
}

#[tokio::test]
async fn signing_in_and_out_leaves_a_line_each() {
    let twins = Twins::open().await;
    let sign_out = every().into_iter().find(|case| case.id == "session.sign_out").unwrap();
    assert!(lines(&twins, "test.sign_in").await > 0);
    twins.call(&sign_out, Caller::Session(Role::Admin), &twins.sample(&sign_out).await).await;
    assert_eq!(lines(&twins, "session.sign_out").await, 1);
    twins.close().await;
}

#[test]
fn what_is_said_to_be_silent_or_tested_elsewhere_exists() {
    let known = every();
    for (id, _) in SILENT.iter().chain(PARTS).chain(samples::ELSEWHERE) {
        assert!(known.iter().any(|case| case.id == *id), "{id} is no operation");
    }
}

#[test]
fn what_is_tested_elsewhere_has_its_line_in_the_audit_log_looked_for_there() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (id, file) in samples::ELSEWHERE {
        let tests = fs::read_to_string(crates.join(file)).unwrap_or_else(|error| panic!("{id} is not tested in {file}: {error}"));
        let is_silent = SILENT.iter().any(|(silent, _)| silent == id);
        let line = format!("\"{}\"", recorded_as(id));
        assert!(is_silent || tests.contains(&line), "nothing in {file} looks for the line of {id}");
    }
}

/// Operations that are silent, unless they do more than they do here.
const AT_TIMES: &[&str] = &["content.create", "content.update", "content.merge", "session.sign_out", "account.cancel_email_change"];

/// Operations that read, and leave a line all the same: what they hand over leaves the system.
const HANDED_OVER: &[&str] = &["content.download_export"];

/// Kinds of jobs whose steps leave lines of their own name.
const JOBS: &[&str] = &["content.bulk", "content.import_lines", "site.sample_content"];

/// Operations of the system and of doors that leave no line, and why.
const UNTOLD: &[(&str, &str)] = &[
    ("content.finish_import", "tells the database of many rows"),
    ("content.note_presence", "says who has an entry open, again and again"),
    ("content.note_schedule_failure", "notes why something due was not published; it is shown with the entry"),
    ("hooks.follow", "remembers which changes hooks were told of"),
    ("media.expect_file", "notes that a file is about to arrive; what takes it leaves the line"),
    ("media.find_file", "finds what is served"),
    ("media.forget_loose_file", "removes what nobody has"),
    ("media.list_loose_files", "looks for what nobody has"),
    ("media.prune_awaited", "removes what has expired"),
    ("media_usage.follow", "writes down which files entries use"),
    ("media_usage.resume", "has entries looked through for the files that they use"),
    ("oauth.begin", "looks at a request; the decision leaves the line"),
    ("provider.finish", "comes back from a provider; what it lets in leaves the line"),
    ("provider.take", "takes what a browser was sent away with"),
    ("provider_record.get", "reads what a provider keeps for a while"),
    ("provider_record.put", "keeps what a provider needs for a while"),
    ("provider_record.take", "takes what a provider kept for a while"),
    ("schema.build_index", "follows from a change of the model, which leaves the line"),
    ("schema.clean_documents", "follows from a change of the model, which leaves the line"),
    ("schema.drop_index", "follows from a change of the model, which leaves the line"),
    ("schema.note_index_failure", "notes what is shown with the field"),
    ("schema.resume_changes", "goes on with a change of the model, which left the line"),
    ("setup.offer", "makes the token of the setup, which the server prints"),
    ("system.begin_pruning", "removes what has expired"),
    ("system.forget_node", "forgets a server that has gone"),
    ("system.note_task", "says how a task goes"),
    ("system.prune", "removes what has expired"),
    ("system.prune_revisions", "removes what has expired"),
    ("system.record_use", "notes when credentials were used"),
    ("system.seal_audit", "seals the lines that are there"),
];

/// The deeds that the admin application has words for: its own, and what screens tell in the files of their routes.
fn worded() -> BTreeSet<String> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cms-admin/ui/src");
    let told = || -> io::Result<BTreeSet<String>> {
        let mut told = BTreeSet::new();
        let screens = fs::read_dir(sources.join("routes/_shell"))?.map(|screen| screen.map(|screen| screen.path()));
        for source in screens.chain([Ok(sources.join("audit/deeds.ts"))]) {
            told.extend(fs::read_to_string(source?)?.split("{ action: \"").skip(1).filter_map(deed));
        }
        Ok(told)
    };
    told().unwrap_or_else(|error| panic!("{}: {error}", sources.display()))
}

/// The name of a deed that has words, from behind where it begins.
fn deed(rest: &str) -> Option<String> {
    let (name, more) = rest.split_once('"')?;
    more.starts_with(", words:").then(|| name.to_owned())
}

#[test]
fn every_deed_of_the_audit_log_has_words_in_the_admin_application() {
    let catalog = cms_core::built_in();
    let is_quiet = |id: &str| !AT_TIMES.contains(&id) && SILENT.iter().chain(UNTOLD).any(|(quiet, _)| *quiet == id);
    let changes = |operation: &&Arc<Descriptor>| operation.http.surface == Surface::None || operation.http.method != Method::Get;
    let told = catalog.iter().filter(changes).map(|operation| operation.id).filter(|id| !is_quiet(id)).map(recorded_as);
    let told: BTreeSet<String> = told.chain(HANDED_OVER.iter().copied()).chain(JOBS.iter().copied()).map(str::to_owned).collect();
    let worded = worded();
    assert_eq!(told.difference(&worded).collect::<Vec<_>>(), [""; 0], "deeds without words");
    assert_eq!(worded.difference(&told).collect::<Vec<_>>(), [""; 0], "words without deeds");
    let gone = UNTOLD.iter().map(|(id, _)| id).chain(AT_TIMES).chain(HANDED_OVER).find(|id| catalog.get(id).is_none());
    assert_eq!(gone, None, "no operation of the catalog");
}
