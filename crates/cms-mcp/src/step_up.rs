//! Tells an application that its token is too narrow, where it looks: in the head of the answer.
//!
//! The protocol has applications ask their user for more when a call is answered with 403 and a challenge. The answer is made where only
//! the result of the tool is known, so that the challenge is left here for the transport.

use std::sync::{Arc, OnceLock};

use axum::response::Response;
use http::{HeaderValue, StatusCode, header};

use crate::discovery;

/// Where the challenge of one request is left. A clone is another handle to the same place.
#[derive(Clone, Default)]
pub(crate) struct StepUp(Arc<OnceLock<HeaderValue>>);

impl StepUp {
    /// Has the application ask for a token with these scopes.
    pub(crate) fn ask(&self, origin: &str, scopes: &str) {
        let challenge = discovery::challenge(origin, &[("error", "insufficient_scope"), ("scope", scopes)]);
        if let Ok(challenge) = HeaderValue::try_from(challenge) {
            // A request calls one tool: what is there already is the same.
            let _ = self.0.set(challenge);
        }
    }

    /// Puts the challenge, if there is one, into the head of the answer. Its body stays: it has what the tool said.
    pub(crate) fn put(&self, response: &mut Response) {
        if let Some(challenge) = self.0.get() {
            *response.status_mut() = StatusCode::FORBIDDEN;
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use cms_core::testing::TestApp;
    use cms_domain::{
        access::{Actor, Caller, Refusal, Scope, Via},
        id::GrantId,
        user::Role,
    };
    use cms_frame::Error;

    use super::*;
    use crate::reply;

    #[test]
    fn an_application_is_told_to_ask_for_what_it_has_and_what_it_lacks() {
        let via = Via::Grant(GrantId::from_parts(1, 1), [Scope::ContentRead].into());
        let application = Actor::User(Caller { user: TestApp::user(Role::Admin), role: Role::Admin, via });
        let missing = Error::from(Refusal::Scope(Scope::ContentWrite));
        let scopes = reply::wanted(&missing, &application).unwrap();
        let (step_up, mut response) = (StepUp::default(), Response::default());
        step_up.put(&mut response);
        assert_eq!((response.status(), response.headers().len()), (StatusCode::OK, 0));
        step_up.clone().ask("https://a.example", &scopes);
        step_up.put(&mut response);
        let challenge = response.headers()[header::WWW_AUTHENTICATE].to_str().unwrap();
        assert_eq!(response.status(), StatusCode::FORBIDDEN);
        assert!(challenge.starts_with("Bearer resource_metadata=\"https://a.example/"), "{challenge}");
        assert!(challenge.ends_with(r#"error="insufficient_scope", scope="content:read content:write""#), "{challenge}");
    }

    #[test]
    fn whoever_cannot_ask_for_more_is_answered_as_ever() {
        let missing = Error::from(Refusal::Scope(Scope::ContentWrite));
        assert_eq!(reply::wanted(&missing, &TestApp::token(Role::Admin, &[Scope::ContentRead])), None);
        let via = Via::Grant(GrantId::from_parts(1, 1), [Scope::ContentRead].into());
        let application = Actor::User(Caller { user: TestApp::user(Role::Author), role: Role::Author, via });
        assert_eq!(reply::wanted(&Error::new(cms_frame::Code::InsufficientPermissions), &application), None);
    }
}
