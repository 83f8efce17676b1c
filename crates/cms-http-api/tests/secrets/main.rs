//! Where secrets must not be: in what the server writes down for people to read later.
//!
//! These tests have a program of their own: its log is that of the whole process, of every thread and every library.

#![expect(clippy::unwrap_used, reason = "a test fails where a step of it fails")]

#[path = "../sign_in/browser.rs"]
#[expect(dead_code, reason = "others ask it more")]
mod browser;
#[path = "../sign_in/gateway_stand.rs"]
#[expect(dead_code, reason = "others ask it more")]
mod gateway_stand;
#[path = "../sign_in/github_stand.rs"]
mod github_stand;
mod log;
mod mail_server;
mod people;
mod programs;
mod world;

use cms_core::both;
use cms_storage::{AuditFilter, OutboxPosition};
use world::{Secret, World};

/// How many characters of a secret tell what the rest is: 16 of them have 96 bits. A token's beginning is shown on purpose, so that
/// people know which one it is; it has its prefix and four characters.
const PIECE: usize = 16;
const SHOWN: usize = 12;

/// What gives a secret away: itself, its pieces, and the same as an address has it.
fn traces(secret: &Secret) -> Vec<String> {
    let whole = [secret.text.clone(), percent_encoding::utf8_percent_encode(&secret.text, percent_encoding::NON_ALPHANUMERIC).to_string()];
    let rest = secret.text.get(SHOWN..).unwrap_or_default().as_bytes();
    let pieces = rest.chunks_exact(PIECE).map(|piece| String::from_utf8_lossy(piece).into_owned());
    whole.into_iter().chain(pieces).collect()
}

both! {
    async fn no_secret_is_in_the_log_in_the_audit_log_or_among_the_events(app: TestApp) {
        let log = log::of_this_process();
        let mut world = World::open(&app).await;
        world.sets_up().await;
        world.invites().await;
        world.sends_links().await;
        world.signs_up().await;
        world.changes_its_address().await;
        world.signs_in_with_a_passkey().await;
        world.signs_in_at_a_provider().await;
        world.comes_through_a_gateway().await;
        world.has_a_mail_server_that_refuses_its_password().await;
        world.makes_a_token().await;
        world.lets_an_application_in().await;
        world.lets_a_device_in().await;
        world.shows_a_preview().await;
        world.puts_secrets_where_they_do_not_belong().await;
        app.settle().await.unwrap();

        let audit = app.store().reader().audit().list(&AuditFilter::default(), 1000).await.unwrap();
        let events = app.store().reader().outbox().read_after(OutboxPosition::default(), 1000).await.unwrap();
        assert!(audit.len() > 20 && events.len() > 5, "nothing happened: {} lines, {} events", audit.len(), events.len());
        let written = [("the log", log.text()), ("the audit log", format!("{audit:#?}")), ("the outbox", format!("{events:#?}"))];
        // What would be a secret if it were one is found: addresses are logged, and so is what the libraries say.
        for logged in ["/_cms/api/auth/magic-link/verify", "/_cms/api/preview/{token}", "magic_link.verify", "hyper"] {
            let logged = Secret { what: "log itself", text: logged.to_owned() };
            assert!(traces(&logged).iter().any(|trace| written[0].1.contains(trace)), "nothing is logged of {}", logged.text);
        }
        for secret in &world.secrets {
            for trace in traces(secret) {
                for (place, text) in &written {
                    let line = text.lines().find(|line| line.contains(&trace));
                    assert_eq!(line, None, "{place} has the {}, or a piece of it: {trace}", secret.what);
                }
            }
        }
    }
}
