package serve

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// completion is an answer of /v1/completions, whole or a piece of a stream.
type completion struct {
	ID      string             `json:"id"`
	Object  string             `json:"object"`
	Created int64              `json:"created"`
	Model   string             `json:"model"`
	Choices []completionChoice `json:"choices"`
	Usage   *usage             `json:"usage,omitempty"`
}

type completionChoice struct {
	Index     int       `json:"index"`
	Text      string    `json:"text"`
	Logprobs  *logprobs `json:"logprobs"`
	Finish    *string   `json:"finish_reason"`
	Reason    any       `json:"stop_reason"`
	IDs       []int     `json:"token_ids,omitempty"`
	PromptIDs []int     `json:"prompt_token_ids,omitempty"`
}

type logprobs struct {
	Offsets  []int                `json:"text_offset"`
	Logprobs []float64            `json:"token_logprobs"`
	Tokens   []string             `json:"tokens"`
	Top      []map[string]float64 `json:"top_logprobs"`
}

type usage struct {
	Prompt     int           `json:"prompt_tokens"`
	Total      int           `json:"total_tokens"`
	Completion int           `json:"completion_tokens"`
	Details    promptDetails `json:"prompt_tokens_details"`
}

type promptDetails struct {
	Cached int `json:"cached_tokens"`
}

// headers of the server's own: what was made wrong on purpose, and why an
// answer is unknown.
const (
	corruptedHeader = "X-Npdb-Corrupted"
	reasonHeader    = "X-Npdb-Reason"
)

// reply is all that is told of one request.
type reply struct {
	*request
	server  *Server
	model   string
	id      string
	choices []*choice
	cached  int
	fault   fault
	pause   time.Duration // before each token
}

func (s *Server) completions(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	text, err := s.body(r)
	var q *request
	if err == nil {
		q, err = parseRequest(text, s.tokens)
	}
	var model *Model
	if err == nil {
		model, err = s.model(q.Model)
	}
	most := defaultMaxTokens
	if err == nil {
		if q.MaxTokens != nil {
			most = *q.MaxTokens
		}
		if len(q.prompt) >= s.config.Window || most > s.config.Window-len(q.prompt) {
			err = tooLong(s.config.Window, len(q.prompt), most)
		}
	}
	if err != nil {
		fail(w, err)
		return
	}
	number := s.drawn.Add(1)
	d := s.config.Misbehavior.draws(number)
	kind := s.config.Misbehavior.fault(d)
	if wait(r.Context(), s.config.Misbehavior.latency(d)) != nil {
		return
	}
	switch kind {
	case asError:
		w.Header().Set(corruptedHeader, string(kind))
		s.config.Misbehavior.refuse(w, d)
		return
	case asHTML:
		w.Header().Set(corruptedHeader, string(kind))
		page(w)
		return
	}
	said, err := s.answer(r.Context(), model, q)
	if err != nil {
		s.config.Log.Warn("question failed", "model", model.Name, "error", err)
		fail(w, err)
		return
	}
	out := &reply{
		request: q, server: s, model: model.Name, fault: kind, pause: s.config.Misbehavior.TokenLatency,
		id: "cmpl-" + strconv.FormatInt(s.started.UnixNano(), 36) + "-" + strconv.FormatUint(number, 10),
	}
	out.choose(w.Header(), d, said, most)
	s.config.Log.Info("question", "model", model.Name, "prompt_tokens", len(q.prompt), "cached", out.cached,
		"completion_tokens", out.usage().Completion, "unknown", said.reason, "took", time.Since(began))
	if q.Stream {
		out.stream(r.Context(), w)
		return
	}
	out.whole(r.Context(), w)
}

// answer waits for a turn, and asks.
func (s *Server) answer(ctx context.Context, m *Model, q *request) (*answer, error) {
	done, err := s.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	ids := q.prompt
	if len(ids) > 0 && ids[0] == beginOfText {
		ids = ids[1:]
	}
	return s.ask(ctx, m, s.tokens.decode(ids))
}

// choose makes the choices of an answer, each with draws of its own.
func (r *reply) choose(h http.Header, d draws, said *answer, most int) {
	s := r.server
	n := 1
	if r.N != nil {
		n = *r.N
	}
	var done []string
	if r.fault != noFault {
		done = append(done, string(r.fault))
	}
	for i := range n {
		text, wrong, endless := s.config.Misbehavior.corrupt(s, said, d)
		ids := s.tokens.encode(text, false)
		if endless {
			for len(ids) < most {
				ids = append(ids, 'a')
			}
		} else {
			ids = append(ids, endOfText)
		}
		r.choices = append(r.choices, generate(s.tokens, ids, r.request, most))
		for _, name := range wrong {
			if n > 1 {
				name = strconv.Itoa(i) + ":" + name
			}
			done = append(done, name)
		}
	}
	if len(done) > 0 {
		h.Set(corruptedHeader, strings.Join(done, ", "))
	}
	if said.reason != "" {
		h.Set(reasonHeader, oneLine(said.reason))
	}
	r.cached = s.cache.known(r.model, r.prompt)
	for _, c := range r.choices {
		s.cache.add(r.model, append(r.prompt[:len(r.prompt):len(r.prompt)], c.ids()...))
	}
}

// oneLine makes a text fit for a header.
func oneLine(text string) string {
	const most = 300
	text = strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return ' '
		}
		return c
	}, text)
	return text[:min(len(text), most)]
}

func (r *reply) usage() *usage {
	u := &usage{Prompt: len(r.prompt), Details: promptDetails{r.cached}}
	for _, c := range r.choices {
		u.Completion += len(c.tokens)
	}
	u.Total = u.Prompt + u.Completion
	return u
}

func (r *reply) completion() completion {
	return completion{ID: r.id, Object: "text_completion", Created: time.Now().Unix(), Model: r.model, Choices: []completionChoice{}}
}

// whole sends the answer at once.
func (r *reply) whole(ctx context.Context, w http.ResponseWriter) {
	u := r.usage()
	if wait(ctx, r.pause*time.Duration(u.Completion)) != nil {
		return
	}
	if r.fault == midStream {
		internal("misbehaving on purpose").write(w)
		return
	}
	body := r.completion()
	body.Usage = u
	for i, c := range r.choices {
		one := completionChoice{Index: i, Text: c.text(), Finish: &c.finish, Reason: c.reason}
		offset := 0
		one.Logprobs = r.logprobs(c.tokens, &offset)
		if r.ReturnIDs {
			one.IDs, one.PromptIDs = c.ids(), r.prompt
		}
		body.Choices = append(body.Choices, one)
	}
	if r.fault != truncated && r.fault != cut {
		writeJSON(w, http.StatusOK, body)
		return
	}
	text := marshal(body)
	w.Header().Set("Content-Type", "application/json")
	if r.fault == cut {
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	}
	_, _ = w.Write(text[:len(text)/2])
	if r.fault == cut {
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) // net/http's way to end the connection
	}
}

// logprobs are vLLM's; nil where they are not asked for. What answers here is
// certain, so each is 0. offset is where the tokens begin, in characters.
func (r *reply) logprobs(tokens []token, offset *int) *logprobs {
	if r.Logprobs == nil {
		return nil
	}
	l := &logprobs{Offsets: []int{}, Logprobs: []float64{}, Tokens: []string{}, Top: []map[string]float64{}}
	for _, t := range tokens {
		shown := r.server.tokens.shown(t.id)
		if r.IDsInPlaceOfText {
			shown = "token_id:" + strconv.Itoa(t.id)
		}
		l.Offsets, l.Logprobs, l.Tokens = append(l.Offsets, *offset), append(l.Logprobs, 0), append(l.Tokens, shown)
		l.Top = append(l.Top, map[string]float64{shown: 0})
		*offset += utf8.RuneCountInString(shown)
	}
	return l
}

// wait waits, or says that ctx has ended.
func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
