package session

// damage returns an error if something in the recording file could not be read. Then the recording
// gives wrong answers, so no command runs.
func (pr *program) damage() error {
	if pr.rec == nil {
		return nil
	}
	if err := pr.rec.Tree().Err(); err != nil {
		return errorf(EngineFailed, "%v. Open the file again, with npdb open --no-index if that does not help.", err)
	}
	return nil
}

// mustEnd reports whether the current command must end, because the user interrupted it or because it
// met damage.
func (pr *program) mustEnd() bool { return pr.stopping.Load() || pr.damage() != nil }

// undamaged replaces the answer by an error if the command met damage. It also ends a panic of the
// command, because code may rely on what the recording says. It must be deferred.
func (d *draft) undamaged(a **Answer) {
	err := d.program.damage()
	if err == nil {
		return
	}
	if recover() != nil {
		*a = d.unread(err)
	} else if (*a).Err == nil {
		*a = &Answer{Seq: (*a).Seq, Command: (*a).Command, Quit: (*a).Quit, Err: AsError(err)}
	}
}

// unread completes the current answer with an error alone.
func (d *draft) unread(err error) *Answer {
	a := &Answer{Seq: d.seq, Command: d.answer.Command, Quit: d.answer.Quit, Err: AsError(err)}
	d.answer, d.stop = &Answer{}, nil
	d.seq++
	return a
}
