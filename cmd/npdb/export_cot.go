package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/session/export"
)

// chainFlags holds the flags of npdb export --cot.
type chainFlags struct {
	function, strategy  string
	steps, bytes, calls int
}

func (f *chainFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.function, "function", "", "with --cot: write the calls of function `NAME`, as f or Class.f (default: the outermost calls of the program's functions)")
	fs.StringVar(&f.strategy, "strategy", "into", "with --cot: the `move` from step to step, into or over the calls that a call makes")
	fs.IntVar(&f.steps, "steps", export.ChainSteps, "with --cot: the most steps of a chain")
	fs.IntVar(&f.bytes, "bytes", export.ChainBytes, "with --cot: the most bytes of a chain")
	fs.IntVar(&f.calls, "calls", export.ChainCalls, "with --cot: the most calls to write")
}

// check reports flags that need --cot, and invalid values.
func (f *chainFlags) check(fs *pflag.FlagSet, cot bool) error {
	for _, name := range []string{"function", "strategy", "steps", "bytes", "calls"} {
		if fs.Changed(name) && !cot {
			return fmt.Errorf("--%s is only for --cot", name)
		}
	}
	switch {
	case f.strategy != "into" && f.strategy != "over":
		return fmt.Errorf("--strategy %q: use into or over", f.strategy)
	case f.steps < 1 || f.bytes < 1 || f.calls < 1:
		return errors.New("--steps, --bytes and --calls must be at least 1")
	}
	return nil
}

// write writes the chains of a recording file to a new file.
func (f *chainFlags) write(path, output string, c config.Config) error {
	h, rec, _, err := readRecording(path, c)
	if err != nil {
		return err
	}
	o := export.ChainOptions{
		Program: shownProgram(optionsOf(h)), Function: f.function, Over: f.strategy == "over", Steps: f.steps, Bytes: f.bytes, Calls: f.calls,
	}
	if o.Redact, err = redactorOf(c); err != nil {
		return err
	}
	var made export.Chains
	_, err = plainfile.WriteNew(output, func(w io.Writer) (err error) {
		if made, err = export.WriteChains(w, rec.Tree(), o); err == nil && made.Written == 0 {
			err = errors.New("no call was written: " + saidOf(made))
		}
		return err
	})
	if err == nil {
		fmt.Fprintf(os.Stderr, "npdb: %s, %s%s\n", cli.EscapeLines(output), saidOf(made), redacted(o.Redact))
	}
	return existing(output, err)
}

// saidOf formats how many calls were written, cut and left out.
func saidOf(made export.Chains) string {
	parts := []string{cli.Count(made.Written, "call")}
	for _, left := range []struct {
		n   int
		why string
	}{
		{made.Cut, "with the last steps cut (raise --steps or --bytes)"},
		{made.TooLarge, "left out because the program and arguments alone exceed --bytes"},
		{made.Odd, "left out because nd/1 cannot express them"},
		{made.Generators, "left out because they make a generator or coroutine"},
		{made.Beyond, "left out after the most calls (raise --calls)"},
	} {
		if left.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", left.n, left.why))
		}
	}
	return strings.Join(parts, ", ")
}
