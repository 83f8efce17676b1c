//! What providers keep for whoever is away: it is given back once.

use cms_accounts::provider_records::{PutRecord, TakeRecord};
use cms_core::both;
use cms_domain::access::Actor;
use cms_frame::Door;
use serde_json::json;
use tokio::task::JoinSet;

both! {
    async fn of_fifty_who_take_what_a_provider_keeps_at_once_one_gets_it(app: TestApp) {
        let (provider, collection, key) = ("club".to_owned(), "away".to_owned(), "state".to_owned());
        let put =
            PutRecord { provider: provider.clone(), collection: collection.clone(), key: key.clone(), value: json!("ada"), expires_at: None };
        app.cms().invoke(&Actor::System, Door::Local, put).await.unwrap();
        let mut uses = JoinSet::new();
        for _ in 0..50 {
            let take = TakeRecord { provider: provider.clone(), collection: collection.clone(), key: key.clone() };
            let cms = app.cms().clone();
            uses.spawn(async move { cms.invoke(&Actor::System, Door::Local, take).await.unwrap().value });
        }
        assert_eq!(uses.join_all().await.into_iter().flatten().collect::<Vec<_>>(), [json!("ada")]);
    }
}
