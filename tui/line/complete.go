package line

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// held collects the keys that are typed after a Tab until its completion arrives. They then act on
// the completed line, as in a shell: Tab and Enter typed at once run the completed line.
type held struct {
	tab  bool
	msgs []tea.Msg // keys and pasted text
}

// leaves reports whether an action runs at once although a completion is awaited, which may take
// long.
func leaves(action string) bool {
	switch action {
	case "cancel", "leave-command-line", "leave-path":
		return true
	}
	return false
}

// Hold collects the following keys until a completion arrives.
func (l *Line) Hold() { l.held.tab = true }

// Holds reports whether typed keys wait for a completion.
func (l *Line) Holds() bool { return l.Typing && l.held.tab }

// Unhold drops the keys after a Tab. It drops the Tab too, unless its completion was requested
// already (asked).
func (l *Line) Unhold(asked bool) {
	l.held = held{tab: l.held.tab && asked}
}

// Release ends Hold and returns the collected keys. The caller passes those after another Tab to
// Keep.
func (l *Line) Release() []tea.Msg {
	msgs := l.held.msgs
	l.held = held{}
	return msgs
}

// Keep holds keys that were typed after a Tab until its completion is there.
func (l *Line) Keep(msgs []tea.Msg) { l.held.msgs = msgs }

// Completions are the completions of a line. Before is the text before the cursor; each of Words
// can replace it from byte From on.
type Completions struct {
	Before string
	From   int
	Words  []string
}

// Complete inserts the beginning that all completions share, and lists them if there are several.
func (l *Line) Complete(c Completions) {
	text, at := l.Text(), pane.Position(&l.input)
	from, words := c.From, c.Words
	if text[:at] != c.Before {
		return // the user has left the line and begun another one
	}
	if len(words) == 0 {
		l.Flash = "Nothing is known that goes on like this."
		return
	}
	common := words[0]
	for _, w := range words[1:] {
		n := 0
		for n < min(len(common), len(w)) && common[n] == w[n] {
			n++
		}
		common = common[:n]
	}
	common = strings.ToValidUTF8(common, "")
	if l.of == keys.CommandLine && len(words) == 1 && !strings.HasSuffix(common, ":") {
		common += " "
	}
	l.offer = nil
	if len(words) > 1 {
		l.offer = words
	}
	if len(common) > len(text[from:at]) {
		l.input.SetValue(text[:from] + common + text[at:])
		l.input.SetCursor(len([]rune(text[:from] + common)))
	}
}

// Path returns the typed path, with the home folder for ~.
func (l *Line) Path() (string, error) { return untilde(strings.TrimSpace(l.Text())) }

// CompletePath lists the files and folders that a path can continue with.
func CompletePath(before string) tea.Cmd {
	return func() tea.Msg {
		dir, part := filepath.Split(before)
		folder, err := untilde(dir)
		if folder == "" {
			folder = "."
		}
		if err != nil {
			return Completions{Before: before}
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			return Completions{Before: before}
		}
		var words []string
		for _, e := range entries {
			name := e.Name()
			if !strings.HasPrefix(name, part) || part == "" && strings.HasPrefix(name, ".") {
				continue
			}
			info, err := os.Stat(filepath.Join(folder, name)) // follows links
			switch {
			case err != nil:
			case info.IsDir():
				words = append(words, name+string(filepath.Separator))
			case filepath.Ext(name) == ".py" || part != "" && !strings.Contains(name, "."):
				words = append(words, name)
			}
		}
		return Completions{before, len(dir), words}
	}
}

// untilde replaces a leading ~ by the home folder.
func untilde(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return home + rest, nil
}
