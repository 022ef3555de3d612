package dsl

// Read decodes a whole text and returns its last node. If the text ends with an action without a
// reply, as a prompt does, asked is that action; otherwise it is nil. The error is a *DecodeError;
// last is then the node up to which the text is valid, or nil if its context is invalid.
//
// The text of last is in canonical form. It differs from the input if the input has other spaces in
// JSON, for example, or contains a value that could be omitted.
func (f *Format) Read(text string) (last *Node, asked *Action, err error) {
	s := &scanner{Format: f, buf: []byte(text), final: true}
	p, err := s.context()
	if err != nil {
		return nil, nil, err
	}
	if last, err = f.Begin(p); err != nil {
		return nil, nil, s.fault(Impossible, 0, "%v", err)
	}
	if s.pos == len(s.buf) {
		return last, nil, nil
	}
	compacted, err := s.at(CompactSep)
	if err != nil {
		return last, nil, err
	}
	if compacted {
		s.pos += len(s.Name(CompactSep))
		if _, err := s.token(FrameSep); err != nil {
			return last, nil, err
		}
		last = last.Mark()
	}
	for first := true; first || s.pos < len(s.buf); first = false {
		step := Step{}
		acts := !first
		if !first && compacted {
			if acts, err = s.at(DebugSep); err != nil {
				return last, nil, err
			}
		}
		if acts {
			if step, err = s.action(last.book); err != nil {
				return last, nil, err
			}
			if s.pos == len(s.buf) && !step.Edit {
				return last, &step.Action, nil
			}
		}
		at := s.pos
		d := newDecoder(s, last, step)
		if err := d.run(); err != nil {
			return last, nil, err
		}
		next, err := last.Append(d.step)
		if err != nil {
			return last, nil, s.fault(Impossible, at, "%v", err)
		}
		last = next
		compacted = compacted && step.given() && d.step.Reply.Outcome == Landed
	}
	return last, nil, nil
}

// context reads the source of a program at the beginning of a text.
func (s *scanner) context() (*Program, error) {
	if _, err := s.token(ContextStart); err != nil {
		return nil, err
	}
	p := &Program{}
	several, names := false, map[string]bool{}
	for {
		from := s.pos
		if ends, err := s.at(FrameSep); err != nil {
			return nil, err
		} else if ends {
			break
		}
		opens, err := s.at(FileSep)
		if err != nil {
			return nil, err
		}
		if opens {
			if len(p.Files) > 0 && !several {
				return nil, s.fault(Malformed, from, "a second file opens, but the first was not opened")
			}
			name, err := s.fileName()
			if err != nil {
				return nil, err
			}
			if name == "" || names[name] {
				return nil, s.fault(Impossible, from, "the file %q has no name or comes twice", name)
			}
			several, names[name] = true, true
			p.Files = append(p.Files, SourceFile{Name: name})
			continue
		}
		if len(p.Files) == 0 {
			p.Files = append(p.Files, SourceFile{})
		}
		place, err := s.place(several)
		if err != nil {
			return nil, err
		}
		current := len(p.Files) - 1
		file := &p.Files[current]
		if several && place.File != current || place.Line != len(file.Lines)+1 {
			return nil, s.fault(Impossible, from, "the lines do not count on: after %d lines of file %d comes %s", len(file.Lines), current+1, s.buf[from:s.pos])
		}
		if err := s.literal("|", "| after a line number"); err != nil {
			return nil, err
		}
		line, err := s.sourceLine()
		if err != nil {
			return nil, err
		}
		file.Lines = append(file.Lines, line)
	}
	if several && len(p.Files) == 1 {
		return nil, s.fault(Malformed, s.pos, "a program of one file is written without %s", s.Name(FileSep))
	}
	if len(p.Files) == 0 {
		p.Files = []SourceFile{{}}
	}
	_, err := s.token(FrameSep)
	return p, err
}

func (s *scanner) fileName() (string, error) {
	if _, err := s.token(FileSep); err != nil {
		return "", err
	}
	name, _, err := s.str("a file's name")
	if err != nil {
		return "", err
	}
	return name, s.literal("\n", "a line's end")
}

// action reads an action or an edit, from <|debug_sep|> to its <|frame_sep|>.
func (s *scanner) action(b *book) (Step, error) {
	var step Step
	if _, err := s.token(DebugSep); err != nil {
		return step, err
	}
	from := s.pos
	for s.pos < len(s.buf) && (s.buf[s.pos] == '_' || s.buf[s.pos] >= 'a' && s.buf[s.pos] <= 'z') {
		s.pos++
	}
	name := string(s.buf[from:s.pos])
	if s.pos == len(s.buf) {
		return step, s.more("an action and " + s.Name(FrameSep))
	}
	step.Edit = name == editName
	step.Action.Move = moveNamed(name)
	if step.given() {
		s.pos = from
		return step, s.malformed("an action")
	}
	for before := " "; step.Action.Move.TakesLines(); before = "," {
		if before == "," {
			if ends, err := s.at(FrameSep); err != nil {
				return step, err
			} else if ends {
				break
			}
		}
		if err := s.literal(before, "the lines of a breakpoint"); err != nil {
			return step, err
		}
		from := s.pos
		at, err := s.place(b.several())
		if err != nil {
			return step, err
		}
		if at.File >= len(b.program.Files) {
			return step, s.fault(Impossible, from, "the program has no file %s", FileLetter(at.File))
		}
		step.Action.Lines = append(step.Action.Lines, at)
	}
	_, err := s.token(FrameSep)
	return step, err
}
