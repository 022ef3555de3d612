package main

import (
	"context"
	"errors"
	"net"

	"github.com/npdb/npdb/trace"
)

// connection is the connection to a process that npdb did not start. Windows has none.
type connection = net.Conn

var errUnixOnly = errors.New("npdb debugs running programs on Linux and macOS only")

func enter(context.Context, connection, trace.Options) (*trace.Attachment, trace.Visited, error) {
	return nil, trace.Visited{}, errUnixOnly
}

func inherited(int) (connection, error) { return nil, errUnixOnly }

func reach(context.Context, int) (connection, error) { return nil, errUnixOnly }
