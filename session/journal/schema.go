package journal

import _ "embed" // the schema

// Schema is the JSON Schema of a line of a journal (draft 2020-12). The tests of session hold
// their journals to it.
//
//go:embed journal.schema.json
var Schema []byte
