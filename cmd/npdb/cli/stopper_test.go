//go:build unix

package cli

import (
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// TestSecondInterruptWarns checks that the first interrupt says what to do if the program
// does not stop, and that npdb warns before it ends the program.
func TestSecondInterruptWarns(t *testing.T) {
	var said strings.Builder
	s := &Stopper{Interrupts: make(chan struct{}, 1), warnings: &said}
	s.Ctx, s.cancel = context.WithCancel(t.Context())
	k := &killed{}
	s.Watch(k)
	for i, want := range []string{
		"npdb: stopping. If the program does not stop, press Ctrl-C again.\n",
		"npdb: the program does not stop. Ctrl-C again ends it.\n",
	} {
		if s.handle(os.Interrupt); said.String() != want || k.is {
			t.Errorf("interrupt %d: it said %q, killed is %v", i, said.String(), k.is)
		}
		said.Reset()
		k.interrupted = true
	}
	if s.handle(os.Interrupt); !k.is {
		t.Error("the third does not end the program")
	}
	// The next command starts anew.
	*k = killed{}
	s.handle(os.Interrupt)
	k.interrupted = true
	if s.handle(os.Interrupt); k.is {
		t.Error("the second ends the program of the next command")
	}
	// If nothing is running, there is no message, and nothing is ended.
	said.Reset()
	*k = killed{interrupted: true, predicted: true}
	for range 3 {
		s.handle(os.Interrupt)
	}
	if k.is || said.Len() > 0 {
		t.Errorf("in neural mode it says %q, killed is %v", said.String(), k.is)
	}
}

// TestSignalBeforeTheSession checks a signal that ends npdb while the program starts. The
// program may ignore interrupts.
func TestSignalBeforeTheSession(t *testing.T) {
	// Child processes would inherit the ignored signals that handle sets.
	t.Cleanup(func() { signal.Reset(syscall.SIGTTOU) })
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		s := &Stopper{}
		s.Ctx, s.cancel = context.WithCancel(t.Context())
		s.handle(sig)
		r := &killed{}
		s.Watch(r)
		if !r.is || s.ExitCode() != 128+int(sig) {
			t.Errorf("%v: killed is %v, exit code %d", sig, r.is, s.ExitCode())
		}
	}
}

// killed is a session that records whether it was killed.
type killed struct{ is, interrupted, predicted bool }

func (k *killed) Busy() (busy, again bool) { return true, k.interrupted }

func (*killed) Interrupt() {}

func (k *killed) Kill() { k.is = true }

func (k *killed) Runs() bool { return !k.predicted }
