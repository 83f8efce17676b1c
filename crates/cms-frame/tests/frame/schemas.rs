//! The schemas of operations are ready to be held against inputs.

use cms_frame::Code;
use serde_json::Map;

#[test]
fn every_schema_of_the_catalog_compiles() {
    let catalog = cms_core::built_in();
    for operation in catalog.iter() {
        // One that does not is a fault of the server's.
        let refused = operation.read(Map::new()).err().map(|error| error.code());
        assert!(refused.is_none_or(|code| code == Code::ValidationError), "{}: {refused:?}", operation.id);
    }
    assert!(catalog.iter().next().is_some());
}
