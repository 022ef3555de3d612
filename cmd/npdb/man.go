package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/npdb/npdb/cmd/npdb/cli"
)

// newManCommand returns npdb config man, which makes manual pages from the commands' help.
func newManCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man [" + strings.ToUpper("folder") + "]",
		Short: "Print npdb's manual page, or write those of all commands",
		Long: cli.Fill(`npdb config man prints the manual page npdb(1). With a folder it writes a page for each command there:

  npdb config man ~/.local/share/man/man1`),
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := cmd.OutOrStdout().Write([]byte(manPage(cmd.Root())))
				return err
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			return writeManPages(cmd.Root(), args[0])
		},
	}
}

// writeManPages writes the manual pages of a command and its subcommands.
func writeManPages(cmd *cobra.Command, folder string) error {
	if err := os.WriteFile(filepath.Join(folder, manName(cmd)+".1"), []byte(manPage(cmd)), 0o644); err != nil {
		return err
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			if err := writeManPages(c, folder); err != nil {
				return err
			}
		}
	}
	return nil
}

// manName returns the name of a command's manual page, for example npdb-eval-states.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage returns the manual page of a command in the format of man(7). cobra/doc would write the
// current month into the page, and add a Markdown parser to the program.
func manPage(cmd *cobra.Command) string {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	var b strings.Builder
	name := roff(manName(cmd))
	fmt.Fprintf(&b, ".TH %s 1 \"\" npdb\n.SH NAME\n%s \\- %s\n", strings.ToUpper(name), name, roff(cmd.Short))
	about, end := cmp.Or(cmd.Long, cmd.Short+"."), ""
	if cmd.HasParent() {
		fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	} else {
		about, end = helpAbout, helpSettings
	}
	fmt.Fprintf(&b, ".SH DESCRIPTION\n.nf\n%s\n.fi\n.SH OPTIONS\n", roff(strings.TrimSpace(about)))
	if cmd.HasParent() {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { b.WriteString(manFlag(f)) })
	} else {
		for _, g := range flagGroups {
			fmt.Fprintf(&b, ".SS %s\n", roff(g.title))
			for _, name := range g.flags {
				b.WriteString(manFlag(cmd.Flags().Lookup(name)))
			}
		}
	}
	if end != "" {
		fmt.Fprintf(&b, ".SH NOTES\n.nf\n%s\n.fi\n", roff(strings.TrimSpace(end)))
	}
	var also []string
	if cmd.HasParent() {
		also = append(also, manName(cmd.Parent()))
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			also = append(also, manName(c))
		}
	}
	slices.Sort(also)
	fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s\n", strings.ReplaceAll(roff(strings.Join(also, " (1), ")), ", ", ",\n.BR ")+" (1)")
	return b.String()
}

// manFlag returns the paragraph about a flag, "" for a hidden one.
func manFlag(f *pflag.Flag) string {
	if f.Hidden {
		return ""
	}
	operand, about := pflag.UnquoteUsage(f)
	names := `\fB` + roff("--"+f.Name) + `\fP`
	if f.Shorthand != "" {
		names = `\fB` + roff("-"+f.Shorthand) + `\fP, ` + names
	}
	if operand != "" {
		names += ` \fI` + roff(operand) + `\fP`
	}
	return fmt.Sprintf(".TP\n%s\n%s\n", names, roff(about))
}

// roff escapes text for man(7), where a line that begins with a period or an apostrophe is a command.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
