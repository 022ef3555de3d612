package models

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/session/journal"
)

// TestProjectOf checks that the project is the nearest folder upwards that looks like one.
func TestProjectOf(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "a", "b", "c")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := ProjectOf(deep); got != deep {
		t.Errorf("without a sign it is %s", got)
	}
	for _, sign := range []string{".git", "a/pyproject.toml", "a/b/setup.cfg", "a/b/c/setup.py"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(sign)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, want := ProjectOf(deep), filepath.Dir(filepath.Join(dir, filepath.FromSlash(sign))); got != want {
			t.Errorf("with %s it is %s", sign, got)
		}
	}
}

// TestPermissionIsKept checks that an answer is valid for its endpoint and project, also
// in later runs.
func TestPermissionIsKept(t *testing.T) {
	dir := t.TempDir()
	of := func(place, project string, m config.Model, ask Asking) *Permission {
		t.Helper()
		l, err := NewPermission(m, place, project, dir, ask)
		if err != nil {
			t.Fatal(err)
		}
		l.Contents = func() string { return FilesSent([]string{"a.py", "b.py"}) }
		return l
	}
	is := func(l *Permission, given, asks bool) {
		t.Helper()
		if l.Given() != given || (l.Question() != "") != asks || (l.Refusal() == "") != given {
			t.Errorf("given %v, %q, %q", l.Given(), l.Question(), l.Refusal())
		}
	}
	ask, there := config.Model{Send: "ask"}, Asking{Somebody: true}
	l := of("https://a/v1", "/p", ask, there)
	is(l, false, true)
	for _, word := range []string{"https://a/v1", "a.py, b.py", "/p", "Send it?"} {
		if !strings.Contains(l.Question(), word) {
			t.Errorf("%q is not in %q", word, l.Question())
		}
	}
	if err := l.Answer(true); err != nil {
		t.Fatal(err)
	}
	is(l, true, false)
	is(of("https://a/v1", "/p", ask, Asking{}), true, false)
	is(of("https://a/v1", "/q", ask, there), false, true)
	is(of("https://b/v1", "/p", ask, there), false, true)
	is(of("https://b/v1", "/p", ask, Asking{}), false, false)
	is(of("https://a/v1", "/p", config.Model{Send: "never"}, there), false, false)
	is(of("https://b/v1", "/p", config.Model{Send: "always"}, Asking{}), true, false)
	again := of("https://a/v1", "/p", ask, Asking{Somebody: true, Again: true})
	is(again, false, true)
	if err := again.Answer(false); err != nil {
		t.Fatal(err)
	}
	is(again, false, false)
	is(of("https://a/v1", "/p", ask, there), false, false)

	// Without a state folder the answer is valid for this run only.
	dir = ""
	l = of("https://a/v1", "/p", ask, there)
	if err := l.Answer(true); err != nil {
		t.Error(err)
	}
	is(l, true, false)

	// A file that cannot be read allows nothing.
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "consents.json"), []byte("?"), 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := NewPermission(ask, "https://a/v1", "/p", dir, there); err == nil || l.Given() {
		t.Error(l, err)
	}
	if _, ok, _ := journal.FindConsent(dir, "https://a/v1", "/p"); ok {
		t.Error("it is known")
	}
}
