package session_test

import (
	"context"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
)

// interpreted returns a session with an interpreter of the language in which the tests
// write commands.
func interpreted(ctx context.Context, cfg session.Config, c ...command.Config) (*command.Interpreter, error) {
	s, err := session.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return command.New(s, append(c, command.Config{})[0]), nil
}
