package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/config"
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
			warn(c)
			return listSettings(pageOn(cmd.OutOrStdout()), c.Rows())
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
				return errors.New("no home is known: neither XDG_CONFIG_HOME nor HOME is an absolute path")
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), path)
			return err
		},
	})
	return cmd
}

// listSettings writes a table of the settings in effect.
func listSettings(p page, rows []config.Row) error {
	t := headed("setting", "value", "from")
	t.prose = []int{1, 2}
	for _, r := range rows {
		value, from := loud, plain
		if !r.Set {
			value, from = plain, quiet
		}
		if p.columns > 0 {
			r.From = shortPath(r.From)
		}
		t.add(styled(plain, r.Key), styled(value, r.Value), styled(from, r.From))
	}
	return t.write(p)
}

// warn tells what is not as it should be, on standard error.
func warn(c *config.Loaded) {
	for _, w := range c.Warnings {
		fmt.Fprintln(os.Stderr, "npdb: "+escapeLines(w))
	}
}

// configHelp is npdb config --help.
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
		for _, line := range wrap(s.Sentence(), helpWidth-6) {
			b.WriteString("\n      " + line)
		}
	}
	return b.String()
}
