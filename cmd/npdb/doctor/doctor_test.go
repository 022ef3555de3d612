package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// fact returns the fact with a name and a distinguishing Which.
func fact(t *testing.T, facts []Fact, name, which string) Fact {
	t.Helper()
	for _, f := range facts {
		if f.Name == name && (which == "" || f.Which == which) {
			return f
		}
	}
	t.Fatalf("no %s %s in %+v", name, which, facts)
	return Fact{}
}

// wants checks a fact's mark and text.
func wants(t *testing.T, f Fact, mark Mark, words string) {
	t.Helper()
	if f.Mark != mark || !strings.Contains(f.Text, words) {
		t.Errorf("%s is %s: %q; want %s: %q", f.Label(), f.Mark, f.Text, mark, words)
	}
}

// valued checks the JSON values of facts; null if a fact has none.
func valued(t *testing.T, facts []Fact, want map[string]string) {
	t.Helper()
	for name, value := range want {
		text, err := json.Marshal(fact(t, facts, name, "").Value)
		if err != nil || string(text) != value {
			t.Errorf("the value of %s is %s, want %s: %v", name, text, value, err)
		}
	}
}

// documented fails the test if docs/doctor.md does not list a fact.
func documented(t *testing.T, section string, facts []Fact) {
	t.Helper()
	for _, f := range facts {
		if !slices.ContainsFunc(Names(), func(n Named) bool { return n.Section == section && n.Name == f.Name }) {
			t.Errorf("docs/doctor.md does not know %s of %s", f.Name, section)
		}
		if f.Text == "" || f.Mark == "" {
			t.Errorf("%s says nothing", f.Name)
		}
	}
}

func says(text string) func(context.Context) []Fact {
	return func(context.Context) []Fact { return []Fact{{Name: "version", Mark: Right, Text: text}} }
}

// TestOneSectionStopsNoOther checks that a slow or failing section does not stop the
// others, and that sections are shown in order.
func TestOneSectionStopsNoOther(t *testing.T) {
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	checks := []check{
		{name: "deaf", limit: 1, find: func(context.Context) []Fact { <-never; return nil }},
		{name: "late", limit: time.Millisecond, find: func(ctx context.Context) []Fact {
			<-ctx.Done()
			return nil
		}},
		{name: "faulty", limit: time.Minute, find: func(context.Context) []Fact { panic("a fault") }},
		{name: "well", limit: time.Minute, find: says("1")},
	}
	var shown []string
	r, err := examine(t.Context(), checks, func(s Section) error {
		shown = append(shown, s.Name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(shown, " "); got != "deaf late faulty well" {
		t.Errorf("shown are %s", got)
	}
	wants(t, fact(t, r.Sections[0].Facts, Unfinished, ""), Wrong, "no answer within")
	wants(t, fact(t, r.Sections[2].Facts, Unfinished, ""), Wrong, "a fault")
	wants(t, fact(t, r.Sections[3].Facts, "version", ""), Right, "1")
	if !r.Works || r.Count(Wrong) < 2 {
		t.Errorf("works %v, %d wrong", r.Works, r.Count(Wrong))
	}
	checks[0].vital = true
	r, err = examine(t.Context(), checks[:1], func(Section) error { return nil })
	if err != nil || r.Works {
		t.Errorf("%v; works %v without what npdb needs", err, r.Works)
	}
}

// TestNothingIsShownWhileTheTerminalIsAsked checks that nothing is printed while the
// terminal is queried.
func TestNothingIsShownWhileTheTerminalIsAsked(t *testing.T) {
	asked := false
	checks := []check{
		{name: "npdb", limit: time.Minute, find: says("1")},
		{name: "terminal", limit: time.Minute, quiet: true, find: func(context.Context) []Fact {
			asked = true
			return nil
		}},
	}
	if _, err := examine(t.Context(), checks, func(s Section) error {
		if !asked {
			t.Errorf("%s is shown before", s.Name)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestEnds checks that nothing more is printed after the user ends npdb doctor, or after
// the reader of its output has gone.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := false
	checks := []check{
		{name: "npdb", limit: time.Minute, find: says("1")},
		{name: "python", limit: time.Minute, find: func(ctx context.Context) []Fact {
			<-ctx.Done()
			ended = true
			return nil
		}},
	}
	_, err := examine(ctx, checks, func(Section) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) || !ended {
		t.Errorf("%v; ended %v", err, ended)
	}
	full := errors.New("full")
	if _, err := examine(t.Context(), checks[:1], func(Section) error { return full }); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
}

// TestChosen checks that sections can be chosen, and that failures are named.
func TestChosen(t *testing.T) {
	g := &Given{Version: "v1", Fault: errors.New("no such thing")}
	r, err := Examine(t.Context(), g, []string{"configuration", "npdb"}, func(Section) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Sections) != 2 || r.Sections[0].Name != "npdb" {
		t.Errorf("%+v", r.Sections)
	}
	documented(t, "npdb", r.Sections[0].Facts)
	wants(t, fact(t, r.Sections[0].Facts, "version", ""), Right, "v1")
	if err := r.Err(); r.Works || err == nil || !strings.Contains(err.Error(), "configuration (fault)") {
		t.Errorf("works %v, %v", r.Works, err)
	}
}

// TestHomeIsHidden checks that the home directory becomes ~ at the beginning of each path,
// and nowhere else.
func TestHomeIsHidden(t *testing.T) {
	t.Setenv("HOME", "/home/grete")
	f := Fact{
		Which: "/home/grete/bin/python3", Text: "'/home/grete/x' and /home/gretel/x, /mnt/home/grete/x, /home/grete", Do: "see /home/grete/a",
		Value: map[string]any{"path": "/home/grete/y", "all": []string{"/home/grete"}},
	}
	tidier()(&f)
	if f.Which != "~/bin/python3" || f.Text != "'~/x' and /home/gretel/x, /mnt/home/grete/x, ~" || f.Do != "see ~/a" {
		t.Errorf("%+v", f)
	}
	if v := f.Value.(map[string]any); v["path"] != "~/y" || v["all"].([]any)[0] != "~" {
		t.Errorf("%v", v)
	}
	real, link := filepath.Join(t.TempDir(), "real"), filepath.Join(t.TempDir(), "home")
	if err := errors.Join(os.Mkdir(real, 0o700), os.Symlink(real, link)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", link)
	f.Text = real + "/x, " + link + "/y"
	if tidier()(&f); f.Text != "~/x, ~/y" {
		t.Error(f.Text)
	}
	t.Setenv("HOME", "/")
	f.Text = "/usr/bin/python3 at /"
	if tidier()(&f); f.Text != "/usr/bin/python3 at /" {
		t.Error(f.Text)
	}
}
