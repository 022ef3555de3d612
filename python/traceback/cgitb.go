package traceback

import (
	"strings"
)

var (
	cgiFrame = newForm(`^ (\S.*) in ([^\s(]+)(?:\((.*)\))?$`)
	cgiValue = newForm(`^(?:global )?([\pL_][\pL\pN_]*) = (.*)$`)
)

const (
	cgiTitle = "function calls leading up to the error, in the order they occurred."
	cgiEnd   = "the original traceback:"
)

// cgitb parses a report that the module cgitb wrote as text: the values of the frames, followed by
// an ordinary Python traceback with the frames' lines.
func (s *scanner) cgitb(i int) int {
	prefix, after, found := strings.Cut(s.lines[i], cgiTitle)
	if !found || !blank(after) {
		return i
	}
	v := s.view(margin(prefix))
	var frames []Frame
	for {
		text, at, ok := v.next(i + 1)
		if !ok {
			return at
		}
		text = strings.TrimRight(text, " \t")
		i = at
		switch m := cgiFrame.FindStringSubmatch(text); {
		case strings.HasSuffix(text, lastHeader) || text == cgiEnd:
			return s.original(i, frames)
		case m != nil:
			f := Frame{File: m[1], Function: m[2]}
			if locals, ok := arguments(m[3]); ok {
				f.set(cgiLocals(locals)...)
			}
			frames = append(frames, f)
		case len(frames) > 0 && cgiValue.MatchString(text):
			m := cgiValue.FindStringSubmatch(text)
			if !strings.HasPrefix(text, "global ") {
				frames[len(frames)-1].set(cgiLocals([]Local{{m[1], m[2], isCut(m[2])}})...)
			}
		}
	}
}

// cgiLocals sets Cut for the values that cgitb shortened to 100 characters.
func cgiLocals(locals []Local) []Local {
	for k := range locals {
		l := &locals[k]
		l.Cut = l.Cut || len([]rune(l.Repr)) >= 100 && strings.Contains(l.Repr, "...")
	}
	return locals
}

// original parses the ordinary traceback below the values, from line i on, and adds the values to
// its frames.
func (s *scanner) original(i int, frames []Frame) int {
	for end := min(len(s.lines), i+5); i < end; i++ {
		next := s.plain(i)
		if next == i {
			continue
		}
		if len(s.blocks) == 0 || s.blocks[len(s.blocks)-1].start != i {
			return next
		}
		own := s.blocks[len(s.blocks)-1].trace.Frames
		for k := 0; k < len(own) && len(own) == len(frames); k++ {
			if own[k].File == frames[k].File && own[k].Function == frames[k].Function {
				own[k].Locals = frames[k].Locals
			}
		}
		return next
	}
	return i
}
