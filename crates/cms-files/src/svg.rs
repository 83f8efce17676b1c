//! SVG without anything that acts.

/// A larger drawing is refused: cleaning reads all of it.
pub const MOST_SVG_BYTES: usize = 4 * 1024 * 1024;

/// Why a drawing was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SvgRefused {
    /// It has too many bytes.
    #[error("a drawing has at most {MOST_SVG_BYTES} bytes")]
    TooLarge,
    /// It is no SVG, or one that nobody can read.
    #[error("the drawing cannot be read: {0}")]
    Broken(String),
}

/// The same drawing without anything that acts.
pub fn sanitize_svg(bytes: &[u8]) -> Result<Vec<u8>, SvgRefused> {
    if bytes.len() > MOST_SVG_BYTES {
        return Err(SvgRefused::TooLarge);
    }
    let mut clean = Vec::new();
    svg_hush::Filter::new().filter(bytes, &mut clean).map_err(|error| SvgRefused::Broken(error.to_string()))?;
    Ok(clean)
}
