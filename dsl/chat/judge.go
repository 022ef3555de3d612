package chat

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
)

// JudgeSystem is the system message of the conversation that asks for a verdict on a block.
//
//go:embed judge.txt
var JudgeSystem string

// The limits of a request for a verdict, in bytes: of a value, of all values, of the function's source, and
// of the task.
const (
	judgeValue  = 2000
	judgeValues = 24_000
	judgeSource = 48_000
	judgeTask   = 4000
	judgeWhy    = 2000 // limit of the model's reason
)

// Block describes a run of a basic block that a model judges.
type Block struct {
	Function string   // its qualified name
	Task     string   // what the function should do: its docstring or the user's text; "" if unknown
	First    int      // line number of Source[0]
	Source   []string // the function's lines
	Lines    [2]int   // first and last line of the block
	In, Out  []dsl.Local
	Gone     []string // names that have no value any more
	Returned *string  // the value that the function returns at the end of the block
	Raised   *string  // the exception that ends the block
}

// JudgeMessages returns the messages that ask whether a block is correct. DecodeJudgement parses the answer.
// JudgeMessages cuts long values and notes this in the message.
func JudgeMessages(b *Block) ([]Message, error) {
	var t strings.Builder
	fmt.Fprintf(&t, "FUNCTION %s\n", b.Function)
	size := 0
	for n, line := range b.Source {
		if size += len(line) + 1; size > judgeSource {
			return nil, fmt.Errorf("the function %s has more than %d bytes", b.Function, judgeSource)
		}
		fmt.Fprintf(&t, "%d|%s\n", b.First+n, line)
	}
	task := "not known: judge by the function's name and source"
	if b.Task != "" {
		task = clipped(b.Task, judgeTask)
	}
	fmt.Fprintf(&t, "TASK %s\n", task)
	fmt.Fprintf(&t, "BLOCK lines %d to %d\n", b.Lines[0], b.Lines[1])
	room := judgeValues
	values := func(heading string, list []dsl.Local) {
		t.WriteString(heading + "\n")
		if len(list) == 0 {
			t.WriteString("  (none)\n")
		}
		for _, l := range list {
			text := clipped(l.Value, min(judgeValue, max(room, 0)))
			room -= len(text)
			fmt.Fprintf(&t, "  %s = %s\n", l.Name, text)
		}
	}
	values("VALUES BEFORE", b.In)
	values("VALUES CHANGED", b.Out)
	if len(b.Gone) > 0 {
		fmt.Fprintf(&t, "NAMES WITHOUT A VALUE NOW %s\n", strings.Join(b.Gone, ", "))
	}
	if b.Returned != nil {
		fmt.Fprintf(&t, "RETURNED %s\n", clipped(*b.Returned, judgeValue))
	}
	if b.Raised != nil {
		fmt.Fprintf(&t, "RAISED %s\n", clipped(*b.Raised, judgeValue))
	}
	return []Message{{"system", JudgeSystem}, {"user", t.String()}}, nil
}

// clipped cuts a text to a number of bytes, and appends how many are missing.
func clipped(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return fmt.Sprintf("%s… (%d bytes more)", text[:most], len(text)-most)
}

// JudgeSchema returns the schema of an answer to JudgeMessages.
func JudgeSchema() map[string]any {
	return record(fields{{"correct", map[string]any{"type": "boolean"}}, {"why", map[string]any{"type": "string"}}})
}

// DecodeJudgement parses the answer to JudgeMessages. The error is an *Error.
func DecodeJudgement(text string) (correct bool, why string, err error) {
	fields, _, err := object(text, "correct")
	if err != nil {
		return false, "", err
	}
	if json.Unmarshal(fields["correct"], &correct) != nil || isNull(fields["correct"]) {
		return false, "", wrong(`"correct" is to be true or false, not %s`, shown(fields["correct"]))
	}
	r := &reading{fields: fields}
	if text := r.text("why"); text != nil {
		why = clipped(strings.TrimSpace(*text), judgeWhy)
	}
	return correct, why, r.err
}
