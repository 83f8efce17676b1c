//! The prose of the document that no type carries.

use aide::openapi::Tag;
use cms_domain::access::{Access, Permission, Scope};
use cms_frame::descriptor::Declaration;

/// What the document says of the whole API.
pub(super) const ABOUT: &str = "\
Success is `{\"success\": true, \"data\": …}`, failure `{\"success\": false, \"error\": {\"code\", \"message\", \"details\"}}`.

Unknown members and unknown query parameters are refused, and a refusal lists every problem at once.
Lists are read page by page: pass `nextCursor` of one page as `cursor` of the next, with the same filters and the same order.
Times are RFC 3339, in UTC with milliseconds. Ids are ULIDs.
Send the `_rev` you read along with a change, and the change is refused if somebody else was faster.";

/// The group of an operation and what it is about: what its area says, or else the beginning of its id.
pub(super) fn tag(operation: &Declaration) -> (&'static str, Option<&'static str>) {
    match operation.group {
        Some(group) => (group.name, Some(group.about)),
        None => (operation.id.split('.').next().unwrap_or_default(), None),
    }
}

/// The groups of some operations, in their order.
pub(super) fn tags<'a>(operations: impl Iterator<Item = &'a Declaration>) -> Vec<Tag> {
    let mut tags: Vec<Tag> = Vec::new();
    for (name, description) in operations.map(tag) {
        if tags.iter().all(|known| known.name != name) {
            tags.push(Tag { name: name.to_owned(), description: description.map(str::to_owned), ..Tag::default() });
        }
    }
    tags
}

/// The summary and the description of an operation: its doc comment, and who may.
pub(super) fn of_operation(doc: &str, access: Access) -> (String, String) {
    let (summary, rest) = doc.split_once("\n\n").unwrap_or((doc, ""));
    let who = who_may(access);
    let description = if rest.is_empty() { who } else { format!("{rest}\n\n{who}") };
    (summary.trim_end_matches('.').to_owned(), description)
}

fn who_may(access: Access) -> String {
    let needs = |scope: Scope, permission: Permission| {
        format!("Needs the scope `{scope}` and the role {} or a higher one", permission.least_role())
    };
    match access {
        Access::Public => "Anyone may.".to_owned(),
        Access::SignedIn => "Anyone who is signed in may.".to_owned(),
        Access::Account(permission) => format!("Needs a session, and the role {} or a higher one.", permission.least_role()),
        Access::Reader => format!("{}, unless the site lets the public read.", needs(Scope::ContentRead, Permission::ContentRead)),
        Access::Needs(scope, permission) => format!("{}.", needs(scope, permission)),
        Access::Owned { scope, own, any, own_draft } => {
            let draft = own_draft.map_or(String::new(), |permission| format!(", {} while it was never published", permission.least_role()));
            format!("{} for one's own{draft}; {} for everyone's.", needs(scope, own), any.least_role())
        }
        Access::System => "Only the server itself may.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use cms_frame::operation::Surface;

    #[test]
    fn every_group_is_described() {
        let catalog = cms_core::built_in();
        let public = catalog.iter().filter(|operation| operation.http.surface == Surface::Public);
        let untold: Vec<_> = public.filter(|operation| operation.group.is_none()).map(|operation| operation.id).collect();
        assert_eq!(untold, [""; 0]);
    }
}
