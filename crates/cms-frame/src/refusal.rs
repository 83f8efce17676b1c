//! One line of the log for each request that was refused, for operators and for programs such as fail2ban.
//!
//! The line is a contract: its target and its message are `refused`, and its fields keep their names and their order, which
//! `docs/security-log.md` tells. Nothing in it is a secret, and nothing of what a caller sent stands in it as it came.

use cms_domain::id::UserId;

use crate::{Client, Code, Error, Kind};

/// What a line says of a request that asked for no operation.
pub const NO_OPERATION: &str = "none";

/// The target of the lines, by which a filter of the log names them.
const TARGET: &str = "refused";
/// How much of what a program calls itself is told, in characters: browsers need 120 or so, and lines stay lines.
const MAX_AGENT: usize = 160;

/// Tells that an operation was refused, if what failed is a proof of identity, a permission or a limit. `user` is who asked, where that
/// was proven. Each door calls this once for a request that it answers with a failure.
pub fn tell(client: &Client, user: Option<UserId>, operation: &str, error: &Error) {
    if is_told(error.code()) {
        write(client, user, operation, error.code().as_str());
    }
}

/// Whether a failure is one that somebody who tries what they may not would meet.
fn is_told(code: Code) -> bool {
    matches!(code.kind(), Kind::Unauthenticated | Kind::Forbidden | Kind::RateLimited)
        // Links, codes and answers to challenges are credentials too, though those who bring a bad one are told something else.
        || matches!(
            code,
            Code::InvalidLink | Code::TokenExpired | Code::InvalidCode | Code::ExpiredCode | Code::ChallengeExpired | Code::PasskeyRejected
        )
}

/// Writes the line of a refusal that is told in the words of another standard than ours, of which `code` is one.
pub fn write(client: &Client, user: Option<UserId>, operation: &str, code: &str) {
    let address = client.address.map_or_else(|| "unknown".to_owned(), |address| address.to_canonical().to_string());
    let agent = client.agent.as_deref().map(shortened);
    // The line stands alone: what the request's span says in front of others would make its beginning anybody's guess.
    tracing::info!(
        target: TARGET,
        parent: None,
        %address,
        %operation,
        %code,
        request = client.request_id.as_deref().map(tracing::field::display),
        user = user.map(tracing::field::display),
        // Written as a text with its quotes: both forms of the log escape what would end it, or the line.
        agent = agent.as_deref(),
        "refused"
    );
}

/// The beginning of a text, without what steers terminals.
fn shortened(text: &str) -> String {
    let printable = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    let mut cut: String = printable.take(MAX_AGENT).collect();
    if text.chars().nth(MAX_AGENT).is_some() {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_proofs_permissions_and_limits_are_told_and_slips_are_not() {
        for code in
            [Code::InvalidToken, Code::InsufficientScope, Code::CsrfRejected, Code::RateLimited, Code::InvalidLink, Code::TokenExpired]
        {
            assert!(is_told(code), "{code:?}");
        }
        for code in [Code::ValidationError, Code::NotFound, Code::Conflict, Code::InternalError, Code::Busy] {
            assert!(!is_told(code), "{code:?}");
        }
    }

    #[test]
    fn what_a_program_calls_itself_is_cut_and_steers_nothing() {
        assert_eq!(shortened("curl\n\u{1b}[2J"), "curl  [2J");
        let cut = shortened(&"x".repeat(1000));
        assert_eq!(cut.chars().count(), MAX_AGENT + 1);
        assert!(cut.ends_with('…'));
    }
}
