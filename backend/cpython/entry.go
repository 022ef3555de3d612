package cpython

import (
	_ "embed" // the function that finds what a call event calls
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
)

//go:embed entry.py
var entrySource string

// entry returns the expression, for trace.Options.Entry, of the call that a state of the
// function shows. The function is found by its name and line among all that there
// are once the module has run; of its code Python itself reads which of the locals
// are arguments, and of what kind. A state that is not the call shows them as they
// were then where nothing can have changed them.
func entry(first *dsl.Stop, path string) string {
	call := "False"
	if first.Event == dsl.Call {
		call = "True"
	}
	var shown strings.Builder
	for _, l := range first.Locals {
		if !l.Hidden {
			shown.WriteString(quote(l.Name) + ": " + quote(l.Value) + ", ")
		}
	}
	found := "(lambda names, module: (exec(" + quote(entrySource) + ", names), names['call'](module, " +
		quote(first.Function) + ", " + quote(path) + ", " + strconv.Itoa(first.Line) + ", {" + shown.String() + "}, " + call + "))[1])({}, globals())"
	return "(npdb_entry := " + found + ")[0](*npdb_entry[1], **npdb_entry[2])"
}

// quote writes a text as a Python string. Go's escapes of valid UTF-8 are
// Python's.
func quote(s string) string { return strconv.QuoteToASCII(strings.ToValidUTF8(s, "\ufffd")) }
