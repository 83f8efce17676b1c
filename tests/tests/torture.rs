//! Each fault alone, and all of them at once, for seconds. `cargo xtask torture` takes its time.

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
    if faults.iter().all(|fault| matches!(fault, Fault::Elsewhere | Fault::Event)) {
        let refused = report.tally.requests.values().flat_map(|requests| requests.answers.keys()).find(|answer| answer.starts_with('5'));
        assert_eq!(refused, None, "what goes on elsewhere is in nobody's way: {report}");
    }
}

macro_rules! endured {
    ($($test:ident: $site:expr, $fault:ident;)+) => {$(
        #[tokio::test(flavor = "multi_thread")]
        async fn $test() {
            endure($site, 0, ONE, &[Fault::$fault]).await;
        }
    )+};
}

endured! {
    a_server_on_sqlite_is_killed: Some(Site::sqlite()), Kill;
    a_server_on_sqlite_is_stopped: Some(Site::sqlite()), Stop;
    all_of_sqlite_is_held_by_another_process: Some(Site::sqlite()), Writer;
    a_server_on_sqlite_is_told_what_it_does_not_know: Some(Site::sqlite()), Event;
    the_clock_of_a_server_on_sqlite_jumps: Some(Site::sqlite()), Clock;
    the_disk_of_sqlite_is_full: Some(Site::sqlite()), Disk;
    a_server_on_postgres_is_killed: Site::postgres().await, Kill;
    a_server_on_postgres_is_stopped: Site::postgres().await, Stop;
    rows_are_held_on_postgres: Site::postgres().await, Row;
    a_table_is_held_on_postgres: Site::postgres().await, Table;
    a_transaction_is_open_in_another_database: Site::postgres().await, Elsewhere;
    servers_on_postgres_are_told_what_they_do_not_know: Site::postgres().await, Event;
    connections_to_postgres_are_cut: Site::postgres().await, Cut;
    the_clock_of_a_server_on_postgres_jumps: Site::postgres().await, Clock;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_goes_wrong_on_sqlite() {
    endure(Some(Site::sqlite()), 1, ALL, &Fault::of(false)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_goes_wrong_on_postgres() {
    endure(Site::postgres().await, 2, ALL, &Fault::of(true)).await;
}
