//! Limits count networks, too, and leave few rows.

use std::net::IpAddr;

use cms_core::{both, testing::TestApp};
use cms_domain::access::Access;
use cms_frame::{
    Client, Code, Cx, Error,
    descriptor::Declaration,
    operation::{Http, Limit, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;

const LIMIT: Limit = Limit::a_minute(3);

/// Something that may be done three times a minute.
#[derive(Clone, Deserialize, JsonSchema)]
struct Limited {}

impl Operation for Limited {
    const ID: &'static str = "test.limited";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(LIMIT);
    type Output = ();

    async fn run(self, _: &mut Cx<'_>) -> Result<(), Error> {
        Ok(())
    }
}

async fn admit(app: &TestApp, client: &Client) -> Result<(), Error> {
    app.cms().count(&Declaration::of::<Limited>(), client).await.map(drop)
}

/// How many of a thousand clients, each another one, are let in.
async fn let_in(app: &TestApp, client: impl Fn(u16) -> Client) -> usize {
    let mut admitted = 0;
    for n in 0..1_000 {
        match admit(app, &client(n)).await {
            Ok(()) => admitted += 1,
            Err(error) if error.code() == Code::RateLimited => return admitted,
            Err(error) => panic!("{error:?}"),
        }
    }
    admitted
}

fn at(address: impl Into<IpAddr>) -> Client {
    Client { address: Some(address.into()), ..Client::default() }
}

both! {
    async fn a_network_comes_oftener_than_an_address_and_not_without_bound(app: TestApp) {
        assert_eq!(let_in(&app, |_| at([192, 0, 2, 1])).await, 3);
        assert_eq!(let_in(&app, |n| at([198, 51, 100, u8::try_from(n % 256).unwrap()])).await, 48, "an IPv4 /24");
        assert_eq!(let_in(&app, |n| at([0x2001, 0xdb8, 1, 0, n, 0, 0, 1])).await, 3, "an IPv6 /64");
        assert_eq!(let_in(&app, |n| at([0x2001, 0xdb8, 2, n % 256, 0, 0, 0, 1])).await, 12, "a /56");
        assert_eq!(let_in(&app, |n| at([0x2001, 0xdb8, 3, n.wrapping_mul(256) | (n / 256), 0, 0, 0, 1])).await, 48, "a /48");
        assert_eq!(let_in(&app, |n| at([0x2001, 0xdb8, 1000 + n, 0, 0, 0, 0, 1])).await, 1_000, "many of them");
        assert_eq!(let_in(&app, |_| at([192, 0, 2, 2])).await, 3, "a neighbour");
    }

    async fn a_network_that_has_used_up_what_it_has_leaves_no_more_rows(app: TestApp) {
        let rows = async || {
            let key = |n: u16| format!("{} 2001:db8:3:{n:x}::/64", Limited::ID);
            let mut rows = 0;
            for n in 1..=200 {
                let reader = app.store().reader().rate_limits();
                rows += reader.counted(&key(n * 256), LIMIT.within, app.cms().now()).await.unwrap().0;
            }
            rows
        };
        for n in 1..=200 {
            let _ = admit(&app, &at([0x2001, 0xdb8, 3, n * 256, 0, 0, 0, 1])).await;
        }
        assert_eq!(rows().await, 48);
    }

    async fn those_who_cannot_be_told_apart_share_a_wide_count(app: TestApp) {
        assert_eq!(let_in(&app, |_| Client::default()).await, 60);
        assert_eq!(let_in(&app, |_| Client { shares_address: true, ..at([127, 0, 0, 1]) }).await, 60);
        assert_eq!(let_in(&app, |_| at([127, 0, 0, 1])).await, 3, "a client of the machine itself");
    }
}
