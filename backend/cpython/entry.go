package cpython

import (
	_ "embed" // for entry.py
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
)

//go:embed entry.py
var entrySource string

// entry returns an expression for trace.Options.Entry that repeats the call in which the state first is.
// The expression finds the function by name and line among all functions that exist after the module has
// run. It reads from the function's code which locals are arguments, and of which kind. If first is not
// the call event itself, the expression uses only values that cannot have changed since the call.
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

// quote formats a string as a Python literal. Go's escapes of valid UTF-8 are valid in Python too.
func quote(s string) string { return strconv.QuoteToASCII(strings.ToValidUTF8(s, "\ufffd")) }
