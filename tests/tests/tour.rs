//! The README's tour, as it stands there, on a machine with nothing but the binary and the clients.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::{fs, os::unix::fs::symlink, process::Command};

use cms_tests::{Site, clients, repository, run};

/// The shell commands of the README's tour, in order.
fn tour() -> String {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let tour = readme.split("## A five-minute tour").nth(1).unwrap().split("\n## ").next().unwrap();
    let blocks: Vec<_> = tour.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap()).collect();
    assert!(blocks.len() > 5, "the tour has become very short");
    blocks.join("\n")
}

#[tokio::test]
async fn the_tour_of_the_readme_works_as_it_stands_there() {
    if !clients() {
        return;
    }
    let site = Site::sqlite();
    let server = site.serve().await;
    let home = site.folder();
    // The folder looks like the repository's root to the tour.
    fs::create_dir_all(home.join("target/release")).unwrap();
    fs::create_dir_all(home.join("tests/fixtures")).unwrap();
    symlink(site.command(&[]).get_program(), home.join("target/release/cms")).unwrap();
    symlink(repository().canonicalize().unwrap().join("tests/node"), home.join("tests/node")).unwrap();
    fs::copy(repository().join("tests/fixtures/articles.ndjson"), home.join("tests/fixtures/articles.ndjson")).unwrap();

    let script = tour().replace("http://127.0.0.1:8080", server.address());
    // The packages are installed already, once for all tests.
    let script = script.lines().filter(|line| !line.starts_with("npm ")).collect::<Vec<_>>().join("\n");
    let said = run(Command::new("bash").args(["-euo", "pipefail", "-c", &script]).current_dir(home));

    assert!(said.contains("79 imported"), "{said}");
    assert!(said.contains("published: From an agent, edited"), "{said}");
    assert!(home.join("site-backup.tar.gz").exists());
    let token = site.run(&["token", "create", "--user", "ada@example.com", "--name", "look", "--scope", "admin"]);
    let client = server.client(&token);
    assert_eq!(client.all("/content/posts").await.len(), 58 + 2);
    let hello = client.get("/content/posts/hello-world").await["item"].clone();
    assert_eq!((&hello["data"]["title"], &hello["hasDraft"]), (&"Hello again".into(), &false.into()));
    drop(server);
    site.must_be_sound();
}
