package serve

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"

	"github.com/npdb/npdb/backend/rollout"
)

// Server answers HTTP requests. Create one with New.
type Server struct {
	config  Config
	gate    *gate
	tokens  *tokenizer
	cache   *prefixCache
	traces  rollout.Cache[rollout.Trail]
	turns   chan struct{} // a semaphore: its capacity is the number of requests that are answered at once
	waiting atomic.Int64
	bodies  atomic.Int64  // total bytes of the requests that are being answered
	drawn   atomic.Uint64 // number of requests so far, for Misbehavior
	started time.Time
}

// New returns a server that does not listen yet. It returns an error if the configuration is
// invalid.
func New(c Config) (*Server, error) {
	c, err := c.orDefault()
	if err != nil {
		return nil, err
	}
	g, err := newGate(c)
	if err != nil {
		return nil, err
	}
	return &Server{
		config: c, gate: g, tokens: newTokenizer(c.Format), cache: newPrefixCache(maxBlocks),
		turns: make(chan struct{}, c.AtOnce), started: time.Now(),
	}, nil
}

// Serve answers requests on a listener until ctx ends. Current requests then have Config.Grace to
// finish, and Serve returns nil. It closes the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	base, cancel := context.WithCancel(context.Background())
	defer cancel()
	const headers, body, keep = 10 * time.Second, time.Minute, 2 * time.Minute
	server := &http.Server{
		Handler: s.Handler(), BaseContext: func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: headers, ReadTimeout: body, IdleTimeout: keep, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(s.config.Log.Handler(), slog.LevelWarn),
	}
	// Accept more connections than may be answered or wait, so that the others can be refused with
	// a message; but few enough to leave file descriptors for programs.
	const idle = 64
	l = netutil.LimitListener(l, s.config.AtOnce+s.config.Waiting+idle)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, stop := context.WithTimeout(context.Background(), s.config.Grace)
	defer stop()
	err := server.Shutdown(grace)
	cancel()
	if err != nil {
		err = server.Close()
	}
	if ended := <-ended; !errors.Is(ended, http.ErrServerClosed) {
		return ended
	}
	return err
}

// Handler returns the handler of all requests, for callers with their own HTTP server.
func (s *Server) Handler() http.Handler {
	type route struct {
		method string
		answer func(http.ResponseWriter, *http.Request)
	}
	routes := map[string]route{
		"/health":              {http.MethodGet, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }},
		"/version":             {http.MethodGet, s.version},
		"/v1/models":           {http.MethodGet, s.models},
		"/v1/completions":      {http.MethodPost, s.answering(texts{s.config.Format, s.tokens})},
		"/v1/chat/completions": {http.MethodPost, s.answering(&chats{format: s.config.Format, tokenizer: s.tokens})},
		"/tokenize":            {http.MethodPost, s.tokenize},
		"/detokenize":          {http.MethodPost, s.detokenize},
	}
	oneModel := route{http.MethodGet, s.oneModel}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if e := s.gate.refuse(r); e != nil {
			s.config.Log.Warn("refused", "path", r.URL.Path, "status", e.Code, "why", e.Message)
			e.write(w)
			return
		}
		if s.gate.admit(w, r) {
			return
		}
		route, known := routes[r.URL.Path]
		if strings.HasPrefix(r.URL.Path, modelPath) {
			route, known = oneModel, true
		}
		switch {
		case !known:
			statusError(http.StatusNotFound).write(w)
		case r.Method != route.method && (r.Method != http.MethodHead || route.method != http.MethodGet):
			w.Header().Set("Allow", route.method)
			statusError(http.StatusMethodNotAllowed).write(w)
		default:
			done, err := s.takeBody(w, r)
			if err != nil {
				err.write(w)
				return
			}
			defer done()
			route.answer(w, r)
		}
	})
}

// takeBody reserves memory for a request's body, and limits the body to Config.Body. It refuses the
// request if the bodies of all current requests together would exceed their limit. The caller must
// call done at the end of the request.
func (s *Server) takeBody(w http.ResponseWriter, r *http.Request) (done func(), _ *apiError) {
	const atOnce = 4 // number of bodies of the maximum size that fit at once
	size := r.ContentLength
	if size < 0 || size > s.config.Body {
		size = s.config.Body
	}
	done = func() { s.bodies.Add(-size) }
	if s.bodies.Add(size) > atOnce*s.config.Body {
		done()
		return nil, busy("Too much data is being requested at the same time: retry in a moment.")
	}
	r.Body = http.MaxBytesReader(w, r.Body, s.config.Body)
	return done, nil
}

// body reads the whole body of a request.
func (s *Server) body(r *http.Request) ([]byte, error) {
	text, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		e := statusError(http.StatusRequestEntityTooLarge)
		return nil, e
	case err != nil:
		return nil, badRequest("", "The request cannot be read: %v", err)
	}
	return text, nil
}

// model returns the model with this name. If name is "", it returns the first model.
func (s *Server) model(name string) (*Model, error) {
	if name == "" {
		return &s.config.Models[0], nil
	}
	for i := range s.config.Models {
		if m := &s.config.Models[i]; m.Name == name {
			return m, nil
		}
	}
	return nil, noModel(name)
}

// turn waits until one more request may be answered. The caller must call done after the answer.
func (s *Server) turn(ctx context.Context) (done func(), err error) {
	done = func() { <-s.turns }
	select {
	case s.turns <- struct{}{}:
		return done, nil
	default:
	}
	defer s.waiting.Add(-1)
	if s.waiting.Add(1) > int64(s.config.Waiting) {
		return nil, busy("Too many requests are waiting: retry in a moment.")
	}
	select {
	case s.turns <- struct{}{}:
		return done, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
