package main

import (
	"fmt"
	"os"
	"os/exec"
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

// faulty is npdb with a bug: the key Q panics. Only the test's binary contains it, under
// this name.
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

// TestScripts runs the scripts in testdata/script: npdb on the command line, with a real
// Python.
func TestScripts(t *testing.T) {
	python, cache := pythons.Any(t), t.TempDir()
	withPytest := pythonWithPytest(t)
	shim, err := filepath.Abs(filepath.Join("..", "..", "shim", "npdb"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			// Use the interpreter itself: a shim on PATH may need the real home, and each
			// script has its own.
			env.Setenv("PATH", filepath.Dir(python)+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_STATE_HOME", "")
			env.Setenv("XDG_CACHE_HOME", cache) // shared, so that each script does not compile the tracer again
			env.Setenv("XDG_CONFIG_HOME", "")
			env.Setenv("VIRTUAL_ENV", "")
			env.Setenv("PYTEST", withPytest)
			env.Setenv("SHIM", shim)
			env.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each script takes another second
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "own": // a build may contain no model
				return embedded.HasModel(), nil
			case "pytest":
				return withPytest != "", nil
			}
			return false, fmt.Errorf("no condition is called %s", cond)
		},
	})
}

// pythonWithPytest returns the first Python here that has pytest, or "".
func pythonWithPytest(t *testing.T) string {
	for _, p := range append(pythons.All(t), pythons.Python{Path: "/usr/bin/python3"}) {
		if exec.CommandContext(t.Context(), p.Path, "-c", "import pytest").Run() == nil {
			return p.Path
		}
	}
	return ""
}
