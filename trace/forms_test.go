//go:build unix

package trace_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// What tracer/forms.py says of the values of many types, put together, is what
// tracer/render.py makes of them.
func TestFormsGiveTheTextsOfRender(t *testing.T) {
	runForms(t, "values.py", "0 differ")
}

// Reading what values are made of runs no code of the program, and keeps nothing of
// it alive.
func TestFormsTouchNothing(t *testing.T) {
	runForms(t, "untouched.py", "untouched")
}

// The fingerprint of an array or a frame is another one whenever its text is.
func TestFormsFingerprints(t *testing.T) {
	runForms(t, "arrays.py", "fingerprints", "fingerprints with numpy and pandas")
}

// Who is asked for its text, and what becomes of a class that is refused.
func TestFormsAsked(t *testing.T) {
	runForms(t, "asked.py", "asked")
}

// runForms runs a program of testdata/forms on every Python; the end of what it
// says must be one of want.
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
