package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// probeTokens limits the tokens of the replies to a probe.
const probeTokens = 48

// prober tests the capabilities of a server.
type prober struct {
	*Predictor
	ctx    context.Context
	found  *Capabilities
	prompt string // an nd/1 prompt for a step
	ids    []int  // its token numbers, as the server reports them; nil if unknown
	raw    string // the streamed reply to prompt
	whole  string // the reply to prompt without streaming
}

// Probe tests the capabilities of the server. It judges by the contents of the replies, not by their
// status, because servers ignore unknown fields and answer 200. It fails only if the server answers no
// request at all. With Auto, the dialect that it finds replaces the one in the memory.
func (p *Predictor) Probe(ctx context.Context) (*Capabilities, error) {
	found := &Capabilities{Place: p.at.place}
	if failure := p.ready(ctx); failure != nil {
		return nil, orContext(ctx, failure)
	}
	at, prompt, err := probeQuestion(p.cfg.Format)
	if err != nil {
		return nil, err
	}
	r := &prober{Predictor: p, ctx: ctx, found: found, prompt: prompt}
	texts := []func() *backend.Error{
		r.models, r.tokenizer, r.tokens, r.idPrompt, r.repeat, r.stopAtID, r.logprobs, r.two, r.schema, r.cache, r.failure,
	}
	if p.cfg.Dialect == CWM || p.cfg.Dialect == Auto && p.isNamedCWM(ctx) {
		if failure := r.traceStep(at); failure != nil {
			return nil, orContext(ctx, failure)
		}
	}
	why := ""
	if p.cfg.Dialect == Chat || p.cfg.Dialect == CWM || found.verdict(canTrace) == Yes {
		texts = texts[:1]
	} else if failure := r.step(at); failure != nil {
		why = p.speaksNoND1(failure)
		if p.cfg.Dialect == ND1 || why == "" {
			return nil, orContext(ctx, failure)
		}
		seen := "the server answers chat alone"
		if why != chatsAlone {
			seen = failure.Message
		}
		found.add(canSpeak, No, "%s", seen)
		texts = texts[:1]
	} else if found.verdict(canSpeak) == No {
		why = noND1
	}
	tries := texts
	if (p.cfg.Dialect == Chat || p.cfg.Dialect == Auto && found.verdict(canTrace) != Yes) && found.verdict(canSpeak) != Yes {
		tries = append(tries, func() *backend.Error { return r.chatStep(at) }, r.chatSchema)
	}
	for _, try := range tries {
		if failure := try(); failure != nil {
			return nil, orContext(ctx, failure)
		}
	}
	found.Model = p.shown(p.name())
	found.Asked = p.rethink(found, why)
	return found, nil
}

// orContext returns the error of ctx if it has ended, else failure.
func orContext(ctx context.Context, failure *backend.Error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return failure
}

// probeQuestion returns the node and the prompt for a step over the first line of a short program.
// The prompt has more than 16 tokens, the smallest unit that vLLM caches.
func probeQuestion(f *dsl.Format) (*dsl.Node, string, error) {
	const source = "x = 1\ny = x + 1\nprint('a probe of npdb', x, y)"
	n, err := f.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "probe.py", Lines: strings.Split(source, "\n")}}})
	if err != nil {
		return nil, "", err
	}
	if n, err = n.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &dsl.Stop{
		State: dsl.State{Event: dsl.Line, File: "probe.py", Line: 1, Source: "x = 1", Function: "<module>"},
		Stack: []dsl.Frame{{Function: "<module>", File: "probe.py", Line: 1}},
	}}}); err != nil {
		return nil, "", err
	}
	prompt, err := n.Prompt(dsl.Action{Move: dsl.StepOver})
	return n, prompt, err
}

// step tests whether the model predicts a state for an nd/1 text, as the debugger requests it.
func (r *prober) step(at *dsl.Node) *backend.Error {
	d := at.Decode(dsl.Action{Move: dsl.StepOver})
	reply, failure := r.send(r.ctx, request{fields: r.fields(question{}, r.prompt, 4*probeTokens), text: r.prompt, limit: 4 * probeTokens}, &stateSink{d: d})
	if failure != nil {
		switch failure.Kind {
		case backend.NoEndpoint:
			return r.withoutCompletions(r.ctx, failure)
		case backend.NoState, backend.Endless:
		case backend.TooLong:
			if failure.Status != 0 {
				return failure
			}
		default:
			return failure
		}
	}
	r.raw = reply.raw.String()
	switch got, _ := d.Partial(); {
	case failure != nil:
		r.found.add(canSpeak, No, "%s", failure.Message)
	case got.Outcome == dsl.Landed && got.Stop.Line == 2 && len(got.Stop.Locals) == 1 && got.Stop.Locals[0].Value == "1":
		r.found.add(canSpeak, Yes, "the state it predicts for x = 1 is right")
	default:
		r.found.add(canSpeak, Yes, "what it predicts for x = 1 is wrong, but well formed")
	}
	if r.raw == "" {
		r.found.add(canShow, Undecided, "the reply is empty")
		r.found.add(canStream, Undecided, "")
	} else {
		shown := strings.Contains(r.raw, "<|")
		r.found.add(canShow, verdict(shown), "the reply begins with %.24q", r.raw)
		r.found.add(canStream, verdict(reply.pieces > 1), "%d piece(s)", reply.pieces)
	}
	told := reply.usage.counts().Prompt > 0
	r.found.add(canTellUsage, verdict(told), "")
	return nil
}

func (r *prober) models() *backend.Error {
	models, failure := r.Predictor.models(r.ctx)
	if failure != nil && r.ctx.Err() != nil {
		return failure
	}
	for _, m := range models {
		r.found.Models = append(r.found.Models, r.shown(m.ID))
	}
	r.mu.Lock()
	r.found.Window = r.window
	r.mu.Unlock()
	if r.found.Window > 0 {
		r.found.add(canTellWindow, Yes, "%d tokens", r.found.Window)
	} else {
		r.found.add(canTellWindow, No, "")
	}
	return nil
}

// complete requests a reply without streaming. fields replace the usual fields; a nil value removes
// a field. ok is false if the server refuses the request.
func (r *prober) complete(prompt any, fields map[string]any) (c chunk, ok bool) {
	all := r.fields(question{}, prompt, probeTokens)
	maps.Copy(all, fields)
	c, failure := r.unstreamed(r.ctx, ND1, all)
	return c, failure == nil && len(c.Choices) > 0
}

// tokenizer tests whether the server has /tokenize.
func (r *prober) tokenizer() *backend.Error {
	ids, failure := r.tokenize(r.ctx, r.prompt, false)
	if failure != nil && r.ctx.Err() != nil {
		return failure
	}
	r.ids = ids
	r.found.add(canTokenize, verdict(failure == nil), "")
	return nil
}

// tokens tests whether a special token is one token, and whether the server adds a BOS token. It
// compares the token counts of two prompts that differ by one special token.
func (r *prober) tokens() *backend.Error {
	sep := r.cfg.Format.Name(dsl.FrameSep)
	one, ok1 := r.complete(sep, map[string]any{"max_tokens": 1})
	two, ok2 := r.complete(sep+sep, map[string]any{"max_tokens": 1})
	n, m := one.Usage.counts().Prompt, two.Usage.counts().Prompt
	if !ok1 || !ok2 || n < 0 || m < 0 {
		r.found.add(canOneID, Undecided, "the server does not count tokens")
		r.found.add(canBOS, Undecided, "")
		return nil
	}
	r.found.add(canOneID, verdict(m-n == 1), "%s is %d token(s)", sep, m-n)
	r.found.add(canBOS, verdict(n > m-n), "")
	return nil
}

// idPrompt tests whether the server accepts a prompt of token numbers, and whether it returns the
// token numbers of a reply.
func (r *prober) idPrompt() *backend.Error {
	got, ok := r.complete(r.prompt, map[string]any{"return_token_ids": true})
	returned := ok && len(got.Choices[0].TokenIDs) > 0
	ids := r.ids
	if ids == nil && ok {
		ids = got.Choices[0].PromptIDs
	}
	if ids == nil {
		ids = []int{1, 2, 3, 4}
	}
	c, ok := r.complete(ids, nil)
	switch n := c.Usage.counts().Prompt; {
	case !ok:
		r.found.add(canTakeIDs, No, "refused")
	case n < 0:
		r.found.add(canTakeIDs, Undecided, "taken, but not counted")
	default: // if a server reads the list as text, it counts the digits
		r.found.add(canTakeIDs, verdict(n == len(ids)), "%d numbers make %d tokens", len(ids), n)
	}
	r.found.add(canReturnIDs, verdict(returned), "")
	return nil
}

// repeat tests whether the first prompt gets the same reply again.
func (r *prober) repeat() *backend.Error {
	c, ok := r.complete(r.prompt, nil)
	if !ok || c.Choices[0].Text == "" || r.raw == "" {
		r.found.add(canRepeat, Undecided, "")
		return nil
	}
	r.whole = c.Choices[0].Text
	// Either reply may lack the stop text at its end.
	sep := r.cfg.Format.Name(dsl.FrameSep)
	a, b := strings.TrimSuffix(r.whole, sep), strings.TrimSuffix(r.raw, sep)
	r.found.add(canRepeat, verdict(strings.HasPrefix(a, b) || strings.HasPrefix(b, a)), "")
	return nil
}

// stopAtID tests whether stop_token_ids ends a reply. It requests the same reply with its second
// token as a stop token.
func (r *prober) stopAtID() *backend.Error {
	ids, failure := r.tokenize(r.ctx, r.whole, false)
	if failure != nil || len(ids) < 3 {
		r.found.add(canStopAtID, Undecided, "which token could stop is not known")
		return nil
	}
	c, ok := r.complete(r.prompt, map[string]any{"stop_token_ids": []int{ids[1]}})
	if !ok {
		r.found.add(canStopAtID, No, "refused")
		return nil
	}
	r.found.add(canStopAtID, verdict(len(c.Choices[0].Text) < len(r.whole)), "")
	return nil
}

func (r *prober) logprobs() *backend.Error {
	c, ok := r.complete(r.prompt, map[string]any{"logprobs": 1})
	if ok && c.Choices[0].Logprobs.shape() != "" {
		r.found.add(canLogprobs, Yes, "in the shape of %s", c.Choices[0].Logprobs.shape())
	} else {
		r.found.add(canLogprobs, No, "")
	}
	return nil
}

func (r *prober) two() *backend.Error {
	c, ok := r.complete(r.prompt, map[string]any{"n": 2, "temperature": 1, "max_tokens": 2})
	r.found.add(canChooseTwo, verdict(ok && len(c.Choices) == 2), "")
	return nil
}

// schema tests whether a schema that allows only one value is obeyed. The tries use the fields of
// vLLM, llama-server, SGLang and OpenAI.
func (r *prober) schema() *backend.Error {
	const word = "npdb"
	only := map[string]any{"type": "string", "enum": []string{word}}
	text, _ := json.Marshal(only) // cannot fail: it contains only strings
	tries := []struct {
		name  string
		value any
	}{
		{"structured_outputs", map[string]any{"choice": []string{word}}},
		{"json_schema", only},
		{"json_schema", string(text)},
		{"response_format", map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": word, "schema": only}}},
	}
	for _, try := range tries {
		c, ok := r.complete("The debugger's name:", map[string]any{try.name: try.value, "stop": nil})
		// The reply may show the special token that ends it.
		if ok && strings.HasPrefix(strings.TrimLeft(c.Choices[0].Text, "\" \n"), word) {
			r.found.add(canSchema, Yes, "by %s", try.name)
			return nil
		}
	}
	r.found.add(canSchema, No, "")
	return nil
}

// cache tests whether the server has a prefix cache. It sends the same prompt twice and compares
// the numbers of cached tokens.
func (r *prober) cache() *backend.Error {
	first, ok1 := r.complete(r.prompt, map[string]any{"max_tokens": 1})
	again, ok2 := r.complete(r.prompt, map[string]any{"max_tokens": 1})
	was, is := first.Usage.counts().Cached, again.Usage.counts().Cached
	switch {
	case !ok1 || !ok2 || is < 0:
		r.found.add(canTellCached, Undecided, "not told")
	default:
		r.found.add(canTellCached, verdict(is > 0 && is >= was), "%d of %d tokens came from it", is, again.Usage.counts().Prompt)
	}
	return nil
}

// failure tests in what form the server reports errors. It sends an invalid request.
func (r *prober) failure() *backend.Error {
	_, failure := r.call(r.ctx, http.MethodPost, r.at.base+"/completions", map[string]any{"model": r.name(), "prompt": map[string]any{"npdb": 1}})
	var said *serverError
	switch {
	case failure == nil:
		r.found.add(canTellFailure, Undecided, "a prompt that is none was answered")
	case r.ctx.Err() != nil:
		return failure
	case !errors.As(failure, &said) || said.Message == "":
		r.found.add(canTellFailure, No, "")
	default:
		shape := "flat"
		if said.Nested {
			shape = "nested"
		}
		r.found.add(canTellFailure, Yes, "%s", fmt.Sprintf("HTTP %d, %s", failure.Status, shape))
	}
	return nil
}
