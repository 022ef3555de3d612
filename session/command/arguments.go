package command

import (
	"strconv"
	"strings"

	"github.com/google/shlex"

	"github.com/npdb/npdb/session"
)

// parser converts a command's argument to a session command. Its error is a *session.Error worded
// as in pdb.
type parser = func(name, arg string) (session.Command, error)

func bad(format string, a ...any) error { return session.Errorf(session.BadArgument, format, a...) }

// usage returns the error for a wrong or missing argument, in the words of Python 3.14's pdb.
func usage(name, arg string) error {
	if arg == "" {
		return bad("Argument is required for this command\nUsage: %s", lookup(name).usageLine())
	}
	return bad("Invalid argument: %s\nUsage: %s", arg, lookup(name).usageLine())
}

// alone returns a parser for a command that takes no argument, always for one whose argument is
// optional, about for one that needs an argument.
func alone(c session.Command) parser {
	return func(name, arg string) (session.Command, error) {
		if arg != "" {
			return nil, usage(name, arg)
		}
		return c, nil
	}
}

func always(of func(arg string) session.Command) parser {
	return func(_, arg string) (session.Command, error) { return of(arg), nil }
}

func about(of func(arg string) session.Command) parser {
	return func(name, arg string) (session.Command, error) {
		if arg == "" {
			return nil, usage(name, arg)
		}
		return of(arg), nil
	}
}

// count parses the argument of a command as a repeat count, which is 1 if missing.
func count(name, arg string) (int, error) {
	if arg == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 {
		return 0, usage(name, arg)
	}
	return n, nil
}

// flagged splits an argument into an optional leading flag and the expression after it.
func flagged(name, arg, flag string) (expr string, set bool, err error) {
	if rest, ok := strings.CutPrefix(arg, flag+" "); ok {
		arg, set = strings.TrimSpace(rest), true
	}
	if arg == "" || arg == flag {
		return "", false, usage(name, arg)
	}
	return arg, set, nil
}

func find(name, arg string) (session.Command, error) {
	expr, inverse, err := flagged(name, arg, "-r")
	return session.Find{Expression: expr, Inverse: inverse}, err
}

func history(name, arg string) (session.Command, error) {
	expr, all, err := flagged(name, arg, "-a")
	return session.ValueHistory{Expression: expr, All: all}, err
}

func mark(name, arg string) (session.Command, error) {
	word, rest := nextWord(arg)
	if word == "-d" {
		if word, rest = nextWord(rest); word == "" || rest != "" {
			return nil, usage(name, arg)
		}
		return session.Mark{Name: word, Delete: true}, nil
	}
	m := session.Mark{Name: word}
	second, note := nextWord(rest)
	switch {
	case strings.HasPrefix(word, "#") && second != "":
		m.To, m.Name, m.Note = word, second, note
	case strings.HasPrefix(second, "#"):
		m.To, m.Note = second, note
	default:
		m.Note = rest
	}
	return m, nil
}

// nextWord splits a text at the first spaces.
func nextWord(text string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimSpace(text), " ")
	return word, strings.TrimSpace(rest)
}

// candidates parses the argument of candidates: a number, +N, next or previous.
func candidates(name, arg string) (session.Command, error) {
	switch arg {
	case "":
		return session.Candidates{}, nil
	case "next":
		return session.Candidates{By: 1}, nil
	case "previous":
		return session.Candidates{By: -1}, nil
	}
	n, err := strconv.Atoi(strings.TrimPrefix(arg, "+"))
	switch {
	case err != nil || n < 1 || n > mostDrawn && arg[0] == '+':
		return nil, usage(name, arg)
	case arg[0] == '+':
		return session.Candidates{More: n}, nil
	}
	return session.Candidates{Take: n}, nil
}

// mostDrawn is the maximum number of answers that candidates +N draws.
const mostDrawn = 100

func prune(name, arg string) (session.Command, error) {
	if arg == "" {
		return nil, usage(name, arg)
	}
	if arg == "-u" {
		return session.Prune{Undo: true}, nil
	}
	return session.Prune{At: arg}, nil
}

// origin parses "EXPRESSION via INPUT via INPUT".
func origin(name, arg string) (session.Command, error) {
	parts := strings.Split(arg+" ", " via ")
	for i := range parts {
		if parts[i] = strings.TrimSpace(parts[i]); parts[i] == "" {
			return nil, usage(name, arg)
		}
	}
	return session.Provenance{Expression: parts[0], Via: parts[1:]}, nil
}

// selectFrame returns a parser for up (+1) or down (-1). As in pdb, a negative count selects the
// outermost or innermost frame.
func selectFrame(direction int) parser {
	return func(_, arg string) (session.Command, error) {
		if arg == "" {
			return session.SelectFrame{By: direction}, nil
		}
		n, err := strconv.Atoi(arg)
		if err != nil {
			return nil, bad("Invalid frame count (%s)", arg)
		}
		if n < 0 {
			n = session.AllTheWay
		}
		return session.SelectFrame{By: direction * n}, nil
	}
}

func exceptions(_, arg string) (session.Command, error) {
	if arg == "" {
		return session.Exceptions{}, nil
	}
	n, err := strconv.Atoi(arg)
	if err != nil {
		return nil, bad("Argument must be an integer")
	}
	return session.Exceptions{Number: &n}, nil
}

// list parses the argument of list: FIRST,LAST or FIRST,COUNT; or a file, module or function; or
// NAME:LINE.
func list(_, arg string) (session.Command, error) {
	switch arg {
	case "":
		return session.List{}, nil
	case ".":
		return session.List{Here: true}, nil
	}
	var c session.List
	lines := arg
	if !startsNumber(arg) {
		c.Name, lines = strings.TrimSuffix(arg, ":"), "" // completion adds a colon after a file's name
		if colon := strings.LastIndexByte(arg, ':'); colon > 0 && startsNumber(arg[colon+1:]) {
			c.Name, lines = strings.TrimSpace(arg[:colon]), arg[colon+1:]
		}
		if lines == "" {
			return c, nil
		}
	}
	wrong := bad("Error in argument: '%s'", arg)
	first, last, two := strings.Cut(lines, ",")
	var err error
	if c.First, err = strconv.Atoi(strings.TrimSpace(first)); err != nil || two && c.First < 1 {
		return nil, wrong
	}
	if !two {
		c.First = max(c.First, 1)
		return c, nil
	}
	if c.Last, err = strconv.Atoi(strings.TrimSpace(last)); err != nil {
		return nil, wrong
	}
	if c.Last < c.First {
		c.Last += c.First // a number smaller than FIRST is a count of lines
	}
	return c, nil
}

// startsNumber reports whether a text begins with a digit or a sign, after blanks.
func startsNumber(text string) bool {
	text = strings.TrimLeft(text, " \t")
	return text != "" && (text[0] == '-' || text[0] == '+' || '0' <= text[0] && text[0] <= '9')
}

// chosen returns the first of the words that begins with arg.
func chosen(arg string, words ...string) (string, bool) {
	for _, w := range words {
		if arg != "" && strings.HasPrefix(w, arg) {
			return w, true
		}
	}
	return "", false
}

func info(name, arg string) (session.Command, error) {
	topic, ok := chosen(arg, session.Topics()...)
	if !ok {
		return nil, usage(name, arg)
	}
	return session.Info{Topic: topic}, nil
}

func walk(name, arg string) (session.Command, error) {
	how, ok := chosen(arg, "free", "guided")
	if !ok && arg != "" {
		return nil, usage(name, arg)
	}
	return session.SetWalk{Walk: how}, nil
}

func divergence(name, arg string) (session.Command, error) {
	which, ok := chosen(arg, "next", "previous", "first", "onward")
	switch {
	case arg == "":
		which = "next"
	case !ok:
		return nil, usage(name, arg)
	}
	return session.ToDivergence{Which: which}, nil
}

// compared returns the command diff for a state of the history, another run or a recording file.
func compared(arg string) session.Command {
	if word, number, _ := strings.Cut(arg, " "); word == "run" {
		if n, err := strconv.Atoi(strings.TrimSpace(number)); err == nil && n > 0 {
			return session.DiffRun{Run: n}
		}
	}
	if strings.HasPrefix(arg, "#") || session.IsMark(arg) || strings.Trim(arg, "0123456789") == "" {
		return session.Diff{With: arg}
	}
	return session.DiffRun{File: arg}
}

func record(name, arg string) (session.Command, error) {
	if arg != "" && arg != "on" && arg != "off" && arg != "again" {
		return nil, usage(name, arg)
	}
	return session.Record{Turn: arg}, nil
}

// child parses the number of a child process.
func child(_, arg string) (session.Command, error) {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 0 {
		return nil, session.Errorf(session.BadArgument, "child takes the number of a child process (info children lists them), or 0 for the program")
	}
	return session.ShowChild{Number: n}, nil
}

func restart(_, arg string) (session.Command, error) {
	args, err := shlex.Split(arg)
	if err != nil {
		return nil, bad("Cannot run %s: %v", arg, err)
	}
	return session.Restart{Args: args}, nil
}
