package session

import "fmt"

// draft is the answer being built.
type draft struct {
	cfg     *Config
	program *program

	answer *Answer
	stop   *stop // nil when nothing moved
	seq    int   // the number of the answer
	page   page
	output outputCursor
}

// stop is the stop that the current answer shows.
type stop struct {
	shown bool // its location was shown, or a silent breakpoint hides it
	still bool // nothing moved: only the notice is worth showing
}

// page records how far a command that lists the past in pages has come: repeated at once it
// continues there.
type page struct {
	command, expr string
	activation    uint32
	at            int // the answer that it was given in
	next          int // what it goes on before: an event, or of a list a place in it
}

// say adds to what the running command answers.
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

// Say and Notice add to what is being answered: an answer to the command, and a word
// that the user did not ask for.
func (d *draft) Say(text string) { d.say(text) }

// Notice adds a word that the user did not ask for.
func (d *draft) Notice(format string, a ...any) { d.notice(format, a...) }

// Said returns what was said since the last answer, as an answer without a state.
func (d *draft) Said() *Answer {
	a := &Answer{Chunks: d.answer.Chunks}
	d.answer = &Answer{}
	return a
}

// Quits reports whether the session is to end with what is being answered.
func (d *draft) Quits() bool { return d.answer.Quit }

// goOn returns what the same command just before this one goes on before; ok is false
// where there was none.
func (d *draft) goOn(command, expr string, act uint32) (next int, ok bool) {
	p := d.page
	return p.next, p.command == command && p.expr == expr && p.activation == act && p.at == d.seq-1
}

// key returns how the user gives a command: by a key, or as it is typed.
func (d *draft) key(command string) string {
	if d.cfg.Key == nil {
		return command
	}
	return d.cfg.Key(command)
}

// interrupted describes what became of the move that was interrupted, in pdb's words where
// commands are typed.
func (d *draft) interrupted() string {
	switch {
	case d.program.rec == nil:
		return "The question was given up. (" + d.key("retry") + " asks it again.)"
	case d.cfg.Key == nil:
		return "Program interrupted. (Use 'cont' to resume)."
	}
	return "Program interrupted; " + d.key("continue") + " goes on."
}
