//go:build unix

package trace

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTyped checks that the typed keys depend on the mode that the program has set.
func TestTyped(t *testing.T) {
	lines := unix.Termios{Iflag: unix.ICRNL, Lflag: unix.ICANON}
	keys := unix.Termios{Iflag: unix.ICRNL}
	raw := unix.Termios{}
	for _, mode := range []*unix.Termios{&lines, &keys, &raw} {
		mode.Cc[unix.VEOF] = 4
	}
	long := strings.Repeat("x", longestLine)
	for _, c := range []struct {
		name string
		mode unix.Termios
		text string
		eof  bool
		want string
	}{
		{"a line", lines, "a\n", false, "a\n"},
		{"lines of another system", lines, "a\r\nb\r\n", false, "a\nb\n"},
		{"no whole line", lines, "a\nb", false, "a\nb\x04"},
		{"nothing", lines, "", false, ""},
		{"the end", lines, "", true, "\x04"},
		{"a line, then the end", lines, "a\n", true, "a\n\x04"},
		{"no whole line, then the end", lines, "a", true, "a\x04\x04"},
		{"the longest line", lines, long[1:] + "\n", false, long[1:] + "\n"},
		{"a longer line", lines, long + "\n", false, long + "\x04\n"},
		{"a long piece", lines, long + "y", false, long + "\x04y\x04"},
		{"a key", keys, "q", false, "q"},
		{"Enter, made a line end by the terminal", keys, "q\n", false, "q\n"},
		{"Enter", raw, "q\n", false, "q\r"},
		{"the key for the end", raw, long + "q", true, long + "q\x04"},
	} {
		pieces := typed(c.text, c.eof, &c.mode)
		if got := string(bytes.Join(pieces, nil)); got != c.want {
			t.Errorf("%s: %q is typed as %q, want %q", c.name, c.text, got, c.want)
		}
		for _, piece := range pieces {
			if c.mode.Lflag&unix.ICANON != 0 && bytes.IndexAny(piece, "\n\x04") != len(piece)-1 {
				t.Errorf("%s: %q is typed at once, which is more than a line", c.name, piece)
			}
		}
	}
}

// TestTerminalSize checks the size of a program's terminal, within the possible sizes.
func TestTerminalSize(t *testing.T) {
	made, err := newTerminal(Terminal{Columns: 100, Rows: 30})
	if err != nil {
		t.Fatal(err)
	}
	defer made.close()
	for _, c := range []struct {
		size      Terminal
		col, rows uint16
	}{
		{Terminal{100, 30}, 100, 30}, {Terminal{}, 80, 24}, {Terminal{-1, -1}, 80, 24}, {Terminal{1, 1}, 1, 1}, {Terminal{65535, 65536}, 65535, 65535},
	} {
		if err := made.resize(c.size); err != nil {
			t.Fatal(err)
		}
		if got, err := unix.IoctlGetWinsize(int(made.slave.Fd()), unix.TIOCGWINSZ); err != nil || got.Col != c.col || got.Row != c.rows {
			t.Errorf("%+v is %+v, %v", c.size, got, err)
		}
	}
}

// TestTerminalInput checks that typed input stays until it is read, and that typing fails
// when the terminal is gone.
func TestTerminalInput(t *testing.T) {
	made, err := newTerminal(Terminal{})
	if err != nil {
		t.Fatal(err)
	}
	p := &process{terminal: made, exited: make(chan struct{})}
	if p.hasInput() {
		t.Error("something is there at first")
	}
	if err := p.input("ab\n", false); err != nil || !p.hasInput() {
		t.Errorf("a line: %v, or it is not there", err)
	}
	got := make([]byte, 9)
	if n, err := unix.Read(int(made.slave.Fd()), got); err != nil || string(got[:n]) != "ab\n" || p.hasInput() {
		t.Errorf("read %q, %v", got[:n], err)
	}
	p.resize(Terminal{Columns: 7})
	if size, err := unix.IoctlGetWinsize(int(made.slave.Fd()), unix.TIOCGWINSZ); err != nil || size.Col != 7 {
		t.Errorf("resized to %+v, %v", size, err)
	}
	made.close()
	if err := p.input("c\n", false); err == nil || !p.hasInput() {
		t.Errorf("closed: %v", err)
	}
}

// TestTerminalTypesWithoutEcho checks that input of any length is not echoed on a terminal
// that echoes, and that the echo is on whenever the program has something to read.
func TestTerminalTypesWithoutEcho(t *testing.T) {
	made, err := newTerminal(Terminal{})
	if err != nil {
		t.Fatal(err)
	}
	defer made.close()
	p := &process{terminal: made, exited: make(chan struct{})}
	long := strings.Repeat("0123456789\x16\x17ä", 500) + "\n"
	if err := p.input("a\n"+long, false); err != nil {
		t.Fatal(err)
	}
	if err := p.input("end", true); err != nil {
		t.Fatal(err)
	}
	var read strings.Builder
	for p.hasInput() {
		if err := made.feed(); err != nil || !made.readable() {
			t.Fatalf("feed: %v, or nothing is there", err)
		}
		if p.unseen() {
			t.Fatal("the echo is off while there is something to read")
		}
		got := make([]byte, 2*longestLine)
		n, err := unix.Read(int(made.slave.Fd()), got)
		if err != nil || bytes.IndexByte(got[:n], '\n') >= 0 && bytes.IndexByte(got[:n], '\n') != n-1 {
			t.Fatalf("read %q, %v", got[:n], err)
		}
		read.Write(got[:n])
	}
	if read.String() != "a\n"+long+"end" {
		t.Errorf("read %q", read.String())
	}
	if _, err := made.slave.WriteString("written"); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 9999)
	if n, err := made.master.Read(got); err != nil || string(got[:n]) != "written" {
		t.Errorf("the terminal shows %q, %v", got[:n], err)
	}
}

// TestTerminalMode checks that the default mode has lines and signals, and no editing or
// flow control.
func TestTerminalMode(t *testing.T) {
	all := unix.Termios{Iflag: ^unix.Termios{}.Iflag, Oflag: ^unix.Termios{}.Oflag, Lflag: ^unix.Termios{}.Lflag}
	for i := range all.Cc {
		all.Cc[i] = 1
	}
	none := unix.Termios{}
	for _, mode := range []*unix.Termios{&all, &none} {
		before := *mode
		setMode(mode)
		const stopping, lines = unix.IXON | unix.IXOFF | unix.IXANY | unix.IMAXBEL, unix.ICANON | unix.ISIG | unix.ECHO
		if mode.Iflag != before.Iflag&^stopping|unix.ICRNL || mode.Oflag != before.Oflag&^unix.ONLCR || mode.Lflag != before.Lflag|lines {
			t.Errorf("%+v became %+v", before, *mode)
		}
	}
	off := map[int]bool{
		unix.VERASE: true, unix.VKILL: true, unix.VWERASE: true, unix.VREPRINT: true, unix.VLNEXT: true,
		unix.VSUSP: true, unix.VQUIT: true, unix.VSTART: true, unix.VSTOP: true,
	}
	for i, c := range all.Cc {
		if want := map[bool]byte{true: noCharacter, false: 1}[off[i]]; c != want {
			t.Errorf("character %d is %d, want %d", i, c, want)
		}
	}
}
