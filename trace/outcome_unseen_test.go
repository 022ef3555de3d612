//go:build unix

package trace_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeUnseen checks that a read with the terminal's echo off is distinguished from
// other reads, whoever switched it off, and that the typed text is not in the output.
func TestOutcomeUnseen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads past sys.stdin are seen on Linux only")
	}
	for _, c := range []struct {
		name, source string
		unseen       []bool
	}{
		{"getpass", "import getpass\na = input('Name: ')\nb = getpass.getpass()\nc = getpass.getpass()\nd = input()\n", []bool{false, true, true, false}},
		{"getpass on sys.stdin", "import getpass, sys\ngetpass._raw_input(input=sys.stdin)\n", []bool{true}},
		{"stty", "import os\nos.system('read a; stty -echo; read b; stty echo; read c')\n", []bool{false, true, false}},
		{"termios and input()", "import termios\nmode = termios.tcgetattr(0)\nmode[3] &= ~termios.ECHO\ntermios.tcsetattr(0, termios.TCSANOW, mode)\ninput()\n", []bool{true}},
		{"keys", "import tty, os\ntty.setcbreak(0)\nos.read(0, 9)\n", []bool{true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, c.source, onTerminal)
				d.do(dsl.Continue)
				for i, unseen := range c.unseen {
					if d.at.Reason != trace.NeedsInput || d.at.Unseen != unseen {
						t.Fatalf("read %d: %+v, want one that is unseen: %v", i, d.at, unseen)
					}
					d.give("secret\n", false)
				}
				d.wantEnd(0, "")
				if got := d.printed("stdout") + d.printed("stderr"); strings.Contains(got, "secret") {
					t.Errorf("printed %q", got)
				}
			})
		})
	}
}

// TestOutcomeUnseenWithoutTerminal checks that without a terminal getpass reads an
// ordinary line, which is reported as unseen all the same.
func TestOutcomeUnseenWithoutTerminal(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "import getpass, sys\ngetpass.getpass()\ninput()\n", interactive)
		d.do(dsl.Continue)
		if d.at.Reason != trace.NeedsInput || !d.at.Unseen {
			t.Fatalf("getpass: %+v", d.at)
		}
		d.give("secret\n", false)
		if d.at.Reason != trace.NeedsInput || d.at.Unseen {
			t.Fatalf("input: %+v", d.at)
		}
		d.give("x\n", false)
		d.wantEnd(0, "")
	})
}
