package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/npdb/npdb/python/traceback"
	"github.com/npdb/npdb/session"
)

// afterWord returns the text of several lines after a command's word. The indentation of its first line
// counts.
func afterWord(line, word string) string {
	_, text, _ := strings.Cut(line, word)
	if text != "" && (text[0] == ' ' || text[0] == '\n') {
		return text[1:]
	}
	return text
}

// endOfTraceback is the line that ends a typed traceback.
const endOfTraceback = "end"

// traceback replaces the session by one that begins where a traceback ends. arg is the name of a file
// or the text of the traceback; without it, a dialogue reads the text.
func (i *Interpreter) traceback(ctx context.Context, arg string) error {
	switch {
	case i.config.Traceback == nil:
		return session.Errorf(session.Refused, "traceback: this front end debugs one program only: run npdb --traceback FILE")
	case i.listed > 0:
		return session.Errorf(session.Refused, "traceback: a list of commands cannot begin another session: type it, or run npdb --traceback FILE")
	case arg == "" || arg == "-":
		i.readTraceback()
		return nil
	case strings.Contains(arg, "\n"):
		return i.beginAt(ctx, arg)
	}
	text, err := readTracebackFile(arg)
	if errors.Is(err, fs.ErrNotExist) {
		if _, parses := traceback.Parse(arg); parses == nil { // one line, as in a log record
			return i.beginAt(ctx, arg)
		}
		return session.Errorf(session.NotFound, "traceback: there is no file %s. traceback without an argument reads the text that you type or paste", arg)
	}
	if err != nil {
		return session.Errorf(session.NotFound, "traceback: %v", err)
	}
	return i.beginAt(ctx, text)
}

// readTraceback starts a dialogue that reads the lines of a traceback. A pasted text of several lines is
// a whole one.
func (i *Interpreter) readTraceback() {
	var lines []string
	i.dialogue = dialogue{
		waiting: session.ForTraceback,
		prompt:  "(traceback) ",
		abort:   func() { i.Notice("The traceback was not read: type a line with only the word end after it.") },
		take: func(ctx context.Context, line string) error {
			ended := strings.TrimSpace(line) == endOfTraceback
			if !ended {
				lines = append(lines, line)
			}
			if !ended && !strings.Contains(line, "\n") {
				return nil
			}
			i.dialogue = dialogue{}
			return i.beginAt(ctx, strings.Join(lines, "\n"))
		},
	}
}

// readTracebackFile reads the text of a file that holds a traceback.
func readTracebackFile(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is no file", path)
	case info.Size() > traceback.MaxSize:
		return "", fmt.Errorf("%s is larger than %d MiB", path, traceback.MaxSize>>20)
	}
	text, err := os.ReadFile(path)
	return string(text), err
}

// beginAt opens the session that a traceback describes. The current session goes on if that fails.
func (i *Interpreter) beginAt(ctx context.Context, text string) error {
	s, err := i.config.Traceback(ctx, text)
	if err != nil {
		return session.Errorf(session.BadArgument, "traceback: %s", strings.TrimSuffix(err.Error(), "."))
	}
	i.begun = s
	return nil
}

// Next returns the interpreter of the session that replaces this one, nil if none does. The caller
// closes this session then, and goes on with the other one, whose first answer was emitted.
func (i *Interpreter) Next() *Interpreter { return i.next }

// startNext returns the first answer of the next session, as the answer to a command of this one. If
// the program may not be sent to the model yet, the answer asks.
func (i *Interpreter) startNext(ctx context.Context, before *session.Answer) *session.Answer {
	config := i.config
	config.Begin = nil // its commands were for the first session
	next := New(i.begun, config)
	i.next = next
	next.Follow(before)
	a := next.First(ctx)
	a.Command = before.Command
	if next.dialogue.waiting == session.ForCommand {
		_ = next.allowed(ctx, func(context.Context) error { return nil })
	}
	return next.waiting(a)
}

// Whole reports whether the lines of a text are one command or reply: those of a traceback.
func (i *Interpreter) Whole(text string) bool {
	if i.dialogue.waiting == session.ForTraceback {
		return true
	}
	first, _, several := strings.Cut(text, "\n")
	rest, _ := cutForcing(first)
	word, _ := parseLine(rest)
	return several && word == "traceback" && i.dialogue.waiting == session.ForCommand
}
