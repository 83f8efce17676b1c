//! The life of a job: work that goes on beside requests, step by step, and survives the server that does it.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// It waits for a server that has time, or for its next attempt.
    Queued,
    /// A server does it.
    Running,
    /// Somebody stopped it until they let it go on.
    Paused,
    /// It ended well.
    Done,
    /// It was given up: `error` says why.
    Failed,
    /// Somebody ended it before it was done.
    Cancelled,
}

/// What people do to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobCommand {
    /// Stop it until it is resumed.
    Pause,
    /// Let it go on where it was stopped.
    Resume,
    /// End it.
    Cancel,
    /// Try again from where it failed.
    Retry,
}

impl JobState {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Queued, Self::Running, Self::Paused, Self::Done, Self::Failed, Self::Cancelled];

    /// The state's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing more happens to it by itself.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}

impl JobCommand {
    /// The states in which it can be given.
    pub const fn allowed_in(self) -> &'static [JobState] {
        match self {
            Self::Pause => &[JobState::Queued, JobState::Running],
            Self::Resume => &[JobState::Paused],
            Self::Cancel => &[JobState::Queued, JobState::Running, JobState::Paused],
            Self::Retry => &[JobState::Failed],
        }
    }

    /// The state that it leads to.
    pub const fn leads_to(self) -> JobState {
        match self {
            Self::Pause => JobState::Paused,
            Self::Resume | Self::Retry => JobState::Queued,
            Self::Cancel => JobState::Cancelled,
        }
    }
}

/// The text is not the name of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is no state of a job")]
pub struct JobStateError;

impl FromStr for JobState {
    type Err = JobStateError;

    fn from_str(text: &str) -> Result<Self, JobStateError> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or(JobStateError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_takes_no_command_but_another_try_after_a_failure() {
        for command in [JobCommand::Pause, JobCommand::Resume, JobCommand::Cancel, JobCommand::Retry] {
            assert!(!command.allowed_in().contains(&command.leads_to()), "{command:?} changes something");
            assert!(
                command
                    .allowed_in()
                    .iter()
                    .all(|state| !state.is_over() || (*state, command.leads_to()) == (JobState::Failed, JobState::Queued))
            );
        }
    }

    #[test]
    fn a_states_name_stands_for_it() {
        for state in JobState::ALL {
            assert_eq!(state.as_str().parse(), Ok(state));
            assert_eq!(serde_json::to_value(state).unwrap(), state.as_str());
        }
    }
}
