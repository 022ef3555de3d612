package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
)

// helpOf returns the help of npdb for some words and --help.
func helpOf(t *testing.T, words ...string) string {
	t.Helper()
	stop := cli.NewStopper()
	t.Cleanup(stop.Close)
	cmd := newCommand(stop)
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetArgs(append(words, "--help"))
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestHelpOrder checks that the help begins with the usage and common commands, and groups
// the flags by purpose.
func TestHelpOrder(t *testing.T) {
	text := helpOf(t)
	at := 0
	for _, part := range []string{
		"npdb [flags] FILE [ARG…]", "-m MODULE", "Common cases:", "npdb prog.py", "npdb --resume", "Commands:", "  Debug:", "    doctor ", "  Models:", "    serve ", "  Laboratory:", "    eval ",
		"The program:", "  -m, --module", "Where states come from:", "  --mode", "The model:", "  --base-url", "The session:", "  --resume",
		"Screen and output:", "  --plain", "Limits:", "  --max-events", "Settings:", "npdb config --help",
	} {
		found := strings.Index(text[at:], part)
		if found < 0 {
			t.Fatalf("%q does not come after what it should come after:\n%s", part, text)
		}
		at += found
	}
}

// TestHelpHasEveryFlag checks that the help contains every flag once, with its
// description.
func TestHelpHasEveryFlag(t *testing.T) {
	text := helpOf(t)
	stop := cli.NewStopper()
	t.Cleanup(stop.Close)
	newCommand(stop).Flags().VisitAll(func(f *pflag.Flag) {
		if n := strings.Count(text, "  --"+f.Name+" ") + strings.Count(text, ", --"+f.Name+" "); n != 1 {
			t.Errorf("--%s begins %d lines of the help", f.Name, n)
		}
	})
	for _, s := range config.Settings() {
		if s.Flag != "" && !strings.Contains(oneLine(text), oneLine(s.Sentence()[1:])) {
			t.Errorf("the help does not say what config.go says about %s", s.Key)
		}
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// npdb config --help lists every setting with its variables.
func TestHelpHasEverySetting(t *testing.T) {
	text := helpOf(t, "config")
	for _, s := range config.Settings() {
		for _, want := range append([]string{"\n  " + s.Key}, s.Env...) {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not there", want)
			}
		}
	}
}

// The help fits a terminal of 80 columns.
func TestHelpFits(t *testing.T) {
	stop := cli.NewStopper()
	t.Cleanup(stop.Close)
	var every func(c *cobra.Command, words []string)
	every = func(c *cobra.Command, words []string) {
		for line := range strings.Lines(helpOf(t, words...)) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("npdb %s --help has a line of %d characters: %s", strings.Join(words, " "), n, line)
			}
		}
		for _, sub := range c.Commands() {
			every(sub, append(words[:len(words):len(words)], sub.Name()))
		}
	}
	every(newCommand(stop), nil)
}

// TestWrongArgs checks that a command with wrong arguments says how it is called.
func TestWrongArgs(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"attach", "received 0: the command is npdb attach [flags] PID (npdb attach --help)"},
		{"join a b", "received 2: the command is npdb join [flags] [ID] (npdb join --help)"},
		{"dap x", "the command is npdb dap [flags] (npdb dap --help)"},
		{"eval states", "the command is npdb eval states FILE [flags] (npdb eval states --help)"},
	} {
		cmd := newCommand(nil)
		cmd.SetArgs(strings.Fields(c.args))
		if err := cmd.Execute(); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("npdb %s: %v, want %s", c.args, err, c.want)
		}
	}
}
