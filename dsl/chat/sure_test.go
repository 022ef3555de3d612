package chat_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// TestSure checks that the confidence in an answer is accepted only if it is an integer percentage.
func TestSure(t *testing.T) {
	for _, c := range []struct {
		told string
		want float64 // -1 for nil
	}{
		{`,"confidence":80`, .8},
		{`,"confidence":0`, 0},
		{`,"confidence":100`, 1},
		{`,"confidence":"80"`, .8},
		{"", -1},
		{`,"confidence":null`, -1},
		{`,"confidence":101`, -1},
		{`,"confidence":-1`, -1},
		{`,"confidence":0.8`, -1},
		{`,"confidence":99999999999999999999`, -1},
		{`,"confidence":"high"`, -1},
		{`,"confidence":[80]`, -1},
	} {
		got := chat.Sure("So:\n" + `{"outcome":"end","exit_code":0` + c.told + "}")
		if (got == nil) != (c.want < 0) || got != nil && *got != c.want {
			t.Errorf("%s: %v, want %v", c.told, got, c.want)
		}
	}
	if chat.Sure("I am 80 % sure") != nil {
		t.Error("words are no answer")
	}
}

// TestAskSure checks that the request for the confidence changes only the end of the last message,
// and that the schema gets one more field, the last, which an answer may omit.
func TestAskSure(t *testing.T) {
	at, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: []string{"x = 1", "y = 2"}}}})
	if err != nil {
		t.Fatal(err)
	}
	stop := &dsl.Stop{State: dsl.State{Event: dsl.Line, File: "p.py", Line: 1, Source: "x = 1", Function: "<module>"}, Stack: []dsl.Frame{{Function: "<module>", File: "p.py", Line: 1}}}
	if at, err = at.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}}); err != nil {
		t.Fatal(err)
	}
	over := dsl.Action{Move: dsl.StepOver}
	without, err := chat.Messages(chat.System, at, over)
	if err != nil {
		t.Fatal(err)
	}
	with := chat.AskSure(without)
	last := len(without) - 1
	if !reflect.DeepEqual(with[:last], without[:last]) || !strings.HasPrefix(with[last].Content, without[last].Content+"\n") || !strings.Contains(with[last].Content, `"confidence"`) {
		t.Errorf("it asks\n%s", with[last].Content)
	}
	if read, asked, err := chat.Read(dsl.ND1, with); err != nil || asked.Move != dsl.StepOver || read.Len() != at.Len() {
		t.Errorf("it is read as %v, %v", asked, err)
	}

	schema := chat.Schema(at.Program())
	before, _ := json.Marshal(schema)
	sure, err := json.Marshal(chat.SureSchema(schema))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(string(before), `"exit_code":{"anyOf":[{"type":"integer"},{"type":"null"}]}}`, `"exit_code":{"anyOf":[{"type":"integer"},{"type":"null"}]},"confidence":{"type":"integer"}}`, 1)
	want = strings.Replace(want, `"value","exit_code"]`, `"value","exit_code","confidence"]`, 1)
	if string(sure) != want || string(sure) == string(before) {
		t.Errorf("the schema is\n%s\nwant\n%s", sure, want)
	}
	if after, _ := json.Marshal(schema); string(after) != string(before) {
		t.Error("the schema without it has changed")
	}
	for _, more := range []string{"", `,"confidence":80`} {
		step, err := chat.Decode(at, over, `{"outcome":"state","event":"line","line":2,"locals":[{"name":"x","value":"1"}]`+more+"}")
		if err != nil || step.Reply.Stop.Line != 2 {
			t.Errorf("with%s it is %+v, %v", more, step, err)
		}
	}
}
