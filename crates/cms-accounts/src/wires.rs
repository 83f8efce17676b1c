//! The addresses of what standards say of the wire: the authorization server's, and providers' redirects. Doors answer them, and operations keep off.

use cms_frame::{
    catalog::Wire,
    operation::{Gives, Http},
};

/// Tokens for codes (RFC 6749, 3.2).
pub const TOKEN: Wire = Wire::new("oauth.token", Http::post("", "/oauth/token").form().gives(Gives::Plain));
/// Applications that register themselves (RFC 7591).
pub const REGISTER: Wire = Wire::new("oauth.register", Http::post("", "/oauth/register").form().gives(Gives::Plain).created());
/// Tokens that are given back (RFC 7009).
pub const REVOKE: Wire = Wire::new("oauth.revoke", Http::post("", "/oauth/revoke").form().gives(Gives::Plain));
/// Codes for programs without a browser (RFC 8628).
pub const DEVICE_CODE: Wire = Wire::new("oauth.device_code", Http::post("", "/oauth/device/code").form().gives(Gives::Plain));
/// The way to a provider.
pub const TO_PROVIDER: Wire = Wire::new("provider.begin", Http::get("", "/auth/oauth/{provider}").gives(Gives::Redirect("url")));
/// The way back.
pub const FROM_PROVIDER: Wire =
    Wire::new("provider.finish", Http::get("", "/auth/oauth/{provider}/callback").gives(Gives::Redirect("location")));
/// Pages that providers have themselves.
pub const PROVIDER_PAGE: Wire = Wire::new("provider.page", Http::get("", "/auth/oauth/{provider}/{page}").gives(Gives::Bytes));

/// All of them.
pub const ALL: [Wire; 7] = [TOKEN, REGISTER, REVOKE, DEVICE_CODE, TO_PROVIDER, FROM_PROVIDER, PROVIDER_PAGE];
