//! Statements in the making: text, and the values that it numbers.

use std::ops::Range;

use sea_orm::{DbBackend, Statement, Value, Values};

use crate::{
    Error,
    executor::{Executor, Sql},
};

/// Text with `$1`, `$2` and so on, which both databases read.
#[derive(Debug, Default)]
pub(crate) struct Text {
    sql: String,
    values: Vec<Value>,
    /// Where the text is for SQLite, and what stands there for PostgreSQL.
    others: Vec<(Range<usize>, String)>,
}

impl Text {
    /// A statement that begins with some text.
    pub(crate) fn new(sql: &str) -> Self {
        Self { sql: sql.to_owned(), ..Self::default() }
    }

    /// More text.
    pub(crate) fn push(&mut self, sql: &str) -> &mut Self {
        self.sql.push_str(sql);
        self
    }

    /// More text, which the databases spell each in its own way.
    pub(crate) fn push_either(&mut self, sqlite: &str, postgres: &str) -> &mut Self {
        let begin = self.sql.len();
        self.push(sqlite);
        self.others.push((begin..self.sql.len(), postgres.to_owned()));
        self
    }

    /// The next value, in its place.
    pub(crate) fn bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        self.sql.push('$');
        self.sql.push_str(&self.values.len().to_string());
        self
    }

    /// Values between commas.
    pub(crate) fn bind_all(&mut self, values: impl IntoIterator<Item = Value>) -> &mut Self {
        for (n, value) in values.into_iter().enumerate() {
            self.push(if n == 0 { "" } else { ", " }).bind(value);
        }
        self
    }

    /// A row of values in brackets, behind a comma unless it is the first.
    pub(crate) fn bind_row(&mut self, n: usize, values: impl IntoIterator<Item = Value>) -> &mut Self {
        self.push(if n == 0 { "(" } else { ", (" }).bind_all(values).push(")")
    }
}

impl Sql for Text {
    fn statement(mut self, db_backend: DbBackend) -> Statement {
        if db_backend == DbBackend::Postgres {
            for (place, postgres) in self.others.into_iter().rev() {
                self.sql.replace_range(place, &postgres);
            }
        }
        Statement { sql: self.sql, values: Some(Values(self.values)), db_backend }
    }
}

/// Statements that go to the database together, because each way there costs more than most of them.
///
/// SQLite runs them one after the other; PostgreSQL as parts of one statement, in any order and without seeing each other's
/// rows, so that no two may touch the same one.
pub(crate) struct Batch {
    texts: Vec<Text>,
    /// Statements in the last text.
    statements: usize,
    postgres: bool,
    /// Whether the first statement returns a row for each that it touched.
    asks: bool,
}

impl Batch {
    /// How many rows a caller may put into one statement.
    pub(crate) const ROWS: usize = 1000;
    /// From how many values on a new text is begun. SQLite takes 32,766 values, PostgreSQL 65,535.
    const VALUES: usize = 8000;

    pub(crate) fn new(executor: Executor<'_>) -> Self {
        Self { texts: Vec::new(), statements: 0, postgres: executor.is_postgres(), asks: false }
    }

    /// Statements of which the first ends in `RETURNING` something, to be run with [`Batch::found`].
    pub(crate) fn asking(executor: Executor<'_>) -> Self {
        Self { asks: true, ..Self::new(executor) }
    }

    /// Begins a statement.
    pub(crate) fn begin(&mut self, sql: &str) -> &mut Text {
        if self.texts.last().is_none_or(|text| text.values.len() > Self::VALUES) {
            self.close();
            self.texts.push(Text::default());
            self.statements = 0;
        }
        let n = self.statements;
        self.statements += 1;
        let postgres = self.postgres;
        let last = self.texts.len() - 1;
        let text = &mut self.texts[last];
        match (postgres, n) {
            (false, 0) => {}
            (false, _) => {
                text.push(";\n");
            }
            (true, 0) => {
                text.push("WITH w0 AS (");
            }
            (true, n) => {
                text.push(&format!("), w{n} AS ("));
            }
        }
        text.push(sql)
    }

    fn close(&mut self) {
        let asked = self.asks && self.texts.len() == 1;
        if let (true, Some(text)) = (self.postgres, self.texts.last_mut()) {
            text.push(if asked { ") SELECT 1 FROM w0" } else { ") SELECT 1" });
        }
    }

    /// The statements, in as few texts as hold their values.
    pub(crate) fn into_texts(mut self) -> Vec<Text> {
        self.close();
        self.texts
    }

    /// Runs the statements.
    pub(crate) async fn run(self, executor: Executor<'_>) -> Result<(), Error> {
        for text in self.into_texts() {
            executor.execute(text).await?;
        }
        Ok(())
    }

    /// Runs the statements, and says whether the first one touched anything. If not, those that went to the database with it ran all the same.
    pub(crate) async fn found(self, executor: Executor<'_>) -> Result<bool, Error> {
        let mut texts = self.into_texts().into_iter();
        let first = texts.next().ok_or_else(|| Error::backend("nothing was asked"))?;
        let found = !executor.all(first).await?.is_empty();
        for text in texts.take_while(|_| found) {
            executor.execute(text).await?;
        }
        Ok(found)
    }
}
