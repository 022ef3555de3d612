package dsl

import "errors"

// Known says which fields of a reply are there while it streams.
type Known uint8

// The fields in the order in which they come.
const (
	KnownEvent  Known = 1 << iota // and so the outcome
	KnownStack                    // Function, Depth, Stack; the line of its top comes later
	KnownLocals                   // all of them; before that, those that there are
	KnownLine                     // Line, Source, File
	KnownValue                    // Kind, Value
)

// Decoder reads one reply of a model while it streams. It either gives the
// reply or says at which byte it is none: nothing is guessed.
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

// Decode begins to read the reply to an action asked at this node.
func (n *Node) Decode(a Action) *Decoder {
	return newDecoder(&scanner{Format: n.book.Format}, n, Step{Action: a})
}

// DecodeFirst begins to read the first state, at the node of a context.
func (n *Node) DecodeFirst() *Decoder { return n.Decode(Action{}) }

func newDecoder(s *scanner, n *Node, step Step) *Decoder {
	d := &Decoder{s: s, book: n.book, from: n.reader, step: step, offset: s.pos}
	d.field = d.event
	return d
}

// Feed gives the decoder more text. It reads as far as it can; what comes
// after the reply's end is left alone. The error is a *DecodeError.
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

// Close ends the text. stopped reports that the server ended
// the text at <|frame_sep|> and kept it to itself, which is then made good.
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

// Read returns how many bytes of the text are decoded so far: at the end, the
// reply's length.
func (d *Decoder) Read() int { return d.s.pos - d.offset }

// Partial returns the reply as far as it has come, and which of its fields are
// there. It is complete when Done says so. It does not change any more: who was
// given it may look at it while more is fed.
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

// Step returns the action with its reply, to be appended to the node. ok is false
// before the reply is complete.
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

// ends marks all parts before the end as known, and returns what reads the end.
func (d *Decoder) ends() func() error {
	d.known = KnownEvent | KnownStack | KnownLocals | KnownLine | KnownValue
	return d.end
}

func (d *Decoder) end() error {
	_, err := d.s.token(FrameSep)
	d.done = err == nil
	return err
}

// exitCode reads {"code": 1, and what ends it.
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
