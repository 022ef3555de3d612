package journal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/npdb/npdb/session/journal"
)

// TestDialects checks that a dialect is stored only for its endpoint and model, that a
// later one replaces it, and that it can be deleted alone.
func TestDialects(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	has := func(endpoint, model, want string) {
		t.Helper()
		d, ok, err := journal.FindDialect(dir, endpoint, model)
		if err != nil || d.Dialect != want || ok != (want != "") {
			t.Errorf("%s of %s: %+v, %v, %v", model, endpoint, d, ok, err)
		}
	}
	when := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	keep := func(endpoint, model, dialect string) {
		t.Helper()
		if err := journal.KeepDialect(dir, journal.Dialect{Endpoint: endpoint, Model: model, Dialect: dialect, Why: "because", When: when}); err != nil {
			t.Fatal(err)
		}
	}
	forget := func(endpoint, model string) {
		t.Helper()
		if err := journal.ForgetDialect(dir, endpoint, model); err != nil {
			t.Fatal(err)
		}
	}
	path := journal.DialectsPath(dir)
	has("http://a/v1", "m", "")
	forget("http://a/v1", "m")
	if _, err := os.Stat(path); err == nil {
		t.Error("what forgets nothing makes a file")
	}
	keep("http://a/v1", "m", "chat")
	keep("http://a/v1", "n", "nd1")
	keep("http://b/v1", "m", "cwm")
	has("http://a/v1", "m", "chat")
	has("http://a/v1", "n", "nd1")
	has("http://b/v1", "m", "cwm")
	keep("http://a/v1", "m", "nd1")
	has("http://a/v1", "m", "nd1")
	if d, _, _ := journal.FindDialect(dir, "http://a/v1", "m"); d.Why != "because" || !d.When.Equal(when) {
		t.Errorf("%+v", d)
	}
	forget("http://a/v1", "m")
	has("http://a/v1", "m", "")
	has("http://a/v1", "n", "nd1")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info, err)
	}

	// An invalid file of dialects contains nothing, and the next dialect repairs it.
	for _, text := range []string{"", "{", "[]", "{}", `{"v": 1, "dialects": 7}`, `{"v": 2, "dialects": [{"endpoint": "http://a/v1", "model": "n", "dialect": "chat"}]}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := journal.FindDialect(dir, "http://a/v1", "n"); ok || err == nil {
			t.Errorf("%q: %v, %v", text, ok, err)
		}
	}
	keep("http://a/v1", "n", "chat")
	has("http://a/v1", "n", "chat")
}

// TestDialectsBounded checks the size of the file: the oldest entries are dropped, and an
// endless name is not stored.
func TestDialectsBounded(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString(`{"v": 1, "dialects": [`)
	for i := range 1000 {
		fmt.Fprintf(&text, `{"endpoint": "http://a/v1", "model": "m%d", "dialect": "chat"},`, i)
	}
	if err := os.WriteFile(journal.DialectsPath(dir), []byte(strings.TrimSuffix(text.String(), ",")+"]}"), 0o600); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("m", 5000)
	for _, model := range []string{"new", long} {
		if err := journal.KeepDialect(dir, journal.Dialect{Endpoint: "http://a/v1", Model: model, Dialect: "nd1"}); err != nil {
			t.Fatal(err)
		}
	}
	for model, want := range map[string]bool{"m0": false, "m1": true, "m999": true, "new": true, long: false} {
		if _, ok, err := journal.FindDialect(dir, "http://a/v1", model); ok != want || err != nil {
			t.Errorf("%.9s: %v, %v", model, ok, err)
		}
	}
}

// TestDialectsAtOnce checks that nothing is lost if several npdb processes store dialects
// at once.
func TestDialectsAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if err := journal.KeepDialect(dir, journal.Dialect{Endpoint: "http://a/v1", Model: fmt.Sprint(i), Dialect: "chat"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range 8 {
		if _, ok, err := journal.FindDialect(dir, "http://a/v1", fmt.Sprint(i)); !ok || err != nil {
			t.Errorf("%d: %v, %v", i, ok, err)
		}
	}
}

// TestNoDialects checks that without a state folder nothing is stored or known, and that a
// write error is reported.
func TestNoDialects(t *testing.T) {
	if err := journal.KeepDialect("", journal.Dialect{Endpoint: "http://a/v1", Model: "m", Dialect: "chat"}); err != nil {
		t.Error(err)
	}
	if err := journal.ForgetDialect("", "http://a/v1", "m"); err != nil {
		t.Error(err)
	}
	if _, ok, err := journal.FindDialect("", "http://a/v1", "m"); ok || err != nil {
		t.Error(ok, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := journal.KeepDialect(file, journal.Dialect{Endpoint: "http://a/v1", Model: "m", Dialect: "chat"}); err == nil || !strings.Contains(err.Error(), "found out again") {
		t.Error(err)
	}
	if err := journal.ForgetDialect(file, "http://a/v1", "m"); err == nil || !strings.Contains(err.Error(), "cannot be forgotten") {
		t.Error(err)
	}
}
