package dsl

import (
	"errors"
	"slices"
	"strings"
)

// Known is the set of fields of a reply that the decoder has read so far.
type Known uint8

// The fields, in the order in which they occur in a text.
const (
	KnownEvent  Known = 1 << iota // the event, or the outcome if there is no state
	KnownStack                    // Function, Depth and Stack; the top frame's Line may come later
	KnownLocals                   // all Locals; before that, Locals holds those read so far
	KnownLine                     // Line, Source and File
	KnownValue                    // Kind and Value

	knownAll = KnownEvent | KnownStack | KnownLocals | KnownLine | KnownValue
)

// Decoder parses a model's reply while it streams. It returns either the reply, or an error with
// the offset at which the text is invalid. It never guesses.
type Decoder struct {
	s      *scanner
	book   *book
	from   reader
	step   Step
	offset int  // offset in the scanner's text at which the reply begins
	at     Part // the next part to read, after the JSON of before
	before *Way // how part at was reached, while the JSON before it is unread; otherwise nil
	done   bool
	err    error
	known  Known
	kind   form
	frame  *frame            // from reader.after: the current frame, or the frame below a new one
	values map[string]string // the values that ".." stands for, by local
	names  map[string]bool   // the names of the locals read so far
	name   string            // the local whose value comes next
	told   Told
	part   int // offset in the scanner's text at which the current local or value begins
}

// Decode returns a decoder for the reply to an action at this node.
func (n *Node) Decode(a Action) *Decoder {
	return newDecoder(&scanner{Format: n.book.Format}, n, Step{Action: a})
}

// DecodeFirst returns a decoder for the first state, at the node of a context.
func (n *Node) DecodeFirst() *Decoder { return n.Decode(Action{}) }

func newDecoder(s *scanner, n *Node, step Step) *Decoder {
	return &Decoder{s: s, book: n.book, from: n.reader, step: step, offset: s.pos}
}

// Feed parses more text, as far as possible. It ignores text after the end of the reply. The error
// is a *DecodeError.
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
		if err := d.next(); err != nil {
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

// Close marks the end of the text. If stopped is true, the server stopped at <|frame_sep|> and
// omitted that token; Close then accepts a reply in which only this token is missing.
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

// complete reports whether only the last <|frame_sep|> of the reply is missing.
func (d *Decoder) complete() bool {
	return d.s.pos == len(d.s.buf) && d.known == knownAll
}

// Done reports whether the reply is complete.
func (d *Decoder) Done() bool { return d.done }

// Read returns the number of decoded bytes. At the end that is the reply's length.
func (d *Decoder) Read() int { return d.s.pos - d.offset }

// Partial returns the reply as far as it has been read, and which of its fields are complete. The
// reply is complete when Done returns true. Feeding more text does not change a Reply that was
// returned before.
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

// Step returns the action with its reply, ready for Node.Append. ok is false before the reply is
// complete.
func (d *Decoder) Step() (s Step, ok bool) { return d.step, d.done }

// next reads the pending JSON before the next part, or else that part's content and the token or
// characters that select the part after it.
func (d *Decoder) next() error {
	if w := d.before; w != nil {
		if err := d.s.json(w.json, w.want); err != nil {
			return err
		}
		d.before = nil
	} else {
		w, err := d.read(d.at.Rule())
		if err != nil {
			return err
		}
		if d.at = w.Next; w.json != "" {
			d.before = w
			return nil
		}
	}
	switch d.at {
	case PartEnd:
		if r := &d.step.Reply; r.Exit != nil || r.Stop != nil && r.Stop.Event.After() == PartArg {
			d.told.Value = []Span{d.since(d.part)}
		}
		d.known = knownAll
	case PartDone:
		d.done = true
	}
	return nil
}

// read reads the content of the current part. It returns the Way to the next part.
func (d *Decoder) read(r *Rule) (*Way, error) {
	w := &r.Ways[0]
	switch r.Holds {
	case AName, AValue:
		at, err := d.s.quote(r.want)
		if err != nil {
			return nil, err
		}
		text, raw, err := d.s.str(r.want)
		if err != nil {
			return nil, err
		}
		return w, d.text(at, text, string(raw) == "..")
	case FramePlace:
		return w, d.frameLine(r.want)
	case APlace:
		return w, d.place()
	case ASource:
		err := d.source()
		if d.stop().Event.After() != w.Next {
			w = &r.Ways[1]
		}
		return w, err
	case ANumber:
		if err := d.exitCode(r.want); err != nil {
			return nil, err
		}
	case Nothing:
		if w.Token != 0 {
			return d.token(r)
		}
	}
	return d.choose(r)
}

// token reads one of the tokens that the current part allows.
func (d *Decoder) token(r *Rule) (*Way, error) {
	if d.at == PartStack {
		return d.stack(r)
	}
	var among [8]Token
	n := 0
	for i := range r.Ways {
		if t := r.Ways[i].Token; d.allows(t) {
			among[n] = t
			n++
		}
	}
	from := d.s.pos
	t, err := d.s.token(among[:n]...)
	if err != nil {
		return nil, err
	}
	if d.at == PartEvent {
		d.event(t, from)
	}
	return &r.Ways[slices.IndexFunc(r.Ways, func(w Way) bool { return w.Token == t })], nil
}

// allows reports whether a token can occur in this reply.
func (d *Decoder) allows(t Token) bool {
	switch t {
	case EndSep:
		return !d.step.Edit
	case StartSep, UnknownSep:
		return !d.step.whole() || d.step.Action.Move != 0
	}
	return true
}

// event stores the event or the outcome for the reply's first token.
func (d *Decoder) event(t Token, from int) {
	d.told.Event = []Span{d.since(from)}
	d.known = KnownEvent
	r := &d.step.Reply
	switch t {
	case EndSep:
		r.Outcome, r.Exit, d.part = Ended, &Exit{}, d.s.pos
	case StartSep:
		r.Outcome = AtStart
	case UnknownSep:
		r.Outcome = Unknown
	default:
		r.Outcome, r.Stop = Landed, &Stop{}
		for e := Call; e <= Exception; e++ {
			if eventTokens[e] == t {
				r.Stop.Event = e
			}
		}
		d.kind, d.frame = d.from.after(&d.step, r.Stop.Event)
	}
}

// choose reads the character or word that selects one of the ways from the current part.
func (d *Decoder) choose(r *Rule) (*Way, error) {
	on := r.on
	if d.at == PartArgForm && d.stop().Event == Exception {
		on = on[:1] // an exception's value is always a string
	}
	c, err := d.s.peek(on, r.want)
	if err != nil {
		return nil, err
	}
	w := &r.Ways[strings.IndexByte(on, c)]
	if d.at == PartArgForm {
		d.part = d.s.pos
	}
	switch {
	case c == '"': // the quote is read with the next part
	case len(w.On) == 1:
		d.s.pos++
	default:
		err = d.s.literal(w.On, w.want)
	}
	if err != nil {
		return nil, err
	}
	return w, d.chosen(w)
}

// exitCode reads the exit code of an end.
func (d *Decoder) exitCode(want string) error {
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
	d.step.Reply.Exit.Code = sign * code
	return err
}
