//! Signing in at a provider of OpenID Connect that others wrote.

use std::process::Stdio;

use cms_tests::{Site, clients, repository};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    process::Command,
};

#[tokio::test]
async fn an_unmodified_provider_signs_in_whoever_it_verified_and_nobody_else() {
    if !clients() {
        return;
    }
    let folder = repository().join("tests/node");
    let mut command = Command::new("node");
    command.arg("oidc.mjs").current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut provider = command.spawn().unwrap();
    let mut said = BufReader::new(provider.stdout.take().unwrap());
    let mut issuer = String::new();
    said.read_line(&mut issuer).await.unwrap();

    let site = Site::sqlite();
    site.run(&["admin", "create", "--email", "ada@example.org", "--name", "Ada"]);
    let config = format!(
        "[providers.oidc.work]\nlabel = \"Work\"\nissuer = \"{}\"\nclient_id = \"cms\"\nclient_secret = \"s3cret\"\n",
        issuer.trim()
    );
    std::fs::write(site.folder().join("cms.toml"), config).unwrap();
    let server = site.serve().await;
    provider.stdin.take().unwrap().write_all(format!("{}\n", server.address()).as_bytes()).await.unwrap();
    let mut rest = String::new();
    said.read_to_string(&mut rest).await.unwrap();
    let login = "/_cms/admin/login?error=";
    let expected = [
        format!("foreign browser: {login}invalid_state as nobody"),
        "signed in: /_cms/admin/content as ada@example.org".to_owned(),
        format!("again: {login}invalid_state"),
        format!("other issuer: {login}invalid_callback as nobody"),
        format!("no issuer: {login}invalid_callback as nobody"),
        format!("made-up code: {login}token_exchange_failed as nobody"),
        format!("unverified: {login}signup_not_allowed as nobody"),
        format!("stranger: {login}signup_not_allowed as nobody"),
    ];
    // The provider's own remarks are between ours.
    let ours: Vec<_> = rest.lines().filter(|line| !line.starts_with("oidc-provider ")).collect();
    assert_eq!(ours, expected);
    let log = std::fs::read_to_string(site.folder().join("server.log")).unwrap();
    assert!(!log.contains("s3cret") && !log.contains("eve@example.org"), "{log}");
}
