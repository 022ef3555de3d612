package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
)

var answerSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(frontend.AnswerSchema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("answer.json", parsed); err != nil {
		return nil, err
	}
	return c.Compile("answer.json")
})

// fitsSchema returns an error if an answer in JSON does not fit the schema that npdb prints.
func fitsSchema(a *session.Answer) error {
	schema, err := answerSchema()
	if err != nil {
		return err
	}
	raw := frontend.EncodeAnswer(a)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("%s: %w", raw, err)
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("%s\n%w", raw, err)
	}
	return nil
}

// TestSchemaRefuses checks that the schema is strict: a field that it does not know fails.
func TestSchemaRefuses(t *testing.T) {
	schema, err := answerSchema()
	if err != nil {
		t.Fatal(err)
	}
	var answer map[string]any
	if err := json.Unmarshal(frontend.EncodeAnswer(&session.Answer{Origin: dsl.Real}), &answer); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(answer); err != nil {
		t.Fatal(err)
	}
	answer["more"] = true
	if schema.Validate(answer) == nil {
		t.Error("an unknown field is accepted")
	}
}
