package chat

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/gen"
	"github.com/npdb/npdb/dsl/vectors"
)

// compiled returns a schema that can validate documents.
func compiled(t testing.TB, schema map[string]any) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", unmarshalled(t, text(t, schema))); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func text(t testing.TB, v any) string {
	t.Helper()
	written, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(written)
}

func unmarshalled(t testing.TB, document string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSchemaAllowsAnswers checks that the schema allows each answer of the vectors and of a program
// with several files, and that answers have their fields in the schema's order.
func TestSchemaAllowsAnswers(t *testing.T) {
	several := compiled(t, Schema(gen.Standing(t, gen.SeveralFiles).Program()))
	order := keys(t, Schema(gen.Standing(t, inside).Program())["properties"])
	held := 0
	hold := func(name string, schema *jsonschema.Schema, last *dsl.Node) {
		for n := last; n.Parent() != nil; n = n.Parent() {
			step, ok := n.Step()
			if !ok {
				continue
			}
			answer, err := answered(n.Parent(), step)
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(unmarshalled(t, answer)); err != nil {
				t.Errorf("%s: %s: %v", name, answer, err)
			}
			if got := keys(t, json.RawMessage(answer)); !slices.Equal(got, order) {
				t.Errorf("%s: the fields are %v, in the schema %v", name, got, order)
			}
			held++
		}
	}
	for _, v := range vectors.All() {
		last := gen.Standing(t, v.Wire)
		hold(v.Name, compiled(t, Schema(last.Program())), last)
	}
	hold("two files", several, gen.Standing(t, gen.SeveralFiles))
	if held < 500 {
		t.Errorf("only %d answers", held)
	}
	if err := several.Validate(unmarshalled(t, Unknown())); err != nil {
		t.Error(err)
	}
}

// TestSchemaRefuses checks that the schema rejects answers that Decode would have to reject or to
// guess.
func TestSchemaRefuses(t *testing.T) {
	const answer = `{"outcome":"state","event":"line","line":2,"function":null,"stack":[{"function":"f","line":2}],"locals":[{"name":"x","value":"1"}],"names":null,"kind":null,"value":null,"exit_code":null}`
	schema := compiled(t, Schema(gen.Standing(t, inside).Program()))
	if err := schema.Validate(unmarshalled(t, answer)); err != nil {
		t.Fatal(err)
	}
	for old, with := range map[string]string{
		`"state"`: `"stopped"`, `"event":"line"`: `"event":"lines"`, `"line":2,"function":null`: `"line":"a:2","function":null`, `"line":2,"function"`: `"line":99,"function"`, `"names":null`: `"names":[1]`,
		`"kind":null`: `"kind":"exception"`, `"value":null`: `"value":3`, `"exit_code":null`: `"exit_code":0.5`, `"function":null`: `"function":1`,
		`[{"name":"x","value":"1"}]`: `{"x":"1"}`, `"value":"1"`: `"value":1`, `"outcome"`: `"thoughts":"","outcome"`, `,"exit_code":null`: ``, `"line":2}]`: `"line":2,"file":"a"}]`,
		`{"function":"f","line":2}`: `{"function":"f"}`, `[{"function":"f","line":2}]`: `"f"`, `"locals":[`: `"local":[`, `"name":"x",`: ``,
	} {
		changed := strings.Replace(answer, old, with, 1)
		if err := schema.Validate(unmarshalled(t, changed)); err == nil || changed == answer {
			t.Errorf("with %s for %s it is allowed", with, old)
		}
	}
	several := compiled(t, Schema(gen.Standing(t, gen.SeveralFiles).Program()))
	if err := several.Validate(unmarshalled(t, answer)); err == nil {
		t.Error("with several files a line may lack its file")
	}
	if err := several.Validate(unmarshalled(t, strings.ReplaceAll(answer, `"line":2`, `"line":"b:2"`))); err != nil {
		t.Error(err)
	}
}

// TestSchemasAreStrict checks the rules of OpenAI's strict schemas: all fields are required, there
// are no additional ones, at most five levels, and only some keywords of JSON Schema.
func TestSchemasAreStrict(t *testing.T) {
	for name, schema := range map[string]map[string]any{
		"one file": Schema(gen.Standing(t, inside).Program()), "several files": Schema(gen.Standing(t, gen.SeveralFiles).Program()), "values": ValuesSchema(),
	} {
		t.Run(name, func(t *testing.T) { strict(t, json.RawMessage(text(t, schema)), 1) })
	}
}

func strict(t *testing.T, schema json.RawMessage, level int) {
	t.Helper()
	const most = 5
	if level > most {
		t.Fatalf("more than %d levels: %s", most, schema)
	}
	for _, word := range keys(t, schema) {
		if !slices.Contains([]string{"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum"}, word) {
			t.Errorf("%q is no word of strict schemas, in %s", word, schema)
		}
	}
	var s struct {
		Type       string
		Properties json.RawMessage
		Required   []string
		Additional *bool `json:"additionalProperties"`
		Items      json.RawMessage
		AnyOf      []json.RawMessage
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatal(err)
	}
	switch {
	case s.Type == "object":
		if got := keys(t, s.Properties); !slices.Equal(got, s.Required) || s.Additional == nil || *s.Additional {
			t.Errorf("of %v are required %v; others: %v", got, s.Required, s.Additional)
		}
		var properties map[string]json.RawMessage
		if err := json.Unmarshal(s.Properties, &properties); err != nil {
			t.Fatal(err)
		}
		for _, p := range properties {
			strict(t, p, level+1)
		}
	case s.Type == "array":
		strict(t, s.Items, level+1)
	case s.AnyOf != nil && level > 1:
		for _, one := range s.AnyOf {
			strict(t, one, level)
		}
	case !slices.Contains([]string{"string", "integer", "null"}, s.Type):
		t.Errorf("%s is of no type", schema)
	}
}

// keys returns the keys of a JSON object, in the order in which they are written.
func keys(t testing.TB, object any) (found []string) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader([]byte(text(t, object))))
	if brace, err := d.Token(); err != nil || brace != json.Delim('{') {
		t.Fatalf("%v is no object: %v", object, err)
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, key.(string))
	}
	return found
}

// TestSchemaOfLines checks that the schema depends only on the program, and that it lists the lines
// with a statement if there are not too many.
func TestSchemaOfLines(t *testing.T) {
	lines := []string{"x = 1", "", "  # nothing", "y = '''", "# text", "'''"}
	one := &dsl.Program{Files: []dsl.SourceFile{{Name: "a.py", Lines: lines}}}
	two := &dsl.Program{Files: []dsl.SourceFile{{Name: "a.py", Lines: lines}, {Name: "b.py", Lines: []string{"z"}}}}
	if got, want := linesOf(one), []any{1, 4, 6}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := linesOf(two), []any{"a:1", "a:4", "a:6", "b:1"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	long := &dsl.Program{Files: []dsl.SourceFile{{Lines: slices.Repeat([]string{"x"}, maxEnum)}}}
	longer := &dsl.Program{Files: []dsl.SourceFile{{Lines: slices.Repeat([]string{"x"}, maxEnum+1)}}}
	for p, want := range map[*dsl.Program]int{one: 3, two: 4, long: maxEnum, longer: 0, {Files: []dsl.SourceFile{{}}}: 0} {
		var schema struct {
			Properties struct {
				Line struct{ AnyOf []struct{ Enum []any } }
			}
		}
		if err := json.Unmarshal([]byte(text(t, Schema(p))), &schema); err != nil {
			t.Fatal(err)
		}
		if got := len(schema.Properties.Line.AnyOf[0].Enum); got != want {
			t.Errorf("%d lines, want %d", got, want)
		}
	}
}
