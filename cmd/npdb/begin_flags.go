package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace"
)

// beginFlags holds the flags that describe a state in the middle of a program.
type beginFlags struct {
	at               string
	locals, stack    string
	returned, raised string
}

func (f *beginFlags) define(fs *pflag.FlagSet) {
	fs.StringVar(&f.at, "at", "", "begin at a `line` instead of the program's first: LINE or FILE:LINE. Nothing before it runs")
	fs.StringVar(&f.locals, "locals", "", "the locals there, as a JSON `object` of reprs, such as '{\"a\": \"12\", \"s\": \"'\\''x'\\''\"}'. Without it they are unknown")
	fs.StringVar(&f.stack, "stack", "", "the callers, the outermost first, as a JSON `list` of [FUNCTION, LINE] or [FUNCTION, LINE, FILE]; a line may be null")
	fs.StringVar(&f.returned, "returned", "", "begin where a function returns this `value`, a repr. The function is that of --entry, such as 'f(_)', or of --at; rf then infers the arguments")
	fs.StringVar(&f.raised, "raised", "", "begin where this `exception` is raised, a repr such as 'ValueError(3)', in the function of --entry or at the line of --at")
}

// beginning returns the state that the flags describe, nil for none. entry is the value of --entry.
func (f *beginFlags) beginning(fs *pflag.FlagSet, entry string) (*trace.Beginning, error) {
	leaves := fs.Changed("returned") || fs.Changed("raised")
	switch {
	case !fs.Changed("at") && !leaves:
		for _, name := range []string{"locals", "stack"} {
			if fs.Changed(name) {
				return nil, fmt.Errorf("--%s belongs to a line: give it with --at LINE", name)
			}
		}
		return nil, nil
	case fs.Changed("returned") && fs.Changed("raised"):
		return nil, errors.New("--returned and --raised are both given: give only one of them")
	case leaves && !fs.Changed("at") && entry == "":
		return nil, errors.New("--returned and --raised need a function or a line: --entry 'f(_)' or --at LINE")
	case fs.Changed("at") && entry != "" && !leaves:
		return nil, errors.New("--at and --entry are both given: --entry begins at the call of a function, --at at a line")
	case fs.Changed("from"):
		return nil, errors.New("--from runs the program up to a place, and --at, --returned and --raised run nothing: give only one of them")
	}
	frame := trace.BeginningFrame{Complete: fs.Changed("locals")}
	var err error
	if fs.Changed("at") {
		if frame.File, frame.Line, err = parsePlace(f.at); err != nil {
			return nil, err
		}
	}
	if frame.Locals, err = parseLocals(f.locals); err != nil {
		return nil, err
	}
	b := &trace.Beginning{}
	if b.Frames, err = parseStack(f.stack); err != nil {
		return nil, err
	}
	b.Frames = append(b.Frames, frame)
	if fs.Changed("returned") {
		b.Returned = &f.returned
	}
	if fs.Changed("raised") {
		b.Raised = &f.raised
	}
	return b, nil
}

// beginningAt returns the beginning at a line, with locals as --locals has them, "" for unknown ones.
func beginningAt(line int, locals string) (*trace.Beginning, error) {
	given, err := parseLocals(locals)
	if err != nil {
		return nil, err
	}
	return &trace.Beginning{Frames: []trace.BeginningFrame{{Line: line, Locals: given, Complete: locals != ""}}}, nil
}

// parsePlace parses the value of --at: LINE or FILE:LINE.
func parsePlace(text string) (file string, line int, err error) {
	number := text
	if i := strings.LastIndex(text, ":"); i >= 0 {
		file, number = text[:i], text[i+1:]
	}
	if line, err = strconv.Atoi(number); err != nil || line < 1 {
		return "", 0, fmt.Errorf("--at %s: this is no line; give LINE or FILE:LINE", text)
	}
	return file, line, nil
}

// parseLocals parses the value of --locals: a JSON object of reprs, in its order.
func parseLocals(text string) ([]trace.BeginningLocal, error) {
	if text == "" {
		return nil, nil
	}
	wrong := func(err error) error {
		var syntax *json.SyntaxError
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			err = errors.New("it ends too early: a \" or the } is missing")
		case errors.As(err, &syntax) && strings.Contains(err.Error(), `'\''`):
			err = errors.New("names and values stand in double quotes, not in single ones")
		}
		return fmt.Errorf("--locals is no JSON object of reprs, such as {\"a\": \"12\", \"s\": \"'x'\"}: %w", err)
	}
	d := json.NewDecoder(strings.NewReader(text))
	open, err := d.Token()
	if err != nil || open != json.Delim('{') {
		return nil, wrong(errors.Join(err, errors.New("it does not begin with {")))
	}
	var locals []trace.BeginningLocal
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, wrong(err)
		}
		value, err := d.Token()
		if err != nil {
			return nil, wrong(err)
		}
		repr, ok := value.(string)
		if !ok {
			return nil, wrong(fmt.Errorf("the value of %q is not a string", name))
		}
		l := trace.BeginningLocal{Name: fmt.Sprint(name), Value: repr}
		switch {
		// CPython names the iterator of a comprehension .0.
		case !python.IsVariable(l.Name) && l.Name != ".0":
			return nil, wrong(fmt.Errorf("%q is not a Python name", l.Name))
		case strings.TrimSpace(repr) == "":
			return nil, wrong(fmt.Errorf("the value of %q is empty", l.Name))
		case slices.ContainsFunc(locals, func(o trace.BeginningLocal) bool { return o.Name == l.Name }):
			return nil, wrong(fmt.Errorf("it has %q twice", l.Name))
		}
		locals = append(locals, l)
	}
	if _, err := d.Token(); err != nil {
		return nil, wrong(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, wrong(errors.New("there is text after it"))
	}
	return locals, nil
}

// parseStack parses the value of --stack: a JSON list of [FUNCTION, LINE] or [FUNCTION, LINE, FILE].
func parseStack(text string) ([]trace.BeginningFrame, error) {
	if text == "" {
		return nil, nil
	}
	wrong := func(why string) error {
		return fmt.Errorf("--stack is no JSON list of frames, such as [[\"<module>\", 9], [\"f\", null, \"lib.py\"]]: %s", why)
	}
	var rows [][]any
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	if err := d.Decode(&rows); err != nil {
		return nil, wrong(err.Error())
	}
	var frames []trace.BeginningFrame
	for i, row := range rows {
		var f trace.BeginningFrame
		if len(row) != 2 && len(row) != 3 {
			return nil, wrong(fmt.Sprintf("frame %d has %d parts", i+1, len(row)))
		}
		name, ok := row[0].(string)
		if !ok || name == "" {
			return nil, wrong(fmt.Sprintf("frame %d has no function", i+1))
		}
		f.Function = name
		if row[1] != nil {
			line, err := strconv.Atoi(fmt.Sprint(row[1]))
			if err != nil || line < 1 {
				return nil, wrong(fmt.Sprintf("frame %d has no line", i+1))
			}
			f.Line = line
		}
		if len(row) == 3 {
			if f.File, ok = row[2].(string); !ok {
				return nil, wrong(fmt.Sprintf("the file of frame %d is not a string", i+1))
			}
		}
		frames = append(frames, f)
	}
	return frames, nil
}
