package command

import (
	"context"
	"strconv"
	"strings"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/breakpoint"
)

func breaks(temporary bool) parser {
	return func(_, arg string) (session.Command, error) {
		if arg == "" {
			return session.ListBreakpoints{}, nil
		}
		c := session.SetBreakpoint{Temporary: temporary}
		if comma := strings.IndexByte(arg, ','); comma > 0 {
			c.Condition = strings.TrimSpace(arg[comma+1:])
			// An empty condition is an error: the user did not want an unconditional breakpoint.
			if c.Condition == "" {
				return nil, bad("Invalid condition : SyntaxError: invalid syntax")
			}
			arg = strings.TrimSpace(arg[:comma])
		}
		var err error
		c.At, err = target(arg)
		return c, err
	}
}

func watch(name, arg string) (session.Command, error) {
	if arg == "" {
		return nil, usage(name, arg)
	}
	expr, condition := splitCondition(arg)
	return session.Watch{Expression: expr, Condition: condition}, nil
}

func catch(name, arg string) (session.Command, error) {
	kind, condition := splitCondition(arg)
	if kind == "" {
		kind = breakpoint.AnyException
	}
	if kind != breakpoint.AnyException && !python.IsDottedName(kind) {
		return nil, usage(name, arg)
	}
	return session.Catch{Type: kind, Condition: condition}, nil
}

// splitCondition splits the argument of watch or catch into its subject and its condition. The
// condition follows the last comma outside of brackets and strings, or else " if ".
func splitCondition(arg string) (subject, condition string) {
	comma, depth := -1, 0
	var quote byte
	for i := 0; i < len(arg); i++ {
		switch c := arg[i]; {
		case quote != 0:
			switch c {
			case '\\':
				i++
			case quote:
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			comma = i
		}
	}
	if comma >= 0 {
		return strings.TrimSpace(arg[:comma]), strings.TrimSpace(arg[comma+1:])
	}
	if before, after, ok := strings.Cut(arg, " if "); ok && !strings.Contains(after, " else ") {
		return strings.TrimSpace(before), strings.TrimSpace(after)
	}
	return strings.TrimSpace(strings.TrimPrefix(arg, "if ")), ""
}

// number parses a breakpoint's number; its errors are worded as in pdb.
func number(arg string) (int, error) {
	if arg == "" {
		return 0, bad("Breakpoint number expected")
	}
	n, err := strconv.Atoi(arg)
	if err != nil {
		return 0, bad("Non-numeric breakpoint number %s", arg)
	}
	return n, nil
}

func ignore(name, arg string) (session.Command, error) {
	args := strings.Fields(arg)
	if len(args) == 0 {
		return nil, bad("Breakpoint number expected")
	}
	n, err := number(args[0])
	c := session.IgnoreBreakpoint{Number: n}
	if err == nil && len(args) > 1 {
		if c.Count, err = strconv.Atoi(args[1]); err != nil || len(args) > 2 {
			err = usage(name, arg)
		}
	}
	return c, err
}

func condition(_, arg string) (session.Command, error) {
	of, text, _ := strings.Cut(arg, " ")
	n, err := number(of)
	return session.SetCondition{Number: n, Condition: strings.TrimSpace(text)}, err
}

// enable returns a function that enables the given breakpoints, or disables them if off is set.
// Words that are not numbers are reported and skipped.
func enable(off bool) func(*Interpreter, context.Context, string) error {
	return func(i *Interpreter, ctx context.Context, arg string) error {
		return i.eachNumber(ctx, arg, func(numbers []int) session.Command {
			return session.EnableBreakpoints{Numbers: numbers, Off: off}
		})
	}
}
