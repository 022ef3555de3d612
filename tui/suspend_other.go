//go:build !unix

package tui

import "errors"

// Run says that nothing can be stopped here.
func (suspension) Run() error { return errors.New("this system has no jobs to stop") }
