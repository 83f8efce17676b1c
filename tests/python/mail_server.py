"""A mail server for tests, from the library aiosmtpd.

It listens on a free port of this machine and prints one JSON document a line: first where it listens, then each letter as it
arrives, with the encryption and the user it came with. `--starttls` and `--tls` encrypt, with a certificate whose authority is
written into the file that is named; then a user and a password are asked for. `--refuse` takes no letter.
"""

import argparse
import asyncio
import email
import email.policy
import json
import ssl

import trustme
from aiosmtpd.smtp import SMTP, AuthResult

USER, PASSWORD = b"cms", b"p:ss/word"


class PostBox:
    def __init__(self, refuses):
        self.refuses = refuses

    async def handle_DATA(self, server, session, envelope):
        letter = email.message_from_bytes(envelope.content, policy=email.policy.default)
        if self.refuses:
            # Mail servers that look for spam quote what they found.
            quoted = letter.get_body(("plain",)).get_content().replace("\n", " ")
            return f"550 refused: {quoted[:400]}"
        said = {
            "greeting": session.host_name,
            "user": session.auth_data,
            "tls": bool(session.ssl) or server.transport.get_extra_info("ssl_object") is not None,
            "sender": envelope.mail_from,
            "recipients": envelope.rcpt_tos,
            "headers": [[name, str(value)] for name, value in letter.items()],
            "text": letter.get_body(("plain",)).get_content(),
            "html": letter.get_body(("html",)).get_content(),
        }
        print(json.dumps(said), flush=True)
        return "250 taken"


def authenticate(server, session, envelope, mechanism, data):
    known = data.login == USER and data.password == PASSWORD
    return AuthResult(success=known, handled=True, auth_data=data.login.decode())


async def serve(options):
    context = None
    if options.tls or options.starttls:
        authority = trustme.CA()
        authority.cert_pem.write_to_path(options.tls or options.starttls)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    more = {}
    if context:
        more = {"authenticator": authenticate, "auth_required": True, "auth_require_tls": not options.tls}
    if options.starttls:
        more |= {"tls_context": context, "require_starttls": True}
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(PostBox(options.refuse), **more), "127.0.0.1", 0, ssl=context if options.tls else None
    )
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()


parser = argparse.ArgumentParser()
parser.add_argument("--starttls", metavar="FILE")
parser.add_argument("--tls", metavar="FILE")
parser.add_argument("--refuse", action="store_true")
asyncio.run(serve(parser.parse_args()))
