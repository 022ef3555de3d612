package session_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/export"
	"github.com/npdb/npdb/trace"
)

// exported returns the exported texts and the report.
func exported(t *testing.T, s *command.Interpreter, stem string) ([]export.Text, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), stem)
	if a := do(s, "export "+path); a.Err != nil {
		t.Fatal(a.Err)
	}
	raw, err := os.ReadFile(path + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	texts, err := export.Read(raw)
	if err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile(path + ".md")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []string{".jsonl", ".md"} {
		if info, err := os.Stat(path + e); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", e, info.Mode(), err)
		}
	}
	return texts, string(report)
}

func TestExportFree(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne, saysInF1, "rubbish"}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	for range 4 {
		do(s, "s")
	}
	if got := run(s, "raw", "back 4", "raw"); got != "rubbish\n> "+s.Recording().Tree().Files()[0].Path+"(1)<module>()\n-> def f(x):\nNo model wrote this state: no action led here.\n" {
		t.Errorf("raw: %s", got)
	}
	texts, report := exported(t, s, "walk")
	if len(texts) != 1 || texts[0].Program != "prog.py" || texts[0].Model != "scripted" || texts[0].Mode != export.Truth {
		t.Fatalf("%+v", texts)
	}
	text := texts[0].Text
	if node, asked, err := dsl.ND1.Read(text); err != nil || asked != nil || node.Text() != text {
		t.Errorf("the text is none of nd/1: %v\n%s", err, text)
	}
	type row struct {
		text, action, predicted string
		same, drifted           bool
		verdicts                int
	}
	want := []row{
		{saysLoop, "step_into", saysLoop, true, false, 0},
		{saysCall, "step_into", saysOne, false, false, 1},
		{saysInF, "step_into", saysInF1, false, true, 1},
		{`<|line_sep|>{"x": ".."}<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>", "step_into", "rubbish", false, true, 1},
	}
	if len(texts[0].Replies) != len(want) {
		t.Fatalf("%+v", texts[0].Replies)
	}
	for i, r := range texts[0].Replies {
		if got := (row{text[r.Start:r.End], r.Action, *r.Predicted, *r.Same, r.Drifted, len(r.Verdicts)}); got != want[i] || r.Walk != export.Free || r.Horizon != 1 {
			t.Errorf("reply %d: %+v, want %+v", i, got, want[i])
		}
	}
	if r := texts[0].Replies[3]; r.Failure == "" || r.Confidence != nil {
		t.Errorf("%+v", r)
	}
	for _, want := range []string{
		"# `prog.py`, predicted by `scripted`", "- beside: `CPython`", "- moves: 4",
		"- first divergence: `line 6 of prog.py, i = 1, actually 0, after 1 move`",
		"by field, forward", "| 2 | `step_into` | `prog.py:6` | `i` | `1` | `0` |", "| 4 | `step_into` | `prog.py:2` | outcome | no prediction: `The reply is no state",
		"## Move 2", "    > prog.py(6)<module>()", "        6 ->     f(i)", "    ! i  1                             0",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
}

// TestExportTexts checks that a text begins where no action led, and that paths from one
// place share their beginning and list only their own replies.
func TestExportTexts(t *testing.T) {
	const saysY = `<|line_sep|>{"x": ".."}<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>"
	m := &scripted{replies: []string{saysLoop, saysCall, saysCall, saysY}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	do(s, "walk guided")
	do(s, "s 2")
	do(s, "back 2")
	do(s, "n")
	do(s, "goto 3")
	do(s, "s")
	texts, _ := exported(t, s, "texts")
	if len(texts) != 3 {
		t.Fatalf("%+v", texts)
	}
	for i, n := range []int{2, 1, 1} {
		if len(texts[i].Replies) != n || texts[i].Replies[0].Walk != export.Guided {
			t.Errorf("text %d: %+v", i, texts[i].Replies)
		}
	}
	if !strings.Contains(texts[2].Text, "<|compact_sep|>") {
		t.Errorf("%s", texts[2].Text)
	}
}

func TestExportKeepsRuns(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysLoop}}
	s, f := bothModes(t, m)
	s.First(context.Background())
	do(s, "s")
	*f = *newFakeOf(t, f.tree.Files()[0].Path)
	do(s, "restart")
	do(s, "n") // the answer to s is cached
	do(s, "mode real")
	if texts, _ := exported(t, s, "runs"); len(texts) != 2 || len(texts[0].Replies) != 1 || len(texts[1].Replies) != 1 {
		t.Errorf("%+v", texts)
	}
}

func TestExportNeural(t *testing.T) {
	s := neural(t, &scripted{replies: []string{atCall, inF}}, trace.Options{})
	s.First(context.Background())
	do(s, "s")
	do(s, "s")
	texts, report := exported(t, s, "alone")
	if len(texts) != 1 || texts[0].Mode != export.ModelOnly || len(texts[0].Replies) != 2 {
		t.Fatalf("%+v", texts)
	}
	r := texts[0].Replies[1]
	if r.Predicted != nil || r.Same != nil || texts[0].Text[r.Start:r.End] != inF || *r.Confidence != 0.75 {
		t.Errorf("%+v", r)
	}
	if strings.Contains(report, "beside") || !strings.Contains(report, "- moves: 2") {
		t.Error(report)
	}
}

func TestExportFiles(t *testing.T) {
	m := &scripted{replies: []string{saysLoop}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	dir := t.TempDir()
	if a := do(s, "export "+filepath.Join(dir, "x")); a.Err == nil || a.Err.Kind != session.NotFound {
		t.Errorf("nothing is exported: %+v", a)
	}
	do(s, "s")
	kept := filepath.Join(dir, "x.md")
	if err := os.WriteFile(kept, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := do(s, "export "+filepath.Join(dir, "x")); a.Err == nil || a.Err.Kind != session.Refused || !strings.Contains(a.Err.Message, "x.md exists already") {
		t.Errorf("a file is overwritten: %+v", a)
	}
	if raw, err := os.ReadFile(kept); err != nil || !bytes.Equal(raw, []byte("mine")) {
		t.Errorf("%s %v", raw, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "x.jsonl")); err == nil {
		t.Error("half of an export is left behind")
	}
	if a := do(s, "export "+filepath.Join(dir, "x.jsonl")); a.Err != nil {
		t.Error(a.Err)
	}
	if a := do(s, "export "+filepath.Join(dir, "none", "x")); a.Err == nil {
		t.Error("a folder that is not there takes an export")
	}
	s.SetDir(dir)
	if a := do(s, "export"); a.Err != nil {
		t.Error(a.Err)
	}
	if names, err := filepath.Glob(filepath.Join(dir, "npdb-prog-*.md")); err != nil || len(names) != 1 {
		t.Errorf("%v %v", names, err)
	}
}

// TestExportGoesWhereItIsSaid checks that an absolute path is used as it is, and any other
// one is relative to the program's folder.
func TestExportGoesWhereItIsSaid(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	s := neural(t, &scripted{replies: []string{atCall}}, trace.Options{Dir: dir})
	s.First(context.Background())
	do(s, "n")
	for _, c := range []struct{ arg, want string }{{"here", filepath.Join(dir, "here.md")}, {filepath.Join(other, "there"), filepath.Join(other, "there.md")}} {
		if a := do(s, "export "+c.arg); a.Err != nil {
			t.Fatal(a.Err)
		}
		if _, err := os.Stat(c.want); err != nil {
			t.Error(err)
		}
	}
}

// TestReportShowsThree checks that a report shows the states at the first three of four
// divergences, and names the other model.
func TestReportShowsThree(t *testing.T) {
	const saysTwo = `<|line_sep|>{"i": "2"}<|action_sep|>6|    f(i)` + "\n<|frame_sep|>"
	s := against(t, &scripted{replies: []string{saysOne, saysTwo, saysOne, saysTwo}}, &scripted{replies: []string{saysLoop, saysCall, saysLoop, saysCall}})
	s.First(t.Context())
	for range 4 {
		do(s, "n")
	}
	_, report := exported(t, s, "four")
	var shown []string
	for line := range strings.Lines(report) {
		if move, ok := strings.CutPrefix(line, "## Move "); ok {
			shown = append(shown, strings.TrimSpace(move))
		}
	}
	if strings.Join(shown, " ") != "1 2 3" || !strings.Contains(report, "- beside: `scripted`") || !strings.Contains(report, "- moves: 4") {
		t.Errorf("pictures of %q:\n%s", shown, report)
	}
}
