//! A program that is too old for its database refuses everything.

use cms_accounts::users::ListUsers;
use cms_core::{both, testing::TestApp};
use cms_domain::{access::Actor, user::Role};
use cms_frame::{Code, Door};
use cms_storage::Versions;

both! {
    async fn a_server_that_a_newer_program_took_something_from_refuses_everything(app: TestApp) {
        let cms = app.cms();
        let list = || serde_json::from_value::<ListUsers>(serde_json::json!({})).unwrap();
        cms.note_min_program(app.store().min_program().await.unwrap());
        cms.invoke(&Actor::System, Door::Local, list()).await.unwrap();
        cms.note_min_program(Versions::newest() + 1);
        for actor in [TestApp::actor(Role::Admin), Actor::System, Actor::Anonymous] {
            let error = cms.invoke(&actor, Door::Local, list()).await.unwrap_err();
            assert_eq!(error.code(), Code::Busy);
            assert!(error.message().ends_with("Run the newer program"), "{error}");
        }
        assert_eq!(cms.identify("cms_pat_unknown").await.unwrap_err().code(), Code::Busy);
    }
}
