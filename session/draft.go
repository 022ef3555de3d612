package session

import (
	"fmt"
	"slices"
	"strings"
)

// draft is the answer that is being built for the current command.
type draft struct {
	cfg     *Config
	program *program

	answer *Answer
	stop   *stop // nil if the command did not move
	seq    int   // the sequence number of the answer
	page   page
	output outputCursor
}

// stop describes how the current answer shows the stop that the command led to.
type stop struct {
	shown bool // the location was shown, or a silent breakpoint hides it
	still bool // the position did not change, so only the notice is shown
	died  bool // the uncaught exception has just been raised, and the program has printed its traceback
}

// page records how far last or history has come, which show their results page by page. The same
// command given again right after it continues there.
type page struct {
	command, expr string
	activation    uint32
	at            int // sequence number of the command's answer
	next          int // continue before this event, or before this index of a list
}

// say adds output of the current command to the answer.
func (d *draft) say(text string) {
	d.answer.Chunks = append(d.answer.Chunks, Chunk{Kind: Said, Text: text})
}

func (d *draft) sayf(format string, a ...any) { d.say(fmt.Sprintf(format, a...)) }

func (d *draft) notice(format string, a ...any) {
	d.answer.Chunks = append(d.answer.Chunks, Chunk{Kind: Notice, Text: fmt.Sprintf(format, a...)})
}

func (d *draft) where(format string, a ...any) {
	d.answer.Chunks = append(d.answer.Chunks, Chunk{Kind: Where, Text: fmt.Sprintf(format, a...)})
}

// printed reports whether the program's last output in the answer ends with this line.
func (d *draft) printed(line string) bool {
	for _, c := range slices.Backward(d.answer.Chunks) {
		if c.Kind == Wrote {
			return strings.HasSuffix(c.Text, "\n"+line+"\n")
		}
	}
	return false
}

// Say adds output of the current command to the answer.
func (d *draft) Say(text string) { d.say(text) }

// Notice adds a message that the user did not ask for to the answer.
func (d *draft) Notice(format string, a ...any) { d.notice(format, a...) }

// Said returns everything that was added since the last answer, as an answer without a state.
func (d *draft) Said() *Answer {
	a := &Answer{Chunks: d.answer.Chunks}
	d.answer = &Answer{}
	return a
}

// Quits reports whether the session ends after the current answer.
func (d *draft) Quits() bool { return d.answer.Quit }

// goOn returns where a command that lists in pages continues if it is given again. ok is false if the answer
// before this one was not to the same command.
func (d *draft) goOn(command, expr string, act uint32) (next int, ok bool) {
	p := d.page
	return p.next, p.command == command && p.expr == expr && p.activation == act && p.at == d.seq-1
}

// key returns how the user runs a command: its key, or the command as it is typed.
func (d *draft) key(command string) string {
	if d.cfg.Key == nil {
		return command
	}
	return d.cfg.Key(command)
}

// interrupted describes what happened to the interrupted move. Where commands are typed, it uses
// pdb's words.
func (d *draft) interrupted() string {
	switch {
	case d.program.rec == nil:
		return "The question was cancelled. (" + d.key("retry") + " asks it again.)"
	case d.cfg.Key == nil:
		return "Program interrupted. (Use 'cont' to resume)."
	}
	return "Program interrupted; " + d.key("continue") + " goes on."
}
