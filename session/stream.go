package session

import "github.com/npdb/npdb/trace"

// running makes a move of the recording and, at each tick meanwhile, shows what
// the program has written, so that the output of a long move does not wait for
// its end. While f runs nothing else touches the session.
func (s *Session) running(f func() (trace.Landing, error)) (trace.Landing, error) {
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
			case <-s.cfg.Ticks:
				s.stream()
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
