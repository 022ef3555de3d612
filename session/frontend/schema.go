package frontend

import _ "embed" // the schema

// AnswerSchema is the JSON Schema of an answer (draft 2020-12). The tests of session hold every
// answer to it.
//
//go:embed answer.schema.json
var AnswerSchema []byte
