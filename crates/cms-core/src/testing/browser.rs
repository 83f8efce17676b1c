//! A browser: it keeps what it is told to keep, and comes back with it.

use cms_accounts::{
    passkey_sign_in::{BeginSignIn, FinishSignIn, SignInOptions},
    passkeys::{BeginPasskey, OnePasskey, RegisterPasskey},
    session::SignedIn,
};
use cms_domain::access::Actor;
use cms_frame::{Client, Code, Cookie, Door, Error, operation::Operation};

use super::{Authenticator, TestApp};

/// A browser with an authenticator, in front of a system.
#[derive(Clone)]
pub struct Browser {
    /// The system.
    pub app: TestApp,
    /// Where its requests come from.
    pub client: Client,
    /// The secret of its session.
    pub session: Option<String>,
    /// What makes and keeps its passkeys.
    pub authenticator: Authenticator,
}

impl Browser {
    /// A browser that knows nothing yet. Its address is its own, so that limits see different clients.
    pub fn new(app: &TestApp, n: u8) -> Self {
        let client = Client { address: Some([192, 0, 2, n].into()), agent: Some(format!("Browser {n}")), ..Client::default() };
        Self { app: app.clone(), client, session: None, authenticator: Authenticator::new(app.cms().product().origin().as_str()) }
    }

    /// Does an operation as whoever is signed in, and keeps what it is told to keep.
    pub async fn call<O: Operation>(&mut self, operation: O) -> Result<O::Output, Error> {
        let actor = match &self.session {
            Some(secret) => self.app.cms().identify_session(secret).await?,
            None => Actor::Anonymous,
        };
        let done = self.app.cms().call(&actor, Door::Rest, &self.client, operation).await?;
        for cookie in done.cookies {
            match cookie {
                Cookie::Browser { secret } => self.client.browser = Some(secret),
                Cookie::Session { secret, .. } => self.session = Some(secret),
                Cookie::SignedOut => self.session = None,
            }
        }
        Ok(done.output)
    }

    /// Who is signed in.
    pub async fn actor(&self) -> Result<Actor, Error> {
        match &self.session {
            Some(secret) => self.app.cms().identify_session(secret).await,
            None => Err(Error::new(Code::NotAuthenticated)),
        }
    }

    /// Signs in with a passkey of its own, which its authenticator finds by itself unless an address is named.
    pub async fn sign_in(&mut self, email: Option<&str>) -> Result<SignedIn, Error> {
        let email = email.map(str::parse).transpose().map_err(Error::internal)?;
        let SignInOptions { options, .. } = self.call(BeginSignIn { email }).await?;
        let credential = self.authenticator.sign(&options);
        self.call(FinishSignIn { credential }).await
    }

    /// Registers another passkey of whoever is signed in.
    pub async fn register(&mut self, name: &str) -> Result<OnePasskey, Error> {
        let options = self.call(BeginPasskey { name: None }).await?.options;
        let credential = self.authenticator.create(&options);
        self.call(RegisterPasskey { credential, name: Some(name.to_owned()) }).await
    }
}
