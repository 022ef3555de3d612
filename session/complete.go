package session

import (
	"context"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/npdb/npdb/trace"
)

// Complete lists how the word at the end of a line can go on. from is where in
// the line the word begins; the words replace what follows it. Like Do it is
// called by the session's goroutine, between two commands.
func (s *Session) Complete(ctx context.Context, line string) (from int, words []string) {
	start := lastCommand(line)
	from, words = s.complete(ctx, line[start:])
	return start + from, words
}

// complete completes one command.
func (s *Session) complete(ctx context.Context, line string) (from int, words []string) {
	if name, arg := parseLine(line); name != "" && (arg != "" || strings.HasSuffix(line, " ")) {
		if c := lookupCommand(name); c != nil {
			return s.completeArgument(ctx, c, line)
		}
	} else if !strings.HasPrefix(strings.TrimSpace(line), "!") {
		from = len(line) - len(strings.TrimLeft(line, " "))
		if words = startingWith(s.commandNames(), line[from:]); len(words) > 0 {
			return from, words
		}
	}
	return s.completeName(ctx, line)
}

// lastCommand is where the last of several commands on a line begins.
func lastCommand(line string) int {
	if i := strings.LastIndex(line, ";;"); i >= 0 {
		return i + len(";;")
	}
	return 0
}

func (s *Session) commandNames() []string {
	var names []string
	for _, c := range commands() {
		if c.name != "!" {
			names = append(names, c.name)
		}
	}
	for a := range s.aliases {
		names = append(names, a)
	}
	return names
}

// completeArgument completes what follows a command's name.
func (s *Session) completeArgument(ctx context.Context, c *command, line string) (from int, words []string) {
	from = strings.LastIndexAny(line, " ,") + 1
	switch c.name {
	case "help":
		return from, startingWith(s.commandNames(), line[from:])
	case "info":
		return from, startingWith([]string{"breakpoints", "program", "threads"}, line[from:])
	case "break", "tbreak", "advance", "reverse-advance":
		if !strings.Contains(line, ",") {
			return from, startingWith(s.places(ctx), line[from:])
		}
	case "unalias", "alias":
		var names []string
		for a := range s.aliases {
			names = append(names, a)
		}
		return from, startingWith(names, line[from:])
	}
	if c.group == groupForward || c.group == groupBackward || c.group == groupSession {
		return from, nil
	}
	return s.completeName(ctx, line)
}

// places is what a breakpoint can be set at by name: the functions of the current
// file, and the program's files.
func (s *Session) places(ctx context.Context) []string {
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

// completeName completes a Python name or attribute: at the live edge the program
// tells, elsewhere the names that are known.
func (s *Session) completeName(ctx context.Context, line string) (from int, words []string) {
	from = len(line)
	for from > 0 {
		r, size := utf8.DecodeLastRuneInString(line[:from])
		if r != '.' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		from -= size
	}
	prefix := line[from:]
	if s.live() {
		answer, err := s.rec.Ask(ctx, s.selected, trace.VerbComplete, prefix)
		if err == nil {
			return from, strings.Fields(answer.Text)
		}
	}
	frame, err := s.frame()
	if err != nil || strings.Contains(prefix, ".") {
		return from, nil
	}
	var names []string
	stack := s.allFrames(ctx)
	for _, l := range s.scope(stack, slices.Index(stack, frame), s.pos.Event) {
		names = append(names, l.Name)
	}
	return from, startingWith(names, prefix)
}

func startingWith(names []string, prefix string) []string {
	var out []string
	for _, n := range names {
		if strings.HasPrefix(n, prefix) {
			out = append(out, n)
		}
	}
	sort.Strings(out)
	return slices.Compact(out)
}
