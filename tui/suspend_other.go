//go:build !unix

package tui

import "errors"

var errNoJobs = errors.New("this system has no jobs to stop")

// stoppable says that nothing can be stopped here.
func stoppable() error { return errNoJobs }

// Run is not come to.
func (suspension) Run() error { return errNoJobs }
