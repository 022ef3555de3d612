//go:build unix

package align_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session/align"
)

// variesByVersion lists programs of trace/testdata/programs that are not the same program under each
// version of Python, from run to run, or as a program that ends.
var variesByVersion = []string{
	// threads, processes, signals, input, deep recursion, and syntax that the oldest version lacks
	"annotations_lazy", "async", "breakpoint", "chain_group", "coding", "exec_same_file", "exit_hooks", "fork", "frames_inspected",
	"gettrace", "infinite_loop", "input", "match_statement", "multiprocess", "recursion", "repr_hangs", "segfault", "setprofile",
	"settrace", "signal", "subprocess", "syntax_314", "syntax_315", "threads", "type_parameters",
	"only_", "empty", // the newest version has no event at all
	"operators",                           // list(x) calls __len__ in the oldest version
	"generator_abandoned", "del_function", // an object ends later in the newest version
	"finally_nested",                                 // the text of ZeroDivisionError
	"closures",                                       // the qualified name of a function in a comprehension
	"loops",                                          // the oldest version reports the body of while False
	"builtin_inlined",                                // the newest version runs all(…) over a generator in the caller
	"exec_eval", "enums_dataclasses", "classes_meta", // attributes of the library's objects, and namespaces of classes
}

// TestVersions checks that programs that do the same under the oldest and the newest version of Python
// have no divergence, though their events and some texts differ.
func TestVersions(t *testing.T) {
	all := pythons.All(t)
	first, last := all[0], all[len(all)-1]
	if first == last {
		t.Skipf("there is one version of Python only, %v", first)
	}
	var programs []string
	for _, folder := range []string{"../../examples", "../../trace/testdata/programs"} {
		list, err := filepath.Glob(filepath.Join(folder, "*.py"))
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, list...)
	}
	programs = slices.DeleteFunc(programs, func(path string) bool {
		return slices.ContainsFunc(variesByVersion, func(name string) bool { return strings.HasPrefix(filepath.Base(path), name) })
	})
	const least = 30
	if len(programs) < least {
		t.Fatalf("%d programs", len(programs))
	}
	for _, path := range programs {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".py"), func(t *testing.T) {
			t.Parallel()
			path, err := filepath.Abs(path)
			if err != nil {
				t.Fatal(err)
			}
			al := aligned(t, recordFile(t, first, path), recordFile(t, last, path))
			if r := al.Report([2]align.About{}); r.Divergences > 0 {
				t.Error(strings.Join(r.Lines(), "\n"))
			}
		})
	}
}
