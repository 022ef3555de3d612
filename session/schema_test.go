package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
)

var (
	answerSchema  = sync.OnceValues(func() (*jsonschema.Schema, error) { return compiled(frontend.AnswerSchema) })
	journalSchema = sync.OnceValues(func() (*jsonschema.Schema, error) { return compiled(journal.Schema) })
)

func compiled(schema []byte) (*jsonschema.Schema, error) {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", parsed); err != nil {
		return nil, err
	}
	return c.Compile("schema.json")
}

// checkJournals checks the journals of a state folder against the schema that npdb prints.
func checkJournals(t *testing.T, stateDir string) {
	t.Helper()
	schema, err := journalSchema()
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(stateDir, "journal", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(raw) {
			if !bytes.HasSuffix(line, []byte("\n")) {
				continue // truncated by a crash
			}
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
			if err == nil {
				err = schema.Validate(value)
			}
			if err != nil {
				t.Errorf("%s\n%v", line, err)
			}
		}
	}
}

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

// TestSchemaRefuses checks that the schemas are strict: a field that they do not know fails.
func TestSchemaRefuses(t *testing.T) {
	lines, err := journalSchema()
	if err != nil {
		t.Fatal(err)
	}
	if lines.Validate(map[string]any{"line": "alias a b"}) != nil || lines.Validate(map[string]any{"line": "a", "more": true}) == nil {
		t.Error("the schema of journals takes too little or too much")
	}
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
