//! What holds of every store, whoever keeps its objects: a folder, and two servers of S3 that others wrote.

#![expect(clippy::unwrap_used, reason = "a test fails where a step of it fails")]

use std::{collections::BTreeSet, fs, path::Path, time::Duration};

use bytes::Bytes;
use cms_files::{Error, Key, Store};
use futures_util::future::join_all;

/// More than one part of an upload to a bucket.
const LARGE: usize = 9 * 1024 * 1024;

fn key(text: &str) -> Key {
    Key::parse(text).unwrap()
}

async fn put(store: &Store, name: &str, bytes: &[u8]) {
    let mut arriving = store.begin(&key(name)).await.unwrap();
    for piece in bytes.chunks(1_000_000) {
        arriving.write(Bytes::copy_from_slice(piece)).await.unwrap();
    }
    arriving.finish().await.unwrap();
}

async fn get(store: &Store, name: &str) -> Option<Vec<u8>> {
    match store.read(&key(name), None).await.unwrap() {
        Some(object) => Some(object.collect().await.unwrap()),
        None => None,
    }
}

async fn names(store: &Store, prefix: &str, after: Option<&str>, limit: usize) -> Vec<String> {
    let listed = store.list(prefix, after.map(key).as_ref(), limit).await.unwrap();
    listed.into_iter().map(|listed| listed.key.as_str().to_owned()).collect()
}

/// Bytes of which no two parts are the same.
fn bytes_of(length: usize) -> Vec<u8> {
    (0_u64..).flat_map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes()).take(length).collect()
}

async fn what_is_written_is_read(store: &Store) {
    for length in [0, 1, 70_000, LARGE] {
        let bytes = bytes_of(length);
        put(store, "written/object.bin", &bytes).await;
        assert_eq!(store.size(&key("written/object.bin")).await.unwrap(), Some(length as u64));
        assert!(get(store, "written/object.bin").await.unwrap() == bytes, "{length}");
    }
}

async fn ranges_are_read_without_the_rest(store: &Store) {
    let bytes = bytes_of(200_000);
    put(store, "ranges", &bytes).await;
    for range in [
        0..1,
        0..200_000,
        65_530..65_600,
        199_999..200_000,
        5..5,
        199_990..300_000,
        200_000..200_001,
        300_000..400_000,
        0..u64::from(u32::MAX),
    ] {
        let object = store.read(&key("ranges"), Some(range.clone())).await.unwrap().unwrap();
        assert_eq!(object.size, 200_000, "{range:?}");
        let (start, end) = (usize::try_from(range.start).unwrap().min(200_000), usize::try_from(range.end).unwrap().min(200_000));
        assert!(object.collect().await.unwrap() == bytes[start..end.max(start)], "{range:?}");
    }
}

async fn what_is_not_there_is_none(store: &Store) {
    assert!(store.read(&key("nothing"), None).await.unwrap().is_none());
    assert!(store.read(&key("nothing/below"), Some(0..1)).await.unwrap().is_none());
    assert_eq!(store.size(&key("nothing")).await.unwrap(), None);
}

/// `s3s-fs` keeps objects as files, and stumbles over folders.
async fn what_others_lie_below_is_no_object(store: &Store) {
    put(store, "folder/object", b"x").await;
    assert!(store.read(&key("folder"), None).await.unwrap().is_none(), "what others lie below is no object");
    assert_eq!(store.size(&key("folder")).await.unwrap(), None);
    store.remove(&key("folder")).await.unwrap();
    assert_eq!(get(store, "folder/object").await.unwrap(), b"x");
    assert!(store.read(&key("folder/object/below"), None).await.unwrap().is_none());
    assert_eq!(store.size(&key("folder/object/below")).await.unwrap(), None);
    store.remove(&key("folder/object/below")).await.unwrap();
}

async fn nothing_is_seen_before_it_is_finished(store: &Store) {
    for length in [10, LARGE] {
        let mut arriving = store.begin(&key("seen/late")).await.unwrap();
        arriving.write(Bytes::from(bytes_of(length))).await.unwrap();
        assert!(get(store, "seen/late").await.is_none());
        assert!(names(store, "", None, 10).await.is_empty());
        arriving.finish().await.unwrap();
        assert_eq!(get(store, "seen/late").await.unwrap().len(), length);

        let mut arriving = store.begin(&key("seen/late")).await.unwrap();
        arriving.write(Bytes::from_static(b"another one")).await.unwrap();
        assert_eq!(get(store, "seen/late").await.unwrap().len(), length, "the old one is there until then");
        arriving.finish().await.unwrap();
        assert_eq!(get(store, "seen/late").await.unwrap(), b"another one");
        store.remove(&key("seen/late")).await.unwrap();
    }
}

async fn an_abandoned_write_leaves_nothing(store: &Store) {
    for length in [0, 10, LARGE] {
        let mut arriving = store.begin(&key("abandoned")).await.unwrap();
        arriving.write(Bytes::from(bytes_of(length))).await.unwrap();
        arriving.abandon().await;
        assert!(get(store, "abandoned").await.is_none());
        assert!(names(store, "", None, 10).await.is_empty());
    }
    assert_eq!(store.sweep(Duration::ZERO).await.unwrap(), 0, "nothing is left to be swept up");
}

async fn what_is_removed_is_gone_however_often(store: &Store) {
    put(store, "a/b/c", b"1").await;
    put(store, "a/d", b"2").await;
    for _ in 0..2 {
        store.remove(&key("a/b/c")).await.unwrap();
        assert!(get(store, "a/b/c").await.is_none());
    }
    assert_eq!(names(store, "", None, 10).await, ["a/d"]);
}

/// The same of `s3s-fs`.
async fn an_object_may_be_where_others_lay_below(store: &Store) {
    put(store, "a/b/c", b"1").await;
    store.remove(&key("a/b/c")).await.unwrap();
    put(store, "a/b", b"2").await;
    assert_eq!(names(store, "", None, 10).await, ["a/b"]);
}

async fn lists_are_in_the_order_of_keys(store: &Store) {
    let all = [
        "a",
        "a-b/x",
        "a.b",
        "b/1",
        "b/10",
        "b/2/deep/er",
        "b/2/deep/est",
        "b/2.txt",
        "b-",
        "b.",
        "c/c",
        "d",
        "~".replace('~', "z").as_str(),
    ]
    .map(str::to_owned);
    for name in &all {
        put(store, name, name.as_bytes()).await;
    }
    let mut sorted = all.to_vec();
    sorted.sort();
    assert_eq!(names(store, "", None, 100).await, sorted);
    for prefix in [
        "",
        "a",
        "a-",
        "a/",
        "b",
        "b/",
        "b/1",
        "b/2",
        "b/2/",
        "b/2/deep/e",
        "b/2/deep/est",
        "none",
        "none/",
        "b/1/",
        "d/",
        "..",
        "../",
        "/",
        "b//",
    ] {
        let expected: Vec<_> = sorted.iter().filter(|name| name.starts_with(prefix)).cloned().collect();
        assert_eq!(names(store, prefix, None, 100).await, expected, "{prefix}");
        for after in &sorted {
            let expected: Vec<_> = sorted.iter().filter(|name| name.starts_with(prefix) && *name > after).take(3).cloned().collect();
            assert_eq!(names(store, prefix, Some(after), 3).await, expected, "{prefix} after {after}");
        }
    }
    assert_eq!(
        names(store, "", Some("b/2/deep/none-of-them"), 2).await,
        sorted.iter().filter(|name| name.as_str() > "b/2/deep/none-of-them").take(2).cloned().collect::<Vec<_>>()
    );
    let listed = store.list("b/2.txt", None, 1).await.unwrap();
    assert_eq!(listed[0].size, 7);
    assert!(listed[0].modified > std::time::UNIX_EPOCH);
    assert!(names(store, "", None, 0).await.is_empty());
}

async fn of_many_writers_one_is_whole(store: &Store) {
    let writers = (0..20_u8).map(|writer| async move {
        let mut arriving = store.begin(&key("many/writers")).await.unwrap();
        for _ in 0..10 {
            arriving.write(Bytes::from(vec![writer; 20_000])).await.unwrap();
            tokio::task::yield_now().await;
        }
        arriving.finish().await.unwrap();
    });
    join_all(writers).await;
    let bytes = get(store, "many/writers").await.unwrap();
    assert_eq!(bytes.len(), 200_000);
    assert_eq!(bytes.iter().collect::<BTreeSet<_>>().len(), 1);
    assert_eq!(names(store, "", None, 10).await, ["many/writers"]);
}

async fn folders_that_empty_stop_nobody(store: &Store) {
    let work = (0..20_usize).map(|number| async move {
        let name = format!("emptied/below/{number}");
        for _ in 0..5 {
            put(store, &name, b"here").await;
            assert_eq!(get(store, &name).await.unwrap(), b"here");
            store.remove(&key(&name)).await.unwrap();
        }
    });
    join_all(work).await;
    assert!(names(store, "", None, 10).await.is_empty());
}

async fn a_store_says_that_it_is_well(store: &Store) {
    store.is_well().await.unwrap();
    assert!(names(store, "", None, 10).await.is_empty(), "nothing is left of it");
    assert!(store.buffers() > 0);
}

/// Says all of the above of a store, each time of another one.
macro_rules! suite {
    ($open:expr; $($claim:ident),* $(,)?) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $claim() {
                let opened = $open;
                crate::$claim(&opened.store).await;
            }
        )*
    };
}

/// Says `$of` of all claims.
macro_rules! all {
    ($of:ident $($arguments:tt)*) => {
        $of! {
            $($arguments)*
            what_is_written_is_read,
            ranges_are_read_without_the_rest,
            what_is_not_there_is_none,
            nothing_is_seen_before_it_is_finished,
            an_abandoned_write_leaves_nothing,
            what_is_removed_is_gone_however_often,
            lists_are_in_the_order_of_keys,
            of_many_writers_one_is_whole,
            folders_that_empty_stop_nobody,
            a_store_says_that_it_is_well,
        }
    };
}

/// A store, and what it is in.
struct Opened {
    store: Store,
    folder: tempfile::TempDir,
}

fn folder() -> Opened {
    let folder = tempfile::tempdir().unwrap();
    Opened { store: Store::folder(&folder.path().join("made/for/it")).unwrap(), folder }
}

impl Opened {
    fn path(&self, below: &str) -> std::path::PathBuf {
        self.folder.path().join("made/for/it").join(below)
    }
}

mod in_a_folder {
    all!(suite super::folder(););
    suite!(super::folder(); what_others_lie_below_is_no_object, an_object_may_be_where_others_lay_below);
}

// After the claims, which are macros.
#[cfg(feature = "s3")]
mod servers;

fn files_below(folder: &Path) -> usize {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| if entry.file_type().unwrap().is_dir() { files_below(&entry.path()) } else { 1 })
        .sum()
}

#[tokio::test]
async fn a_folder_signs_nothing() {
    let opened = folder();
    assert_eq!(opened.store.sign_put(&key("a"), "image/png", 1, Duration::from_mins(1)).await.unwrap(), None);
}

#[tokio::test]
async fn what_was_dropped_in_a_folder_is_swept_up() {
    let opened = folder();
    let mut arriving = opened.store.begin(&key("a")).await.unwrap();
    arriving.write(Bytes::from_static(b"half")).await.unwrap();
    drop(arriving);
    assert_eq!(files_below(&opened.path("")), 1);
    assert_eq!(opened.store.sweep(Duration::from_hours(1)).await.unwrap(), 0, "it may still be written");
    assert_eq!(opened.store.sweep(Duration::ZERO).await.unwrap(), 1);
    assert_eq!(files_below(&opened.path("")), 0);
    put(&opened.store, "a", b"whole").await;
    assert_eq!(opened.store.sweep(Duration::ZERO).await.unwrap(), 0);
    assert_eq!(get(&opened.store, "a").await.unwrap(), b"whole");
}

#[tokio::test]
async fn a_file_and_a_folder_of_one_name_are_refused() {
    let opened = folder();
    put(&opened.store, "a", b"object").await;
    put(&opened.store, "b/c", b"object").await;
    for name in ["a/below", "b"] {
        let mut arriving = opened.store.begin(&key(name)).await.unwrap();
        arriving.write(Bytes::from_static(b"x")).await.unwrap();
        let finished = arriving.finish().await;
        assert!(matches!(finished, Err(Error::Invalid(_))), "{name}: {finished:?}");
    }
    assert_eq!(names(&opened.store, "", None, 10).await, ["a", "b/c"]);
    assert_eq!(files_below(&opened.path("")), 2, "nothing is left of what was refused");
}

#[cfg(unix)]
#[tokio::test]
async fn no_symbolic_link_leads_out_of_a_folder() {
    use std::os::unix::fs::symlink;
    let opened = folder();
    let outside = opened.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), "secret").unwrap();
    put(&opened.store, "inside", b"x").await;
    symlink(&outside, opened.path("folder")).unwrap();
    symlink(outside.join("secret"), opened.path("file")).unwrap();
    for name in ["file", "folder/secret"] {
        assert!(!matches!(opened.store.read(&key(name), None).await, Ok(Some(_))), "{name}");
        assert!(!matches!(opened.store.size(&key(name)).await, Ok(Some(_))), "{name}");
        let _refused_or_nothing = opened.store.remove(&key(name)).await;
    }
    let mut arriving = opened.store.begin(&key("folder/new")).await.unwrap();
    arriving.write(Bytes::from_static(b"x")).await.unwrap();
    assert!(arriving.finish().await.is_err());
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(outside.join("secret")).unwrap(), "secret");
    assert_eq!(names(&opened.store, "", None, 10).await, ["inside"]);
    assert!(names(&opened.store, "folder/", None, 10).await.is_empty());
    // A link in the place of an object is replaced, and not followed.
    put(&opened.store, "file", b"an object").await;
    assert_eq!(get(&opened.store, "file").await.unwrap(), b"an object");
    assert_eq!(fs::read_to_string(outside.join("secret")).unwrap(), "secret");
}

#[tokio::test]
async fn a_folder_that_is_away_is_told_from_nonsense() {
    let opened = folder();
    let file = opened.folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(matches!(Store::folder(&file), Err(Error::Unavailable(why)) if why.contains("file")));
    fs::remove_dir_all(opened.path("")).unwrap();
    let well = opened.store.is_well().await;
    assert!(matches!(well, Err(Error::Unavailable(_))), "{well:?}");
}

#[tokio::test]
async fn other_files_in_a_folder_are_no_objects() {
    let opened = folder();
    put(&opened.store, "a", b"x").await;
    for name in [".hidden", "with space", "é"] {
        fs::write(opened.path(name), "").unwrap();
    }
    fs::create_dir(opened.path(".git")).unwrap();
    fs::write(opened.path(".git/config"), "").unwrap();
    assert_eq!(names(&opened.store, "", None, 10).await, ["a"]);
    assert!(names(&opened.store, ".git/", None, 10).await.is_empty());
}
