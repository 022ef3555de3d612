package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

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
			return listKeys(cmd.OutOrStdout(), m)
		},
	}
	config.AddFlags(cmd.Flags(), "key_profile")
	return cmd
}

// listKeys writes a table for every group of actions: keys, the action's name,
// where they work, what they do.
func listKeys(w io.Writer, m *keys.Map) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	group := ""
	for _, a := range keys.Actions() {
		if a.Group != group {
			if group != "" {
				fmt.Fprintln(table)
			}
			group = a.Group
			fmt.Fprintln(table, group)
		}
		bound := strings.Join(m.Keys(a.Name), " ")
		if bound == "" {
			bound = "-"
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", bound, a.Name, a.Context, a.Help)
	}
	return table.Flush()
}
