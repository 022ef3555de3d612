package trace

import (
	"fmt"
	"io"
	"slices"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/trace/saved"
	"github.com/npdb/npdb/trace/statetree"
)

// later is a file that is not written while the program runs, but at its end.
type later struct {
	header saved.Header
	to     io.Writer
}

// Flush writes what is recorded so far to the file of Save, if that file is written only at the end. The
// end of the program overwrites the file.
func (r *Recording) Flush() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.log.later == nil || r.log.file == nil {
		return nil
	}
	return r.writeLater(r.unended())
}

// unended returns the end of a file that is written while the program runs. The caller has locked r.mu.
func (r *Recording) unended() saved.End {
	e := r.outcome()
	e.Notices = append(e.Notices, "the program was still running when this file was written")
	return e
}

// writeLater writes the file of Save from its beginning. The caller has locked r.mu.
func (r *Recording) writeLater(e saved.End) error {
	if file, ok := r.log.later.to.(io.Seeker); ok {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return err
		}
	}
	return r.contents(r.log.later.header, e).write(r.log.later.to, r.opts.Redact)
}

// contents is everything that goes into a file that is written at once.
type contents struct {
	header    saved.Header
	parts     []keptPart
	end       saved.End
	limits    Limits
	indexFrom int
	rewrite   *redaction // nil if nothing is redacted
}

// contents returns what is recorded so far, for a file with header h and end e. The caller has locked r.mu.
func (r *Recording) contents(h saved.Header, e saved.End) *contents {
	c := &contents{header: h, end: e, limits: r.limits, indexFrom: r.log.indexFrom}
	now := keptPart{chunks: r.log.Kept(), events: r.tree.Len()}
	k := r.kept
	if k == nil {
		c.parts = []keptPart{now}
		return c
	}
	now.begins = k.begins
	c.parts = slices.Concat(k.parts, []keptPart{now})
	if c.header.Dropped = k.dropped; k.dropped > 0 {
		const said = "the recording begins at event %s of the program: the events before it were not kept (--keep last:%d)"
		c.end.Notices = append(c.end.Notices, fmt.Sprintf(said, humanize.Comma(int64(k.dropped)), k.most))
	}
	if fatal := e.Fatal; fatal != nil {
		c.end.Fatal = nil
		if at := *fatal - k.dropped; at >= 0 {
			c.end.Fatal = &at
		}
	}
	return c
}

// Dump writes a file with what is recorded so far. The program may be running. npdb is npdb's version.
func (r *Recording) Dump(to io.Writer, npdb string) error {
	h := r.header(npdb)
	r.mu.Lock()
	c := r.contents(h, r.unended())
	r.mu.Unlock()
	return c.write(to, r.opts.Redact)
}

// write writes the file, redacted by by unless that is nil.
func (c *contents) write(to io.Writer, by Redactor) error {
	if by != nil {
		clean, err := c.redacted(by)
		if err != nil {
			return err
		}
		c = clean
	}
	var w saved.Writer
	if err := w.Begin(to, c.header); err != nil {
		return err
	}
	events := 0
	for _, p := range c.parts {
		events += p.events
	}
	var read *Recording // reads the file for its index
	if events >= c.indexFrom {
		read = opened(c.header, statetree.New(), c.limits)
		read.tree.SetLimits(c.header.ValueBytes, c.header.Items)
	}
	add := func(kind saved.Kind, data []byte) error {
		w.Add(kind, data)
		if read != nil && kind == saved.KindRecords {
			return read.readRecords(data)
		}
		return nil
	}
	each := add
	if x := c.rewrite; x != nil {
		x.begin()
		each = func(kind saved.Kind, data []byte) error { return x.chunk(kind, data, add) }
	}
	err := c.eachChunk(each)
	if err == nil && c.rewrite != nil {
		err = c.rewrite.end()
	}
	if err != nil {
		return err
	}
	if err := w.Finish(c.end); err != nil || read == nil {
		return err
	}
	read.tree.Batch(func() {
		if c.end.Hole {
			read.tree.Hole(nil, nil)
		}
		read.tree.Finish()
	})
	return w.Index(read.tree.Save)
}

// eachChunk calls f for each chunk of the parts, after the first part's checkpoint.
func (c *contents) eachChunk(f func(kind saved.Kind, data []byte) error) error {
	if err := saved.EachKept(c.parts[0].begins, f); err != nil {
		return err
	}
	events := 0
	for _, p := range c.parts {
		err := saved.EachKept(p.chunks, func(kind saved.Kind, data []byte) error {
			if kind == saved.KindOutput || kind == saved.KindInput {
				data, _ = saved.Shifted(data, events, p.events-1)
			}
			return f(kind, data)
		})
		if err != nil {
			return err
		}
		events += p.events
	}
	return nil
}
