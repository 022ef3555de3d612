package main

import (
	"os"
	"slices"
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
	// The kinds that npdb serve --help lists.
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
	s.Kill() // as SIGTERM does, without an interrupt before it
	if _, again := s.Busy(); !again || stopped != 1 {
		t.Errorf("again %v, stopped %d times", again, stopped)
	}
}

// TestServeNames checks that clients may use the name on which the server listens.
func TestServeNames(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		listen string
		remote bool
		want   []string
	}{
		{"127.0.0.1:8000", false, nil},
		{"[::1]:8000", false, nil},
		{"[fe80::1%lo]:8000", false, nil},
		{":8000", false, nil},
		{"gpu-box:8000", false, []string{"gpu-box"}},
		{"0.0.0.0:8000", true, []string{host}},
		{"gpu-box:8000", true, []string{"gpu-box", host}},
		{"nowhere", false, nil},
	} {
		f := serveFlags{listen: c.listen, allowRemote: c.remote}
		if got := f.names(); !slices.Equal(got, c.want) {
			t.Errorf("%s, remote %v: %q, want %q", c.listen, c.remote, got, c.want)
		}
	}
}
