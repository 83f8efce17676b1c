//! A picture: read, cut, turned, and seen in the colours of the web.

use std::io::Cursor;

use fast_image_resize::{
    FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer,
    images::{TypedImage, TypedImageRef},
    pixels::{U8x3, U8x4},
};
use image::{
    DynamicImage, ImageDecoder, ImageFormat, Limits,
    codecs::{gif::GifDecoder, jpeg::JpegDecoder, png::PngDecoder, webp::WebPDecoder},
    error::{ImageError, LimitErrorKind},
    metadata::Orientation,
};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

use super::{MOST_PIXELS, MOST_SIDE, cut::Cut, frames, message::Failure};

/// What a decoder may keep besides the picture, and the picture at most: a hundred million pixels of four times two bytes.
const MOST_DECODED: u64 = 1024 * 1024 * 1024;

/// A picture as it is stored, and how it is displayed.
pub(super) struct Picture {
    pixels: DynamicImage,
    orientation: Orientation,
    profile: Option<Vec<u8>>,
    pub(super) animated: bool,
}

/// A picture in the colours of the web (sRGB), with eight bits for each of them, the right way up.
pub(super) struct Web {
    pub(super) pixels: DynamicImage,
}

impl Picture {
    /// Reads a picture: of an animated one the first frame.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Failure> {
        let source = || Cursor::new(bytes);
        match image::guess_format(bytes) {
            Ok(ImageFormat::Png) => {
                let decoder = PngDecoder::with_limits(source(), limits()).map_err(broken)?;
                let animated = decoder.is_apng().map_err(broken)?;
                Self::decoded(decoder, animated)
            }
            Ok(ImageFormat::Jpeg) => Self::decoded(JpegDecoder::new(source()).map_err(broken)?, false),
            Ok(ImageFormat::Gif) => Self::decoded(GifDecoder::new(source()).map_err(broken)?, frames::has_two(bytes)),
            Ok(ImageFormat::WebP) => {
                let decoder = WebPDecoder::new(source()).map_err(broken)?;
                // What the decoder gives of an animated one is its first frame as well.
                let animated = decoder.has_animation();
                Self::decoded(decoder, animated)
            }
            _ => Err(Failure::Unsupported),
        }
    }

    fn decoded(mut decoder: impl ImageDecoder, animated: bool) -> Result<Self, Failure> {
        let (width, height) = decoder.dimensions();
        fits((width, height), u64::from(decoder.color_type().bytes_per_pixel()))?;
        decoder.set_limits(limits()).map_err(broken)?;
        // What is written beside the picture may be nonsense without the picture being so.
        let profile = decoder.icc_profile().unwrap_or_default();
        let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
        let pixels = DynamicImage::from_decoder(decoder).map_err(broken)?;
        Ok(Self { pixels, orientation, profile, animated })
    }

    /// Its size as it is displayed.
    pub(super) fn size(&self) -> (u32, u32) {
        let (width, height) = (self.pixels.width(), self.pixels.height());
        if is_on_its_side(self.orientation) { (height, width) } else { (width, height) }
    }

    /// Cuts and scales it. It is turned and its colours are changed when it is small already.
    pub(super) fn made(self, cut: &Cut) -> Result<Web, Failure> {
        let Self { pixels, orientation, profile, .. } = self;
        let stored = (f64::from(pixels.width()), f64::from(pixels.height()));
        let (left, top, width, height) = as_stored(cut, orientation, stored);
        let to = if is_on_its_side(orientation) { (cut.to.1, cut.to.0) } else { cut.to };
        let has_alpha = pixels.color().has_alpha();
        let size = (pixels.width(), pixels.height());
        let bytes = if has_alpha { pixels.into_rgba8().into_raw() } else { pixels.into_rgb8().into_raw() };
        let is_whole = to == size && (left, top) == (0., 0.);
        let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).crop(left, top, width, height);
        let bytes = match (is_whole, has_alpha) {
            (true, _) => bytes,
            (false, true) => scaled::<U8x4>(&bytes, size, to, &options)?,
            (false, false) => scaled::<U8x3>(&bytes, size, to, &options)?,
        };
        let bytes = match profile {
            Some(profile) => in_srgb(bytes, has_alpha, &profile),
            None => bytes,
        };
        let pixels = if has_alpha {
            image::RgbaImage::from_raw(to.0, to.1, bytes).map(DynamicImage::ImageRgba8)
        } else {
            image::RgbImage::from_raw(to.0, to.1, bytes).map(DynamicImage::ImageRgb8)
        };
        let mut pixels = pixels.ok_or_else(|| Failure::Broken("it has fewer pixels than it says".to_owned()))?;
        pixels.apply_orientation(orientation);
        Ok(Web { pixels })
    }

    /// Whether any pixel is transparent.
    pub(super) fn has_alpha(&self) -> bool {
        match &self.pixels {
            DynamicImage::ImageRgba8(pixels) => pixels.pixels().any(|pixel| pixel.0[3] < u8::MAX),
            DynamicImage::ImageLumaA8(pixels) => pixels.pixels().any(|pixel| pixel.0[1] < u8::MAX),
            DynamicImage::ImageRgba16(pixels) => pixels.pixels().any(|pixel| pixel.0[3] < u16::MAX),
            DynamicImage::ImageLumaA16(pixels) => pixels.pixels().any(|pixel| pixel.0[1] < u16::MAX),
            other => other.color().has_alpha(),
        }
    }
}

/// Scales pixels of one kind. Of which kind is said here, or all that there are would be compiled.
fn scaled<P: PixelTrait>(bytes: &[u8], size: (u32, u32), to: (u32, u32), options: &ResizeOptions) -> Result<Vec<u8>, Failure> {
    let failed = |why: &dyn std::fmt::Display| Failure::Broken(format!("it cannot be scaled: {why}"));
    let from = TypedImageRef::<P>::from_buffer(size.0, size.1, bytes).map_err(|error| failed(&error))?;
    let mut scaled = vec![0; to.0 as usize * to.1 as usize * P::size()];
    let mut target = TypedImage::<P>::from_buffer(to.0, to.1, &mut scaled).map_err(|error| failed(&error))?;
    Resizer::new().resize_typed(&from, &mut target, options).map_err(|error| failed(&error))?;
    Ok(scaled)
}

/// Whether a picture of this size is decoded, which its header alone says.
fn fits((width, height): (u32, u32), bytes_a_pixel: u64) -> Result<(), Failure> {
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 {
        return Err(Failure::Broken("it has no pixels".to_owned()));
    }
    if width > MOST_SIDE || height > MOST_SIDE || pixels > MOST_PIXELS || pixels * bytes_a_pixel > MOST_DECODED {
        return Err(Failure::TooLarge);
    }
    Ok(())
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_SIDE);
    limits.max_image_height = Some(MOST_SIDE);
    limits.max_alloc = Some(MOST_DECODED);
    limits
}

fn broken(error: ImageError) -> Failure {
    match error {
        ImageError::Limits(limit) if !matches!(limit.kind(), LimitErrorKind::Unsupported { .. }) => Failure::TooLarge,
        other => Failure::Broken(other.to_string()),
    }
}

fn is_on_its_side(orientation: Orientation) -> bool {
    use Orientation::{Rotate90, Rotate90FlipH, Rotate270, Rotate270FlipH};
    matches!(orientation, Rotate90 | Rotate270 | Rotate90FlipH | Rotate270FlipH)
}

/// Where a part of the displayed picture is in the stored one: left, top, width and height.
fn as_stored(cut: &Cut, orientation: Orientation, (width, height): (f64, f64)) -> (f64, f64, f64, f64) {
    let Cut { left, top, width: across, height: down, .. } = *cut;
    // From the other end of the stored side.
    let from_right = |at: f64, long: f64| (width - at - long).max(0.);
    let from_bottom = |at: f64, long: f64| (height - at - long).max(0.);
    match orientation {
        Orientation::NoTransforms => (left, top, across, down),
        Orientation::FlipHorizontal => (from_right(left, across), top, across, down),
        Orientation::Rotate180 => (from_right(left, across), from_bottom(top, down), across, down),
        Orientation::FlipVertical => (left, from_bottom(top, down), across, down),
        // Turned by a quarter, what is down in the displayed picture is across in the stored one.
        Orientation::Rotate90FlipH => (top, left, down, across),
        Orientation::Rotate90 => (top, from_bottom(left, across), down, across),
        Orientation::Rotate270FlipH => (from_right(top, down), from_bottom(left, across), down, across),
        Orientation::Rotate270 => (from_right(top, down), left, down, across),
    }
}

/// The same colours in sRGB. A profile that nobody understands, or that is for other colours than a screen's, is as good as none.
fn in_srgb(bytes: Vec<u8>, has_alpha: bool, profile: &[u8]) -> Vec<u8> {
    let srgb = ColorProfile::new_srgb();
    let Ok(profile) = ColorProfile::new_from_slice(profile) else { return bytes };
    let options = TransformOptions::default();
    match profile.color_space {
        DataColorSpace::Rgb => {
            let layout = if has_alpha { Layout::Rgba } else { Layout::Rgb };
            let Ok(transform) = profile.create_transform_8bit(layout, &srgb, layout, options) else { return bytes };
            let mut changed = vec![0; bytes.len()];
            if transform.transform(&bytes, &mut changed).is_ok() { changed } else { bytes }
        }
        DataColorSpace::Gray => {
            let Ok(transform) = profile.create_transform_8bit(Layout::Gray, &srgb, Layout::Rgb, options) else { return bytes };
            // All three are the same.
            let step = if has_alpha { 4 } else { 3 };
            let gray: Vec<u8> = bytes.iter().copied().step_by(step).collect();
            let mut changed = vec![0; gray.len() * 3];
            if transform.transform(&gray, &mut changed).is_err() {
                return bytes;
            }
            let mut bytes = bytes;
            for (pixel, colour) in bytes.chunks_exact_mut(step).zip(changed.chunks_exact(3)) {
                pixel[..3].copy_from_slice(colour);
            }
            bytes
        }
        _ => bytes,
    }
}
