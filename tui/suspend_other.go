//go:build !unix

package tui

import (
	"context"
	"errors"
)

var errNoJobs = errors.New("this system has no jobs to stop")

// stoppable returns an error: this system has no job control.
func stoppable() error { return errNoJobs }

// stopJob is never called.
func stopJob(context.Context) error { return errNoJobs }
