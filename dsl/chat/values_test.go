package chat

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// firstCall returns the node of a context, and a call in which the arguments b and c are unknown.
func firstCall(t *testing.T) (*dsl.Node, *dsl.Stop) {
	t.Helper()
	context, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Lines: []string{"def f(a, b, c):", "    return a"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return context, &dsl.Stop{
		State: dsl.State{
			Event: dsl.Call, Line: 1, Source: "def f(a, b, c):", Function: "f",
			Locals: []dsl.Local{{Name: "a", Value: "'x'"}, {Name: "b"}, {Name: "c"}},
		},
		Stack: []dsl.Frame{{Function: "f", Line: 1}},
	}
}

func TestValues(t *testing.T) {
	context, first := firstCall(t)
	got, err := Values("Explain.", context, first, []int{1, 2})
	want := []Message{{"system", "Explain."}, {"user", `PROGRAM
1|def f(a, b, c):
2|    return a
STATE {"outcome":"state","event":"call","line":1,"function":null,"stack":[{"function":"f","line":1}],"locals":[{"name":"a","value":"'x'"}],"names":null,"kind":null,"value":null,"exit_code":null}
VALUES ["b","c"] are variables of this state too, with values that are not known. Answer with values that they may well have here: {"values": [{"name": …, "value": …}]}, each value a string with Python's repr() of it.`}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %s\nwant %s", err, got, want)
	}
	// Read rejects it, because it does not request the result of a command.
	if _, _, err := Read(dsl.ND1, got); err == nil || err.Error() != "message 2: values are asked for (VALUES), and this server makes up none by chat: it answers a COMMAND" {
		t.Error(err)
	}
	first.Line = 3
	var cannot *dsl.EncodeError
	if _, err := Values("", context, first, []int{1}); !errors.As(err, &cannot) {
		t.Errorf("of a line that there is not: %v", err)
	}
}

func TestDecodeValues(t *testing.T) {
	for _, c := range []struct{ answer, b, c, wrong string }{
		{answer: `{"values":[{"name":"b","value":"[1]"},{"name":"c","value":"None"}]}`, b: "[1]", c: "None"},
		{answer: "<think>{}</think>Maybe:\n```json\n" + `{"values":[{"name":"c","value":2},{"name":"a","value":"9"},{"name":"b","value":true}]}` + "\n```", b: "True", c: "2"},
		{answer: `{"values":{"b":"1","c":"2"}}`, b: "1", c: "2"},
		{answer: `{"values":[{"name":"b","value":"1"}]}`, wrong: `the value of "c" is missing`},
		{answer: `{"values":[{"name":"b","value":"1"},{"name":"b","value":"2"}]}`, wrong: `the local "b" comes twice in "values"`},
		{answer: `{"values":null}`, wrong: `the value of "b" is missing`},
		{answer: `{"values":[1]}`, wrong: `"values" is to be a list of {"name": …, "value": …}, both strings, not [1]`},
		{answer: `{"value":[]}`, wrong: `the JSON object of the answer has no "values"`},
		{answer: "b is 1", wrong: "there is no JSON object in the answer: it is to be one, and nothing else"},
	} {
		context, first := firstCall(t)
		got, told, err := DecodeValues(context, first, []int{1, 2}, c.answer)
		if c.wrong != "" {
			if fault := (*Error)(nil); !errors.As(err, &fault) || err.Error() != c.wrong {
				t.Errorf("%s: %v, want %s", c.answer, err, c.wrong)
			}
			continue
		}
		want := []dsl.Local{{Name: "a", Value: "'x'"}, {Name: "b", Value: c.b}, {Name: "c", Value: c.c}}
		if err != nil || !reflect.DeepEqual(got.Locals, want) || first.Locals[1].Value != "" {
			t.Errorf("%s: %v, %+v", c.answer, err, got)
		}
		if values := told["b"]; len(values) == 0 || !strings.Contains(c.answer[values[len(values)-1].From:values[len(values)-1].To], strings.ToLower(c.b)) && !strings.Contains(c.answer[values[len(values)-1].From:values[len(values)-1].To], c.b) {
			t.Errorf("%s: b stands at %v", c.answer, told["b"])
		}
		if err := compiled(t, ValuesSchema()).Validate(unmarshalled(t, text(t, map[string]any{"values": []local{{"b", c.b}}}))); err != nil {
			t.Error(err)
		}
	}
	context, first := firstCall(t)
	first.Function = "g"
	_, _, err := DecodeValues(context, first, nil, `{"values":[]}`)
	if fault := (*Error)(nil); !errors.As(err, &fault) || err.Error() != "a state at line 1 of g that is not on top of its stack" {
		t.Errorf("of a state that cannot be: %v", err)
	}
}
