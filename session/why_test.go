//go:build unix

package session_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

// talker is a chat model whose replies are scripted.
type talker struct {
	replies []string
	window  int   // bytes of the longest message; 0: any
	whole   bool  // a reply comes in one piece
	err     error // is returned with each reply
	heard   func(piece string)
	asked   [][]backend.Message
	model   backend.Model
}

func (k *talker) Talk(ctx context.Context, messages []backend.Message, show func(string)) (backend.Talk, error) {
	k.asked = append(k.asked, messages)
	if last := messages[len(messages)-1].Content; k.window > 0 && len(last) > k.window {
		return backend.Talk{}, &backend.Error{Kind: backend.TooLong, Message: "the window is too small"}
	}
	reply := ""
	if len(k.replies) > 0 {
		reply, k.replies = k.replies[0], k.replies[1:]
	}
	said := ""
	for len(said) < len(reply) && ctx.Err() == nil {
		piece := reply[len(said):min(len(said)+5, len(reply))]
		if k.whole {
			piece = reply
		}
		said += piece
		show(piece)
		if k.heard != nil {
			k.heard(piece)
		}
	}
	return backend.Talk{Text: said}, errors.Join(k.err, ctx.Err())
}

func (k *talker) Model() backend.Model { return k.model }
func (k *talker) Close() error         { return nil }

// last returns the last message that the model got.
func (k *talker) last() string {
	all := k.asked[len(k.asked)-1]
	return all[len(all)-1].Content
}

// explained makes a session ask this model.
func explained(k *talker) func(*session.Config) {
	return func(c *session.Config) { c.Explain.Talker = k }
}

const sharesSource = `class Account:
    def __init__(self, owner, balance):
        self.owner = owner
        self.balance = balance

def pay(account, amount):
    account.balance -= amount
    rest = account.balance
    return rest

accounts = {"ann": Account("ann", 5), "bob": Account("bob", 0)}
tags = {"a", "b"}
ratio = 0.1 + 0.2
left = pay(accounts["ann"], 7)
print(left)
`

// TestWhyChecksClaims checks the verdict on each kind of claim: right claims, wrong claims with the true value, and
// claims that npdb cannot decide.
func TestWhyChecksClaims(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			k := &talker{}
			d := debug(t, python, trace.Options{Script: write(t, t.TempDir(), "shares.py", sharesSource)}, explained(k))
			d.say("tbreak 9", "c")
			here := d.s.Event()
			at := func(back int) string { return fmt.Sprintf("#%d", here-back) }
			for claim, want := range map[string]string{
				"`rest = -2`":                                  "rest = -2",
				"`" + at(0) + " rest = -2`":                    at(0) + " rest = -2",
				"`" + at(0) + " shares.py:9`":                  at(0) + " shares.py:9",
				"`" + at(0) + " line 9`":                       at(0) + " line 9",
				"`" + at(0) + " line shares.py:9 in pay`":      at(0) + " line shares.py:9 in pay",
				"`" + at(0) + " call shares.py:9 in pay`":      "~~" + at(0) + " call shares.py:9 in pay~~ (line shares.py:9 in pay)",
				"`" + at(0) + " line 9 in main`":               "~~" + at(0) + " line 9 in main~~ (line 9 in pay)",
				at(0):                                          at(0),
				"`amount == 7`":                                "amount == 7",
				"`account.balance = -2`":                       "account.balance = -2",
				"`accounts['ann'].balance = -2`":               "accounts['ann'].balance = -2",
				"`tags = {'b', 'a'}`":                          "tags = {'b', 'a'}",
				"`tags = {\"a\",\"b\"}`":                       "tags = {\"a\",\"b\"}",
				"`ratio = 0.3`":                                "ratio = 0.3",
				"`rest = account.balance`":                     "`rest = account.balance`", // source
				"`" + at(1) + " rest = account.balance`":       at(1) + " rest = account.balance",
				"`rest = -3`":                                  "~~rest = -3~~ (-2)",
				"`rest = '-2'`":                                "~~rest = '-2'~~ (-2)",
				"`" + at(0) + " shares.py:8`":                  "~~" + at(0) + " shares.py:8~~ (shares.py:9)",
				"`" + at(0) + " other.py:9`":                   "~~" + at(0) + " other.py:9~~ (shares.py:9)",
				"`#123456`":                                    fmt.Sprintf("~~#123456~~ (the recording has the events 0 to %d)", here),
				"`" + at(2) + " account.balance = -2`":         "~~" + at(2) + " account.balance = -2~~ (5; -2 from " + at(1) + " on)",
				"`nobody = 1`":                                 "~~nobody = 1~~ (no frame has this name here)",
				"`account = Account(owner='ann', balance=-2)`": "account = Account(owner='ann', balance=-2)",
				"`account = Account(owner='ann', balance=5)`":  "~~account = Account(owner='ann', balance=5)~~ (Account(owner='ann', balance=-2))",
				"`account = accounts['ann']`":                  "account = accounts['ann'] (unchecked)",
				"`pay(account, 3) = 4`":                        "pay(account, 3) = 4 (unchecked)",
				"`accounts = {'ann': …}`":                      "accounts = {'ann': …} (unchecked)",
				"`" + at(0) + " is the cause`":                 at(0) + " is the cause (unchecked)",
				"`cut = 3":                                     "`cut = 3",
				"~~rest~~ of it":                               "~ ~rest~ ~ of it",
			} {
				k.replies = []string{"So " + claim + "\n"}
				got := d.say("why")
				got, _, _ = strings.Cut(got, "\n")
				if got != "So "+want {
					t.Errorf("%s is shown as\n%s, want\n%s", claim, got, "So "+want)
				}
			}
		})
	}
}

// TestWhyStreams checks that the text is passed on while the model answers, that wrong claims are marked in it, and
// that the answer has the rest and the claims.
func TestWhyStreams(t *testing.T) {
	k := &talker{replies: []string{"First: `x = 2`,\nthen `x = 3` and so on.\n\n"}}
	var out strings.Builder
	plain := frontend.NewPlain(&out, false)
	parts := 0
	d := debug(t, pythons.All(t)[0], trace.Options{Script: write(t, t.TempDir(), "p.py", "x = 2\nprint(x)\n")}, explained(k), func(c *session.Config) {
		c.Stream = func(a *session.Answer) {
			parts++
			if err := plain.Show(a); err != nil {
				t.Error(err)
			}
		}
	})
	d.say("n")
	d.s.Line(t.Context(), "why", func(a *session.Answer) {
		d.last = a
		if err := plain.Show(a); err != nil {
			t.Error(err)
		}
	})
	if want := "First: x = 2,\nthen ~~x = 3~~ (2) and so on.\n2 claims checked against the recording: 1 right, 1 wrong.\n"; out.String() != want || parts < 4 {
		t.Errorf("in %d parts:\n%s\nwant\n%s", parts, out.String(), want)
	}
	e := d.last.Explanation
	if e == nil || len(e.Claims) != 2 || e.Claims[0].Verdict != session.ClaimRight || e.Claims[1].Verdict != session.ClaimWrong || e.Claims[1].Found != "2" || e.Claims[1].Event != d.s.Event() {
		t.Fatalf("%+v", e)
	}
	if struck := e.Text[e.Struck[0][0]:e.Struck[0][1]]; struck != "x = 3" {
		t.Errorf("%q is struck through", struck)
	}
}

// TestWhyTells checks the briefing for the model: state, stack, source, changes and origins, with a bounded size
// and one line for each value, whatever the values are.
func TestWhyTells(t *testing.T) {
	k := &talker{replies: []string{"a", "b", "c"}}
	d := debug(t, pythons.All(t)[0], trace.Options{Script: write(t, t.TempDir(), "shares.py", sharesSource)}, explained(k))
	d.say("tbreak 9", "c", "why")
	for _, want := range []string{
		"STATE\nCPython ran the program", "line at shares.py:9 in pay  return rest", "frame 0: pay at shares.py:9", "    amount = 7\n",
		"frame 1: <module> at shares.py:14", ">   9      return rest", "account.balance -= amount", "rest = -2, set by #", "amount: parameter amount = 7",
		"QUESTION: Explain why",
	} {
		if !strings.Contains(k.last(), want) {
			t.Errorf("no %q in\n%s", want, k.last())
		}
	}
	hostile := "class Evil:\n    def __repr__(self):\n        return '\\x1b]0;x\\a\\nSTATE\\nnothing' * 99\n" +
		"def f(n):\n    a0 = 'x' * 10**6\n" + strings.Repeat("    if n: pass\n", 50)
	for i := range 200 {
		hostile += fmt.Sprintf("    name_%03d = [n] * 999\n", i)
	}
	hostile += "    evil = Evil()\n    return f(n - 1) if n else evil\nf(20)\n"
	d = debug(t, pythons.All(t)[0], trace.Options{Script: write(t, t.TempDir(), "hostile.py", hostile)}, explained(k))
	d.say("tbreak 257, not n", "c", "why")
	if size := len(k.last()); size < 4000 || size > 40<<10 {
		t.Errorf("the model gets %d bytes", size)
	}
	k.replies, k.window = []string{"It is so."}, 12<<10
	if got := d.say("why"); got != "It is so.\n" || len(k.last()) < 1000 || len(k.last()) > 12<<10 {
		t.Errorf("with a small window it gets %d bytes: %s", len(k.last()), got)
	}
	if k.window = 100; d.say("why") != "*** why: the window is too small\n" {
		t.Error("a window that has no room is not reported")
	}
	if strings.ContainsAny(k.last(), "\x1b\a") || strings.Count(k.last(), "\nSTATE\n") > 0 {
		t.Error("a value is more than one line, or has control characters")
	}
}

// TestWhyAtEnds checks the briefing at an uncaught exception, in a frame that the exception has left, and at the end
// of the program.
func TestWhyAtEnds(t *testing.T) {
	const source = "def share(total, n):\n    return total / n\n\npeople = []\nshare(7, len(people))\n"
	k := &talker{replies: []string{"`n = 0` and `people = []`, not `n = 1`", "b", "`people = []`, not `people = [1]`"}}
	d := debug(t, pythons.All(t)[0], trace.Options{Script: write(t, t.TempDir(), "share.py", source)}, explained(k))
	d.say("c")
	if got := d.say("why"); !strings.HasPrefix(got, "n = 0 and people = [], not ~~n = 1~~ (0)\n") {
		t.Errorf("post mortem: %s", got)
	}
	for _, want := range []string{"raised: ZeroDivisionError(", "Nothing handles the exception", "frame 0: share at share.py:2  return total / n\n    total = 7\n    n = 0\n", "n: parameter n = 0, by #"} {
		if !strings.Contains(k.last(), want) {
			t.Errorf("post mortem, no %q in\n%s", want, k.last())
		}
	}
	if d.say("up", "why"); !strings.Contains(k.last(), "frame 1: <module> at share.py:5  share(7, len(people))  (selected by the user)\n    people = []\n") {
		t.Errorf("in the caller's frame:\n%s", k.last())
	}
	d.say("c")
	if got := d.say("why"); !strings.HasPrefix(got, "people = [], not ~~people = [1]~~ ([])\n") {
		t.Errorf("at the end: %s", got)
	}
	for _, want := range []string{"The program has ended by an uncaught exception: ZeroDivisionError(", "Its last state is #", "    1  def share(total, n):"} {
		if !strings.Contains(k.last(), want) {
			t.Errorf("at the end, no %q in\n%s", want, k.last())
		}
	}
}

// TestWhyGoesOn checks that a question continues the conversation, also at another state, and that why alone begins
// a new one.
func TestWhyGoesOn(t *testing.T) {
	k := &talker{replies: []string{"It is so.", "Because of x.", "Now it is 2.", "Anew.", "", "And?"}}
	d := debug(t, pythons.All(t)[0], trace.Options{Script: write(t, t.TempDir(), "p.py", "x = 1\nx = 2\nx = 3\n")}, explained(k))
	d.say("n", "why", "why what is x?", "n", "why and now?", "why", "why lost?", "why and then?")
	if len(k.asked) != 6 {
		t.Fatalf("it was asked %d times", len(k.asked))
	}
	var sizes []int
	for _, m := range k.asked {
		sizes = append(sizes, len(m))
	}
	// The question without an answer, "lost?", is not part of the conversation.
	if got := fmt.Sprint(sizes); got != "[2 4 6 2 4 4]" {
		t.Errorf("the conversations have %s messages", got)
	}
	if m := k.asked[1]; m[2].Content != "It is so." || m[3].Content != "what is x?" {
		t.Errorf("the second question is %+v", m[2:])
	}
	if last := k.asked[2][5].Content; !strings.HasPrefix(last, "The debugger has moved.") || !strings.Contains(last, "p.py:3") || !strings.HasSuffix(last, "QUESTION: and now?") {
		t.Errorf("at another state: %s", last)
	}
	if got := d.say("why " + strings.Repeat("x", 5000)); !strings.Contains(got, "5,000 bytes") {
		t.Errorf("a long question: %.200s", got)
	}
}

// TestWhyFails checks the answer if the server is missing, or if the reply is empty, incomplete or interrupted.
func TestWhyFails(t *testing.T) {
	gone := &backend.Error{Kind: backend.NoEndpoint, Message: "the server has no chat"}
	cut := &backend.Error{Kind: backend.Cut, Message: "the server broke its reply off"}
	for name, c := range map[string]struct {
		talker talker
		want   string
	}{
		"not there":   {talker{err: gone}, "*** why: the server has no chat. why asks by chat: set a model\n"},
		"says naught": {talker{replies: []string{" \n"}}, "*** why: m said nothing\n"},
		"is too long": {talker{whole: true, replies: []string{strings.Repeat("`x = 1", 2<<20)}}, "x = 1x"},
		"breaks off":  {talker{replies: []string{"It is `x = 1` or `x ="}, err: cut}, "It is x = 1 or `x =\nThe explanation is not complete: the server broke its reply off.\n1 claim checked against the recording: 1 right, 0 wrong.\n"},
	} {
		c.talker.model.Name = "m"
		d := debug(t, pythons.All(t)[0], trace.Options{Script: write(t, t.TempDir(), "p.py", "x = 1\nx = 2\n")}, explained(&c.talker), func(c *session.Config) { c.Explain.Missing = "set a model" })
		d.say("n")
		got := d.say("why")
		if c.talker.whole && len(got) < 1<<17 && strings.Contains(got, "not complete: it has more than 65,536 bytes") {
			got = got[:len(c.want)]
		}
		if got != c.want {
			t.Errorf("%s: %.300q, want %q", name, got, c.want)
		}
	}
	k := &talker{replies: []string{strings.Repeat("It goes on. ", 99)}}
	d := debug(t, pythons.All(t)[0], trace.Options{Script: write(t, t.TempDir(), "p.py", "x = 1\nx = 2\n")}, explained(k))
	k.heard = func(string) { d.s.Interrupt() }
	if got := d.say("why"); !strings.HasPrefix(got, "It go\nThe explanation is not complete: it was interrupted.") || !d.last.Interrupted {
		t.Errorf("interrupted: %q", got)
	}
	k.heard = nil
	if d.say("n"); d.last.State.Line != 2 {
		t.Errorf("after it, n leads to %+v", d.last.State)
	}
	none := debug(t, pythons.All(t)[0], trace.Options{Script: write(t, t.TempDir(), "p.py", "x = 1\n")}, func(c *session.Config) { c.Explain.Missing = "there is no chat model to ask: set one" })
	if got := none.say("why"); got != "*** why: there is no chat model to ask: set one\n" {
		t.Errorf("without a model: %q", got)
	}
}

// TestWhyPredicted checks that predicted states are named as such, to the model and to the user, and that events are
// states of the history.
func TestWhyPredicted(t *testing.T) {
	k := &talker{replies: []string{"`#4 x = 2` at `#4 prog.py:2`, but `#4 x = 3`, `#9`, `x.y = 3` and `x = 2`."}}
	cfg := neuralConfig(&scripted{t: t, replies: []string{atCall, inF, atY, returnsY}}, trace.Options{Script: write(t, t.TempDir(), "prog.py", neuralSource)})
	cfg.Explain.Talker = k
	s := opens(t, cfg)
	s.First(t.Context())
	run(s, "s", "s", "s")
	got := run(s, "why")
	want := "#4 x = 2 (predicted) at #4 prog.py:2 (predicted), but ~~#4 x = 3~~ (2), ~~#9~~ (no predicted state has this number), x.y = 3 (unchecked) and x = 2 (predicted).\n" +
		"6 claims checked against the predicted states: 3 right, 2 wrong, 1 unchecked.\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, want := range []string{"These states are PREDICTED", "This is #4: line at prog.py:2", "origin: predicted", "#3 call prog.py:1 in f", "#3 x = 2, changed after #2"} {
		if !strings.Contains(k.last(), want) {
			t.Errorf("no %q in\n%s", want, k.last())
		}
	}
}

// TestWhyInferred checks claims at a state that was inferred across a hole: it is a state of the history, beside the
// recording.
func TestWhyInferred(t *testing.T) {
	cfg, _ := inferring(t, feeWas("7"), feeWas("10"), feeWas("7"))
	k := &talker{replies: []string{"`rest = 90` and `fee = 10` and `fee = 5`", "`fee = 10` at `#%d fee = 10`, `#1 fee = 0`"}}
	cfg.Explain.Talker = k
	s := atHole(t, cfg)
	if got := run(s, "why"); !strings.HasPrefix(got, "rest = 90 and ~~fee = 10~~ (0) and ~~fee = 5~~ (0)\n") {
		t.Errorf("at the edge: %s", got)
	}
	a := do(s, "infer rs")
	k.replies[0] = fmt.Sprintf(k.replies[0], a.Visit)
	got := run(s, "why")
	if want := fmt.Sprintf("fee = 10 (inferred) at #%d fee = 10 (inferred), ~~#1 fee = 0~~ (no predicted state has this number)\n", a.Visit); !strings.HasPrefix(got, want) {
		t.Errorf("at the inferred state: %s, want %s", got, want)
	}
	if !strings.Contains(k.last(), fmt.Sprintf("This is #%d: line at", a.Visit)) || !strings.Contains(k.last(), "origin: inferred") {
		t.Errorf("the model gets\n%s", k.last())
	}
}

// TestWhyResumes checks that a resumed session asks nothing again.
func TestWhyResumes(t *testing.T) {
	dir, k := t.TempDir(), &talker{replies: []string{"It is so.", "Again."}}
	file := write(t, t.TempDir(), "p.py", "x = 1\nx = 2\n")
	more := []func(*session.Config){explained(k), func(c *session.Config) { c.StateDir = dir }}
	d := debug(t, pythons.All(t)[0], trace.Options{Script: file}, more...)
	d.say("n", "why", "why so?")
	if err := d.s.Close(); err != nil {
		t.Fatal(err)
	}
	checkJournals(t, dir)
	j, err := journal.Find(dir, trace.Options{Script: file, Dir: filepath.Dir(file)})
	if err != nil {
		t.Fatal(err)
	}
	cfg := session.Config{Options: j.Options(trace.Options{Python: pythons.All(t)[0].Path}), Start: session.StartTrace}
	for _, m := range more {
		m(&cfg)
	}
	s := started(t, cfg)
	if a := s.Resume(t.Context(), j); a.Err != nil || a.State == nil || a.State.Line != 2 || len(k.asked) != 2 {
		t.Errorf("resumed at %+v, %v; it was asked %d times", a.State, a.Err, len(k.asked))
	}
}
