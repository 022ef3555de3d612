//go:build unix

package main

import (
	"context"
	"errors"
	"net"
	"os"

	"github.com/npdb/npdb/trace"
)

// connection is the connection to a process that npdb did not start.
type connection = *net.UnixConn

// enter loads the tracer into the process at the other end of a connection.
func enter(ctx context.Context, conn connection, o trace.Options) (*trace.Attachment, trace.Visited, error) {
	return trace.Enter(ctx, conn, o)
}

// inherited returns the connection behind a descriptor that npdb was started with.
func inherited(fd int) (connection, error) {
	if fd < 0 {
		return nil, os.ErrInvalid
	}
	file := os.NewFile(uintptr(fd), "npdb")
	conn, err := net.FileConn(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return nil, errors.Join(os.ErrInvalid, conn.Close())
	}
	return unix, nil
}
