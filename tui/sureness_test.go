package tui

import (
	"testing"

	"github.com/npdb/npdb/backend"
)

// Behind the value of a local that a model was not sure of it says how sure, where there is
// room, and of no other.
func TestDoubtedLocal(t *testing.T) {
	of := &backend.Sureness{By: backend.LogProbabilities, Locals: map[string]float64{"x": .97, "y": .61}}
	d := drive(t, 120, 36, predicted(t, "double.py", &scripted{replies: []string{atCall, inF, atY, atReturn}, of: of}))
	d.press("s", "s", "s", "s")
	d.shows("3  61%")
	d.showsNot("97%")
	d.everySize(t)
}
