package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/config"
)

func newProbeCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "probe",
		Short: "Ask the configured model's server what it can do",
		Long: `npdb probe asks the configured server some small questions about a program of
three lines, and shows what it can do and what follows from that. It fails where
npdb cannot step with the model. The model that npdb carries has no server and
needs no probe.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd.Flags(), config.Path())
			if err != nil {
				return err
			}
			warn(c)
			found, err := probe(cmd.Context(), c.Config)
			if asJSON {
				return writeProbeJSON(cmd.OutOrStdout(), found, err)
			}
			if found != nil {
				err = errors.Join(writeProbe(cmd.OutOrStdout(), found), err)
			}
			return err
		},
	}
	config.AddFlags(cmd.Flags(), config.KeyBaseURL, config.KeyName, config.KeyKeyFile, "model.timeout")
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer with one line of JSON")
	return cmd
}

// errUnusable is a server that answers and whose model npdb cannot step with.
var errUnusable = errors.New("this model cannot be stepped: it does not answer with states of nd/1")

// probe asks the server. The error is errUnusable where it could be asked.
func probe(ctx context.Context, c config.Config) (found *openai.Capabilities, err error) {
	o, err := openaiConfig(c.Model)
	if err != nil {
		return nil, err
	}
	p, err := openai.New(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	if found, err = p.Probe(ctx); err != nil {
		return nil, err
	}
	if !found.Usable() {
		err = errUnusable
	}
	return found, err
}

// writeProbe shows what was found as a table of a hundred columns at most.
func writeProbe(w io.Writer, found *openai.Capabilities) error {
	const width = 60 // of the last column
	fmt.Fprintf(w, "model   %s\nserver  %s\n", escapeLines(found.Model), escapeLines(found.Place))
	if len(found.Models) > 1 {
		fmt.Fprintf(w, "others  %s\n", escapeLines(strings.Join(others(found), ", ")))
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range found.Rows() {
		name, verdict := row[0], row[1]
		for _, line := range wrap(escapeLines(row[2]), width) {
			fmt.Fprintf(table, "%s\t%s\t%s\n", name, verdict, line)
			name, verdict = "", ""
		}
	}
	return table.Flush()
}

// others are the models that the server lists besides the one that was asked.
func others(found *openai.Capabilities) []string {
	var names []string
	for _, name := range found.Models {
		if name != found.Model {
			names = append(names, name)
		}
	}
	return names
}

// probeAnswer is what npdb probe --json writes; Capabilities are there where the
// server could be asked.
type probeAnswer struct {
	Usable bool        `json:"usable"`
	Error  *probeError `json:"error"`
	*openai.Capabilities
}

type probeError struct {
	Message string `json:"message"`
}

// writeProbeJSON writes one object, also for an error, which it returns.
func writeProbeJSON(w io.Writer, found *openai.Capabilities, err error) error {
	answer := probeAnswer{Usable: err == nil, Capabilities: found}
	if err != nil {
		answer.Error = &probeError{err.Error()}
	}
	text, failure := json.Marshal(answer)
	if failure == nil {
		_, failure = fmt.Fprintf(w, "%s\n", text)
	}
	return errors.Join(err, failure)
}
