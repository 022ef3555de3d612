package frontend

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// jsonVersion is the format version, written as "v" in every answer.
const jsonVersion = 1

// JSON is the front end for programs: it writes each answer as one line of JSON.
type JSON struct{ out io.Writer }

// NewJSON returns a front end that writes to out.
func NewJSON(out io.Writer) *JSON { return &JSON{out} }

// Show writes an answer.
func (j *JSON) Show(a *session.Answer) error {
	_, err := j.out.Write(append(EncodeAnswer(a), '\n'))
	return err
}

// Prompt writes nothing: the answer's "waiting" field shows which input npdb waits for.
func (j *JSON) Prompt(string, session.Waiting) error { return nil }

// Interrupted writes nothing: a line is written only in answer to a command, and Ctrl-C is none.
func (j *JSON) Interrupted() error { return nil }

// Left writes nothing for an aborted dialogue.
func (j *JSON) Left(*session.Answer) error { return nil }

// Ended writes nothing at the end of the input.
func (j *JSON) Ended() error { return nil }

// EncodeAnswer returns an answer as one line of JSON without a newline. Later versions may add
// fields but rename none. Optional fields, for example exit, waiting and notice, are left out if
// they have no value.
func EncodeAnswer(a *session.Answer) []byte {
	e := &encoder{}
	e.object(func() {
		e.key("v").int(jsonVersion)
		e.key("seq").int(a.Seq)
		e.key("command").text(a.Command)
		e.key("action").text(a.Action)
		e.key("origin").string(predictedSide(a).Origin.String())
		e.key("done").bool(a.Done)
		e.key("boundary").text(boundaryName(a.Boundary))
		e.key("post_mortem").bool(a.PostMortem)
		e.key("horizon")
		if a.Horizon < 0 {
			e.null()
		} else {
			e.int(a.Horizon)
		}
		e.key("error")
		if a.Err == nil {
			e.null()
		} else {
			e.object(func() {
				e.key("kind").string(string(a.Err.Kind))
				e.key("message").string(a.Err.Message)
			})
		}
		shown := predictedSide(a)
		e.key("state").state(shown.State)
		e.key("stack").frames(shown.Stack)
		e.output(a.Chunks)
		e.key("result")
		if text, ok := a.Text(session.Said); ok {
			e.string(text)
		} else {
			e.null()
		}
		if a.Visit > 0 {
			e.visit(a)
		}
		if a.Difference != nil {
			e.difference(a.Difference)
		}
		if len(a.Changes) > 0 {
			e.changes(a.Changes)
		}
		if a.Candidates != nil {
			e.candidates(a)
		}
		if a.Peek != nil {
			e.peek(a.Peek)
		}
		if len(a.Peeked) > 0 {
			e.peeked(a.Peeked)
		}
		if len(a.Hits) > 0 {
			e.hits(a.Hits)
		}
		if len(a.Printed) > 0 {
			e.printed(a.Printed)
		}
		if a.Loop != nil {
			e.loop(a.Loop)
		}
		if a.Blocks != nil {
			e.blocks(a.Blocks)
		}
		if a.Bytecode != nil {
			e.bytecode(a.Bytecode)
		}
		if len(a.Threads) > 0 {
			e.threads(a.Threads)
		}
		if len(a.Children) > 0 {
			e.children(a.Children)
		}
		if len(a.Provenance) > 0 {
			e.provenance(a.Provenance)
		}
		if a.Explanation != nil {
			e.explanation(a.Explanation)
		}
		if a.Exit != nil {
			e.key("exit").exit(a.Exit)
		}
		if shown.Confidence != nil {
			e.key("confidence").float(*shown.Confidence)
		}
		if shown.Sureness != nil {
			e.key("confidences").sureness(shown.Sureness)
		}
		if len(shown.Checks) > 0 {
			e.key("checks").checks(shown.Checks)
		}
		if a.Replayed {
			e.key("replayed").bool(true)
		}
		if len(a.MadeUp) > 0 {
			e.key("made_up")
			e.array(len(a.MadeUp), func(i int) { e.string(a.MadeUp[i]) })
		}
		if names := unknown(shown.State); len(names) > 0 {
			e.key("unknown")
			e.array(len(names), func(i int) { e.string(names[i]) })
		}
		if len(a.Attributed) > 0 {
			e.key("by_attributes")
			e.array(len(a.Attributed), func(i int) { e.string(a.Attributed[i]) })
		}
		if a.Beside != nil {
			e.both(a)
		}
		if a.Waiting != session.ForCommand {
			e.key("waiting").string(string(a.Waiting))
			if a.Waiting == session.ForConfirmation {
				e.key("question").string(strings.TrimSpace(a.Prompt))
			}
		}
		if a.Unseen {
			e.key("unseen").bool(true)
		}
		if text, ok := a.Text(session.Notice); ok {
			e.key("notice").string(text)
		}
	})
	return e.b.Bytes()
}

// changes writes the changes of an expression, the earliest first. A missing value is null.
func (e *encoder) changes(list []session.Change) {
	e.key("changes")
	e.array(len(list), func(i int) {
		e.object(func() {
			e.key("event").int(list[i].Event)
			e.key("old").reading(list[i].Old)
			e.key("new").reading(list[i].New)
			e.key("by")
			e.placed(list[i].By)
			if list[i].Set != nil {
				e.key("set")
				e.placed(*list[i].Set)
			}
		})
	})
}

// placed writes the event, function, file and line of a frame, or null if f.Event is negative.
func (e *encoder) placed(f statetree.StackFrame) {
	if f.Event < 0 {
		e.null()
		return
	}
	e.object(func() {
		e.key("event").int(f.Event)
		e.key("function").string(f.Function)
		e.key("file").string(f.File)
		e.key("line").int(f.Line)
	})
}

func boundaryName(b trace.Boundary) *string {
	names := map[trace.Boundary]string{trace.AtStart: "start", trace.AtEnd: "end", trace.AtHole: "hole"}
	if name, ok := names[b]; ok {
		return &name
	}
	return nil
}

// encoder writes JSON with the separators ", " and ": " and keeps the fields in the order in which
// they are written.
type encoder struct {
	b     bytes.Buffer
	first bool // no field was written yet in the innermost object
}

func (e *encoder) object(fields func()) {
	e.b.WriteByte('{')
	e.first = true
	fields()
	e.first = false
	e.b.WriteByte('}')
}

func (e *encoder) array(n int, item func(i int)) {
	e.b.WriteByte('[')
	for i := range n {
		if i > 0 {
			e.b.WriteString(", ")
		}
		item(i)
	}
	e.b.WriteByte(']')
}

func (e *encoder) key(name string) *encoder {
	if !e.first {
		e.b.WriteString(", ")
	}
	e.first = false
	e.string(name)
	e.b.WriteString(": ")
	return e
}

func (e *encoder) null()     { e.b.WriteString("null") }
func (e *encoder) int(n int) { e.b.WriteString(strconv.Itoa(n)) }
func (e *encoder) float(f float64) {
	e.b.Write(strconv.AppendFloat(nil, f, 'f', -1, 64))
}

func (e *encoder) bool(v bool) { e.b.WriteString(strconv.FormatBool(v)) }

func (e *encoder) text(s *string) {
	if s == nil {
		e.null()
		return
	}
	e.string(*s)
}

// string writes a JSON string. Characters that could control a terminal are written as \u escapes.
func (e *encoder) string(s string) {
	e.b.WriteByte('"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\':
			e.b.WriteByte('\\')
			e.b.WriteRune(r)
		case r == '\n':
			e.b.WriteString(`\n`)
		case r == '\r':
			e.b.WriteString(`\r`)
		case r == '\t':
			e.b.WriteString(`\t`)
		case r == utf8.RuneError && n == 1:
			e.b.WriteRune(utf8.RuneError)
		case r >= 0x10000 && escape.Hostile(r, n):
			r -= 0x10000
			fmt.Fprintf(&e.b, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		case escape.Hostile(r, n):
			fmt.Fprintf(&e.b, `\u%04x`, r)
		default:
			e.b.WriteRune(r)
		}
		i += n
	}
	e.b.WriteByte('"')
}

func (e *encoder) state(st *dsl.State) {
	if st == nil {
		e.null()
		return
	}
	e.object(func() {
		e.key("event").string(st.Event.String())
		kind := st.Kind.String()
		e.key("kind").text(optional(kind))
		e.key("file").string(st.File)
		e.key("line").int(st.Line)
		e.key("source").string(st.Source)
		e.key("function").string(st.Function)
		e.key("depth").int(st.Depth)
		e.key("locals").object(func() {
			for _, l := range visible(st) {
				e.key(l.Name).string(l.Value)
			}
		})
		e.key("value").text(st.Value)
	})
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// predictedSide returns the state, stack, origin and confidence that fill the main fields of the
// JSON: in side-by-side mode the predicted ones, else the answer's own.
func predictedSide(a *session.Answer) *session.Answer {
	b := a.Beside
	if b == nil {
		return a
	}
	return &session.Answer{State: b.State, Stack: b.Stack, Origin: b.Origin, Confidence: b.Confidence, Sureness: b.Sureness, Checks: b.Checks}
}

func (e *encoder) frames(stack []dsl.Frame) {
	e.array(len(stack), func(i int) { e.frame(stack[i]) })
}

func (e *encoder) exit(x *dsl.Exit) {
	e.object(func() {
		e.key("code").int(x.Code)
		e.key("exception").text(x.Exception)
	})
}

// frame writes a frame of the stack; an unknown line is written as null.
func (e *encoder) frame(f dsl.Frame) {
	e.object(func() {
		e.key("function").string(f.Function)
		e.key("file").string(f.File)
		e.key("line")
		if f.Line > 0 {
			e.int(f.Line)
		} else {
			e.null()
		}
	})
}

func (e *encoder) output(chunks []session.Chunk) {
	var wrote []session.Chunk
	for _, c := range chunks {
		if c.Kind == session.Wrote {
			wrote = append(wrote, c)
		}
	}
	e.key("output")
	e.array(len(wrote), func(i int) {
		e.object(func() {
			e.key("stream").string(wrote[i].Stream)
			e.key("text").string(wrote[i].Text)
		})
	})
}
