package session

import (
	"context"

	"github.com/npdb/npdb/trace"
)

// running makes a move of the recording and, at each tick meanwhile, shows what
// the program has written and how far it has come, so that a long move is seen to
// go on. While f runs nothing else touches the session.
func (s *Session) running(ctx context.Context, f func(context.Context) (trace.Landing, error)) (trace.Landing, error) {
	ctx, done := s.interruptible(ctx)
	defer done()
	return s.streaming(func() (trace.Landing, error) { return f(ctx) })
}

// interruptible is a context that an interrupt ends. A recording takes back an
// interrupt that comes when it does not run yet; the end of a context it heeds.
func (s *Session) interruptible(ctx context.Context) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.cancel = cancel
	s.mu.Unlock()
	if s.stopping.Load() {
		cancel()
	}
	return ctx, cancel
}

// streaming is running without an end by an interrupt.
func (s *Session) streaming(f func() (trace.Landing, error)) (trace.Landing, error) {
	if s.cfg.Stream == nil || s.replaying != nil {
		return f()
	}
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for {
			select {
			case <-done:
				return
			case now := <-s.cfg.Ticks:
				s.stream()
				s.pace(now)
			}
		}
	}()
	defer func() {
		close(done)
		<-over
	}()
	return f()
}

// stream shows, and takes out of the answer, what there is of it when the
// program has written something.
func (s *Session) stream() {
	if !s.drain() {
		return // what npdb itself says can wait
	}
	a := &Answer{Chunks: s.answer.Chunks}
	s.answer.Chunks = nil
	s.cfg.Stream(a)
}
