package journal

import _ "embed" // for the schema

// Schema is the JSON Schema of a line of a journal (draft 2020-12). The tests of package session
// validate their journals against it.
//
//go:embed journal.schema.json
var Schema []byte
