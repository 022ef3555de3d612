package command

import (
	"errors"
	"testing"

	"github.com/npdb/npdb/session"
)

func TestParseLine(t *testing.T) {
	tests := []struct{ line, name, arg string }{
		{"", "", ""},
		{"  n  ", "n", ""},
		{"s 5", "s", "5"},
		{"b prog.py:3, x > 2", "b", "prog.py:3, x > 2"},
		{"c.a", "c.a", ""},
		{"c['a']", "c['a']", ""},
		{"n=5", "n=5", ""},
		{"n = 5", "n", "= 5"},
		{"list(x)", "list(x)", ""},
		{"!n = 5", "", "!n = 5"},
		{"?next", "help", "next"},
		{"? next", "help", "next"},
		{"reverse-step 2", "reverse-step", "2"},
		{"p\tx", "p", "x"},
		{"été", "", "été"},
	}
	for _, tt := range tests {
		if name, arg := parseLine(tt.line); name != tt.name || arg != tt.arg {
			t.Errorf("parseLine(%q) = %q, %q, want %q, %q", tt.line, name, arg, tt.name, tt.arg)
		}
	}
}

// TestMistyped checks the message for a mistyped command, which runs as Python and raises.
func TestMistyped(t *testing.T) {
	raised := func(says string) error { return &session.Error{Kind: session.PythonRaised, Message: says} }
	tests := []struct {
		word string
		err  error
		want string // after Python's message; "" for nothing
	}{
		{"brek", raised("SyntaxError: invalid syntax"), "break"},
		{"whre", raised("NameError: name 'whre' is not defined"), "where"},
		{"whre", raised("NameError: name 'whre' has no value here (from recorded text)"), "where"},
		{"reverse-stpe", raised("NameError: name 'reverse' is not defined"), "reverse-step"},
		{"lst", raised("SyntaxError: invalid syntax"), "list"},
		{"xs", raised("NameError: name 'xs' is not defined"), ""},
		{"", raised("SyntaxError: invalid syntax"), ""},
		{"account", raised("NameError: name 'account' is not defined"), ""},
		{"stpe", raised("NameError: name 'other' is not defined"), ""},
		{"stpe", raised("ValueError: stpe"), ""},
		{"stpe", session.Errorf(session.Refused, "stpe"), ""},
	}
	for _, tt := range tests {
		want := tt.err.Error()
		if tt.want != "" {
			want += " (did you mean the command " + tt.want + "?)"
		}
		if got := mistyped(tt.word, tt.err).Error(); got != want {
			t.Errorf("%s: %q, want %q", tt.word, got, want)
		}
	}
	other := errors.New("gone")
	if !errors.Is(mistyped("stpe", other), other) || mistyped("stpe", nil) != nil {
		t.Error("another error is not what it was")
	}
}

func TestSplitCommands(t *testing.T) {
	tests := []struct{ line, first, rest string }{
		{"n", "n", ""},
		{"n;;s", "n", "s"},
		{"n ;; s ;; p x", "n", "s ;; p x"},
		{"n ;;", "n", ""},
		{";; n", "", "n"},
		{"p ';;'", "p '", "'"}, // pdb ignores quotes too
	}
	for _, tt := range tests {
		if first, rest := splitCommands(tt.line); first != tt.first || rest != tt.rest {
			t.Errorf("splitCommands(%q) = %q, %q, want %q, %q", tt.line, first, rest, tt.first, tt.rest)
		}
	}
}

func TestExpand(t *testing.T) {
	s := &Interpreter{aliases: map[string]string{
		"pi": "p %1", "two": "p %1, %2", "all": "p %*", "nest": "pi %1", "loop": "loop", "both": "n ;; p %1",
	}}
	tests := []struct{ line, first, rest, err string }{
		{"pi x", "p x", "", ""},
		{"pi", "", "", "Not enough arguments for alias 'pi'"},
		{"pi x y", "", "", "Too many arguments for alias 'pi'"},
		{"two a b", "p a, b", "", ""},
		{"all a b c", "p a b c", "", ""},
		{"all", "p ", "", ""},
		{"nest q", "p q", "", ""},
		{"loop", "", "", "The alias 'loop' stands for itself"},
		{"both v", "n", "p v", ""},
		{"alias z n ;; n", "alias z n ;; n", "", ""},
		{"n", "n", "", ""},
	}
	for _, tt := range tests {
		first, after, err := s.expand(pending{line: tt.line})
		rest := after.line
		said := ""
		if err != nil {
			said = err.Error()
		}
		if first != tt.first || rest != tt.rest || said != tt.err {
			t.Errorf("expand(%q) = %q, %q, %q, want %q, %q, %q", tt.line, first, rest, said, tt.first, tt.rest, tt.err)
		}
	}
}
