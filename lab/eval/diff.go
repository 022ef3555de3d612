package eval

import (
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
)

// Diff compares two results of the same task, question by question.
type Diff struct {
	Version int    `json:"v"`
	A       Side   `json:"a"`
	B       Side   `json:"b"`
	Rows    []Row  `json:"rows"`
	OnlyA   int    `json:"only_a"` // number of questions that only A has; they are not compared
	OnlyB   int    `json:"only_b"`
	Warning string `json:"warning,omitempty"`
}

// Side describes one of the two results.
type Side struct {
	Model    string   `json:"model"`
	Settings Settings `json:"settings"`
}

// Row compares two results by one measure: A and B are the shares of right answers, and the
// difference is B minus A.
type Row struct {
	Measure  string  `json:"measure"`
	N        int     `json:"n"`        // number of questions
	Programs int     `json:"programs"` // number of programs, from which the bootstrap draws
	A        float64 `json:"a"`
	B        float64 `json:"b"`
	Interval
}

// Measures that sum up all actions of one direction.
const (
	AllForward = "all forward"
	AllInverse = "all inverse"
)

// Compare compares two results of one task.
func Compare(a, b *Result) (*Diff, error) {
	if a.Task != b.Task {
		return nil, fmt.Errorf("one is a result of npdb eval %s, the other of npdb eval %s", a.Task, b.Task)
	}
	d := &Diff{Version: version, A: Side{a.Model, a.Settings}, B: Side{b.Model, b.Settings}, Rows: []Row{}}
	if a.Settings.Source != b.Settings.Source {
		d.Warning = "the two were measured with files of different names"
	}
	others := map[itemKey]Item{}
	for _, x := range b.Items {
		others[x.key()] = x
	}
	by := map[string]map[string]pair{} // by measure, and then by program
	n := map[string]int{}
	var measures []string
	for _, x := range a.Items {
		y, ok := others[x.key()]
		if !ok {
			d.OnlyA++
			continue
		}
		delete(others, x.key())
		for _, m := range measuresOf(x.Measure) {
			if by[m] == nil {
				by[m] = map[string]pair{}
				measures = append(measures, m)
			}
			p := by[m][x.Program]
			p.a += x.Right / float64(x.Of)
			p.b += y.Right / float64(y.Of)
			p.of++
			by[m][x.Program] = p
			n[m]++
		}
	}
	d.OnlyB = len(others)
	slices.SortStableFunc(measures, func(a, b string) int { return order(a) - order(b) })
	for _, m := range measures {
		d.Rows = append(d.Rows, row(m, n[m], by[m]))
	}
	return d, nil
}

// row compares two results by one measure.
func row(measure string, n int, by map[string]pair) Row {
	programs := make([]string, 0, len(by))
	for name := range by {
		programs = append(programs, name)
	}
	slices.Sort(programs) // the random draws of the bootstrap depend on the order
	out := Row{Measure: measure, N: n, Programs: len(by)}
	var pairs []pair
	for _, name := range programs {
		p := by[name]
		pairs = append(pairs, p)
		out.A, out.B = out.A+p.a/float64(n), out.B+p.b/float64(n)
	}
	out.Interval = bootstrap(pairs)
	return out
}

// measuresOf returns the measures for which a question counts: its own, and for an action also the sum
// of its direction.
func measuresOf(m string) []string {
	for i, name := range actions {
		if m == name {
			if i < len(actions)/2 {
				return []string{m, AllForward}
			}
			return []string{m, AllInverse}
		}
	}
	return []string{m}
}

// actions lists the names of the actions, forward ones first.
var actions = func() (names []string) {
	for m := range dsl.Moves() {
		names = append(names, m.String())
	}
	return names
}()

// order returns a measure's rank in the list of measures: sums first, then the actions, and
// then all others.
func order(m string) int {
	all := append([]string{AllForward, AllInverse}, actions...)
	if i := slices.Index(all, m); i >= 0 {
		return i
	}
	return len(all)
}
