"""How files are sent that are no JSON: as they are."""

import schemathesis

schemathesis.serializer.alias("application/x-ndjson", "application/octet-stream")
