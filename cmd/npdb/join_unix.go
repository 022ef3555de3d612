//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// watchSize calls changed after each change of the terminal's size, until stop is called.
func watchSize(changed func()) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGWINCH)
	go func() {
		for range signals {
			changed()
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}
