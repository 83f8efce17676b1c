//! The id under which the log tells of a request: taken over from the caller, or made.

use std::sync::{
    LazyLock,
    atomic::{AtomicU64, Ordering},
};

/// The longest id that is taken over from a caller.
const MAX_LENGTH: usize = 128;

/// Whether an id that a caller sent can stand in a header and in the log.
pub fn is_well_formed(id: &[u8]) -> bool {
    (1..=MAX_LENGTH).contains(&id.len()) && id.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte))
}

/// A new id: well-formed, and made by no other process.
pub fn make() -> String {
    /// Tells this process from others and from its earlier runs. Without chance the ids still differ within the process,
    /// and that is all that an answer needs.
    static PROCESS: LazyLock<u64> = LazyLock::new(|| cms_auth::token::random::<8>().map(u64::from_be_bytes).unwrap_or_default());
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{:016x}-{:x}", *PROCESS, NEXT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_is_well_formed_and_made_once() {
        let (one, two) = (make(), make());
        assert!(is_well_formed(one.as_bytes()) && is_well_formed(two.as_bytes()));
        assert_ne!(one, two);
    }

    #[test]
    fn what_could_break_a_header_or_a_line_of_the_log_is_not_well_formed() {
        let (longest, too_long) = ("x".repeat(MAX_LENGTH), "x".repeat(MAX_LENGTH + 1));
        assert!(["1", "a.B_c-9", &longest].iter().all(|id| is_well_formed(id.as_bytes())));
        assert!(!["", "a b", "a/b", "<b>", "a\n", "ä", &too_long].iter().any(|id| is_well_formed(id.as_bytes())));
    }
}
