package trace

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/npdb/npdb/trace/statetree"
)

// A checkpoint is a sequence of records that can replace all records before it: it contains everything
// that later records may refer to. All values are those after the last event.

// checkpoint writes a checkpoint of what a decoder has read.
type checkpoint struct {
	of     *decoder
	tree   *statetree.Tree // what the decoder has read
	emit   func(records []byte) error
	b      []byte
	err    error
	lasts  []uint32 // the activations in the checkpoint, modules first
	isLast map[uint32]bool
}

// checkpointPiece is the number of bytes of records that are passed to emit together. A longer record
// is written in parts.
const checkpointPiece = 64 << 10

// writeCheckpoint passes the records of a checkpoint to emit, piece by piece. tree contains everything that
// the decoder has read.
func writeCheckpoint(d *decoder, tree *statetree.Tree, emit func(records []byte) error) error {
	p := &checkpoint{of: d, tree: tree, emit: emit, isLast: map[uint32]bool{}}
	acts := tree.Lasting()
	for _, modules := range []bool{true, false} {
		for _, act := range acts {
			code := tree.Code(int(d.acts[act].code))
			if code.IsModule() == modules {
				p.lasts = append(p.lasts, act)
				p.isLast[act] = true
			}
		}
	}
	p.definitions()
	p.numbers()
	p.activations()
	p.objects()
	p.names()
	p.stack()
	p.pass(0)
	return p.err
}

// record adds a record.
func (p *checkpoint) record(kind byte, fields func()) {
	at := len(p.b)
	p.b = append(p.b, kind)
	fields()
	if long := p.b[at:]; len(long) > checkpointPiece {
		long = slices.Clone(long)
		p.b = p.b[:at]
		for part := range inParts(long) {
			p.b = append(p.b, part...)
			p.pass(checkpointPiece)
		}
	}
	p.pass(checkpointPiece)
}

// pass passes the collected records to emit if they have at least from bytes.
func (p *checkpoint) pass(from int) {
	if len(p.b) >= from && p.err == nil {
		p.err = p.emit(p.b)
	}
	if len(p.b) >= from {
		p.b = p.b[:0]
	}
}

func (p *checkpoint) number(n uint64) { p.b = binary.AppendUvarint(p.b, n) }

func (p *checkpoint) text(text string) { p.b = append(append(p.b, asField(text)...), endOfText) }

// asField replaces invalid UTF-8 in a text, because a field of a record cannot contain it. Texts from the
// tracer are valid and stay unchanged.
func asField(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

func (p *checkpoint) value(v statetree.Value) {
	if o, ok := v.Object(); ok {
		p.b = append(p.b, reference)
		p.number(uint64(o))
		return
	}
	p.text(p.tree.Text(v, 0))
}

// definitions writes the records of files, code objects and forms unchanged, and the long texts.
func (p *checkpoint) definitions() {
	c := cursor{b: p.of.defs}
	for c.n < len(c.b) {
		kind := c.byte()
		body := c.bytes()
		p.record(kind, func() { p.b = append(p.b, packData(body)...) })
	}
	for n, long := range p.of.long {
		text := long.text
		if long.held {
			text = []byte(asField(p.tree.Text(long.value, 0)))
		}
		p.record(recLongText, func() {
			p.number(uint64(n))
			p.b = append(p.b, packData(text)...)
		})
	}
}

// numbers writes the numbers of the activations, and those of the objects without content.
func (p *checkpoint) numbers() {
	p.record(recCheckpoint, func() {
		p.number(p.of.acting.number(uint32(len(p.of.acts))))
		p.number(uint64(len(p.lasts)))
		for _, act := range p.lasts {
			p.number(p.of.acting.number(act))
		}
	})
	var unknown []uint64
	for o := range statetree.Object(p.tree.Objects()) {
		if !p.tree.HasContent(o) {
			unknown = append(unknown, uint64(o))
		}
	}
	p.record(recUnknown, func() {
		p.number(uint64(len(unknown)))
		for _, o := range unknown {
			p.number(o)
		}
	})
}

// activations writes the activations, and the module of the globals of each code object. The modules come
// first, then the globals, then the other activations, because each refers to the ones before.
func (p *checkpoint) activations() {
	globals := false
	for _, act := range p.lasts {
		code := int(p.of.acts[act].code)
		if c := p.tree.Code(code); !globals && !c.IsModule() {
			p.globals()
			globals = true
		}
		p.record(recAdopt, func() { p.number(uint64(code)) })
	}
	if !globals {
		p.globals()
	}
}

func (p *checkpoint) globals() {
	for code := range p.of.codes {
		if module, ok := p.tree.LatestGlobals(code); ok && p.isLast[module] {
			p.record(recGlobals, func() {
				p.number(uint64(code))
				p.number(p.of.acting.number(module) + 1)
			})
		}
	}
}

// objects writes the content of all objects, because the tracer's later records contain only the changes.
func (p *checkpoint) objects() {
	for o := range statetree.Object(p.tree.Objects()) {
		content, ok := p.tree.LatestContent(o)
		if !ok {
			continue
		}
		p.record(recWhole, func() {
			p.number(uint64(o))
			p.number(uint64(content.Form))
			p.number(uint64(content.Total))
			p.number(uint64(len(content.Values) / p.of.forms[content.Form]))
			for _, v := range content.Values {
				p.value(v)
			}
		})
		if content.Text != nil {
			p.record(recText, func() {
				p.number(uint64(o))
				p.text(*content.Text)
			})
		}
	}
}

// names writes the names of the activations with their values.
func (p *checkpoint) names() {
	for _, act := range p.lasts {
		held, _ := p.tree.Latest(act)
		for _, h := range held {
			kind := byte(recSetIn)
			if h.Hidden {
				kind = recHiddenIn
			}
			p.record(kind, func() {
				p.number(p.of.acting.number(act))
				p.number(uint64(h.Slot))
				p.value(h.Value)
			})
		}
	}
}

// stack writes which activations are on the stack, with their current lines.
func (p *checkpoint) stack() {
	p.record(recHole, func() {
		p.number(uint64(len(p.of.stack)))
		for _, f := range p.of.stack {
			_, line := p.tree.Latest(f.act)
			p.number(p.of.acting.number(f.act))
			p.number(uint64(max(line, 0)))
		}
	})
}
