//go:build unix

package trace_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// TestFormsGiveTheTextsOfRender checks that the texts that tracer/forms.py describes for
// many types are those of tracer/render.py.
func TestFormsGiveTheTextsOfRender(t *testing.T) {
	runForms(t, "values.py", "0 differ")
}

// TestFormsTouchNothing checks that reading the content of values runs no code of the
// program, and keeps nothing of it alive.
func TestFormsTouchNothing(t *testing.T) {
	runForms(t, "untouched.py", "untouched")
}

// TestFormsFingerprints checks that the fingerprint of an array or a data frame changes
// whenever its text does.
func TestFormsFingerprints(t *testing.T) {
	runForms(t, "arrays.py", "fingerprints", "fingerprints with numpy and pandas")
}

// TestFormsAsked checks whose __repr__ is called, and what happens to a class that is
// refused.
func TestFormsAsked(t *testing.T) {
	runForms(t, "asked.py", "asked")
}

// runForms runs a program of testdata/forms on every Python; the end of its output must be
// one of want.
func runForms(t *testing.T, program string, want ...string) {
	t.Helper()
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), python.Path, "-W", "ignore", "-B", "testdata/forms/"+program, "tracer")
			out, err := cmd.CombinedOutput()
			got := strings.TrimSpace(string(out))
			if err != nil || !slices.ContainsFunc(want, func(end string) bool { return strings.HasSuffix(got, end) }) {
				t.Errorf("%v: %s", err, got)
			}
			t.Log(got)
		})
	}
}
