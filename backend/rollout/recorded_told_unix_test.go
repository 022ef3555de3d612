//go:build unix

package rollout

import (
	"encoding/json"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// tells fails the test unless the last span of each part of the state contains the value of that part.
func (m *perfect) tells(told dsl.Told, landed *Trail, name string) {
	text, stop := m.wrote.String(), landed.State()
	last := func(spans []dsl.Span) string {
		if len(spans) == 0 {
			return ""
		}
		at := spans[len(spans)-1]
		return text[at.From:at.To]
	}
	if line := last(told.Line); line != stop.Source+"\n" && (landed.Doubt() == "" || line != "") {
		m.t.Errorf("%s: the line %q is told by %q", name, stop.Source, line)
	}
	if event := last(told.Event); !landed.forced && !strings.HasPrefix(event, "<|"+stop.Event.String()+"_") {
		m.t.Errorf("%s: a %s is told by %q", name, stop.Event, event)
	}
	if stop.Event == dsl.Return || stop.Event == dsl.Exception {
		var value string
		if err := json.Unmarshal([]byte(last(told.Value)), &value); (stop.Value != nil) != (err == nil) || stop.Value != nil && value != *stop.Value {
			m.t.Errorf("%s: the value %v is told by %q", name, stop.Value, last(told.Value))
		}
		return
	}
	if len(told.Locals) != len(stop.Locals) {
		m.t.Errorf("%s: of the locals %v are told %v", name, stop.Locals, told.Locals)
	}
	for _, l := range stop.Locals {
		var local map[string]string
		err := json.Unmarshal([]byte("{"+last(told.Locals[l.Name])+"}"), &local)
		if value, ok := local[l.Name]; err != nil || !ok || value != l.Value && value != ".." {
			m.t.Errorf("%s: the local %v is told by %q", name, l, last(told.Locals[l.Name]))
		}
	}
}
