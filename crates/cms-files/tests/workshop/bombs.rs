//! What is meant to do harm, and what is broken.

use std::io::{Cursor, Write};

use bytes::Bytes;
use cms_files::{Error, PictureError};
use futures_util::stream;
use image::{DynamicImage, ExtendedColorType, ImageEncoder, Rgb, RgbImage, codecs::jpeg::JpegEncoder};

use super::{look, low, png, quarters, run, workshop};

/// A chunk of a PNG.
fn chunk(name: &str, data: &[u8]) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(name.as_bytes());
    sum.update(data);
    [&u32::try_from(data.len()).unwrap().to_be_bytes(), name.as_bytes(), data, &sum.sum().to_be_bytes()].concat()
}

fn png_of(width: u32, height: u32, chunks: &[Vec<u8>]) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk("IHDR", &header), chunks.concat(), chunk("IEND", &[])].concat()
}

fn deflated(length: usize) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    let zeros = vec![0; 1024 * 1024];
    for begin in (0..length).step_by(zeros.len()) {
        encoder.write_all(&zeros[..zeros.len().min(length - begin)]).unwrap();
    }
    encoder.finish().unwrap()
}

pub(super) fn a_header_that_says_too_much_is_believed_and_refused() {
    for (width, height) in [(60_000, 60_000), (30_001, 1), (1, 30_001), (20_000, 6_000), (u32::MAX / 2, u32::MAX / 2)] {
        let bytes = png_of(width, height, &[chunk("IDAT", &deflated(64))]);
        let looked = look("header", &bytes);
        assert!(matches!(looked, Err(PictureError::TooLarge)), "{width} × {height}: {looked:?}");
    }
    let gif = [&b"GIF89a\xff\xff\xff\xff\0\0\0"[..], b",\0\0\0\0\xff\xff\xff\xff\0\x02\x02\x4c\x01\0;"].concat();
    assert!(matches!(look("header", &gif), Err(PictureError::TooLarge)));
    let much = run(workshop("header").look(stream::empty::<Result<Bytes, Error>>(), u64::MAX));
    assert!(matches!(much, Err(PictureError::TooLarge)), "{much:?}");
}

pub(super) fn a_bomb_beside_the_pixels_harms_nobody() {
    // A profile and a text of a hundred megabytes each, in a file of two hundred kilobytes.
    let bomb = deflated(100 * 1024 * 1024);
    let profile = [b"bomb\0\0", &bomb[..]].concat();
    let pixels = deflated(3 * 4 + 4);
    for chunks in [vec![chunk("iCCP", &profile)], vec![chunk("zTXt", &profile)]] {
        let bytes = png_of(4, 1, &[chunks.concat(), chunk("IDAT", &pixels)]);
        let looked = look("bomb", &bytes);
        assert!(matches!(looked, Ok(_) | Err(PictureError::Broken(_) | PictureError::TooLarge | PictureError::Died)), "{looked:?}");
    }
    assert!(look("bomb", &png(&quarters())).is_ok());
}

pub(super) fn pictures_that_are_cut_off_are_broken() {
    let whole = png(&RgbImage::from_fn(200, 200, |x, y| Rgb([low(x * 7), low(y * 13), low(x * y)])));
    for end in [20, 40, whole.len() / 2, whole.len() - 40] {
        let looked = look("cut off", &whole[..end]);
        assert!(matches!(looked, Err(PictureError::Broken(_))), "{end}: {looked:?}");
    }
    let pixels = quarters();
    let mut jpeg = Vec::new();
    JpegEncoder::new(&mut jpeg).write_image(&pixels, 96, 64, ExtendedColorType::Rgb8).unwrap();
    for end in [4, 100, jpeg.len() / 2, jpeg.len() - 3] {
        // What there is of it may be seen.
        let looked = look("cut off", &jpeg[..end]);
        assert!(matches!(looked, Ok(_) | Err(PictureError::Broken(_))), "{end}: {looked:?}");
    }
    let mut webp = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(pixels).write_to(&mut webp, image::ImageFormat::WebP).unwrap();
    let webp = webp.into_inner();
    let looked = look("cut off", &webp[..webp.len() / 2]);
    assert!(matches!(looked, Err(PictureError::Broken(_))), "{looked:?}");
}

pub(super) fn what_is_no_picture_is_unsupported() {
    for bytes in [&b"%PDF-1.7"[..], b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"BM\0\0\0\0", b"II*\0", b"x"] {
        let looked = look("unsupported", bytes);
        assert!(matches!(looked, Err(PictureError::Unsupported)), "{looked:?}");
    }
}
