// Unpack installs a Python for tests, for versions of Python that the machine does not have. The
// Python comes from a Go module that contains one (github.com/kluctl/go-embed-python):
//
//	go run ./internal/pythons/unpack MODULE@VERSION DIR
//
// The go command downloads and verifies the module; npdb itself does not depend on it. If DIR
// exists, it is not changed.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: unpack MODULE@VERSION DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "unpack:", err)
		os.Exit(1)
	}
}

func run(module, dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	folder, err := download(module)
	if err != nil {
		return err
	}
	data := filepath.Join(folder, "python", "internal", "data", runtime.GOOS+"-"+runtime.GOARCH)
	return unpack(os.DirFS(data), dir)
}

// download runs the go command to fetch a module and returns its folder.
func download(module string) (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = os.TempDir() // outside npdb's module, so that the command does not change its go.sum
	var said bytes.Buffer
	cmd.Stderr = &said
	out, failed := cmd.Output()
	var answer struct{ Dir, Error string }
	if err := json.Unmarshal(out, &answer); err != nil {
		return "", fmt.Errorf("go mod download %s: %w: %s", module, errors.Join(failed, err), said.Bytes())
	}
	if failed != nil || answer.Error != "" {
		return "", fmt.Errorf("go mod download %s: %s", module, answer.Error)
	}
	return answer.Dir, nil
}

// entry is one file in the module's list of files.
type entry struct {
	Name       string
	Perm       fs.FileMode
	Symlink    string
	Compressed bool // it is stored as NAME.gz
}

// unpack writes the files in a list to a folder. The folder appears under its name only when it is
// complete.
func unpack(data fs.FS, dir string) error {
	text, err := fs.ReadFile(data, "files.json")
	if err != nil {
		return err
	}
	var list struct{ Files []entry }
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("files.json: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	beside, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+"-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(beside) // does nothing after the rename
	root, err := os.OpenRoot(beside)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, e := range list.Files {
		if err := e.write(data, root); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	if err := root.Chmod(".", 0o755); err != nil {
		return err
	}
	return os.Rename(beside, dir)
}

func (e entry) write(data fs.FS, root *os.Root) error {
	switch {
	case e.Perm.IsDir():
		return root.MkdirAll(e.Name, 0o755)
	case e.Symlink != "":
		if !filepath.IsLocal(path.Join(path.Dir(e.Name), e.Symlink)) {
			return fmt.Errorf("a link to %s, which is outside", e.Symlink)
		}
		return root.Symlink(e.Symlink, e.Name)
	}
	name := e.Name
	if e.Compressed {
		name += ".gz"
	}
	text, err := fs.ReadFile(data, name)
	if err != nil {
		return err
	}
	if e.Compressed {
		reader, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return err
		}
		if text, err = io.ReadAll(reader); err != nil {
			return err
		}
	}
	return root.WriteFile(e.Name, text, e.Perm.Perm())
}
