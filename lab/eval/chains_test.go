//go:build unix

package eval

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session/export"
	"github.com/npdb/npdb/trace"
)

// TestChainsAreAsked checks that the chain of a recorded call is what the strategy into asks for step by
// step: the same prompt at the call, and states that CPython answers with. It also checks that Read
// accepts chains as trajectories.
func TestChainsAreAsked(t *testing.T) {
	oracle := contained(t)
	for _, p := range problems(t).Programs {
		path := filepath.Join(t.TempDir(), "program.py")
		if err := os.WriteFile(path, []byte(strings.Join(p.Text.Files[0].Lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		rec, landing, err := trace.Start(t.Context(), trace.Options{
			Python: pythons.Any(t), Script: path, Dir: filepath.Dir(path), Entry: p.Call(), Reprs: trace.ReprsAsked,
		})
		for err == nil && !landing.End {
			landing, err = rec.Advance(t.Context(), nil, nil)
		}
		if err == nil {
			err = rec.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		made, err := export.WriteChains(&b, rec.Tree(), export.ChainOptions{Program: p.Name})
		if err != nil || made.Written != 1 || made.Cut > 0 {
			t.Fatalf("%s: %+v, %v", p.Name, made, err)
		}
		s, err := Read(b.Bytes())
		if err != nil || len(s.Walks) != 1 {
			t.Fatalf("%s: %v", p.Name, err)
		}
		r, err := newRunner(Config{Predictor: oracle, Oracle: oracle, Strategy: "into"})
		if err != nil {
			t.Fatal(err)
		}
		call, err := p.firstCall()
		if err != nil {
			t.Fatal(err)
		}
		at, err := r.called(p.Text, call)
		if err != nil {
			t.Fatal(err)
		}
		chain := steps(s.Walks[0].Last)
		for now := at; !isReturn(now.Current()); {
			got, err := r.ask(t.Context(), now, r.toward(now.Current(), nil), 0)
			if err != nil || got.fate != answered {
				t.Fatalf("%s: %+v, %v", p.Name, got, err)
			}
			if now, err = now.Append(got.step); err != nil {
				t.Fatal(err)
			}
			if len(chain) == 0 || chain[0].Text() != now.Text() {
				t.Fatalf("%s: the chain lacks\n%s", p.Name, now.Text())
			}
			chain = chain[1:]
		}
		if len(chain) > 0 {
			t.Errorf("%s: the chain has %d more steps", p.Name, len(chain))
		}
	}
}
