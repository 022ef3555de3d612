package session

import (
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/journal"
)

// Breakpoint and Journal are of packages of their own.
type (
	Breakpoint = breakpoint.Breakpoint
	Journal    = journal.Journal
)
