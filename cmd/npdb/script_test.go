package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/internal/pythons"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"npdb": main, faultyName: faulty})
}

// faulty is npdb with a fault: the key Q panics. It is part of the test's binary
// only, under this name.
func faulty() {
	screenOptions = []tea.ProgramOption{tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
		if key, ok := msg.(tea.KeyPressMsg); ok && key.Text == "Q" {
			panic("a fault")
		}
		return msg
	})}
	main()
}

const faultyName = "npdb-with-a-fault"

// TestScripts runs the scripts in testdata/script: npdb at the command line,
// with a real Python.
func TestScripts(t *testing.T) {
	python, cache := pythons.Any(t), t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			// The interpreter itself: what stands for it on the PATH may need a
			// home, and a script's home is its own.
			env.Setenv("PATH", filepath.Dir(python)+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_STATE_HOME", "")
			env.Setenv("XDG_CACHE_HOME", cache) // the compiled tracer, of which each script would make its own
			env.Setenv("XDG_CONFIG_HOME", "")
			env.Setenv("VIRTUAL_ENV", "")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // a second a script otherwise
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "own" { // a build may carry no model
				return embedded.HasModel(), nil
			}
			return false, fmt.Errorf("no condition is called %s", cond)
		},
	})
}
