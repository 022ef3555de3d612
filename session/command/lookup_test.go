package command

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
)

// words returns the names and aliases of the table, each with its command.
func words() map[string]*command {
	out := map[string]*command{}
	for word, c := range byName {
		if word != "?" && word != "!" { // no words
			out[word] = c
		}
	}
	return out
}

// TestReadAsCommand checks, for each word of the table, which lines are the command.
func TestReadAsCommand(t *testing.T) {
	seen := func(string) bool { return true }
	for word, c := range words() {
		for _, tt := range []struct {
			line string
			sees func(string) bool
			// whether the line is the command if pdb has it too, and if only npdb has it
			pdbs, own bool
		}{
			{word, unseen, true, true},
			{word, seen, true, false},
			{" " + word + " ", seen, true, false},
			{word + " + 1", seen, true, false},
			{word + " (x)", seen, true, false},
			{word + " (x)", unseen, true, true}, // Python would only raise a NameError
			{word + " [0]", seen, true, false},
			{word + " .x", seen, true, false},
			{word + " -1", unseen, true, true},
			{word + " == 3", unseen, true, true},
			{word + " = 7", unseen, true, false},
			{word + " = 7", seen, true, false},
			{word + " = [", unseen, true, false},
			{word + " =", unseen, true, false},
			{word + " += 7", unseen, true, false},
			{word + " //= 7", unseen, true, false},
			{word + ": int = 7", unseen, true, false},
			{word + " .x = 7", unseen, true, false},
			{word + " [0] = 7", unseen, true, false},
			{word + " , x = 7, 8", unseen, true, false},
			{word + " x", seen, true, true},
			{word + " -r x y", seen, true, true},
			{word + " 3", seen, true, true},
			{word + " #3", seen, true, true},
			{"::" + word, seen, true, true},
			{"::" + word + " x", seen, true, true},
			{":" + word + " = 7", seen, true, true},
			{" :: " + word, seen, true, true},
			{word + "(x)", unseen, false, false},
			{word + ".x", unseen, false, false},
			{word + "[0]", unseen, false, false},
			{word + "=7", unseen, false, false},
			{"!" + word, unseen, false, false},
		} {
			want := tt.pdbs
			if !pdbs[c.name] {
				want = tt.own
			}
			if !python.IsName(word) && tt.pdbs { // no name, for example reverse-step
				want = true
			}
			r := read(tt.line, tt.sees)
			if got := r.command == c; got != want {
				t.Errorf("%q: the command %s: %v, want %v", tt.line, c.name, got, want)
			}
			if r.yielded != (r.command == nil && r.word == word) {
				t.Errorf("%q: yielded is %v", tt.line, r.yielded)
			}
		}
	}
}

// TestPdbs compares the words of pdbs with the commands of the pdb of each Python.
func TestPdbs(t *testing.T) {
	theirs := map[string]bool{"!": true}
	all := pythons.All(t)
	for _, p := range all {
		out, err := exec.Command(p.Path, "-c", "import pdb; print(*(n[3:] for n in dir(pdb.Pdb) if n[:3] == 'do_'))").Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range strings.Fields(string(out)) {
			theirs[word] = true
		}
	}
	if len(theirs) < 50 {
		t.Fatalf("pdb has only %d commands", len(theirs))
	}
	for word, c := range words() {
		if theirs[word] && !pdbs[c.name] {
			t.Errorf("pdb has %s, but npdb's command of that name yields to Python", word)
		}
	}
	for name := range pdbs {
		c := byName[name]
		if c == nil {
			t.Errorf("%s is no command of the table", name)
		} else if all[len(all)-1].Minor >= 13 && !theirs[name] && !slices.ContainsFunc(c.aliases, func(a string) bool { return theirs[a] }) {
			t.Errorf("no pdb has %s", name)
		}
	}
}

// TestReadUnknown checks lines that begin with no command.
func TestReadUnknown(t *testing.T) {
	for _, line := range []string{"", "x", "x = 3", "::x", "::", ": ", "::!x", "::!x = 3"} {
		if r := read(line, unseen); r.command != nil || r.yielded || r.forced != strings.HasPrefix(line, ":") {
			t.Errorf("%q is read as %+v", line, r)
		}
	}
}

// TestTyped checks that Typed tells commands from programs.
func TestTyped(t *testing.T) {
	for line, want := range map[string]bool{
		"c": true, "continue": true, "until 10": true, " b 5": true, "b f, x == 3": true, "loop": true,
		"": false, "p = 3": false, "p += 1": false, "p=3": false, "list(x)": false, "list (x)": false, "c.f(3)": false,
		"n\nprint(n)": false, "p: int = 3": false, "p , n = 1, 2": false, "import sys": false, "print(1)": false,
	} {
		if got := Typed(line); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}
