//go:build !unix

package tui

import (
	"context"
	"errors"
)

var errNoJobs = errors.New("this system has no jobs to stop")

// stoppable says that nothing can be stopped here.
func stoppable() error { return errNoJobs }

// stopJob is not come to.
func stopJob(context.Context) error { return errNoJobs }
