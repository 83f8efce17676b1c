//! A post box for tests: it keeps every letter, or refuses them all.

use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering},
};

use super::{Delivery, Letter, Mail, MailError};

/// Keeps the letters that a test's system sends.
#[derive(Default)]
pub struct PostBox {
    letters: Mutex<Vec<Letter>>,
    refuses: AtomicBool,
}

impl PostBox {
    /// Refuses letters from now on, or takes them again.
    pub fn refuse(&self, refuses: bool) {
        self.refuses.store(refuses, Ordering::SeqCst);
    }

    /// The letters that came since the last time, the oldest first.
    pub fn empty(&self) -> Vec<Letter> {
        self.letters.lock().map(|mut letters| std::mem::take(&mut *letters)).unwrap_or_default()
    }
}

impl Mail for PostBox {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> Delivery<'a> {
        Box::pin(async move {
            if self.refuses.load(Ordering::SeqCst) {
                return Err(MailError::lasting("550 no such user here"));
            }
            if let Ok(mut letters) = self.letters.lock() {
                letters.push(letter.clone());
            }
            Ok(())
        })
    }
}

/// The secret of the link in a letter.
pub fn token(letter: &Letter) -> Option<&str> {
    letter.text.lines().find_map(|line| Some(line.split_once("#token=")?.1))
}
