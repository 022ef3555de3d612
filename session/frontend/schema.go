package frontend

import _ "embed" // for the schema

// AnswerSchema is the JSON Schema of an answer (draft 2020-12). The tests of package session
// validate every answer against it.
//
//go:embed answer.schema.json
var AnswerSchema []byte
