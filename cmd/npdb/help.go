package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/npdb/npdb/cmd/npdb/cli"
)

// helpAbout is the beginning of npdb --help.
const helpAbout = `npdb debugs a Python program with pdb's commands, forwards and backwards.

Usage:
  npdb [flags] FILE [ARG…]        debug a program
  npdb [flags] -m MODULE [ARG…]   debug a module, as python -m does
  npdb [flags] -c CODE [ARG…]     debug a program given as text
  npdb [flags]                    offer those debugged lately, and examples
  npdb COMMAND                    one of the commands below

What follows FILE, MODULE or CODE belongs to the program. A file that is called
as a command is debugged by npdb ./FILE.

Common cases:
  npdb tour                       an introduction of five minutes on the screen
  npdb prog.py in.csv             the screen: ? lists its keys, : takes commands
  npdb -m pytest test_prog.py     debug the tests of a file
  npdb --entry 'f([1, 2])' prog.py
                                  debug one call, after the module has run
  npdb --returned 4 --entry 'f(_)' prog.py
                                  infer what went in; nothing is run
  npdb --traceback crash.txt      begin where a traceback ends, and infer what
                                  came before; nothing is run
  npdb --resume                   go on where the last session ended
  npdb --plain prog.py            commands from standard input, as pdb has them
  npdb --json prog.py < commands  one line of JSON for each, for programs
  npdb --mode neural prog.py      step through what npdb's own model predicts;
                                  nothing is run
  npdb --mode both prog.py        that model beside CPython
  npdb --base-url http://127.0.0.1:8000/v1 prog.py
                                  step through what a server's model predicts
  npdb doctor                     what works here, and what does not
`

// helpSettings is the end of npdb --help.
const helpSettings = `
Settings:
  A flag wins over the environment (NPDB_…, OPENAI_BASE_URL, OPENAI_API_KEY),
  the environment over ~/.config/npdb/config.toml. "npdb config" shows what
  holds and where it comes from, "npdb config --help" lists all settings.
`

// flagGroups lists the flags in the order of npdb --help.
var flagGroups = []struct {
	title string
	flags []string
}{
	{"The program", []string{"module", "code", "entry", "from", "at", "locals", "stack", "returned", "raised", "traceback", "map", "stdin", "python", "python-version", "user-code", "library-code", "thread", "children", "random-seed"}},
	{"Where states come from", []string{"mode", "against", "against-model"}},
	{"The model", []string{"base-url", "model", "dialect", "stops", "samples", "verify", "compute", "prefetch", "key-file", "send", "offline", "temperature", "seed", "max-tokens", "timeout", "why", "why-model"}},
	{"The session", []string{"resume", "save", "keep-breakpoints", "redact", "no-rc", "rc", "command"}},
	{"Screen and output", []string{"plain", "json", "theme", "key-profile"}},
	{"Limits", []string{"max-events", "max-memory", "slowdown", "audit", "reprs", "record"}},
	{"npdb itself", []string{"help", "version"}},
}

// setHelp formats the help of a command and its subcommands in 80 columns.
func setHelp(root *cobra.Command) {
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		_, err := io.WriteString(cmd.OutOrStderr(), usage(cmd))
		return err
	})
	for _, c := range root.Commands() {
		c.Long = cli.Fill(c.Long)
	}
	others := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd != root {
			others(cmd, args)
			return
		}
		fmt.Fprint(cmd.OutOrStdout(), rootHelp(cmd))
	})
}

// usage returns the usage of a subcommand. Cobra would use a template, and a program that executes
// templates is 4 MB larger.
func usage(cmd *cobra.Command) string {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		b.WriteString("  " + cmd.UseLine() + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("  " + cmd.CommandPath() + " [command]\n\nAvailable Commands:\n")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				fmt.Fprintf(&b, "  %-*s %s\n", c.NamePadding(), c.Name(), c.Short)
			}
		}
	}
	b.WriteString("\nFlags:\n" + cmd.LocalFlags().FlagUsagesWrapped(cli.HelpWidth))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nUse \"%s [command] --help\" for more information about a command.\n", cmd.CommandPath())
	}
	return b.String()
}

// rootHelp returns the text of npdb --help.
func rootHelp(cmd *cobra.Command) string {
	var b strings.Builder
	b.WriteString(helpAbout)
	b.WriteString("\nCommands:\n")
	for _, g := range cmd.Groups() {
		b.WriteString("  " + g.Title + "\n")
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && c.IsAvailableCommand() {
				fmt.Fprintf(&b, "    %-9s %s\n", c.Name(), c.Short)
			}
		}
	}
	for _, g := range flagGroups {
		b.WriteString("\n" + g.title + ":\n")
		for _, name := range g.flags {
			b.WriteString(flagHelp(cmd.Flags().Lookup(name)))
		}
	}
	b.WriteString(helpSettings)
	return b.String()
}

// flagColumn is the column where the descriptions of flags begin.
const flagColumn = 27

// flagHelp returns the help of a flag: its operand and its description.
func flagHelp(f *pflag.Flag) string {
	operand, usage := pflag.UnquoteUsage(f)
	name := "  --" + f.Name
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + ", --" + f.Name
	}
	if operand != "" {
		name += " " + strings.ToUpper(operand)
	}
	var b strings.Builder
	for i, line := range cli.Wrap(usage, cli.HelpWidth-flagColumn) {
		if i > 0 || utf8.RuneCountInString(name) > flagColumn-2 {
			if i == 0 {
				b.WriteString(name + "\n")
			}
			name = ""
		}
		fmt.Fprintf(&b, "%-*s%s\n", flagColumn, name, line)
	}
	return b.String()
}
