//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// endsWithin is how long a job that goes on in the background waits for its end: a
// shell continues a job so that it hears of the signal that ends it.
const endsWithin = 200 * time.Millisecond

// Run stops npdb until it is in the foreground again, or is to end. (With bg alone it
// has nothing to do, and stops again.)
func (s suspension) Run() error {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	for {
		if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
			return err
		}
		<-goesOn
		if inForeground() {
			return nil
		}
		select {
		case <-s.ctx.Done():
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
