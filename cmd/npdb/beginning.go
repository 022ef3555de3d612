package main

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// fromStart as --from records from the first state on, also in -m pytest.
const fromStart = ":start"

// beginAt sets where recording begins. Where pytest or unittest is the program and --from
// says nothing, that is the first test: what they import and collect takes long to record,
// and is not what the user debugs.
func beginAt(o *trace.Options, mode session.Mode) {
	runner, _, _ := strings.Cut(o.Module, ".")
	switch {
	case o.From == fromStart:
		o.From = ""
	case o.From == "" && o.Entry == "" && mode == session.Real && slices.Contains([]string{"pytest", "_pytest", "unittest"}, runner):
		o.From = trace.FirstTest
	}
}
