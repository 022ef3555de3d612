package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"
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
				err = errors.Join(writeProbe(pageOn(cmd.OutOrStdout()), found), err)
			}
			return err
		},
	}
	config.AddFlags(cmd.Flags(), config.KeyBaseURL, config.KeyName, config.KeyKeyFile, "model.dialect", "model.timeout")
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer with one line of JSON")
	return cmd
}

// errUnusable is a server that answers and whose model npdb cannot step with.
var errUnusable = errors.New("this model cannot be stepped: it answers neither with states of nd/1 nor, by chat, with states in JSON")

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

// writeProbe shows which model was asked, and what was found.
func writeProbe(p page, found *openai.Capabilities) error {
	about := table{prose: []int{1}}
	about.add(styled(quiet, "model"), styled(plain, found.Model))
	about.add(styled(quiet, "server"), styled(plain, found.Place))
	if len(found.Models) > 1 {
		about.add(styled(quiet, "others"), styled(plain, strings.Join(others(found), ", ")))
	}
	verdicts := headed("asked", "answer", "seen, and what follows")
	styles := map[string]lipgloss.Style{string(openai.Yes): good, string(openai.No): bad, string(openai.Undecided): vague}
	for _, row := range found.Rows() {
		verdicts.add(styled(plain, row[0]), styled(styles[row[1]], row[1]), styled(plain, row[2]))
	}
	if err := about.write(p); err != nil {
		return err
	}
	if _, err := io.WriteString(p, "\n"); err != nil {
		return err
	}
	return verdicts.write(p)
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
