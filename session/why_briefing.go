package session

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// whySystem is the system message of the conversation with the model that explains.
//
//go:embed why_system.txt
var whySystem string

// The limits of a briefing. Lengths are in bytes.
const (
	briefValue    = 300
	briefSection  = 6000
	briefFrames   = 12 // frames of the stack
	briefLocals   = 4  // frames whose locals are shown
	briefNames    = 6  // names whose changes are shown
	briefChanges  = 5  // changes of one name
	briefChains   = 3  // names whose origin is shown
	briefHops     = 8  // hops of one origin
	briefEvents   = 30
	briefAround   = 12 // lines above and below a frame's line
	briefIncluded = 3  // files whose source is shown
)

// briefing describes the shown state for a model. It limits the text's size and hides secrets. Each value, frame and
// event is on one line.
type briefing struct {
	*explainer
	ctx    context.Context
	redact *redact.Redactor
	lines  map[int][]string // the redacted lines of files
	view   *View
	about  string // the question
	most   int    // bytes of a section
	out    strings.Builder
	left   int // bytes left in the current section
	more   int // lines that the section leaves out
}

func (ex *explainer) newBriefing(ctx context.Context, about string, most int) *briefing {
	b := &briefing{explainer: ex, ctx: ctx, redact: ex.cfg.Explain.Redact, view: ex.viewer.View(), about: about, most: most, lines: map[int][]string{}}
	t := ex.program.states()
	p := &dsl.Program{}
	for i, f := range t.Files() {
		lines := []string{}
		for n := 1; ; n++ {
			line, ok := t.SourceLine(i, n)
			if !ok {
				break
			}
			lines = append(lines, line)
		}
		p.Files = append(p.Files, dsl.SourceFile{Name: f.Name, Lines: lines})
	}
	for i, f := range b.redact.Program(p).Files {
		b.lines[i] = f.Lines
	}
	return b
}

// text returns the description.
func (b *briefing) text() string {
	for _, part := range []struct {
		title string
		write func()
	}{
		{"STATE", b.state},
		{"STACK (the newest frame first)", b.stack},
		{"SOURCE (> marks the lines of the stack)", b.source},
		{"EVENTS (the last ones up to here; #N is the state before the line runs)", b.events},
		{"CHANGES OF VALUES (the latest first)", b.changes},
		{"ORIGIN OF VALUES (the latest hop first)", b.origins},
	} {
		before := b.out.Len()
		fmt.Fprintf(&b.out, "%s\n", part.title)
		begin := b.out.Len()
		b.left, b.more = b.most, 0
		part.write()
		if b.more > 0 {
			fmt.Fprintf(&b.out, "… %d lines left out\n", b.more)
		}
		if b.out.Len() == begin { // the section is empty
			kept := b.out.String()[:before]
			b.out.Reset()
			b.out.WriteString(kept)
			continue
		}
		b.out.WriteByte('\n')
	}
	return strings.TrimRight(b.redact.Plain(b.out.String()), "\n")
}

// say adds a line to the section, if there is room.
func (b *briefing) say(format string, arguments ...any) {
	line := escape.Line(fmt.Sprintf(format, arguments...)) + "\n"
	if len(line) > b.left {
		b.left = 0
		b.more++
		return
	}
	b.left -= len(line)
	b.out.WriteString(line)
}

// value returns the value of a name as the model sees it: redacted and shortened.
func (b *briefing) value(name, text string) string {
	return shorten(b.redact.Value(name, text), briefValue)
}

func (b *briefing) reading(name string, r query.Reading) string {
	switch {
	case r.Unknown != "":
		return "(not known)"
	case !r.OK:
		return "(no value)"
	}
	return b.value(name, r.Text)
}

// number returns the prefix that identifies an event for the model: "#N ". It returns "" for a state without a number.
func (b *briefing) number(event int) string {
	if event < 0 {
		return ""
	}
	if b.program.past() != nil {
		return fmt.Sprintf("#%d ", event)
	}
	if p, ok := b.program.source().(interface{ PositionOf(i int) trace.Position }); ok {
		if n := b.visits.tree.At(p.PositionOf(event)); n > 0 {
			return VisitName(n) + " "
		}
	}
	return ""
}

// hereName returns the name of the shown state for the model: "#N".
func (b *briefing) hereName() string {
	if b.program.past() == nil {
		return VisitName(b.visits.tree.Shown())
	}
	return strings.TrimSpace(b.number(b.position.here()))
}

// place formats the file and line of a frame, and the text of that line.
func (b *briefing) place(f statetree.StackFrame) string {
	text := fmt.Sprintf("%s:%d", f.File, f.Line)
	if file := b.position.fileOf(f); file >= 0 {
		text += "  " + strings.TrimSpace(b.line(file, f.Line))
	}
	return text
}

func (b *briefing) line(file, line int) string {
	if lines := b.lines[file]; line >= 1 && line <= len(lines) {
		return lines[line-1]
	}
	return ""
}

func (b *briefing) state() {
	v := b.view
	switch {
	case b.program.past() == nil:
		b.say("These states are PREDICTED by a language model, or computed from the source. Nothing of them ran, and they may be wrong. Say so when you rely on them.")
	case v.Mode == Both:
		b.say("CPython ran the program; the states are real. A model predicts beside it.")
	default:
		b.say("CPython ran the program; the states are recorded.")
	}
	switch {
	case v.Exit != nil && v.Exit.Exception != nil:
		b.say("The program has ended by an uncaught exception: %s", b.value("", *v.Exit.Exception))
	case v.Exit != nil:
		b.say("The program has ended with exit code %d.", v.Exit.Code)
	}
	if v.State == nil {
		b.say("Its last state is %s.", b.hereName())
		return
	}
	st := v.State
	b.say("This is %s: %s at %s:%d in %s  %s", b.hereName(), st.Event, st.File, st.Line, st.Function, strings.TrimSpace(b.sourceOf(st)))
	switch {
	case st.Event == dsl.Exception && st.Value != nil:
		b.say("raised: %s", b.value("", *st.Value))
	case st.Event == dsl.Return && st.Value != nil:
		b.say("returned: %s", shorten(b.redact.Returned(st.Function, *st.Value), briefValue))
	}
	if v.PostMortem {
		b.say("Nothing handles the exception: the program is about to end.")
	}
	b.say("origin: %s", v.Origin)
}

// sourceOf returns the redacted source line of a state.
func (b *briefing) sourceOf(st *dsl.State) string {
	i := slices.IndexFunc(b.view.Files, func(f statetree.File) bool { return f.Name == st.File })
	return b.line(i, st.Line)
}

// stack lists the frames with their locals, the newest first. The selected frame is always shown with its locals.
func (b *briefing) stack() {
	v := b.view
	for k := range v.Frames {
		i := len(v.Frames) - 1 - k
		if k >= briefFrames && i != v.Selected {
			b.more++
			continue
		}
		f := v.Frames[i]
		mark := ""
		if i == v.Selected && i != v.Here {
			mark = "  (selected by the user)"
		}
		b.say("frame %d: %s at %s:%d  %s%s", k, f.Function, f.Frame.File, f.Line, strings.TrimSpace(b.line(f.File, f.Line)), mark)
		switch {
		case i == v.Selected:
			for _, l := range v.Locals {
				b.local(l.Local)
			}
			for _, l := range v.Globals {
				b.say("    global %s = %s", l.Name, b.value(l.Name, l.Value))
			}
		case k < briefLocals && i <= v.Here:
			for _, l := range b.program.states().LocalsOf(f.Activation, b.position.here()) {
				b.local(l)
			}
		}
	}
}

func (b *briefing) local(l dsl.Local) {
	switch {
	case l.Hidden:
	case l.Unknown:
		b.say("    %s: not known", l.Name)
	default:
		b.say("    %s = %s", l.Name, b.value(l.Name, l.Value))
	}
}

// source shows the lines around those of the newest frames.
func (b *briefing) source() {
	marked, shown := map[[2]int]bool{}, map[int][]int{} // lines by file
	var order []int
	for k := range b.view.Frames {
		f := b.view.Frames[len(b.view.Frames)-1-k]
		if f.File < 0 || k >= briefFrames {
			continue
		}
		file := f.File
		if !slices.Contains(order, file) {
			if len(order) == briefIncluded {
				continue
			}
			order = append(order, file)
		}
		marked[[2]int{file, f.Line}] = true
		for n := max(f.Line-briefAround, 1); n <= min(f.Line+briefAround, len(b.lines[file])); n++ {
			shown[file] = append(shown[file], n)
		}
	}
	if order == nil { // the program has ended
		order = []int{0}
		for n := range min(len(b.lines[0]), 4*briefAround) {
			shown[0] = append(shown[0], n+1)
		}
	}
	for _, file := range order {
		b.say("%s", b.view.Files[file].Name)
		lines := shown[file]
		slices.Sort(lines)
		last := 0
		for _, n := range slices.Compact(lines) {
			if n > last+1 {
				b.say("   …")
			}
			last = n
			mark := " "
			if marked[[2]int{file, n}] {
				mark = ">"
			}
			b.say("%s%4d  %s", mark, n, shorten(b.line(file, n), briefValue))
		}
	}
}

// events lists the last events, the latest last.
func (b *briefing) events() {
	t := b.program.states()
	var list []int
	if b.program.past() != nil {
		here := b.position.here()
		for e := max(here-briefEvents+1, 0); e <= here && e < t.Len(); e++ {
			list = append(list, e)
		}
	} else {
		for v := b.visits.current(); v != nil && len(list) < briefEvents; v = b.visits.tree.Visit(v.Parent) {
			if b.isPredicted(v) {
				list = append(list, v.Event)
			}
		}
		slices.Reverse(list)
	}
	for _, e := range list {
		at := t.At(e)
		text := fmt.Sprintf("%s%s %s:%d in %s  %s", b.number(e), at.Event, t.Files()[at.File].Name, at.Line, t.Code(at.Code).Name, strings.TrimSpace(b.line(at.File, at.Line)))
		if value := t.State(e).Value; value != nil && at.HasValue {
			text += "  -> " + shorten(b.redact.Returned(t.Code(at.Code).Name, *value), briefValue)
		}
		b.say("%s", text)
	}
}
