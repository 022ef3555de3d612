package tui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/python/traceback"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// raised is a traceback as a terminal pastes it: with CR for line ends, and with colors.
const raised = "\x1b[1mTraceback\x1b[0m (most recent call last):\r  File \"double.py\", line 3, in f\r    return y;; y\rValueError: 3\r"

// closing is a recording that remembers that it was closed.
type closing struct {
	session.Recording
	closed bool
}

func (c *closing) start(ctx context.Context, o trace.Options) (_ session.Recording, l trace.Landing, err error) {
	c.Recording, l, err = session.StartTrace(ctx, o)
	return c, l, err
}

func (c *closing) Close() error {
	c.closed = true
	return c.Recording.Close()
}

// TestTracebackReplacesSession checks that a pasted traceback begins another session, after the command
// and in its dialogue, and that the session stays if the text is not a traceback.
func TestTracebackReplacesSession(t *testing.T) {
	var texts []string
	first, program := cpython(t, "shop.py"), &closing{}
	first.Start = program.start
	d := drive(t, 120, 36, first, func(c *Config) {
		c.Traceback = func(ctx context.Context, text string, connect func(*session.Config)) (*session.Session, string, error) {
			if texts = append(texts, text); !strings.Contains(text, "ValueError") {
				return nil, "", errors.New("this is no traceback")
			}
			cfg, _ := guessingConfig(t)
			connect(&cfg)
			s, err := session.Open(ctx, cfg)
			return s, "double.py", err
		}
	})
	want := "Traceback (most recent call last):\n  File \"double.py\", line 3, in f\n    return y;; y\nValueError: 3"
	d.press(":")
	d.write("traceback ")
	d.paste("no\rtraceback")
	d.press("enter")
	d.shows("traceback: this is no traceback")
	d.shows("shop.py · real CPython")

	d.press(":")
	d.write("traceback")
	d.paste(raised)
	d.shows("return y;; y␤ValueError: 3")
	d.press("enter")
	d.shows("double.py · neural")
	if !program.closed {
		t.Error("the program of the session before was not ended")
	}
	d.press("R")
	d.shows("inferred · 1 of 5, leads here")

	d.press(":")
	d.write("traceback")
	d.press("enter")
	d.shows("(traceback) ")
	d.paste(raised)
	d.press("enter")
	d.shows("1 of 1") // the number of states

	d.paste(raised) // without the command
	d.shows("(npdb) :traceback Traceback")
	d.press("enter")
	d.shows("1 of 1")
	if got := strings.Join(texts[1:], "|"); got != want+"|"+want+"|"+want {
		t.Errorf("the texts are %q", texts)
	}
}

// TestPasteKeepsTracebacks checks that the command line passes a pasted traceback on as it is read from
// its file, in all forms that programs print.
func TestPasteKeepsTracebacks(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "python", "traceback", "testdata", "real", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	got := ""
	d := drive(t, 120, 36, cpython(t, "shop.py"), func(c *Config) {
		c.Traceback = func(_ context.Context, text string, _ func(*session.Config)) (*session.Session, string, error) {
			got = text
			return nil, "", errors.New("not now")
		}
	})
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := traceback.Parse(string(raw))
		if err != nil || len(want.Frames) == 0 {
			continue
		}
		got = ""
		d.press(":")
		d.write("traceback ")
		d.paste(strings.ReplaceAll(string(raw), "\n", "\r"))
		d.press("enter")
		if read, err := traceback.Parse(got); err != nil || !reflect.DeepEqual(read, want) {
			t.Errorf("%s: it is read as %+v, %v\nwant %+v", filepath.Base(file), read, err, want)
		}
	}
}

// TestStartTraceback checks that a text of several lines that is pasted on the start screen is a
// traceback.
func TestStartTraceback(t *testing.T) {
	o := offerShop(t)
	d := o.drive(t, 120, 36)
	d.paste("nothing\rof the kind\r")
	d.shows("this is no traceback")
	d.press("o")
	d.paste(raised)
	d.shows("shop.py · real CPython")
	if len(o.opened) != 2 || o.opened[1] != raised {
		t.Errorf("opened %q", o.opened)
	}
}

// TestStartAtALine checks that a line and locals can be given on the start screen, for the program under
// the cursor and after a typed path.
func TestStartAtALine(t *testing.T) {
	odd := filepath.Join(t.TempDir(), "odd:7")
	if err := os.WriteFile(odd, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	shop := programPath("shop.py")
	for _, tt := range []struct {
		name  string
		keys  []string
		typed string
		want  string // what was opened, or a message
	}{
		{"the program under the cursor", []string{"j", "a"}, "4", shop + "{4 }"},
		{"with locals", []string{"j", "a"}, `4 {"n": "3"}`, shop + `{4 {"n": "3"}}`},
		{"a typed path", []string{"o"}, shop + `:4  {"n": "'}'"}`, shop + `{4 {"n": "'}'"}}`},
		{"the row for paths", []string{"G", "a"}, shop + ":4", shop + "{4 }"},
		{"a file with such a name", []string{"o"}, odd, odd},
		{"no such line", []string{"o"}, shop + ":0", "shop.py: write PATH:LINE, such as prog.py:12"},
		{"a module", []string{"j", "j", "a"}, "", "A module has no file here: o takes a path and a line, such as prog.py:12."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := offerShop(t)
			d := o.drive(t, 120, 36)
			d.press(tt.keys...)
			d.write(tt.typed)
			if tt.typed != "" {
				d.press("enter")
			}
			if len(o.opened) == 0 {
				d.shows(tt.want)
			} else if o.opened[0] != tt.want {
				t.Errorf("opened %q, want %q", o.opened, tt.want)
			}
		})
	}
}
