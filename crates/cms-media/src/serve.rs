//! What is served of a file: its bytes, or a picture that is made of it, once, and kept.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use cms_domain::{
    access::{Access, Actor},
    media::FocalPoint,
};
use cms_files::{ENCODERS, Fit, Format, Key, Kind, Object, Recipe};
use cms_frame::{
    Cms, Code, Cx, Door, Error,
    failures::{Failures, THING},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{intake::of_picture, item::hex, of, of_store};

/// The widths and heights that pictures are made in, in pixels. Any other is made in the next larger one, so that nobody has a server make thousands of
/// versions of one picture.
pub const WIDTHS: [u32; 20] = [16, 32, 64, 96, 128, 160, 240, 320, 384, 480, 640, 768, 960, 1080, 1200, 1440, 1600, 1920, 2560, 3840];
/// Qualities are rounded to the next of these: what is between them, nobody sees.
const QUALITY_STEP: u8 = 5;
/// The lowest quality; below it, pictures are blocks.
const WORST: u8 = 30;
/// The highest quality; above it, files grow and nothing is seen.
const BEST: u8 = 95;
/// The longest side of a picture that is made as AVIF: what takes seconds there takes minutes at twice the width.
const WIDEST_AVIF: u32 = 1920;
/// How many versions of one file are kept: each width in three formats, and as many with other qualities. More are made when asked for, and not kept.
const MOST_KEPT: usize = 120;
/// Where versions of files are kept.
const MADE: &str = "made";

/// What is asked of a file besides its key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Whether something else than the bytes themselves is asked for.
    is_made: bool,
    width: Option<u32>,
    height: Option<u32>,
    covers: bool,
    quality: Option<u8>,
    format: Option<Format>,
}

impl Wanted {
    /// Reads what a query asks for.
    pub fn read(pairs: &[(String, String)]) -> Result<Self, Error> {
        let mut wanted = Self::default();
        for (name, value) in pairs {
            wanted.is_made = true;
            match name.as_str() {
                "w" => wanted.width = Some(side("w", value)?),
                "h" => wanted.height = Some(side("h", value)?),
                "fit" => {
                    wanted.covers = match value.as_str() {
                        "inside" => false,
                        "cover" => true,
                        _ => return Err(Error::issue("fit", "INVALID_VALUE", "expected `inside` or `cover`")),
                    };
                }
                "q" => {
                    let quality = value.parse().ok().filter(|quality| (1..=100).contains(quality));
                    let quality: u8 = quality.ok_or_else(|| Error::issue("q", "INVALID_VALUE", "expected a whole number from 1 to 100"))?;
                    wanted.quality = Some(quality.next_multiple_of(QUALITY_STEP).clamp(WORST, BEST));
                }
                "format" => {
                    wanted.format = match value.as_str() {
                        "auto" => None,
                        "webp" => Some(Format::Webp),
                        "avif" => Some(Format::Avif),
                        "jpeg" => Some(Format::Jpeg),
                        "png" => Some(Format::Png),
                        _ => return Err(Error::issue("format", "INVALID_VALUE", "expected `auto`, `webp`, `avif`, `jpeg` or `png`")),
                    };
                }
                other => {
                    let name: String = other.chars().take(40).collect();
                    return Err(Error::issue(&name, "UNKNOWN_KEY", "is not known in the query; known are w, h, fit, q, format"));
                }
            }
        }
        Ok(wanted)
    }

    /// Whether what is answered depends on what the caller accepts.
    pub fn varies(&self) -> bool {
        self.is_made && self.format.is_none()
    }

    /// What to make of a file; none when its bytes are what is asked for.
    fn recipe(&self, file: &FileFound, accepts_webp: bool) -> Option<Recipe> {
        if !self.is_made || !file.is_picture {
            return None;
        }
        let plain = if file.has_alpha { Format::Png } else { Format::Jpeg };
        let format = self.format.unwrap_or(if accepts_webp { Format::Webp } else { plain });
        let fit = if self.covers && self.width.is_some() && self.height.is_some() { Fit::Cover } else { Fit::Inside };
        let focal = file.focal_point.filter(|_| fit == Fit::Cover).unwrap_or(FocalPoint { x: 0.5, y: 0.5 });
        let quality = match format {
            Format::Png => BEST,
            Format::Avif => self.quality.unwrap_or(60),
            Format::Webp | Format::Jpeg => self.quality.unwrap_or(80),
        };
        let side = |side: Option<u32>| if format == Format::Avif { side.map(|side| side.min(WIDEST_AVIF)) } else { side };
        let (width, height) = (side(self.width), side(self.height));
        let width = width.or((format == Format::Avif && height.is_none()).then_some(WIDEST_AVIF));
        #[expect(clippy::cast_possible_truncation, reason = "a place in a picture needs no more digits")]
        let focal = (focal.x as f32, focal.y as f32);
        Some(Recipe { width, height, fit, focal, format, quality })
    }
}

/// A side of a picture, in the next larger of the sizes that are made.
fn side(name: &str, value: &str) -> Result<u32, Error> {
    let most = WIDTHS[WIDTHS.len() - 1];
    let wanted: Option<u32> = value.parse().ok().filter(|wanted| *wanted > 0 && *wanted <= most);
    let wanted = wanted.ok_or_else(|| Error::issue(name, "INVALID_VALUE", format!("expected a whole number from 1 to {most}")))?;
    Ok(WIDTHS.into_iter().find(|width| *width >= wanted).unwrap_or(most))
}

/// The name of what a recipe makes, which is another one when anything that matters is.
fn name_of(recipe: &Recipe) -> String {
    let Recipe { width, height, fit, focal: (x, y), format, quality } = recipe;
    let fit = match fit {
        Fit::Inside => "i".to_owned(),
        Fit::Cover => format!("c{:03.0}{:03.0}", x * 100.0, y * 100.0),
    };
    let extension = format.extension();
    format!("{}x{}-{fit}-q{quality}-e{ENCODERS}.{extension}", width.unwrap_or(0), height.unwrap_or(0))
}

/// What is served.
pub struct Served {
    /// The media type.
    pub media_type: String,
    /// Names the bytes (RFC 9110, section 8.8.3), without quotes.
    pub tag: String,
    /// What it is called where it is downloaded.
    pub filename: String,
    /// Whether a browser may show it in place; otherwise it is downloaded.
    pub is_inline: bool,
    /// How many bytes it has in all.
    pub size: u64,
    place: Place,
}

enum Place {
    Stored(Key),
    /// What is not kept.
    Once(Bytes),
}

impl Served {
    /// All of its bytes, or some of them.
    pub async fn read(&self, cms: &Cms, range: Option<std::ops::Range<u64>>) -> Result<Object, Error> {
        match &self.place {
            Place::Stored(key) => stored(cms, key, range).await,
            Place::Once(bytes) => {
                let length = bytes.len() as u64;
                let range = range.map_or(0..length, |range| range.start.min(length)..range.end.min(length));
                // Both ends are within what is in memory.
                let part = bytes.slice(usize::try_from(range.start).unwrap_or(0)..usize::try_from(range.end).unwrap_or(0));
                Ok(Object { size: length, bytes: Box::pin(futures_util::stream::iter([Ok(part)])) })
            }
        }
    }
}

async fn stored(cms: &Cms, key: &Key, range: Option<std::ops::Range<u64>>) -> Result<Object, Error> {
    let object = of(cms).objects()?.read(key, range).await.map_err(of_store)?;
    object.ok_or_else(|| {
        // A row without its bytes is a fault of whoever keeps the files, or of a restored backup that lacks them.
        tracing::warn!(%key, "the bytes of a file are not where they are kept");
        Error::with(Code::NotFound, "the bytes of this file are missing")
    })
}

/// What is served of the file under a key.
pub async fn serve(cms: &Cms, key: &str, wanted: &Wanted, accepts_webp: bool) -> Result<Served, Error> {
    let file = cms.invoke(&Actor::System, Door::Local, FindFile { key: key.to_owned() }).await?;
    let key = Key::parse(&file.key).map_err(of_store)?;
    let Some(recipe) = wanted.recipe(&file, accepts_webp) else {
        let FileFound { media_type, filename, tag, size, .. } = file;
        let is_inline = Kind::named(&media_type).is_some_and(|kind| kind.is_inline());
        return Ok(Served { media_type, tag, filename, is_inline, size, place: Place::Stored(key) });
    };
    let name = name_of(&recipe);
    let made = Key::parse(&format!("{MADE}/{key}/{name}")).map_err(of_store)?;
    let (place, size) = made_once(cms, &file, &key, &made, &recipe).await?;
    let tag = format!("{}-{name}", file.tag);
    let stem = file.filename.rsplit_once('.').map_or(file.filename.as_str(), |(stem, _)| stem);
    let filename = format!("{stem}.{}", recipe.format.extension());
    Ok(Served { media_type: recipe.format.media_type().to_owned(), tag, filename, is_inline: true, size, place })
}

/// Who makes what at the moment: one makes it, and others wait for that.
#[derive(Debug, Default)]
pub(crate) struct Making(Mutex<HashMap<Key, Arc<tokio::sync::Mutex<()>>>>);

impl Making {
    fn turn(&self, key: &Key) -> Arc<tokio::sync::Mutex<()>> {
        let mut making = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        making.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(making.entry(key.clone()).or_default())
    }
}

/// Makes what is not there yet, and says how long it is.
async fn made_once(cms: &Cms, file: &FileFound, source: &Key, made: &Key, recipe: &Recipe) -> Result<(Place, u64), Error> {
    let media = of(cms);
    let store = media.objects()?;
    if let Some(size) = store.size(made).await.map_err(of_store)? {
        return Ok((Place::Stored(made.clone()), size));
    }
    let turn = media.making.turn(made);
    let _turn = turn.lock().await;
    if let Some(size) = store.size(made).await.map_err(of_store)? {
        return Ok((Place::Stored(made.clone()), size));
    }
    let workshop = media.library.workshop.as_ref().ok_or_else(|| Error::with(Code::NoStorage, "this site makes no pictures"))?;
    let object = stored(cms, source, None).await?;
    let bytes: Bytes = workshop.make(object.bytes, object.size, recipe).await.map_err(of_picture)?.into();
    let size = bytes.len() as u64;
    let kept = store.list(&format!("{MADE}/{source}/"), None, MOST_KEPT).await.map_err(of_store)?.len();
    if kept >= MOST_KEPT {
        return Ok((Place::Once(bytes), size));
    }
    let mut object = store.begin(made).await.map_err(of_store)?;
    match object.write(bytes.clone()).await {
        Ok(()) => object.finish().await.map_err(of_store)?,
        Err(error) => {
            object.abandon().await;
            return Err(of_store(error));
        }
    }
    // Whoever deleted the file meanwhile did not see this version of it.
    if cms.invoke(&Actor::System, Door::Local, FindFile { key: file.key.clone() }).await.is_err() {
        store.remove(made).await.map_err(of_store)?;
        return Ok((Place::Once(bytes), size));
    }
    Ok((Place::Stored(made.clone()), size))
}

/// Removes the versions of a file.
pub(crate) async fn remove_made(cms: &Cms, key: &Key) -> Result<(), Error> {
    let store = of(cms).objects()?;
    loop {
        let made = store.list(&format!("{MADE}/{key}/"), None, MOST_KEPT).await.map_err(of_store)?;
        for version in &made {
            store.remove(&version.key).await.map_err(of_store)?;
        }
        if made.len() < MOST_KEPT {
            return Ok(());
        }
    }
}

/// Find a file by what names its bytes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FindFile {
    /// What names its bytes.
    pub key: String,
}

/// What is needed to serve a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileFound {
    /// What names its bytes.
    pub key: String,
    /// Their media type.
    pub media_type: String,
    /// What it is called.
    pub filename: String,
    /// Names the bytes for caches.
    pub tag: String,
    /// How many there are.
    pub size: u64,
    /// Whether pictures are made of it.
    pub is_picture: bool,
    /// Whether something is seen through it.
    pub has_alpha: bool,
    /// What must stay in sight.
    pub focal_point: Option<FocalPoint>,
}

impl Operation for FindFile {
    const ID: &'static str = "media.find_file";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = FileFound;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FileFound, Error> {
        let item = cx.read().media().by_key(&self.key).await?;
        let item = item.ok_or_else(|| Error::with(Code::NotFound, "there is no such file"))?;
        let file = item.file;
        Ok(FileFound {
            tag: hex(&file.sha256[..16]),
            key: file.key,
            media_type: file.media_type,
            filename: item.filename,
            size: file.size,
            is_picture: file.picture.is_some(),
            has_alpha: file.picture.is_some_and(|picture| picture.has_alpha),
            focal_point: item.focal_point,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(query: &[(&str, &str)]) -> Result<Wanted, Error> {
        Wanted::read(&query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>())
    }

    fn file(has_alpha: bool) -> FileFound {
        FileFound {
            key: "a.png".to_owned(),
            media_type: "image/png".to_owned(),
            filename: "a.png".to_owned(),
            tag: "t".to_owned(),
            size: 1,
            is_picture: true,
            has_alpha,
            focal_point: Some(FocalPoint { x: 0.25, y: 1.0 }),
        }
    }

    #[test]
    fn sizes_and_qualities_are_those_that_are_made() {
        let recipe = |query: &[(&str, &str)]| wanted(query).unwrap().recipe(&file(false), true).unwrap();
        assert_eq!(recipe(&[("w", "321")]).width, Some(384));
        assert_eq!(recipe(&[("w", "3840"), ("h", "1")]).height, Some(16));
        assert_eq!([("q", "1"), ("q", "61"), ("q", "100")].map(|pair| recipe(&[pair]).quality), [WORST, 65, BEST]);
        for (name, value) in
            [("w", "0"), ("w", "3841"), ("w", "-1"), ("w", "1.5"), ("q", "0"), ("q", "101"), ("fit", "fill"), ("format", "gif")]
        {
            let refused = wanted(&[(name, value)]).unwrap_err();
            assert!(refused.message().contains(name), "{name}={value}: {}", refused.message());
        }
        assert!(wanted(&[("width", "10")]).unwrap_err().message().contains("width"));
    }

    #[test]
    fn the_format_is_what_is_asked_for_or_what_the_caller_knows() {
        let format = |query: &[(&str, &str)], has_alpha, accepts| wanted(query).unwrap().recipe(&file(has_alpha), accepts).unwrap().format;
        assert_eq!(format(&[("w", "10")], false, true), Format::Webp);
        assert_eq!(format(&[("w", "10")], false, false), Format::Jpeg);
        assert_eq!(format(&[("w", "10")], true, false), Format::Png);
        assert_eq!(format(&[("format", "avif")], true, false), Format::Avif);
        let avif = |query: &[(&str, &str)]| wanted(query).unwrap().recipe(&file(false), true).unwrap();
        assert_eq!((avif(&[("format", "avif")]).width, avif(&[("format", "avif"), ("h", "3840")]).height), (Some(1920), Some(1920)));
        assert!(wanted(&[]).unwrap().recipe(&file(false), true).is_none(), "bytes as they are");
        let document = FileFound { is_picture: false, ..file(false) };
        assert!(wanted(&[("w", "10")]).unwrap().recipe(&document, true).is_none());
    }

    #[test]
    fn what_is_cropped_keeps_its_focal_point_and_has_a_name_of_its_own() {
        let name = |query: &[(&str, &str)]| name_of(&wanted(query).unwrap().recipe(&file(false), true).unwrap());
        let cropped = name(&[("w", "100"), ("h", "100"), ("fit", "cover")]);
        assert_eq!(cropped, format!("128x128-c025100-q80-e{ENCODERS}.webp"));
        assert_eq!(name(&[("w", "100"), ("fit", "cover")]), format!("128x0-i-q80-e{ENCODERS}.webp"));
        assert!(Key::parse(&cropped).is_ok());
    }
}
