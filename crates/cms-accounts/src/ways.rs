//! The ways in that a user has: what they can sign in with, and prove again who they are.

use std::{collections::BTreeMap, fmt};

use cms_domain::id::UserId;
use cms_frame::{Cms, Cx, Error};
use cms_storage::{HeldWays, Reader};
use serde::{Serialize, Serializer};

use crate::Services;

/// A way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Way {
    /// A passkey.
    Passkey,
    /// A link that is sent to the user's address.
    MagicLink,
    /// An account at a provider.
    Provider(String),
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passkey => f.write_str("passkey"),
            Self::MagicLink => f.write_str("magicLink"),
            Self::Provider(provider) => write!(f, "provider:{provider}"),
        }
    }
}

impl Serialize for Way {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What a site lets people sign in with.
#[derive(Debug, Clone)]
pub(crate) struct Admitted {
    /// Links that are sent to them.
    pub(crate) magic_links: bool,
    /// Passkeys.
    pub(crate) passkeys: bool,
    /// Passkeys whose authenticators have not verified their users.
    pub(crate) unverified_passkeys: bool,
    /// Accounts at these providers, each with who vouches there.
    pub(crate) providers: BTreeMap<String, String>,
}

impl Admitted {
    /// What this site does.
    pub(crate) fn of(cms: &Cms) -> Self {
        let (services, policies) = (Services::of(cms), &cms.options().policies);
        Self {
            magic_links: services.mail.is_some() && policies.magic_links,
            passkeys: cfg!(feature = "passkeys"),
            unverified_passkeys: !policies.require_user_verification,
            providers: services.providers.iter().map(|provider| (provider.id().to_owned(), provider.issuer())).collect(),
        }
    }
}

impl Admitted {
    /// What of what somebody has a site admits, the strongest first.
    pub(crate) fn ways(&self, held: &HeldWays) -> Vec<Way> {
        let passkey = self.passkeys && (held.verified_passkey || (held.unverified_passkey && self.unverified_passkeys));
        let magic_link = self.magic_links && !held.email.is_placeholder();
        let own = [passkey.then_some(Way::Passkey), magic_link.then_some(Way::MagicLink)];
        let vouched = self.providers.iter().filter(|(_, issuer)| held.issuers.contains(*issuer));
        let providers = vouched.map(|(provider, _)| Way::Provider(provider.clone()));
        own.into_iter().flatten().chain(providers).collect()
    }
}

/// The ways in that a user has at this site.
pub(crate) async fn of(cms: &Cms, reader: Reader<'_>, user: UserId) -> Result<Vec<Way>, Error> {
    let held = reader.ways().of(user).await?;
    Ok(held.map(|held| Admitted::of(cms).ways(&held)).unwrap_or_default())
}

/// Whether a user has any way in, disabled or not. Behind a gateway everybody has one, which is not ours to end.
pub(crate) async fn has_any(cx: &Cx<'_>, user: UserId) -> Result<bool, Error> {
    Ok(Services::of(cx.cms()).gateway.is_some() || !of(cx.cms(), cx.read(), user).await?.is_empty())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn issuer(id: &str) -> String {
        format!("https://{id}.example")
    }

    fn names(ids: &[&str]) -> BTreeMap<String, String> {
        ids.iter().map(|&id| (id.to_owned(), issuer(id))).collect()
    }

    fn held(email: &str) -> HeldWays {
        let (user, email) = (UserId::from_parts(1, 1), email.parse().unwrap());
        HeldWays {
            user,
            email,
            verified_passkey: false,
            unverified_passkey: true,
            issuers: BTreeSet::from([issuer("club"), issuer("github")]),
        }
    }

    fn told(held: &HeldWays, admitted: &Admitted) -> String {
        admitted.ways(held).iter().map(Way::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_what_the_site_admits_is_a_way_in() {
        let everything = Admitted { magic_links: true, passkeys: true, unverified_passkeys: true, providers: names(&["github", "google"]) };
        let ada = held("ada@example.com");
        assert_eq!(told(&ada, &everything), "passkey magicLink provider:github");
        assert_eq!(told(&held("0a@club.invalid"), &everything), "passkey provider:github", "nobody reads mail to an address that is none");
        let strict = Admitted { magic_links: false, passkeys: true, unverified_passkeys: false, providers: BTreeMap::new() };
        assert_eq!(told(&ada, &strict), "");
        let ada = HeldWays { verified_passkey: true, ..ada };
        assert_eq!(told(&ada, &strict), "passkey");
        assert_eq!(told(&ada, &Admitted { passkeys: false, ..strict }), "", "where nobody can check them they are none");
    }
}
