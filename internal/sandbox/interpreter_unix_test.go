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

// TestFindInterpreterIsCancelled checks that the error is that of the context if the context ends,
// and not that the interpreter is broken.
func TestFindInterpreterIsCancelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "python")
	// The script reports that it runs, and then waits for input that never comes.
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
