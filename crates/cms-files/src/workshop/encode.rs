//! How pictures are written: each time with a quality that was asked for, and without anything beside the pixels.

use image::{
    DynamicImage, ExtendedColorType, ImageEncoder,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
};
use ravif::{Img, RGB8, RGBA8};

use super::{Format, message::Failure};

/// How fast AVIF is made, from 1 to 10: with less, somebody who waits for a picture waits for seconds.
const AVIF_SPEED: u8 = 8;

/// How hard libwebp tries, from 0 to 6.
const WEBP_METHOD: i32 = 4;

/// Writes a picture. What is not transparent at all is written without transparency.
pub(super) fn encoded(pixels: DynamicImage, format: Format, quality: u8) -> Result<Vec<u8>, Failure> {
    let quality = quality.clamp(1, 100);
    let is_seen_through = pixels.as_rgba8().is_some_and(|pixels| pixels.pixels().any(|pixel| pixel.0[3] < u8::MAX));
    let pixels = if is_seen_through { pixels } else { DynamicImage::ImageRgb8(pixels.into_rgb8()) };
    match format {
        Format::Webp => webp(&pixels, quality),
        Format::Avif => avif(&pixels, quality),
        Format::Jpeg => {
            let opaque = on_white(pixels);
            let mut bytes = Vec::new();
            let encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
            encoder.write_image(&opaque, opaque.width(), opaque.height(), ExtendedColorType::Rgb8).map_err(failed)?;
            Ok(bytes)
        }
        Format::Png => {
            let mut bytes = Vec::new();
            let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive);
            encoder.write_image(pixels.as_bytes(), pixels.width(), pixels.height(), pixels.color().into()).map_err(failed)?;
            Ok(bytes)
        }
    }
}

fn webp(pixels: &DynamicImage, quality: u8) -> Result<Vec<u8>, Failure> {
    let layout = if pixels.color().has_alpha() { webp::PixelLayout::Rgba } else { webp::PixelLayout::Rgb };
    let mut config = webp::WebPConfig::new().map_err(|()| failed("libwebp does not start"))?;
    config.quality = f32::from(quality);
    config.method = WEBP_METHOD;
    let encoder = webp::Encoder::new(pixels.as_bytes(), layout, pixels.width(), pixels.height());
    let encoded = encoder.encode_advanced(&config).map_err(|error| failed(format!("{error:?}")))?;
    Ok(encoded.to_vec())
}

fn avif(pixels: &DynamicImage, quality: u8) -> Result<Vec<u8>, Failure> {
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    let encoder = ravif::Encoder::new()
        .with_quality(f32::from(quality))
        .with_alpha_quality(f32::from(quality))
        .with_speed(AVIF_SPEED)
        .with_num_threads(Some(1));
    let encoded = if pixels.color().has_alpha() {
        let pixels: Vec<RGBA8> =
            pixels.as_bytes().chunks_exact(4).map(|pixel| RGBA8::new(pixel[0], pixel[1], pixel[2], pixel[3])).collect();
        encoder.encode_rgba(Img::new(&pixels, width, height))
    } else {
        let pixels: Vec<RGB8> = pixels.as_bytes().chunks_exact(3).map(|pixel| RGB8::new(pixel[0], pixel[1], pixel[2])).collect();
        encoder.encode_rgb(Img::new(&pixels, width, height))
    };
    Ok(encoded.map_err(failed)?.avif_file)
}

/// JPEG has no transparency: what is behind it is white, as a page mostly is.
fn on_white(pixels: DynamicImage) -> image::RgbImage {
    let DynamicImage::ImageRgba8(pixels) = pixels else { return pixels.into_rgb8() };
    let (width, height) = pixels.dimensions();
    image::RgbImage::from_fn(width, height, |x, y| {
        let [red, green, blue, alpha] = pixels.get_pixel(x, y).0;
        image::Rgb([red, green, blue].map(|colour| over_white(colour, alpha)))
    })
}

fn over_white(colour: u8, alpha: u8) -> u8 {
    let (colour, alpha, most) = (u32::from(colour), u32::from(alpha), u32::from(u8::MAX));
    u8::try_from((colour * alpha + most * (most - alpha) + most / 2) / most).unwrap_or(u8::MAX)
}

fn failed(why: impl ToString) -> Failure {
    Failure::Broken(format!("it cannot be written: {}", why.to_string()))
}
