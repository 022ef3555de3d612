package main

import (
	"os"
	"testing"
)

// TestMistyped checks that npdb names the command, flag or option that was probably meant.
func TestMistyped(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	if err := os.WriteFile("prog.py", []byte("x = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const asPdb = "-c debugs a program given as text, as python -c does, and "
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"tuor"}, "there is no file and no command tuor: did you mean npdb tour?"},
		{[]string{"--plian", "prog.py"}, "unknown flag: --plian: did you mean --plain?"},
		{[]string{"record", "--outptu", "x.npdb", "prog.py"}, "unknown flag: --outptu: did you mean --output?"},
		{[]string{"--nothing-like-it"}, "unknown flag: --nothing-like-it (npdb --help lists all flags)"},
		{[]string{"-c", "continue", "prog.py"}, asPdb + `"continue" is a command: begin with it by npdb --command 'continue' prog.py`},
		{[]string{"-c", "until 3", "prog.py"}, asPdb + `"until 3" is a command: begin with it by npdb --command 'until 3' prog.py`},
	} {
		cmd := newCommand(nil)
		args, err := splitArgs(cmd, c.args)
		if err != nil {
			t.Fatal(err)
		}
		cmd.SetArgs(args)
		if err := cmd.Execute(); err == nil || err.Error() != c.want {
			t.Errorf("npdb %q: %v, want %s", c.args, err, c.want)
		}
	}
}
