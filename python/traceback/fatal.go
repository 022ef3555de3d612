package traceback

import (
	"slices"
	"strings"
)

var (
	threadForm = newForm(`^(.*?)((?:Current thread|Thread) 0x[0-9a-f]+|Stack)(?: \[[^\]]*\])? \(most recent call first\):$`)
	fatalForm  = newForm(`^(Fatal Python error|Windows fatal exception|Timeout)(?:: | )(.+)$`)
)

// fatal parses the output of faulthandler: the threads' stacks, each with its innermost frame
// first. The result is the current thread, or else the last one, which is the main thread.
func (s *scanner) fatal(i int) int {
	if !strings.Contains(s.lines[i], "(most recent call first):") {
		return i
	}
	m := threadForm.FindStringSubmatch(strings.TrimRight(s.line(i), " \t"))
	if m == nil {
		return i
	}
	v := s.view(margin(m[1]))
	t := &Trace{Style: Faulthandler}
	s.fatalType(v, i, t)
	current := false
	end := i
	for {
		text, at, ok := v.next(end)
		if ok && blank(text) {
			text, at, ok = v.next(at + 1)
		}
		if !ok {
			break
		}
		thread := threadForm.FindStringSubmatch(strings.TrimRight(text, " \t"))
		if thread == nil {
			break
		}
		var frames []Frame
		frames, end = v.threadFrames(at + 1)
		if isCurrent := strings.HasPrefix(thread[2], "Current"); isCurrent || !current {
			t.Frames, current = frames, isCurrent
		}
	}
	return s.add(block{t, i, end, v})
}

// fatalType finds the reason of the dump, in the lines above its first thread.
func (s *scanner) fatalType(v view, i int, t *Trace) {
	for j := i - 1; j >= max(s.taken, i-4); j-- {
		text, ok := v.at(j)
		if !ok {
			continue
		}
		if m := fatalForm.FindStringSubmatch(strings.TrimRight(text, " \t")); m != nil {
			t.Type, t.Message = m[1], m[2]
			return
		}
	}
}

// threadFrames parses the frames of a thread from line i on, and returns the line after them.
func (v view) threadFrames(i int) (frames []Frame, end int) {
	for {
		text, at, ok := v.next(i)
		text = strings.TrimRight(text, " \t")
		f, _, isFrame := readFrame(text)
		if !ok || !isFrame && strings.TrimSpace(text) != "..." && strings.TrimSpace(text) != "<no Python frame>" {
			slices.Reverse(frames)
			return frames, i
		}
		if isFrame {
			frames = append(frames, f)
		}
		i = at + 1
	}
}
