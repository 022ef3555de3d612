package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/score"
)

// modelLimit returns the time limit of the model's section, which is that of one request.
func (g *Given) modelLimit() time.Duration {
	if g.Config == nil {
		return usual
	}
	return max(usual, g.Config.Model.Timeout)
}

// model returns facts about the configured model, and whether it answers.
func (g *Given) model(ctx context.Context) []Fact {
	switch {
	case g.Config == nil:
		return unread()
	case g.Config.Model.BaseURL != "":
		return g.endpoint(ctx, g.Config.Model, g.Config.From("model.key"))
	case g.Config.Model.Name != "":
		return []Fact{{
			Name: "model", Which: g.Config.Model.Name, Mark: Note, Text: "not asked: no server is configured",
			Do: "give its address with --base-url, OPENAI_BASE_URL, or base_url in the configuration, such as http://127.0.0.1:8000/v1",
		}}
	}
	return g.own(ctx)
}

// unread returns the fact to show for a model if the configuration cannot be read.
func unread() []Fact {
	return []Fact{{Name: "model", Mark: Note, Text: "not asked: the configuration says which it is, and cannot be read"}}
}

// endpoint returns facts about a model on a server, and the server's capabilities. keyFrom names the
// source of its key, "" if it has none.
func (g *Given) endpoint(ctx context.Context, m config.Model, keyFrom string) []Fact {
	facts := []Fact{
		{Name: "dialect", Mark: Right, Text: m.Dialect},
		{Name: "key", Mark: Right, Text: "none", Value: false},
	}
	if m.Key != "" {
		facts[1].Text, facts[1].Value = "set, from "+keyFrom, true
	}
	server, err := g.Endpoint(m)
	if err != nil {
		return append(facts, unanswered(err))
	}
	facts = append([]Fact{{Name: "endpoint", Mark: Right, Text: server.Model().Place}}, facts...)
	facts = append(facts, proxy(server.Model(), http.ProxyFromEnvironment)...)
	found, err := server.Probe(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("no answer within %v (--timeout)", g.modelLimit())
	}
	if err = errors.Join(err, server.Close()); err != nil {
		return append(facts, unanswered(err))
	}
	facts = append([]Fact{{Name: "model", Mark: Right, Text: found.Model}}, facts...)
	if found.Asked != nil {
		facts = append(facts, g.remembered(found.Asked))
	}
	var others []string
	for _, name := range found.Models {
		if name != found.Model {
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		facts = append(facts, Fact{Name: "others", Mark: Right, Text: strings.Join(others, ", "), Value: others})
	}
	answer := Fact{Name: "answer", Mark: Right, Text: "it can be stepped"}
	if !found.Usable() {
		answer = Fact{
			Name: "answer", Mark: Wrong, Fails: true,
			Text: "this model cannot be stepped: it answers with neither states of nd/1, nor frames of a trace, nor by chat with states in JSON",
			Do:   "name another with --model, or have it served as docs/servers.md says",
		}
	}
	return append(append(facts, answer), capabilities(found)...)
}

// remembered returns the fact about the dialect that npdb has just detected and will use
// from now on, if the configuration does not set one.
func (g *Given) remembered(found *openai.Found) Fact {
	f := Fact{Name: "remembered", Mark: Right, Value: found}
	before := ""
	if b := found.Before; b != nil && b.Dialect != found.Dialect {
		f.Mark, before = Note, fmt.Sprintf("; since %s it was %s", b.When.Format(time.DateOnly), b.Spoken())
	} else if b != nil {
		before = fmt.Sprintf(", as on %s", b.When.Format(time.DateOnly))
	}
	if found.Dialect == "" {
		f.Text = "nothing any more, for it cannot be stepped" + before
	} else {
		f.Text = fmt.Sprintf("asked by %s%s. %s", found.Spoken(), before, found.Why)
		f.Do = "--dialect asks otherwise; without the file " + g.Dialects + " nothing is remembered"
	}
	if found.Unkept != "" {
		f.Mark, f.Text = Note, f.Text+" ("+found.Unkept+")"
	}
	return f
}

// proxy describes the proxy for a server on another machine. It shows the name of the
// variable instead of the address, which may contain a password. of returns the proxy of a request.
func proxy(m backend.Model, of func(*http.Request) (*url.URL, error)) []Fact {
	place, err := url.Parse(m.Place)
	if err != nil || !m.Away {
		return nil
	}
	if by, err := of(&http.Request{URL: place}); by == nil && err == nil {
		return nil
	}
	return []Fact{{
		Name: "proxy", Mark: Note, Text: "asked by way of the proxy of " + strings.ToUpper(place.Scheme) + "_PROXY",
		Do: "NO_PROXY=" + place.Hostname() + " has npdb ask it without",
	}}
}

// unanswered returns the fact for a server that could not be reached.
func unanswered(err error) Fact {
	return Fact{Name: "answer", Mark: Wrong, Fails: true, Text: err.Error(), Do: "docs/servers.md says what to do for each message"}
}

// capabilities returns facts about the server's capabilities, each with its consequences.
func capabilities(found *openai.Capabilities) []Fact {
	facts := make([]Fact, len(found.Items))
	for i, row := range found.Rows() {
		item := found.Items[i]
		facts[i] = Fact{Name: "capability", Which: item.Name, Mark: Right, Text: row[1] + ", " + row[2], Value: item}
		if item.Lacks() {
			facts[i].Mark = Note
		}
	}
	return facts
}

// own returns facts about the model in the binary.
func (g *Given) own(ctx context.Context) []Fact {
	p, err := g.Own()
	if errors.Is(err, embedded.ErrNoModel) {
		return []Fact{{Name: "model", Mark: Note, Text: err.Error(), Do: "for neural mode name a server with --base-url; debugging with CPython needs none"}}
	}
	if err != nil {
		return []Fact{{Name: "model", Mark: Wrong, Fails: true, Text: err.Error()}}
	}
	defer func() { _ = p.Close() }() // Close has nothing to release that could fail
	size := embedded.Size()
	facts := []Fact{
		{Name: "model", Mark: Right, Text: p.Model().Name + ", npdb's own, " + humanize.Bytes(uint64(size)), Value: map[string]any{"name": p.Model().Name, "bytes": size}},
		{Name: "kernels", Mark: Right, Text: embedded.Kernels()},
	}
	if m := p.Model().Measured; m != nil {
		facts = append(facts, Fact{Name: "measured", Mark: Right, Text: score.MeasuredLong(m, dsl.StepInto) + "; " + score.MeasuredLong(m, dsl.StepOver), Value: m})
	}
	if embedded.Kernels() == "portable" {
		facts[1].Mark, facts[1].Text = Note, "portable: npdb has no faster ones for this processor, so answers take longer"
	}
	return append(facts, answer(ctx, p))
}

// answer asks a model for the state after the first line of the trial program.
func answer(ctx context.Context, p backend.Predictor) Fact {
	at, err := begun()
	if err != nil {
		return Fact{Name: "answer", Mark: Wrong, Fails: true, Text: err.Error()}
	}
	got, err := p.Predict(ctx, backend.Question{At: at, Action: dsl.Action{Move: dsl.StepOver}}, nil)
	if err != nil {
		return Fact{Name: "answer", Mark: Wrong, Fails: true, Text: err.Error()}
	}
	took := got.Took.Round(time.Millisecond)
	f := Fact{Name: "answer", Mark: Note, Text: fmt.Sprintf("what x = 1 leads to is wrong, but well formed, in %v", took), Value: took.Milliseconds()}
	if s := got.Step.Reply.Stop; s != nil && s.Line == 2 && len(s.Locals) == 1 && s.Locals[0].Value == "1" {
		f.Mark, f.Text = Right, fmt.Sprintf("what x = 1 leads to is right, in %v", took)
	}
	return f
}

// begun returns the first state of the trial program.
func begun() (*dsl.Node, error) {
	const file = "trial.py"
	lines := strings.Split(strings.TrimSpace(trial), "\n")
	n, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: file, Lines: lines}}})
	if err != nil {
		return nil, err
	}
	return n.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &dsl.Stop{
		State: dsl.State{Event: dsl.Line, File: file, Line: 1, Source: lines[0], Function: "<module>"},
		Stack: []dsl.Frame{{Function: "<module>", File: file, Line: 1}},
	}}})
}
