//go:build unix

package provenance_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// refStore is a store that the reference noted: a place that got a value.
type refStore struct {
	How        string
	Text       string
	Line, Last int // of the statement; 0 if code that is not followed stored it
	Ordinal    int // of the statement's runs, from 1; 0 if they cannot be counted by line events
	Value      string
	Source     int
	Time       int
	Silent     bool // a name of a comprehension, which npdb passes over
	Foreign    bool // the reference does not see changes of the value
	Changes    [][3]int
}

// refInput is a part of an expression that the expression's value was computed from.
type refInput struct {
	Text   string
	Origin int
}

// refOrigin describes where an expression got its value.
type refOrigin struct {
	Kind   string
	Line   int
	Time   int
	Store  int // -1 for none
	Note   string
	Inputs []refInput
	Parts  []int
	Holder int // -1 for none
	Index  int // -1 if it is not an index
	Value  string
}

// refQuestion asks where the value of an expression came from, before a run of a statement.
type refQuestion struct {
	Line, Ordinal int
	Expression    string
	Store, Time   int
	Holder, Index int // of an element; -1 for none
}

// refGraph holds the answers of the reference for a program.
type refGraph struct {
	Questions []refQuestion
	Stores    []refStore
	Origins   []refOrigin
	Counts    map[int]int // the runs of the statements that have a line of their own
	depths    []int       // of the stores
	deepest   map[string]int
}

// reference runs a program under the reference's tracer.
func reference(t *testing.T, python, script string, stops [][2]int) *refGraph {
	t.Helper()
	folder := t.TempDir()
	text, err := json.Marshal(stops)
	if err != nil {
		t.Fatal(err)
	}
	asked, answers := filepath.Join(folder, "stops.json"), filepath.Join(folder, "answers.json")
	if err := os.WriteFile(asked, text, 0o600); err != nil {
		t.Fatal(err)
	}
	tool, err := filepath.Abs("testdata/reference/reference.py")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-B", tool, script, asked, answers)
	cmd.Dir, cmd.Stdin = folder, bytes.NewBufferString("typed\n")
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0")
	var problems bytes.Buffer
	cmd.Stderr = &problems
	failed := cmd.Run() // a program may end with an exception
	text, err = os.ReadFile(answers)
	if err != nil {
		t.Fatalf("%s: the reference: %v, %v\n%s", script, err, failed, problems.String())
	}
	if frames := strings.Split(problems.String(), "\n  File "); strings.Contains(frames[len(frames)-1], filepath.Dir(tool)) {
		t.Fatalf("%s: the reference itself raises: %s", script, problems.String())
	}
	g := &refGraph{}
	if err := json.Unmarshal(text, g); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	g.measure()
	return g
}

// mostDepth is the greatest depth of a chain that is counted.
const mostDepth = 40

// measure sets depths and deepest: how many stores the longest chain has from each store, and from each
// text of an input.
func (g *refGraph) measure() {
	g.depths, g.deepest = make([]int, len(g.Stores)), map[string]int{}
	order := make([]int, len(g.Stores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return g.Stores[a].Time - g.Stores[b].Time }) // a store reads older ones
	for _, i := range order {
		g.depths[i] = min(1+g.depthOf(g.Stores[i].Source), mostDepth)
	}
	for i := range g.Origins {
		for _, in := range g.Origins[i].Inputs {
			g.deepest[in.Text] = max(g.deepest[in.Text], g.depthOf(in.Origin))
		}
	}
}

func (g *refGraph) depthOf(origin int) int {
	o := &g.Origins[origin]
	if o.Store >= 0 {
		return g.depths[o.Store]
	}
	d := 0
	for _, in := range o.Inputs {
		if next := g.Origins[in.Origin].Store; next >= 0 {
			d = max(d, g.depths[next])
		}
	}
	return d
}
