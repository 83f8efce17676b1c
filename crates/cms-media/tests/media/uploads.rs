//! What holds of files that come in one request.

use cms_content::schema::create_collection::CreateCollection;
use cms_core::{both, testing::TestApp};
use cms_domain::user::Role;
use cms_files::AllowList;
use cms_frame::Code;
use cms_media::{items::DeleteMedia, upload::UploadMedia};
use serde_json::json;
use tokio::task::JoinSet;

use crate::files::{bytes, data, kept, kept_for_good, pdf, text, upload};

both! {
    async fn a_file_is_an_item_with_its_bytes_and_goes_with_it(app: TestApp) {
        let made = upload(&app, Role::Author, "Übersicht.PDF", &pdf(1)).await.unwrap();
        let item = &made["item"];
        assert_eq!((&item["filename"], &item["mimeType"], &item["size"]), (&json!("Übersicht.PDF"), &json!("application/pdf"), &json!(pdf(1).len())));
        assert_eq!((&item["status"], &item["authorId"]), (&json!("ready"), &json!(TestApp::user(Role::Author))));
        assert!(text(item, "contentHash").starts_with("sha1:") && made.get("deduplicated").is_none());
        let key = text(item, "storageKey");
        assert_eq!(item["url"], json!(format!("/_cms/api/media/file/{key}")));
        assert_eq!(key.rsplit_once('.').unwrap().1, "pdf");
        assert_eq!(bytes(&app, &key).await, Some(pdf(1)));
        assert_eq!(kept_for_good(&app).await, std::slice::from_ref(&key), "what somebody has stays");

        let gone = app.call::<DeleteMedia>(Role::Author, json!({ "id": item["id"] })).await.unwrap();
        assert_eq!(gone, json!({ "deleted": true, "storageKey": key }));
        assert_eq!(bytes(&app, &key).await, None, "at once");
        assert_eq!(kept(&app).await, [key], "and for those who are reading it, in a moment");
        assert_eq!(kept_for_good(&app).await, [""; 0]);
    }

    async fn the_same_bytes_are_one_item_whoever_sends_them(app: TestApp) {
        let first = upload(&app, Role::Author, "a.pdf", &pdf(1)).await.unwrap();
        let again = upload(&app, Role::Contributor, "b.pdf", &pdf(1)).await.unwrap();
        assert_eq!((&again["item"], &again["deduplicated"]), (&first["item"], &json!(true)));
        let other = upload(&app, Role::Author, "a.pdf", &pdf(2)).await.unwrap();
        assert_ne!(other["item"]["id"], first["item"]["id"]);
        let mut expected = [text(&first["item"], "storageKey"), text(&other["item"], "storageKey")];
        expected.sort();
        assert_eq!(kept_for_good(&app).await, expected);
    }

    async fn fifty_who_send_the_same_bytes_at_once_make_one_item(app: TestApp) {
        let mut sending = JoinSet::new();
        for n in 0..50 {
            let app = app.clone();
            sending.spawn(async move { upload(&app, Role::Author, &format!("{n}.pdf"), &pdf(1)).await });
        }
        let made = sending.join_all().await.into_iter().map(|made| made.unwrap()).collect::<Vec<_>>();
        assert_eq!(made.iter().filter(|made| made.get("deduplicated").is_none()).count(), 1);
        assert!(made.iter().all(|one| one["item"]["id"] == made[0]["item"]["id"]));
        assert_eq!(kept_for_good(&app).await, [text(&made[0]["item"], "storageKey")]);
    }

    async fn what_a_file_is_its_bytes_say_and_nobody_else(app: TestApp) {
        let refused = async |input| app.call::<UploadMedia>(Role::Admin, input).await.unwrap_err();
        let page = data(b"<!doctype html><script>alert(1)</script>");
        for (name, content_type, bytes) in [
            ("page.html", "text/html", page.as_str()),
            ("page.png", "image/png", page.as_str()),
            ("a.png", "image/png", &data(&pdf(1))),
            ("a.svg", "image/svg+xml", &data(b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>")),
            ("program", "application/octet-stream", &data(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0\x01\0\0\0")),
            ("nothing known", "", &data(&[0x81; 64])),
        ] {
            let error = refused(json!({ "filename": name, "contentType": content_type, "data": bytes })).await;
            assert_eq!(error.code(), Code::InvalidType, "{name}: {error}");
        }
        let error = refused(json!({ "filename": "empty.pdf", "data": "" })).await;
        assert_eq!(error.code(), Code::NoFile);
        assert_eq!(refused(json!({ "filename": "a.pdf" })).await.code(), Code::NoFile);
        let error = refused(json!({ "filename": "a.pdf", "data": "no base64!" })).await;
        assert!(error.message().contains("data"), "{error}");
        let named = app.call::<UploadMedia>(Role::Admin, json!({ "filename": "../../etc/passwd\u{202e}.png", "data": data(&pdf(7)) })).await;
        if let Ok(named) = named {
            let name = text(&named["item"], "filename");
            assert!(!name.contains(['/', '\u{202e}']) && name.rsplit_once('.').is_some_and(|(_, kind)| kind == "pdf"), "{name}");
        }
        let left = kept_for_good(&app).await;
        assert!(left.len() <= 1, "nothing is left of what was refused: {left:?}");
    }

    async fn a_file_that_is_too_large_leaves_nothing(app: TestApp) {
        let app = app.keeping(|library| library.largest = 40);
        let error = upload(&app, Role::Admin, "a.pdf", &pdf(1)).await.unwrap_err();
        assert_eq!(error.code(), Code::PayloadTooLarge);
        assert_eq!(error.details_json().unwrap()["limit"], json!(40));
        assert_eq!(kept_for_good(&app).await, [""; 0]);
    }

    async fn drawings_are_kept_without_what_acts_in_them(app: TestApp) {
        let app = app.keeping(|library| library.allowed = AllowList::parse(&["image/".to_owned(), "image/svg+xml".to_owned()]).unwrap());
        let drawing = br#"<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script><circle r="4"/></svg>"#;
        let made = upload(&app, Role::Author, "logo.svg", drawing).await.unwrap();
        let key = text(&made["item"], "storageKey");
        let clean = String::from_utf8(bytes(&app, &key).await.unwrap()).unwrap();
        assert!(clean.contains("circle") && !clean.contains("alert"), "{clean}");
        assert_eq!(made["item"]["size"], json!(clean.len()));
        let again = upload(&app, Role::Author, "logo.svg", drawing).await.unwrap();
        assert_eq!((&again["item"]["id"], &again["deduplicated"]), (&made["item"]["id"], &json!(true)));
        assert_eq!(kept_for_good(&app).await, [key]);
    }

    async fn a_field_takes_fewer_types_than_the_site_and_never_more(app: TestApp) {
        let fields = json!([
            { "slug": "cover", "label": "Cover", "type": "image", "validation": { "allowedMimeTypes": ["image/png"] } },
            { "slug": "paper", "label": "Paper", "type": "file", "validation": { "allowedMimeTypes": ["application/pdf", "application/zip"] } },
            { "slug": "title", "label": "Title", "type": "string" },
        ]);
        let posts = app.call::<CreateCollection>(Role::Admin, json!({ "slug": "posts", "label": "Posts", "fields": fields })).await.unwrap();
        let id = |n: usize| posts["item"]["fields"][n]["id"].clone();
        let send = async |field, bytes: &[u8]| app.call::<UploadMedia>(Role::Author, json!({ "data": data(bytes), "fieldId": field })).await;
        assert_eq!(send(id(0), &pdf(1)).await.unwrap_err().code(), Code::InvalidType);
        assert!(send(id(1), &pdf(1)).await.is_ok());
        let archive = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
        assert_eq!(send(id(1), archive).await.unwrap_err().code(), Code::InvalidType, "the site does not take it");
        for field in [id(2), json!("01ARZ3NDEKTSV4RRFFQ69G5FAV")] {
            assert_eq!(send(field, &pdf(1)).await.unwrap_err().code(), Code::ValidationError);
        }
    }

    async fn who_may_not_upload_does_not(app: TestApp) {
        assert_eq!(upload(&app, Role::Subscriber, "a.pdf", &pdf(1)).await.unwrap_err().code(), Code::InsufficientPermissions);
        let nowhere = app.keeping(|library| library.store = None);
        assert_eq!(upload(&nowhere, Role::Author, "a.pdf", &pdf(1)).await.unwrap_err().code(), Code::NoStorage);
    }
}
