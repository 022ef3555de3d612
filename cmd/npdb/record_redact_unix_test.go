//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/saved"
)

// secretive has secrets in every place that a recording file keeps; all contain "7qB". The loop
// makes events for an index.
const secretive = `import sys
API_KEY = "Zx9-literal-7qB01"
class Client:
    def __init__(self, user, password):
        self.user, self.password = user, password
        self.token = "tok-" + password[::-1]
class Opaque:
    def __init__(self, secret):
        self.secret = secret
    def __repr__(self):
        return "Opaque(" + self.secret + ")"
def get_password():
    return "Ret-urned-7q" + "B02"
def first(value):
    later = value
    return [later, (1, later)]
def main(args):
    c = Client("ann", "Attr-ibute-7qB03")
    o = Opaque("Op-aque-7qB14")
    config = {"host": "home", "db_password": "Dict-Value-7qB04", "nested": {"secret": ["List-In-7qB05", 3]}}
    x = first("Harmless-7" + "qB06")
    password = x[0]
    credentials = ["Cred-List-7qB07"]
    pw = get_password()
    print("connecting with", password, "and", c.password)
    print("Dict-", end="", flush=True); print("Value-", end="", flush=True); print(config["db_password"][11:])
    sys.stderr.write("err " + API_KEY + "\n")
    k = "AKIA" + "ABCDEFGHIJKL7QBC"
    seen = {password: 1, k: 2, "plain": 3}
    del seen[password]
    big = {"api_key": "Long-7qB08-" * 200}
    same = big["api_key"]
    arg = args[1:]
    typed = input()
    secret = typed
    n = 0
    while n < ROUNDS:
        n += 1
    raise ValueError("bad " + password)
main(sys.argv)
`

// wantNoSecret checks that no secret of secretive is in any chunk of a file.
func wantNoSecret(t *testing.T, path string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	r, err := saved.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if args := strings.Join(r.Header.Args, " "); strings.Contains(args, "7qB") || !strings.Contains(args, "--verbose") {
		t.Errorf("%s has the arguments %s", path, args)
	}
	for {
		kind, data, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"7qB", "7QBC", "Bq7"} {
			if at := bytes.Index(data, []byte(secret)); at >= 0 {
				t.Errorf("%s has in a chunk of kind %c: %q", path, kind, data[max(at-60, 0):min(at+40, len(data))])
			}
		}
	}
}

// TestRecordRedacted checks that the files of npdb record --redact, of --save and of the command save
// have no secret, in the log or in the index, and that everything else is there.
func TestRecordRedacted(t *testing.T) {
	dir, npdb := npdbIn(t)
	args := []string{"--password", "Arg-7qB10", "--token=Arg-7qB11", "--verbose"}
	write := func(rounds string) {
		if err := os.WriteFile(filepath.Join(dir, "prog.py"), []byte(strings.Replace(secretive, "ROUNDS", rounds, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(input string, flags ...string) {
		t.Helper()
		cmd := npdb(append(append(flags, "prog.py"), args...)...)
		cmd.Stdin = strings.NewReader(input)
		if said, err := cmd.CombinedOutput(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 1 {
			t.Fatalf("%v: %v: %s", flags, err, said)
		}
	}
	python := pythons.Any(t)
	write("50100") // more than 100,000 events: an index
	run("Typed-7qB09\n", "record", "--redact", "--python", python, "-o", "record.npdb")
	write("10")
	run("Typed-7qB09\n", "record", "--redact", "--keep", "last:1000", "--python", python, "-o", "kept.npdb")
	run("c\nTyped-7qB09\nq\n", "--plain", "--redact", "--python", python, "--save", "saved.npdb")
	run("c\nTyped-7qB09\nsave command.npdb\nq\n", "--plain", "--redact", "--python", python)
	for _, name := range []string{"record.npdb", "kept.npdb", "saved.npdb", "command.npdb"} {
		wantNoSecret(t, filepath.Join(dir, name))
		rec, landing, err := trace.OpenFile(filepath.Join(dir, name), trace.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		tree := rec.Tree()
		at := landing.Event
		for tree.At(at).Depth == 0 && at > 0 {
			at-- // after the end, the landing is in the module
		}
		got := map[string]string{}
		for _, l := range tree.State(at).Locals {
			got[l.Name] = l.Value
		}
		for local, want := range map[string]string{
			"config":      "{'host': 'home', 'db_password': '<redacted>', 'nested': {'secret': ['<redacted>', 3]}}",
			"credentials": "['<redacted>']", "c": "Client(user='ann', password='<redacted>', token='<redacted>')",
			"x": "['<redacted>', (1, '<redacted>')]", "arg": "['--password', '<redacted>', '<redacted>', '--verbose']",
			"password": "'<redacted>'", "k": "'<redacted>'", "same": "'<redacted>'",
		} {
			if got[local] != want {
				t.Errorf("%s: %s is %s, want %s", name, local, got[local], want)
			}
		}
		if seen := got["seen"]; !strings.HasPrefix(seen, "{'<redacted ") || !strings.HasSuffix(seen, ">': 2, 'plain': 3}") {
			t.Errorf("%s: seen is %s", name, seen)
		}
		var output strings.Builder
		for _, o := range rec.Output(-1, -1) {
			output.WriteString(o.Text)
		}
		if !strings.Contains(output.String(), "connecting with <redacted> and <redacted>\n") {
			t.Errorf("%s: the output is %s", name, output.String())
		}
		if err := errors.Join(tree.Err(), rec.Close()); err != nil {
			t.Error(err)
		}
	}
}
