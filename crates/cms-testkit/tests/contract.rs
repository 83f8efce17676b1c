//! What callers rely on and nobody changes by accident: who may do what, and the codes of failures.

use cms_core::Code;
use cms_testkit::access_matrix;

#[test]
fn who_may_do_what_is_this_table() {
    insta::assert_snapshot!("access_matrix", access_matrix(&cms_core::built_in()));
}

#[test]
fn the_codes_of_failures_are_these() {
    let lines: Vec<_> =
        Code::ALL.iter().map(|code| format!("{:<26}{:<16}{}", code.as_str(), format!("{:?}", code.kind()), code.message())).collect();
    insta::assert_snapshot!("errors", lines.join("\n"));
}

#[test]
fn no_two_failures_share_a_code() {
    let mut texts: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), Code::ALL.len());
}
