package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/npdb/npdb/internal/suggest"
	"github.com/npdb/npdb/session/command"
)

// mistypedFlag adds the flag that was probably meant to the error of an unknown flag.
func mistypedFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) == 1 {
		return err
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	if near := suggest.Nearest(unknown.GetSpecifiedName(), known); near != "" {
		return fmt.Errorf("%w: did you mean --%s?", err, near)
	}
	return fmt.Errorf("%w (%s --help lists all flags)", err, cmd.CommandPath())
}

// mistypedCommand returns an error for a FILE that does not exist and has the name of a command, with a
// mistake.
func mistypedCommand(cmd *cobra.Command, file string) error {
	if cmd.HasParent() || strings.ContainsAny(file, `/\.`) || exists(file) {
		return nil
	}
	var known []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	if near := suggest.Nearest(file, known); near != "" {
		return fmt.Errorf("there is no file and no command %s: did you mean %s %s?", file, cmd.CommandPath(), near)
	}
	return nil
}

// pdbsCommand returns an error for -c with a command, as pdb has it, where npdb, as Python, has a program.
func pdbsCommand(cmd *cobra.Command, code string, args []string) error {
	if len(args) == 0 || cmd.Flags().Lookup("command") == nil || !command.Typed(code) || !exists(args[0]) {
		return nil
	}
	return fmt.Errorf("-c debugs a program given as text, as python -c does, and %q is a command: begin with it by %s --command '%s' %s",
		code, cmd.CommandPath(), code, args[0])
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
