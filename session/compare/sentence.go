package compare

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// excerptLen is the maximum number of characters of a value in a sentence.
const excerptLen = 40

// String returns the verdict as a sentence: "total = 41, actually 42". Long values are shortened to
// the part around the difference.
func (v Verdict) String() string {
	if v.Own != "" && v.Kind.Wrong() {
		return v.sentence() + " (may be the program's own: it comes from " + v.Own + ")"
	}
	return v.sentence()
}

func (v Verdict) sentence() string {
	subject := v.subject()
	p, r := v.Excerpts()
	switch v.Kind {
	case Missing:
		if v.Field == Outcome {
			return "no answer, actually " + r
		}
		return fmt.Sprintf("%s is missing: %s", subject, r)
	case Extra:
		return fmt.Sprintf("%s does not exist: %s", subject, p)
	case Incomparable:
		return fmt.Sprintf("%s cannot be compared: %s", subject, v.Reason)
	case Same:
		if v.Rule != "" {
			return fmt.Sprintf("%s is the same by %s", subject, v.Rule)
		}
		return subject + " is the same"
	}
	switch v.Field {
	case Local:
		return fmt.Sprintf("%s = %s, actually %s", v.Name, p, r)
	case Outcome:
		return fmt.Sprintf("%s, actually %s", p, r)
	}
	return fmt.Sprintf("%s %s, actually %s", subject, p, r)
}

// Summary returns a sentence about the first wrong verdict, with its line number: "line 14, total =
// 41, actually 42". It returns "" if nothing is wrong.
func (v Verdicts) Summary() string {
	first, ok := v.First()
	if !ok {
		return ""
	}
	line, ok := v.Of(Line)
	if !ok || first.Field == Line || line.Kind != Same {
		return first.String()
	}
	return fmt.Sprintf("line %s, %s", line.Real, first)
}

func (v Verdict) subject() string {
	switch v.Field {
	case Local:
		return "`" + v.Name + "`"
	case ExitCode:
		return "exit code"
	case ExitException:
		return "uncaught exception"
	}
	return v.Field.String()
}

var outcomeWords = map[string]string{
	"state": "a state", "end": "the end of the program", "start": "the start of the program", "unknown": "no answer", "": "no answer",
}

// Excerpts returns the predicted and the real text. Long texts are shortened to the part around
// their first difference.
func (v Verdict) Excerpts() (predicted, real string) {
	if v.Field == Outcome {
		return outcomeWords[v.Predicted], outcomeWords[v.Real]
	}
	if v.Kind != Differs || utf8.RuneCountInString(v.Predicted) <= excerptLen && utf8.RuneCountInString(v.Real) <= excerptLen {
		return excerpt(v.Predicted, 0), excerpt(v.Real, 0)
	}
	return excerpt(v.Predicted, v.PredictedAt), excerpt(v.Real, v.RealAt)
}

// excerpt returns a text of at most excerptLen characters; a longer one is shortened to the part
// around byte at.
func excerpt(text string, at int) string {
	if utf8.RuneCountInString(text) <= excerptLen {
		return text
	}
	const before = excerptLen / 4
	start := runeStart(text, min(at, len(text)))
	shown := 0
	back := func(most int) {
		for ; start > 0 && shown < most; shown++ {
			_, size := utf8.DecodeLastRuneInString(text[:start])
			start -= size
		}
	}
	end := start
	back(before)
	for ; end < len(text) && shown < excerptLen; shown++ {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	back(excerptLen)
	var b strings.Builder
	if start > 0 {
		b.WriteString(ellipsis)
	}
	b.WriteString(text[start:end])
	if end < len(text) {
		b.WriteString(ellipsis)
	}
	return b.String()
}
