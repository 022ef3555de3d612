package main

import (
	"encoding/json"
	"testing"

	"github.com/spf13/pflag"
)

func TestBeginFlags(t *testing.T) {
	const stack = `[["<module>", 9], ["f", null, "lib.py"]]`
	for _, c := range []struct {
		args  []string
		entry string
		want  string // as JSON
		fails string
	}{
		{args: nil, want: `null`},
		{args: []string{"--at", "7"}, want: `{"frames":[{"line":7}]}`},
		{args: []string{"--at", "/src/a:b.py:7"}, want: `{"frames":[{"file":"/src/a:b.py","line":7}]}`},
		{
			args: []string{"--at", "7", "--locals", `{"b": "'x'", "a": "12"}`, "--stack", stack},
			want: `{"frames":[{"function":"\u003cmodule\u003e","line":9},{"file":"lib.py","function":"f"},{"line":7,"locals":[{"name":"b","value":"'x'"},{"name":"a","value":"12"}],"complete":true}]}`,
		},
		{args: []string{"--at", "7", "--locals", "{}"}, want: `{"frames":[{"line":7,"complete":true}]}`},
		{args: []string{"--returned", "4"}, entry: "f(_)", want: `{"returned":"4","frames":[{}]}`},
		{args: []string{"--returned", "", "--at", "3"}, want: `{"returned":"","frames":[{"line":3}]}`},
		{args: []string{"--raised", "KeyError('a')", "--at", "3"}, entry: "f(_)", want: `{"raised":"KeyError('a')","frames":[{"line":3}]}`},
		{args: []string{"--at", "0"}, fails: "--at 0: this is no line; give LINE or FILE:LINE"},
		{args: []string{"--at", "f"}, fails: "--at f: this is no line; give LINE or FILE:LINE"},
		{args: []string{"--locals", "{}"}, fails: "--locals belongs to a line: give it with --at LINE"},
		{args: []string{"--stack", "[]"}, fails: "--stack belongs to a line: give it with --at LINE"},
		{args: []string{"--returned", "1", "--raised", "E()"}, entry: "f()", fails: "--returned and --raised are both given: give only one of them"},
		{args: []string{"--returned", "1"}, fails: "--returned and --raised need a function or a line: --entry 'f(_)' or --at LINE"},
		{args: []string{"--at", "1"}, entry: "f()", fails: "--at and --entry are both given: --entry begins at the call of a function, --at at a line"},
		{
			args: []string{"--at", "1", "--from", "f"}, fails: "--from runs the program up to a place, and --at, --returned and --raised run nothing: give only one of them",
		},
		{
			args: []string{"--at", "1", "--locals", `{"a": 12}`}, fails: `--locals is no JSON object of reprs, such as {"a": "12", "s": "'x'"}: the value of "a" is not a string`,
		},
		{args: []string{"--at", "1", "--locals", `{"a": "1"} x`}, fails: `--locals is no JSON object of reprs, such as {"a": "12", "s": "'x'"}: there is text after it`},
		{args: []string{"--at", "1", "--locals", `{"a b": "1"}`}, fails: `--locals is no JSON object of reprs, such as {"a": "12", "s": "'x'"}: "a b" is not a Python name`},
		{args: []string{"--at", "1", "--locals", `{"a\nb": "1"}`}, fails: `--locals is no JSON object of reprs, such as {"a": "12", "s": "'x'"}: "a\nb" is not a Python name`},
		{args: []string{"--at", "1", "--locals", `{"": "1"}`}, fails: `--locals is no JSON object of reprs, such as {"a": "12", "s": "'x'"}: "" is not a Python name`},
		{args: []string{"--at", "1", "--locals", `{"for": "1"}`}, fails: `--locals is no JSON object of reprs, such as {"a": "12", "s": "'x'"}: "for" is not a Python name`},
		{args: []string{"--at", "1", "--locals", `{"a": " "}`}, fails: `--locals is no JSON object of reprs, such as {"a": "12", "s": "'x'"}: the value of "a" is empty`},
		{args: []string{"--at", "1", "--locals", `{"a": "1", "a": "2"}`}, fails: `--locals is no JSON object of reprs, such as {"a": "12", "s": "'x'"}: it has "a" twice`},
		{args: []string{"--at", "1", "--locals", `{"a": "1"`}, fails: `--locals is no JSON object of reprs, such as {"a": "12", "s": "'x'"}: it ends too early: a " or the } is missing`},
		{args: []string{"--at", "1", "--locals", `{"a": "1}`}, fails: `--locals is no JSON object of reprs, such as {"a": "12", "s": "'x'"}: it ends too early: a " or the } is missing`},
		{args: []string{"--at", "1", "--locals", `{"a":`}, fails: `--locals is no JSON object of reprs, such as {"a": "12", "s": "'x'"}: it ends too early: a " or the } is missing`},
		{args: []string{"--at", "1", "--locals", `{'a': 1}`}, fails: `--locals is no JSON object of reprs, such as {"a": "12", "s": "'x'"}: names and values stand in double quotes, not in single ones`},
		{args: []string{"--at", "1", "--locals", `{".0": "<iterator>"}`}, want: `{"frames":[{"line":1,"locals":[{"name":".0","value":"\u003citerator\u003e"}],"complete":true}]}`},
		{args: []string{"--at", "1", "--locals", `[1]`}, fails: `--locals is no JSON object of reprs, such as {"a": "12", "s": "'x'"}: it does not begin with {`},
		{
			args: []string{"--at", "1", "--stack", `[["f"]]`}, fails: `--stack is no JSON list of frames, such as [["<module>", 9], ["f", null, "lib.py"]]: frame 1 has 1 parts`,
		},
		{
			args: []string{"--at", "1", "--stack", `[["f", 1.5]]`}, fails: `--stack is no JSON list of frames, such as [["<module>", 9], ["f", null, "lib.py"]]: frame 1 has no line`,
		},
	} {
		var f beginFlags
		fs := pflag.NewFlagSet("npdb", pflag.ContinueOnError)
		fs.String("from", "", "")
		f.define(fs)
		if err := fs.Parse(c.args); err != nil {
			t.Fatal(err)
		}
		b, err := f.beginning(fs, c.entry)
		got, _ := json.Marshal(b)
		switch {
		case c.fails != "" && (err == nil || err.Error() != c.fails):
			t.Errorf("%q: %v\nwant %s", c.args, err, c.fails)
		case c.fails == "" && (err != nil || string(got) != c.want):
			t.Errorf("%q: %s, %v\nwant %s", c.args, got, err, c.want)
		}
	}
}
