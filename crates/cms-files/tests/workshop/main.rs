//! The workshop with real children: this program is its own child.

#![expect(clippy::unwrap_used, reason = "a test fails where a step of it fails")]

mod bombs;
mod children;
mod pictures;

use std::{ffi::OsString, process::ExitCode};

use bytes::Bytes;
use cms_files::{Error, Fit, Format, Looked, PictureError, Recipe, Workshop};
use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};
use image::{ExtendedColorType, ImageEncoder, Rgb, RgbImage, codecs::png::PngEncoder};
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
        ("pictures_are_seen_the_right_way_up", pictures::pictures_are_seen_the_right_way_up),
        ("cuts_are_made_from_pictures_as_they_are_displayed", pictures::cuts_are_made_from_pictures_as_they_are_displayed),
        ("a_focal_point_that_is_no_number_is_the_middle", pictures::a_focal_point_that_is_no_number_is_the_middle),
        ("transparency_is_kept", pictures::transparency_is_kept),
        ("profiles_become_srgb", pictures::profiles_become_srgb),
        ("nothing_beside_the_pixels_comes_out", pictures::nothing_beside_the_pixels_comes_out),
        ("of_a_gif_the_first_frame_is_taken", pictures::of_a_gif_the_first_frame_is_taken),
        ("of_an_animated_webp_the_first_frame_is_taken", pictures::of_an_animated_webp_the_first_frame_is_taken),
        ("a_look_says_what_a_picture_is", pictures::a_look_says_what_a_picture_is),
        ("each_format_is_made_in_the_size_that_was_asked_for", pictures::each_format_is_made_in_the_size_that_was_asked_for),
        ("a_header_that_says_too_much_is_believed_and_refused", bombs::a_header_that_says_too_much_is_believed_and_refused),
        ("a_bomb_beside_the_pixels_harms_nobody", bombs::a_bomb_beside_the_pixels_harms_nobody),
        ("pictures_that_are_cut_off_are_broken", bombs::pictures_that_are_cut_off_are_broken),
        ("what_is_no_picture_is_unsupported", bombs::what_is_no_picture_is_unsupported),
        ("bytes_that_do_not_come_are_not_the_pictures_fault", children::bytes_that_do_not_come_are_not_the_pictures_fault),
        ("a_child_that_hangs_is_killed", children::a_child_that_hangs_is_killed),
        ("whoever_goes_away_takes_the_child_along", children::whoever_goes_away_takes_the_child_along),
        ("a_child_takes_limits_upon_itself", children::a_child_takes_limits_upon_itself),
        ("twenty_at_once_leave_no_child_behind", children::twenty_at_once_leave_no_child_behind),
        ("a_program_that_is_no_workshop_is_found_out", children::a_program_that_is_no_workshop_is_found_out),
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
