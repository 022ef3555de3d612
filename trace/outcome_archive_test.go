//go:build unix

package trace_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// writeArchive creates a zip file after a first line, with files given as names and texts.
func writeArchive(t *testing.T, path, first string, files ...string) {
	t.Helper()
	out := bytes.NewBufferString(first)
	z := zip.NewWriter(out)
	z.SetOffset(int64(len(first)))
	for ; len(files) > 0; files = files[2:] {
		w, err := z.Create(files[0])
		if err == nil {
			_, err = w.Write([]byte(files[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestOutcomeArchive checks that the files of a program that is an archive are user code,
// with their sources.
func TestOutcomeArchive(t *testing.T) {
	const helper = "def f(a):\n    return a + 1\n"
	dir := t.TempDir()
	writeArchive(t, filepath.Join(dir, "app.pyz"), "", "__main__.py", "import helper\nx = helper.f(1)\n", "helper.py", helper)
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debugAs(t, python, trace.Options{Python: python.Path, Dir: dir, Script: "app.pyz", Stdin: strings.NewReader("")})
		d.do(dsl.StepOver)
		d.do(dsl.StepInto)
		d.wantHere("call 1 f", trace.Landed)
		file := d.rec.Tree().Files()[d.rec.Tree().At(d.at.Event).File]
		if file.Path != filepath.Join(dir, "app.pyz", "helper.py") || string(file.Source) != helper {
			t.Errorf("the file is %q with the source %q", file.Path, file.Source)
		}
		d.finish()
	})
}
