//! List the tasks of all servers.

use cms_domain::{
    access::{Access, Permission, Scope},
    time::Timestamp,
};
use cms_frame::{
    Cx, Error,
    operation::{Http, Operation, Tool},
};
use cms_storage::{Follower, TaskState};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tasks::driver::MISSED_AFTER;

/// List what each server does again and again, and how it goes.
///
/// Every server publishes what is due, builds indexes, prunes and follows the others. One that stopped in order is not listed; one that was killed is,
/// for a day. Hooks of a host that are told of changes are listed like tasks without a server of their own.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListTasks {}

/// The tasks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TaskList {
    /// The tasks, by server and name.
    pub items: Vec<TaskView>,
}

/// How a task is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    /// It ended well the last time.
    Well,
    /// It failed the last time, and is tried again.
    Failing,
    /// Nothing was heard of its server for five minutes.
    Missed,
}

/// A task of a server.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskView {
    /// The server, which is named anew whenever it starts. Empty for a hook of the host: one server at a time tells it what happened.
    pub node: String,
    /// The task, or the id of the hook.
    pub name: String,
    /// How it is doing.
    pub health: Health,
    /// When it last began, as far as was noted: a task that goes well is noted once a minute.
    pub last_started_at: Option<Timestamp>,
    /// When it last ended well.
    pub last_succeeded_at: Option<Timestamp>,
    /// Why it last failed; null once it has ended well again.
    pub last_error: Option<String>,
    /// How often in a row it failed.
    pub attempts: i32,
}

impl TaskView {
    fn of(task: TaskState, now: Timestamp) -> Self {
        let heard = task.last_finished_at.max(task.last_started_at);
        let health = if heard.is_none_or(|heard| heard < now.before(MISSED_AFTER)) {
            Health::Missed
        } else if task.last_error.is_some() {
            Health::Failing
        } else {
            Health::Well
        };
        Self {
            node: task.node,
            name: task.name,
            health,
            last_started_at: task.last_started_at,
            last_succeeded_at: task.last_succeeded_at,
            last_error: task.last_error,
            attempts: task.attempts,
        }
    }
}

impl From<Follower> for TaskView {
    fn from(hook: Follower) -> Self {
        Self {
            node: String::new(),
            name: hook.id,
            health: if hook.error.is_some() { Health::Failing } else { Health::Well },
            last_started_at: Some(hook.moved_at),
            last_succeeded_at: Some(hook.moved_at),
            last_error: hook.error,
            attempts: hook.attempts,
        }
    }
}

impl Operation for ListTasks {
    const ID: &'static str = "jobs.list_tasks";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::JobsManage);
    const HTTP: Http = Http::get("listTasks", "/admin/tasks");
    const TOOL: Tool = Tool::Read;
    type Output = TaskList;

    async fn run(self, cx: &mut Cx<'_>) -> Result<TaskList, Error> {
        let now = cx.now();
        let mut tasks = cx.read().tasks().all().await?;
        tasks.sort_by(|one, other| (&one.node, &one.name).cmp(&(&other.node, &other.name)));
        let hooks = cx.read().followers().all().await?;
        let tasks = tasks.into_iter().map(|task| TaskView::of(task, now));
        Ok(TaskList { items: hooks.into_iter().map(TaskView::from).chain(tasks).collect() })
    }
}
