package session

import (
	"reflect"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/breakpoint"
)

// TestCommandWords checks that a command is shown as it would be typed. All commands that
// a journal may contain are listed here.
func TestCommandWords(t *testing.T) {
	two := 2
	shown := map[string]bool{}
	for _, c := range []struct {
		command Command
		want    string
	}{
		{Step{Move: dsl.StepInto}, "step"},
		{Step{Move: dsl.InvStepOver, Count: 3}, "reverse-next 3"},
		{Step{Move: dsl.StepReturn, Count: 1}, "return"},
		{Continue{}, "continue"},
		{Continue{Inverse: true, Count: 2}, "reverse-continue 2"},
		{Continue{Unrecorded: true}, "fast-continue"},
		{Until{}, "until"},
		{Until{Line: 1}, "until 1"},
		{Until{Inverse: true, Line: 4}, "reverse-until 4"},
		{Advance{To: Target{File: "p.py", Line: 4}}, "advance p.py:4"},
		{Advance{To: Target{Function: "f"}, Inverse: true}, "reverse-advance f"},
		{Jump{Line: 3}, "jump 3"},
		{Goto{Event: 7}, "goto 7"},
		{GotoPercent{Percent: 50}, "goto 50%"},
		{Find{Expression: "x > 1"}, "find x > 1"},
		{Find{Expression: "x > 1", Inverse: true}, "find -r x > 1"},
		{Rewind{}, "rewind"},
		{Revisit{By: -1}, "back"},
		{Revisit{By: -2}, "back 2"},
		{Revisit{By: 2}, "forth 2"},
		{Candidates{}, "candidates"},
		{Candidates{Take: 2}, "candidates 2"},
		{Candidates{By: 1}, "candidates next"},
		{Candidates{By: -1}, "candidates previous"},
		{Candidates{More: 3}, "candidates +3"},
		{SetVerify{}, "verify"},
		{SetVerify{By: VerifyByRun}, "verify run"},
		{GotoVisit{To: "#7"}, "goto #7"},
		{GotoVisit{To: "before"}, "goto before"},
		{ShowBranches{}, "branches"},
		{Mark{}, "mark"},
		{Mark{Name: "before", To: "#7"}, "mark before #7"},
		{Mark{Name: "before", To: "#7", Note: "a note"}, "mark before #7 a note"},
		{Mark{Name: "before", Delete: true}, "mark -d before"},
		{Loop{}, "loop"},
		{Loop{At: Target{File: "p.py", Line: 3}, All: true, Rows: 5, Filter: "x > 3"}, "loop -a -n 5 p.py:3 x > 3"},
		{Loop{Filter: `"x"`}, `loop "x"`},
		{Printed{}, "printed"},
		{Printed{Text: "a line"}, "printed a line"},
		{Diff{With: "before"}, "diff before"},
		{DiffRun{File: "b.npdb"}, "diff b.npdb"},
		{Prune{At: "#7"}, "prune #7"},
		{Prune{Undo: true}, "prune -u"},
		{Debug{Statement: "f(1)"}, "debug f(1)"},
		{Record{}, "record"},
		{Record{Turn: "off"}, "record off"},
		{SetBreakpoint{At: Target{Line: 3}, Condition: "x"}, "break 3, x"},
		{SetBreakpoint{At: Target{Function: "f"}, Temporary: true}, "tbreak f"},
		{ListBreakpoints{}, "break"},
		{ClearBreakpoints{Numbers: []int{1, 2}}, "clear 1 2"},
		{ClearLine{File: "p.py", Line: 3}, "clear p.py:3"},
		{ClearAll{}, "clear"},
		{EnableBreakpoints{Numbers: []int{1}}, "enable 1"},
		{EnableBreakpoints{Numbers: []int{1, 3}, Off: true}, "disable 1 3"},
		{IgnoreBreakpoint{Number: 1, Count: 2}, "ignore 1 2"},
		{SetCondition{Number: 1, Condition: "x"}, "condition 1 x"},
		{SetCondition{Number: 1}, "condition 1"},
		{SetCommands{Number: 1, Lines: []string{"p x"}}, "commands 1"},
		{Watch{Expression: "x"}, "watch x"},
		{Watch{Expression: "x", Condition: "x > 1"}, "watch x, x > 1"},
		{Catch{Type: breakpoint.AnyException}, "catch"},
		{Catch{Type: breakpoint.AnyException, Condition: "x"}, "catch , x"}, // catch, is Python
		{Catch{Type: "KeyError", Condition: "x"}, "catch KeyError, x"},
		{ShowStack{}, "where"},
		{SelectFrame{By: 1}, "up"},
		{SelectFrame{By: -1}, "down"},
		{SelectFrame{By: -2}, "down 2"},
		{SelectFrame{By: AllTheWay}, "up -1"},
		{SelectFrame{By: -AllTheWay}, "down -1"},
		{Arguments{}, "args"},
		{ReturnValue{}, "retval"},
		{Exceptions{}, "exceptions"},
		{Exceptions{Number: &two}, "exceptions 2"},
		{List{}, "list"},
		{List{Here: true}, "list ."},
		{List{First: 1}, "list 1"},
		{List{First: 3, Last: 5}, "list 3, 5"},
		{ListFunction{}, "longlist"},
		{ShowSource{Expression: "f"}, "source f"},
		{Disassemble{}, "dis"},
		{Disassemble{Line: 4}, "dis 4"},
		{Disassemble{All: true}, "dis all"},
		{Blocks{}, "blocks"},
		{Blocks{Function: "Box.put", All: true, Rows: 5}, "blocks -a -n 5 Box.put"},
		{Blocks{Judge: true, Task: "Adds the prices up."}, "blocks --judge Adds the prices up."},
		{ShowOutput{}, "output"},
		{Info{Topic: "program"}, "info program"},
		{Evaluate{Expression: "x"}, "p x"},
		{Evaluate{Expression: "x", As: Pretty}, "pp x"},
		{Evaluate{Expression: "x", As: Type}, "whatis x"},
		{Execute{Statement: "x = 1"}, "x = 1"},
		{Execute{Statement: "n = 1", Forced: true}, "!n = 1"},
		{Interact{Line: "x"}, "x"},
		{Display{Expression: "x"}, "display x"},
		{Undisplay{Expression: "x"}, "undisplay x"},
		{LastChange{Expression: "x"}, "last x"},
		{ValueHistory{Expression: "x"}, "history x"},
		{ValueHistory{Expression: "x", All: true}, "history -a x"},
		{Provenance{Expression: "x"}, "provenance x"},
		{Provenance{Expression: "x", Via: []string{"a", "b.c"}}, "provenance x via a via b.c"},
		{SetMode{Mode: Both}, "mode both"},
		{SetMode{}, "mode"},
		{SetWalk{Walk: "free"}, "walk free"},
		{Resync{}, "resync"},
		{ToDivergence{Which: "next"}, "divergence next"},
		{ShowScore{}, "score"},
		{Export{File: "x.jsonl"}, "export x.jsonl"},
		{Log{At: Target{Line: 3}, Text: "x={x}"}, "logpoint 3, x={x}"},
		{Logs{}, "logpoint"},
		{DropLog{}, "logpoint -d"},
		{DropLog{Number: 2}, "logpoint -d 2"},
		{Save{File: "run.npdb"}, "save run.npdb"},
		{ShowRaw{}, "raw"},
		{Retry{}, "retry"},
		{Peek{Move: dsl.StepOver}, "peek next"},
		{Infer{Move: dsl.InvStepReturn}, "infer reverse-finish"},
		{Peek{Move: dsl.InvContinue}, "peek reverse-continue"},
		{Why{}, "why"},
		{Why{Question: "why so?"}, "why why so?"},
		{Restart{Args: []string{"a", "b"}}, "restart a b"},
		{Detach{}, "detach"},
		{RecordThread{}, "thread"},
		{RecordThread{Name: "Worker-*"}, "thread Worker-*"},
		{ShowChild{}, "child 0"},
		{ShowChild{Number: 2}, "child 2"},
		{Quit{}, "quit"},
	} {
		shown[reflect.TypeOf(c.command).Name()] = true
		if got := c.command.String(); got != c.want {
			t.Errorf("%#v is %q, want %q", c.command, got, c.want)
		}
	}
	for name := range kinds {
		if !shown[name] {
			t.Errorf("%s is not here", name)
		}
	}
}
