//! Delivery by SMTP (RFC 5321), as a client that submits to the operator's mail server (RFC 6409).

use std::{fmt, str::FromStr};

use cms_auth::token;
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{
        MultiPart,
        header::{HeaderName, HeaderValue},
    },
    transport::smtp::{
        authentication::Credentials,
        client::{Certificate, Tls, TlsParameters},
        extension::ClientId,
    },
};
use percent_encoding::percent_decode_str;
use tokio::sync::Semaphore;
use url::{Host, Url};

use super::{Delivery, Letter, Mail, MailError};

/// How many letters are handed over at once: mail servers take few connections of one client.
const AT_ONCE: usize = 4;
/// Ports that mail is submitted to: encrypted from the start (RFC 8314, section 7.3), with `STARTTLS` (RFC 6409, section 3.1), and
/// plain (RFC 5321, section 4.5.4.2).
const PORTS: [(SmtpTls, u16); 4] = [(SmtpTls::Implicit, 465), (SmtpTls::Required, 587), (SmtpTls::Opportunistic, 587), (SmtpTls::None, 25)];

/// When the connection to the mail server is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpTls {
    /// From the first byte.
    Implicit,
    /// After `STARTTLS` (RFC 3207), which the server must offer.
    Required,
    /// After `STARTTLS`, when the server offers it.
    Opportunistic,
    /// Never.
    None,
}

/// Where the mail server is, and how to talk to it: `smtps://user:password@host:port`, or `smtp://…?tls=required`, `opportunistic`
/// or `none`. Neither `{}` nor `{:?}` shows the password.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpOptions {
    host: String,
    port: Option<u16>,
    tls: SmtpTls,
    credentials: Option<(String, String)>,
}

/// The text does not say where a mail server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SmtpOptionsError {
    /// It is not an address of a mail server.
    #[error("expected `smtps://user:password@host:port` or `smtp://user:password@host:port?tls=required` (or `opportunistic`, or `none`)")]
    Shape,
    /// It would send a password where everybody can read it.
    #[error("a password is sent over encrypted connections only: use `smtps://`, or `tls=required`")]
    ReadablePassword,
}

impl FromStr for SmtpOptions {
    type Err = SmtpOptionsError;

    fn from_str(text: &str) -> Result<Self, SmtpOptionsError> {
        let url = Url::parse(text).map_err(|_| SmtpOptionsError::Shape)?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(SmtpOptionsError::Shape)?;
        let pairs: Vec<_> = url.query_pairs().collect();
        let tls = match (url.scheme(), pairs.as_slice()) {
            ("smtps", []) => SmtpTls::Implicit,
            ("smtp", []) => SmtpTls::Required,
            ("smtp", [(name, value)]) if name == "tls" => match &**value {
                "required" => SmtpTls::Required,
                "opportunistic" => SmtpTls::Opportunistic,
                "none" => SmtpTls::None,
                _ => return Err(SmtpOptionsError::Shape),
            },
            _ => return Err(SmtpOptionsError::Shape),
        };
        if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
            return Err(SmtpOptionsError::Shape);
        }
        let read = |text: &str| percent_decode_str(text).decode_utf8().map(String::from).map_err(|_| SmtpOptionsError::Shape);
        let credentials = match (url.username(), url.password()) {
            ("", None) => None,
            (user, Some(password)) if !user.is_empty() => Some((read(user)?, read(password)?)),
            _ => return Err(SmtpOptionsError::Shape),
        };
        // Whoever can read what a machine tells itself can read its configuration too.
        let readable = matches!(tls, SmtpTls::Opportunistic | SmtpTls::None) && !is_loopback(host);
        if credentials.is_some() && readable {
            return Err(SmtpOptionsError::ReadablePassword);
        }
        Ok(Self { host: host.to_owned(), port: url.port(), tls, credentials })
    }
}

impl SmtpOptions {
    /// The port that is named, or the usual one.
    fn port(&self) -> u16 {
        self.port.or_else(|| PORTS.iter().find(|(tls, _)| *tls == self.tls).map(|(_, port)| *port)).unwrap_or_default()
    }

    /// The name that certificates are checked against: an IPv6 address has no brackets there.
    fn domain(&self) -> String {
        self.host.trim_start_matches('[').trim_end_matches(']').to_owned()
    }
}

fn is_loopback(host: &str) -> bool {
    host == "localhost"
        || host.trim_start_matches('[').trim_end_matches(']').parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

impl fmt::Display for SmtpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.tls == SmtpTls::Implicit { "smtps://" } else { "smtp://" })?;
        if let Some((user, _)) = &self.credentials {
            write!(f, "{}:***@", percent_encoding::utf8_percent_encode(user, percent_encoding::NON_ALPHANUMERIC))?;
        }
        f.write_str(&self.host)?;
        if let Some(port) = self.port {
            write!(f, ":{port}")?;
        }
        f.write_str(match self.tls {
            SmtpTls::Implicit | SmtpTls::Required => "",
            SmtpTls::Opportunistic => "?tls=opportunistic",
            SmtpTls::None => "?tls=none",
        })
    }
}

impl fmt::Debug for SmtpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An address that mail is sent from or answered to, with or without a name: `Gazette <cms@example.org>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailbox(lettre::message::Mailbox);

/// The text is not an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an e-mail address, with or without a name, as in `Gazette <cms@example.org>`")]
pub struct MailboxError;

impl FromStr for Mailbox {
    type Err = MailboxError;

    fn from_str(text: &str) -> Result<Self, MailboxError> {
        if text.chars().any(char::is_control) {
            return Err(MailboxError);
        }
        text.parse().map(Self).map_err(|_| MailboxError)
    }
}

impl fmt::Display for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Hands letters over to a mail server.
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: lettre::message::Mailbox,
    reply_to: Option<lettre::message::Mailbox>,
    places: Semaphore,
}

impl Smtp {
    /// A client of a mail server.
    ///
    /// `authorities` are certificates in PEM that sign the server's, besides those that browsers know. `origin` is where this site is:
    /// the client greets with its host.
    pub fn new(
        options: &SmtpOptions,
        from: &Mailbox,
        reply_to: Option<&Mailbox>,
        authorities: Option<&[u8]>,
        origin: &str,
    ) -> Result<Self, MailError> {
        let parameters = || {
            let mut builder = TlsParameters::builder(options.domain());
            if let Some(pem) = authorities {
                builder = builder.add_root_certificate(Certificate::from_pem(pem)?);
            }
            builder.build()
        };
        let tls = match options.tls {
            SmtpTls::Implicit => Tls::Wrapper(parameters().map_err(failed)?),
            SmtpTls::Required => Tls::Required(parameters().map_err(failed)?),
            SmtpTls::Opportunistic => Tls::Opportunistic(parameters().map_err(failed)?),
            SmtpTls::None => Tls::None,
        };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(options.domain())
            .port(options.port())
            .tls(tls)
            .hello_name(greeting(origin));
        if let Some((user, password)) = &options.credentials {
            builder = builder.credentials(Credentials::new(user.clone(), password.clone()));
        }
        Ok(Self {
            transport: builder.build(),
            from: from.0.clone(),
            reply_to: reply_to.map(|mailbox| mailbox.0.clone()),
            places: Semaphore::new(AT_ONCE),
        })
    }

    fn message(&self, letter: &Letter) -> Result<Message, MailError> {
        let to: Address = letter.to.as_str().parse().map_err(MailError::lasting)?;
        let id = token::NewToken::make("").map_err(MailError::passing)?.text;
        let mut builder = Message::builder()
            .from(self.from.clone())
            .to(lettre::message::Mailbox::new(None, to))
            .subject(super::letters::one_line(&letter.subject, usize::MAX))
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            // So that nobody's holiday answers us (RFC 3834, section 5).
            .raw_header(HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned()));
        if let Some(reply_to) = &self.reply_to {
            builder = builder.reply_to(reply_to.clone());
        }
        let body = MultiPart::alternative_plain_html(letter.text.clone(), letter.html.clone());
        builder.multipart(body).map_err(MailError::lasting)
    }
}

impl Mail for Smtp {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> Delivery<'a> {
        Box::pin(async move {
            let message = self.message(letter)?;
            // Nobody closes the semaphore.
            let _place = self.places.acquire().await.map_err(MailError::passing)?;
            self.transport.send(message).await.map(drop).map_err(failed)
        })
    }
}

fn failed(error: lettre::transport::smtp::Error) -> MailError {
    if error.is_permanent() || error.is_client() { MailError::lasting(error) } else { MailError::passing(error) }
}

/// What the client calls itself (RFC 5321, section 4.1.1.1).
fn greeting(origin: &str) -> ClientId {
    match Url::parse(origin).ok().and_then(|url| url.host().map(|host| host.to_owned())) {
        Some(Host::Domain(domain)) => ClientId::Domain(domain),
        Some(Host::Ipv4(address)) => ClientId::Ipv4(address),
        Some(Host::Ipv6(address)) => ClientId::Ipv6(address),
        None => ClientId::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> SmtpOptions {
        text.parse().unwrap()
    }

    #[test]
    fn the_address_says_how_the_connection_is_encrypted() {
        for (text, tls, port) in [
            ("smtps://mail.example.org", SmtpTls::Implicit, 465),
            ("smtps://mail.example.org:4465", SmtpTls::Implicit, 4465),
            ("smtp://mail.example.org", SmtpTls::Required, 587),
            ("smtp://mail.example.org?tls=required", SmtpTls::Required, 587),
            ("smtp://mail.example.org:2525/?tls=opportunistic", SmtpTls::Opportunistic, 2525),
            ("smtp://mail.example.org?tls=none", SmtpTls::None, 25),
            ("smtp://[::1]:1025?tls=none", SmtpTls::None, 1025),
        ] {
            let read = options(text);
            assert_eq!((read.tls, read.port()), (tls, port), "{text}");
            assert_eq!(options(&read.to_string()), read, "{text}");
            assert!(Smtp::new(&read, &"cms@example.org".parse().unwrap(), None, None, "https://cms.example.org").is_ok(), "{text}");
        }
        assert_eq!(options("smtp://[::1]?tls=none").domain(), "::1");
    }

    #[test]
    fn what_is_no_address_of_a_mail_server_is_refused() {
        for text in [
            "",
            "mail.example.org",
            "http://mail.example.org",
            "smtp://",
            "smtp://mail.example.org?tls=maybe",
            "smtp://mail.example.org?ssl=1",
            "smtps://mail.example.org?tls=none",
            "smtp://mail.example.org/inbox",
            "smtp://mail.example.org#x",
            "smtp://user@mail.example.org",
            "smtp://:password@mail.example.org",
        ] {
            assert_eq!(text.parse::<SmtpOptions>(), Err(SmtpOptionsError::Shape), "{text}");
        }
    }

    #[test]
    fn a_password_is_not_sent_where_others_can_read_it() {
        for text in ["smtp://u:p@mail.example.org?tls=none", "smtp://u:p@192.0.2.1?tls=opportunistic"] {
            assert_eq!(text.parse::<SmtpOptions>(), Err(SmtpOptionsError::ReadablePassword), "{text}");
        }
        for text in ["smtp://u:p@localhost?tls=none", "smtp://u:p@127.0.0.1?tls=none", "smtp://u:p@[::1]?tls=opportunistic"] {
            assert!(text.parse::<SmtpOptions>().is_ok(), "{text}");
        }
    }

    #[test]
    fn the_password_of_a_mail_server_is_never_shown() {
        let read = options("smtps://ada%40example.org:s%3Acret@mail.example.org");
        assert_eq!(read.credentials, Some(("ada@example.org".to_owned(), "s:cret".to_owned())));
        for shown in [read.to_string(), format!("{read:?}")] {
            assert_eq!(shown, "smtps://ada%40example%2Eorg:***@mail.example.org");
        }
    }

    #[test]
    fn what_is_no_mailbox_is_refused() {
        assert_eq!("Gazette <cms@example.org>".parse::<Mailbox>().unwrap().to_string(), "Gazette <cms@example.org>");
        for text in ["", "cms", "a@b@c", "Gazette <cms@example.org", "Gazette\r\nBcc: x@example.org <cms@example.org>"] {
            assert!(text.parse::<Mailbox>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_subject_cannot_add_headers() {
        let smtp = Smtp::new(
            &options("smtp://localhost?tls=none"),
            &"Gazette <cms@example.org>".parse().unwrap(),
            Some(&"office@example.org".parse().unwrap()),
            None,
            "https://cms.example.org",
        )
        .unwrap();
        let letter = Letter {
            to: "ada@example.com".parse().unwrap(),
            subject: "Hello\r\nBcc: all@example.org\r\n\r\nbody".to_owned(),
            text: "text".to_owned(),
            html: "<p>html</p>".to_owned(),
        };
        let message = String::from_utf8(smtp.message(&letter).unwrap().formatted()).unwrap();
        let (head, _) = message.split_once("\r\n\r\n").unwrap();
        let names: Vec<_> = head.lines().filter(|line| !line.starts_with([' ', '\t'])).filter_map(|line| line.split(':').next()).collect();
        assert!(names.contains(&"Subject") && names.contains(&"Reply-To") && names.contains(&"Auto-Submitted"), "{head}");
        assert!(!names.contains(&"Bcc"), "{head}");
    }

    #[test]
    fn the_client_greets_with_the_host_of_the_site() {
        assert_eq!(greeting("https://cms.example.org:8443").to_string(), "cms.example.org");
        assert_eq!(greeting("http://127.0.0.1:8080").to_string(), "[127.0.0.1]");
    }
}
