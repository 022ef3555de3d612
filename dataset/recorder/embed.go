package recorder

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

//go:embed maker/*.py maker/programs/*.py
var makerFiles embed.FS

// makerHash names the version of the package maker.
var makerHash = sync.OnceValue(func() string {
	sum := sha256.New()
	err := fs.WalkDir(makerFiles, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := makerFiles.ReadFile(path)
		fmt.Fprintf(sum, "%s\x00%d\x00%s", path, len(source), source)
		return err
	})
	if err != nil {
		panic(err) // the files are part of the binary
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
})

// makerFolder is where the package maker lies, compiled for an interpreter: compiling it
// takes longer than all else of a start. remove is to be called when it is not needed any
// more.
func makerFolder(ctx context.Context, python string) (folder string, remove func(), err error) {
	cache, err := os.UserCacheDir()
	if err == nil {
		folder = filepath.Join(cache, "npdb", "maker-"+makerHash())
		err = writeMaker(folder)
	}
	if err != nil { // there is no place that lasts
		return temporaryMaker(ctx, python)
	}
	compile(ctx, python, folder)
	return folder, func() {}, nil
}

// temporaryMaker is one that every user may read.
func temporaryMaker(ctx context.Context, python string) (folder string, remove func(), err error) {
	parent, err := os.MkdirTemp("", "npdb-maker-")
	if err != nil {
		return "", nil, fmt.Errorf("no place for the Python that records programs: %w", err)
	}
	remove = func() { _ = os.RemoveAll(parent) }
	folder = filepath.Join(parent, "lib")
	if err := errors.Join(os.Chmod(parent, 0o755), writeMaker(folder)); err != nil {
		remove()
		return "", nil, fmt.Errorf("no place for the Python that records programs: %w", err)
	}
	compile(ctx, python, folder)
	return folder, remove, nil
}

// compile compiles the package; what is compiled already is known by its time. Where it
// cannot be kept, each process compiles it for itself, and starts later.
func compile(ctx context.Context, python, folder string) {
	_ = exec.CommandContext(ctx, python, "-I", "-m", "compileall", "-q", folder).Run()
}

// writeMaker makes a folder with the package in it, whole or not at all.
func writeMaker(folder string) error {
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o700); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(folder), "maker-part-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(part) }()
	err = fs.WalkDir(makerFiles, ".", func(path string, d fs.DirEntry, err error) error {
		to := filepath.Join(part, filepath.FromSlash(path))
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(to, 0o755) // another user may read it in a sandbox
		}
		source, err := makerFiles.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, source, 0o644)
	})
	if err == nil {
		err = os.Chmod(part, 0o755)
	}
	if err == nil {
		err = os.Rename(part, folder)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		if _, gone := os.Stat(folder); gone == nil {
			return nil // another process was first
		}
		return err
	}
	return nil
}
