//go:build unix

package provenance_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace/provenance"
	"github.com/npdb/npdb/trace/query"
)

var (
	programs = flag.Int("programs", 6, "how many programs TestTrueOrigins generates")
	firstOne = flag.Uint64("first-program", 0, "the seed of the first of them")
)

// origin holds the true birthplace of a value.
type origin struct {
	Line    int
	Parents []int
	Value   int
}

// snapshot holds the origins of what the caller of snap() can name.
type snapshot struct {
	Found map[string]int
	Made  []origin
}

// snapshots runs the version of a program whose values know where they were made.
func snapshots(t *testing.T, python, shadow string) []snapshot {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shadow_prog.py")
	if err := os.WriteFile(file, []byte(shadow), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "testdata/shadow.py", file)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil && !strings.Contains(problems.String(), file) {
		t.Fatalf("%v\n%s\n%s", err, problems.String(), shadow)
	}
	var found []snapshot
	for line := range bytes.Lines(out) {
		var s snapshot
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		found = append(found, s)
	}
	return found
}

// verdict is the result of comparing a chain with the truth.
type verdict int

const (
	right verdict = iota
	rightLikely
	wrong
	wrongLikely
	open // the chain ends where it is not known
	verdicts
)

// judge compares a chain with where the value was really made.
func judge(hops []provenance.Hop, made []origin, at int) verdict {
	certain := true
	result := func(ok bool) verdict {
		switch {
		case ok && certain:
			return right
		case ok:
			return rightLikely
		case certain:
			return wrong
		}
		return wrongLikely
	}
	for _, h := range hops {
		certain = certain && h.Certain
		for range h.Times {
			switch {
			case h.End == provenance.Literal:
				return result(made[at].Line == h.By.Line && len(made[at].Parents) == 0)
			case h.End != provenance.NoEnd && h.End != provenance.Fork:
				return open
			case strings.Contains(h.Note, "not recorded"):
				return open
			case !h.Computed:
				continue
			case made[at].Line != h.By.Line:
				return result(false)
			case h.End == provenance.Fork:
				return result(true)
			}
			parents := made[at].Parents
			next := slices.IndexFunc(h.Inputs, func(in provenance.InputValue) bool { return in.Followed })
			if len(h.Inputs) != len(parents) || next < 0 { // a literal operand, or twice the same value
				if len(parents) != 1 {
					return result(true)
				}
				next = 0
			}
			at = parents[next]
		}
	}
	return open
}

// TestTrueOrigins compares the chains of generated programs with where their values were really
// made. No chain of certain hops may be wrong.
func TestTrueOrigins(t *testing.T) {
	var count [verdicts]int
	for k := range *programs {
		python := pythons.All(t)[k%len(pythons.All(t))].Path
		plain, shadow := program(*firstOne + uint64(k))
		truth := snapshots(t, python, shadow)
		tree := record(t, python, plain)
		p := query.Of(tree)
		n := 0
		for event := range tree.Len() {
			at := tree.At(event)
			if at.Event != dsl.Call || tree.Code(at.Code).Name != "snap" {
				continue
			}
			if n == len(truth) {
				t.Fatalf("program %d: more calls of snap than in the shadow run", k)
			}
			check(t, p, event, truth[n], *firstOne+uint64(k), plain, &count)
			n++
		}
		if n != len(truth) {
			t.Fatalf("program %d: %d calls of snap, %d in the shadow run", k, n, len(truth))
		}
	}
	all := 0
	for _, n := range count {
		all += n
	}
	t.Logf("%d chains: %d right and certain, %d right and likely, %d wrong and likely, %d open, %d wrong and certain",
		all, count[right], count[rightLikely], count[wrongLikely], count[open], count[wrong])
	if count[right] < all*2/5 {
		t.Errorf("only %d of %d chains are certain", count[right], all)
	}
}

func check(t *testing.T, p *query.Past, event int, s snapshot, seed uint64, plain string, count *[verdicts]int) {
	stack := p.Tree().Stack(event)
	scope := p.ScopeOf(stack[len(stack)-2].Activation)
	for expr, at := range s.Found {
		f := provenance.New(p, nil, provenance.DefaultLimits, func() bool { return false })
		hops, err := f.Find(expr, scope, event)
		if err != nil {
			t.Fatal(err)
		}
		v := judge(hops, s.Made, at)
		count[v]++
		if v == wrong {
			t.Errorf("program %d: %s at event %d, line %d, was made at line %d (%v), but has the chain %s\n%s", seed, expr, event,
				stack[len(stack)-2].Line, s.Made[at].Line, s.Made[at].Parents, describe(hops), numbered(plain))
		}
	}
}

func numbered(source string) string {
	var b strings.Builder
	for i, line := range dsl.SplitLines(source) {
		b.WriteString(strings.Join([]string{strconv.Itoa(i + 1), line, ""}, "\t") + "\n")
	}
	return b.String()
}
