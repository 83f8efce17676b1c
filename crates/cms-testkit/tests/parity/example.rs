//! The example of a host keeps what the system promises: below a prefix and at an origin of its own, with its own sessions, operation, permission, event
//! and hooks.

use std::collections::HashMap;

use blog::{Blog, PREFIX, sessions::Member};
use cms_core::content::schema::create_field::CreateField;
use cms_domain::user::Role;
use cms_testkit::{Doors, Outcome, TestApp, TestStore, site};
use serde_json::json;

use crate::{
    Caller, Twins, admitted_callers_are_answered, cases_of, fits, nonsense_is_refused, races, reading, refused_callers_are_told_why,
    samples, trail, what_is_missing_is_not_found,
    world::{House, World},
};

const ORIGIN: &str = "https://blog.example";
/// Where the blog keeps its sessions.
const COOKIE: &str = "blog_session";

/// Starts the blog over the small site, whose posts get the field that the blog computes.
async fn blog(app: TestApp) -> House {
    let minutes = json!({ "collection": "posts", "slug": "minutes", "label": "Minutes", "type": "integer" });
    site::done::<CreateField>(&app, Role::Admin, minutes).await;
    let blog = Blog::assemble(app.store().clone(), ORIGIN, app.parts()).await.unwrap();
    let session = |role| {
        let link = blog.sessions.invite(Member { user: TestApp::user(role), role }).unwrap();
        let cookie = blog.sessions.enter(&link, true).unwrap().unwrap();
        (role, cookie.split(['=', ';']).nth(1).unwrap().to_owned())
    };
    let sessions = HashMap::from(Role::ALL.map(session));
    let app = app.hosted(blog.cms.clone());
    House { doors: Doors::of_host(&app, blog.router(), PREFIX, COOKIE), sessions }
}

async fn world() -> World {
    World::over(TestStore::sqlite().await.unwrap(), blog).await
}

#[tokio::test]
async fn every_operation_of_the_example_keeps_what_those_of_the_system_keep() {
    let first = world().await;
    let catalog = first.doors.app().cms().catalog();
    let cases = cases_of(&catalog);
    assert!(cases.iter().any(|case| case.id == "blog.like"));
    let described = cms_mcp::describe(&catalog);
    for case in &cases {
        let twins = Twins::of(blog).await;
        refused_callers_are_told_why(&twins, case).await;
        if !samples::is_elsewhere(case.id) {
            nonsense_is_refused(&twins, case).await;
            what_is_missing_is_not_found(&twins, case).await;
            if twins.admits(Caller::Reading, case).is_ok() {
                reading::reading_leaves_nothing_behind(&twins, case).await;
            }
            let before = trail::lines(&twins, case.id).await;
            let outcome = twins.call(case, Caller::admin(case), &twins.sample(case).await).await;
            let Outcome::Done(output) = outcome else { panic!("{}: the sample must succeed: {outcome:?}", case.id) };
            if let Some(tool) = &case.tool {
                fits(&described, tool, &output);
            }
            assert!(!trail::is_recorded(case) || trail::lines(&twins, case.id).await > before, "{} leaves no line", case.id);
        }
        admitted_callers_are_answered(&twins, case).await;
        twins.close().await;
    }
    first.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hook_of_the_example_lets_one_of_32_win_as_well() {
    let cases = cases_of(&cms_core::built_in());
    let update = cases.iter().find(|case| case.id == "content.update").unwrap();
    races::one_wins(update, world().await).await;
}
