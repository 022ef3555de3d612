package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/mcp"
	"github.com/npdb/npdb/tui"
)

// host serves npdb join: it lets people join the sessions of an MCP server.
type host struct {
	server *mcp.Server
	config *config.Loaded
	guests sync.WaitGroup
}

// listen accepts connections of npdb join until stop is called. stop also ends the screens of these connections.
func (h *host) listen(ctx context.Context) (stop func(), err error) {
	dir, err := socketFolder(true)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, fmt.Sprintf(socketName, os.Getpid()))
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	at, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	h.guests.Go(func() {
		for {
			from, err := at.Accept()
			if err != nil {
				return
			}
			h.guests.Go(func() { h.serve(ctx, from) })
		}
	})
	return func() {
		cancel()
		_ = at.Close() // Close also removes the socket
		h.guests.Wait()
	}, nil
}

// serve answers one connection of npdb join.
func (h *host) serve(ctx context.Context, from net.Conn) {
	defer func() { _ = from.Close() }()
	_ = from.SetReadDeadline(time.Now().Add(joinPatience))
	get, send := json.NewDecoder(from), json.NewEncoder(from)
	var m joinMessage
	if err := get.Decode(&m); err != nil {
		return
	}
	_ = from.SetReadDeadline(time.Time{})
	switch {
	case m.List:
		_ = send.Encode(joinMessage{Sessions: h.server.Sessions()}) // npdb join may have exited
	case m.Join != nil:
		end, fail := fmt.Sprintf("npdb: %s goes on. npdb join %s comes back.", m.Join.ID, m.Join.ID), false
		if err := h.show(ctx, m.Join, get, send, from); err != nil {
			end, fail = err.Error(), true
		}
		_ = send.Encode(joinMessage{End: &end, Fail: fail})
	}
}

// show shows a session on the terminal of npdb join until the person leaves.
func (h *host) show(ctx context.Context, j *joining, get *json.Decoder, send *json.Encoder, from net.Conn) error {
	of, program, err := h.server.Shared(j.ID)
	if err != nil {
		return err
	}
	c, err := tuiConfig(h.config)
	if err != nil {
		return err
	}
	sizes := make(chan tea.WindowSizeMsg)
	c.Program, c.FirstRun = j.ID+" "+program, false
	c.Join = &tui.Join{Session: of, Alone: j.Alone, Who: "agent", Sizes: sizes}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	keys, typed := io.Pipe()
	defer func() { _ = keys.Close() }()
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer cancel() // the terminal is gone
		defer func() { _ = typed.Close() }()
		for {
			var m joinMessage
			if err := get.Decode(&m); err != nil {
				return
			}
			if m.Size != nil {
				select {
				case sizes <- tea.WindowSizeMsg{Width: m.Size[0], Height: m.Size[1]}:
				case <-ctx.Done():
				}
			}
			if _, err := typed.Write(m.Keys); err != nil {
				return
			}
		}
	}()
	_, err = tui.Run(ctx, c, tea.WithInput(keys), tea.WithOutput(&remote{send, from, cancel}), tea.WithEnvironment(j.Env),
		tea.WithWindowSize(j.Size[0], j.Size[1]), tea.WithColorProfile(j.Profile))
	cancel() // the goroutine above may be sending a size
	_ = from.SetReadDeadline(time.Now())
	_ = keys.Close()
	<-read
	return err
}

// joinPatience limits the wait for npdb join to read, and for npdb mcp to list its sessions. While a screen
// waits, the agent's commands wait too.
const joinPatience = 10 * time.Second

// remote writes to the terminal of npdb join.
type remote struct {
	send  *json.Encoder
	to    net.Conn
	leave context.CancelFunc // ends the screen
}

// Write sends text. The terminal is in raw mode, so Write puts a carriage return before each line feed. If
// the terminal takes no text any more, for example because npdb join is stopped, Write ends the screen.
func (r *remote) Write(text []byte) (int, error) {
	raw := bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	_ = r.to.SetWriteDeadline(time.Now().Add(joinPatience))
	if err := r.send.Encode(joinMessage{Out: raw}); err != nil {
		r.leave()
		return 0, err
	}
	return len(text), nil
}
