package main

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// fromStart is the value of --from that begins recording at the first state, also for test runners
// such as pytest.
const fromStart = ":start"

// beginAt sets the place where recording begins. For pytest and unittest in real mode without
// --from, it is the first test: imports and collection take long to record, and the user does not
// debug them.
func beginAt(o *trace.Options, mode session.Mode) {
	runner, _, _ := strings.Cut(o.Module, ".")
	switch {
	case o.From == fromStart:
		o.From = ""
	case o.From == "" && o.Entry == "" && o.Thread == "" && mode == session.Real && slices.Contains([]string{"pytest", "_pytest", "unittest"}, runner):
		o.From = trace.FirstTest
	}
}
