//! The blocks that the editor and the renderers know, member by member.

use crate::field::{
    address::Address,
    shape::{MAX_NAME, MAX_TEXT, Member, Shape, Type},
};

const TEXT: Shape = Shape::Text(MAX_TEXT);
const NAME: Shape = Shape::Text(MAX_NAME);
const SOURCE: Shape = Shape::Address(Address::Source);

const STYLES: &[&str] = &["normal", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"];
const TEXT_ALIGNMENTS: &[&str] = &["left", "center", "right", "justify"];
const IMAGE_ALIGNMENTS: &[&str] = &["left", "center", "right", "wide", "full"];

/// Deepest level of a list. Deeper ones do not fit on a page.
pub(super) const MAX_LEVEL: i64 = 100;

const SPANS: Shape =
    Shape::Typed(&[Type { name: "span", members: &[Member::required("text", TEXT), Member::optional("marks", Shape::Texts)] }]);

const MARK_DEFINITIONS: Shape = Shape::Typed(&[Type {
    name: "link",
    members: &[Member::required("href", Shape::Address(Address::Link)), Member::optional("blank", Shape::Boolean)],
}]);

const ASSET: Shape = Shape::Object(&[
    Member::optional("_ref", NAME),
    Member::optional("url", SOURCE),
    Member::optional("provider", NAME),
    Member::optional("meta", Shape::AnyObject),
]);

const IMAGE: &[Member] = &[
    Member::optional("asset", ASSET),
    Member::optional("alt", TEXT),
    Member::optional("caption", TEXT),
    Member::optional("width", Shape::Number),
    Member::optional("height", Shape::Number),
    Member::optional("displayWidth", Shape::Number),
    Member::optional("displayHeight", Shape::Number),
    Member::optional("alignment", Shape::OneOf(IMAGE_ALIGNMENTS)),
    Member::optional("blurhash", TEXT),
    Member::optional("dominantColor", TEXT),
];

const TABLE_CELL: &[Member] =
    &[Member::required("content", SPANS), Member::optional("markDefs", MARK_DEFINITIONS), Member::optional("isHeader", Shape::Boolean)];

const TABLE_ROW: &[Member] = &[Member::required("cells", Shape::Keyed(TABLE_CELL))];

/// The known blocks.
pub(super) const BLOCKS: &[Type] = &[
    Type {
        name: "block",
        members: &[
            Member::optional("style", Shape::OneOf(STYLES)),
            Member::optional("listItem", Shape::OneOf(&["bullet", "number"])),
            Member::optional("level", Shape::Whole(1, MAX_LEVEL)),
            Member::optional("listId", NAME),
            Member::optional("listStart", Shape::Whole(1, i32::MAX as i64)),
            Member::optional("textAlign", Shape::OneOf(TEXT_ALIGNMENTS)),
            Member::required("children", SPANS),
            Member::optional("markDefs", MARK_DEFINITIONS),
        ],
    },
    Type { name: "image", members: IMAGE },
    Type {
        name: "gallery",
        members: &[Member::required("images", Shape::Keyed(IMAGE)), Member::optional("columns", Shape::Whole(1, MAX_LEVEL))],
    },
    Type {
        name: "code",
        members: &[Member::required("code", TEXT), Member::optional("language", NAME), Member::optional("filename", TEXT)],
    },
    Type { name: "htmlBlock", members: &[Member::required("html", TEXT)] },
    Type { name: "break", members: &[Member::optional("style", NAME)] },
    Type { name: "table", members: &[Member::required("rows", Shape::Keyed(TABLE_ROW)), Member::optional("hasHeaderRow", Shape::Boolean)] },
    Type {
        name: "embed",
        members: &[
            Member::optional("url", Shape::Address(Address::Link)),
            Member::optional("provider", NAME),
            Member::optional("html", TEXT),
            Member::optional("caption", TEXT),
        ],
    },
];
