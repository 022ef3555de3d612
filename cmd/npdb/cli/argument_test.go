package cli

import "testing"

func TestArgument(t *testing.T) {
	for path, want := range map[string]string{
		"prog.npdb": "prog.npdb", "/a-b/c_1.npdb": "/a-b/c_1.npdb", "a b.npdb": "'a b.npdb'", "-out.npdb": "./-out.npdb",
		"it's.npdb": `'it'\''s.npdb'`, "$HOME.npdb": "'$HOME.npdb'", "": "''",
	} {
		if got := Argument(path); got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
}
