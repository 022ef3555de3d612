package session

import (
	"encoding/json"
	"reflect"

	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/redact"
)

// secrets takes out of what is kept on disk what the model is not told, where states are a
// model's: it holds no more than that, and what is replayed leads to the same. A program
// that runs is given what was typed, and needs it again. Nil takes out nothing.
func (pr *program) secrets() *redact.Redactor {
	if p, ok := pr.reference().(*nav.Predicted); ok {
		return p.Redact
	}
	return nil
}

// journalled returns a command as the journal has it.
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
