package session

import (
	"context"
	"errors"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/trace/saved"
)

// Save writes the recording to a file: what is recorded so far and, until the session ends or the
// program is run again, everything that follows.
type Save struct {
	File string `json:"file"`
}

func (c Save) String() string { return words("save", c.File) }

func (c Save) run(_ context.Context, s *Session) error {
	if s.journaling.replaying != nil {
		return nil // a replay must not write it again
	}
	switch {
	case s.cfg.File != "":
		return errorf(Refused, "save: this session shows a recording that is in a file already, %s", escape.Line(s.cfg.File))
	case s.program.rec == nil:
		return errorf(Refused, "save: nothing is recorded in neural mode; export writes what was predicted")
	case s.program.savedTo != "":
		return errorf(Refused, "save: the recording is being written already, to %s", escape.Line(s.program.savedTo))
	}
	if err := s.program.saveTo(c.File); err != nil {
		return errorf(Refused, "save: %v", err)
	}
	s.draft.sayf("%s written to %s. What follows is added; npdb open shows it.", plural(s.program.rec.Tree().Len(), "event is", "events are"), escape.Line(c.File))
	return nil
}

// saveTo starts writing the recording to a file, which the recording closes at its end.
func (pr *program) saveTo(path string) error {
	file, err := saved.Create(path)
	if err != nil {
		return err
	}
	if err := pr.rec.Save(file, pr.cfg.Version); err != nil {
		return errors.Join(err, file.Close())
	}
	pr.savedTo = path
	return nil
}
