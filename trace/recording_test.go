//go:build unix

package trace

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestDefaultLimits checks that unset and invalid limits become the default.
func TestDefaultLimits(t *testing.T) {
	defaults := Limits{
		Events: 20_000_000, Bytes: 4 << 30, ValueBytes: 16 << 20, Items: 100_000, OutputBytes: 64 << 20,
		MessageBytes: 1 << 30, ReprTime: time.Second, Slowdown: 2, StartTime: time.Minute,
	}
	if got := (Limits{}).orDefault(); got != defaults {
		t.Errorf("of nothing: %+v", got)
	}
	below := Limits{Events: -1, Bytes: -1, ValueBytes: -1, Items: -1, OutputBytes: -1, MessageBytes: -1, ReprTime: -1, StartTime: -1}
	if got := below.orDefault(); got != defaults {
		t.Errorf("below 0: %+v", got)
	}
	set := Limits{Events: 1, Bytes: 1, ValueBytes: 1, Items: 1, OutputBytes: 1, MessageBytes: 1, ReprTime: 1, Slowdown: Unbounded, StartTime: 1}
	if got := set.orDefault(); got != set {
		t.Errorf("what is set: %+v", got)
	}
	size := func(events, budget int) int {
		return chunkSize(Options{Limits: Limits{Events: events}, Budget: Budget{Events: budget}})
	}
	if least, most := size(1<<20-1, 0), size(1<<20, 0); least != 16<<10 || most != 256<<10 {
		t.Errorf("chunks of %d and %d bytes", least, most)
	}
}

// TestOptionsAsFields checks the names and values of the options for the loader.
func TestOptionsAsFields(t *testing.T) {
	seed := int64(-7)
	for _, c := range []struct {
		o    Options
		want map[string]string
	}{
		{Options{Script: "a.py", Args: []string{"x", "y"}}, map[string]string{"kind": "script", "target": "a.py", "announce": "1", "random_seed": "", "audit": "0"}},
		{Options{Module: "m", Code: "1"}, map[string]string{"kind": "module", "target": "m"}},
		{Options{Code: "1", Entry: "f()", From: "g"}, map[string]string{"kind": "code", "target": "1", "entry": "f()", "from": "g"}},
		{
			Options{Stdin: strings.NewReader(""), RandomSeed: &seed, Audit: AuditOff, UserCode: []string{"a", "b"}, LibraryCode: []string{"c", "d"}, Named: []string{"e", "f"}},
			map[string]string{"announce": "0", "random_seed": "-7", "audit": "-1", "user_code": "a\nb", "library_code": "c\nd", "named": "e\nf"},
		},
		{
			Options{Limits: Limits{ValueBytes: 5, Items: 6, Slowdown: 1.5}},
			map[string]string{"value_bytes": "5", "items": "6", "slowdown": "1.5", "signal": "23"},
		},
	} {
		fields := c.o.fields()
		if args := len(c.o.Args); fields[0] != []string{"0", "1", "2"}[args] || !reflect.DeepEqual(fields[1:1+args], append([]string{}, c.o.Args...)) {
			t.Errorf("arguments %q in %q", c.o.Args, fields)
		}
		got := map[string]string{}
		for named := fields[1+len(c.o.Args):]; len(named) > 0; named = named[2:] {
			got[named[0]] = named[1]
		}
		for name, want := range c.want {
			if got[name] != want {
				t.Errorf("%s is %q, want %q", name, got[name], want)
			}
		}
	}
}

// TestShownName checks that a file inside the program's folder, also through links, is
// shown relative to it.
func TestShownName(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "real"), 0o700), os.Symlink("real", link)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o          Options
		path, want string
	}{
		{Options{Dir: dir}, dir + "/a.py", "a.py"},
		{Options{Dir: dir}, dir + "/sub/a.py", "sub/a.py"},
		{Options{Dir: dir}, dir + "/..a.py", "..a.py"},
		{Options{Dir: dir + "/sub"}, dir + "/a.py", dir + "/a.py"},
		{Options{Dir: dir + "/sub"}, dir, dir},
		{Options{Dir: dir}, "<string>", "<string>"},
		{Options{Dir: dir, Script: "sub/p.py"}, dir + "/sub/a.py", "a.py"},
		{Options{Dir: "/elsewhere", Script: dir + "/p.py"}, dir + "/a.py", "a.py"},
		{Options{Dir: link}, link + "/a.py", "a.py"},
		{Options{Dir: link}, dir + "/real/a.py", "a.py"},
	} {
		if got := c.o.ShownName(c.path); got != c.want {
			t.Errorf("%s in %s, script %q: %s, want %s", c.path, c.o.Dir, c.o.Script, got, c.want)
		}
	}
}

// TestSourceAsUTF8 checks that source that is not UTF-8 is read as Latin-1, and that a
// byte order mark is not part of it.
func TestSourceAsUTF8(t *testing.T) {
	for source, want := range map[string]string{
		"x = 'é'\n": "x = 'é'\n", "\ufeffx\n": "x\n", "x = '\xe9\xff'\n": "x = 'éÿ'\n", "\ufeff\xe9": "é", "": "",
	} {
		if got := string(asUTF8([]byte(source))); got != want {
			t.Errorf("%q is %q, want %q", source, got, want)
		}
	}
}

// TestAddFile checks that a file that may run later is registered, if it can be read.
func TestAddFile(t *testing.T) {
	s := scriptedAt(t, standing("module"))
	path := filepath.Join(t.TempDir(), "later.py")
	if n, err := s.rec.AddFile(path); err == nil || n != 0 || !strings.HasPrefix(err.Error(), `cannot read "`+path+`": `) {
		t.Errorf("a file that is not there: %d, %v", n, err)
	}
	if err := os.WriteFile(path, []byte("x = '\xe9'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if n, err := s.rec.AddFile(path); n != 2 || err != nil {
			t.Errorf("added as %d, %v", n, err)
		}
	}
	if files := s.rec.Tree().Files(); len(files) != 3 || string(files[2].Source) != "x = 'é'\n" || files[2].Path != path {
		t.Errorf("the files are %+v", files)
	}
}

// TestRefused checks that a refused program is reported with the tracer's message. An
// unknown reason is not accepted, and neither is a late one.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		begun  bool
		fields []string
		want   error
	}{
		"no file":      {false, []string{"no_program", "a\nb.py: none", "T"}, &StartError{Kind: NoProgram, Message: `a\x0ab.py: none`, Traceback: "T"}},
		"a folder":     {false, []string{"is_directory", "a\nb", ""}, &StartError{Kind: IsDirectory, Message: `a\x0ab`}},
		"no Python":    {false, []string{"syntax_error", "a\nb", "T"}, &StartError{Kind: SyntaxError, Message: `a\x0ab`, Traceback: "T"}},
		"no call":      {false, []string{"entry_invalid", "a\nb", ""}, &StartError{Kind: EntryInvalid, Message: "a\nb"}},
		"no place":     {false, []string{"from_invalid", "a\nb", ""}, &StartError{Kind: FromInvalid, Message: "a\nb"}},
		"it raised":    {false, []string{"start_failed", "a\nb", "T"}, &StartError{Kind: StartFailed, Message: "a\nb", Traceback: "T"}},
		"none that is": {false, []string{"old_python", "x", ""}, &ChannelError{errors.New(`the tracer refuses the program for an unknown reason: "old_python"`)}},
		"late":         {true, []string{"no_program", "x", ""}, &ChannelError{errors.New("the tracer refuses a program that has begun")}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScripted(t)
			if c.begun {
				s.write(standing("module"))
			}
			s.say(msgRefused, c.fields...)
			l, err := s.rec.await(t.Context())
			if !reflect.DeepEqual(l, Landing{}) || !reflect.DeepEqual(err, c.want) {
				t.Errorf("%+v, %#v, want %#v", l, err, c.want)
			}
		})
	}
}

// TestStopWithoutAState checks that a stop before the first state ends the recording.
func TestStopWithoutAState(t *testing.T) {
	s := newScripted(t)
	s.say(msgStop, "landed", "0")
	s.over()
	if _, err := s.rec.await(t.Context()); !errors.Is(err, errNoState) || !errors.As(err, new(*ChannelError)) {
		t.Errorf("%v", err)
	}
}

// TestFaultOverRecords checks that a panic of npdb while decoding ends the recording, and
// reports where it happened.
func TestFaultOverRecords(t *testing.T) {
	s := scriptedAt(t, standing("module"))
	s.rec.mu.Lock()
	s.rec.decode.output = func(int, byte, []byte) { panic("no such thing") }
	s.rec.mu.Unlock()
	s.write(new(written).rec(recOut, []byte{1, 1, 0, 0, 0, 'x'}))
	s.say(msgNotice, "x")
	s.over()
	_, err := s.rec.await(t.Context())
	const says, place = "npdb failed to decode what the tracer wrote: no such thing, in github.com/npdb/npdb/trace.", "TestFaultOverRecords"
	if err == nil || !strings.HasPrefix(err.Error(), says) || !strings.Contains(err.Error(), place) || !errors.As(err, new(*ChannelError)) {
		t.Errorf("%v", err)
	}
}
