//! What programs do with secrets: tokens that people make for them, and what the authorization server gives them.

use cms_content::{
    entries::{create::CreateEntry, preview::MakePreviewUrl},
    schema::create_collection::CreateCollection,
};
use cms_domain::user::Role;
use serde_json::{Value, json};

use crate::world::World;

const OAUTH: &str = "/_cms/api/oauth";
const ME: &str = "/_cms/api/auth/me";
const CALLBACK: &str = "https://app.example/callback";
// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

impl World {
    /// Makes a token and uses it, also as it is not meant to be used.
    pub(crate) async fn makes_a_token(&mut self) {
        let made = self.owner.post("/_cms/api/admin/api-tokens", json!({ "name": "ci", "scopes": ["admin"] })).await;
        let token = self.keep_of("personal access token", &made.data()["token"]);
        let mut program = self.owner.other().with("authorization", format!("Bearer {token}"));
        program.get(ME).await.data();
        program.post("/_cms/api/auth/invite", json!({ "email": "x@example.net" })).await;
        self.owner.other().with("authorization", format!("Bearer {token}x")).get(ME).await;
    }

    /// A code for an application, from the owner.
    async fn code(&mut self, client: &str) -> String {
        let decision = json!({
            "request": {
                "client_id": client, "redirect_uri": CALLBACK, "response_type": "code", "code_challenge": CHALLENGE,
                "code_challenge_method": "S256", "scope": "content:read", "state": "an-applications-own-secret",
            },
            "scopes": ["content:read"], "action": "approve",
        });
        let decided = self.owner.post(&format!("{OAUTH}/authorize"), decision).await;
        let redirect = decided.data()["redirect"].as_str().unwrap();
        let code = redirect.split_once("code=").unwrap().1.split('&').next().unwrap();
        self.keep("authorization code", code)
    }

    /// Asks the token endpoint, and keeps what it gives.
    async fn exchange(&mut self, request: Value) -> Value {
        let tokens = self.owner.other().post(&format!("{OAUTH}/token"), request).await.json;
        for (name, what) in [("access_token", "access token"), ("refresh_token", "refresh token")] {
            if tokens.get(name).is_some() {
                self.keep_of(what, &tokens[name]);
            }
        }
        tokens
    }

    /// Lets an application in, which uses everything it gets, and everything twice.
    pub(crate) async fn lets_an_application_in(&mut self) {
        self.keep("verifier of a code", VERIFIER);
        self.keep("state of an application", "an-applications-own-secret");
        let registered = self.owner.other().post(&format!("{OAUTH}/register"), json!({ "redirect_uris": [CALLBACK] })).await;
        let client = registered.json["client_id"].as_str().unwrap().to_owned();
        let by_code =
            |code: &str| json!({ "grant_type": "authorization_code", "client_id": client, "code": code, "code_verifier": VERIFIER });
        for uses_code_twice in [true, false] {
            let code = self.code(&client).await;
            let tokens = self.exchange(by_code(&code)).await;
            let bearer = format!("Bearer {}", tokens["access_token"].as_str().unwrap());
            self.owner.other().with("authorization", bearer).get(ME).await.data();
            if uses_code_twice {
                assert_eq!(self.exchange(by_code(&code)).await["error"], "invalid_grant");
                continue;
            }
            let refresh = json!({ "grant_type": "refresh_token", "client_id": client, "refresh_token": tokens["refresh_token"] });
            let next = self.exchange(refresh.clone()).await;
            self.owner.other().post(&format!("{OAUTH}/revoke"), json!({ "token": next["access_token"] })).await;
            assert_eq!(self.exchange(refresh).await["error"], "invalid_grant");
        }
    }

    /// Looks at an entry with a preview link.
    pub(crate) async fn shows_a_preview(&mut self) {
        let collection = json!({ "slug": "posts", "label": "Posts", "fields": [] });
        self.app.call::<CreateCollection>(Role::Admin, collection).await.unwrap();
        let entry =
            self.app.call::<CreateEntry>(Role::Editor, json!({ "collection": "posts", "slug": "draft", "data": {} })).await.unwrap();
        let ask = json!({ "collection": "posts", "id": entry["item"]["id"] });
        let link = self.app.call::<MakePreviewUrl>(Role::Editor, ask).await.unwrap();
        let token = link["url"].as_str().unwrap().split_once("_preview=").unwrap().1.to_owned();
        self.keep("token of a preview link", &token);
        self.owner.other().get(&format!("/_cms/api/preview/{token}")).await.data();
    }

    /// Lets a program in that shows a code.
    pub(crate) async fn lets_a_device_in(&mut self) {
        let waiting = self.owner.other().post(&format!("{OAUTH}/device/code"), json!({ "client_id": "cms-cli" })).await.json;
        let device_code = self.keep_of("device code", &waiting["device_code"]);
        let user_code = self.keep_of("user code", &waiting["user_code"]);
        self.keep("user code, as it is stored", &user_code.replace('-', ""));
        let poll =
            json!({ "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "cms-cli", "device_code": device_code });
        assert_eq!(self.exchange(poll.clone()).await["error"], "authorization_pending");
        self.owner.get(&format!("{OAUTH}/device?code={user_code}")).await.data();
        self.owner.post(&format!("{OAUTH}/device/authorize"), json!({ "user_code": user_code })).await.data();
        assert!(self.exchange(poll.clone()).await["access_token"].is_string());
        assert_eq!(self.exchange(poll).await["error"], "invalid_grant");
    }
}
