package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/npdb/npdb/session"
)

// TestContinueIsTheSameBehindTheEdge sets the same breakpoints in a session that runs the
// program and in one that walks its recording: the stops, the counts and the deleted ones
// must agree. So must those of a session that passes from the recording to the live
// program.
func TestContinueIsTheSameBehindTheEdge(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var lines []string
		for n := range rapid.IntRange(1, 4).Draw(rt, "breakpoints") {
			place := rapid.SampledFrom([]string{"2", "3", "5", "6", "7", "f"}).Draw(rt, "line")
			verb := rapid.SampledFrom([]string{"b", "tbreak"}).Draw(rt, "verb")
			condition := ""
			if place == "2" || place == "3" || place == "f" {
				condition = rapid.SampledFrom([]string{"", ", x == 1", ", x == 2", ", x == 9"}).Draw(rt, "condition")
			}
			lines = append(lines, verb+" "+place+condition)
			if k := rapid.IntRange(0, 2).Draw(rt, "ignore"); k > 0 {
				lines = append(lines, fmt.Sprintf("ignore %d %d", n+1, k))
			}
			if rapid.Bool().Draw(rt, "disabled") {
				lines = append(lines, fmt.Sprintf("disable %d", n+1))
			}
		}
		edge := rapid.IntRange(0, 21).Draw(rt, "edge")
		moves := rapid.SliceOfN(rapid.SampledFrom([]string{"c", "until 7", "s"}), 1, 6).Draw(rt, "moves")

		walk := func(before ...string) string {
			s := open(t, newFake(t), func(c *session.Config) { c.StateDir = "" })
			s.First(context.Background())
			run(s, before...)
			run(s, lines...)
			var at []string
			for _, m := range moves {
				run(s, m)
				at = append(at, fmt.Sprintf("%s: %+v\n%s", m, s.Position(), describe(s)))
			}
			return strings.Join(at, "\n")
		}
		live := walk()
		if got := walk("c", "rewind"); got != live {
			rt.Fatalf("recorded\n%s\nlive\n%s", got, live)
		}
		if got := walk(fmt.Sprintf("goto %d", edge), "rewind"); got != live {
			rt.Fatalf("recorded up to event %d\n%s\nlive\n%s", edge, got, live)
		}
	})
}
