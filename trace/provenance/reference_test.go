//go:build unix

package provenance_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace/provenance"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

var referenceSeed = flag.Uint64("reference-seed", 1, "draws the stops and expressions of TestReference")

const (
	generatedOnes    = 6 // number of generated programs
	stopsPerProgram  = 60
	chainsPerProgram = 8
	mostInputs       = 8 // number of forks that are followed in one chain
)

// tally counts the results of comparisons.
type tally struct {
	chains, agree, hops, deep int
	ended, lost               map[string]int
	wrong, likely             int
	differ                    int // chains whose last hop differs, and has a reason for the end
}

// drawStops chooses stops of a program: line events, with their lines and ordinals.
func drawStops(tree *statetree.Tree, rng *rand.Rand) (stops [][2]int, events map[[2]int]int) {
	counts := lineEvents(tree)
	events = map[[2]int]int{}
	var all [][2]int
	for _, line := range slices.Sorted(maps.Keys(counts)) {
		for i, event := range counts[line] {
			at := [2]int{line, i + 1}
			all, events[at] = append(all, at), event
		}
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(len(all), stopsPerProgram)], events
}

// drawQuestions chooses questions: those with deep chains first, and stores of different lines if possible.
func drawQuestions(g *refGraph, n int, rng *rand.Rand) []refQuestion {
	all := slices.Clone(g.Questions)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	seen := map[[2]any]int{}
	rank := map[refQuestion]int{}
	for _, q := range all {
		st := &g.Stores[q.Store]
		key := [2]any{st.Line, st.How}
		rank[q] = seen[key] * 100
		seen[key]++
		rank[q] -= min(g.depths[q.Store], 8)
	}
	slices.SortStableFunc(all, func(a, b refQuestion) int { return rank[a] - rank[b] })
	return all[:min(n, len(all))]
}

// followed returns npdb's chain for a question, and the inputs that it followed. At each fork it follows
// the input with the deepest chain.
func (c *comparison) followed(t *testing.T, p *query.Past, q refQuestion, event int) (hops []provenance.Hop, via []string) {
	for {
		f := provenance.New(p, slices.Clone(via), provenance.DefaultLimits, func() bool { return false })
		found, err := f.Find(q.Expression, p.ScopeAt(event), event)
		if err != nil {
			t.Fatalf("%s: %v", q.Expression, err)
		}
		if len(f.Missing()) > 0 {
			return hops, via[:len(via)-1]
		}
		hops = found
		last := &hops[len(hops)-1]
		if last.End != provenance.Fork || len(via) == mostInputs {
			return hops, via
		}
		via = append(via, c.g.deepestInput(last))
	}
}

// deepestInput returns the input of a fork whose text was ever read from the longest chain.
func (g *refGraph) deepestInput(h *provenance.Hop) string {
	return slices.MaxFunc(h.Inputs, func(a, b provenance.InputValue) int {
		return g.deepest[a.Expression] - g.deepest[b.Expression]
	}).Expression
}

// compareProgram compares chains of a program with the reference.
func compareProgram(t *testing.T, python string, program refProgram, count *tally) {
	rng := rand.New(rand.NewPCG(*referenceSeed, uint64(len(program.source))))
	script := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(script, []byte(program.source), 0o600); err != nil {
		t.Fatal(err)
	}
	tree := record(t, python, program.source)
	stops, events := drawStops(tree, rng)
	g := reference(t, python, script, stops)
	c := &comparison{g: g, tree: tree, counts: lineEvents(tree)}
	p := query.Of(tree)
	for line, n := range g.Counts {
		if n != len(c.counts[line]) && n > 0 {
			t.Logf("%s: line %d has %d runs and %d line events", program.name, line, n, len(c.counts[line]))
		}
	}
	g.Questions = slices.DeleteFunc(g.Questions, func(q refQuestion) bool { return g.Counts[q.Line] != len(c.counts[q.Line]) })
	questions := drawQuestions(g, chainsPerProgram, rng)
	if len(questions) < chainsPerProgram {
		t.Logf("%s: only %d questions", program.name, len(questions))
	}
	for _, q := range questions {
		hops, via := c.followed(t, p, q, events[[2]int{q.Line, q.Ordinal}])
		got := c.chain(hops, q)
		count.add(got, g.depths[q.Store])
		asked := fmt.Sprintf("%s (%s): %s via %v before run %d of line %d", program.name, python, q.Expression, via, q.Ordinal, q.Line)
		chain := strings.ReplaceAll(describe(hops), "; ", "\n  ")
		switch {
		case got.wrong != "" && got.sure:
			t.Errorf("%s: certain and wrong: %s\n  %s", asked, got.wrong, chain)
		case got.wrong != "":
			t.Logf("%s: likely and wrong: %s\n  %s", asked, got.wrong, chain)
		case got.last != "":
			t.Logf("%s: its last hop differs: %s\n  %s", asked, got.last, chain)
		}
	}
}

// add counts the result of a comparison of a chain whose reference has a number of stores.
func (c *tally) add(got compared, depth int) {
	c.chains++
	c.hops += got.hops
	if depth >= 5 {
		c.deep++
	}
	if got.last != "" {
		c.differ++
	}
	switch {
	case got.wrong != "" && got.sure:
		c.wrong++
	case got.wrong != "":
		c.likely++
	case got.ended != "":
		c.ended[got.ended]++
	case got.lost != "":
		c.lost[got.lost]++
	default:
		c.agree++
	}
}

// TestReference checks that npdb's chains agree with those of an independent tracer, the reference
// (testdata/reference), hop by hop: kind, statement, run of the statement and value. A chain with a likely hop may be wrong, but
// few are. testdata/reference.txt lists the programs.
func TestReference(t *testing.T) {
	all := pythons.All(t)
	count := newTally()
	for k, file := range ownPrograms(t) {
		if longtest.In(t, k, 3) {
			compareProgram(t, all[k%len(all)].Path, file, count)
		}
	}
	count.log(t)
}

// TestReferencePublic is like TestReference, for scripts of public repositories. NPDB_PUBLIC names a
// folder with a checkout of each, OWNER+NAME.
func TestReferencePublic(t *testing.T) {
	folder := os.Getenv("NPDB_PUBLIC")
	if folder == "" {
		t.Skip("NPDB_PUBLIC names no folder of checkouts of the repositories in testdata/reference.txt")
	}
	all := pythons.All(t)
	all = slices.DeleteFunc(slices.Clone(all), func(p pythons.Python) bool { return p.Minor < 12 }) // some have type parameters
	count := newTally()
	for k, file := range listed(t, folder, true) {
		compareProgram(t, all[k%len(all)].Path, file, count)
	}
	count.log(t)
}

func newTally() *tally { return &tally{ended: map[string]int{}, lost: map[string]int{}} }

func (c *tally) log(t *testing.T) {
	t.Logf("%d chains, %d of them with 5 stores or more: %d agree to the end, %d wrong and certain, %d wrong and likely",
		c.chains, c.deep, c.agree, c.wrong, c.likely)
	if c.likely*20 > c.chains {
		t.Errorf("more than one in 20 chains is likely and wrong")
	}
	t.Logf("%d hops agree; %d chains end with a name at another place than the reference's", c.hops, c.differ)
	for _, group := range []struct {
		text  string
		names map[string]int
	}{{"npdb ends", c.ended}, {"the reference ends", c.lost}} {
		for _, name := range slices.Sorted(maps.Keys(group.names)) {
			t.Logf("%5d %s: %s", group.names[name], group.text, name)
		}
	}
}

// refProgram is a program whose chains are compared.
type refProgram struct{ name, source string }

// ownPrograms returns programs of the project: those that testdata/reference.txt lists, and generated
// ones, in which different objects often have equal values.
func ownPrograms(t *testing.T) []refProgram {
	programs := listed(t, "../..", false)
	for seed := range uint64(generatedOnes) {
		plain, _ := program(7000 + seed)
		programs = append(programs, refProgram{fmt.Sprintf("generated program %d", 7000+seed), plain})
	}
	return programs
}

// listed reads the programs of the project, or the public ones, that testdata/reference.txt lists. The file
// has a line with a folder of the project, or with "OWNER/NAME COMMIT", then indented lines, each with a
// path in it.
func listed(t *testing.T, root string, public bool) (programs []refProgram) {
	t.Helper()
	list, err := os.ReadFile("testdata/reference.txt")
	if err != nil {
		t.Fatal(err)
	}
	folder, wanted := "", false
	for line := range strings.Lines(string(list)) {
		switch path, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "  "); {
		case path == "" || path[0] == '#':
		case indented && wanted:
			source, err := os.ReadFile(filepath.Join(root, folder, path))
			if err != nil {
				t.Fatal(err)
			}
			programs = append(programs, refProgram{filepath.Join(folder, path), string(source)})
		case !indented:
			name, _, commit := strings.Cut(path, " ")
			if folder, wanted = name, commit == public; public {
				folder = strings.ReplaceAll(name, "/", "+")
			}
		}
	}
	if len(programs) == 0 {
		t.Fatal("testdata/reference.txt lists no program")
	}
	return programs
}
