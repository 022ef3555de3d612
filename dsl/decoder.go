package dsl

import "errors"

// Known is the set of fields of a reply that have streamed in.
type Known uint8

// The fields in the order of the text.
const (
	KnownEvent  Known = 1 << iota // and so the outcome
	KnownStack                    // Function, Depth, Stack; the line of its top comes later
	KnownLocals                   // all of them; before that, those that there are
	KnownLine                     // Line, Source, File
	KnownValue                    // Kind, Value
)

// Decoder parses a reply of a model while it streams. It returns either the reply or the byte at
// which the text is invalid; it guesses nothing.
type Decoder struct {
	s       *scanner
	book    *book
	from    reader
	step    Step
	offset  int // where the reply begins in the scanner's text
	field   func() error
	done    bool
	err     error
	known   Known
	kind    form
	frame   *frame            // of the reader, below or current: as reader.after says
	values  map[string]string // what ".." stands for
	names   map[string]bool   // of locals so far
	name    string            // of the local whose value comes
	yielded bool
	told    Told
	part    int // where the local or the value begins that is read, in the scanner's text
}

// Decode returns a decoder for the reply to an action at this node.
func (n *Node) Decode(a Action) *Decoder {
	return newDecoder(&scanner{Format: n.book.Format}, n, Step{Action: a})
}

// DecodeFirst returns a decoder for the first state, at the node of a context.
func (n *Node) DecodeFirst() *Decoder { return n.Decode(Action{}) }

func newDecoder(s *scanner, n *Node, step Step) *Decoder {
	d := &Decoder{s: s, book: n.book, from: n.reader, step: step, offset: s.pos}
	d.field = d.event
	return d
}

// Feed parses more text, as far as it can; it ignores what follows the reply. The error is a
// *DecodeError.
func (d *Decoder) Feed(text string) error {
	if d.err != nil || d.done {
		return d.err
	}
	d.s.buf = append(d.s.buf, text...)
	return d.run()
}

func (d *Decoder) run() error {
	for !d.done {
		from := d.s.pos
		if err := d.field(); err != nil {
			if errors.Is(err, errMore) {
				d.s.pos = from
				return nil
			}
			d.err = err
			return err
		}
	}
	return nil
}

// Close ends the text. stopped reports that the server stopped at <|frame_sep|> and left it out,
// in which case it is added.
func (d *Decoder) Close(stopped bool) error {
	if d.err != nil || d.done {
		return d.err
	}
	d.s.final = true
	if stopped && d.complete() {
		d.done = true
		return nil
	}
	return d.run()
}

// complete reports whether only the last <|frame_sep|> is missing.
func (d *Decoder) complete() bool {
	const all = KnownEvent | KnownStack | KnownLocals | KnownLine | KnownValue
	return d.s.pos == len(d.s.buf) && d.known == all
}

// Done reports whether the reply is complete.
func (d *Decoder) Done() bool { return d.done }

// Read returns the number of decoded bytes: at the end, the reply's length.
func (d *Decoder) Read() int { return d.s.pos - d.offset }

// Partial returns the fields of the reply that have streamed in. It is complete when Done reports
// so. It does not change while more is fed.
func (d *Decoder) Partial() (Reply, Known) {
	r := d.step.Reply
	if r.Exit != nil {
		exit := *r.Exit
		r.Exit = &exit
	}
	if r.Stop != nil {
		stop := *r.Stop
		if d.known&KnownStack == 0 {
			stop.Stack = nil
		}
		r.Stop = &stop
	}
	return r, d.known
}

// Step returns the action with its reply, for Append. ok is false before the reply is complete.
func (d *Decoder) Step() (s Step, ok bool) { return d.step, d.done }

// event reads the reply's first token.
func (d *Decoder) event() error {
	among := []Token{CallSep, LineSep, ReturnSep, ExceptionSep}
	if !d.step.Edit {
		among = append(among, EndSep)
	}
	if !d.step.whole() || d.step.Action.Move != 0 {
		among = append(among, StartSep, UnknownSep)
	}
	from := d.s.pos
	t, err := d.s.token(among...)
	if err != nil {
		return err
	}
	d.told.Event = []Span{d.since(from)}
	d.known = KnownEvent
	r := &d.step.Reply
	switch t {
	case EndSep:
		r.Outcome, r.Exit, d.field = Ended, &Exit{}, d.exitCode
	case StartSep:
		r.Outcome, d.field = AtStart, d.ends()
	case UnknownSep:
		r.Outcome, d.field = Unknown, d.ends()
	default:
		r.Outcome, r.Stop, d.field = Landed, &Stop{}, d.stack
		for e := Call; e <= Exception; e++ {
			if eventTokens[e] == t {
				r.Stop.Event = e
			}
		}
		d.kind, d.frame = d.from.after(&d.step, r.Stop.Event)
	}
	return nil
}

// ends marks all parts before the end as known, and returns the parser of the end.
func (d *Decoder) ends() func() error {
	d.known = KnownEvent | KnownStack | KnownLocals | KnownLine | KnownValue
	return d.end
}

func (d *Decoder) end() error {
	_, err := d.s.token(FrameSep)
	d.done = err == nil
	return err
}

// exitCode parses {"code": 1, and the character after it.
func (d *Decoder) exitCode() error {
	const want = `an exit, {"code": 0}`
	d.part = d.s.pos
	if err := d.key(`{`, "code", want); err != nil {
		return err
	}
	c, err := d.s.peek("-0123456789", want)
	if err != nil {
		return err
	}
	sign := 1
	if c == '-' {
		sign = -1
		d.s.pos++
	}
	code, err := d.s.number("an exit code")
	if err != nil {
		return err
	}
	d.step.Reply.Exit.Code = sign * code
	c, err = d.s.peek(",}", want)
	if err != nil {
		return err
	}
	if c == '}' {
		d.s.pos++
		d.toldValue()
		d.field = d.ends()
		return nil
	}
	d.field = d.exitKey
	return nil
}

func (d *Decoder) exitKey() error {
	err := d.key(",", "exception", `"exception"`)
	if err == nil {
		d.field = d.exitException
	}
	return err
}

func (d *Decoder) exitException() error {
	text, err := d.value("the exception")
	if err == nil {
		d.step.Reply.Exit.Exception = &text
		d.field = d.closing
	}
	return err
}

// closing reads the last brace of an object.
func (d *Decoder) closing() error {
	_, err := d.s.mark("}", "}")
	if err == nil {
		d.toldValue()
		d.field = d.ends()
	}
	return err
}

// key reads a character, one certain name and a colon.
func (d *Decoder) key(before, name, want string) error {
	if _, err := d.s.mark(before, want); err != nil {
		return err
	}
	at, err := d.s.quote(want)
	if err != nil {
		return err
	}
	got, _, err := d.s.str(want)
	if err != nil {
		return err
	}
	if got != name {
		return d.s.fault(Malformed, at, "want %s, have the name %q", want, got)
	}
	_, err = d.s.mark(":", want)
	return err
}

// value reads the text of a value that has no earlier one.
func (d *Decoder) value(want string) (string, error) {
	at, err := d.s.quote(want)
	if err != nil {
		return "", err
	}
	text, raw, err := d.s.str(want)
	if err == nil && string(raw) == ".." {
		return "", d.s.fault(Impossible, at, `".." has no earlier value to stand for in %s`, want)
	}
	return text, err
}
