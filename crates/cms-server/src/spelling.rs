//! What somebody may have meant who spelled a name almost right.

/// How alike two names are that may be misspellings of each other, from 0 to 1 (Jaro).
const ALIKE: f64 = 0.8;

/// The name that is most like another one, if any is alike.
pub(crate) fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let alike = known.into_iter().map(|known| (strsim::jaro(name, known), known)).filter(|(alike, _)| *alike >= ALIKE);
    alike.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, known)| known)
}

/// The same as a question to put behind what is wrong.
pub(crate) fn did_you_mean<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    nearest(name, known).map(|known| format!(": did you mean `{known}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_meant_if_it_is_near() {
        let known = ["content.list", "content.get", "user.list"];
        assert_eq!(nearest("content.lst", known), Some("content.list"));
        assert_eq!(nearest("weather", known), None);
        assert_eq!(did_you_mean("user.lists", known), ": did you mean `user.list`?");
    }
}
