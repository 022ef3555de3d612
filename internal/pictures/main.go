// Command pictures runs npdb in an emulated terminal, and writes the pictures of the documentation: screens as SVG
// files that contain real text, and an asciinema cast of npdb tour. A test plays the same scenes, and fails if a
// screen has another text than its file.
//
//	go run ./internal/pictures
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	root := flag.String("root", ".", "the repository's `folder`")
	flag.Parse()
	if err := draw(context.Background(), *root); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// draw plays all scenes and writes their files.
func draw(ctx context.Context, root string) error {
	dir, err := os.MkdirTemp("", "npdb-pictures-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	npdb, err := build(ctx, root, dir)
	if err != nil {
		return err
	}
	for i := range scenes {
		s := &scenes[i]
		frames, err := s.frames(ctx, root, npdb)
		if err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
		text := frames[len(frames)-1].svg(s.title)
		if s.cast() {
			if text, err = cast(s.title, frames); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(root, s.file), text, 0o644); err != nil { //nolint:gosec // pictures for everyone
			return err
		}
	}
	return nil
}

// build compiles npdb into a folder and returns its path.
func build(ctx context.Context, root, dir string) (path string, err error) {
	path = filepath.Join(dir, "npdb")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", path, "./cmd/npdb")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npdb cannot be built: %w: %s", err, out)
	}
	return path, nil
}
