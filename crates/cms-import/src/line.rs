//! One line of content: read as the input of the operation that imports it.

use cms_content::entries::import::ImportEntry;
use cms_domain::{id::EntryId, json, time::Timestamp};
use cms_frame::{Cms, Code, Error};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::{Import, OnConflict};

/// The longest line that is read: as long as the longest body of a request. Longer ones are skipped and reported.
pub(crate) const LONGEST: usize = 10 << 20;

/// What a byte order mark is in UTF-8. Some programs begin files with it.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads the line of a number, of which there are no bytes when it is too long. Nothing when it is blank. `began` is when the import did.
pub(crate) fn read(cms: &Cms, number: u64, bytes: Option<&[u8]>, options: &Import, began: Timestamp) -> Result<Option<ImportEntry>, Error> {
    let Some(bytes) = bytes else {
        return Err(Error::with(Code::PayloadTooLarge, "the line is too long"));
    };
    let bytes = if number == 1 { bytes.strip_prefix(MARK).unwrap_or(bytes) } else { bytes };
    if bytes.trim_ascii().is_empty() {
        return Ok(None);
    }
    let mut members = match json::parse(bytes) {
        Ok(Value::Object(members)) => members,
        Ok(_) => return Err(Error::with(Code::InvalidJson, "the line is not a JSON object")),
        Err(error) => return Err(Error::with(Code::InvalidJson, format!("the line is not valid JSON: {error}"))),
    };
    members.retain(|name, _| !options.ignore.contains(name));
    if let Some(collection) = &options.collection {
        members.entry("collection").or_insert_with(|| collection.as_str().into());
    }
    decode_slug(&mut members);
    let mut entry: ImportEntry = cms.read(members)?;
    entry.foreign = entry.id.is_none();
    entry.id.get_or_insert_with(|| id(number, bytes, began));
    entry.replace = options.on_conflict == OnConflict::Update;
    entry.dry_run = options.dry_run;
    Ok(Some(entry))
}

/// The id of a line that has none. It follows from the line and from when the import began, so that the line has the same one
/// when the import is resumed, and ids are in the order of the lines.
fn id(number: u64, bytes: &[u8], began: Timestamp) -> EntryId {
    let hash = Sha256::digest(bytes).iter().take(5).fold(0_u128, |hash, byte| hash << 8 | u128::from(*byte));
    let number = u128::from(number & 0xff_ffff_ffff);
    EntryId::from_parts(u64::try_from(began.milliseconds()).unwrap_or(0), number << 40 | hash)
}

/// Slugs of other systems are often spelled as in an address. Here they are words; a `%` never is in one.
fn decode_slug(members: &mut Map<String, Value>) {
    if let Some(Value::String(slug)) = members.get_mut("slug")
        && let Some(decoded) = percent_decoded(slug)
    {
        *slug = decoded;
    }
}

/// The text that a percent-encoded one stands for, if that is what it is.
fn percent_decoded(text: &str) -> Option<String> {
    let (first, rest) = text.split_once('%')?;
    let mut bytes = first.as_bytes().to_vec();
    for part in rest.split('%') {
        let (digits, plain) = (part.get(..2)?, part.get(2..)?);
        bytes.push(digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u8::from_str_radix(digits, 16).ok())??);
        bytes.extend_from_slice(plain.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// Where a line would put its entry: two lines for one place are not imported side by side, so that the first one wins.
pub(crate) fn place(entry: &ImportEntry) -> Option<String> {
    let slug = entry.slug.as_ref()?;
    let locale = entry.locale.as_ref().map(|locale| locale.as_str().to_lowercase()).unwrap_or_default();
    Some(format!("{}/{slug}/{locale}", entry.collection))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_that_is_spelled_as_in_an_address_is_decoded() {
        assert_eq!(percent_decoded("%ce%b5%CF%80i-2").as_deref(), Some("επi-2"));
        for text in ["plain", "100%", "%zz", "%+1", "%ff", "%c", "%é"] {
            assert_eq!(percent_decoded(text), None, "{text}");
        }
    }
}
