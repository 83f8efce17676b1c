//! Faults that nobody may notice, each alone, and all that can go wrong at once, for seconds. `cargo xtask torture` takes its time, and each other fault
//! alone with `--faults`.

use std::time::Duration;

use cms_tests::{
    Site,
    torture::{Fault, Plan, torture},
};
use tokio::sync::Mutex;

/// How long a site works with one fault: long enough for it to befall it, and for a while afterwards.
const ONE: Duration = Duration::from_secs(6);
/// How long it works with all of them: each has its turn once.
const ALL: Duration = Duration::from_secs(35);
/// How many creates and updates a site stores at least, whatever fails: servers that refuse everything break no promise.
const STORED: u64 = 20;
/// From what the plans are made: what fails is repeated by it.
const SEED: u64 = 9;

/// Runs a site through its faults. One at a time: how soon servers know something is a part of what is claimed.
async fn endure(site: Option<Site>, hosts: usize, lasts: Duration, faults: &[Fault]) {
    static ALONE: Mutex<()> = Mutex::const_new(());
    let Some(site) = site else { return };
    let _alone = ALONE.lock().await;
    let nodes = if site.is_on_postgres() { 2 } else { 1 }.max(hosts + 1);
    let plan = Plan::new(SEED, nodes, hosts, lasts, faults);
    assert!(faults.iter().all(|fault| plan.has(*fault)), "{plan}");
    let report = torture(site, plan).await;
    assert!(report.kept.is_none(), "{report}");
    assert!(report.tally.judged > 0, "nothing was compared: {report}");
    let answers = |sort| report.tally.requests.get(sort).into_iter().flat_map(|requests| &requests.answers);
    let stored: u64 =
        ["create", "update"].into_iter().flat_map(answers).filter(|(answer, _)| answer.starts_with('2')).map(|(_, n)| n).sum();
    assert!(stored >= STORED, "hardly anything was stored: {report}");
    if let [Fault::Elsewhere | Fault::Event] = faults {
        let refused = report.tally.requests.values().flat_map(|requests| requests.answers.keys()).find(|answer| answer.starts_with('5'));
        assert_eq!(refused, None, "what goes on elsewhere is in nobody's way: {report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_sqlite_is_told_what_it_does_not_know() {
    endure(Some(Site::sqlite()), 0, ONE, &[Fault::Event]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_on_postgres_are_told_what_they_do_not_know() {
    endure(Site::postgres().await, 0, ONE, &[Fault::Event]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_is_open_in_another_database() {
    endure(Site::postgres().await, 0, ONE, &[Fault::Elsewhere]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_goes_wrong_on_sqlite() {
    endure(Some(Site::sqlite()), 1, ALL, &Fault::of(false)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_goes_wrong_on_postgres() {
    endure(Site::postgres().await, 2, ALL, &Fault::of(true)).await;
}
