package session

import (
	"encoding/json"
	"reflect"

	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/redact"
)

// secrets returns what redacts the journal where states are predicted, so that it holds no more
// than the model was told. It is nil where a program runs, which needs its input again in a
// replay.
func (pr *program) secrets() *redact.Redactor {
	if p, ok := pr.reference().(*nav.Predicted); ok {
		return p.Redact
	}
	return nil
}

// journalled encodes a command for the journal.
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
