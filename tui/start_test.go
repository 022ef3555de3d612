package tui

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/tui/chooser"
)

// offered is a start screen, and the programs that were opened on it.
type offered struct {
	opened []string
	config chooser.Config
}

// offerShop offers several programs. Each of them opens shop.py.
func offerShop(t testing.TB) *offered {
	t.Helper()
	o := &offered{}
	program := func() *chooser.Program { return &chooser.Program{Session: cpython(t, "shop.py"), Name: "shop.py"} }
	offer := func(name, about, note string, resumes bool) chooser.Offer {
		of := chooser.Offer{Name: name, About: about, Note: note, Resumes: resumes, Open: func(resume bool) (*chooser.Program, error) {
			o.opened = append(o.opened, fmt.Sprintf("%s %v", name, resume))
			return program(), nil
		}}
		if strings.HasSuffix(name, ".py") {
			of.Path = func() (string, error) { return programPath(name), nil }
		}
		return of
	}
	o.config = chooser.Config{
		Mode:   "real CPython",
		Recent: []chooser.Offer{offer("shop.py", "~/shop", "12 commands, 2 hours ago", true), offer("-m pytest", "~/shop", "0 commands, 3 days ago", false)},
		Examples: []chooser.Offer{
			offer("bank.py", "A small bank whose money does not add up.", "", false),
			offer("maze.py", "Finds the shortest way out of a maze by breadth-first search.", "", false),
		},
		Traceback: func(text string) (*chooser.Program, error) {
			o.opened = append(o.opened, text)
			if !strings.Contains(text, "Error") {
				return nil, errors.New("this is no traceback")
			}
			return program(), nil
		},
		Open: func(path string, at chooser.Place) (*chooser.Program, error) {
			if at != (chooser.Place{}) {
				path = fmt.Sprint(path, at)
			}
			o.opened = append(o.opened, path)
			if filepath.Base(path) == "bad.py" {
				return nil, &trace.StartError{Message: "bad.py does not parse: line 1", Traceback: "  File \"bad.py\", line 1\nSyntaxError: invalid syntax\n"}
			}
			return program(), nil
		},
	}
	return o
}

func (o *offered) drive(t testing.TB, w, h int) *driver {
	t.Helper()
	return drive(t, w, h, session.Config{}, func(c *Config) { c.Start, c.Program = &o.config, "" })
}

func TestStartScene(t *testing.T) {
	d := offerShop(t).drive(t, 120, 36)
	d.everySize(t)
}

// TestStartChooses checks that the chosen program is opened, at its start or where it
// ended.
func TestStartChooses(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		want string
	}{
		{"the last one, resumed", []string{"enter"}, "shop.py true"},
		{"a recent one", []string{"j", "enter"}, "shop.py false"},
		{"a recent one, resumed", []string{"down", "r"}, "shop.py true"},
		{"one without a session", []string{"j", "j", "r", "enter"}, "-m pytest false"},
		{"an example, over the heading", []string{"j", "j", "j", "space"}, "bank.py false"},
		{"back over the heading", []string{"j", "j", "j", "k", "enter"}, "-m pytest false"},
		{"from the bottom", []string{"G", "k", "enter"}, "maze.py false"},
		{"from the top", []string{"G", "g", "k", "enter"}, "shop.py true"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := offerShop(t)
			d := o.drive(t, 100, 30)
			d.press(tt.keys...)
			if len(o.opened) != 1 || o.opened[0] != tt.want {
				t.Fatalf("opened %q, want %q", o.opened, tt.want)
			}
			d.shows("shop.py · real CPython")
			d.shows("PRICES = {")
			d.showsNot("another program")
		})
	}
}

func TestStartClicks(t *testing.T) {
	o := offerShop(t)
	d := o.drive(t, 100, 30)
	y := -1
	for i, row := range strings.Split(d.text(), "\n") {
		if strings.Contains(row, "maze.py") {
			y = i
		}
	}
	d.click(5, y-2) // the heading
	d.click(5, y)
	if o.opened != nil {
		t.Fatalf("one click opened %q", o.opened)
	}
	d.click(5, y)
	if len(o.opened) != 1 || o.opened[0] != "maze.py false" {
		t.Errorf("opened %q", o.opened)
	}
}

// TestStartWraps checks that the description of a program can be read if there is room,
// below it if necessary, and that a click on it chooses the program.
func TestStartWraps(t *testing.T) {
	o := offerShop(t)
	o.config.Examples[0].About = "A small bank whose money does not add up, though each of its clerks can count to a thousand."
	d := o.drive(t, 80, 24)
	d.shows("clerks can")
	d.shows("count to a thousand.")
	for y, row := range strings.Split(d.text(), "\n") {
		if strings.Contains(row, "count to a thousand.") {
			d.click(30, y)
			d.click(30, y)
		}
	}
	if len(o.opened) != 1 || o.opened[0] != "bank.py false" {
		t.Errorf("opened %q", o.opened)
	}

	d = o.drive(t, 60, 12)
	d.shows("A small bank whose money does not add…")
	d.press("G")
	d.shows("type its path")
}

// TestStartHints checks that the last row shows the keys for the row under the cursor.
func TestStartHints(t *testing.T) {
	d := offerShop(t).drive(t, 80, 24)
	for _, want := range []string{"Enter resume", "Enter debug  r resume", "Enter debug", "Enter debug", "Enter debug", "Enter type"} {
		d.shows(" " + want + "  a at a line  o open a file")
		d.press("j")
	}
}

// TestStartPath checks that a path can be typed and completed. For a file that cannot be
// debugged there is a message, and the list is shown again.
func TestStartPath(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"good.py", "bad.py", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x = 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	o := offerShop(t)
	d := o.drive(t, 160, 30)
	path := func(text string) {
		d.press("o")
		d.press("ctrl+u")
		d.write(filepath.Join(dir, text))
	}
	path("nosuch.py")
	d.press("enter")
	d.shows("there is no file " + filepath.Join(dir, "nosuch.py"))
	d.shows("another program")
	path("su")
	d.press("tab")
	d.shows(" path: " + filepath.Join(dir, "sub") + "/")
	d.press("enter")
	d.shows("is a folder")
	d.press("o", "esc", "o")
	d.shows("sub/ ") // the typed text is kept
	d.press("esc")
	path("b")
	d.press("tab", "enter")
	d.shows("SyntaxError: invalid syntax")
	d.shows("bad.py does not parse")
	path("g")
	d.press("tab")
	d.press("enter")
	d.shows("PRICES = {")
	if last := o.opened[len(o.opened)-1]; last != filepath.Join(dir, "good.py") {
		t.Errorf("opened %q", o.opened)
	}
}

// TestStartFails checks that the list is shown again after a program that does not start.
func TestStartFails(t *testing.T) {
	o := offerShop(t)
	o.config.Examples[0].Open = func(bool) (*chooser.Program, error) {
		s := cpython(t, "shop.py")
		s.Options.Script = filepath.Join(t.TempDir(), "gone.py")
		return &chooser.Program{Session: s, Name: "gone.py"}, nil
	}
	o.config.Examples[1].Open = func(bool) (*chooser.Program, error) { return nil, errors.New("no room") }
	d := o.drive(t, 120, 36)
	d.press("j", "j", "j", "enter")
	d.shows("it cannot be debugged")
	d.shows("gone.py")
	d.showsNot("gone.py · ")
	d.press("j", "enter")
	d.shows("no room")
	d.press("g", "enter") // another program can still be started
	d.shows("PRICES = {")
}

func TestStartLeaves(t *testing.T) {
	for _, k := range []string{"q", "esc", "ctrl+c"} {
		d := offerShop(t).drive(t, 100, 30)
		d.press(k)
		if !d.quit {
			t.Errorf("%s does not leave", k)
		}
		if s := d.m.summary(); s.Shown != 0 {
			t.Errorf("%+v", s)
		}
	}
}

// TestStartHelp checks that the help has exactly the keys that work here.
func TestStartHelp(t *testing.T) {
	d := offerShop(t).drive(t, 100, 40)
	d.press("?")
	d.shows("Debug the program under the cursor")
	d.showsNot("Go to the next event")
	d.press("esc")
	d.press("s", "n", "b", "c", "x", "tab", "+", "u")
	d.shows("another program")
}

func TestFirstRun(t *testing.T) {
	d := drive(t, 120, 36, session.Config{}, func(c *Config) { c.Start, c.Program, c.FirstRun = &offerShop(t).config, "", true })
	d.shows("Welcome to npdb. j and k choose a program, Enter debugs it.")
	d = drive(t, 120, 36, shop(t), func(c *Config) { c.FirstRun = true })
	d.shows("Welcome to npdb: s steps, n next line, N back, ? all keys")
}

// TestFirstRunWithCommands checks that a new user also learns which file's commands were
// run if there is no room for the output pane.
func TestFirstRunWithCommands(t *testing.T) {
	rc := []command.RC{{Path: "/home/grete/.pdbrc", Commands: []string{"b 2"}}}
	d := drive(t, 80, 24, shop(t), func(c *Config) { c.FirstRun, c.Commands.RC = true, rc })
	d.shows("/home/grete/.pdbrc")
	d.shows("Welcome to npdb: s steps, n next line, N back, ? all keys")
}

// TestStartRandom checks random keys at every size: npdb does not panic, and each row is
// as wide as the screen.
func TestStartRandom(t *testing.T) {
	o := offerShop(t)
	for i := range o.config.Examples {
		o.config.Examples[i].Open = func(bool) (*chooser.Program, error) { return nil, errors.New("a fault\nof two lines") }
		o.config.Recent[i].Open = o.config.Examples[i].Open
	}
	d := o.drive(t, 80, 24)
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test's choices
	names := []string{"j", "k", "g", "G", "enter", "r", "o", "a", "x", "tab", "?", "down", "pgdown", "pgup", "%", "left", "ctrl+l"}
	for range 400 {
		switch random.IntN(4) {
		case 0:
			d.resize(random.IntN(130), random.IntN(40))
		case 1:
			d.click(random.IntN(130), random.IntN(40))
		default:
			d.press(names[random.IntN(len(names))])
		}
		d.tell(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		for _, row := range strings.Split(d.screen(), "\n") {
			if n := ansi.StringWidthWc(row); n != d.m.w {
				t.Fatalf("a row of %d columns, the screen has %d: %q", n, d.m.w, row)
			}
		}
	}
}
