package backend

import (
	"fmt"

	"github.com/npdb/npdb/dsl"
)

// Bounds of what a model makes up for the arguments that a call leaves open.
const (
	MostFilled       = 16      // arguments, each of which may take a request
	MostFilledTokens = 512     // of one value
	MostFilledBytes  = 8 << 10 // of one value
)

// Filled is a first state that was given values.
type Filled struct {
	First *dsl.Stop // whole
	// Confidence is the probability that the model gave all values that it made up, 0 to 1;
	// nil where it was not told. Sureness has that of each.
	Confidence *float64
	Sureness   *Sureness
	Took       []Usage // of each reply that had values
	Vain       []Vain  // the replies that had none, or led nowhere
}

// FillOptions limits the tokens of one value to MostFilledTokens; limit is what the
// configuration allows to a reply, 0 for anything.
func FillOptions(o Options, limit int) Options {
	if o.MaxTokens != nil {
		limit = *o.MaxTokens
	}
	if limit <= 0 || limit > MostFilledTokens {
		limit = MostFilledTokens
	}
	o.MaxTokens = &limit
	return o
}

// TooManyFilled returns the error for a call that leaves more arguments open than a model is
// asked for; nil for another one.
func TooManyFilled(missing int) error {
	if missing <= MostFilled {
		return nil
	}
	return fmt.Errorf("%d arguments are left to the model, which makes up at most %d: give values for the others", missing, MostFilled)
}

// EndlessValue returns the error for a value that met a bound, which the words name: "512
// tokens".
func EndlessValue(name, bound string) *Error {
	return &Error{Kind: Endless, Message: fmt.Sprintf("the value that the model makes up for %q exceeds the limit of %s: give it one, as in --entry 'f(%s=1)'", name, bound, name)}
}

// TooLongValue returns the error for a value of more than MostFilledBytes; nil for another one.
func TooLongValue(name, value string) *Error {
	if len(value) <= MostFilledBytes {
		return nil
	}
	return EndlessValue(name, fmt.Sprintf("%d bytes", MostFilledBytes))
}

// Measure sets how sure the model was of the values that it made up, from the probabilities
// by name.
func (f *Filled) Measure(missing []int, of map[string]*float64) {
	sure, whole := &Sureness{By: LogProbabilities}, 1.0
	known := true
	for _, i := range missing {
		name := f.First.Locals[i].Name
		p := of[name]
		sure.SetLocal(name, p)
		if p == nil {
			known = false
			continue
		}
		whole *= *p
	}
	if len(sure.Locals) == 0 {
		return
	}
	f.Sureness = sure
	if known {
		f.Confidence = &whole
	}
}

// MeasureValue returns the probability of a value that begins a reply of some tokens and takes
// so many bytes of it, its quote included. Nil where it is not known.
func MeasureValue(pieces []Piece, bytes int) *float64 {
	if len(pieces) == 0 {
		return nil
	}
	const name = "value"
	at := dsl.Told{Locals: map[string][]dsl.Span{name: {{From: 0, To: bytes}}}}
	return Measure(pieces, at).Local(name)
}
