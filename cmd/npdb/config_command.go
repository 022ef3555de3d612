package main

import (
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func newConfigCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the settings in effect and where each comes from",
		Long:  configHelp(),
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(cmd.Flags(), configPath())
			if err != nil {
				return err
			}
			c.warn()
			return c.show(cmd.OutOrStdout())
		},
	}
	addConfigFlags(cmd.Flags())
	cmd.AddCommand(&cobra.Command{
		Use:   "path",
		Short: "Show where the configuration's file is, or should be",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			path := configPath()
			if path == "" {
				return fmt.Errorf("no home is known: neither XDG_CONFIG_HOME nor HOME is an absolute path")
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), path)
			return err
		},
	})
	return cmd
}

// warn tells what is not as it should be, on standard error.
func (l *loadedConfig) warn() {
	for _, w := range l.warnings {
		fmt.Fprintln(os.Stderr, "npdb: "+escapeLines(w))
	}
}

// show lists the settings in three columns: key, value, what set it.
func (l *loadedConfig) show(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range settings {
		value, from := s.text(&l.config), l.from[s.key]
		switch {
		case s.key == "mode" && from == "":
			value, from = l.defaultMode(), "default: an endpoint is configured"
			if l.Model.BaseURL == "" {
				from = "default: no endpoint is configured"
			}
		case from == "":
			from = "default"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", s.key, escapeLines(value), escapeLines(from))
	}
	return table.Flush()
}

// text is a setting's value for people; secrets are said to be set, no more.
func (s setting) text(c *config) string {
	field := s.in(c)
	if field.IsZero() && s.def == "" {
		return "-"
	}
	if field.Kind() == reflect.Pointer {
		field = field.Elem()
	}
	switch v := field.Interface().(type) {
	case byteSize:
		return v.String()
	case jsonObject:
		return string(v)
	case string:
		switch s.key {
		case keyKey:
			return "set"
		case keyBaseURL:
			return withoutPassword(v)
		}
		return strconv.Quote(v)
	case []string:
		items := make([]string, len(v))
		for i, item := range v {
			if s.secret() {
				item, _, _ = strings.Cut(item, ":")
			}
			items[i] = strconv.Quote(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string][]string:
		items := make([]string, 0, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			items = append(items, fmt.Sprintf("%s = %q", name, v[name]))
		}
		return "{" + strings.Join(items, ", ") + "}"
	case []profileConfig:
		items := make([]string, len(v))
		for i, p := range v {
			items[i] = strconv.Quote(p.Name)
		}
		return strings.Join(items, ", ")
	}
	return fmt.Sprint(field.Interface())
}

// withoutPassword is an address without the credentials that may be in it.
func withoutPassword(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "set"
	}
	if u.User != nil {
		u.User = url.User("xxx")
	}
	if u.RawQuery != "" {
		u.RawQuery = "xxx"
	}
	return strconv.Quote(u.String())
}
