//! Files and folders that only their owner may look into.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

/// What SQLite puts beside a database: its log, and the index of that.
const BESIDE: [&str; 2] = ["-wal", "-shm"];

/// Makes a folder that others cannot look into.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes the file of a database, and the folder that it is in, where they are missing, and keeps others from looking into what is there: a
/// database holds the key of preview links and what people have not published. Answers with what others could look into until now. SQLite
/// gives the files beside a database the permissions of the database.
pub(crate) fn database(file: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        make_folder(folder)?;
    }
    if !file.exists() {
        let mut options = fs::OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(file)?;
    }
    let files = BESIDE.map(|ending| beside(file, ending)).into_iter().filter(|file| file.exists());
    let mut tightened = Vec::new();
    for path in files.chain([file.to_owned()]) {
        tighten(path, 0o600, &mut tightened)?;
    }
    // A folder that has other things in it is not ours to close.
    if let Some(folder) = folder.filter(|folder| holds_nothing_but(folder, file)) {
        tighten(folder.to_owned(), 0o700, &mut tightened)?;
    }
    Ok(tightened)
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(ending);
    name.into()
}

fn holds_nothing_but(folder: &Path, file: &Path) -> bool {
    let Ok(mut entries) = fs::read_dir(folder) else { return false };
    let ours: Vec<_> = BESIDE.map(|ending| beside(file, ending)).into_iter().chain([file.to_owned()]).collect();
    entries.all(|entry| entry.is_ok_and(|entry| ours.iter().any(|file| file.file_name() == Some(entry.file_name().as_os_str()))))
}

/// Takes from everybody but the owner what they may do with a file or folder. `mode` is what the owner keeps at most.
#[cfg(unix)]
fn tighten(path: PathBuf, mode: u32, tightened: &mut Vec<PathBuf>) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = fs::metadata(&path)?.permissions();
    if permissions.mode() & 0o077 != 0 {
        fs::set_permissions(&path, fs::Permissions::from_mode(permissions.mode() & mode))?;
        tightened.push(path);
    }
    Ok(())
}

/// Elsewhere permissions come from the folder that everything is in.
#[cfg(not(unix))]
fn tighten(_: PathBuf, _: u32, _: &mut Vec<PathBuf>) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn open_to_all(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_new_database_is_its_owners_alone() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("a/data/cms.db");
        assert_eq!(database(&file).unwrap(), [""; 0].map(PathBuf::from));
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    }

    #[test]
    fn a_database_that_others_could_read_is_its_owners_alone_from_now_on() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("data");
        fs::create_dir(&folder).unwrap();
        let files = ["cms.db-wal", "cms.db-shm", "cms.db"].map(|name| folder.join(name));
        for file in &files {
            fs::write(file, "").unwrap();
            open_to_all(file, 0o644);
        }
        open_to_all(&folder, 0o755);
        let tightened = database(&files[2]).unwrap();
        assert_eq!(tightened, [&files[..], std::slice::from_ref(&folder)].concat());
        assert!(files.iter().all(|file| mode(file) == 0o600) && mode(&folder) == 0o700);
        assert!(database(&files[2]).unwrap().is_empty(), "it is told once");
    }

    #[test]
    fn a_folder_that_others_use_too_stays_open() {
        let home = tempfile::tempdir().unwrap();
        let (folder, file) = (home.path().join("shared"), home.path().join("shared/cms.db"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("page.html"), "").unwrap();
        open_to_all(&folder, 0o755);
        assert!(database(&file).unwrap().is_empty());
        assert_eq!((mode(&file), mode(&folder)), (0o600, 0o755));
    }
}
