package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// Running is the part of a session that signals act on.
type Running interface {
	Busy() (busy, again bool)
	Interrupt()
	Kill()
	// Runs reports whether a program of the user's is running, which Kill would end.
	Runs() bool
}

// Stopper handles signals. Ctrl-C interrupts the running command and reports it. A second
// Ctrl-C warns that a third one kills the program. SIGTERM, SIGHUP, SIGQUIT and SIGABRT
// end npdb, which restores the terminal and kills the program.
type Stopper struct {
	Ctx        context.Context // cancelled when a signal ends npdb
	cancel     context.CancelFunc
	signals    chan os.Signal
	Interrupts chan struct{} // receives a Ctrl-C that is pressed while no command runs
	session    atomic.Pointer[Running]
	code       atomic.Int32
	warned     bool // the user was warned that the next Ctrl-C ends the program; only used by the goroutine that handles signals
	warnings   io.Writer
}

// NewStopper handles signals until Close.
func NewStopper() *Stopper {
	s := &Stopper{signals: make(chan os.Signal, 4), Interrupts: make(chan struct{}, 1), warnings: os.Stderr}
	s.Ctx, s.cancel = context.WithCancel(context.Background())
	signal.Notify(s.signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT)
	// SIGPIPE would end npdb at once when the reader of its output exits. Without the signal, the
	// next write returns an error, and npdb closes the recording.
	signal.Ignore(syscall.SIGPIPE)
	go func() {
		for sig := range s.signals {
			s.handle(sig)
		}
	}()
	return s
}

// Watch sets the session that signals act on. If a signal has already ended npdb, Watch kills
// the session.
func (s *Stopper) Watch(r Running) {
	s.session.Store(&r)
	if s.Ctx.Err() != nil {
		r.Kill()
	}
}

func (s *Stopper) handle(sig os.Signal) {
	r := s.session.Load()
	if r == nil || sig != os.Interrupt { // without a session, npdb is still starting
		leaveQuietly()
		number, _ := sig.(syscall.Signal)
		s.code.Store(128 + int32(number))
		s.cancel() // before the session is loaded, so that a concurrent Watch sees it
		if r := s.session.Load(); r != nil {
			(*r).Kill() // the program may ignore the interrupt
		}
		return
	}
	busy, again := (*r).Busy()
	switch {
	case !busy:
		select {
		case s.Interrupts <- struct{}{}:
		default: // one pending interrupt is enough
		}
	case again && (*r).Runs() && s.warned:
		(*r).Kill()
	case again && (*r).Runs():
		s.warned = true
		_, _ = io.WriteString(s.warnings, "npdb: the program does not stop. Ctrl-C again ends it.\n")
	default:
		s.warned = false
		if (*r).Runs() {
			_, _ = io.WriteString(s.warnings, "npdb: stopping. If the program does not stop, press Ctrl-C again.\n")
		}
		(*r).Interrupt()
	}
}

// HasSession reports whether Watch was given a session.
func (s *Stopper) HasSession() bool { return s.session.Load() != nil }

// ExitCode returns 128 plus the number of the signal that ended npdb, or 0 if none did.
func (s *Stopper) ExitCode() int { return int(s.code.Load()) }

// Close stops the handling of signals.
func (s *Stopper) Close() {
	signal.Stop(s.signals)
	close(s.signals)
	s.cancel()
}
