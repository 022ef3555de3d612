//go:build unix

package tui

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// endsWithin is how long a job that was continued in the background waits for a signal that ends
// it: a shell that ends a stopped job continues it, so that it receives the signal.
const endsWithin = time.Second

var errNoJob = errors.New("npdb is not stopped: no shell is there to bring it back")

// stoppable returns why npdb cannot be stopped, nil if it can. If it leads a session of its own,
// nobody could continue it: the kernel does not stop an orphaned process group (POSIX).
func stoppable() error {
	if leader, err := unix.Getsid(0); err == nil && leader == syscall.Getpgrp() {
		return errNoJob
	}
	return nil
}

// stopJob stops npdb until it is in the foreground again or has to end. If npdb is continued in the
// background (bg), it stops again.
func stopJob(ctx context.Context) error {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	// A shell that ends a stopped job sends the signal before it continues the job. The rest of
	// npdb may not have received it yet.
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(ends)
	for {
		if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
			return err
		}
		select {
		case <-goesOn:
		case <-ctx.Done(): // without job control npdb was not stopped
			return nil
		}
		if inForeground() {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ends:
			<-ctx.Done()
			return nil
		case <-time.After(endsWithin):
		}
	}
}

// inForeground reports whether the terminal is this job's.
func inForeground() bool {
	group, err := unix.IoctlGetInt(int(os.Stdin.Fd()), unix.TIOCGPGRP)
	return err != nil || group == syscall.Getpgrp()
}
