package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"github.com/npdb/npdb/themes"
)

// terminal returns facts about the terminal, from the environment and its answers.
func (g *Given) terminal(ctx context.Context) []Fact {
	var said *answers
	var unasked error
	if g.onTerminal() {
		said, unasked = g.inquire(ctx)
	}
	facts := []Fact{g.ends(), variable("TERM"), variable("COLORTERM"), g.encoding(), around(said)}
	if os.Getenv("TERM") == "" {
		facts[1].Mark, facts[1].Do = Note, "set TERM, for without it nothing is known of the terminal, and npdb shows no screen"
	}
	if !g.onTerminal() {
		return append(facts, g.colors(colorprofile.Env(os.Environ()), nil))
	}
	columns, rows, err := term.GetSize(int(g.Out.Fd()))
	size := Fact{Name: "size", Mark: Right, Text: fmt.Sprintf("%d columns, %d rows", columns, rows), Value: map[string]int{"columns": columns, "rows": rows}}
	if err != nil || columns == 0 || rows == 0 {
		size = Fact{Name: "size", Mark: Note, Text: "the terminal does not say", Do: "stty columns 80 rows 24 tells it"}
	}
	facts = append(facts, size)
	profile := colorprofile.Detect(g.Out, os.Environ())
	facts = append(facts, g.colors(profile, said))
	if unasked != nil {
		return append(facts, Fact{Name: "answers", Mark: Note, Text: "not asked: " + unasked.Error()})
	}
	return append(facts, said.facts(ctx)...)
}

func (g *Given) onTerminal() bool {
	return g.In != nil && g.Out != nil && term.IsTerminal(int(g.In.Fd())) && term.IsTerminal(int(g.Out.Fd()))
}

// ends returns a fact about standard input and output: whether they are terminals.
func (g *Given) ends() Fact {
	is := func(f *os.File) bool { return f != nil && term.IsTerminal(int(f.Fd())) }
	in, out := is(g.In), is(g.Out)
	f := Fact{Name: "standard streams", Mark: Note, Value: map[string]bool{"input": in, "output": out}}
	switch {
	case in && out:
		f.Mark, f.Text = Right, "a terminal"
	case in:
		f.Text = "output is not a terminal, so it cannot be asked"
	case out:
		f.Text = "input is not a terminal, so it cannot be asked"
	default:
		f.Text = "not a terminal"
	}
	if f.Mark == Note {
		f.Do = "npdb doctor without a pipe or a redirection asks it; the screen needs it too"
	}
	return f
}

// variable returns a fact about an environment variable that describes the terminal.
func variable(name string) Fact {
	f := Fact{Name: name, Mark: Right, Text: os.Getenv(name), Value: os.Getenv(name)}
	if f.Text == "" {
		f.Text = "not set"
	}
	return f
}

// encoding reports whether the terminal can show UTF-8.
func (g *Given) encoding() Fact {
	f := Fact{Name: "encoding", Mark: Right, Text: "UTF-8", Value: true}
	if !g.UTF8 {
		f.Mark, f.Text, f.Value = Note, "not UTF-8, as LC_ALL, LC_CTYPE and LANG have it", false
		f.Do = "export LANG=C.UTF-8 where the terminal has it"
	}
	return f
}

// around returns a fact about multiplexers and remote connections between npdb and the terminal, from
// environment variables and the terminal's answers.
func around(said *answers) Fact {
	var by []string
	if said != nil && os.Getenv("TMUX") == "" && strings.HasPrefix(said.name, "tmux") {
		by = append(by, "tmux")
	}
	for _, one := range []struct{ variable, name string }{
		{"TMUX", "tmux"}, {"STY", "screen"}, {"ZELLIJ", "zellij"}, {"SSH_CONNECTION", "ssh"}, {"SSH_TTY", "ssh"}, {"WSL_DISTRO_NAME", "WSL"},
	} {
		if os.Getenv(one.variable) != "" && (len(by) == 0 || by[len(by)-1] != one.name) {
			by = append(by, one.name)
		}
	}
	f := Fact{Name: "around it", Mark: Right, Text: strings.Join(by, ", "), Value: by}
	if len(by) == 0 {
		f.Text, f.Value = "nothing: neither tmux nor ssh", []string{}
	}
	return f
}

// depths describes the number of colors of a profile.
var depths = map[colorprofile.Profile]string{
	colorprofile.TrueColor: "16 million", colorprofile.ANSI256: "256", colorprofile.ANSI: "16",
}

// colors returns a fact about the number of colors, the background, and the resulting
// theme.
func (g *Given) colors(p colorprofile.Profile, said *answers) Fact {
	depth, some := depths[p]
	if !some {
		depth = "none"
	}
	name, dark, from := themes.Default, true, "taken for dark: it does not say"
	if g.Config != nil {
		name = g.Config.Theme
	}
	if said != nil && said.background != nil {
		dark, from = said.background.IsDark(), "as it says, "+said.background.String()
	}
	value := map[string]any{"depth": p.String(), "dark": dark, "asked": said != nil && said.background != nil}
	f := Fact{Name: "colors", Mark: Right, Value: value}
	theme, err := themes.Load(name, dark)
	if err != nil {
		f.Mark, f.Text = Wrong, err.Error()
		return f
	}
	value["theme"] = theme.Name
	background := "light"
	if dark {
		background = "dark"
	}
	f.Text = fmt.Sprintf("%s; theme %s; background %s (%s)", depth, theme.Name, background, from)
	if !some {
		f.Mark = Note
		f.Do = "NO_COLOR, TERM or a pipe turns them off; COLORTERM=truecolor where the terminal has them"
		if !g.onTerminal() {
			f.Mark, f.Do = Right, ""
		}
	}
	return f
}

// facts returns the facts that follow from a terminal's answers.
func (a *answers) facts(ctx context.Context) []Fact {
	if !a.all {
		silent := Fact{Name: "answers", Mark: Note, Text: fmt.Sprintf("the terminal did not answer within %v: what it can do is not known", patient), Value: false}
		if !a.some() {
			return []Fact{silent}
		}
		silent.Text = fmt.Sprintf("the terminal did not answer all within %v", patient)
		return append([]Fact{silent}, a.about(ctx)...)
	}
	return append([]Fact{{Name: "answers", Mark: Right, Text: a.called(), Value: true}}, a.about(ctx)...)
}

func (a *answers) called() string {
	if a.name == "" {
		return "yes; it does not say what it is called"
	}
	return "yes, as " + a.name
}

func (a *answers) about(ctx context.Context) []Fact {
	facts := []Fact{a.mouse(), a.clipboard(tmuxClipboard(ctx))}
	keys := Fact{Name: "keys", Mark: Note, Text: "not by the kitty protocol: Shift-Enter and the like cannot be told apart", Value: false}
	if a.keyboard {
		keys.Mark, keys.Text, keys.Value = Right, "by the kitty protocol", true
	}
	return append(facts, keys)
}

// mouse returns a fact about whether the terminal reports clicks anywhere on the screen (mode 1006).
func (a *answers) mouse() Fact {
	f := Fact{Name: "mouse", Mark: Right, Text: "reported", Value: true}
	switch mode, told := a.modes[ansi.ModeMouseExtSgr]; {
	case !told:
		f.Text, f.Value = "the terminal does not say", nil
	case mode.IsNotRecognized() || mode.IsPermanentlyReset():
		f.Mark, f.Text, f.Value = Note, "not reported (mode 1006)", false
	}
	return f
}

// clipboardAttribute is the attribute of a terminal that supports OSC 52.
const clipboardAttribute = 52

// clipboard returns a fact about whether copied text reaches the clipboard (OSC 52). tmux is the value
// of tmux's option set-clipboard, or "" without tmux.
func (a *answers) clipboard(tmux string) Fact {
	f := Fact{Name: "clipboard", Mark: Right, Text: "taken (OSC 52)", Value: true}
	switch {
	case tmux == "on":
		f.Text = "taken (OSC 52) by tmux, and handed on if the terminal takes it"
	case tmux != "":
		f.Mark, f.Text, f.Value = Note, "tmux takes none: its set-clipboard is "+tmux, false
		f.Do = "tmux set -s set-clipboard on"
	case a.clipboards:
	default:
		f.Text, f.Value = "the terminal does not say (OSC 52)", nil
	}
	return f
}

// tmuxClipboard returns the option set-clipboard of the tmux in which npdb runs, or "".
func tmuxClipboard(ctx context.Context) string {
	if os.Getenv("TMUX") == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	said, err := exec.CommandContext(ctx, "tmux", "show-options", "-sv", "set-clipboard").Output()
	if err != nil {
		return "" // treated as if there were no tmux
	}
	return strings.TrimSpace(string(said))
}
