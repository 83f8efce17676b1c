//! Migrations: the tables, on SQLite and on PostgreSQL. Only ever added to.

mod dialect;
mod m0001_users;
mod m0002_collections;
mod m0003_entries;
mod m0004_editing;
mod m0005_server;
mod m0006_accounts;
mod m0007_staff;
mod m0008_proofs;
mod m0009_oauth_indexes;
mod m0010_audit_chain;
mod m0011_approval;
mod m0012_counts;

pub use sea_orm_migration::{MigrationStatus, MigratorTrait};
use sea_orm_migration::{MigrationTrait, async_trait::async_trait};

/// Every migration, the oldest first.
pub struct Migrator;

#[async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_users::Migration),
            Box::new(m0002_collections::Migration),
            Box::new(m0003_entries::Migration),
            Box::new(m0004_editing::Migration),
            Box::new(m0005_server::Migration),
            Box::new(m0006_accounts::Migration),
            Box::new(m0007_staff::Migration),
            Box::new(m0008_proofs::Migration),
            Box::new(m0009_oauth_indexes::Migration),
            Box::new(m0010_audit_chain::Migration),
            Box::new(m0011_approval::Migration),
            Box::new(m0012_counts::Migration),
        ]
    }
}
