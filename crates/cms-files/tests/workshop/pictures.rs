//! What is seen of pictures, and what is made of them.

use cms_files::{Fit, Format, Kind, Recipe};
use image::{
    Delay, DynamicImage, ExtendedColorType, Frame, GenericImageView, ImageEncoder, Rgb, RgbImage, Rgba, RgbaImage,
    codecs::{gif::GifEncoder, jpeg::JpegEncoder, png::PngEncoder},
    metadata::Orientation,
};

use super::{WHOLE_PNG, look, low, make, png, quarters, recipe};

/// A JPEG of the quarters with an orientation, and a place that must stay secret.
fn jpeg_turned(orientation: u8) -> Vec<u8> {
    let mut exif = b"II*\0\x08\0\0\0\x02\0".to_vec();
    exif.extend([0x0e, 0x01, 2, 0, 20, 0, 0, 0, 38, 0, 0, 0]);
    exif.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
    exif.extend([0; 4]);
    exif.extend(b"52.5200N 13.4050E xx");
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
    encoder.set_exif_metadata(exif).unwrap();
    let pixels = quarters();
    encoder.write_image(&pixels, pixels.width(), pixels.height(), ExtendedColorType::Rgb8).unwrap();
    bytes
}

/// The quarters as they are displayed.
fn displayed(orientation: u8) -> DynamicImage {
    let mut pixels = DynamicImage::ImageRgb8(quarters());
    pixels.apply_orientation(Orientation::from_exif(orientation).unwrap());
    pixels
}

fn near(pixel: Rgba<u8>, expected: Rgba<u8>) -> bool {
    pixel.0.iter().zip(expected.0).all(|(colour, expected)| colour.abs_diff(expected) <= 24)
}

pub(super) fn pictures_are_seen_the_right_way_up() {
    for orientation in 1..=8 {
        let bytes = jpeg_turned(orientation);
        let expected = displayed(orientation);
        let looked = look("turned", &bytes).unwrap();
        assert_eq!((looked.width, looked.height), expected.dimensions(), "{orientation}");
        let made = image::load_from_memory(&make("turned", &bytes, &WHOLE_PNG).unwrap()).unwrap();
        assert_eq!(made.dimensions(), expected.dimensions(), "{orientation}");
        let (right, bottom) = (made.width() - 12, made.height() - 12);
        for (x, y) in [(12, 12), (right, 12), (12, bottom), (right, bottom)] {
            assert!(near(made.get_pixel(x, y), expected.get_pixel(x, y)), "{orientation} at {x},{y}");
        }
    }
    // As the standard says of 6: what is displayed at the top left is stored at the bottom left.
    assert_eq!(displayed(6).get_pixel(12, 12), Rgba([20, 20, 220, 255]));
}

pub(super) fn cuts_are_made_from_pictures_as_they_are_displayed() {
    for orientation in 1..=8 {
        let bytes = jpeg_turned(orientation);
        let expected = displayed(orientation);
        for focal in [(0., 0.), (1., 0.), (0., 1.), (1., 1.)] {
            let (width, height) = expected.dimensions();
            // Long and narrow: one half is cut off.
            let recipe = if width > height {
                recipe(Some(8), Some(32), Fit::Cover, Format::Png)
            } else {
                recipe(Some(32), Some(8), Fit::Cover, Format::Png)
            };
            let made = image::load_from_memory(&make("cut", &bytes, &Recipe { focal, ..recipe }).unwrap()).unwrap();
            assert_eq!(Some(made.width()), recipe.width);
            let far = |at: f32, side: u32, edge: u32| if at > 0.5 { side - 1 - edge } else { edge };
            let found = made.get_pixel(far(focal.0, made.width(), 1), far(focal.1, made.height(), 1));
            let wanted = expected.get_pixel(far(focal.0, width, 4), far(focal.1, height, 4));
            assert!(near(found, wanted), "{orientation} around {focal:?}: {found:?} {wanted:?}");
        }
    }
}

pub(super) fn a_focal_point_that_is_no_number_is_the_middle() {
    let bytes = png(&quarters());
    let cover = recipe(Some(32), Some(8), Fit::Cover, Format::Png);
    let made = make("no number", &bytes, &Recipe { focal: (f32::NAN, f32::INFINITY), ..cover }).unwrap();
    assert_eq!(made, make("no number", &bytes, &cover).unwrap());
}

pub(super) fn transparency_is_kept() {
    let pixels = RgbaImage::from_fn(64, 64, |x, _| if x < 32 { Rgba([200, 40, 40, 255]) } else { Rgba([40, 200, 40, 100]) });
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes).write_image(&pixels, 64, 64, ExtendedColorType::Rgba8).unwrap();
    assert!(look("alpha", &bytes).unwrap().has_alpha);
    for format in [Format::Png, Format::Webp] {
        let made = image::load_from_memory(&make("alpha", &bytes, &recipe(Some(32), None, Fit::Inside, format)).unwrap()).unwrap();
        assert!(near(made.get_pixel(4, 16), Rgba([200, 40, 40, 255])), "{format:?}");
        assert!(near(made.get_pixel(27, 16), Rgba([40, 200, 40, 100])), "{format:?}");
    }
    let jpeg = image::load_from_memory(&make("alpha", &bytes, &recipe(Some(32), None, Fit::Inside, Format::Jpeg)).unwrap()).unwrap();
    assert!(near(jpeg.get_pixel(27, 16), Rgba([171, 233, 171, 255])), "{:?}", jpeg.get_pixel(27, 16));
    let opaque = RgbaImage::from_pixel(8, 8, Rgba([1, 2, 3, 255]));
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes).write_image(&opaque, 8, 8, ExtendedColorType::Rgba8).unwrap();
    assert!(!look("alpha", &bytes).unwrap().has_alpha, "nothing is transparent in it");
}

pub(super) fn profiles_become_srgb() {
    let pixels = RgbImage::from_pixel(40, 40, Rgb([200, 100, 50]));
    let mut bytes = Vec::new();
    let mut encoder = PngEncoder::new(&mut bytes);
    encoder.set_icc_profile(moxcms::ColorProfile::new_display_p3().encode().unwrap()).unwrap();
    encoder.write_image(&pixels, 40, 40, ExtendedColorType::Rgb8).unwrap();
    let made = make("profile", &bytes, &WHOLE_PNG).unwrap();
    let pixel = image::load_from_memory(&made).unwrap().get_pixel(20, 20);
    // Worked out by hand: linear light, the matrix from Display P3 to sRGB, and back.
    let Rgba([red, green, blue, _]) = pixel;
    assert!(red.abs_diff(215) < 4 && green.abs_diff(93) < 4 && blue.abs_diff(31) < 5, "{pixel:?}");
    assert!(!made.windows(4).any(|four| four == b"iCCP"), "no profile comes out");
    assert_eq!(look("profile", &bytes).unwrap().dominant, [red, green, blue]);

    let mut bytes = Vec::new();
    let mut encoder = PngEncoder::new(&mut bytes);
    encoder.set_icc_profile(b"no profile at all".to_vec()).unwrap();
    encoder.write_image(&pixels, 40, 40, ExtendedColorType::Rgb8).unwrap();
    let made = image::load_from_memory(&make("profile", &bytes, &WHOLE_PNG).unwrap()).unwrap();
    assert_eq!(made.get_pixel(20, 20), Rgba([200, 100, 50, 255]), "nonsense is no profile");
}

pub(super) fn nothing_beside_the_pixels_comes_out() {
    let bytes = jpeg_turned(1);
    let has = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
    assert!(has(&bytes, b"13.4050E"));
    for format in [Format::Jpeg, Format::Webp, Format::Png, Format::Avif] {
        let made = make("beside", &bytes, &recipe(Some(48), None, Fit::Inside, format)).unwrap();
        assert!(!has(&made, b"13.4050E") && !has(&made, b"Exif"), "{format:?}");
    }
}

pub(super) fn of_a_gif_the_first_frame_is_taken() {
    let mut bytes = Vec::new();
    let mut encoder = GifEncoder::new(&mut bytes);
    for colour in [Rgba([250, 0, 0, 255]), Rgba([0, 0, 250, 255])] {
        let frame = Frame::from_parts(RgbaImage::from_pixel(30, 20, colour), 0, 0, Delay::from_numer_denom_ms(100, 1));
        encoder.encode_frame(frame).unwrap();
    }
    drop(encoder);
    let looked = look("gif", &bytes).unwrap();
    assert!(looked.animated);
    assert!(looked.dominant[0] > 240 && looked.dominant[2] < 10, "{looked:?}");
    let made = image::load_from_memory(&make("gif", &bytes, &WHOLE_PNG).unwrap()).unwrap();
    assert!(near(made.get_pixel(10, 10), Rgba([250, 0, 0, 255])));
}

pub(super) fn of_an_animated_webp_the_first_frame_is_taken() {
    let config = webp::WebPConfig::new().unwrap();
    let mut encoder = webp::AnimEncoder::new(30, 20, &config);
    let frames = [[250, 0, 0, 255], [0, 0, 250, 255]].map(|colour| RgbaImage::from_pixel(30, 20, Rgba(colour)).into_raw());
    for (pixels, time) in frames.iter().zip([0, 100]) {
        encoder.add_frame(webp::AnimFrame::from_rgba(pixels, 30, 20, time));
    }
    let bytes = encoder.encode().to_vec();
    let looked = look("animated", &bytes).unwrap();
    assert!(looked.animated && looked.dominant[0] > 230 && looked.dominant[2] < 20, "{looked:?}");
    let still = make("animated", &bytes, &recipe(None, None, Fit::Inside, Format::Webp)).unwrap();
    assert!(!look("animated", &still).unwrap().animated);
}

pub(super) fn a_look_says_what_a_picture_is() {
    let looked = look("look", &png(&quarters())).unwrap();
    assert_eq!((looked.width, looked.height, looked.animated, looked.has_alpha), (96, 64, false, false));
    assert!(looked.dominant.iter().zip([120, 115, 70]).all(|(colour, mean)| colour.abs_diff(mean) < 4), "{:?}", looked.dominant);
    let thumbhash = looked.thumbhash.unwrap();
    let aspect = thumbhash::thumb_hash_to_approximate_aspect_ratio(&thumbhash).unwrap();
    assert!((aspect - 1.5).abs() < 0.3, "{aspect}");
    let small = blurhash::decode(&looked.blurhash.unwrap(), 12, 8, 1.).unwrap();
    assert!(small[0] > small[2], "red is at the top left");
}

pub(super) fn each_format_is_made_in_the_size_that_was_asked_for() {
    let bytes = png(&RgbImage::from_fn(320, 200, |x, y| Rgb([low(x), low(y), 90])));
    for (format, media_type) in
        [(Format::Jpeg, "image/jpeg"), (Format::Png, "image/png"), (Format::Webp, "image/webp"), (Format::Avif, "image/avif")]
    {
        let made = make("formats", &bytes, &recipe(Some(64), Some(64), Fit::Cover, format)).unwrap();
        let kind = Kind::of(&made).unwrap();
        assert_eq!((kind.media_type(), format.media_type(), kind.extension()), (media_type, media_type, format.extension()));
        if format == Format::Avif {
            // Nobody here decodes it; its box `ispe` says how large it is.
            let at = made.windows(4).position(|four| four == b"ispe").unwrap() + 8;
            assert_eq!(made[at..at + 8], [0, 0, 0, 64, 0, 0, 0, 64]);
        } else {
            assert_eq!(image::load_from_memory(&made).unwrap().dimensions(), (64, 64));
        }
    }
    let good = make("formats", &bytes, &Recipe { quality: 95, ..recipe(None, None, Fit::Inside, Format::Webp) }).unwrap();
    let small = make("formats", &bytes, &Recipe { quality: 20, ..recipe(None, None, Fit::Inside, Format::Webp) }).unwrap();
    assert!(small.len() < good.len(), "{} {}", small.len(), good.len());
    let made = make("formats", &bytes, &recipe(Some(4000), None, Fit::Inside, Format::Jpeg)).unwrap();
    assert_eq!(image::load_from_memory(&made).unwrap().dimensions(), (320, 200), "nothing is enlarged");
}
