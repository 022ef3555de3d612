package main

import (
	"testing"

	"github.com/npdb/npdb/serve"
)

func TestMisbehaviorFlag(t *testing.T) {
	var m serve.Misbehavior
	f := (*misbehaviorFlag)(&m)
	for _, text := range []string{"line=0.5, mid-stream=1", "html=0.25", "line=0"} {
		if err := f.Set(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	if m.Line != 0 || m.MidStream != 1 || m.HTML != 0.25 {
		t.Errorf("set %+v", m)
	}
	for _, text := range []string{"", "line", "line=", "line=-0.1", "line=1.1", "line=NaN", "seed=1", "lines=1"} {
		if err := f.Set(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
	// Those that npdb serve --help lists.
	for _, kind := range []string{
		"event", "line", "function", "locals", "value", "outcome", "unknown", "garbage", "endless",
		"error", "html", "truncated", "cut", "mid-stream",
	} {
		if err := f.Set(kind + "=1"); err != nil {
			t.Error(err)
		}
	}
	for name, field := range f.kinds() {
		if field.Float() != 1 {
			t.Errorf("help does not list %s", name)
		}
	}
}

func TestServing(t *testing.T) {
	stopped := 0
	s := &serving{stop: func() { stopped++ }}
	if _, again := s.Busy(); again {
		t.Error("it ends before it was told to")
	}
	s.Kill() // SIGTERM comes without an interrupt
	if _, again := s.Busy(); !again || stopped != 1 {
		t.Errorf("again %v, stopped %d times", again, stopped)
	}
}
