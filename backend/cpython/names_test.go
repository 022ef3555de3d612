package cpython

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// FuzzSafeNames checks that each file gets a path of its own below a directory, that none is the folder
// of another, and that safe names are not changed.
func FuzzSafeNames(f *testing.F) {
	f.Add("main.py", "pkg/a.py", "pkg")
	f.Add("../../etc/passwd", "/etc/passwd", "etc/passwd/x")
	f.Add("a", "A/b", "a/B/c")
	f.Add("file-1-0/x", "file-1-0/x/y", "file-1-0")
	f.Add("x", "X", "file-1-0/x")
	f.Add("", "\x00", strings.Repeat("é", 300)+"/"+strings.Repeat("d/", 100))
	f.Add(". .", "C:\\u\\..\\x.py", "con")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		names := safeNames(&dsl.Program{Files: []dsl.SourceFile{{Name: a}, {Name: b}, {Name: c}}})
		for i, name := range names {
			if name == "" || !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name || len(name) > 4000 || strings.ContainsAny(name, "\\\x00\n:") {
				t.Errorf("%q", name)
			}
			for _, other := range names[:i] {
				x, y := strings.ToLower(name), strings.ToLower(other)
				if x == y || strings.HasPrefix(x, y+"/") || strings.HasPrefix(y, x+"/") {
					t.Errorf("%q and %q", name, other)
				}
			}
		}
		if plain := safeName("pkg/sub/mod.py"); plain != "pkg/sub/mod.py" {
			t.Errorf("a plain name becomes %q", plain)
		}
	})
}
