//! Lists page by page: where a page begins, how many rows it reads, and where the next one begins.

use cms_domain::page::{Cursor, PageSize};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use crate::{Code, Error};

/// A page of a list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "{T}Page")]
pub struct Page<T> {
    /// The items, in the order of the list.
    pub items: Vec<T>,
    /// Where the next page starts; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

impl<T> Page<T> {
    /// The page with each item as it is shown.
    pub fn map<U>(self, show: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(show).collect(), next_cursor: self.next_cursor }
    }

    /// The page with each item as it is shown, where that may fail.
    pub fn try_map<U>(self, show: impl FnMut(T) -> Result<U, Error>) -> Result<Page<U>, Error> {
        Ok(Page { items: self.items.into_iter().map(show).collect::<Result<_, _>>()?, next_cursor: self.next_cursor })
    }
}

/// A list that is read page by page, in the order of a key that no two rows share.
#[derive(Debug)]
pub struct Paging {
    list: String,
    size: usize,
}

impl Paging {
    /// A page of a list. `list` names the operation and the filters: a cursor opens only where they are the same.
    pub fn new(list: impl Into<String>, size: PageSize) -> Self {
        Self { list: list.into(), size: size.get() }
    }

    /// The key behind which the page begins; none at the beginning of the list.
    pub fn after<K: DeserializeOwned>(&self, cursor: Option<Cursor>) -> Result<Option<K>, Error> {
        cursor.map(|cursor| cursor.open(&self.list)).transpose().map_err(|_| Error::new(Code::InvalidCursor))
    }

    /// How many rows are to be read: one more than the page has tells whether there is another page.
    pub fn rows(&self) -> usize {
        self.size + 1
    }

    /// The page that so many rows make, or fewer where the list ends. `key` is that of a row.
    pub fn page<T, K: Serialize>(self, mut rows: Vec<T>, key: impl FnOnce(&T) -> K) -> Result<Page<T>, Error> {
        let goes_on = rows.len() > self.size;
        rows.truncate(self.size);
        let last = rows.last().filter(|_| goes_on);
        let next_cursor = last.map(|last| Cursor::seal(&self.list, &key(last))).transpose()?;
        Ok(Page { items: rows, next_cursor })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page of the numbers from 1 to 5 that a cursor leads to.
    fn page(list: &str, size: u64, cursor: Option<Cursor>) -> Result<Page<u32>, Error> {
        let paging = Paging::new(list, size.try_into().unwrap());
        let after: Option<u32> = paging.after(cursor)?;
        let rows = (1..=5).filter(|number| Some(*number) > after).take(paging.rows()).collect();
        paging.page(rows, |number| *number)
    }

    #[test]
    fn pages_one_after_the_other_are_the_whole_list() {
        for size in 1..=6 {
            let (mut found, mut cursor) = (Vec::new(), None);
            loop {
                let page = page("numbers", size, cursor).unwrap();
                found.extend(page.items);
                cursor = page.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(found, [1, 2, 3, 4, 5], "in pages of {size}");
        }
    }

    #[test]
    fn the_last_page_leads_nowhere_even_if_it_is_full() {
        assert!(page("numbers", 5, None).unwrap().next_cursor.is_none());
    }

    #[test]
    fn a_cursor_of_another_list_is_refused() {
        let cursor = page("numbers", 2, None).unwrap().next_cursor;
        assert_eq!(page("others", 2, cursor).unwrap_err().code(), Code::InvalidCursor);
    }
}
