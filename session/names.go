package session

import (
	"context"
	"slices"
	"strings"

	"github.com/npdb/npdb/trace"
)

// Places is what a breakpoint can be set at by name: the functions of the current file,
// and the program's files, with a colon behind them.
func (s *Session) Places(ctx context.Context) []string {
	var names []string
	if file, err := s.currentFile(); err == nil {
		if outline, err := s.outline(ctx, file); err == nil {
			for _, f := range outline.Functions {
				names = append(names, f.QualName)
			}
		}
	}
	for _, f := range s.states().Files() {
		names = append(names, f.Name+":")
	}
	return names
}

// Names is how a Python name or attribute can go on: at the live edge the program
// tells, elsewhere the names that are known.
func (s *Session) Names(ctx context.Context, prefix string) []string {
	if s.live() {
		answer, err := s.rec.Ask(ctx, s.selected, trace.VerbComplete, prefix)
		if err == nil {
			return strings.Fields(answer.Text)
		}
	}
	frame, err := s.frame()
	if err != nil || strings.Contains(prefix, ".") {
		return nil
	}
	var names []string
	stack := s.allFrames(ctx)
	for _, l := range s.scope(stack, slices.Index(stack, frame), s.pos.Event) {
		if strings.HasPrefix(l.Name, prefix) {
			names = append(names, l.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
