package session

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/trace"
)

// secrets returns the redactor for the journal. In neural mode it is the model's, so that the
// journal contains no secret that the model was not sent. It is nil if a program runs, because a
// replay needs its true input.
func (pr *program) secrets() *redact.Redactor {
	if p, ok := pr.reference().(*nav.Predicted); ok {
		return p.Redact
	}
	return nil
}

// journalled encodes a command for the journal, with its secrets redacted.
func (pr *program) journalled(c Command) json.RawMessage {
	r := pr.secrets()
	if r == nil {
		return EncodeCommand(c)
	}
	out := reflect.New(reflect.TypeOf(c)).Elem()
	out.Set(reflect.ValueOf(c))
	for i := range out.NumField() {
		if f := out.Field(i); f.Kind() == reflect.String && f.CanSet() {
			f.SetString(r.Text(f.String()))
		}
	}
	return EncodeCommand(out.Interface().(Command))
}

// journalledBeginning returns a beginning for the journal, with its secrets redacted.
func (pr *program) journalledBeginning(b *trace.Beginning) *trace.Beginning {
	r := pr.secrets()
	if b == nil || r == nil {
		return b
	}
	redacted := func(text *string) *string {
		if text == nil {
			return nil
		}
		shown := r.Text(*text)
		return &shown
	}
	out := &trace.Beginning{Returned: redacted(b.Returned), Raised: redacted(b.Raised), Frames: slices.Clone(b.Frames)}
	for i, f := range out.Frames {
		out.Frames[i].Locals = slices.Clone(f.Locals)
		for k, l := range f.Locals {
			out.Frames[i].Locals[k].Value = r.Value(l.Name, l.Value)
		}
	}
	return out
}
