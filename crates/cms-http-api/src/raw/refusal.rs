//! The page for a person whom an application sent here with a request that cannot be answered: in their language, in light and dark, and with
//! nothing that a browser would run.

use std::sync::LazyLock;

use axum::response::Response;
use cms_frame::{Error, Kind};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::page::digests;

/// How it looks. Its digest is all that the policy lets in.
const STYLE: &str = "\
:root{color-scheme:light dark;--canvas:#f8f9fb;--surface:#fff;--line:#e2e4e9;--ink:#171a23;--muted:#4d525f;--sunken:#f2f3f7}\
@media(prefers-color-scheme:dark){:root{--canvas:#0e1117;--surface:#161a21;--line:#2b2f38;--ink:#eff0f3;--muted:#b0b4bd;--sunken:#12151c}}\
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--canvas);color:var(--ink);\
font:0.9375rem/1.6 ui-sans-serif,system-ui,'Segoe UI',Roboto,'Noto Sans','Noto Sans Arabic',sans-serif}\
main{box-sizing:border-box;width:min(30rem,calc(100% - 2rem));margin:1rem;padding:2rem;background:var(--surface);border:1px solid var(--line);border-radius:1rem}\
h1{margin:0 0 .75rem;font-size:1.375rem;line-height:1.3}\
p{margin:.75rem 0 0;color:var(--muted)}\
code{display:block;margin-top:1rem;padding:.625rem .75rem;background:var(--sunken);border:1px solid var(--line);border-radius:.5rem;\
color:var(--ink);font:0.8125rem/1.5 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere;text-align:left}";

/// What may be loaded: the style, and nothing else.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let style = digests(&format!("<style>{STYLE}</style>"), "style");
    format!("default-src 'none'; style-src{style}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
});

/// The page in a language.
struct Words {
    language: &'static str,
    title: &'static str,
    sent: &'static str,
    advice: &'static str,
}

/// The first one is for whoever reads none of them.
const WORDS: [Words; 5] = [
    Words {
        language: "en",
        title: "This request cannot be answered",
        sent: "An application sent you here with a request that is not valid.",
        advice: "Nothing was granted, and you were sent nowhere else. Close this page, or tell whoever makes the application.",
    },
    Words {
        language: "de",
        title: "Diese Anfrage kann nicht beantwortet werden",
        sent: "Eine Anwendung hat Sie mit einer ungültigen Anfrage hierher geschickt.",
        advice: "Es wurde nichts gewährt, und Sie wurden nicht weitergeleitet. Schließen Sie diese Seite, oder informieren Sie den Anbieter der Anwendung.",
    },
    Words {
        language: "fr",
        title: "Impossible de répondre à cette demande",
        sent: "Une application vous a envoyé ici avec une demande qui n’est pas valide.",
        advice: "Rien n’a été accordé et vous n’avez pas été redirigé. Fermez cette page ou prévenez l’éditeur de l’application.",
    },
    Words {
        language: "es",
        title: "No se puede responder a esta solicitud",
        sent: "Una aplicación te ha enviado aquí con una solicitud que no es válida.",
        advice: "No se ha concedido nada ni se te ha redirigido a otro sitio. Cierra esta página o avisa a quien desarrolla la aplicación.",
    },
    Words {
        language: "ar",
        title: "لا يمكن الرد على هذا الطلب",
        sent: "أرسلك أحد التطبيقات إلى هنا بطلب غير صالح.",
        advice: "لم يُمنح أي إذن ولم تُحوَّل إلى أي مكان آخر. أغلق هذه الصفحة أو أبلغ مطوّر التطبيق.",
    },
];

impl Words {
    /// The words that a browser likes best of those there are (RFC 9110, 12.5.4).
    fn of(headers: &HeaderMap) -> &'static Self {
        let asked = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut best: Option<(f32, &Self)> = None;
        for range in asked.split(',') {
            let (tag, weight) = range.split_once(';').map_or((range, None), |(tag, weight)| (tag, Some(weight)));
            let weight = weight.map_or(1.0, |weight| weight.trim().strip_prefix("q=").and_then(|q| q.parse().ok()).unwrap_or(0.0));
            let language = tag.trim().split('-').next().unwrap_or_default();
            let known = WORDS.iter().find(|words| words.language.eq_ignore_ascii_case(language));
            if let Some(words) = known.filter(|_| weight > best.map_or(0.0, |(weight, _)| weight)) {
                best = Some((weight, words));
            }
        }
        best.map_or(&WORDS[0], |(_, words)| words)
    }
}

/// A page for a person who was sent here by something that is broken, or by somebody who means them harm.
pub(super) fn page(asked: &HeaderMap, status: StatusCode, error: &Error) -> Response {
    let said = if error.code().kind() == Kind::Invalid { error.message() } else { error.code().message() };
    let said = said.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let Words { language, title, sent, advice } = Words::of(asked);
    let direction = if *language == "ar" { "rtl" } else { "ltr" };
    let html = format!(
        "<!doctype html><html lang=\"{language}\" dir=\"{direction}\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"robots\" content=\"noindex\"><title>{title}</title><style>{STYLE}</style>\
         <main><h1>{title}</h1><p>{sent}</p><code lang=\"en\" dir=\"ltr\">{said}</code><p>{advice}</p></main></html>"
    );
    let mut response = Response::new(html.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Digests are text that a header can have; without the policy the frame's own holds, which lets in nothing at all.
    if let Ok(policy) = HeaderValue::from_str(&POLICY) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(asked: &str) -> &'static str {
        let headers = [(header::ACCEPT_LANGUAGE, HeaderValue::from_str(asked).unwrap())].into_iter().collect();
        Words::of(&headers).language
    }

    #[test]
    fn a_reader_gets_the_language_that_they_like_best_of_those_there_are() {
        for (asked, expected) in [
            ("de-AT,de;q=0.9,en;q=0.8", "de"),
            ("pl, ar;q=0.4, FR;q=0.5", "fr"),
            ("en;q=0.1, es;q=0.2", "es"),
            ("pl", "en"),
            ("de;q=0", "en"),
            ("de;q=x", "en"),
            ("", "en"),
        ] {
            assert_eq!(language(asked), expected, "{asked}");
        }
        assert_eq!(Words::of(&HeaderMap::new()).language, "en");
    }
}
