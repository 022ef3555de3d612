package main

import (
	"strings"

	"github.com/spf13/cobra"

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
			warn(c)
			m, err := c.KeyMap()
			if err != nil {
				return err
			}
			return listKeys(pageOn(cmd.OutOrStdout()), m)
		},
	}
	config.AddFlags(cmd.Flags(), "key_profile")
	return cmd
}

// listKeys writes a table with a part for every group of actions: keys, the action's
// name, where they work, what they do.
func listKeys(p page, m *keys.Map) error {
	t := headed("keys", "action", "where", "what it does")
	group := ""
	for _, a := range keys.Actions() {
		if a.Group != group {
			group = a.Group
			t.section(group)
		}
		bound := styled(good, strings.Join(m.Keys(a.Name), " "))
		if bound.text == "" {
			bound = styled(quiet, "-")
		}
		t.add(bound, styled(plain, a.Name), styled(quiet, a.Context.String()), styled(plain, a.Help))
	}
	return t.write(p)
}
