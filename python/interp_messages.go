package python

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/npdb/npdb/python/supported"
)

// wording rewrites an exception's message for the versions of Python in which it differs. The
// evaluator's own messages are those of 3.12.
type wording struct {
	first, last int // minor versions, inclusive
	from        *regexp.Regexp
	to          string
}

// wordings lists the messages that differ between versions (CPython, Objects/*.c of each version).
// A message that cannot be derived from the one of 3.12 is set where the exception is raised:
// EvalError.newer.
var wordings = sync.OnceValue(func() []wording {
	var all []wording
	for _, w := range []struct {
		first, last int
		from, to    string
	}{
		{9, 9, `a real number(, not| is required, not)`, "a number$1"},
		{9, 9, `^(unsupported operand type\(s\) for) \*\*=(.*)$`, "$1 ** or pow()$2"},
		{9, 9, `^(isinstance\(\) arg 2 must be a type|issubclass\(\) arg 2 must be a class), a (tuple of (?:types|classes)), or a union$`, "$1 or $2"},
		{9, 10, `^cannot access local variable ('.*') where it is not associated with a value$`, "local variable $1 referenced before assignment"},
		{9, 10, `^cannot access free variable ('.*') where it is not associated with a value in enclosing scope$`, "free variable $1 referenced before assignment in enclosing scope"},
		{9, 10, `^(string indices must be integers), not '.*'$`, "$1"},
		{9, 10, `^(Invalid format specifier) '.*' for object of type '.*'$`, "$1"},
		{9, 10, `^integer modulo by zero$`, "integer division or modulo by zero"},
		{9, 11, `^(max|min)\(\) iterable argument is empty$`, "$1() arg is an empty sequence"},
		{13, 13, `^float modulo$`, "float modulo by zero"},
		{14, supported.Preview, `^(integer division or modulo|integer modulo|float division|float floor division|complex division) by zero$|^float modulo$|^float divmod\(\)$`, "division by zero"},
		{14, supported.Preview, `^0\.0 cannot be raised to a negative power$`, "zero to a negative power"},
		{14, supported.Preview, `(?s)^.* is not in (list|range)$`, "$1.index(x): x not in $1"},
		{14, supported.Preview, `^(argument of type '.*' is not) iterable$`, "$1 a container or iterable"},
		{14, supported.Preview, `^cannot convert dictionary update sequence element #\d+ to a sequence$`, "object is not iterable"},
	} {
		all = append(all, wording{w.first, w.last, regexp.MustCompile(w.from), w.to})
	}
	return all
})

// oldForms matches messages that only some older versions print.
var oldForms = sync.OnceValue(func() []wording {
	var all []wording
	for _, w := range []struct {
		last int
		text string
	}{
		{11, `^(max|min)\(\) arg is an empty sequence$`},
		{10, `^local variable '.*' referenced before assignment$`},
		{10, `^free variable '.*' referenced before assignment in enclosing scope$`},
	} {
		all = append(all, wording{last: w.last, from: regexp.MustCompile(w.text)})
	}
	return all
})

// WordedOtherwise reports whether this version of Python prints the message of a built-in exception
// in other words, so that another version must have printed message.
func WordedOtherwise(message string, v Version) bool {
	if v == (Version{}) {
		v = Version{3, 12}
	}
	for _, w := range wordings() {
		if w.first <= v.Minor && v.Minor <= w.last && w.from.MatchString(message) {
			return true
		}
	}
	return slices.ContainsFunc(oldForms(), func(w wording) bool { return v.Minor > w.last && w.from.MatchString(message) })
}

// message returns the message of an exception in the words of a version.
func (e *EvalError) message(v Version) string {
	if v.Minor >= 15 && reworded().MatchString(e.Message) {
		panic(refused(e.Type, "has a message that is not computed"))
	}
	if e.newer != "" && v.Minor >= 14 {
		return e.newer
	}
	if v.Minor < 10 && strings.HasSuffix(e.Message, "cannot be interpreted as an integer") {
		panic(refused(e.Type, "has a message that is not computed"))
	}
	for _, w := range wordings() {
		if w.first <= v.Minor && v.Minor <= w.last && w.from.MatchString(e.Message) {
			return w.from.ReplaceAllString(e.Message, w.to)
		}
	}
	return e.Message
}

// reworded matches the messages of the % operator and of slices, which 3.15 words anew.
var reworded = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^%\w (format: |requires |arg )|^must be real number, not |format string$|^format requires a mapping|` +
		`^incomplete format|during string formatting$|^slice indices must be `)
})
