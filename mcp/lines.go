package mcp

import (
	"bufio"
	"bytes"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// messages reads the lines of an agent that are JSON-RPC messages, and passes over the others. The
// library ends the connection at a line that is none, and with it all sessions.
type messages struct {
	lines   *bufio.Scanner
	skipped func(err error)
	rest    []byte // what Read has not returned yet of the current line
}

// Messages returns a reader of the messages in in. skipped receives why a line is no message.
func Messages(in io.Reader, skipped func(err error)) io.Reader {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, sdk.DefaultMaxLineLength)
	return &messages{lines: lines, skipped: skipped}
}

func (m *messages) Read(to []byte) (int, error) {
	for len(m.rest) == 0 {
		if !m.lines.Scan() {
			if err := m.lines.Err(); err != nil {
				return 0, err
			}
			return 0, io.EOF
		}
		line := m.lines.Bytes()
		if len(line) == 0 {
			continue
		}
		if _, err := jsonrpc.DecodeMessage(line); err != nil {
			m.skipped(err)
			continue
		}
		m.rest = append(bytes.Clone(line), '\n')
	}
	n := copy(to, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}
