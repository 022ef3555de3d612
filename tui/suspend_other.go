//go:build !unix

package tui

import (
	"context"
	"errors"
)

var errNoJobs = errors.New("this system has no jobs to stop")

// stoppable reports that nothing can be stopped here.
func stoppable() error { return errNoJobs }

// stopJob is never called.
func stopJob(context.Context) error { return errNoJobs }
