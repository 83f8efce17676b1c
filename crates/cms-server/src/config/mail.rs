//! How mail is sent.

use std::{fmt, path::PathBuf, str::FromStr};

use anyhow::{Context, bail};
use cms_core::accounts::mail::{Mailbox, MailboxError, Smtp, SmtpOptions, SmtpOptionsError};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::values::spelled;

/// How mail is sent. Without `mail.url` none is: magic links and sign-up by address are off, and admins hand links over themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Mail {
    /// The mail server: `smtps://user:password@host`, or `smtp://user:password@host?tls=required` for STARTTLS. `tls` may also be
    /// `opportunistic` or `none`; then no password is sent to another machine.
    pub(crate) url: Option<MailUrl>,
    /// Whom letters are from, as in `Gazette <cms@example.org>`. Needed with `mail.url`.
    pub(crate) from: Option<MailAddress>,
    /// Whom readers answer to, if it is somebody else.
    pub(crate) reply_to: Option<MailAddress>,
    /// A file of certificates in PEM that sign the mail server's, besides those that browsers know.
    pub(crate) ca_file: Option<PathBuf>,
    /// Whether people are told of every change of what opens their account: passkeys, tokens, connections, applications, address, role.
    pub(crate) security_notices: bool,
}

impl Default for Mail {
    fn default() -> Self {
        let security_notices = cms_core::Policies::default().security_notices;
        Self { url: None, from: None, reply_to: None, ca_file: None, security_notices }
    }
}

impl Mail {
    /// What delivers letters; nothing when no mail server is configured.
    pub(crate) fn service(&self, origin: &str) -> anyhow::Result<Option<Smtp>> {
        let Some(url) = &self.url else { return Ok(None) };
        let Some(from) = &self.from else {
            bail!("`mail.url` is set and `mail.from` is not: say whom letters are from, as in `Gazette <cms@example.org>`");
        };
        let authorities = match &self.ca_file {
            Some(file) => Some(std::fs::read(file).with_context(|| format!("`mail.ca_file`: cannot read `{}`", file.display()))?),
            None => None,
        };
        let reply_to = self.reply_to.as_ref().map(|address| &address.0);
        let smtp =
            Smtp::new(&url.0, &from.0, reply_to, authorities.as_deref(), origin).context("`mail.url` or `mail.ca_file` is of no use")?;
        Ok(Some(smtp))
    }
}

/// Where the mail server is. The password in it is for that server alone: neither `{}` nor `{:?}` shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MailUrl(SmtpOptions);

impl FromStr for MailUrl {
    type Err = SmtpOptionsError;

    fn from_str(text: &str) -> Result<Self, SmtpOptionsError> {
        text.parse().map(Self)
    }
}

impl fmt::Display for MailUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

spelled!(MailUrl, { "type": "string", "pattern": "^smtps?://.+$" });

/// An address that mail is sent from or answered to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MailAddress(Mailbox);

impl FromStr for MailAddress {
    type Err = MailboxError;

    fn from_str(text: &str) -> Result<Self, MailboxError> {
        text.parse().map(Self)
    }
}

impl fmt::Display for MailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

spelled!(MailAddress, { "type": "string", "minLength": 3 });

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(url: &str, from: Option<&str>) -> Mail {
        Mail { url: Some(url.parse().unwrap()), from: from.map(|from| from.parse().unwrap()), ..Mail::default() }
    }

    #[test]
    fn the_password_of_the_mail_server_is_masked() {
        let mail = mail("smtps://ada:s3cret@mail.example.org", Some("cms@example.org"));
        for shown in [serde_json::to_string(&mail).unwrap(), format!("{mail:?}")] {
            assert!(shown.contains("smtps://ada:***@mail.example.org") && !shown.contains("s3cret"), "{shown}");
        }
    }

    #[test]
    fn mail_is_from_somebody() {
        assert!(Mail::default().service("http://localhost").unwrap().is_none());
        assert!(mail("smtp://localhost?tls=none", Some("cms@example.org")).service("http://localhost").unwrap().is_some());
        let refused = mail("smtp://localhost?tls=none", None).service("http://localhost").err().unwrap();
        assert!(refused.to_string().contains("mail.from"), "{refused}");
    }

    #[test]
    fn a_file_of_certificates_that_is_none_is_told() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n").unwrap();
        let mail = Mail { ca_file: Some(file.path().to_owned()), ..mail("smtps://localhost", Some("cms@example.org")) };
        assert!(mail.service("http://localhost").is_err());
        let mail = Mail { ca_file: Some("nowhere.pem".into()), ..mail };
        assert!(mail.service("http://localhost").err().unwrap().to_string().contains("nowhere.pem"));
    }
}
