package tour

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python/traceback"
	"github.com/npdb/npdb/tui/keys"
)

// TestActionsExist checks that each {NAME} in the texts is the name of an action.
func TestActionsExist(t *testing.T) {
	texts := []string{atEnd}
	for _, s := range script {
		texts = append(texts, s.ask)
	}
	found := 0
	for _, text := range texts {
		for _, name := range named.FindAllString(text, -1) {
			found++
			name = strings.Trim(name, "{}")
			if !slices.ContainsFunc(keys.Actions(), func(a keys.Action) bool { return a.Name == name }) {
				t.Errorf("%q names the action %s, which does not exist", text, name)
			}
		}
	}
	if found < len(script) {
		t.Errorf("%d keys are named in %d steps", found, len(script))
	}
}

// TestProgramFails checks that the program of the tour fails on the line that the script names.
func TestProgramFails(t *testing.T) {
	path, err := Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), pythons.Any(t), path).CombinedOutput()
	if err == nil {
		t.Fatalf("it does not fail: %s", out)
	}
	trace, err := traceback.Parse(string(out))
	if err != nil {
		t.Fatal(err)
	}
	if last := trace.Frames[len(trace.Frames)-1]; last.Line != fails || !strings.Contains(string(out), "ZeroDivisionError") {
		t.Errorf("it fails on line %d, not %d: %s", last.Line, fails, out)
	}
}

// TestReport checks that npdb can read the report with which the second half begins.
func TestReport(t *testing.T) {
	for _, path := range []string{"/src/prices.py", "/a folder/prices.py", `C:\Users\ann\prices.py`} {
		trace, err := traceback.Parse(Report(path))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		last := trace.Frames[len(trace.Frames)-1]
		if last.File != path || last.Line != fails || last.Source != "return total / n" || len(last.Locals) != 6 {
			t.Errorf("%s: %+v", path, last)
		}
	}
}

// TestWithoutModel checks that the steps that need a model are left out, and that the end says so.
func TestWithoutModel(t *testing.T) {
	tour := New("prices.py", false)
	for _, s := range tour.steps {
		if s.predicts {
			t.Errorf("%s needs a model", s.title)
		}
	}
	if tour.Steps() == 0 || tour.Steps() == New("prices.py", true).Steps() || !strings.Contains(tour.remark, "no model") {
		t.Errorf("%d steps, and the end says %q", tour.Steps(), tour.remark)
	}
}
