//go:build unix

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/pflag"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
)

// endless is a device that never ends and has no line ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestNoPlainFiles checks that devices and pipes in place of a file are reported and not
// waited for. A program's standard input may be a pipe; an interrupt ends the wait for it.
func TestNoPlainFiles(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, "/dev/zero", dir} {
		if _, err := config.Load(pflag.NewFlagSet("npdb", pflag.ContinueOnError), path); err == nil || !strings.Contains(err.Error(), "configuration cannot be read") || !strings.Contains(err.Error(), "not a file") {
			t.Errorf("configuration %s: %v", path, err)
		}
	}
	for _, path := range []string{"/dev/zero", dir} {
		if _, err := config.ReadKeyFile(path); err == nil || !strings.Contains(err.Error(), "not a file") {
			t.Errorf("key file %s: %v", path, err)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openInput(cancelled, pipe); !errors.Is(err, context.Canceled) {
		t.Errorf("a pipe nobody writes to: %v", err)
	}
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0) // the pipe now has a writer
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	for path, want := range map[string]string{pipe: "", "/dev/null": "", dir: "is a folder", filepath.Join(dir, "none"): "no such file"} {
		file, err := openInput(t.Context(), path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("input %s: %v", path, err)
		}
		_ = file.Close()
	}
}

// TestEndlessLine checks that a line without an end does not fill the memory.
func TestEndlessLine(t *testing.T) {
	in := cli.NewStdin(endless{}, nil)
	if line, err := in.Next(t.Context()); err == nil || errors.Is(err, io.EOF) || !strings.Contains(err.Error(), "more than 16 MiB") {
		t.Errorf("%d bytes, %v", len(line), err)
	}
}
