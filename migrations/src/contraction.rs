//! Tells what in a migration takes something away that programs without it use: the release before works on the tables while they are upgraded.

use sea_orm_migration::sea_orm::DbBackend;

use crate::step::Step;

/// The statements of a migration that programs without it cannot live with. A table that the migration makes itself is nobody's yet.
pub(crate) fn found_in(step: &Step) -> Vec<String> {
    [DbBackend::Sqlite, DbBackend::Postgres].into_iter().flat_map(|backend| found_among(step.statements(backend))).collect()
}

fn found_among(statements: Vec<String>) -> Vec<String> {
    let made: Vec<_> = statements.iter().filter_map(|statement| behind(&words(statement), &["CREATE", "TABLE"])).collect();
    statements.into_iter().filter(|statement| contracts(&words(statement), &made)).collect()
}

fn contracts(words: &[String], made: &[String]) -> bool {
    let has = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window == phrase);
    let on_own_table =
        [behind(words, &["ALTER", "TABLE"]), behind(words, &["ON"])].into_iter().flatten().any(|table| made.contains(&table));
    if has(&["DROP"]) || has(&["RENAME"]) || has(&["TRUNCATE"]) {
        return true;
    }
    // `COLUMN` may be left out.
    let adds = has(&["ADD"]);
    let changes_a_column = words.iter().filter(|word| *word == "ALTER").count() > 1;
    let adds_a_rule = ["CONSTRAINT", "CHECK", "PRIMARY", "FOREIGN", "EXCLUDE"].into_iter().any(|rule| has(&["ADD", rule]));
    let demands_a_value = adds && has(&["NOT", "NULL"]) && !has(&["DEFAULT"]);
    let forbids_repeats = has(&["CREATE", "UNIQUE", "INDEX"]) || (adds && has(&["UNIQUE"]));
    !on_own_table && (changes_a_column || adds_a_rule || demands_a_value || forbids_repeats)
}

/// The word behind a phrase: the table that a statement is about.
fn behind(words: &[String], phrase: &[&str]) -> Option<String> {
    words
        .windows(phrase.len() + 1)
        .find(|window| window.iter().zip(phrase).all(|(word, asked)| word == asked))
        .and_then(|window| window.last().cloned())
}

/// The words of a statement, in capitals.
fn words(statement: &str) -> Vec<String> {
    let separates = |letter: char| !(letter.is_alphanumeric() || letter == '_');
    statement.split(separates).filter(|word| !word.is_empty()).map(str::to_uppercase).collect()
}

fn refuses(statements: &str) -> bool {
    !found_among(statements.split("; ").map(str::to_owned).collect()).is_empty()
}

#[test]
fn what_the_release_before_uses_is_not_taken_away() {
    for statement in [
        "DROP TABLE links",
        "DROP INDEX links_user",
        "ALTER TABLE users DROP COLUMN name",
        "ALTER TABLE users RENAME COLUMN name TO title",
        "ALTER TABLE users RENAME TO people",
        "ALTER TABLE users ALTER COLUMN role TYPE integer",
        "ALTER TABLE users ALTER role SET NOT NULL",
        "ALTER TABLE users ADD COLUMN age integer NOT NULL",
        "ALTER TABLE users ADD COLUMN handle {text} UNIQUE",
        "ALTER TABLE users ADD CONSTRAINT named CHECK (name <> '')",
        "ALTER TABLE users ADD age integer NOT NULL",
        "ALTER TABLE users ADD UNIQUE (name)",
        "ALTER TABLE users ADD CHECK (name <> '')",
        "CREATE UNIQUE INDEX users_name ON users (name)",
        "truncate rate_limits",
    ] {
        assert!(refuses(statement), "{statement}");
    }
}

#[test]
fn what_is_added_is_nothing_to_the_release_before() {
    for statements in [
        "ALTER TABLE users ADD COLUMN age integer",
        "ALTER TABLE users ADD COLUMN age integer NOT NULL DEFAULT 0",
        "CREATE INDEX users_name ON users (name)",
        "CREATE TABLE dropped (id {id} NOT NULL PRIMARY KEY); CREATE UNIQUE INDEX dropped_id ON dropped (id)",
        "CREATE TABLE pets (id {id} NOT NULL); ALTER TABLE pets ADD COLUMN name text NOT NULL",
        "UPDATE users SET welcomed = TRUE",
    ] {
        assert!(!refuses(statements), "{statements}");
    }
}
