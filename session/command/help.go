package command

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/npdb/npdb/session"
)

func (i *Interpreter) help(_ context.Context, arg string) error {
	if arg == "" {
		i.Say(helpOverview(i.helpWidth()))
		return nil
	}
	name := arg
	if name == "exec" {
		name = "!" // pdb calls this topic exec, npdb calls it "!"
	}
	c := byName[name]
	if c == nil {
		return session.Errorf(session.NotFound, "No help for '%s'", arg)
	}
	i.Say(c.helpText(i.helpWidth()))
	return nil
}

// helpWidth returns the width to which help is wrapped, in columns.
func (i *Interpreter) helpWidth() int {
	if i.config.Flowing {
		return math.MaxInt
	}
	return 78
}

func helpOverview(width int) string {
	var b strings.Builder
	for _, g := range groups {
		fmt.Fprintf(&b, "%s:\n", g)
		var names []string
		for _, c := range commands() {
			if c.group == g {
				names = append(names, strings.TrimSuffix(c.usageLine(), " "+c.args))
			}
		}
		for _, l := range wrap(strings.Join(names, ", "), width-2) {
			fmt.Fprintf(&b, "  %s\n", l)
		}
	}
	b.WriteString(strings.Join(wrap(`help COMMAND tells about one. An empty line repeats the last command, ";;" separates
commands, and what is no command is a Python statement. A line such as history = 7 is Python too, and so is a
line with a command that pdb lacks, if it is an expression and its first word is a name here: ::history is
always the command.`, width), "\n"))
	return b.String()
}

func (c *command) helpText(width int) string {
	return "Usage: " + c.usageLine() + "\n\n" + strings.Join(wrap(c.help, width), "\n")
}

// wrap breaks a text at spaces into lines of at most width columns.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// Reference generates the page docs/commands.md from the table of commands.
func Reference() string {
	var b strings.Builder
	b.WriteString(`# Commands

The commands are pdb's, with its abbreviations, and their inverses. An empty line
repeats the last command (after list it lists on), ` + "`;;`" + ` separates commands on a
line, and a line that is no command is a Python statement.

Some commands exist in npdb alone, not in pdb. Such a command yields to Python where
the line is a Python expression and the selected frame sees the command's word as a
name (` + "`last`" + `, ` + "`last + 1`" + `, ` + "`last (2)`" + `), and where the line assigns to the word
(` + "`last = 7`" + `, ` + "`last [0] = 7`" + `). ` + "`::last x`" + ` is always the command, and never an alias.
On the screen ` + "`:`" + ` opens the command line, so that ` + "`:last`" + ` yields and ` + "`::last`" + ` does
not. Keys never yield.

The lines of ` + "`.pdbrc`" + `
in the home folder and then in the current folder run at the first stop, after a
line that says so; with ` + "`--json`" + ` only where ` + "`--rc`" + ` asks for it.

This page is made from the table in session/command/table.go: change it there and run
` + "`go test ./session/command -run TestReference -update`" + `.
`)
	for _, g := range groups {
		fmt.Fprintf(&b, "\n## %s\n\n| command | what it does |\n|---|---|\n", g)
		for _, c := range commands() {
			if c.group == g {
				fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(c.usageLine(), "|", `\|`), strings.ReplaceAll(c.help, "|", `\|`))
			}
		}
	}
	return b.String()
}
