//! The workshop with real children: this program is its own child.

#![expect(clippy::unwrap_used, reason = "a test fails where a step of it fails")]

use std::{
    ffi::OsString,
    fs,
    io::{Cursor, Write},
    process::ExitCode,
    time::Duration,
};

use bytes::Bytes;
use cms_files::{Error, Fit, Format, Kind, Looked, PictureError, Recipe, Workshop};
use futures_util::{
    StreamExt,
    future::join_all,
    stream::{self, BoxStream},
};
use image::{
    Delay, DynamicImage, ExtendedColorType, Frame, GenericImageView, ImageEncoder, Rgb, RgbImage, Rgba, RgbaImage,
    codecs::{gif::GifEncoder, jpeg::JpegEncoder, png::PngEncoder},
    metadata::Orientation,
};
use libtest_mimic::{Arguments, Trial};

/// What the first argument of a child says, and the second who asked for it.
const CHILD: &str = "child-of-the-workshop";

/// A child that never answers.
const HANGING: &str = "child-that-hangs";

fn main() -> ExitCode {
    let first = std::env::args().nth(1);
    match first.as_deref() {
        Some(CHILD) => return cms_files::child(),
        Some(HANGING) => loop {
            std::thread::park();
        },
        _ => {}
    }
    let arguments = Arguments::from_args();
    let tests: Vec<(&str, fn())> = vec![
        ("pictures_are_seen_the_right_way_up", pictures_are_seen_the_right_way_up),
        ("cuts_are_made_from_pictures_as_they_are_displayed", cuts_are_made_from_pictures_as_they_are_displayed),
        ("a_focal_point_that_is_no_number_is_the_middle", a_focal_point_that_is_no_number_is_the_middle),
        ("transparency_is_kept", transparency_is_kept),
        ("profiles_become_srgb", profiles_become_srgb),
        ("nothing_beside_the_pixels_comes_out", nothing_beside_the_pixels_comes_out),
        ("of_a_gif_the_first_frame_is_taken", of_a_gif_the_first_frame_is_taken),
        ("of_an_animated_webp_the_first_frame_is_taken", of_an_animated_webp_the_first_frame_is_taken),
        ("a_look_says_what_a_picture_is", a_look_says_what_a_picture_is),
        ("each_format_is_made_in_the_size_that_was_asked_for", each_format_is_made_in_the_size_that_was_asked_for),
        ("a_header_that_says_too_much_is_believed_and_refused", a_header_that_says_too_much_is_believed_and_refused),
        ("a_bomb_beside_the_pixels_harms_nobody", a_bomb_beside_the_pixels_harms_nobody),
        ("pictures_that_are_cut_off_are_broken", pictures_that_are_cut_off_are_broken),
        ("what_is_no_picture_is_unsupported", what_is_no_picture_is_unsupported),
        ("bytes_that_do_not_come_are_not_the_pictures_fault", bytes_that_do_not_come_are_not_the_pictures_fault),
        ("a_child_that_hangs_is_killed", a_child_that_hangs_is_killed),
        ("whoever_goes_away_takes_the_child_along", whoever_goes_away_takes_the_child_along),
        ("a_child_takes_limits_upon_itself", a_child_takes_limits_upon_itself),
        ("twenty_at_once_leave_no_child_behind", twenty_at_once_leave_no_child_behind),
        ("a_program_that_is_no_workshop_is_found_out", a_program_that_is_no_workshop_is_found_out),
    ];
    let trials = tests.into_iter().map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// A workshop whose children can be told from those of other tests.
fn workshop(name: &str) -> Workshop {
    started(CHILD, name, 2)
}

fn started(first: &str, name: &str, at_once: usize) -> Workshop {
    Workshop::new(std::env::current_exe().unwrap(), [first, name].map(OsString::from).to_vec(), at_once)
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(work)
}

fn pieces(bytes: &[u8]) -> BoxStream<'static, Result<Bytes, Error>> {
    let pieces: Vec<_> = bytes.chunks(10_000).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
    stream::iter(pieces).boxed()
}

fn look(name: &str, bytes: &[u8]) -> Result<Looked, PictureError> {
    run(workshop(name).look(pieces(bytes), bytes.len() as u64))
}

fn make(name: &str, bytes: &[u8], recipe: &Recipe) -> Result<Vec<u8>, PictureError> {
    run(workshop(name).make(pieces(bytes), bytes.len() as u64, recipe))
}

fn recipe(width: Option<u32>, height: Option<u32>, fit: Fit, format: Format) -> Recipe {
    Recipe { width, height, fit, focal: (0.5, 0.5), format, quality: 90 }
}

const WHOLE_PNG: Recipe = Recipe { width: None, height: None, fit: Fit::Inside, focal: (0.5, 0.5), format: Format::Png, quality: 90 };

/// Four quarters of different colours.
fn quarters() -> RgbImage {
    RgbImage::from_fn(96, 64, |x, y| match (x < 48, y < 32) {
        (true, true) => Rgb([220, 20, 20]),
        (false, true) => Rgb([20, 200, 20]),
        (true, false) => Rgb([20, 20, 220]),
        (false, false) => Rgb([220, 220, 20]),
    })
}

fn low(number: u32) -> u8 {
    number.to_le_bytes()[0]
}

fn png(pixels: &RgbImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes).write_image(pixels, pixels.width(), pixels.height(), ExtendedColorType::Rgb8).unwrap();
    bytes
}

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

fn pictures_are_seen_the_right_way_up() {
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

fn cuts_are_made_from_pictures_as_they_are_displayed() {
    for orientation in 1..=8 {
        let bytes = jpeg_turned(orientation);
        let expected = displayed(orientation);
        for focal in [(0., 0.), (1., 0.), (0., 1.), (1., 1.)] {
            let (width, height) = expected.dimensions();
            // Long and narrow: one half is cut off.
            let recipe = if width > height { recipe(Some(8), Some(32), Fit::Cover, Format::Png) } else { recipe(Some(32), Some(8), Fit::Cover, Format::Png) };
            let made = image::load_from_memory(&make("cut", &bytes, &Recipe { focal, ..recipe }).unwrap()).unwrap();
            assert_eq!(Some(made.width()), recipe.width);
            let far = |at: f32, side: u32, edge: u32| if at > 0.5 { side - 1 - edge } else { edge };
            let found = made.get_pixel(far(focal.0, made.width(), 1), far(focal.1, made.height(), 1));
            let wanted = expected.get_pixel(far(focal.0, width, 4), far(focal.1, height, 4));
            assert!(near(found, wanted), "{orientation} around {focal:?}: {found:?} {wanted:?}");
        }
    }
}

fn a_focal_point_that_is_no_number_is_the_middle() {
    let bytes = png(&quarters());
    let cover = recipe(Some(32), Some(8), Fit::Cover, Format::Png);
    let made = make("no number", &bytes, &Recipe { focal: (f32::NAN, f32::INFINITY), ..cover }).unwrap();
    assert_eq!(made, make("no number", &bytes, &cover).unwrap());
}

fn transparency_is_kept() {
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

fn profiles_become_srgb() {
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

fn nothing_beside_the_pixels_comes_out() {
    let bytes = jpeg_turned(1);
    let has = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
    assert!(has(&bytes, b"13.4050E"));
    for format in [Format::Jpeg, Format::Webp, Format::Png, Format::Avif] {
        let made = make("beside", &bytes, &recipe(Some(48), None, Fit::Inside, format)).unwrap();
        assert!(!has(&made, b"13.4050E") && !has(&made, b"Exif"), "{format:?}");
    }
}

fn of_a_gif_the_first_frame_is_taken() {
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

fn of_an_animated_webp_the_first_frame_is_taken() {
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

fn a_look_says_what_a_picture_is() {
    let looked = look("look", &png(&quarters())).unwrap();
    assert_eq!((looked.width, looked.height, looked.animated, looked.has_alpha), (96, 64, false, false));
    assert!(looked.dominant.iter().zip([120, 115, 70]).all(|(colour, mean)| colour.abs_diff(mean) < 4), "{:?}", looked.dominant);
    let thumbhash = looked.thumbhash.unwrap();
    let aspect = thumbhash::thumb_hash_to_approximate_aspect_ratio(&thumbhash).unwrap();
    assert!((aspect - 1.5).abs() < 0.3, "{aspect}");
    let small = blurhash::decode(&looked.blurhash.unwrap(), 12, 8, 1.).unwrap();
    assert!(small[0] > small[2], "red is at the top left");
}

fn each_format_is_made_in_the_size_that_was_asked_for() {
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

fn a_header_that_says_too_much_is_believed_and_refused() {
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

fn a_bomb_beside_the_pixels_harms_nobody() {
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

fn pictures_that_are_cut_off_are_broken() {
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

fn what_is_no_picture_is_unsupported() {
    for bytes in [&b"%PDF-1.7"[..], b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"BM\0\0\0\0", b"II*\0", b"x"] {
        let looked = look("unsupported", bytes);
        assert!(matches!(looked, Err(PictureError::Unsupported)), "{looked:?}");
    }
}

fn bytes_that_do_not_come_are_not_the_pictures_fault() {
    let bytes = png(&quarters());
    let size = bytes.len() as u64;
    let fewer = run(workshop("bytes").look(pieces(&bytes[..50]), size));
    assert!(matches!(fewer, Err(PictureError::Machine(_))), "{fewer:?}");
    let more = run(workshop("bytes").look(pieces(&bytes), size - 1));
    assert!(matches!(more, Err(PictureError::Machine(_))), "{more:?}");
    let fails = stream::iter([Ok(Bytes::copy_from_slice(&bytes[..50])), Err(Error::Unavailable("gone".to_owned()))]);
    let failed = run(workshop("bytes").look(fails, size));
    assert!(matches!(failed, Err(PictureError::Machine(ref why)) if why.contains("gone")), "{failed:?}");
}

/// The processes that were started with a name, as their ids.
fn children(name: &str) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let named = |id: &u32| fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| line.split(|byte| *byte == 0).any(|part| part == name.as_bytes()));
    processes.filter(named).collect()
}

/// Waits until something is so. Nothing depends on how long it takes, apart from a test that fails.
async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..3_000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what} has not happened");
}

/// Waits until these processes are gone: not even their exit status is waited for.
async fn until_gone(ids: &[u32]) {
    until("the end of the children", || ids.iter().all(|id| !fs::exists(format!("/proc/{id}")).unwrap())).await;
}

fn a_child_that_hangs_is_killed() {
    let bytes = png(&quarters());
    let workshop = started(HANGING, "one that hangs", 1).within(Duration::from_millis(300));
    run(async {
        let looked = workshop.look(pieces(&bytes), bytes.len() as u64).await;
        assert!(matches!(looked, Err(PictureError::Died)), "{looked:?}");
        assert!(children("one that hangs").is_empty());
        // It takes nothing of a large picture either.
        let large = vec![0; 1024 * 1024];
        let looked = workshop.look(pieces(&large), large.len() as u64).await;
        assert!(matches!(looked, Err(PictureError::Died)), "{looked:?}");
        assert!(children("one that hangs").is_empty());
    });
}

fn whoever_goes_away_takes_the_child_along() {
    run(async {
        let workshop = started(CHILD, "one that waits", 1);
        let waiting = tokio::spawn({
            let workshop = workshop.clone();
            async move { workshop.look(stream::pending().boxed(), 100).await }
        });
        until("the beginning of a child", || !children("one that waits").is_empty()).await;
        let ids = children("one that waits");
        waiting.abort();
        assert!(waiting.await.unwrap_err().is_cancelled());
        until_gone(&ids).await;
        let bytes = png(&quarters());
        assert!(workshop.look(pieces(&bytes), bytes.len() as u64).await.is_ok(), "its place is free again");
    });
}

fn a_child_takes_limits_upon_itself() {
    run(async {
        let workshop = started(CHILD, "one with limits", 1);
        let waiting = tokio::spawn(async move { workshop.look(stream::pending().boxed(), 100).await });
        let limits = || children("one with limits").first().and_then(|id| fs::read_to_string(format!("/proc/{id}/limits")).ok()).unwrap_or_default();
        let of = |name: &str| {
            let line = limits().lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
            line[name.len().min(line.len())..].split_whitespace().take(2).map(str::to_owned).collect::<Vec<_>>()
        };
        until("limits on core dumps", || of("Max core file size") == ["0", "0"]).await;
        for (name, most) in [("Max address space", "3221225472"), ("Max cpu time", "25"), ("Max open files", "0"), ("Max file size", "0")] {
            assert_eq!(of(name), [most, most], "{name}");
        }
        waiting.abort();
    });
}

fn twenty_at_once_leave_no_child_behind() {
    let bytes = png(&quarters());
    let workshop = started(CHILD, "one of twenty", 2);
    run(async {
        let most = std::sync::atomic::AtomicUsize::new(0);
        let counted = async {
            loop {
                most.fetch_max(children("one of twenty").len(), std::sync::atomic::Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let looked = join_all((0..20).map(|_| workshop.look(pieces(&bytes), bytes.len() as u64)));
        let looked = tokio::select! {
            looked = looked => looked,
            () = counted => unreachable!(),
        };
        assert!(looked.iter().all(|looked| looked.as_ref().is_ok_and(|looked| looked.width == 96)), "{looked:?}");
        assert!(most.into_inner() <= 2);
        assert!(children("one of twenty").is_empty());
    });
}

fn a_program_that_is_no_workshop_is_found_out() {
    let bytes = png(&quarters());
    for (program, arguments) in [("/nowhere/at/all", vec![]), ("/bin/cat", vec![]), ("/bin/true", vec![]), ("/bin/echo", vec![OsString::from("hello")])] {
        let looked = run(Workshop::new(program.into(), arguments, 1).look(pieces(&bytes), bytes.len() as u64));
        assert!(matches!(looked, Err(PictureError::Machine(_))), "{program}: {looked:?}");
    }
}
