//go:build unix

package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/npdb/npdb/cmd/npdb/cli"
)

// hear writes a file at each SIGUSR1 until stop is called.
func (d *dumper) hear() (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	go func() {
		for range signals {
			if done := d.dump(); done.Error != "" {
				fmt.Fprintln(os.Stderr, "npdb: "+cli.EscapeLines(done.Error))
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}
