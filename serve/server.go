package serve

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// Server answers HTTP requests. Make one with New.
type Server struct {
	config  Config
	tokens  *tokenizer
	cache   *prefixCache
	turns   chan struct{} // has as many places as questions are answered at once
	waiting atomic.Int64
	drawn   atomic.Uint64 // numbers the requests for Misbehavior
	started time.Time
}

// New is a server that does not listen yet. The error says what is wrong with
// the configuration.
func New(c Config) (*Server, error) {
	c, err := c.orDefault()
	if err != nil {
		return nil, err
	}
	return &Server{
		config: c, tokens: newTokenizer(c.Format), cache: newPrefixCache(maxBlocks),
		turns: make(chan struct{}, c.AtOnce), started: time.Now(),
	}, nil
}

// Serve answers on a listener until ctx ends; then requests under way have
// Config.Grace to end. It closes the listener. The error is nil after such an end.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	base, cancel := context.WithCancel(context.Background())
	defer cancel()
	const headers, idle = 10 * time.Second, 2 * time.Minute
	server := &http.Server{
		Handler: s.Handler(), BaseContext: func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: headers, ReadTimeout: time.Minute, IdleTimeout: idle, MaxHeaderBytes: 64 << 10,
	}
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

// Handler answers requests, for those who have a server of their own.
func (s *Server) Handler() http.Handler {
	routes := map[string]struct {
		method string
		answer func(http.ResponseWriter, *http.Request)
	}{
		"/health":         {http.MethodGet, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }},
		"/version":        {http.MethodGet, s.version},
		"/v1/models":      {http.MethodGet, s.models},
		"/v1/completions": {http.MethodPost, s.completions},
		"/tokenize":       {http.MethodPost, s.tokenize},
		"/detokenize":     {http.MethodPost, s.detokenize},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route, known := routes[r.URL.Path]
		switch {
		case strings.HasPrefix(r.URL.Path, "/v1/") && !s.allowed(r):
			// vLLM's words, which are no error object.
			writeJSON(w, http.StatusUnauthorized, map[string]string{"error": "Unauthorized"})
		case !known:
			statusError(http.StatusNotFound).write(w)
		case r.Method != route.method && (r.Method != http.MethodHead || route.method != http.MethodGet):
			w.Header().Set("Allow", route.method)
			statusError(http.StatusMethodNotAllowed).write(w)
		default:
			r.Body = http.MaxBytesReader(w, r.Body, s.config.Body)
			route.answer(w, r)
		}
	})
}

// allowed compares keys in a time that does not tell where they differ.
func (s *Server) allowed(r *http.Request) bool {
	if s.config.Key == "" {
		return true
	}
	given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.config.Key))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// body reads all of a request.
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

// model is the one that a request names.
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

// turn waits until one more question may be answered; done gives the place back.
func (s *Server) turn(ctx context.Context) (done func(), err error) {
	done = func() { <-s.turns }
	select {
	case s.turns <- struct{}{}:
		return done, nil
	default:
	}
	defer s.waiting.Add(-1)
	if s.waiting.Add(1) > int64(s.config.Waiting) {
		e := statusError(http.StatusServiceUnavailable)
		e.Message, e.after = "Too many questions are waiting: ask again in a moment.", time.Second
		return nil, e
	}
	select {
	case s.turns <- struct{}{}:
		return done, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
