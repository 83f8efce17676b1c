//! Journeys over the built program. They are one program themselves: each of many would take as long to link as all of them.

mod agents;
mod answers;
mod browser;
mod contention;
mod contract;
mod crashes;
mod following;
mod imports;
mod jobs;
mod mail;
mod memory;
mod nodes;
mod oauth;
mod oidc;
mod operations;
mod pressure;
mod torture;
mod tour;
mod upgrades;
