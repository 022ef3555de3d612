package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/session/align"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
)

func newConfigCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the settings in effect and where each comes from",
		Long:  configHelp(),
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd.Flags(), config.Path())
			if err != nil {
				return err
			}
			cli.Warn(c)
			return listSettings(cli.PageOn(cmd.OutOrStdout()), c.Rows())
		},
	}
	config.AddFlags(cmd.Flags())
	cmd.AddCommand(&cobra.Command{
		Use:   "path",
		Short: "Show where the configuration's file is, or should be",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			path := config.Path()
			if path == "" {
				return errors.New("no configuration folder: neither XDG_CONFIG_HOME nor HOME is an absolute path")
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), path)
			return err
		},
	})
	cmd.AddCommand(newCompletionCommand(), newManCommand(), &cobra.Command{
		Use:       "schema [config | answer | diff | journal]",
		Short:     "Print the JSON Schema of settings, answers, diffs or journals",
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"config", "answer", "diff", "journal"},
		RunE: func(cmd *cobra.Command, args []string) error {
			var schema []byte
			var err error
			switch {
			case slices.Contains(args, "answer"):
				schema = frontend.AnswerSchema
			case slices.Contains(args, "diff"):
				schema = align.ReportSchema
			case slices.Contains(args, "journal"):
				schema = journal.Schema
			default:
				schema, err = config.Schema()
			}
			if err == nil {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n", bytes.TrimSpace(schema))
			}
			return err
		},
	})
	return cmd
}

// newCompletionCommand returns npdb config completion. cobra's own command would be npdb
// completion, which could be the name of a program.
func newCompletionCommand() *cobra.Command {
	shells := map[string]func(*cobra.Command, io.Writer) error{
		"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
		"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
		"zsh":        (*cobra.Command).GenZshCompletion,
	}
	names := slices.Sorted(maps.Keys(shells))
	return &cobra.Command{
		Use:   "completion " + strings.ToUpper("shell"),
		Short: "Print a script that completes npdb's commands and flags",
		Long: cli.Fill(`npdb config completion prints the script for ` + english.OxfordWordSeries(names, "or") + `. To load it:

  bash:  source <(npdb config completion bash)
  zsh:   npdb config completion zsh > "${fpath[1]}/_npdb"
  fish:  npdb config completion fish > ~/.config/fish/completions/npdb.fish`),
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			return shells[args[0]](cmd.Root(), cmd.OutOrStdout())
		},
	}
}

// listSettings writes a table of the settings in effect.
func listSettings(p cli.Page, rows []config.Row) error {
	t := cli.Headed("setting", "value", "from")
	t.Prose = []int{1, 2}
	for _, r := range rows {
		value, from := cli.Loud, cli.Plain
		if !r.Set {
			value, from = cli.Plain, cli.Quiet
		}
		if p.Columns > 0 {
			r.From = cli.ShortPath(r.From)
		}
		t.Add(cli.Styled(cli.Plain, r.Key), cli.Styled(value, r.Value), cli.Styled(from, r.From))
	}
	return t.Write(p)
}

// configHelp returns the text of npdb config --help.
func configHelp() string {
	var b strings.Builder
	b.WriteString(`npdb config shows the settings in effect and where each comes from: a flag, else
the environment, else the file $XDG_CONFIG_HOME/npdb/config.toml, where
XDG_CONFIG_HOME is unset ~/.config/npdb/config.toml, else the default. They are:
`)
	for _, s := range config.Settings() {
		b.WriteString("\n  " + s.Key)
		if len(s.Env) > 0 {
			b.WriteString("  (" + strings.Join(s.Env, ", ") + ")")
		}
		for _, line := range cli.Wrap(s.Sentence(), cli.HelpWidth-6) {
			b.WriteString("\n      " + line)
		}
	}
	return b.String()
}
