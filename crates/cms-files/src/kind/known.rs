//! The kinds that are known: their names, the extensions of their files, and how they are treated.

/// How files of a kind are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Browsers show it in place.
    Inline,
    /// Browsers save it.
    Saved,
    /// Nobody takes it.
    Never,
}

/// Kinds that the first bytes do not tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Its bytes are like no others.
    Alone,
    /// Text, of whatever format.
    Text,
    /// Archives, and documents that are archives.
    Zip,
    /// Documents of older office programs.
    Ole,
    /// Sound and films in the container of MP4.
    Mp4,
    /// Sound and films in Matroska.
    Matroska,
    /// Sound and films in Ogg.
    Ogg,
}

/// A kind.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) media_type: &'static str,
    /// The first is the one that files get.
    pub(super) extensions: &'static [&'static str],
    /// Other names that clients use.
    pub(super) also: &'static [&'static str],
    pub(super) class: Class,
    pub(super) family: Family,
    /// Whether the beginning of such a file may be nothing but text.
    pub(super) begins_as_text: bool,
}

const fn known(
    media_type: &'static str,
    extensions: &'static [&'static str],
    also: &'static [&'static str],
    class: Class,
    family: Family,
) -> Known {
    Known { media_type, extensions, also, class, family, begins_as_text: false }
}

const fn text(
    media_type: &'static str,
    extensions: &'static [&'static str],
    also: &'static [&'static str],
    class: Class,
    family: Family,
) -> Known {
    Known { media_type, extensions, also, class, family, begins_as_text: true }
}

use Class::{Inline, Never, Saved};
use Family::{Alone, Matroska, Mp4, Ogg, Ole, Text, Zip};

/// All of them.
pub(super) const KNOWN: &[Known] = &[
    // Pictures.
    known("image/jpeg", &["jpg", "jpeg", "jpe", "jfif"], &["image/jpg", "image/pjpeg"], Inline, Alone),
    known("image/png", &["png", "apng"], &["image/x-png", "image/apng"], Inline, Alone),
    known("image/gif", &["gif"], &[], Inline, Alone),
    known("image/webp", &["webp"], &[], Inline, Alone),
    known("image/avif", &["avif"], &[], Inline, Alone),
    known("image/x-icon", &["ico"], &["image/vnd.microsoft.icon", "image/ico"], Inline, Alone),
    known("image/heic", &["heic", "heif"], &["image/heif"], Saved, Alone),
    known("image/jxl", &["jxl"], &[], Saved, Alone),
    known("image/jp2", &["jp2"], &[], Saved, Alone),
    known("image/tiff", &["tif", "tiff"], &[], Saved, Alone),
    known("image/bmp", &["bmp"], &["image/x-bmp", "image/x-ms-bmp"], Saved, Alone),
    known("image/vnd.adobe.photoshop", &["psd"], &["application/x-photoshop", "image/x-photoshop"], Saved, Alone),
    // It can act: it is saved, and cleaned before.
    text("image/svg+xml", &["svg"], &[], Saved, Alone),
    // Films.
    known("video/mp4", &["mp4", "m4v"], &["video/x-m4v"], Inline, Mp4),
    known("video/quicktime", &["mov", "qt"], &[], Saved, Mp4),
    known("video/3gpp", &["3gp"], &[], Saved, Mp4),
    known("video/webm", &["webm"], &[], Inline, Matroska),
    known("video/x-matroska", &["mkv"], &["video/matroska"], Saved, Matroska),
    known("video/ogg", &["ogv"], &[], Saved, Ogg),
    known("video/x-msvideo", &["avi"], &["video/avi", "video/msvideo"], Saved, Alone),
    known("video/x-ms-wmv", &["wmv"], &[], Saved, Alone),
    known("video/mpeg", &["mpg", "mpeg"], &[], Saved, Alone),
    known("video/x-flv", &["flv"], &[], Saved, Alone),
    // Sound.
    known("audio/mpeg", &["mp3"], &["audio/mp3", "audio/x-mp3", "audio/mpeg3", "audio/x-mpeg-3"], Inline, Alone),
    known("audio/wav", &["wav"], &["audio/x-wav", "audio/wave", "audio/vnd.wave"], Inline, Alone),
    known("audio/ogg", &["ogg", "oga", "opus"], &["application/ogg", "audio/opus"], Inline, Ogg),
    known("audio/mp4", &["m4a"], &["audio/m4a", "audio/x-m4a"], Saved, Mp4),
    known("audio/webm", &["weba"], &[], Saved, Matroska),
    known("audio/flac", &["flac"], &["audio/x-flac"], Saved, Alone),
    known("audio/aac", &["aac"], &["audio/x-aac", "audio/aacp"], Saved, Alone),
    known("audio/midi", &["mid", "midi"], &["audio/x-midi"], Saved, Alone),
    known("audio/aiff", &["aiff", "aif"], &["audio/x-aiff"], Saved, Alone),
    known("audio/amr", &["amr"], &[], Saved, Alone),
    // Fonts.
    known("font/woff", &["woff"], &["application/font-woff"], Saved, Alone),
    known("font/woff2", &["woff2"], &[], Saved, Alone),
    known("font/ttf", &["ttf"], &["application/font-sfnt", "application/x-font-ttf"], Saved, Alone),
    known("font/otf", &["otf"], &["application/x-font-otf"], Saved, Alone),
    // Documents.
    text("application/pdf", &["pdf"], &["application/x-pdf"], Saved, Alone),
    text("application/rtf", &["rtf"], &["text/rtf"], Saved, Alone),
    text("application/postscript", &["ps", "eps", "ai"], &[], Saved, Alone),
    known("application/zip", &["zip"], &["application/x-zip-compressed", "application/x-zip"], Saved, Zip),
    known("application/vnd.openxmlformats-officedocument.wordprocessingml.document", &["docx"], &[], Saved, Zip),
    known("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", &["xlsx"], &[], Saved, Zip),
    known("application/vnd.openxmlformats-officedocument.presentationml.presentation", &["pptx"], &[], Saved, Zip),
    known("application/vnd.oasis.opendocument.text", &["odt"], &[], Saved, Zip),
    known("application/vnd.oasis.opendocument.spreadsheet", &["ods"], &[], Saved, Zip),
    known("application/vnd.oasis.opendocument.presentation", &["odp"], &[], Saved, Zip),
    known("application/epub+zip", &["epub"], &[], Saved, Zip),
    known("application/msword", &["doc"], &[], Saved, Ole),
    known("application/vnd.ms-excel", &["xls"], &[], Saved, Ole),
    known("application/vnd.ms-powerpoint", &["ppt"], &[], Saved, Ole),
    // Archives.
    known("application/x-tar", &["tar"], &[], Saved, Alone),
    known("application/gzip", &["gz", "tgz"], &["application/x-gzip"], Saved, Alone),
    known("application/x-bzip2", &["bz2"], &[], Saved, Alone),
    known("application/x-7z-compressed", &["7z"], &[], Saved, Alone),
    known("application/x-xz", &["xz"], &[], Saved, Alone),
    known("application/vnd.rar", &["rar"], &["application/x-rar-compressed", "application/x-rar"], Saved, Alone),
    known("application/zstd", &["zst"], &[], Saved, Alone),
    known("application/vnd.sqlite3", &["sqlite", "db"], &["application/x-sqlite3"], Saved, Alone),
    // Text.
    text("text/plain", &["txt", "text", "log"], &[], Saved, Text),
    text("text/csv", &["csv"], &["application/csv"], Saved, Text),
    text("text/tab-separated-values", &["tsv"], &[], Saved, Text),
    text("text/markdown", &["md", "markdown"], &["text/x-markdown"], Saved, Text),
    text("text/vtt", &["vtt"], &[], Saved, Text),
    text("application/x-subrip", &["srt"], &["text/srt"], Saved, Text),
    text("text/calendar", &["ics"], &[], Saved, Text),
    text("text/vcard", &["vcf"], &["text/x-vcard"], Saved, Text),
    text("application/json", &["json", "geojson"], &["text/json"], Saved, Text),
    text("application/yaml", &["yaml", "yml"], &["text/yaml", "application/x-yaml"], Saved, Text),
    // With the right namespaces it acts as well: it is saved, and never shown.
    text("application/xml", &["xml"], &["text/xml"], Saved, Alone),
    // What acts.
    text("text/html", &["html", "htm", "shtml"], &[], Never, Alone),
    text("application/xhtml+xml", &["xhtml", "xht"], &[], Never, Alone),
    text(
        "text/javascript",
        &["js", "mjs", "cjs"],
        &["application/javascript", "application/x-javascript", "application/ecmascript", "text/ecmascript", "text/jscript"],
        Never,
        Text,
    ),
    text("text/css", &["css"], &[], Never, Text),
    text("application/x-sh", &["sh"], &["text/x-shellscript", "application/x-shellscript", "text/x-sh", "application/x-csh"], Never, Text),
    text("application/x-httpd-php", &["php", "phtml"], &["text/x-php", "application/php", "application/x-php"], Never, Alone),
    text("application/x-bat", &["bat", "cmd"], &["application/x-msdos-batch"], Never, Text),
    text("application/hta", &["hta"], &[], Never, Text),
    known("application/x-executable", &["elf"], &["application/x-elf", "application/x-sharedlib"], Never, Alone),
    known(
        "application/vnd.microsoft.portable-executable",
        &["exe", "dll"],
        &["application/x-msdownload", "application/x-dosexec", "application/x-msdos-program"],
        Never,
        Alone,
    ),
    known("application/x-msi", &["msi"], &[], Never, Alone),
    known("application/x-mach-binary", &["macho"], &[], Never, Alone),
    known("application/java", &["class"], &["application/java-vm", "application/x-java"], Never, Alone),
    known("application/java-archive", &["jar"], &["application/x-java-archive"], Never, Alone),
    known("application/vnd.android.package-archive", &["apk"], &[], Never, Alone),
    known("application/vnd.android.dex", &["dex"], &[], Never, Alone),
    known("application/wasm", &["wasm"], &[], Never, Alone),
    known("application/x-llvm", &["bc"], &[], Never, Alone),
    known("application/x-shockwave-flash", &["swf"], &[], Never, Alone),
    known("application/x-google-chrome-extension", &["crx"], &["application/x-chrome-extension"], Never, Alone),
    known("application/vnd.debian.binary-package", &["deb"], &["application/x-debian-package"], Never, Alone),
    known("application/x-rpm", &["rpm"], &[], Never, Alone),
];

/// What `infer` calls otherwise, and what it tells apart by the extension.
const INFERRED: &[(&str, &str, &str)] = &[
    ("image/heif", "heif", "image/heic"),
    ("application/font-woff", "woff2", "font/woff2"),
    ("application/font-sfnt", "otf", "font/otf"),
    ("application/x-ole-storage", "msi", "application/x-msi"),
    ("application/vnd.android.dey", "dey", "application/vnd.android.dex"),
];

/// Guesses of `infer` from two bytes, which are as often something else.
const GUESSED: &[&str] = &["obj", "der", "pem", "nes"];

/// What `infer` found.
pub(super) fn inferred(media_type: &str, extension: &str) -> Option<&'static Known> {
    if GUESSED.contains(&extension) {
        return None;
    }
    let renamed = INFERRED.iter().find(|(theirs, of, _)| *theirs == media_type && *of == extension).map(|(.., ours)| *ours);
    by_name(renamed.unwrap_or(media_type))
}

/// The kind of this name, in lower case and without parameters.
pub(super) fn by_name(media_type: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.media_type == media_type || known.also.contains(&media_type))
}
