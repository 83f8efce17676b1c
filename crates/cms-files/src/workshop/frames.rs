//! Whether a GIF has more than one frame, without decoding any.

/// Whether there is a second frame. What is cut off has none there.
pub(super) fn has_two(gif: &[u8]) -> bool {
    count(gif).is_some()
}

/// Steps from block to block until the second frame begins. `None` when there is none.
fn count(gif: &[u8]) -> Option<()> {
    const HEADER: usize = 13;
    let mut at = HEADER + table(*gif.get(10)?);
    let mut frames = 0;
    loop {
        match *gif.get(at)? {
            // A frame: where it is, its own colours, and its data.
            0x2c => {
                frames += 1;
                if frames == 2 {
                    return Some(());
                }
                at = blocks(gif, at + 11 + table(*gif.get(at + 9)?))?;
            }
            // What stands beside frames.
            0x21 => at = blocks(gif, at + 2)?,
            _ => return None,
        }
    }
}

/// How long a table of colours is, by the flags that announce it.
fn table(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// Where blocks of data end that each begin with their length.
fn blocks(gif: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let length = usize::from(*gif.get(at)?);
        at += 1 + length;
        if length == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use image::{Delay, Frame, RgbaImage, codecs::gif::GifEncoder};
    use proptest::prelude::*;

    use super::*;

    fn gif(frames: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = GifEncoder::new(&mut bytes);
        for frame in 0..frames {
            let colour = u8::try_from(frame * 90).expect("few frames");
            let pixels = RgbaImage::from_pixel(40, 30, image::Rgba([colour, 10, 20, 255]));
            encoder.encode_frame(Frame::from_parts(pixels, 0, 0, Delay::from_numer_denom_ms(100, 1))).expect("a frame");
        }
        drop(encoder);
        bytes
    }

    #[test]
    fn a_second_frame_is_found() {
        assert!(!has_two(&gif(1)));
        assert!(has_two(&gif(2)));
        assert!(has_two(&gif(3)));
        let all = gif(2);
        assert!((0..all.len() / 2).all(|end| !has_two(&all[..end])), "what is cut off has no second frame");
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_strange(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            has_two(&bytes);
            has_two(&[b"GIF89a", &bytes[..]].concat());
        }
    }
}
