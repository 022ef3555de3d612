package python

import "errors"

// CheckStatement returns a SyntaxError, as an *EvalError, if text cannot be parsed as statements. It does not
// find all that CPython's compiler refuses.
func CheckStatement(text string) error {
	p, err := newStrictParser(text)
	if err == nil {
		p.statements(false)
		err = p.err()
	}
	if e := (*EvalError)(nil); errors.As(err, &e) && e.Type == "SyntaxError" {
		return e
	}
	return nil
}
