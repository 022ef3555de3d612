package chat

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// member is a key of a JSON object and its value, with their spans in a text.
type member struct {
	name      string
	key, span dsl.Span
	raw       json.RawMessage
}

// Told locates the parts of a state in an answer that Decode accepts. A local that the answer omits
// as unchanged has no span.
func Told(text string) (t dsl.Told) {
	_, at, err := object(text, "outcome")
	if err != nil {
		return t
	}
	return told(text, at)
}

// Told locates the parts of this state in the whole answer.
func (p Part) Told(answer string) dsl.Told { return told(answer, p.At.From) }

// told locates the parts of the state whose JSON object begins at offset at.
func told(text string, at int) (t dsl.Told) {
	seen := map[string]bool{}
	for _, m := range slices.Backward(members(text, at)) {
		if seen[m.name] { // if a name occurs twice, the last one is used
			continue
		}
		seen[m.name] = true
		switch m.name {
		case "outcome", "event":
			t.Event = append(t.Event, m.span)
		case "line":
			t.Line = append(t.Line, m.span)
		case "function":
			t.Function = append(t.Function, m.span)
		case "kind", "value", "exit_code":
			if !isNull(m.raw) {
				t.Value = append(t.Value, m.span)
			}
		case "locals":
			t.Locals = toldLocals(text, m)
		}
	}
	return t
}

// toldLocals returns the spans of each local's name and value, in an object or in a list.
func toldLocals(text string, of member) map[string][]dsl.Span {
	locals := map[string][]dsl.Span{}
	if of.raw[0] == '{' {
		for _, m := range members(text, of.span.From) {
			locals[m.name] = []dsl.Span{m.key, m.span}
		}
		return locals
	}
	for _, at := range items(text, of.span.From) {
		var name string
		var spans []dsl.Span
		for _, m := range members(text, at) {
			switch m.name {
			case "name":
				_ = json.Unmarshal(m.raw, &name) // cannot fail: Decode parsed it
				spans = append(spans, m.span)
			case "value":
				spans = append(spans, m.span)
			}
		}
		locals[name] = spans
	}
	return locals
}

// items returns the offsets of the items of the list that begins at offset at.
func items(text string, at int) (begin []int) {
	d := json.NewDecoder(strings.NewReader(text[at:]))
	if open, _ := d.Token(); open != json.Delim('[') {
		return nil
	}
	for d.More() {
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return begin
		}
		begin = append(begin, at+int(d.InputOffset())-len(raw))
	}
	return begin
}

// members returns the members of the object that begins at offset at, in order; none if there is no
// object.
func members(text string, at int) (list []member) {
	d := json.NewDecoder(strings.NewReader(text[at:]))
	if open, _ := d.Token(); open != json.Delim('{') {
		return nil
	}
	for d.More() {
		from := at + int(d.InputOffset())
		name, err := d.Token()
		var m member
		if err != nil || d.Decode(&m.raw) != nil {
			return list
		}
		end := at + int(d.InputOffset())
		m.name, _ = name.(string)
		m.key = keyIn(text, from)
		m.span = dsl.Span{From: end - len(m.raw), To: end}
		if c := m.raw[0]; c == '-' || c >= '0' && c <= '9' {
			m.span.To++ // the character after a number decides whether the number is 1 or 12
		}
		list = append(list, m)
	}
	return list
}

// keyIn returns the span of the next JSON string in text, at or after an offset.
func keyIn(text string, from int) dsl.Span {
	for text[from] != '"' { // skip a comma and white space
		from++
	}
	to := from + 1
	for text[to] != '"' {
		if text[to] == '\\' {
			to++
		}
		to++
	}
	return dsl.Span{From: from, To: to + 1}
}
