//go:build unix

package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

const ownRepr = `class A:
    def __init__(self):
        self.x = 1
    def __repr__(self):
        text = 'says'
        return text
a = A()
b = [a]
c = 2
`

// TestReprsAreAsked checks that a recording shows an object by its attributes, and p calls
// its __repr__. Beside a model, which was trained on these texts, the __repr__ is called
// everywhere: from the start, or from the next restart on if the model joins later, which
// is reported.
func TestReprsAreAsked(t *testing.T) {
	const declines = "<|unknown_sep|><|frame_sep|>"
	const byAttributes, byItself = "[A(x=1)]", "[says]"
	python := pythons.Usual(t)
	path := write(t, t.TempDir(), "prog.py", ownRepr)
	with := func(c *session.Config) {
		c.Neural = &nav.Neural{Predictor: &scripted{t: t, replies: []string{declines, declines}}}
	}
	run := func(more ...func(*session.Config)) *debugged {
		return debug(t, python, trace.Options{Script: path}, more...)
	}
	there := func(d *debugged) string {
		said := d.say("tbreak 9", "c")
		if d.last.State != nil {
			for _, l := range d.last.State.Locals {
				if l.Name == "b" {
					return l.Value
				}
			}
		}
		t.Fatalf("there is no b: %s", said)
		return ""
	}

	d := run(with, func(c *session.Config) { c.Mode = session.Real })
	if got := there(d); got != byAttributes {
		t.Errorf("real: b is %s", got)
	}
	if got := d.say("p b, a"); !strings.Contains(got, "([says], says)") {
		t.Errorf("p b, a: %s", got)
	}
	const notice = "Objects with a __repr__ of their own are compared by their attributes. restart compares what __repr__ says."
	if got := d.say("mode both"); !strings.Contains(got, notice) {
		t.Errorf("mode both: %s", got)
	}
	d.say("restart")
	if got := there(d); got != byItself {
		t.Errorf("both, after a restart: b is %s", got)
	}
	if got := d.say("mode real", "mode both"); strings.Contains(got, notice) {
		t.Errorf("once more: %s", got)
	}
	if got := there(run(with, func(c *session.Config) { c.Mode = session.Both })); got != byItself {
		t.Errorf("both: b is %s", got)
	}
	if got := there(run(func(c *session.Config) { c.Options.Reprs = trace.ReprsAlways })); got != byItself {
		t.Errorf("always: b is %s", got)
	}
}

// TestReprsInAnswers checks that an answer names the locals that are shown by their attributes
// although their class has a __repr__.
func TestReprsInAnswers(t *testing.T) {
	python := pythons.Usual(t)
	path := write(t, t.TempDir(), "prog.py", ownRepr)
	d := debug(t, python, trace.Options{Script: path})
	if d.say("tbreak 9", "c"); !slices.Equal(d.last.Attributed, []string{"a", "b"}) {
		t.Errorf("by attributes: %v", d.last.Attributed)
	}
	if line := string(frontend.EncodeAnswer(d.last)); !strings.Contains(line, `"by_attributes": ["a", "b"]`) {
		t.Errorf("JSON: %s", line)
	}
	d = debug(t, python, trace.Options{Script: path, Reprs: trace.ReprsAlways})
	if d.say("tbreak 9", "c"); len(d.last.Attributed) != 0 {
		t.Errorf("with the texts of __repr__: %v", d.last.Attributed)
	}
}
