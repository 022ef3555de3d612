//go:build unix

package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFindInterpreterIsCancelled checks that an interpreter is not reported as broken if
// the context ends.
func TestFindInterpreterIsCancelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "python")
	// Once it runs, it waits for input that never comes.
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho >\"$0.runs\"\nread x <\"$0.runs\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path+".runs", 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		_, err := FindInterpreter(ctx, path)
		failed <- err
	}()
	if _, err := os.ReadFile(path + ".runs"); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
