package serve

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

type usage struct {
	Prompt     int           `json:"prompt_tokens"`
	Total      int           `json:"total_tokens"`
	Completion int           `json:"completion_tokens"`
	Details    promptDetails `json:"prompt_tokens_details"`
}

type promptDetails struct {
	Cached int `json:"cached_tokens"`
}

// Headers of responses: the names of faults made on purpose, and the reason of an unknown answer.
const (
	corruptedHeader = "X-Npdb-Corrupted"
	reasonHeader    = "X-Npdb-Reason"
)

// reply holds everything that is needed to respond to one request.
type reply struct {
	*request
	dialect
	server  *Server
	model   *Model
	id      string
	choices []*choice
	offsets []int // by choice: the offset, in characters, of its next token in logprobs
	cached  int
	fault   fault
	pause   time.Duration // delay before each token
}

// answering returns the handler for the requests of one endpoint, in its dialect.
func (s *Server) answering(t dialect) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		text, err := s.body(r)
		var q *request
		if err == nil {
			q, err = t.parse(text)
		}
		var model *Model
		if err == nil {
			model, err = s.model(q.Model)
		}
		if err == nil {
			err = q.fit(s.config.Window)
		}
		t := t
		if err == nil {
			t = t.of(q, &s.traces)
			err = model.takes(t, q)
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
		said, err := s.answer(r.Context(), model, t, q)
		if err != nil {
			s.config.Log.Warn("question failed", "model", model.Name, "error", err)
			fail(w, err)
			return
		}
		out := &reply{
			request: q, dialect: t, server: s, model: model, fault: kind, pause: s.config.Misbehavior.TokenLatency,
			id: t.prefix() + strconv.FormatInt(s.started.UnixNano(), 36) + "-" + strconv.FormatUint(number, 10),
		}
		out.choose(w.Header(), d, said)
		s.config.Log.Info("question", "model", model.Name, "prompt_tokens", len(q.prompt), "cached", out.cached,
			"completion_tokens", out.usage().Completion, "unknown", said.reason, "took", time.Since(began))
		if q.Stream {
			out.stream(r.Context(), w)
			return
		}
		out.send(r.Context(), w)
	}
}

// answer waits until the request may be answered, and then answers it.
func (s *Server) answer(ctx context.Context, m *Model, t dialect, q *request) (*answer, error) {
	done, err := s.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return s.ask(ctx, m, t, q)
}

// choose generates the response's choices from an answer, each with its own faults, and sets the
// headers that describe these faults.
func (r *reply) choose(h http.Header, d draws, said *answer) {
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
		text, wrong, endless := s.config.Misbehavior.corrupt(said, d)
		ids := r.tokens(text)
		switch {
		case endless:
			for len(ids) < r.most {
				ids = append(ids, 'a')
			}
		case !said.cut:
			ids = append(ids, r.end)
		}
		c := generate(s.tokens, ids, r.request, r.most)
		if r.model.Guesses {
			c.vague = len(said.pieces) == 0 || text != said.text
			c.tell(s.tokens, said.pieces)
		}
		r.choices = append(r.choices, c)
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
	r.offsets = make([]int, n)
	r.cached = s.cache.known(r.model.Name, r.prompt)
	for _, c := range r.choices {
		s.cache.add(r.model.Name, append(r.prompt[:len(r.prompt):len(r.prompt)], c.ids()...))
	}
}

// oneLine converts a text to the value of a header: printable ASCII of limited length.
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

// send writes the answer as one JSON body instead of a stream, after the configured delay and with
// the configured faults.
func (r *reply) send(ctx context.Context, w http.ResponseWriter) {
	if wait(ctx, r.pause*time.Duration(r.usage().Completion)) != nil {
		return
	}
	if r.fault == midStream {
		internal("misbehaving on purpose").write(w)
		return
	}
	body := r.whole(r)
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
		panic(http.ErrAbortHandler) // closes the connection
	}
}

// wait waits for a duration, or returns an error if ctx ends first.
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
