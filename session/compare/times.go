package compare

import (
	"regexp"
	"strconv"
	"strings"
)

// A timestamp taken from a clock usually has a fraction of a second; one in a program's data rarely
// has. The clocks rule therefore applies only if one of the two times has a fraction.

// Seconds since 1970 in this range, from July 2017 to March 2049, may come from a clock.
const (
	firstSecond = 1.5e9
	lastSecond  = 2.5e9
)

// sinceEpoch reports whether two numbers are clock times in seconds since 1970, at least one of
// them with four or more decimals.
func sinceEpoch(p, r string) bool {
	return isSeconds(p) && isSeconds(r) && (fraction(p) >= 4 || fraction(r) >= 4)
}

func isSeconds(s string) bool {
	if !isFloat(s) || strings.Contains(s, "e") {
		return false
	}
	x, err := strconv.ParseFloat(s, 64)
	return err == nil && firstSecond <= x && x < lastSecond
}

func fraction(s string) int {
	_, digits, _ := strings.Cut(s, ".")
	return len(digits)
}

// datetimeArgs matches the arguments of a datetime: date, hour and minute, and optionally second
// and microsecond. A time from a clock has a microsecond.
var datetimeArgs = regexp.MustCompile(`^(?:19|20)\d\d(?:, \d{1,2}){4,5}(, \d{1,6})?`)

const datetimeName = "datetime.datetime"

// datetime reports whether two tokens differ inside the arguments of datetime.datetime(…) and the
// clocks rule explains the difference.
func (m *matcher) datetime(a, b token) bool {
	if !m.rules.Clocks || len(m.open) == 0 || m.deeper > 0 {
		return false
	}
	open := m.open[len(m.open)-1]
	starts := [2]int{a.start, b.start}
	var ends [2]int
	precise, covered := false, false
	for i := range starts {
		text := m.texts[i].text
		if open.char != '(' || !strings.HasSuffix(text[:open.at[i]], datetimeName) {
			return false
		}
		args := text[open.at[i]+1:]
		found := datetimeArgs.FindStringSubmatchIndex(args)
		if found == nil {
			return false
		}
		rest := args[found[1]:]
		if !strings.HasPrefix(rest, ")") && !strings.HasPrefix(rest, ", tzinfo=") && !strings.HasPrefix(rest, ", fold=") {
			return false
		}
		ends[i] = open.at[i] + 1 + found[1]
		precise = precise || strings.Count(args[:found[1]], ",") == 6
		covered = covered || ends[i] > starts[i]
		if ends[i] < starts[i] {
			return false // the difference is after the date and time
		}
	}
	if !precise || !covered {
		return false
	}
	m.texts[0].pos, m.texts[1].pos = ends[0], ends[1]
	m.used |= clocks
	return true
}
