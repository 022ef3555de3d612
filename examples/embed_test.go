package examples

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAll checks that every program of the folder is in the binary, with a description.
func TestAll(t *testing.T) {
	all := All()
	files := programs(t)
	if len(all) != len(files) {
		t.Fatalf("%d programs, there are %d files", len(all), len(files))
	}
	for i, e := range all {
		if e.Name != files[i] || len(e.About) < 10 || len(e.About) > 70 {
			t.Errorf("%s: %q", e.Name, e.About)
		}
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	path, err := Write(dir, "bank.py")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("bank.py")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != string(want) {
		t.Errorf("%v, %d of %d bytes", err, len(got), len(want))
	}
	if err := os.WriteFile(path, []byte("# mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again, err := Write(dir, "bank.py"); err != nil || again != path {
		t.Errorf("%s, %v", again, err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "# mine\n" {
		t.Errorf("what was edited is overwritten: %q, %v", got, err)
	}
	if _, err := Write(dir, "../embed.go"); err == nil {
		t.Error("what is no example is written")
	}
	if _, err := Write(path, "bank.py"); err == nil {
		t.Error("a file is taken for a folder")
	}
}
