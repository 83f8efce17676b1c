//! How large a picture becomes, and what of it is cut off.

use super::{Fit, Recipe};

/// No side of what is made is longer: WebP has no more than twice of it, and AVIF takes minutes.
pub(super) const MOST_SIDE_MADE: u32 = 8_192;

/// A part of a picture, and the size that it becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) to: (u32, u32),
}

impl Cut {
    /// What a recipe makes of a picture of this size, as it is displayed. Nothing is ever enlarged.
    pub(super) fn of(recipe: &Recipe, (width, height): (u32, u32)) -> Self {
        let (whole_width, whole_height) = (f64::from(width), f64::from(height));
        let asked = |side: Option<u32>| side.map(|side| f64::from(side.clamp(1, MOST_SIDE_MADE)));
        match (recipe.fit, asked(recipe.width), asked(recipe.height)) {
            (Fit::Cover, Some(asked_width), Some(asked_height)) => {
                // As much of the picture as has the shape that was asked for.
                let scale = (whole_width / asked_width).min(whole_height / asked_height);
                let (cut_width, cut_height) = (asked_width * scale, asked_height * scale);
                let smaller = scale.min(1.);
                let place = |focal: f32, whole: f64, cut: f64| {
                    f64::from(focal.clamp(0., 1.)).mul_add(whole, -cut / 2.).clamp(0., (whole - cut).max(0.))
                };
                Self {
                    left: place(recipe.focal.0, whole_width, cut_width),
                    top: place(recipe.focal.1, whole_height, cut_height),
                    width: cut_width.min(whole_width),
                    height: cut_height.min(whole_height),
                    to: (rounded(asked_width * smaller), rounded(asked_height * smaller)),
                }
            }
            (_, asked_width, asked_height) => {
                let most = f64::from(MOST_SIDE_MADE);
                let scale = (asked_width.unwrap_or(most) / whole_width).min(asked_height.unwrap_or(most) / whole_height).min(1.);
                Self {
                    left: 0.,
                    top: 0.,
                    width: whole_width,
                    height: whole_height,
                    to: (rounded(whole_width * scale), rounded(whole_height * scale)),
                }
            }
        }
    }
}

/// A side has one pixel at least.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sides are between 1 and the longest that there is")]
fn rounded(side: f64) -> u32 {
    side.round().max(1.) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::Format, *};

    fn recipe(width: Option<u32>, height: Option<u32>, fit: Fit, focal: (f32, f32)) -> Recipe {
        Recipe { width, height, fit, focal, format: Format::Webp, quality: 80 }
    }

    fn size(width: Option<u32>, height: Option<u32>, fit: Fit, of: (u32, u32)) -> (u32, u32) {
        Cut::of(&recipe(width, height, fit, (0.5, 0.5)), of).to
    }

    #[test]
    fn a_picture_fits_inside_of_what_was_asked_for() {
        assert_eq!(size(Some(100), None, Fit::Inside, (400, 200)), (100, 50));
        assert_eq!(size(None, Some(100), Fit::Inside, (400, 200)), (200, 100));
        assert_eq!(size(Some(100), Some(100), Fit::Inside, (400, 200)), (100, 50));
        assert_eq!(size(None, None, Fit::Inside, (400, 200)), (400, 200));
        assert_eq!(size(Some(100), None, Fit::Cover, (400, 200)), (100, 50), "one side alone cuts nothing off");
        assert_eq!(size(Some(1), Some(1), Fit::Inside, (30_000, 3)), (1, 1));
        assert_eq!(size(None, None, Fit::Inside, (30_000, 300)), (8_192, 82));
    }

    #[test]
    fn nothing_is_enlarged() {
        assert_eq!(size(Some(800), Some(800), Fit::Inside, (400, 200)), (400, 200));
        assert_eq!(size(Some(800), Some(800), Fit::Cover, (400, 200)), (200, 200));
    }

    #[test]
    fn what_is_cut_off_is_far_from_the_focal_point() {
        let cut = |focal| Cut::of(&recipe(Some(100), Some(100), Fit::Cover, focal), (400, 200));
        assert_eq!(cut((0.5, 0.5)), Cut { left: 100., top: 0., width: 200., height: 200., to: (100, 100) });
        let left = |focal, left| assert_eq!(cut(focal), Cut { left, top: 0., width: 200., height: 200., to: (100, 100) });
        left((0., 0.), 0.);
        left((1., 1.), 200.);
        left((-7., 7.), 0.);
    }

    proptest! {
        #[test]
        fn a_cut_lies_within_its_picture(
            width in proptest::option::of(0..40_000_u32), height in proptest::option::of(0..40_000_u32), cover: bool, x in -1.0..2.0_f32, y in -1.0..2.0_f32,
            of in (1..30_000_u32, 1..30_000_u32),
        ) {
            let fit = if cover { Fit::Cover } else { Fit::Inside };
            let cut = Cut::of(&recipe(width, height, fit, (x, y)), of);
            prop_assert!(cut.left >= 0. && cut.top >= 0. && cut.width > 0. && cut.height > 0.);
            prop_assert!(cut.left + cut.width <= f64::from(of.0) + 1e-6 && cut.top + cut.height <= f64::from(of.1) + 1e-6);
            prop_assert!(cut.to.0 >= 1 && cut.to.1 >= 1 && cut.to.0 <= of.0.min(MOST_SIDE_MADE) && cut.to.1 <= of.1.min(MOST_SIDE_MADE));
        }
    }
}
