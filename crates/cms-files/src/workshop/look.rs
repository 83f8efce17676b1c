//! What a picture is: its size, its colours, and what to show before it is there.

use image::RgbaImage;

use super::{Fit, Format, Looked, Recipe, cut::Cut, message::Failure, picture::Picture};

/// The longest side of what placeholders are made of: a ThumbHash takes no more.
const SMALL: u32 = 100;

/// How many parts a BlurHash has across and down.
const PARTS: (u32, u32) = (4, 3);

/// From which alpha on a pixel counts for the colour of the picture.
const SEEN: u8 = 128;

/// Looks at a picture.
pub(super) fn look(picture: Picture) -> Result<Looked, Failure> {
    let (width, height) = picture.size();
    let (animated, has_alpha) = (picture.animated, picture.has_alpha());
    let small = Recipe { width: Some(SMALL), height: Some(SMALL), fit: Fit::Inside, focal: (0.5, 0.5), format: Format::Png, quality: 100 };
    let small = picture.made(&Cut::of(&small, (width, height)))?.pixels.into_rgba8();
    let (across, down) = small.dimensions();
    let thumbhash = thumbhash::rgba_to_thumb_hash(across as usize, down as usize, small.as_raw());
    let blurhash = blurhash::encode(PARTS.0, PARTS.1, across, down, small.as_raw()).ok();
    Ok(Looked { width, height, animated, has_alpha, dominant: mean(&small), thumbhash: Some(thumbhash), blurhash })
}

/// The mean of what is seen. Black when nothing is.
fn mean(pixels: &RgbaImage) -> [u8; 3] {
    let mut sums = [0_u64; 3];
    let mut seen = 0_u64;
    for pixel in pixels.pixels().filter(|pixel| pixel.0[3] >= SEEN) {
        for (sum, colour) in sums.iter_mut().zip(pixel.0) {
            *sum += u64::from(colour);
        }
        seen += 1;
    }
    sums.map(|sum| u8::try_from((sum + seen / 2).checked_div(seen).unwrap_or(0)).unwrap_or(u8::MAX))
}
