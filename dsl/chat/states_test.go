package chat

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/gen"
	"github.com/npdb/npdb/dsl/vectors"
)

// The answers to step_over, one after the other, from inside to the end of the program.
const (
	itReturns = `{"outcome":"state","event":"return","line":3,"function":null,"stack":null,"locals":[],"names":null,"kind":"return","value":"3","exit_code":null}`
	itPrints  = `{"outcome":"state","event":"line","line":5,"function":null,"stack":null,"locals":[{"name":"a","value":"3"}],"names":["a"],"kind":null,"value":null,"exit_code":null}`
	itLeaves  = `{"outcome":"state","event":"return","line":5,"function":null,"stack":null,"locals":[],"names":null,"kind":"return","value":"None","exit_code":null}`
	itEnds    = `{"outcome":"end","event":null,"line":null,"function":null,"stack":null,"locals":[],"names":null,"kind":null,"value":null,"exit_code":0}`
)

func states(list ...string) string { return `{"states":[` + strings.Join(list, ",") + `]}` }

// TestDecodeStates checks how many states of a list are accepted, or the error for an invalid first
// state.
func TestDecodeStates(t *testing.T) {
	const wrongLine = `{"outcome":"state","event":"line","line":9,"locals":[]}`
	all := []string{itReturns, itPrints, itLeaves, itEnds}
	for _, c := range []struct {
		name, answer string
		most, want   int
		fault        string
	}{
		{"all of them", states(all...), 8, 4, ""},
		{"spread out", " {\n \"states\" : [\n " + strings.Join(all, " ,\n ") + "\n ] }\n", 8, 4, ""},
		{"more than were asked for", states(all...), 2, 2, ""},
		{"one", states(itReturns), 8, 1, ""},
		{"one where one is asked for", states(itReturns), 1, 1, ""},
		{"a state in no list", itReturns, 8, 1, ""},
		{"a state in no list, with words around it", "So:\n```json\n" + itReturns + "\n``` as {you} see", 8, 1, ""},
		{"words around the list", "The set {1, 2} and so:\n```json\n" + states(all...) + "\n```", 8, 4, ""},
		{"thoughts before it", "<think>" + states(itEnds) + "</think>" + states(all...), 8, 4, ""},
		{"a field beside it", `{"states":[` + itReturns + `],"done":true}`, 8, 1, ""},

		{"a third that is no state", states(itReturns, itPrints, wrongLine, itEnds), 8, 2, ""},
		{"a third that is no object", states(itReturns, itPrints, "7", itEnds), 8, 2, ""},
		{"a third that does not follow", states(itReturns, itPrints, strings.Replace(itLeaves, `"names":null`, `"names":["a","b"]`, 1)), 8, 2, ""},
		{"a third that is half of a character", states(itReturns, itPrints, strings.Replace(itLeaves, "None", `\ud800`, 1)), 8, 2, ""},
		{"a second that nobody knows", states(itReturns, Unknown(), itPrints), 8, 1, ""},
		{"a state after the end", states(itReturns, itPrints, itLeaves, itEnds, itPrints), 8, 4, ""},
		{"the end in the middle", states(itReturns, itEnds, itPrints), 8, 2, ""},
		{"the same state twice", states(itReturns, itPrints, itPrints, itLeaves), 8, 4, ""},
		{"the same list twice", states(all...) + "\n" + states(all...), 8, 4, ""},
		{"nobody knows", states(Unknown(), itReturns), 8, 1, ""},

		{"cut off in the third", strings.TrimSuffix(states(itReturns, itPrints, itLeaves), `"exit_code":null}]}`), 8, 2, ""},
		{"cut off after the second", strings.TrimSuffix(states(itReturns, itPrints), `]}`), 8, 2, ""},
		{"cut off before the third", `{"states":[` + itReturns + "," + itPrints + `,`, 8, 2, ""},
		{"without a comma", `{"states":[` + itReturns + itPrints + `]}`, 8, 1, ""},

		{"cut off in the first", states(itReturns)[:60], 8, 0, "has no whole state"},
		{"no states", states(), 8, 0, "has no whole state"},
		{"states that are no list", `{"states":` + itReturns + `}`, 8, 0, `the JSON object of the answer has no "outcome"`},
		{"a first that is no state", states(wrongLine, itPrints), 8, 0, "the program has no line 9"},
		{"two lists that differ", states(itReturns) + states(itPrints), 8, 0, "there are two lists of states"},
		{"no list", "I cannot run code.", 8, 0, "no JSON object"},
		{"thoughts that do not end", "<think>" + states(all...), 8, 0, "within its thoughts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := gen.Standing(t, inside)
			parts, err := DecodeStates(at, dsl.Action{Move: dsl.StepOver}, c.most, c.answer)
			if c.fault != "" {
				if fault := (*Error)(nil); !errors.As(err, &fault) || !strings.Contains(fault.Message, c.fault) || parts != nil {
					t.Errorf("%d parts, %v; want %q", len(parts), err, c.fault)
				}
				return
			}
			if err != nil || len(parts) != c.want {
				t.Fatalf("%d parts, %v; want %d", len(parts), err, c.want)
			}
			for i, p := range parts {
				own := c.answer[p.At.From:p.At.To]
				step, err := Decode(at, p.Step.Action, own)
				if err != nil || !reflect.DeepEqual(step, p.Step) || own[0] != '{' || own[len(own)-1] != '}' {
					t.Fatalf("part %d is %+v, of %q, %v", i, p.Step, own, err)
				}
				told := p.Told(c.answer)
				for _, line := range told.Line {
					if text := c.answer[line.From:line.To]; step.Reply.Stop != nil && !strings.HasPrefix(text, string(rune('0'+step.Reply.Stop.Line))) {
						t.Errorf("the line of part %d stands at %q", i, text)
					}
				}
				if len(told.Event) == 0 || told.Event[0].From < p.At.From || told.Event[0].To > p.At.To {
					t.Errorf("the event of part %d stands at %v, the part at %v", i, told.Event, p.At)
				}
				if at, err = at.Append(step); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestAskStates checks that a request for several states changes only the last message, below its
// command, and that Read returns the number of states.
func TestAskStates(t *testing.T) {
	at := gen.Standing(t, inside)
	for _, move := range []dsl.Move{dsl.StepOver, dsl.InvStepInto} {
		plain, err := Messages(System, at, dsl.Action{Move: move})
		if err != nil {
			t.Fatal(err)
		}
		last := len(plain) - 1
		for most, begins := range map[int]string{1: plain[last].Content + "\nAnswer with a list of that one", 2: plain[last].Content + " up to 2 times\n", 8: plain[last].Content + " up to 8 times\n"} {
			with := AskStates(plain, most)
			if !reflect.DeepEqual(with[:last], plain[:last]) || !strings.HasPrefix(with[last].Content, begins) || !strings.Contains(with[last].Content, `{"states": [STATE`) {
				t.Errorf("it asks\n%s", with[last].Content)
			}
			for _, messages := range [][]Message{with, AskSure(with), append(append([]Message{}, with...), Message{"assistant", states()}, Correction(&Error{Message: "it is none"}))} {
				read, asked, err := Read(dsl.ND1, messages)
				if err != nil || asked.Move != move || asked.States != most || read.Text() != at.Text() {
					t.Errorf("%d states of %v are read as %+v, %v", most, move, asked, err)
				}
			}
		}
	}
	for _, c := range []struct{ says, fault string }{
		{"COMMAND step_over up to 8 times", "is to be followed by how"},
		{"COMMAND step_over up to 8 times\n" + statesAsk(7), "is to be followed by how"},
		{"COMMAND step_over up to 1 times\n" + statesAsk(1), "does not say how many times"},
		{"COMMAND step_over up to some times\n" + statesAsk(8), "does not say how many times"},
		{"COMMAND step_over up to 8 times or so\n" + statesAsk(8), "does not say how many times"},
		{"COMMAND step_over up to 8 times\n" + statesAsk(8) + "\nNow.", "something follows the command"},
		{"COMMAND step_over\n", "something follows the command"},
	} {
		messages, err := Messages("", at, dsl.Action{Move: dsl.StepOver})
		if err != nil {
			t.Fatal(err)
		}
		messages[len(messages)-1].Content = c.says
		if _, asked, err := Read(dsl.ND1, messages); err == nil || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%q is read as %+v, %v; want %q", c.says, asked, err, c.fault)
		}
	}
}

// TestStatesSchema checks that the schema of a list contains the schema of a state, and no bounds,
// which strict schemas do not allow.
func TestStatesSchema(t *testing.T) {
	schema := SureSchema(Schema(gen.Standing(t, inside).Program()))
	state, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(StatesSchema(schema))
	want := `{"additionalProperties":false,"properties":{"states":{"items":` + string(state) + `,"type":"array"}},"required":["states"],"type":"object"}`
	if err != nil || string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestEncodeStates checks that consecutive steps of a walk, written as one answer, decode to the
// same steps.
func TestEncodeStates(t *testing.T) {
	lists := 0
	for _, v := range vectors.All() {
		var run []dsl.Step // consecutive steps with the same action, the latest first
		for n := gen.Standing(t, v.Wire); n.Parent() != nil; n = n.Parent() {
			step, ok := n.Step()
			if !ok || step.Action.Move == 0 || step.Action.Move.TakesLines() || step.Reply.Outcome == dsl.Unknown {
				run = nil
				continue
			}
			if len(run) > 0 && run[0].Action.Move != step.Action.Move {
				run = nil
			}
			run = append([]dsl.Step{step}, run...)
			var replies []dsl.Reply
			for _, s := range run {
				replies = append(replies, s.Reply)
			}
			text, err := EncodeStates(n.Parent(), step.Action, replies)
			if err != nil {
				t.Fatalf("%s: %v", v.Name, err)
			}
			parts, err := DecodeStates(n.Parent(), step.Action, len(run), text)
			if err != nil || len(parts) == 0 {
				t.Fatalf("%s: %s: %v", v.Name, text, err)
			}
			for i, p := range parts {
				if !reflect.DeepEqual(p.Step, run[i]) {
					t.Errorf("%s: part %d is %+v, want %+v", v.Name, i, p.Step, run[i])
				}
				lists = max(lists, i+1)
			}
		}
	}
	if lists < 3 {
		t.Errorf("no list has more than %d states", lists)
	}
	if _, err := EncodeStates(gen.Standing(t, inside), dsl.Action{Move: dsl.Breakpoint}, []dsl.Reply{{Outcome: dsl.Unknown}}); err == nil {
		t.Error("a breakpoint nowhere has an answer")
	}
}

// FuzzDecodeStates checks that any answer is rejected with an *Error, or decodes to consecutive
// steps, each of which is located in the answer.
func FuzzDecodeStates(f *testing.F) {
	whole := states(itReturns, itPrints, itLeaves, itEnds)
	for _, answer := range []string{whole, whole[:300], itReturns, states(itReturns, itReturns) + whole, "<think>{</think>" + whole, `{"states":[{"outcome":"start"},1`, `{"states":{}}`} {
		f.Add(answer, uint8(1), uint8(4))
	}
	at := gen.Standing(f, inside)
	f.Fuzz(func(t *testing.T, answer string, move, most uint8) {
		a := dsl.Action{Move: dsl.Move(int(move)%int(dsl.InvStepFunction) + 1)}
		if a.Move.TakesLines() {
			a.Lines = []dsl.Location{{Line: 2}}
		}
		parts, err := DecodeStates(at, a, int(most), answer)
		if err != nil {
			if fault := (*Error)(nil); !errors.As(err, &fault) || fault.Message == "" || parts != nil {
				t.Fatalf("%d parts, %T %v", len(parts), err, err)
			}
			return
		}
		if len(parts) == 0 || len(parts) > max(int(most), 1) {
			t.Fatalf("%d parts of %d", len(parts), most)
		}
		end, at := 0, at
		for i, p := range parts {
			if p.At.From < end || p.At.From >= p.At.To || p.At.To > len(answer) {
				t.Fatalf("part %d stands at %v of %d bytes", i, p.At, len(answer))
			}
			end = p.At.To
			told := p.Told(answer)
			for _, spans := range [][]dsl.Span{told.Event, told.Line, told.Function, told.Value} {
				for _, s := range spans {
					if s.From < p.At.From || s.To > p.At.To {
						t.Fatalf("of part %d at %v something stands at %v", i, p.At, s)
					}
				}
			}
			if at, err = at.Append(p.Step); err != nil {
				t.Fatalf("part %d of %q was read, and %v", i, answer, err)
			}
		}
	})
}
