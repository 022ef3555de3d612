package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// running is the part of a session that signals act on.
type running interface {
	Busy() (busy, again bool)
	Interrupt()
	Kill()
	// Runs reports whether there is a program that Kill ends.
	Runs() bool
}

// stopper turns signals into what they mean: Ctrl-C interrupts what runs and says so, a
// second one says that a third ends the program; SIGTERM, SIGHUP and the signals that would end a
// process on the spot, SIGQUIT and SIGABRT, end npdb, which restores the terminal and takes
// the program with it.
type stopper struct {
	ctx        context.Context
	cancel     context.CancelFunc
	signals    chan os.Signal
	interrupts chan struct{} // Ctrl-C where nothing runs
	session    atomic.Pointer[running]
	code       atomic.Int32
	warned     bool // that one more ends the program; of the goroutine that handles signals
	warnings   io.Writer
}

func newStopper() *stopper {
	s := &stopper{signals: make(chan os.Signal, 4), interrupts: make(chan struct{}, 1), warnings: os.Stderr}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	signal.Notify(s.signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT)
	// A reader of the answers that went away is an error of the next write, so
	// that the recording is closed, and no signal that ends npdb on the spot.
	signal.Ignore(syscall.SIGPIPE)
	go func() {
		for sig := range s.signals {
			s.handle(sig)
		}
	}()
	return s
}

// watch gives the signals a session to act on. It is killed where one has come
// already that ends npdb.
func (s *stopper) watch(r running) {
	s.session.Store(&r)
	if s.ctx.Err() != nil {
		r.Kill()
	}
}

func (s *stopper) handle(sig os.Signal) {
	r := s.session.Load()
	if r == nil || sig != os.Interrupt { // without a session it is still starting
		leaveQuietly()
		number, _ := sig.(syscall.Signal)
		s.code.Store(128 + int32(number))
		s.cancel() // before the session is looked for: see watch
		if r := s.session.Load(); r != nil {
			(*r).Kill() // it may heed no interruption
		}
		return
	}
	busy, again := (*r).Busy()
	switch {
	case !busy:
		select {
		case s.interrupts <- struct{}{}:
		default: // one is enough
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

// exitCode is that of the signal that ended npdb, 0 when none did.
func (s *stopper) exitCode() int { return int(s.code.Load()) }

func (s *stopper) close() {
	signal.Stop(s.signals)
	close(s.signals)
	s.cancel()
}
