package session

import (
	"context"
	"strings"
)

// command is one command of the debugger.
type command struct {
	name    string
	aliases []string
	args    string // as usage shows them
	group   string
	help    string
	resumes bool // it moves the program on, so it ends a breakpoint's commands
	run     func(s *Session, ctx context.Context, arg string) error
}

// The groups of help, in their order.
const (
	groupForward  = "Moving forwards"
	groupBackward = "Moving backwards"
	groupStops    = "Breakpoints"
	groupLook     = "Looking"
	groupFrames   = "The stack"
	groupModel    = "The model"
	groupSession  = "The session"
)

var groups = []string{groupForward, groupBackward, groupStops, groupFrames, groupLook, groupModel, groupSession}

// asks reports whether a command moves in a way that a predictor is asked for.
func (c *command) asks() bool {
	switch c.name {
	case "step", "next", "return", "until", "continue", "advance",
		"reverse-step", "reverse-next", "reverse-finish", "reverse-until", "reverse-continue", "reverse-advance":
		return true
	}
	return false
}

// byName finds commands by name and alias. It is filled at start, because the
// table refers to help, which refers to the table.
var byName map[string]*command

func init() {
	table := commands()
	byName = make(map[string]*command, 2*len(table))
	for i := range table {
		c := &table[i]
		byName[c.name] = c
		for _, a := range c.aliases {
			byName[a] = c
		}
	}
}

// lookupCommand finds a command; nil means that the line is Python.
func lookupCommand(name string) *command {
	if name == "!" {
		return nil // parseLine leaves statements whole
	}
	return byName[name]
}

// usageLine is a command with its abbreviation as pdb writes it, c(ontinue) or
// d(own), and its arguments.
func (c *command) usageLine() string {
	line := c.name
	var others []string
	for _, a := range c.aliases {
		if a != "" && strings.HasPrefix(c.name, a) && line == c.name {
			line = a + "(" + c.name[len(a):] + ")"
			continue
		}
		if a != "EOF" {
			others = append(others, a)
		}
	}
	line = strings.Join(append([]string{line}, others...), " | ")
	if c.args != "" {
		line += " " + c.args
	}
	return line
}

// usage is the error for an argument that a command does not take, or for the
// lack of one, in the words of Python 3.14's pdb.
func usage(name, arg string) error {
	if arg == "" {
		return errorf(BadArgument, "Argument is required for this command\nUsage: %s", lookupCommand(name).usageLine())
	}
	return errorf(BadArgument, "Invalid argument: %s\nUsage: %s", arg, lookupCommand(name).usageLine())
}
