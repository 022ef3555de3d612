package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// made builds the parts of a release that need neither the network nor npdb itself. A short text stands
// for each program.
func made(t *testing.T, tag string) *release {
	t.Helper()
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	v, err := parseVersion(tag)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRelease(v, filepath.Join("..", ".."), filepath.Join(t.TempDir(), "dist"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r.notices = []byte("licenses\n")
	r.pages = []file{{"npdb.1", []byte(".TH NPDB 1\n"), plain}}
	r.scripts = []file{{"npdb.bash", []byte("complete npdb\n"), plain}}
	for _, one := range targets {
		if err := os.MkdirAll(filepath.Dir(r.programPath(one)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(r.programPath(one), programText(one), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, do := range []func() error{r.archives, r.python, r.npm} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func programText(t target) []byte { return []byte("npdb for " + t.String()) }

// unpacked returns the contents and the modes of a .tar.gz, by name.
func unpacked(t *testing.T, path string) (map[string]string, map[string]int64) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	texts, modes := map[string]string{}, map[string]int64{}
	for r := tar.NewReader(packed); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return texts, modes
		}
		text, failed := io.ReadAll(r)
		if err = errors.Join(err, failed); err != nil {
			t.Fatal(err)
		}
		texts[head.Name], modes[head.Name] = string(text), head.Mode
	}
}

// TestArchives checks that each archive contains the program, executable, and the files beside it.
func TestArchives(t *testing.T) {
	r := made(t, "v1.2.3")
	for _, one := range targets {
		texts := map[string]string{}
		name := one.archiveFile(r.version)
		folder := one.archive(r.version) + "/"
		if path := filepath.Join(r.out, name); strings.HasSuffix(name, ".zip") {
			for _, f := range unzipped(t, path) {
				texts[f.name] = string(f.data)
			}
		} else {
			var modes map[string]int64
			texts, modes = unpacked(t, path)
			if modes[folder+"npdb"] != 0o755 || modes[folder+"LICENSE"] != 0o644 {
				t.Errorf("%s: the modes are %v", name, modes)
			}
		}
		if got := texts[folder+one.program()]; got != string(programText(one)) {
			t.Errorf("%s: the program is %q", name, got)
		}
		for _, other := range []string{"LICENSE", thirdParty, "README.md", "man/man1/npdb.1", "completions/npdb.bash"} {
			if texts[folder+other] == "" {
				t.Errorf("%s has no %s", name, other)
			}
		}
	}
}

// TestReproducible checks that two releases of one commit, made in different folders, are the same.
func TestReproducible(t *testing.T) {
	contents := func() map[string]string {
		r := made(t, "v1.2.3-rc.4")
		found, err := os.ReadDir(r.out)
		if err != nil || len(found) != 3*len(targets)+2 {
			t.Fatal(len(found), " files: ", err)
		}
		texts := map[string]string{}
		for _, f := range found {
			text, err := os.ReadFile(filepath.Join(r.out, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			texts[f.Name()] = string(text)
		}
		return texts
	}
	first, second := contents(), contents()
	for name := range first {
		if first[name] != second[name] {
			t.Errorf("%s differs", name)
		}
	}
	if !maps.Equal(first, second) {
		t.Error("the files are not the same")
	}
}

// TestNotEmpty checks that a release is not written into a folder with other files.
func TestNotEmpty(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := newRelease(version{}, filepath.Join("..", ".."), dir, ""); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Error(err)
	}
}

// placeholders returns a release whose files all exist, each with its name as its contents.
func placeholders(t *testing.T, tag string) *release {
	t.Helper()
	r := made(t, tag)
	for _, name := range names(r.version) {
		if name == hashesFile {
			continue
		}
		if err := os.WriteFile(filepath.Join(r.out, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// TestTemplates checks that the templates name only files that a release has, with their hashes.
func TestTemplates(t *testing.T) {
	named := regexp.MustCompile(`/v[\w.-]+/([\w.-]+)"`)
	for _, tag := range []string{"v1.2.3", "v1.2.3-rc.4"} {
		r := placeholders(t, tag)
		if err := r.fill(); err != nil {
			t.Fatal(err)
		}
		files := 0
		for _, name := range filled {
			text, err := os.ReadFile(filepath.Join(r.out, strings.TrimSuffix(name, ".tmpl")))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), r.version.semantic()) || strings.Contains(string(text), "<no value>") {
				t.Errorf("%s is not filled in:\n%s", name, text)
			}
			for _, m := range named.FindAllStringSubmatch(string(text), -1) {
				files++
				if !slices.Contains(names(r.version), m[1]) {
					t.Errorf("%s names %s, which is not made", name, m[1])
				}
			}
		}
		if files != 8 { // four archives, in the formula and in the flake
			t.Errorf("the templates name %d files", files)
		}
	}
}

// TestUnknownFile checks that a template cannot name a file or a field that does not exist.
func TestUnknownFile(t *testing.T) {
	r := placeholders(t, "v1.2.3")
	r.root = t.TempDir()
	if err := os.Mkdir(filepath.Join(r.root, templates), 0o755); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`{{url (archive "plan9" "amd64")}}`: "a release has no file npdb-1.2.3-plan9-amd64.tar.gz", `{{sha256 "x.whl"}}`: "was not made", `{{.Vresion}}`: "no entry for key",
	} {
		if err := os.WriteFile(filepath.Join(r.root, templates, "x.tmpl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := r.filledTemplate("x.tmpl"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestHashes checks that the list of hashes has every file, and that a missing or an unknown file is an
// error.
func TestHashes(t *testing.T) {
	r := placeholders(t, "v1.2.3")
	if err := r.writeHashes(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(r.out, hashesFile))
	if err != nil || strings.Count(string(text), "\n") != len(names(r.version))-1 {
		t.Errorf("%v\n%s", err, text)
	}
	if err := os.Rename(filepath.Join(r.out, notesFile), filepath.Join(r.out, "notes")); err != nil {
		t.Fatal(err)
	}
	if err := r.writeHashes(); err == nil || !strings.Contains(err.Error(), `missing ["RELEASE_NOTES.md"], unknown ["notes"]`) {
		t.Error(err)
	}
}

// unzipped returns the files of a zip file, with their modes as Unix has them.
func unzipped(t *testing.T, path string) []file {
	t.Helper()
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var files []file
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file{f.Name, data, os.FileMode(f.ExternalAttrs >> 16)})
	}
	return files
}
