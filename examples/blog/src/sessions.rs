//! The blog's own sessions, and how the CMS learns who sends a request: from a middleware that reads the blog's cookie.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, header},
    middleware::Next,
    response::Response,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use cms_domain::{id::UserId, user::Role};
use cms_http_api::HostCaller;
use cookie::{Cookie, SameSite};

/// What the blog's cookie is called.
const COOKIE: &str = "blog_session";

/// Somebody whom the blog knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Their account in the CMS.
    pub user: UserId,
    /// What they may do, as the blog has it.
    pub role: Role,
}

/// Who is signed in. These live in memory; a program that is restarted would keep them in a table of its own.
#[derive(Clone, Default)]
pub struct Sessions(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    /// By the secrets of links that let somebody in once.
    links: HashMap<String, Member>,
    /// By the secrets of cookies.
    sessions: HashMap<String, Member>,
}

impl Sessions {
    /// A secret that lets somebody in once: how the blog knows them is its own affair.
    pub fn invite(&self, member: Member) -> anyhow::Result<String> {
        let secret = secret()?;
        self.known(|known| known.links.insert(secret.clone(), member));
        Ok(secret)
    }

    /// Spends a link, and opens a session: the value of its `Set-Cookie`. Nothing where the link lets nobody in.
    pub fn enter(&self, link: &str, is_secure: bool) -> anyhow::Result<Option<String>> {
        let Some(member) = self.known(|known| known.links.remove(link)) else { return Ok(None) };
        let secret = secret()?;
        self.known(|known| known.sessions.insert(secret.clone(), member));
        let cookie = Cookie::build((COOKIE, secret)).path("/").http_only(true).secure(is_secure).same_site(SameSite::Lax);
        Ok(Some(cookie.build().to_string()))
    }

    /// Whose session a request has.
    fn member(&self, headers: &HeaderMap) -> Option<Member> {
        let sent = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let secret = sent.flat_map(Cookie::split_parse).filter_map(Result::ok).find(|cookie| cookie.name() == COOKIE)?;
        self.known(|known| known.sessions.get(secret.value()).copied())
    }

    fn known<T>(&self, look: impl FnOnce(&mut Known) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Says who sends a request: to the blog's pages, and to the CMS, which believes it.
pub async fn name_caller(State(sessions): State<Sessions>, mut request: Request, next: Next) -> Response {
    let member = sessions.member(request.headers());
    let caller = member.map_or(HostCaller::nobody(), |member| HostCaller::user(member.user, member.role));
    request.extensions_mut().insert(caller);
    next.run(request).await
}

fn secret() -> anyhow::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
