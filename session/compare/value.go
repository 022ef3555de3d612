package compare

import "strings"

// The reasons in verdicts that two values cannot be compared.
const (
	reasonCut        = "the value was too large to be stored whole; what was stored is the same"
	reasonUnrendered = "CPython could not write the value as text"
	reasonWork       = "its sets are too large to be compared"
)

// matchWork and matchTimes limit the bytes that are read again to match the elements of sets, for
// one value: matchWork plus matchTimes the length of both texts.
const (
	matchWork  = 8 << 20
	matchTimes = 4
)

// Values compares the texts of two values by the same rules as locals. The verdict's Field is not
// set.
func Values(predicted, real string, r Rules) Verdict { return compareValue(predicted, real, r) }

// compareValue compares the texts of two values. It takes linear time; identical texts take a
// single memory comparison.
func compareValue(predicted, real string, r Rules) Verdict {
	v := Verdict{Kind: Same, Predicted: predicted, Real: real}
	if unrendered(real) {
		v.Kind, v.Reason = Incomparable, reasonUnrendered
		return v
	}
	if predicted == real && !strings.Contains(real, ellipsis+" ") {
		return v
	}
	work := matchWork + matchTimes*(len(predicted)+len(real))
	m := newMatcher(predicted, real, r, &work)
	m.paired = &pairing{}
	switch ok := m.match(); {
	case ok && m.cut:
		v.Kind, v.Reason = Incomparable, reasonCut
	case !ok && m.spent():
		v.Kind, v.Reason = Incomparable, reasonWork
	case !ok:
		v.Kind, v.PredictedAt, v.RealAt = Differs, m.at[0], m.at[1]
		return v
	}
	v.Rule = names(m.used)
	return v
}

// unrendered reports whether a text is the placeholder for a value that CPython could not render
// (trace/tracer/render.py).
func unrendered(text string) bool {
	if !strings.HasPrefix(text, "<") {
		return false
	}
	for _, why := range []string{": too deep to render>", ": no memory to render>", ": cannot be rendered>"} {
		if strings.HasSuffix(text, why) {
			return true
		}
	}
	return false
}
