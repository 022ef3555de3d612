package chat

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestTold checks where the parts of a state are in an answer.
func TestTold(t *testing.T) {
	for _, c := range []struct{ name, answer, want string }{
		{
			"as the schema has it",
			`{"outcome":"state","event":"return","line":12,"function":null,"stack":null,"locals":[{"name":"x","value":"1"},{"name":"y","value":"[2]"}],"names":["x","y"],"kind":"return","value":"3","exit_code":null}`,
			`event "return""state" line 12, function null x "1""x" y "[2]""y" value "3""return"`,
		},
		{
			"words and white space around it",
			"So {1} it is:\n```json\n{ \"outcome\" : \"state\", \"event\":\"line\",\n \"line\" : 2 ,\"locals\": { \"x\" : 5, \"y\" :\"é\\\"\" } }\n```\n",
			`event "line""state" line 2  x "x"5, y "y""é\""`,
		},
		{
			"thoughts before it",
			`<think>{"outcome":"end"}</think> {"outcome":"end","exit_code":1,"value":"E()"}  `,
			`event "end" value "E()"1,`,
		},
		{
			"a name twice",
			`{"line":"a:1","line":"a:2","outcome":"state","event":"line"}`,
			`event "line""state" line "a:2"`,
		},
		{"an empty list", `{"outcome":"state","locals":[]}`, `event "state"`},
		{"no object", `no`, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			told := Told(c.answer)
			var all []string
			part := func(name string, spans []dsl.Span) {
				var texts []string
				for _, s := range spans {
					texts = append(texts, c.answer[s.From:s.To])
				}
				slices.Sort(texts)
				if len(texts) > 0 {
					all = append(all, fmt.Sprint(name, " ", strings.Join(texts, "")))
				}
			}
			part("event", told.Event)
			part("line", told.Line)
			part("function", told.Function)
			part("x", told.Locals["x"])
			part("y", told.Locals["y"])
			part("value", told.Value)
			if got := strings.Join(all, " "); got != c.want {
				t.Errorf("its parts are\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// FuzzTold checks that the spans for any answer are inside the answer.
func FuzzTold(f *testing.F) {
	f.Add(`{"outcome":"state","event":"line","line":2,"locals":[{"name":"x","value":"1"}]}`)
	f.Add(`{"outcome":"end","locals":{"\"":"\\"},"exit_code":-1 }`)
	f.Add(`{"outcome":"start","locals":[{"name":1},[],{}]}` + "\u2028")
	f.Fuzz(func(t *testing.T, answer string) {
		told := Told(answer)
		all := slices.Concat(told.Event, told.Line, told.Function, told.Value)
		for _, spans := range told.Locals {
			all = append(all, spans...)
		}
		for _, s := range all {
			if s.From < 0 || s.From >= s.To || s.To > len(answer) {
				t.Fatalf("a part stands at %v of %d bytes: %q", s, len(answer), answer)
			}
		}
	})
}
