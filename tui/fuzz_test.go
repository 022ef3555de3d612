package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/tui/keys"
)

// oddRun returns a run with calls, an exception, output, and awkward values of every kind.
func oddRun() *run {
	var source strings.Builder
	source.WriteString("def f(x, wide):\n    y = {x: wide}\n    g(y)\n    return y\n\n\ndef g(z):\n    raise ValueError(z)\n\n\n")
	for n := source.Len(); n < 4000; n = source.Len() {
		fmt.Fprintf(&source, "value_%d = f(%d, '日本語 🙂')\t# a comment e\u0301 \u202eesrever %s\n", n, n, strings.Repeat("long ", n%40))
	}
	r := newRun("/src/odd\x1b[31m.py", source.String())
	r.module(200, "i", "text", "table", "odd", "__hidden__")
	f := r.function("f", 1, 4, 2, "x", "wide", "y")
	g := r.function("g", 7, 8, 1, "z")
	for i := range 30 {
		r.line(11 + i)
		r.set(0, fmt.Sprint(i))
		r.set(1, "'"+strings.Repeat("a long text ", 40*i)+"'")
		r.set(2, "{"+strings.Repeat("'key': [1, (2, {3: 'four'})], ", 50*i)+"}")
		r.set(3, oddTexts[i%len(oddTexts)])
		r.wrote(oddTexts[i%len(oddTexts)] + "\n")
		r.tree.Enter(f)
		r.set(0, fmt.Sprint(i))
		r.set(1, "'日本語 🙂'")
		r.tree.Event(dsl.Call, 1, 0, nil)
		r.line(2)
		r.set(2, "{0: '日本語 🙂'}")
		r.line(3)
		r.tree.Enter(g)
		r.set(0, "Shelf(name='apple', count=3)")
		r.tree.Event(dsl.Call, 7, 0, nil)
		r.line(8)
		r.tree.Event(dsl.Exception, 8, 0, []byte("ValueError('\x1b]0;title\x07')"))
		r.tree.Event(dsl.Return, 8, dsl.Unwound, nil)
		r.tree.Event(dsl.Exception, 3, 0, []byte("ValueError(None)"))
		r.tree.Event(dsl.Return, 3, dsl.Unwound, nil)
	}
	r.tree.Finish()
	return r
}

// oddTexts are texts that may break the drawing on a terminal.
var oddTexts = []string{
	"\x1b[2J\x1b[H", "\x1b]52;c;aGk=\x07", "\x9b31m", "\u202e\u2066abc", "e\u0301\u0327\u0301", "👨\u200d👩\u200d👧\u200d👦", "🏳\ufe0f\u200d🌈", "\u200b\u200c\u200d\ufeff",
	"a\tb\tc", "line\rover", "\x00\x07\x08\x7f", "日本語", "ﷺ", "\U0001f1e9\U0001f1ea", "\xff\xfe", "한국어 각", "\u0600\u0605", "\x1bP+q\x1b\\",
}

// gestures returns the bound keys, and some that are not bound.
func gestures(t testing.TB) []string {
	t.Helper()
	all := []string{"enter", "esc", "tab", "backspace", "space", "up", "down", "left", "right", "pgup", "pgdown", "home", "end", "f5", "f9", "f10", "f11", "ctrl+c", "ctrl+x", "ctrl+f", "ctrl+d", "ctrl+r", "ctrl+u", "ctrl+w", "shift+f10", "alt+s"}
	for r := '!'; r <= '~'; r++ {
		all = append(all, string(r))
	}
	return append(all, "é", "日", "🙂", "e\u0301")
}

// gesture does what two numbers select: a key press, a mouse event or a new size.
func (d *driver) gesture(all []string, what, where int) {
	x, y := where%(d.m.w+2), where/(d.m.w+2)%(d.m.h+2)
	switch what %= len(all) + 40; {
	case what < len(all):
		d.tell(key(all[what]))
	case what < len(all)+15:
		d.tell(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	case what < len(all)+20:
		d.tell(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelDown})
	case what < len(all)+25:
		d.tell(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp})
	case what < len(all)+28:
		d.tell(tea.PasteMsg{Content: oddTexts[where%len(oddTexts)]})
	case what < len(all)+38:
		d.tell(tea.WindowSizeMsg{Width: where % 101, Height: where / 101 % 32})
	case what < len(all)+39:
		d.tell(tea.BackgroundColorMsg{Color: map[bool]ansi.BasicColor{true: ansi.Black, false: ansi.White}[where%2 == 0]})
	default:
		d.tell(tickMsg{})
	}
}

// sound fails unless the screen is well formed: it has as many rows as the terminal, each
// as wide as the terminal, with only text and SGR sequences in them.
func (d *driver) sound() error {
	v := d.m.View()
	if d.m.w <= 0 || d.m.h <= 0 {
		return nil
	}
	rows := strings.Split(v.Content, "\n")
	if len(rows) != d.m.h {
		return fmt.Errorf("%d rows in place of %d", len(rows), d.m.h)
	}
	for y, row := range rows {
		if w := ansi.StringWidth(row); w != d.m.w {
			return fmt.Errorf("row %d is %d columns wide, not %d: %q", y, w, d.m.w, row)
		}
		if w := ansi.StringWidthWc(row); w != d.m.w {
			return fmt.Errorf("row %d is %d columns wide by characters, not %d: %q", y, w, d.m.w, row)
		}
	}
	if at := foreign(v.Content); at >= 0 {
		return fmt.Errorf("something that steers a terminal: %q", v.Content[at:min(at+20, len(v.Content))])
	}
	if c := v.Cursor; c != nil && (c.X < 0 || c.X >= d.m.w || c.Y < 0 || c.Y >= d.m.h) {
		return fmt.Errorf("the cursor is at %d, %d of %d, %d", c.X, c.Y, d.m.w, d.m.h)
	}
	return nil
}

// foreign returns the index of the first byte of a text that is not part of a printable
// character, a line end or an SGR sequence. It is -1 if there is none.
func foreign(text string) int {
	for i := 0; i < len(text); {
		if rest, ok := strings.CutPrefix(text[i:], "\x1b["); ok {
			n := strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune("0123456789;:", r) })
			if n < 0 || rest[n] != 'm' {
				return i
			}
			i += len("\x1b[") + n + 1
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r != '\n' && escape.Hostile(r, size) {
			return i
		}
		i += size
	}
	return -1
}

// TestRandomGestures checks ten thousand random keys and mouse events, at random sizes.
func TestRandomGestures(t *testing.T) {
	const events, each = 10_000, 500
	for seed := range uint64(events / each) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 1))
			var past []byte
			all := gestures(t)
			d := drive(t, 1+random.IntN(100), 1+random.IntN(32), replayed(t, oddRun()))
			for range each {
				what, where := random.IntN(256), random.IntN(1<<16)
				past = append(past, byte(what), byte(where>>8), byte(where))
				if err := d.try(all, what, where); err != nil {
					t.Fatalf("%v\nafter %q", err, past)
				}
				if d.quit {
					d = drive(t, d.m.w, d.m.h, replayed(t, oddRun()))
				}
			}
		})
	}
}

// try does a gesture and checks the screen afterwards.
func (d *driver) try(all []string, what, where int) error {
	d.gesture(all, what, where)
	d.settle()
	if d.m.w > 0 {
		checkLayout(d.t, d.m.w, d.m.h, d.m.shape)
	}
	return d.sound()
}

func FuzzGestures(f *testing.F) {
	f.Add([]byte("0ab1cd2ef3gh"))
	f.Add([]byte("?ab/cd:ef\x10gh\x90\xff\xff"))
	all := gestures(f)
	f.Fuzz(func(t *testing.T, past []byte) {
		d := drive(t, 80, 24, replayed(t, oddRun()))
		for ; len(past) >= 3 && !d.quit; past = past[3:] {
			if err := d.try(all, int(past[0]), int(past[1])<<8|int(past[2])); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestEveryActionEverywhere checks that every action of the table can be triggered,
// whichever pane is focused and whatever the screen shows.
func TestEveryActionEverywhere(t *testing.T) {
	for _, state := range []string{"the start", "the end", "no room"} {
		for pane := range paneCount {
			t.Run(fmt.Sprintf("%s, pane %d", state, pane), func(t *testing.T) {
				t.Parallel()
				d := drive(t, 80, 24, replayed(t, oddRun()))
				for _, a := range keys.Actions() {
					if a.Name == "quit" {
						continue
					}
					switch state {
					case "the end":
						d.press("esc", "esc", "c")
					case "no room":
						d.resize(10, 1)
					}
					d.plan(d.m.focus(pane))
					d.plan(d.m.act(a.Name))
					d.settle()
					if err := d.sound(); err != nil {
						t.Errorf("%s: %v", a.Name, err)
					}
				}
			})
		}
	}
}
