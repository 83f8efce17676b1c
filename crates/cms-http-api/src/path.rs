//! Takes path templates apart: `/content/{collection}/{id}` has the names `collection` and `id`.

use cms_frame::operation::name_in;
use percent_encoding::percent_decode_str;

/// What an address has where its template has names, in their order, as it came.
#[derive(Debug, Default)]
pub(crate) struct Parameters(Vec<String>);

impl Parameters {
    /// What a router found in an address.
    pub(crate) fn new(found: &matchit::Params) -> Self {
        Self(found.iter().map(|(_, text)| text.to_owned()).collect())
    }

    /// Each of them decoded; none where that is not UTF-8.
    pub(crate) fn decoded(&self) -> impl Iterator<Item = Option<String>> {
        self.0.iter().map(|text| percent_decode_str(text).decode_utf8().ok().map(Into::into))
    }
}

/// The names in a template, in their order.
pub(crate) fn names(template: &str) -> impl Iterator<Item = &str> {
    template.split('/').filter_map(name_in)
}

/// A template with places instead of names. Two templates that match the same addresses have one shape, whatever their
/// names are.
pub(crate) fn shape(template: &str) -> String {
    let segments = template.split('/').enumerate();
    let places = segments.map(|(place, segment)| if name_in(segment).is_some() { format!("{{{place}}}") } else { segment.to_owned() });
    places.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_of_one_shape_differ_in_names_only() {
        assert_eq!(shape("/a/{x}/b"), "/a/{2}/b");
        assert_eq!(shape("/a/{x}/b"), shape("/a/{y}/b"));
        assert_ne!(shape("/a/{x}/b"), shape("/a/{x}/c"));
        assert_eq!(names("/a/{x}/b/{y}").collect::<Vec<_>>(), ["x", "y"]);
    }
}
