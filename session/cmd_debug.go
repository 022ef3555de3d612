package session

import (
	"context"

	"github.com/npdb/npdb/trace"
)

// cmdDebug runs a statement under the debugger.
func (s *Session) cmdDebug(ctx context.Context, arg string) error {
	if arg == "" {
		return usage("debug", arg)
	}
	if err := s.needLive("debug " + arg); err != nil {
		return err
	}
	l, err := s.running(ctx, func(ctx context.Context) (trace.Landing, error) {
		return s.rec.Debug(ctx, max(s.selected, 0), arg)
	})
	if l, err = s.feed(ctx, l, err); err != nil {
		return err
	}
	s.arrive(l, nil)
	s.walk.displaced()
	return nil
}
