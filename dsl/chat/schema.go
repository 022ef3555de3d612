package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// Schema returns the JSON schema of an answer about a program. It uses only what strict schemas
// allow: every field is required, and null if it does not apply; there are no additional fields, no
// open maps and no bounds. The state's line is an enumeration of the program's lines that are
// neither blank nor a comment, if there are not too many for a strict schema. All requests about a
// program have the same schema.
func Schema(p *dsl.Program) map[string]any {
	line := map[string]any{"type": "integer"}
	if len(p.Files) > 1 {
		line = map[string]any{"type": "string"}
	}
	at := line
	if lines := linesOf(p); len(lines) > 0 && len(lines) <= maxEnum {
		at = map[string]any{"type": line["type"], "enum": lines}
	}
	text := map[string]any{"type": "string"}
	locals := list(record(fields{{"name", text}, {"value", text}}))
	return record(fields{
		{"outcome", map[string]any{"type": "string", "enum": []any{"state", "end", "start", "unknown"}}},
		{"event", orNull(map[string]any{"type": "string", "enum": []any{"call", "line", "return", "exception"}})},
		{"line", orNull(at)},
		{"function", orNull(text)},
		{"stack", orNull(list(record(fields{{"function", text}, {"line", orNull(line)}})))},
		{"locals", locals},
		{"names", orNull(list(text))},
		{"kind", orNull(map[string]any{"type": "string", "enum": []any{"return", "yield", "unwind"}})},
		{"value", orNull(text)},
		{"exit_code", orNull(map[string]any{"type": "integer"})},
	})
}

// maxEnum is the maximum number of values in an enumeration of OpenAI's strict schemas.
const maxEnum = 250

// linesOf returns the lines at which a state can be, written as in answers: 12, or "b:12" in a
// program of several files.
func linesOf(p *dsl.Program) []any {
	var lines []any
	for i, f := range p.Files {
		for n, text := range f.Lines {
			if text = strings.TrimSpace(text); text == "" || text[0] == '#' {
				continue
			}
			if len(p.Files) > 1 {
				lines = append(lines, fmt.Sprintf("%s:%d", dsl.FileLetter(i), n+1))
			} else {
				lines = append(lines, n+1)
			}
		}
	}
	return lines
}

// ValuesSchema returns the schema of an answer to Values.
func ValuesSchema() map[string]any {
	text := map[string]any{"type": "string"}
	return record(fields{{"values", list(record(fields{{"name", text}, {"value", text}}))}})
}

type field struct {
	name   string
	schema map[string]any
}

// fields holds the fields of an object, in the order in which models should write them.
type fields []field

// MarshalJSON writes the fields as an object, in their order.
func (f fields) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, one := range f {
		name, err := json.Marshal(one.name)
		if err != nil {
			return nil, err
		}
		schema, err := json.Marshal(one.schema)
		if err != nil {
			return nil, err
		}
		b.WriteByte("{,"[min(i, 1)])
		b.Write(name)
		b.WriteByte(':')
		b.Write(schema)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func record(properties fields) map[string]any {
	required := []any{}
	for _, f := range properties {
		required = append(required, f.name)
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

func list(of map[string]any) map[string]any { return map[string]any{"type": "array", "items": of} }

func orNull(s map[string]any) map[string]any {
	return map[string]any{"anyOf": []any{s, map[string]any{"type": "null"}}}
}
