package chat

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/gen"
)

// TestMessages checks the exact text of conversations: about a program of one file with an edit,
// about several files, and after a compaction.
func TestMessages(t *testing.T) {
	lines := func(l ...dsl.Location) dsl.Action { return dsl.Action{Move: dsl.Breakpoint, Lines: l} }
	for _, c := range []struct {
		name, wire string
		asks       dsl.Action
		want       []Message
	}{
		{
			"an edit", inside + `<|debug_sep|>set<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 4], ["f", 3]]{"x": "2", "y": "30"}<|action_sep|>3|    return y` + "\n<|frame_sep|>",
			dsl.Action{Move: dsl.StepReturn},
			[]Message{
				{"system", "Explain."},
				{"user", "PROGRAM\n1|def f(x):\n2|    y = x + 1\n3|    return y\n4|a = f(2)\n5|print(a)\n" +
					`STATE {"outcome":"state","event":"line","line":4,"function":null,"stack":[{"function":"<module>","line":4}],"locals":[],"names":null,"kind":null,"value":null,"exit_code":null}` +
					"\nCOMMAND breakpoint 3"},
				{"assistant", `{"outcome":"state","event":"line","line":3,"function":null,"stack":[{"function":"<module>","line":4},{"function":"f","line":3}],"locals":[{"name":"x","value":"2"},{"name":"y","value":"3"}],"names":null,"kind":null,"value":null,"exit_code":null}`},
				{"user", `EDIT: the user has changed the state, which is now {"outcome":"state","event":"line","line":3,"function":null,"stack":[{"function":"<module>","line":4},{"function":"f","line":3}],"locals":[{"name":"x","value":"2"},{"name":"y","value":"30"}],"names":null,"kind":null,"value":null,"exit_code":null}` +
					"\nCOMMAND step_return"},
			},
		},
		{
			"several files", gen.SeveralFiles, lines(dsl.Location{Line: 2}, dsl.Location{File: 1, Line: 1}), []Message{
				{"system", "Explain."},
				{"user", "PROGRAM\nFILE a: \"a.py\"\na:1|import b\na:2|b.f()\nFILE b: \"b.py\"\nb:1|def f():\nb:2|    return 1\n" +
					`STATE {"outcome":"state","event":"line","line":"b:2","function":null,"stack":[{"function":"<module>","line":"a:2"},{"function":"f","line":"b:2"}],"locals":[],"names":null,"kind":null,"value":null,"exit_code":null}` +
					"\nCOMMAND breakpoint a:2,b:1"},
			},
		},
		{
			"compacted", `<|trace_context_start|>1|x = '<\|frame_sep|>'` + "\n2|y\n" + `<|frame_sep|><|compact_sep|><|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 2]]{"x": "'\u003c|frame_sep|>'"}<|action_sep|>2|y` + "\n<|frame_sep|>",
			dsl.Action{Move: dsl.InvStepInto},
			[]Message{
				{"system", "Explain."},
				{"user", "PROGRAM\n1|x = '<|frame_sep|>'\n2|y\nCOMPACTED: of the states before, only the latest of each frame that is still active\n" +
					`STATE {"outcome":"state","event":"line","line":2,"function":null,"stack":[{"function":"<module>","line":2}],"locals":[{"name":"x","value":"'<|frame_sep|>'"}],"names":null,"kind":null,"value":null,"exit_code":null}` +
					"\nCOMMAND inv_step_into"},
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := gen.Standing(t, c.wire)
			got, err := Messages("Explain.", at, c.asks)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Fatalf("%v, %s\nwant %s", err, got, c.want)
			}
			for _, messages := range [][]Message{got, got[1:]} {
				read, asked, err := Read(dsl.ND1, messages)
				if err != nil || read.Text() != at.Text() || !reflect.DeepEqual(asked, Asked{Action: c.asks}) {
					t.Errorf("it is read as %v, %v", asked, err)
				}
			}
		})
	}
	var cannot *dsl.EncodeError
	if _, err := Messages("", gen.Standing(t, inside), lines()); !errors.As(err, &cannot) {
		t.Errorf("a breakpoint nowhere: %v", err)
	}
	if _, err := Encode(gen.Standing(t, inside), lines(), dsl.Reply{Outcome: dsl.Unknown}); !errors.As(err, &cannot) {
		t.Errorf("the answer to a breakpoint nowhere: %v", err)
	}
}

// TestEncode checks that an answer contains only locals that are new or changed, that it lists all
// names if their set or order has changed, and that it contains no hidden locals.
func TestEncode(t *testing.T) {
	const answer = `{"outcome":"state","event":"line","line":2,"function":null,"stack":null,"locals":%,"kind":null,"value":null,"exit_code":null}`
	x, y, z := dsl.Local{Name: "x", Value: "2"}, dsl.Local{Name: "y", Value: "3"}, dsl.Local{Name: "z", Value: "z"}
	for want, locals := range map[string][]dsl.Local{
		`[],"names":null`:                                  {x, y},
		`[{"name":"y","value":"4"}],"names":null`:          {x, {Name: "y", Value: "4"}},
		`[],"names":["y","x"]`:                             {y, x},
		`[],"names":["x"]`:                                 {x, {Name: "y", Value: "3", Hidden: true}},
		`[],"names":[]`:                                    nil,
		`[{"name":"z","value":"z"}],"names":["x","z","y"]`: {x, z, y},
	} {
		at := gen.Standing(t, inside)
		stop := *at.Current()
		stop.Line, stop.Source, stop.Locals = 2, "    y = x + 1", locals
		stop.Stack = []dsl.Frame{{Function: "<module>", Line: 4}, {Function: "f", Line: 2}}
		stop.Whole = false
		got, err := Encode(at, dsl.Action{Move: dsl.StepInto}, dsl.Reply{Outcome: dsl.Landed, Stop: &stop})
		if whole := strings.Replace(answer, "%", want, 1); err != nil || got != whole {
			t.Errorf("%v, %s\nwant %s", err, got, whole)
		}
	}
}

// TestReadRefuses checks that Read rejects an invalid conversation with an error that contains the
// number of the wrong message.
func TestReadRefuses(t *testing.T) {
	const state = `STATE {"outcome":"state","event":"line","line":1,"stack":[{"function":"<module>","line":1}]}` + "\n"
	const program = "PROGRAM\n1|x = 1\n2|y = 2\n"
	const begun = program + state + "COMMAND step_over"
	const next = `{"outcome":"state","event":"line","line":2,"locals":[{"name":"x","value":"1"}]}`
	if _, _, err := Read(dsl.ND1, said("You are.", begun, next, "COMMAND step_over")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		messages []Message
		want     string
	}{
		{"nothing", nil, "the last message is not the user's"},
		{"a system message", said("You are."), "the last message is not the user's"},
		{"an answer last", said("You are.", begun, next), "the last message is not the user's"},
		{"no system message, and an answer last", said("You are.", begun, next)[1:], "the last message is not the user's"},
		{"two system messages", append(said("You are."), said("You are.", begun)...), `message 2 is of the role "system", where one of "user" is to be`},
		{"an answer first", []Message{{"assistant", next}}, `message 1 is of the role "assistant", where one of "user" is to be`},
		{"two of the user's", append(said("You are.", begun), Message{"user", begun}), `message 3 is of the role "user", where one of "assistant" is to be`},
		{"no program", said("You are.", "Hello!"), "a conversation begins with PROGRAM"},
		{"a program on one line", said("You are.", "PROGRAM"), "a conversation begins with PROGRAM"},
		{"another program later", said("You are.", begun, next, begun), `message 4: no state, edit or command begins the line "PROGRAM"`},
		{"lines that do not count on", said("You are.", strings.Replace(begun, "2|", "3|", 1)), `message 2: no state, edit or command begins the line "3|y = 2"`},
		{"a line that is cut", said("You are.", "PROGRAM\n1|x"), `message 2: no state, edit or command begins the line "1|x"`},
		{"a line end within a line", said("You are.", strings.Replace(begun, "x = 1", "x\r", 1)), "line 1 of  has a line end within it"},
		{"one file with a name", said("You are.", "PROGRAM\nFILE a: \"a.py\"\na:1|x\nCOMMAND step_over"), "a program of one file is written without FILE a:"},
		{"a file without quotes", said("You are.", "PROGRAM\nFILE a: a.py\na:1|x\n"), `the file "a: a.py" is not written as a: and its name in quotes`},
		{"a file with another letter", said("You are.", "PROGRAM\nFILE b: \"b.py\"\nb:1|x\n"), `the file "b: \"b.py\"" is not written as a: and its name in quotes`},
		{"a file named by half of a character", said("You are.", "PROGRAM\nFILE a: \"\\ud800\"\n"), `the file "a: \"\\ud800\"" is not written as a: and its name in quotes`},
		{"two files of one name", said("You are.", "PROGRAM\nFILE a: \"a.py\"\nFILE b: \"a.py\"\nCOMMAND step_over"), "two files of the program have the same name"},
		{"no state", said("You are.", program+"COMMAND step_over"), "message 2: a command comes before the first state"},
		{"no state after the mark of compaction", said("You are.", program+compactedWord+"\nCOMMAND step_over"), "message 2: a command comes before the first state"},
		{"compacted later", said("You are.", program+state+compactedWord+"\nCOMMAND step_over"), `message 2: no state, edit or command begins the line "` + compactedWord + `"`},
		{"two first states", said("You are.", program+state+state+"COMMAND step_over"), "message 2: a state that no action led to, after the first one"},
		{"a first state without a stack", said("You are.", program+`STATE {"outcome":"state","event":"line","line":1}`+"\nCOMMAND step_over"), "message 2: the whole stack is needed here, the outermost frame first, and is not told"},
		{"a first state that nobody knows", said("You are.", program+"STATE "+Unknown()+"\nCOMMAND step_over"), `message 2: a text that begins with the reply "unknown"`},
		{"an edit before the first state", said("You are.", program+strings.Replace(state, stateWord, editWord, 1)+"COMMAND step_over"), "message 2: an action before the first state"},
		{"an edit to an end", said("You are.", program+state+editWord+`{"outcome":"end","exit_code":0}`+"\nCOMMAND step_over"), "message 2: an edit that leads to no state, or that is an action too"},
		{"nothing asked", said("You are.", program+state), `message 2: no state, edit or command begins the line ""`},
		{"a command that is none", said("You are.", program+state+"COMMAND next"), `message 2: "next" is no action: "next" is no move`},
		{"a breakpoint nowhere", said("You are.", program+state+"COMMAND breakpoint"), "message 2: breakpoint without a line"},
		{"a breakpoint in no file", said("You are.", program+state+"COMMAND breakpoint b:1"), "message 2: breakpoint names line 1 of file 1, which the context lacks"},
		{"more after the command", said("You are.", begun+"\n"), "message 2: something follows the command"},
		{"an answer that is none", said("You are.", begun, "It goes on.", "COMMAND step_over"), "message 3: there is no JSON object in the answer: it is to be one, and nothing else"},
		{"an answer that cannot be", said("You are.", begun, strings.Replace(next, "2", "3", 1), "COMMAND step_over"), "message 3: the program has no line 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := Read(dsl.ND1, c.messages)
			if fault := (*Error)(nil); !errors.As(err, &fault) || err.Error() != c.want {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
}

// said returns messages with these texts and the roles system, user, assistant, user and so on.
func said(texts ...string) (messages []Message) {
	for i, text := range texts {
		role := "system"
		if i > 0 {
			role = []string{"assistant", "user"}[i%2]
		}
		messages = append(messages, Message{role, text})
	}
	return messages
}

// TestReadCorrected checks that an answer and its Correction are not part of the trajectory,
// whether or not the answer was a valid state.
func TestReadCorrected(t *testing.T) {
	at := gen.Standing(t, inside)
	asks := dsl.Action{Move: dsl.StepReturn}
	messages, err := Messages(System, at, asks)
	if err != nil {
		t.Fatal(err)
	}
	_, fault := Decode(at, asks, "It returns 3.")
	var wrong *Error
	if !errors.As(fault, &wrong) {
		t.Fatal(fault)
	}
	corrected := append(messages[:len(messages):len(messages)], Message{"assistant", "It returns 3."}, Correction(wrong))
	read, asked, err := Read(dsl.ND1, corrected)
	if err != nil || read.Text() != at.Text() || asked.String() != asks.String() {
		t.Errorf("corrected it asks %v, %v", asked, err)
	}
	const state = `{"outcome":"state","event":"return","line":3,"locals":[],"kind":"return","value":"3"}`
	contradicts := append(messages[:len(messages):len(messages)], Message{"assistant", state}, Correction(Contradiction([]string{"locals.n", "value"})))
	if told := contradicts[len(contradicts)-1].Content; !strings.Contains(told, "these parts of it are wrong: the local n, value.") {
		t.Errorf("told %q", told)
	}
	read, asked, err = Read(dsl.ND1, contradicts)
	if err != nil || read.Text() != at.Text() || asked.String() != asks.String() {
		t.Errorf("after a contradiction it asks %v, %v", asked, err)
	}
	next := Message{"user", "COMMAND step_into"}
	read, asked, err = Read(dsl.ND1, append(corrected, Message{"assistant", state}, next))
	if err != nil || asked.String() != "step_into" || read.Current() == nil || read.Current().Event != dsl.Return {
		t.Errorf("gone on it asks %v, %v", asked, err)
	}
	for _, bad := range [][]Message{
		append(messages[:len(messages):len(messages)], Message{"assistant", "It returns 3."}, next),
		append(messages[:len(messages):len(messages)], Correction(wrong)),
	} {
		if _, _, err := Read(dsl.ND1, bad); err == nil {
			t.Errorf("read: %v", bad[len(messages):])
		}
	}
}
