//! Hooks: what the blog says of a post before it is saved, and what it does after one was published or liked.

use std::sync::{Arc, Mutex, PoisonError};

use cms_core::{
    descriptor::Pending,
    hooks::{After, Before, HookError, Proposal, Verdict},
};
use serde_json::{Map, Value, json};

/// How many words people read in a minute.
const WORDS_A_MINUTE: usize = 200;

/// Refuses titles in capital letters.
pub struct NoShouting;

impl Before for NoShouting {
    fn run<'a>(&'a self, proposal: &'a Proposal) -> Pending<'a, Result<Verdict, HookError>> {
        Box::pin(async move {
            let title = text(proposal, "/content/data/title");
            if title.chars().any(char::is_lowercase) || !title.chars().any(char::is_uppercase) {
                return Ok(Verdict::Pass);
            }
            Ok(Verdict::Refuse { code: "BLOG_SHOUTING".to_owned(), message: "write the title in small letters, too".to_owned() })
        })
    }
}

/// Computes how long a post takes to read.
pub struct ReadingTime;

impl Before for ReadingTime {
    fn run<'a>(&'a self, proposal: &'a Proposal) -> Pending<'a, Result<Verdict, HookError>> {
        Box::pin(async move {
            let words = text(proposal, "/content/data/body").split_whitespace().count();
            let minutes = words.div_ceil(WORDS_A_MINUTE).max(1);
            Ok(Verdict::Patch(Map::from_iter([("minutes".to_owned(), json!(minutes))])))
        })
    }
}

/// Tells the blog's people of each post that is published.
pub struct Announce(pub Board);

impl After for Announce {
    fn run<'a>(&'a self, change: &'a Proposal) -> Pending<'a, Result<(), HookError>> {
        Box::pin(async move {
            self.0.post(format!("published: {}", text(change, "/content/data/title")));
            Ok(())
        })
    }
}

/// Tells the blog's people of each like.
pub struct Thank(pub Board);

impl After for Thank {
    fn run<'a>(&'a self, change: &'a Proposal) -> Pending<'a, Result<(), HookError>> {
        Box::pin(async move {
            self.0.post(format!("liked: {}", text(change, "/details/slug")));
            Ok(())
        })
    }
}

/// Where the blog's people read what happened. In the place of this one, a program would write to a chat room, or to a table of its own.
#[derive(Clone, Default)]
pub struct Board(Arc<Mutex<Vec<String>>>);

impl Board {
    fn post(&self, notice: String) {
        tracing::info!(notice, "for the board");
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(notice);
    }

    /// What was posted, the oldest first.
    pub fn notices(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The text at a place of what a hook is told; none is as good as an empty one.
fn text<'a>(told: &'a Proposal, pointer: &str) -> &'a str {
    let mut path = pointer.split('/').skip(1);
    let first = path.next().and_then(|name| told.get(name));
    path.fold(first, |value, name| value?.get(name)).and_then(Value::as_str).unwrap_or_default()
}
