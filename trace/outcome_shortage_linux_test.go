package trace_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// shortageOf is the variable that names the missing resource, for a process that runs only
// this test, because limits apply to a whole process. shortagePython is its interpreter,
// which it then need not look for.
const (
	shortageOf     = "NPDB_TEST_SHORTAGE"
	shortagePython = "NPDB_TEST_SHORTAGE_PYTHON"
)

// TestOutcomeShortage checks that a program that cannot be started because of missing
// descriptors, whichever is the first to fail, or because of another limit, is reported
// with the reason, and leaves nothing behind.
func TestOutcomeShortage(t *testing.T) {
	if what := os.Getenv(shortageOf); what != "" {
		sufferShortage(t, what)
		return
	}
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	python := pythons.All(t)[0]
	for _, what := range []string{"descriptors", "descriptors, with a terminal", "file size"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			// The coverage of that process counts for this test.
			counted := "-test.gocoverdir=" + flag.Lookup("test.gocoverdir").Value.String()
			cmd := exec.Command(self, "-test.run", "^TestOutcomeShortage$", counted)
			cmd.Env = append(os.Environ(), shortageOf+"="+what, shortagePython+"="+python.Path)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func sufferShortage(t *testing.T, what string) {
	o := trace.Options{Python: os.Getenv(shortagePython), Script: scriptOf(t, "x = 1\n")}
	if what == "file size" {
		limit := unix.Rlimit{Cur: 0, Max: unix.RLIM_INFINITY}
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		wantStartError(t, o, trace.StartFailed, []string{"cannot run " + o.Python, "ulimit -f"}, "")
		limit.Cur = limit.Max // the process may write its coverage
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		return
	}
	if what != "descriptors" {
		o.Terminal = &trace.Terminal{}
	}
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	if rec, _, err := trace.Start(t.Context(), o); err == nil { // opens Go's poller and similar descriptors
		_ = rec.Close()
	}
	before, goroutines := open(), goleak.IgnoreCurrent()
	enough := unix.Rlimit{Cur: 1024, Max: 1024}
	short := 0
	for limit := uint64(3); ; limit++ {
		few := unix.Rlimit{Cur: limit, Max: enough.Max}
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &few); err != nil {
			t.Fatal(err)
		}
		rec, _, err := trace.Start(t.Context(), o)
		if e := unix.Setrlimit(unix.RLIMIT_NOFILE, &enough); e != nil {
			t.Fatal(e)
		}
		if err == nil {
			if err := rec.Close(); err != nil {
				t.Error(err)
			}
			break
		}
		var failed *trace.StartError
		if !errors.As(err, &failed) || failed.Kind != trace.StartFailed {
			t.Errorf("at %d: %T %v", limit, err, err)
		}
		if errors.Is(err, syscall.EMFILE) {
			short++
			wantWords(t, err.Error(), "cannot run "+o.Python, fmt.Sprintf("%d files open", limit), "ulimit -n")
		}
		if after := open(); after != before {
			t.Fatalf("at %d: %d descriptors are open, %d were (%v)", limit, after, before, err)
		}
	}
	if short < 10 {
		t.Errorf("only %d starts failed for want of a descriptor", short)
	}
	goleak.VerifyNone(t, goroutines)
	if children, err := os.ReadFile(filepath.Join("/proc/self/task", fmt.Sprint(os.Getpid()), "children")); err == nil && len(children) > 0 {
		t.Errorf("processes %s are left", children)
	}
}

func wantWords(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%q lacks %q", text, word)
		}
	}
}
