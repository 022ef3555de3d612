//go:build unix

package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestExportFindings checks the report of a session without a model: its marks with their notes, and the
// hits of its logpoints.
func TestExportFindings(t *testing.T) {
	dir := t.TempDir()
	d := debug(t, pythons.Usual(t), trace.Options{Script: write(t, dir, "doubles.py", loggedSource)})
	d.say("tbreak 3", "c")
	if got := d.say("export " + filepath.Join(dir, "x")); !strings.Contains(got, "*** Nothing was predicted yet") {
		t.Errorf("nothing to export: %s", got)
	}
	d.say("mark first the *first* call of `double`", "tbreak 9", "c", "mark last", `logpoint 2 "{n} | {nope}"`, "logpoint 4")
	if got := d.say("export " + filepath.Join(dir, "x.jsonl")); !strings.Contains(got, "*** Nothing was predicted yet") {
		t.Errorf("texts without a prediction: %s", got)
	}
	path := filepath.Join(dir, "findings")
	if got := d.say("export " + path); got != "Written: "+path+".md\n" {
		t.Errorf("export: %s", got)
	}
	report, err := os.ReadFile(path + ".md")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(report)
	for _, part := range []string{
		"# `doubles.py`\n", "## Marks\n\n### first\n\nthe \\*first\\* call of \\`double\\`\n\n- at: `doubles.py:3 in double` (state #", ", event ",
		"- line: `return twice`\n", "\n### last\n\n- at: `doubles.py:9 in <module>`", "- new: `total = 2450, ", "## Logpoints\n\n### Logpoint 1 at doubles\\.py:2: \\{n\\}", "| event | printed |\n|---|---|\n",
		" | `0 \\| <NameError", " | `49 \\| <NameError", "### Logpoint 2 at", "No event of the line is recorded.",
	} {
		var ok bool
		if _, rest, ok = strings.Cut(rest, part); !ok {
			t.Errorf("no %q in its place in\n%s", part, report)
		}
	}
	if strings.Contains(string(report), "predicted by") || strings.Contains(string(report), "moves:") {
		t.Errorf("a model in\n%s", report)
	}
}
