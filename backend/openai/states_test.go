package openai

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// countingTo is the number of lines of a program that counts.
const countingTo = 9

func countingAt(i int) string {
	if i > countingTo {
		return endInChat
	}
	locals, names := "[]", "null"
	if i > 1 {
		locals = fmt.Sprintf(`[{"name":"n","value":"%d"}]`, i-1)
	}
	if i == 2 {
		names = `["n"]`
	}
	return fmt.Sprintf(`{"outcome":"state","event":"line","line":%d,"function":null,"stack":null,"locals":%s,"names":%s,"kind":null,"value":null,"exit_code":null}`, i, locals, names)
}

// counting returns the node of the first state of the counting program: n = 1, n = 2, and so on.
func counting(t testing.TB) *dsl.Node {
	t.Helper()
	var lines []string
	for i := range countingTo {
		lines = append(lines, fmt.Sprintf("n = %d", i+1))
	}
	at, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Lines: lines}}})
	if err != nil {
		t.Fatal(err)
	}
	first := &dsl.Stop{State: dsl.State{Event: dsl.Line, Line: 1, Source: lines[0], Function: "<module>"}, Stack: []dsl.Frame{{Function: "<module>", Line: 1}}}
	if at, err = at.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: first}}); err != nil {
		t.Fatal(err)
	}
	return at
}

// countingOn answers questions about the program of counting, as a chat model. If a list of states
// is requested, the answer has as many states as allowed.
func countingOn(t testing.TB, body map[string]any) (text string, asked chat.Asked) {
	t.Helper()
	raw, err := json.Marshal(body["messages"])
	if err != nil {
		t.Fatal(err)
	}
	var messages []chat.Message
	if err := json.Unmarshal(raw, &messages); err != nil {
		t.Fatal(err)
	}
	at, asked, err := chat.Read(dsl.ND1, messages)
	if err != nil {
		t.Errorf("it is asked what cannot be read: %v", err)
		return "", asked
	}
	next := at.Current().Line + 1
	if asked.States == 0 {
		return countingAt(next), asked
	}
	var list []string
	for i := next; len(list) < asked.States && i <= countingTo+1; i++ {
		list = append(list, countingAt(i))
	}
	return `{"states":[` + strings.Join(list, ",") + `]}`, asked
}

// stepping repeats an action until the program ends, and checks each answer.
func stepping(t testing.TB, p *Predictor, at *dsl.Node, a dsl.Action) (made []*backend.Prediction) {
	t.Helper()
	for line := at.Current().Line + 1; ; line++ {
		got, err := p.Predict(t.Context(), backend.Question{At: at, Action: a}, nil)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, got)
		if line > countingTo {
			if got.Step.Reply.Outcome != dsl.Ended {
				t.Errorf("the end is %+v", got.Step.Reply)
			}
			return made
		}
		if s := got.Step.Reply.Stop; s == nil || s.Line != line || len(s.Locals) != 1 || s.Locals[0].Value != fmt.Sprint(line-1) {
			t.Fatalf("line %d: %+v", line, got.Step.Reply)
		}
		if wire, err := at.Reply(a, got.Step.Reply); err != nil || got.Wire != wire {
			t.Errorf("line %d is written %q, %v", line, got.Wire, err)
		}
		if at, err = at.Append(got.Step); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStopsInOneReply checks that the states of one reply answer the next questions without a request,
// and equal the states that single requests return.
func TestStopsInOneReply(t *testing.T) {
	for _, c := range []struct {
		name    string
		stops   int
		move    dsl.Move
		largest int // the largest list that is requested
		asked   int // number of requests for the nine steps
	}{
		{"not said", 0, dsl.StepOver, 0, 9},
		{"one", 1, dsl.StepOver, 0, 9},
		{"some, over", 4, dsl.StepOver, 4, 3},
		{"some, into", 4, dsl.StepInto, 4, 3},
		{"all", 8, dsl.StepInto, 8, 2},
		{"as many as there are", 20, dsl.StepInto, 20, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			largest := 0
			s := chats(t, func(w http.ResponseWriter, body map[string]any) {
				text, asked := countingOn(t, body)
				largest = max(largest, asked.States)
				says(w, 200, said(text))
			})
			p := inChat(t, s, func(cfg *Config) { cfg.Stops = c.stops })
			a := dsl.Action{Move: c.move}
			made := stepping(t, p, counting(t), a)
			if len(s.asked) != c.asked || largest != c.largest {
				t.Errorf("%d requests, want %d; the longest list has %d states", len(s.asked), c.asked, largest)
			}
			answers, prompt := 0, 0
			for i, m := range made {
				if m.Kept {
					if m.Usage != (backend.Usage{}) || m.Took != 0 || m.First != 0 || len(m.Discarded) != 0 || !strings.HasPrefix(m.Raw, `{"outcome"`) {
						t.Errorf("step %d was there, and took %+v %v: %q", i, m.Usage, m.Took, m.Raw)
					}
					continue
				}
				answers++
				prompt += m.Usage.Prompt
			}
			if answers != c.asked || prompt != 30*c.asked {
				t.Errorf("%d answers with %d tokens read, want %d", answers, prompt, c.asked)
			}
		})
	}
}

// TestStopsKeepThePrefix checks that the schema and all messages but the last are the same for all
// questions, so that the server's prefix cache stays valid.
func TestStopsKeepThePrefix(t *testing.T) {
	var formats, bodies []string
	s := chats(t, func(w http.ResponseWriter, body map[string]any) {
		messages, _ := body["messages"].([]any)
		text, _ := json.Marshal(messages[:len(messages)-1])
		format, _ := json.Marshal(body["response_format"])
		formats, bodies = append(formats, string(format)), append(bodies, string(text))
		answer, _ := countingOn(t, body)
		says(w, 200, said(answer))
	})
	p := inChat(t, s, func(c *Config) { c.Stops = 3 })
	stepping(t, p, counting(t), stepOver)
	_, _ = p.Predict(t.Context(), backend.Question{At: counting(t), Action: dsl.Action{Move: dsl.StepReturn}}, nil)
	plain := inChat(t, s, nil)
	stepping(t, plain, counting(t), stepOver)
	const lists = 3 // the steps take this many requests
	for i, f := range formats[:lists+1] {
		if f != formats[0] || !strings.Contains(f, `"name":"states"`) {
			t.Errorf("question %d has the form %s", i, f)
		}
	}
	for i := 1; i < lists; i++ {
		if before := strings.TrimSuffix(bodies[i-1], "]"); !strings.HasPrefix(bodies[i], before) {
			t.Errorf("question %d does not begin with the one before it", i)
		}
		if strings.Contains(bodies[i], "up to") || strings.Contains(bodies[i], "states\\\"") {
			t.Errorf("question %d tells of lists in its past: %s", i, bodies[i])
		}
	}
	for _, one := range bodies[len(bodies)-9:] { // lists and single states must have the same history
		for i, list := range bodies[:lists] {
			if len(one) == len(list) && one != list {
				t.Errorf("question %d has another past than by single steps", i)
			}
		}
	}
}

// TestOneStopAtATime checks that only one state is requested for moves that are seldom repeated, and for
// questions with sampling options.
func TestOneStopAtATime(t *testing.T) {
	p := inChat(t, chats(t, nil), func(c *Config) { c.Stops = 8 })
	for move := range dsl.Moves() {
		want := 1
		switch move {
		case dsl.StepInto, dsl.StepOver, dsl.InvStepInto, dsl.InvStepOver:
			want = 8
		}
		q := backend.Question{At: counting(t), Action: dsl.Action{Move: move}}
		if got := p.atOnce(q); got != want {
			t.Errorf("%v: %d states, want %d", move, got, want)
		}
		q.Options.Seed = new(int64)
		if got := p.atOnce(q); got != 1 {
			t.Errorf("%v by a seed: %d states", move, got)
		}
	}
}

// TestKeptStopsAnswerTheirQuestions checks that another history, another move or other sampling options
// cause a request.
func TestKeptStopsAnswerTheirQuestions(t *testing.T) {
	s := chats(t, func(w http.ResponseWriter, body map[string]any) {
		text, _ := countingOn(t, body)
		says(w, 200, said(text))
	})
	p := inChat(t, s, func(c *Config) { c.Stops = 4 })
	start := counting(t)
	first, err := p.Predict(t.Context(), backend.Question{At: start, Action: stepOver}, nil)
	if err != nil {
		t.Fatal(err)
	}
	at, err := start.Append(first.Step)
	if err != nil {
		t.Fatal(err)
	}
	edited := *first.Step.Reply.Stop
	edited.Locals, edited.Whole = []dsl.Local{{Name: "n", Value: "100"}}, true
	other, err := at.Append(dsl.Step{Edit: true, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &edited}})
	if err != nil {
		t.Fatal(err)
	}
	seed, heat, most := int64(1), 0.7, 500
	for _, c := range []struct {
		name string
		q    backend.Question
		kept bool
	}{
		{"the next one", backend.Question{At: at, Action: stepOver}, true},
		{"and again", backend.Question{At: at, Action: stepOver}, true},
		{"another move", backend.Question{At: at, Action: dsl.Action{Move: dsl.StepInto}}, false},
		{"a move back", backend.Question{At: at, Action: dsl.Action{Move: dsl.InvStepOver}}, false},
		{"after an edit", backend.Question{At: other, Action: stepOver}, false},
		{"where the first was asked", backend.Question{At: start, Action: stepOver}, false},
		{"with a seed", backend.Question{At: at, Action: stepOver, Options: backend.Options{Seed: &seed}}, false},
		{"with a temperature", backend.Question{At: at, Action: stepOver, Options: backend.Options{Temperature: &heat}}, false},
		{"of which no more is wanted", backend.Question{At: at, Action: dsl.Action{Move: dsl.InvStepInto}, Alone: true}, false},
		{"that is there, and no more is wanted", backend.Question{At: at, Action: stepOver, Alone: true}, true},
		{"with a length", backend.Question{At: at, Action: stepOver, Options: backend.Options{MaxTokens: &most}}, false},
	} {
		before := len(s.asked)
		keeps := backend.Keeps(&backend.Gated{Predictor: p, Refusal: func() string { return "" }}, c.q)
		got, err := p.Predict(t.Context(), c.q, nil)
		if err != nil || keeps != c.kept || got.Kept != c.kept || (len(s.asked) == before) != c.kept {
			t.Errorf("%s: kept %v and %v, %d requests, %v", c.name, keeps, got, len(s.asked)-before, err)
		}
		if !c.kept && (c.q.Options != (backend.Options{}) || c.q.Alone) {
			if _, asked := countingOn(t, s.asked[len(s.asked)-1]); asked.States != 1 {
				t.Errorf("%s: %d states are asked for", c.name, asked.States)
			}
		}
	}
	samples, err := p.Sample(t.Context(), backend.Question{At: at, Action: stepOver, Options: backend.Options{Seed: &seed}}, 2)
	if err != nil || len(samples.Replies) != 2 || samples.Replies[0].Stop.Line != 3 {
		t.Errorf("samples: %+v, %v", samples, err)
	}
	if _, asked := countingOn(t, s.asked[len(s.asked)-1]); asked.States != 1 {
		t.Errorf("a sample is asked for with %d states", asked.States)
	}
	if single := inChat(t, s, nil); single.Keeps(backend.Question{At: at, Action: stepOver}) {
		t.Error("one that was never asked knows it")
	}
}

// TestStopsThatAreNone checks that an invalid state in a list does not affect the states before it, and
// causes no correction.
func TestStopsThatAreNone(t *testing.T) {
	whole := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, countingAt(i+2))
		}
		return `{"states":[` + strings.Join(list, ",")
	}
	cut := func(text string) string {
		return delta(content(text), "") + delta("", `,"finish_reason":"length"`) + usageTold + done
	}
	for _, c := range []struct {
		name, body string
		kept       int // number of stored states after the first
		kind       backend.ErrorKind
		asked      int
	}{
		{"a third that is none", said(whole(2) + `,{"outcome":"state","event":"line","line":77,"locals":[]},` + countingAt(4) + `]}`), 1, 0, 1},
		{"the end in the middle", said(whole(2) + "," + endInChat + "," + countingAt(4) + `]}`), 2, 0, 1},
		{"a repeated state", said(whole(2) + "," + countingAt(3) + `]}`), 2, 0, 1},
		{"what nobody knows", said(whole(2) + "," + chat.Unknown() + `]}`), 1, 0, 1},
		{"one state alone", said(countingAt(2)), 0, 0, 1},
		{"cut off by its length", cut(whole(3) + `,{"outcome":"st`), 2, 0, 1},
		{"broken off", delta(content(whole(2)+`,{"out`), ""), 1, 0, 1},
		{"cut off in the first", cut(`{"states":[{"outcome":"state"`), 0, backend.Endless, 1},
		{"a first that is none", said(`{"states":[{"outcome":"state","event":"line","line":77,"locals":[]}]}`), 0, backend.NoState, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := chats(t, func(w http.ResponseWriter, _ map[string]any) { says(w, 200, c.body) })
			p := inChat(t, s, func(cfg *Config) { cfg.Stops, cfg.MaxTokens = 8, 12 })
			at := counting(t)
			got, err := p.Predict(t.Context(), backend.Question{At: at, Action: stepOver}, nil)
			if len(s.asked) != c.asked {
				t.Errorf("it takes %d requests", len(s.asked))
			}
			if c.kind != 0 {
				fails(t, err, c.kind)
				return
			}
			if err != nil || got.Step.Reply.Stop == nil || got.Step.Reply.Stop.Line != 2 || len(got.Discarded) != 0 || got.Took < 0 {
				t.Fatalf("%+v, %v", got, err)
			}
			kept := 0
			for err == nil && got.Step.Reply.Outcome == dsl.Landed {
				if at, err = at.Append(got.Step); err != nil {
					t.Fatal(err)
				}
				q := backend.Question{At: at, Action: stepOver}
				if !p.Keeps(q) {
					break
				}
				got, err = p.Predict(t.Context(), q, nil)
				kept++
			}
			if err != nil || kept != c.kept || len(s.asked) != 1 {
				t.Errorf("%d states are kept, want %d; %d requests, %v", kept, c.kept, len(s.asked), err)
			}
		})
	}
}

// TestFirstStopIsShownEarly checks that the first state is shown when it is complete, before the rest of
// the list arrives.
func TestFirstStopIsShownEarly(t *testing.T) {
	s := chats(t, func(w http.ResponseWriter, body map[string]any) {
		text, _ := countingOn(t, body)
		var stream strings.Builder
		for len(text) > 0 {
			n := min(len(text), 50)
			stream.WriteString(delta(content(text[:n]), ""))
			text = text[n:]
		}
		says(w, 200, stream.String()+delta("", `,"finish_reason":"stop"`)+done)
	})
	p := inChat(t, s, func(c *Config) { c.Stops = 4 })
	at, first := -1, 0
	updates := 0
	_, err := p.Predict(t.Context(), backend.Question{At: counting(t), Action: stepOver}, func(u backend.Update) {
		if u.Known != 0 && at < 0 {
			at, first = len(u.Raw), u.Reply.Stop.Line
		}
		updates++
	})
	alone := len(`{"states":[` + countingAt(2))
	if err != nil || first != 2 || at < alone || at > alone+50 {
		t.Errorf("line %d is shown after %d bytes, its state ends at %d of %d updates: %v", first, at, alone, updates, err)
	}
}
