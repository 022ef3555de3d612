package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/cmd/npdb/models"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/htmlpage"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/saved"
)

const exportAbout = `npdb export writes a recording for others to read.

--html writes one HTML page, which any browser shows without a network, npdb or Python:
source, values, call stack and output at every event, and all moves. A page has 50,000
events at most: of a longer recording those around the uncaught exception or, without
one, the last ones. --at N keeps those around event N and shows it first.

--cot writes calls as chains of thought, for fine-tuning a model: JSON Lines, one for each
call, with the question (source and call), the recorded steps (line and changed values)
and the answer (the returned value).`

// exporting holds the flags of npdb export.
type exporting struct {
	html, cot bool
	output    string
	at        int
	chains    chainFlags
}

func newExportCommand() *cobra.Command {
	var f exporting
	cmd := &cobra.Command{
		Use:   "export --html|--cot [flags] FILE.npdb",
		Short: "Write a recording as a page for a browser, or as chains of thought",
		Long:  exportAbout,
		Args:  cobra.ExactArgs(1),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	fs := cmd.Flags()
	fs.BoolVar(&f.html, "html", false, "write an HTML page")
	fs.BoolVar(&f.cot, "cot", false, "write the calls of functions as chains of thought, as JSON Lines")
	fs.StringVarP(&f.output, "output", "o", "", "`file` to write; by default the recording's name with .html or .jsonl, in the current folder. An existing file is not replaced")
	fs.IntVar(&f.at, "at", 0, "`number` of the event that the page shows first")
	f.chains.add(fs)
	config.AddFlags(fs, "theme", "redact", "redact_names", "redact_for", "limits.events", "limits.memory")
	cmd.MarkFlagsMutuallyExclusive("html", "cot")
	cmd.MarkFlagsMutuallyExclusive("at", "cot")
	return cmd
}

func (f *exporting) run(cmd *cobra.Command, path string) error {
	if !f.html && !f.cot {
		return errors.New("give the format to write: --html or --cot")
	}
	if err := f.chains.check(cmd.Flags(), f.cot); err != nil {
		return err
	}
	c, err := config.Load(cmd.Flags(), config.Path())
	if err != nil {
		return err
	}
	cli.Warn(c)
	ending := ".html"
	if f.cot {
		ending = ".jsonl"
	}
	if f.output == "" {
		f.output = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + ending
	}
	if f.cot {
		return f.chains.write(path, f.output, c.Config)
	}
	if !cmd.Flags().Changed("at") {
		f.at = -1
	}
	return exportPage(path, f.output, f.at, c.Config)
}

// exportPage writes a recording file as a page. at is the event to show, or -1.
func exportPage(path, output string, at int, c config.Config) error {
	h, rec, landing, err := readRecording(path, c)
	if err != nil {
		return err
	}
	o, err := pageOptions(c)
	if err != nil {
		return err
	}
	o.Program, o.Python = shownProgram(optionsOf(h)), h.Python
	o.Shown, o.Last = landing.Position, !landing.PostMortem
	if events := rec.Tree().Len(); at >= events {
		return fmt.Errorf("--at %d: the recording has the events 0 to %d", at, events-1)
	}
	if at >= 0 {
		o.Shown, o.Last = trace.Position{Event: at}, false
	}
	size, err := createPage(output, rec, o)
	if err == nil {
		fmt.Fprintf(os.Stderr, "npdb: %s, %s%s\n", cli.EscapeLines(output), humanize.Bytes(uint64(size)), redacted(o.Redact))
	}
	return err
}

// readRecording reads a whole recording file, and prints a notice if the file is incomplete.
func readRecording(path string, c config.Config) (h saved.Header, rec *trace.Recording, landing trace.Landing, err error) {
	if h, err = saved.HeaderOf(path); err != nil {
		return h, nil, landing, err
	}
	if rec, landing, err = trace.OpenLog(path, trace.Limits{Events: c.Limits.Events, Bytes: int64(c.Limits.Memory)}); err != nil {
		return h, nil, landing, fmt.Errorf("%s: %w", path, err)
	}
	if landing.Notice != "" {
		fmt.Fprintln(os.Stderr, "npdb: "+cli.EscapeLines(landing.Notice))
	}
	return h, rec, landing, nil
}

// redacted returns a note that secrets are hidden, or "" if none are.
func redacted(r *redact.Redactor) string {
	if literals, values := r.Told(); literals+values == 0 {
		return ""
	}
	return "; what looks like a secret is hidden (NPDB_REDACT_FOR=none shows it)"
}

// optionsOf returns the options that describe the recorded program.
func optionsOf(h saved.Header) trace.Options {
	return trace.Options{Script: h.Script, Module: h.Module, Code: h.Code, Entry: h.Entry, Args: h.Args, Dir: h.Dir}
}

// pageOptions returns the configured options of pages.
func pageOptions(c config.Config) (o htmlpage.Options, err error) {
	o.Npdb = cli.Version()
	if o.Dark, err = themes.Load(c.Theme, true); err != nil {
		return o, err
	}
	if o.Light, err = themes.Load(c.Theme, false); err != nil {
		return o, err
	}
	o.Redact, err = redactorOf(c)
	return o, err
}

// redactorOf returns the redactor for exported files, or nil if the configuration turns redaction off.
func redactorOf(c config.Config) (*redact.Redactor, error) {
	if c.RedactFor == "none" {
		return nil, nil
	}
	return models.NewRedactor(c)
}

// writesPages returns a function that writes the pages of a session.
func writesPages(c config.Config, program string) session.PageWriter {
	return func(w io.Writer, p session.Page) error {
		o, err := pageOptions(c)
		if err != nil {
			return err
		}
		o.Program, o.Python, o.Shown, o.Breakpoints = program, p.Recording.PythonVersion(), p.Shown, p.Breakpoints
		for _, b := range p.Bookmarks {
			o.Bookmarks = append(o.Bookmarks, htmlpage.Bookmark{Event: b.Event, End: b.End, Name: b.Name, Note: b.Note})
		}
		return htmlpage.Write(w, p.Recording, o)
	}
}

// createPage writes a page to a new file that only its owner can read, and returns its size.
func createPage(path string, rec htmlpage.Recording, o htmlpage.Options) (size int64, err error) {
	size, err = plainfile.WriteNew(path, func(w io.Writer) error { return htmlpage.Write(w, rec, o) })
	return size, existing(path, err)
}

// existing adds advice to the error about a file that already exists.
func existing(path string, err error) error {
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s exists already and is not overwritten: name another file with -o", path)
	}
	return err
}
