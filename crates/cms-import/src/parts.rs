//! Lines of a file that waits in the database in parts, each found by where it begins.

use cms_domain::id::FileId;
use cms_frame::{Code, Cx, Error, files::PART};

use crate::line::LONGEST;

/// One line of such a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its bytes with the line end; nothing when it is too long.
    pub(crate) bytes: Option<Vec<u8>>,
    /// Where the next one begins.
    pub(crate) end: u64,
}

/// The line that begins at an offset of a file of so many bytes; none at its end. Memory is bounded by the longest line.
pub(crate) async fn line(cx: &Cx<'_>, file: FileId, length: u64, begin: u64) -> Result<Option<Line>, Error> {
    if begin >= length {
        return Ok(None);
    }
    let (mut end, mut bytes, mut is_too_long) = (begin, Vec::new(), false);
    while end < length {
        let part = cx.read().files().part(file, end / PART as u64).await?.ok_or_else(gone)?;
        let within = usize::try_from(end % PART as u64).unwrap_or(usize::MAX);
        let rest = part.get(within..).filter(|rest| !rest.is_empty()).ok_or_else(gone)?;
        let line_end = rest.iter().position(|byte| *byte == b'\n');
        let piece = &rest[..line_end.map_or(rest.len(), |position| position + 1)];
        end += piece.len() as u64;
        if bytes.len() + piece.len() > LONGEST {
            (is_too_long, bytes) = (true, Vec::new());
        } else if !is_too_long {
            bytes.extend_from_slice(piece);
        }
        if line_end.is_some() {
            break;
        }
    }
    Ok(Some(Line { bytes: (!is_too_long).then_some(bytes), end }))
}

/// The failure of a job whose file is no more.
pub(crate) fn gone() -> Error {
    Error::with(Code::NotFound, "the file is not there any more, because it waited for too long: start again")
}
