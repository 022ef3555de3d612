package session_test

import (
	"context"
	"testing"

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

// started opens a session that is closed when the test ends.
func started(t *testing.T, cfg session.Config, c ...command.Config) *command.Interpreter {
	t.Helper()
	s, err := interpreted(t.Context(), cfg, c...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
