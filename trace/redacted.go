package trace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/saved"
	"github.com/npdb/npdb/trace/statetree"
)

// Redactor replaces secrets in texts. It learns secrets from what it has seen.
type Redactor interface {
	// Program redacts source files. Text redacts an expression or a statement.
	Program(p *dsl.Program) *dsl.Program
	Text(text string) string
	// Value redacts the repr of a value that belongs to a name. Returned redacts the repr of a value that
	// a function returned. Plain redacts any other text.
	Value(name, text string) string
	Returned(function, text string) string
	Plain(text string) string
	// Secret reports whether values that belong to a name may be secret.
	Secret(name string) bool
	// Told returns how many literals of the source and how many values were redacted so far.
	Told() (literals, values int)
}

// redaction rewrites the contents of a file without secrets. It reads everything several times, because a
// secret may be recorded before a later record shows that it is one, and then once more to write the file.
type redaction struct {
	by      Redactor
	files   []dsl.SourceFile
	sources []string // redacted texts of files
	codes   []redactedCode
	acting  numbering
	acts    []int // codes of the activations
	stack   []int // codes of those on the stack
	left    int   // the code of the frame that the last event returned from, or -1
	edited  int   // the code of the frame that the user edits, or -1
	forms   []statetree.FormKind
	form    map[int]statetree.FormKind // by object
	long    map[int]string
	parts   []byte
	file    int // number of files so far

	texts map[saved.Kind]*outputRedaction

	owners map[int]string // by object: the secret name whose value it is, or is part of
	keys   map[string]int // secret keys of dicts, numbered
	out    []byte
	write  func(kind saved.Kind, data []byte) error // receives out; nil in the readings that only find secrets
	err    error                                    // of write
}

type redactedCode struct {
	name  string
	names []string
}

// mostReadings is the maximum number of readings that find secrets. Each may go only one level deeper into
// nested values.
const mostReadings = 100

var errManySecrets = errors.New("the recording cannot be redacted: its secret values are nested too deeply, and it is not written")

// redacted finds the secrets and returns the contents without them. The chunks are rewritten later, by write.
func (c *contents) redacted(by Redactor) (*contents, error) {
	x := &redaction{by: by, owners: map[int]string{}, keys: map[string]int{}}
	x.learnArgs(c.header.Args)
	for n := 0; ; n++ {
		if n == mostReadings {
			return nil, errManySecrets
		}
		owners := len(x.owners)
		literals, values := by.Told()
		x.begin()
		if err := c.eachChunk(func(kind saved.Kind, data []byte) error { return x.chunk(kind, data, nil) }); err != nil {
			return nil, err
		}
		x.program()
		if err := x.end(); err != nil {
			return nil, err
		}
		if l, v := by.Told(); l == literals && v == values && len(x.owners) == owners {
			break
		}
	}
	clean := *c
	clean.rewrite = x
	h := &clean.header
	h.Args = slices.Clone(h.Args)
	for i, arg := range h.Args {
		h.Args[i] = by.Plain(arg)
	}
	h.Code, h.Entry = x.code(h.Code), by.Text(h.Entry)
	e := &clean.end
	e.Notices = slices.Clone(e.Notices)
	for i, said := range e.Notices {
		e.Notices[i] = by.Plain(said)
	}
	if e.Exit != nil && e.Exit.Exception != nil {
		exit, text := *e.Exit, by.Value("", *e.Exit.Exception)
		exit.Exception = &text
		e.Exit = &exit
	}
	return &clean, nil
}

// learnArgs finds secrets in the program's arguments: --password=X and --password X.
func (x *redaction) learnArgs(args []string) {
	for i, arg := range args {
		name, value, found := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if !found && i+1 < len(args) && strings.HasPrefix(arg, "-") {
			value = args[i+1]
		}
		if name = strings.ReplaceAll(name, "-", "_"); value != "" && x.by.Secret(name) {
			x.by.Value(name, "'"+value+"'")
		}
	}
}

// code redacts the source of a program.
func (x *redaction) code(text string) string {
	for i, f := range x.files {
		if strings.Join(f.Lines, "\n") == text {
			return x.sources[i]
		}
	}
	return x.by.Text(text)
}

// begin resets what a reading notes, before the first chunk.
func (x *redaction) begin() {
	x.codes, x.acting, x.acts, x.stack, x.forms = nil, numbering{}, nil, nil, nil
	x.left, x.edited, x.file, x.parts = -1, -1, 0, nil
	x.texts = map[saved.Kind]*outputRedaction{}
	for _, kind := range []saved.Kind{saved.KindOutput, saved.KindInput} {
		x.texts[kind] = &outputRedaction{by: x.by, lines: map[byte][]*outputPiece{}}
	}
	x.form, x.long = map[int]statetree.FormKind{}, map[int]string{}
}

// program redacts the source files that were read.
func (x *redaction) program() {
	redacted := x.by.Program(&dsl.Program{Files: x.files})
	x.sources = x.sources[:0]
	for _, f := range redacted.Files {
		x.sources = append(x.sources, strings.Join(f.Lines, "\n"))
	}
}

// chunk redacts the data of a chunk and passes it to write, if that is not nil.
func (x *redaction) chunk(kind saved.Kind, data []byte, write func(kind saved.Kind, data []byte) error) error {
	x.out, x.write = x.out[:0], write
	switch kind {
	case saved.KindRecords:
		err := x.records(data)
		x.pass(0)
		return errors.Join(err, x.err)
	case saved.KindOutput, saved.KindInput:
		x.texts[kind].add(data)
		return x.passText(kind)
	}
	return nil
}

// passText writes the output or input whose lines are complete.
func (x *redaction) passText(kind saved.Kind) error {
	x.out = x.texts[kind].take(x.out[:0])
	if x.write == nil || len(x.out) == 0 {
		return nil
	}
	return x.write(kind, x.out)
}

// end writes the last lines of output and input.
func (x *redaction) end() error {
	for kind, text := range x.texts {
		text.end()
		if err := x.passText(kind); err != nil {
			return err
		}
	}
	return nil
}

// records rewrites records.
func (x *redaction) records(b []byte) error {
	for len(b) > 0 {
		c := &cursor{b: b}
		if kind := c.byte(); kind == recPart || kind == recLast {
			x.parts = append(x.parts, c.bytes()...)
			if kind == recLast {
				parts := x.parts
				x.parts = nil
				if err := x.records(parts); err != nil {
					return err
				}
			}
		} else {
			at := len(x.out)
			x.record(c, kind)
			if long := x.out[at:]; len(long) > checkpointPiece {
				long = slices.Clone(long)
				x.out = x.out[:at]
				for part := range inParts(long) {
					x.out = append(x.out, part...)
					x.pass(checkpointPiece)
				}
			}
			x.pass(checkpointPiece)
		}
		if c.err != nil {
			return fmt.Errorf("record %#x cannot be redacted: %w", b[0], c.err)
		}
		b = b[c.n:]
	}
	return nil
}

// pass writes the records in out if they have at least from bytes.
func (x *redaction) pass(from int) {
	if len(x.out) < from || len(x.out) == 0 {
		return
	}
	if x.write != nil && x.err == nil {
		x.err = x.write(saved.KindRecords, x.out)
	}
	x.out = x.out[:0]
}

// inParts splits a long record into records that contain its parts.
func inParts(record []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for part := range slices.Chunk(record, checkpointPiece/2) {
			kind := byte(recPart)
			if record = record[len(part):]; len(record) == 0 {
				kind = recLast
			}
			if !yield(append([]byte{kind}, packData(part)...)) {
				return
			}
		}
	}
}

// number copies a number.
func (x *redaction) number(c *cursor) int {
	n := c.number(numberBits)
	x.out = binary.AppendUvarint(x.out, n)
	return int(n)
}

func (x *redaction) text(text string) { x.out = append(append(x.out, asField(text)...), endOfText) }

// value copies a value. If it is a text, redact changes it; if it is an object, value returns its number,
// otherwise -1.
func (x *redaction) value(c *cursor, redact func(text string) string) (object int) {
	switch {
	case c.at(reference):
		x.out = append(x.out, reference)
		return x.number(c)
	case c.at(numberOfText): // written in full, because what is secret in it depends on the name
		x.text(redact(x.long[c.varint()]))
	default:
		x.text(redact(string(c.text())))
	}
	return -1
}

// named copies the value of a name.
func (x *redaction) named(c *cursor, name string) {
	x.own(x.value(c, func(text string) string { return x.by.Value(name, text) }), name)
}

// own notes that an object is the value of a name, if the name is secret: its contents are secret, too.
func (x *redaction) own(object int, name string) {
	if _, known := x.owners[object]; object >= 0 && !known && name != "" && x.by.Secret(name) {
		x.owners[object] = name
	}
}

// key copies a key of a dict or the name of an attribute, and returns the name by which its value is
// redacted. Secret keys of a dict are numbered, so that they stay different.
func (x *redaction) key(c *cursor, attribute bool) (name string) {
	x.value(c, func(text string) string {
		name = text
		if attribute {
			return text
		}
		if quoted := strings.Trim(text, `'"`); len(quoted) == len(text)-2 {
			name = quoted
		}
		if x.by.Value("", text) == text {
			return text
		}
		if _, known := x.keys[text]; !known {
			x.keys[text] = len(x.keys) + 1
		}
		return fmt.Sprintf("'<redacted %d>'", x.keys[text])
	})
	return name
}

// entry copies a key and its value. If the object belongs to a secret name, the value does, too.
func (x *redaction) entry(c *cursor, object int) {
	name := x.key(c, x.form[object].Named())
	if !x.by.Secret(name) && x.owners[object] != "" {
		name = x.owners[object]
	}
	x.named(c, name)
}
