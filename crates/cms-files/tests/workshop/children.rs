//! What becomes of children, and of those who wait for them.

use std::{
    ffi::OsString,
    fs,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use bytes::Bytes;
use cms_files::{Error, PictureError, Workshop};
use futures_util::{StreamExt, future::join_all, stream};

use super::{CHILD, HANGING, pieces, png, quarters, run, started, workshop};

pub(super) fn bytes_that_do_not_come_are_not_the_pictures_fault() {
    let bytes = png(&quarters());
    let size = bytes.len() as u64;
    let fewer = run(workshop("bytes").look(pieces(&bytes[..50]), size));
    assert!(matches!(fewer, Err(PictureError::Machine(_))), "{fewer:?}");
    let more = run(workshop("bytes").look(pieces(&bytes), size - 1));
    assert!(matches!(more, Err(PictureError::Machine(_))), "{more:?}");
    let fails = stream::iter([Ok(Bytes::copy_from_slice(&bytes[..50])), Err(Error::Unavailable("gone".to_owned()))]);
    let failed = run(workshop("bytes").look(fails, size));
    assert!(matches!(failed, Err(PictureError::Machine(ref why)) if why.contains("gone")), "{failed:?}");
}

/// The processes that were started with a name, as their ids.
fn children(name: &str) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let named = |id: &u32| {
        fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| line.split(|byte| *byte == 0).any(|part| part == name.as_bytes()))
    };
    processes.filter(named).collect()
}

/// Waits until something is so. Nothing depends on how long it takes, apart from a test that fails.
async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..3_000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what} has not happened");
}

/// Waits until these processes are gone: not even their exit status is waited for.
async fn until_gone(ids: &[u32]) {
    until("the end of the children", || ids.iter().all(|id| !fs::exists(format!("/proc/{id}")).unwrap())).await;
}

pub(super) fn a_child_that_hangs_is_killed() {
    let bytes = png(&quarters());
    let workshop = started(HANGING, "one that hangs", 1).within(Duration::from_millis(300));
    run(async {
        let looked = workshop.look(pieces(&bytes), bytes.len() as u64).await;
        assert!(matches!(looked, Err(PictureError::Died)), "{looked:?}");
        assert!(children("one that hangs").is_empty());
        // It takes nothing of a large picture either.
        let large = vec![0; 1024 * 1024];
        let looked = workshop.look(pieces(&large), large.len() as u64).await;
        assert!(matches!(looked, Err(PictureError::Died)), "{looked:?}");
        assert!(children("one that hangs").is_empty());
    });
}

pub(super) fn whoever_goes_away_takes_the_child_along() {
    run(async {
        let workshop = started(CHILD, "one that waits", 1);
        let waiting = tokio::spawn({
            let workshop = workshop.clone();
            async move { workshop.look(stream::pending().boxed(), 100).await }
        });
        until("the beginning of a child", || !children("one that waits").is_empty()).await;
        let ids = children("one that waits");
        waiting.abort();
        assert!(waiting.await.unwrap_err().is_cancelled());
        until_gone(&ids).await;
        let bytes = png(&quarters());
        assert!(workshop.look(pieces(&bytes), bytes.len() as u64).await.is_ok(), "its place is free again");
    });
}

pub(super) fn a_child_takes_limits_upon_itself() {
    run(async {
        let workshop = started(CHILD, "one with limits", 1);
        let waiting = tokio::spawn(async move { workshop.look(stream::pending().boxed(), 100).await });
        let limits =
            || children("one with limits").first().and_then(|id| fs::read_to_string(format!("/proc/{id}/limits")).ok()).unwrap_or_default();
        let of = |name: &str| {
            let line = limits().lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
            line[name.len().min(line.len())..].split_whitespace().take(2).map(str::to_owned).collect::<Vec<_>>()
        };
        until("limits on core dumps", || of("Max core file size") == ["0", "0"]).await;
        for (name, most) in [("Max address space", "3221225472"), ("Max cpu time", "25"), ("Max open files", "0"), ("Max file size", "0")] {
            assert_eq!(of(name), [most, most], "{name}");
        }
        waiting.abort();
    });
}

pub(super) fn twenty_at_once_leave_no_child_behind() {
    let bytes = png(&quarters());
    let workshop = started(CHILD, "one of twenty", 2);
    run(async {
        let most = AtomicUsize::new(0);
        let counted = async {
            loop {
                most.fetch_max(children("one of twenty").len(), Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let looked = join_all((0..20).map(|_| workshop.look(pieces(&bytes), bytes.len() as u64)));
        let looked = tokio::select! {
            looked = looked => looked,
            () = counted => unreachable!(),
        };
        assert!(looked.iter().all(|looked| looked.as_ref().is_ok_and(|looked| looked.width == 96)), "{looked:?}");
        assert!(most.into_inner() <= 2);
        assert!(children("one of twenty").is_empty());
    });
}

pub(super) fn a_program_that_is_no_workshop_is_found_out() {
    let bytes = png(&quarters());
    for (program, arguments) in
        [("/nowhere/at/all", vec![]), ("/bin/cat", vec![]), ("/bin/true", vec![]), ("/bin/echo", vec![OsString::from("hello")])]
    {
        let looked = run(Workshop::new(program.into(), arguments, 1).look(pieces(&bytes), bytes.len() as u64));
        assert!(matches!(looked, Err(PictureError::Machine(_))), "{program}: {looked:?}");
    }
}
