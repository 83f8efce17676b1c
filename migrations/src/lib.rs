//! The tables of a headless CMS, on SQLite and on PostgreSQL: one migration a file, and each file only ever added.
//!
//! You will hardly need this crate by itself, because `cms-storage` runs the migrations when it is asked to open a database. It is a crate of its own so that a
//! change of the tables compiles nothing else, and so that a program can say which tables it knows:
//!
//! ```
//! assert_eq!(cms_migrations::names().next(), Some("m0001_users"));
//! assert_eq!(cms_migrations::names().count(), cms_migrations::NEWEST as usize);
//! ```
//!
//! # What a migration may do
//!
//! Servers of two releases work on one database while it is upgraded. A migration therefore only adds what the release before can do without. One that takes
//! something away comes a release later and is declared as such: programs that still need it are refused from then on. A test reads the statements of
//! every migration and holds it to that.
//!
//! # Where to go on
//!
//! [`Migrator`] hands all of them to sea-orm. `Store::migrate` and `Store::schema_state` of `cms-storage` are what programs call.

#[cfg(test)]
mod contraction;
mod step;

pub use sea_orm_migration::MigratorTrait;
use sea_orm_migration::{MigrationTrait, async_trait::async_trait};

use step::Step;

/// Declares the file of each migration, the oldest first: the number of each is its place.
macro_rules! migrations {
    ($($name:ident,)*) => {
        $(mod $name;)*
        const STEPS: &[Step] = &[$($name::STEP),*];
    };
}

migrations! {
    m0001_users,
    m0002_collections,
    m0003_entries,
    m0004_editing,
    m0005_server,
    m0006_accounts,
    m0007_staff,
    m0008_proofs,
    m0009_oauth_indexes,
    m0010_audit_chain,
    m0011_approval,
    m0012_counts,
    m0013_versions,
    m0014_nodes,
    m0015_upkeep,
    m0016_jobs,
    m0017_followers,
    m0018_domain_changes,
    m0019_files,
    m0020_bulk,
    m0021_recent,
    m0022_views,
    m0023_unpublish_at,
    m0024_watchers,
    m0025_failed_items,
    m0026_calendar,
    m0027_media,
    m0028_media_words,
    m0029_media_usage,
}

/// The number of the newest migration: what this program is to a database.
#[expect(clippy::cast_possible_truncation, reason = "there are never as many")]
pub const NEWEST: u32 = STEPS.len() as u32;

/// The names of the migrations, the oldest first.
pub fn names() -> impl Iterator<Item = &'static str> {
    STEPS.iter().map(Step::name)
}

/// Applies the migrations.
pub struct Migrator;

#[async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        STEPS.iter().map(|step| Box::new(*step) as Box<dyn MigrationTrait>).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_in_a_name_is_the_place_among_the_migrations() {
        for (place, name) in names().enumerate() {
            assert!(name.starts_with(&format!("m{:04}_", place + 1)), "{name} is number {}", place + 1);
        }
    }

    /// Releases before this one had migrations that no check looked at.
    const UNCHECKED: usize = 12;

    #[test]
    fn a_migration_that_takes_something_away_says_so() {
        for step in STEPS.iter().skip(UNCHECKED).filter(|step| !step.contracts()) {
            assert_eq!(
                contraction::found_in(step),
                [""; 0],
                "{}: expand now, and contract one release later, declared as `contracts`",
                step.name()
            );
        }
    }
}
