package longtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shares lists, by package, the functions that select a share of a test's cases. In the set of
// names that a function uses, the name takesOne stands for any of them.
var shares = map[string][]string{"longtest": {"Asked", "In"}, "cruxeval": {"Some"}}

const takesOne = "one of shares"

// notInCI lists the tests that neither .ci/run nor .ci/long runs in full, by folder and name, with
// the reason.
var notInCI = map[string]string{
	"trace TestShares":                        "looks at what the shares are",
	"trace TestPublic":                        "wants repositories that are fetched: .ci/long runs it",
	"trace TestPublicComputed":                "the same",
	"trace TestCruxEval":                      "runs all of CruxEval's problems, with the newest Python; of their events it looks at some",
	"session TestBothPerfectCruxEval":         "all of CruxEval's problems take minutes: some, with the oldest and the newest Python",
	"session TestBothFlagsCorruptionCruxEval": "as above",
	"backend/computed TestVerifierOnStates":   "all of CruxEval's problems take minutes for each Python: some",
	"lab/eval TestOracleIsPerfect":            "all of CruxEval's problems take minutes: some, in a stage of its own",
	"lab/dataset/check TestOverlap":           "generates 20,000 programs: a hundred, where every Python is tried",
}

// TestCIRunsAll checks tests that by default run only a share of their cases: .ci/run or .ci/long
// must run each of them in full, unless notInCI lists it.
func TestCIRunsAll(t *testing.T) {
	const root = "../.."
	takes := takers(t, root)
	listed := inCI(t, filepath.Join(root, ".ci", "run"))
	maps.Copy(listed, inCI(t, filepath.Join(root, ".ci", "long")))
	for test := range takes {
		if !listed[test] && notInCI[test] == "" {
			t.Errorf("%s runs a share: list it in .ci/run or .ci/long where NPDB_WALKS asks for all, or say here why not", test)
		}
	}
	for test := range notInCI {
		if !takes[test] || listed[test] {
			t.Errorf("%s is no exception: it takes a share: %v; CI runs all of it: %v", test, takes[test], listed[test])
		}
	}
	var names []string
	for test := range takes {
		names = append(names, strings.Fields(test)[1])
	}
	for test := range listed {
		if !slices.Contains(names, strings.Fields(test)[1]) {
			t.Errorf("%s is listed in .ci and is no test that runs a share", test)
		}
	}
}

// inCI returns, by folder, the tests that a CI script runs with NPDB_WALKS.
func inCI(t *testing.T, path string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\t?NPDB_WALKS=1 .*-run '\^\(?([\w|]+)\)?\$' (.*)$`).FindAllStringSubmatch(string(text), -1) {
		for name := range strings.SplitSeq(m[1], "|") {
			for _, folder := range strings.Fields(m[2]) {
				listed[strings.TrimPrefix(folder, "./")+" "+name] = true
			}
		}
	}
	if len(listed) == 0 {
		t.Fatalf("%s runs nothing with NPDB_WALKS", path)
	}
	return listed
}

// takers returns the tests below a folder that select a share, directly or through helper functions
// of their package.
func takers(t *testing.T, root string) map[string]bool {
	t.Helper()
	uses := map[string]map[string]map[string]bool{} // by folder and function of its tests, the names that the function uses
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "longtest"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		folder = filepath.ToSlash(folder)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				if uses[folder] == nil {
					uses[folder] = map[string]map[string]bool{}
				}
				uses[folder][f.Name.Name] = namedIn(f, uses[folder][f.Name.Name])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for folder, functions := range uses {
		for name := range functions {
			if strings.HasPrefix(name, "Test") && takesShare(functions, name, map[string]bool{}) {
				found[folder+" "+name] = true
			}
		}
	}
	return found
}

// namedIn adds the names in a function's body to names, and takesOne if the body calls a function
// that selects a share.
func namedIn(f *ast.FuncDecl, names map[string]bool) map[string]bool {
	if names == nil {
		names = map[string]bool{}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok && slices.Contains(shares[of.Name], n.Sel.Name) {
				names[takesOne] = true
			}
		case *ast.Ident:
			if n != f.Name {
				names[n.Name] = true
			}
		}
		return true
	})
	return names
}

// takesShare reports whether a function selects a share, or uses a function that does.
func takesShare(functions map[string]map[string]bool, name string, seen map[string]bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	for used := range functions[name] {
		if used == takesOne || takesShare(functions, used, seen) {
			return true
		}
	}
	return false
}
