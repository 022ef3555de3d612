package python

import (
	"regexp"
	"strings"
)

// docExample is one example of a docstring.
type docExample struct {
	source  string   // without its prompts
	options []string // options of its directives: "+SKIP"
}

var (
	docPrompt    = regexp.MustCompile(`^ *>>>`)
	docMore      = regexp.MustCompile(`^ *\.\.\.`)
	docDirective = regexp.MustCompile(`(?m)#\s*doctest:\s*([^\n'"]*)$`)
	docComment   = regexp.MustCompile(`^ *(#.*)?$`)
)

// docExamples returns the examples of a docstring (CPython, Lib/doctest.py, DocTestParser). ok is
// false if doctest rejects the docstring. The caller has expanded tabs.
func docExamples(doc string) (examples []docExample, ok bool) {
	lines := strings.Split(doc, "\n")
	for i := 0; i < len(lines); i++ {
		if !docPrompt.MatchString(lines[i]) {
			continue
		}
		indent := strings.IndexByte(lines[i], '>')
		first := i
		for i+1 < len(lines) && docMore.MatchString(lines[i+1]) {
			i++
		}
		var source []string
		for _, line := range lines[first : i+1] {
			code, indented := strings.CutPrefix(line, strings.Repeat(" ", indent))
			if !indented || code[0] == ' ' || len(code) > 3 && code[3] != ' ' { // a prompt has three characters
				return nil, false
			}
			source = append(source, code[min(4, len(code)):])
		}
		e := docExample{source: strings.Join(source, "\n")}
		for _, m := range docDirective.FindAllStringSubmatch(e.source, -1) {
			e.options = append(e.options, strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })...)
		}
		if blank := docComment.MatchString(e.source); !blank {
			examples = append(examples, e)
		} else if len(e.options) > 0 {
			return nil, false
		}
	}
	return examples, true
}

// docOptions holds those options of doctest that affect neither which examples run nor their
// events.
var docOptions = map[string]int{
	"DONT_ACCEPT_TRUE_FOR_1": 1, "DONT_ACCEPT_BLANKLINE": 2, "NORMALIZE_WHITESPACE": 4, "ELLIPSIS": 8, "IGNORE_EXCEPTION_DETAIL": 32,
	"REPORT_UDIFF": 64, "REPORT_CDIFF": 128, "REPORT_NDIFF": 256, "REPORT_ONLY_FIRST_FAILURE": 512,
}

// skips reports whether doctest skips the example. known is false if an option is unknown, or makes
// the results of examples matter.
func (e *docExample) skips() (skip, known bool) {
	for _, option := range e.options {
		switch {
		case option == "+SKIP" || option == "-SKIP":
			skip = option == "+SKIP"
		case !strings.ContainsAny(option[:1], "+-") || docOptions[option[1:]] == 0:
			return false, false
		}
	}
	return skip, true
}
