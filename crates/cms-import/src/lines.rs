//! Lines of a file, each with where it is and with the digest of everything up to its end.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Seek, SeekFrom},
    path::Path,
};

use sha2::{Digest, Sha256};

use crate::line::LONGEST;

/// One line.
pub(crate) struct RawLine {
    /// Which line, from 1.
    pub(crate) number: u64,
    /// Where it begins.
    pub(crate) begin: u64,
    /// Where the next one begins.
    pub(crate) end: u64,
    /// Its bytes without the line end; nothing when it is too long.
    pub(crate) bytes: Option<Vec<u8>>,
    /// The digest of the file up to its end.
    pub(crate) upto: Sha256,
}

/// Reads a file line by line. Memory is bounded by the longest line.
pub(crate) struct Lines {
    file: BufReader<File>,
    number: u64,
    offset: u64,
    hash: Sha256,
}

impl Lines {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { file: BufReader::with_capacity(1 << 16, File::open(path)?), number: 0, offset: 0, hash: Sha256::new() })
    }

    /// The next line.
    pub(crate) fn next(&mut self) -> io::Result<Option<RawLine>> {
        let (begin, mut bytes, mut too_long) = (self.offset, Vec::new(), false);
        loop {
            let buffer = self.file.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let line_end = buffer.iter().position(|byte| *byte == b'\n');
            let taken = line_end.map_or(buffer.len(), |position| position + 1);
            let part = &buffer[..taken];
            self.hash.update(part);
            if bytes.len() + part.len() > LONGEST {
                (too_long, bytes) = (true, Vec::new());
            } else if !too_long {
                bytes.extend_from_slice(part);
            }
            self.file.consume(taken);
            self.offset += taken as u64;
            if line_end.is_some() {
                break;
            }
        }
        if self.offset == begin {
            return Ok(None);
        }
        self.number += 1;
        let bytes = (!too_long).then_some(bytes);
        Ok(Some(RawLine { number: self.number, begin, end: self.offset, bytes, upto: self.hash.clone() }))
    }

    /// Reads on up to an offset where a line ended once, and answers with the digest so far.
    pub(crate) fn skip(&mut self, lines: u64, offset: u64) -> io::Result<String> {
        let mut rest = offset;
        while rest > 0 {
            let buffer = self.file.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let taken = usize::try_from(rest).unwrap_or(usize::MAX).min(buffer.len());
            self.hash.update(&buffer[..taken]);
            self.file.consume(taken);
            rest -= taken as u64;
        }
        (self.number, self.offset) = (lines, offset);
        Ok(hexadecimal(self.hash.clone()))
    }

    /// The digest of what was read so far.
    pub(crate) fn upto(&self) -> Sha256 {
        self.hash.clone()
    }

    /// One line of which only the place is known.
    pub(crate) fn at(&mut self, number: u64, begin: u64) -> io::Result<Option<RawLine>> {
        self.file.seek(SeekFrom::Start(begin))?;
        (self.number, self.offset) = (number - 1, begin);
        self.next()
    }
}

/// A digest in hexadecimal digits.
pub(crate) fn hexadecimal(hash: Sha256) -> String {
    format!("{:x}", hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn the_last_line_needs_no_line_end() {
        let file = file(b"a\n\nb");
        let mut lines = Lines::open(file.path()).unwrap();
        let mut seen = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            seen.push((line.number, line.begin, line.end, line.bytes.unwrap()));
        }
        assert_eq!(seen, [(1, 0, 2, b"a\n".to_vec()), (2, 2, 3, b"\n".to_vec()), (3, 3, 4, b"b".to_vec())]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_without_being_kept() {
        let file = file(&[&vec![b'x'; LONGEST][..], b"\nb\n"].concat());
        let mut lines = Lines::open(file.path()).unwrap();
        assert!(lines.next().unwrap().unwrap().bytes.is_none());
        assert_eq!(lines.next().unwrap().unwrap().bytes.as_deref(), Some(&b"b\n"[..]));
    }

    #[test]
    fn what_is_skipped_has_the_digest_of_what_was_read() {
        let file = file(b"a\nb\nc\n");
        let (mut first, mut second) = (Lines::open(file.path()).unwrap(), Lines::open(file.path()).unwrap());
        first.next().unwrap();
        let line = first.next().unwrap().unwrap();
        assert_eq!(second.skip(line.number, line.end).unwrap(), hexadecimal(line.upto));
        assert_eq!(second.next().unwrap().unwrap().bytes.as_deref(), Some(&b"c\n"[..]));
    }
}
