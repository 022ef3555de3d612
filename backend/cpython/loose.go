package cpython

import (
	"context"
	_ "embed" // what runs a program that cannot be imported
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

//go:embed loose.py
var looseSource string

// A function under --entry needs of its module what it uses, and no more. A module
// that cannot be imported, or is no Python as a whole, is run statement by
// statement, each by itself; what a name lacks then is not known, and an answer
// ends where one is asked for.

// loosely writes a program that runs a module so, and returns its path. It lies in a
// folder of its own among the program's files.
func (p *placed) loosely(path string) (string, error) {
	folder, err := os.MkdirTemp(p.dir, "npdb-")
	if err != nil {
		return "", err
	}
	to := filepath.Join(folder, "load.py")
	text := "(lambda names, module: (exec(" + quote(looseSource) + ", names), names['load'](" + quote(path) + ", module)))({}, globals())\n"
	return to, write(to, text)
}

// importable reports whether an error of the start says that the module cannot be
// run as a whole.
func importable(err error) bool {
	var start *trace.StartError
	if !errors.As(err, &start) {
		return true
	}
	return start.Kind != trace.SyntaxError && (start.Kind != trace.StartFailed || start.Traceback == "")
}

// lacks refuses a place at which, or on the way to which, a name was used that could
// not be had.
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
			why = r.at.said(said[1 : len(said)-1]) // a string's repr
		}
	}
	return undetermined("the program needs %s, which could not be had: %s", r.lost, why)
}

// undefined returns the name that an exception says is not defined, "" for another
// exception.
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
