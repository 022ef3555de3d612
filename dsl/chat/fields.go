package chat

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
)

// reading parses the fields of an answer. It stores the first error in err.
type reading struct {
	fields  map[string]json.RawMessage
	several bool // the program has several files
	err     error
}

func (r *reading) wrong(format string, a ...any) {
	if r.err == nil {
		r.err = wrong(format, a...)
	}
}

// has returns the JSON of a field, or nil if the field is missing or null.
func (r *reading) has(name string) json.RawMessage {
	if raw := r.fields[name]; !isNull(raw) {
		return raw
	}
	return nil
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || bytes.Equal(raw, []byte("null")) }

// text returns the string in a field, or nil if the field is missing or null.
func (r *reading) text(name string) *string {
	raw := r.has(name)
	if raw == nil {
		return nil
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		r.wrong("%q is to be a string or null, not %s", name, shown(raw))
		return nil
	}
	return &s
}

// written parses a value, which should be a JSON string with a repr. It also accepts a number or
// boolean, whose repr is obvious. of names the value in errors.
func (r *reading) written(raw json.RawMessage, of string) string {
	var s string
	switch c := raw[0]; {
	case json.Unmarshal(raw, &s) == nil && c == '"':
	case c == '-' || c >= '0' && c <= '9':
		s = string(raw)
	case c == 't':
		s = "True"
	case c == 'f':
		s = "False"
	default:
		r.wrong(`%s is to be a string with its repr(), such as "[1, 2]" or "None", not %s`, of, shown(raw))
	}
	return s
}

// number returns the integer in a field, with or without quotes; nil if the field is missing or
// null.
func (r *reading) number(name string) *int {
	raw := r.has(name)
	if raw == nil {
		return nil
	}
	n, err := strconv.Atoi(string(bytes.Trim(raw, `"`)))
	if err != nil {
		r.wrong("%q is to be an integer, not %s", name, shown(raw))
		return nil
	}
	return &n
}

// place parses a line: a number, with or without quotes, or "b:12" in a program of several files.
func (r *reading) place(raw json.RawMessage) dsl.Location {
	word := string(bytes.Trim(raw, `"`))
	a, err := dsl.ParseAction(dsl.Breakpoint.String() + " " + word)
	one := err == nil && len(a.Lines) == 1
	switch {
	case r.several && (!one || !bytes.ContainsRune(raw, ':')):
		r.wrong(`a line is to be written with its file, such as "a:12", not %s`, shown(raw))
	case !r.several && (!one || a.Lines[0].File != 0):
		r.wrong("a line is to be a number from 1, not %s", shown(raw))
	default:
		return a.Lines[0]
	}
	return dsl.Location{}
}

// stack returns the frames in a field, outermost first, or nil if the field is missing, null or
// empty.
func (r *reading) stack(name string) (frames []dsl.DraftFrame) {
	raw := r.has(name)
	var list []map[string]json.RawMessage
	if raw != nil && json.Unmarshal(raw, &list) != nil {
		r.wrong(`%q is to be a list of {"function": …, "line": …} or null, not %s`, name, shown(raw))
	}
	for _, one := range list {
		var f dsl.DraftFrame
		if json.Unmarshal(one["function"], &f.Function) != nil || isNull(one["function"]) {
			r.wrong(`a frame of the stack is to have a "function", a string`)
		}
		if !isNull(one["line"]) {
			f.At = r.place(one["line"])
		}
		frames = append(frames, f)
	}
	return frames
}

// locals returns the names and values in a field: either a list of {"name", "value"} objects, or
// one object with the names as its keys.
func (r *reading) locals(name string) (locals []local) {
	raw := r.has(name)
	if raw == nil {
		return nil
	}
	told := map[string]bool{}
	add := func(l string, value json.RawMessage) {
		switch {
		case isNull(value):
			r.wrong("the local %q is to have a value, a string with its repr()", l)
			return
		case told[l]:
			r.wrong("the local %q comes twice in %q", l, name)
		}
		told[l] = true
		locals = append(locals, local{l, r.written(value, "the value of "+strconv.Quote(l))})
	}
	var list []struct {
		Name  *string         `json:"name"`
		Value json.RawMessage `json:"value"`
	}
	var object map[string]json.RawMessage
	isObject := json.Unmarshal(raw, &object) == nil
	single := len(object) == 2 && object["name"] != nil && object["value"] != nil // one local that is not in a list
	switch {
	case isObject && !single:
		d := json.NewDecoder(bytes.NewReader(raw))
		_, _ = d.Token() // the opening brace
		for d.More() {
			key, _ := d.Token()
			var value json.RawMessage
			_ = d.Decode(&value) // cannot fail: raw was parsed before
			add(key.(string), value)
		}
	case json.Unmarshal(raw, &list) == nil:
		for _, l := range list {
			if l.Name == nil {
				r.wrong(`each of %q is to be {"name": …, "value": …}, both strings`, name)
				return nil
			}
			add(*l.Name, l.Value)
		}
	default:
		r.wrong(`%q is to be a list of {"name": …, "value": …}, both strings, not %s`, name, shown(raw))
	}
	return locals
}

// names returns the list of strings in a field, or nil if the field is missing or null.
func (r *reading) names(name string) *[]string {
	raw := r.has(name)
	if raw == nil {
		return nil
	}
	list := []string{}
	if json.Unmarshal(raw, &list) != nil {
		r.wrong("%q is to be a list of strings or null, not %s", name, shown(raw))
		return nil
	}
	return &list
}

// shown returns the beginning of a field's JSON, for error messages.
func shown(raw json.RawMessage) string {
	const most = 40
	if utf8.RuneCount(raw) <= most {
		return string(raw)
	}
	return string([]rune(string(raw))[:most]) + "…"
}
