package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/tui/keys"
)

func newKeysCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "List the screen's keys as they are configured",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd.Flags(), config.Path())
			if err != nil {
				return err
			}
			cli.Warn(c)
			m, err := c.KeyMap()
			if err != nil {
				return err
			}
			return listKeys(cli.PageOn(cmd.OutOrStdout()), m)
		},
	}
	config.AddFlags(cmd.Flags(), "key_profile")
	return cmd
}

// listKeys writes a table with a section for each group of actions: keys, the action's
// name, where it works, what it does.
func listKeys(p cli.Page, m *keys.Map) error {
	t := cli.Headed("keys", "action", "where", "what it does")
	group := ""
	for _, a := range keys.Actions() {
		if a.Group != group {
			group = a.Group
			t.Section(group)
		}
		bound := cli.Styled(cli.Good, strings.Join(m.Keys(a.Name), " "))
		if bound.Text == "" {
			bound = cli.Styled(cli.Quiet, "-")
		}
		t.Add(bound, cli.Styled(cli.Plain, a.Name), cli.Styled(cli.Quiet, a.Context.String()), cli.Styled(cli.Plain, a.Help))
	}
	return t.Write(p)
}
