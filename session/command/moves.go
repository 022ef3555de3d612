package command

import (
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

func step(m dsl.Move) parser {
	return func(name, arg string) (session.Command, error) {
		n, err := count(name, arg)
		return session.Step{Move: m, Count: n}, err
	}
}

func continues(c session.Continue) parser {
	return func(name, arg string) (session.Command, error) {
		n, err := count(name, arg)
		c := c
		c.Count = n
		return c, err
	}
}

func revisit(direction int) parser {
	return func(name, arg string) (session.Command, error) {
		n, err := count(name, arg)
		return session.Revisit{By: direction * n}, err
	}
}

func until(inverse bool) parser {
	return func(_, arg string) (session.Command, error) {
		c := session.Until{Inverse: inverse}
		if arg == "" {
			return c, nil
		}
		var err error
		if c.Line, err = strconv.Atoi(arg); err != nil || c.Line < 1 {
			return nil, bad("Error in argument: '%s'", arg)
		}
		return c, nil
	}
}

// target parses a location: [FILE:]LINE or the name of a function.
func target(arg string) (session.Target, error) {
	if colon := strings.LastIndexByte(arg, ':'); colon >= 0 {
		text := strings.TrimSpace(arg[colon+1:])
		line, err := strconv.Atoi(text)
		if err != nil {
			return session.Target{}, bad("Bad lineno: %s", text)
		}
		return session.Target{File: strings.TrimSpace(arg[:colon]), Line: line}, nil
	}
	if line, err := strconv.Atoi(arg); err == nil {
		return session.Target{Line: line}, nil
	}
	return session.Target{Function: arg}, nil
}

func advance(inverse bool) parser {
	return func(name, arg string) (session.Command, error) {
		if arg == "" {
			return nil, usage(name, arg)
		}
		to, err := target(arg)
		return session.Advance{To: to, Inverse: inverse}, err
	}
}

func jump(_, arg string) (session.Command, error) {
	line, err := strconv.Atoi(arg)
	if err != nil {
		return nil, bad("The 'jump' command requires a line number")
	}
	return session.Jump{Line: line}, nil
}

func goTo(name, arg string) (session.Command, error) {
	if strings.HasPrefix(arg, "#") || session.IsMark(arg) {
		return session.GotoVisit{To: arg}, nil
	}
	text, percent := strings.CutSuffix(arg, "%")
	n, err := strconv.Atoi(strings.TrimSpace(text))
	switch {
	case err != nil || n < 0 || percent && n > 100:
		return nil, usage(name, arg)
	case percent:
		return session.GotoPercent{Percent: n}, nil
	}
	return session.Goto{Event: n}, nil
}
