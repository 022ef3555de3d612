package dap

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"sync"
)

// Config configures a server.
type Config struct {
	// Open opens a session on a program.
	Open Opener
}

// Server serves clients of the Debug Adapter Protocol.
type Server struct{ cfg Config }

// New returns a server.
func New(cfg Config) *Server { return &Server{cfg} }

// Serve serves one client on standard input and output, until the client disconnects, the input ends or
// ctx ends. It skips what is no message.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.serve(ctx, &reader{in: bufio.NewReader(in), lenient: true}, out)
}

// Listen serves the clients that connect to l, each with a session of its own, until ctx ends. It closes
// the connection of a client that sends what is no message.
func (s *Server) Listen(ctx context.Context, l net.Listener) error {
	var open sync.WaitGroup
	defer open.Wait()
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	for {
		conn, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		open.Go(func() {
			defer func() { _ = conn.Close() }()
			defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
			// The error concerns this client only, and the client has gone.
			_ = s.serve(ctx, &reader{in: bufio.NewReader(conn)}, conn)
		})
	}
}

// incoming is a message of the client, or why there is none.
type incoming struct {
	request *request
	err     error
}

// serve serves one client.
func (s *Server) serve(ctx context.Context, r *reader, out io.Writer) error {
	ctx, done := context.WithCancel(ctx)
	defer done()
	messages := make(chan incoming)
	go func() { // ends with the input; if the input is standard input, with the process
		defer close(messages)
		for {
			q, err := r.next()
			var body *BodyError
			skipped := errors.As(err, &body)
			select {
			case messages <- incoming{q, err}:
			case <-ctx.Done():
				return
			}
			if err != nil && !skipped {
				return
			}
		}
	}()
	return newClient(s.cfg, out).loop(ctx, messages)
}
