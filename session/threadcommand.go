package session

import (
	"cmp"
	"context"

	"github.com/npdb/npdb/internal/escape"
)

// RecordThread runs the program again from the start and records the thread of a name or glob. Without a
// name it says which thread is recorded.
type RecordThread struct {
	Name string `json:"name,omitempty"`
}

func (c RecordThread) String() string { return words("thread", c.Name) }

func (c RecordThread) run(ctx context.Context, s *Session) error {
	o := &s.cfg.Options
	switch {
	case c.Name == "":
		s.draft.sayf("The recorded thread is %s.", escape.Line(cmp.Or(o.Thread, mainThread)))
		return nil
	case s.cfg.File != "":
		return errorf(Refused, "thread: this session shows a recording, which holds one thread, and runs nothing")
	case s.program.Mode() != Real:
		return errorf(Refused, "thread: only real mode records threads (mode real)")
	case !recordsMain(c.Name) && o.From != "":
		return errorf(Refused, "thread: --from names a place in the main thread; start npdb without it to record another thread")
	}
	o.Thread = c.Name
	if recordsMain(c.Name) {
		o.Thread = ""
	}
	return Restart{}.run(ctx, s)
}

// recordsMain reports whether a name stands for the main thread.
func recordsMain(name string) bool { return name == "main" || name == mainThread }
