package backend

import (
	"fmt"

	"github.com/npdb/npdb/dsl"
)

// Limits for the values that a model makes up for arguments missing in --entry.
const (
	MostFilled       = 16      // arguments; each may need one request
	MostFilledTokens = 512     // tokens of one value
	MostFilledBytes  = 8 << 10 // bytes of one value
)

// Filled is a first state whose missing values a model has made up.
type Filled struct {
	First *dsl.Stop // complete, with all values
	// Confidence is the probability, from 0 to 1, that the model assigns to all made-up values together;
	// nil if the server does not report it. Sureness holds the probability of each value.
	Confidence *float64
	Sureness   *Sureness
	Took       []Usage     // of each reply that contained values
	Discarded  []Discarded // the replies without values, or with unusable ones
}

// FillOptions returns o with MaxTokens for one made-up value: at most MostFilledTokens. limit is
// the configured limit of a reply, 0 for none.
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

// TooManyFilled returns an error if more than MostFilled arguments have no value, else nil.
func TooManyFilled(missing int) error {
	if missing <= MostFilled {
		return nil
	}
	return fmt.Errorf("%d arguments are left to the model, which makes up at most %d: give values for the others", missing, MostFilled)
}

// EndlessValue returns the error for a made-up value that exceeds a limit. bound is the limit in
// words, for example "512 tokens".
func EndlessValue(name, bound string) *Error {
	return &Error{Kind: Endless, Message: fmt.Sprintf("the value that the model makes up for %q exceeds the limit of %s: give it one, as in --entry 'f(%s=1)'", name, bound, name)}
}

// TooLongValue returns an error if a value has more than MostFilledBytes, else nil.
func TooLongValue(name, value string) *Error {
	if len(value) <= MostFilledBytes {
		return nil
	}
	return EndlessValue(name, fmt.Sprintf("%d bytes", MostFilledBytes))
}

// Measure sets Confidence and Sureness from the probabilities of the made-up values, by name in of.
// missing holds their indexes into First.Locals.
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

// MeasureValue returns the probability of a value, given the tokens of a reply whose first bytes
// are the value and its closing quote. It returns nil if the probability is unknown.
func MeasureValue(pieces []Piece, bytes int) *float64 {
	if len(pieces) == 0 {
		return nil
	}
	const name = "value"
	at := dsl.Told{Locals: map[string][]dsl.Span{name: {{From: 0, To: bytes}}}}
	return Measure(pieces, at).Local(name)
}
