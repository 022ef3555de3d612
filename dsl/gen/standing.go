package gen

import (
	"testing"

	"github.com/npdb/npdb/dsl"
)

// SeveralFiles is an nd/1 text of a program with two files. It ends in a function of the second
// file that the first file calls.
const SeveralFiles = `<|trace_context_start|><|file_sep|>"a.py"
a:1|import b
a:2|b.f()
<|file_sep|>"b.py"
b:1|def f():
b:2|    return 1
<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", "a:2"], ["f", "b:2"]]{}<|action_sep|>b:2|    return 1
<|frame_sep|>`

// Standing reads an nd/1 text that ends with a reply and returns its last node. It fails if the
// text ends with an action.
func Standing(t testing.TB, wire string) *dsl.Node {
	t.Helper()
	at, asked, err := dsl.ND1.Read(wire)
	if err != nil || asked != nil {
		t.Fatal(asked, err)
	}
	return at
}
