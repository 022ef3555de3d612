package cpython

import (
	"context"
	_ "embed" // for loose.py
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

//go:embed loose.py
var looseSource string

// A function under --entry needs only some names of its module. So a module that cannot be imported, or
// has a syntax error, is run statement by statement. Names that a failed statement would have set are
// removed, and once the program has used such a name, the answers are unknown.

// loosely writes a loader that runs a module statement by statement, to a new folder in the scratch
// directory. It returns the loader's path.
func (p *placed) loosely(path string) (string, error) {
	folder, err := os.MkdirTemp(p.dir, "npdb-")
	if err != nil {
		return "", err
	}
	to := filepath.Join(folder, "load.py")
	text := "(lambda names, module: (exec(" + quote(looseSource) + ", names), names['load'](" + quote(path) + ", module)))({}, globals())\n"
	return to, write(to, text)
}

// importable reports whether the module may be importable as a whole, although a run failed to start
// with this error.
func importable(err error) bool {
	var start *trace.StartError
	if !errors.As(err, &start) {
		return true
	}
	return start.Kind != trace.SyntaxError && (start.Kind != trace.StartFailed || start.Traceback == "")
}

// lacks returns an error if the program, before a position, used a name that a failed statement of the
// module would have set.
func (r *run) lacks(ctx context.Context, at trace.Position) error {
	if !r.loose {
		return nil
	}
	tree := r.rec.Tree()
	for ; r.searched < tree.Len() && r.lost == ""; r.searched++ {
		if tree.At(r.searched).Event != dsl.Exception {
			continue
		}
		if value := tree.State(r.searched).Value; value != nil {
			r.lost = undefined(*value)
			r.lostAt = r.searched
		}
	}
	if r.lost == "" || at.Event < r.lostAt {
		return nil
	}
	why := "nothing in the text sets it"
	asked := "__import__('sys').modules['_npdb.lacking'].names.get(" + quote(r.lost) + ", '')"
	if a, err := r.rec.Ask(ctx, 0, trace.VerbPrint, asked); err == nil {
		if said := strings.TrimSpace(a.Text); len(said) > len(`''`) {
			why = r.at.said(said[1 : len(said)-1]) // a str's repr, without its quotes
		}
	}
	return undetermined("the program needs %s, which could not be had: %s", r.lost, why)
}

// undefined returns the undefined name in the repr of a NameError, or "" if the exception is another
// one.
func undefined(value string) string {
	rest, ok := strings.CutPrefix(value, `NameError("name '`)
	if !ok {
		return ""
	}
	name, _, ok := strings.Cut(rest, "' is not defined")
	if !ok {
		return ""
	}
	return name
}
