package command

import (
	"context"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/npdb/npdb/session"
)

// Complete lists completions of the word at the end of a line; from is where that word begins. Call
// it like Do: between commands, in the session's goroutine.
func (i *Interpreter) Complete(ctx context.Context, line string) (from int, words []string) {
	start := lastCommand(line)
	from, words = i.complete(ctx, line[start:])
	return start + from, words
}

// complete completes a line with a single command.
func (i *Interpreter) complete(ctx context.Context, line string) (from int, words []string) {
	r := i.read(ctx, line)
	if r.word != "" && (r.arg != "" || strings.HasSuffix(line, " ")) {
		if r.command != nil {
			return i.completeArgument(ctx, r.command, line)
		}
	} else if !strings.HasPrefix(strings.TrimSpace(line), "!") {
		rest, _ := cutForcing(line)
		from = len(line) - len(strings.TrimLeft(rest, " "))
		if words = startingWith(i.commandNames(), line[from:]); len(words) > 0 || r.forced {
			return from, words
		}
	}
	return i.completeName(ctx, line)
}

// lastCommand returns the offset of the last command on a line with commands separated by ";;".
func lastCommand(line string) int {
	if i := strings.LastIndex(line, ";;"); i >= 0 {
		return i + len(";;")
	}
	return 0
}

func (i *Interpreter) commandNames() []string {
	var names []string
	for _, c := range commands() {
		if c.name != "!" {
			names = append(names, c.name)
		}
	}
	for a := range i.aliases {
		names = append(names, a)
	}
	return names
}

// completeArgument completes the argument of command c.
func (i *Interpreter) completeArgument(ctx context.Context, c *command, line string) (from int, words []string) {
	from = strings.LastIndexAny(line, " ,") + 1
	switch c.name {
	case "help":
		return from, startingWith(i.commandNames(), line[from:])
	case "info":
		return from, startingWith(session.Topics(), line[from:])
	case "peek", "infer":
		return from, startingWith(peekable(c.name == "infer"), line[from:])
	case "break", "tbreak", "advance", "reverse-advance", "list":
		if !strings.Contains(line, ",") {
			return from, startingWith(i.Places(ctx), line[from:])
		}
	case "goto", "mark", "diff", "prune":
		return from, startingWith(i.Marks(), line[from:])
	case "unalias", "alias":
		var names []string
		for a := range i.aliases {
			names = append(names, a)
		}
		return from, startingWith(names, line[from:])
	}
	if c.group == groupForward || c.group == groupBackward || c.group == groupSession {
		return from, nil
	}
	return i.completeName(ctx, line)
}

// completeName completes a Python name or attribute at the end of a line.
func (i *Interpreter) completeName(ctx context.Context, line string) (from int, words []string) {
	from = len(line)
	for from > 0 {
		r, size := utf8.DecodeLastRuneInString(line[:from])
		if r != '.' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		from -= size
	}
	return from, i.Names(ctx, line[from:])
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
