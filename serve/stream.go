package serve

import (
	"context"
	"net/http"
	"slices"
)

// stream sends the answer as server-sent events, one for each token. Several choices are sent in
// turn, token by token.
func (r *reply) stream(ctx context.Context, w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	flush := http.NewResponseController(w).Flush
	send := func(v any) bool {
		hurry(w)
		_, err := w.Write(slices.Concat([]byte("data: "), marshal(v), []byte("\n\n")))
		return err == nil && flush() == nil
	}
	longest := 0
	for _, c := range r.choices {
		longest = max(longest, len(c.tokens))
	}
	for i := range r.choices {
		if opening := r.opening(r, i); opening != nil && !send(opening) {
			return
		}
	}
	for at := range longest {
		if at == longest/2 && r.goWrong(w, send) {
			return
		}
		for i, c := range r.choices {
			if at >= len(c.tokens) {
				continue
			}
			if wait(ctx, r.pause) != nil || !send(r.piece(r, i, at)) {
				return
			}
		}
	}
	if r.StreamOptions != nil && r.StreamOptions.IncludeUsage {
		if !send(r.tail(r)) {
			return
		}
	}
	_, _ = w.Write([]byte("data: [DONE]\n\n"))
}

// goWrong causes the configured fault in the middle of the stream. over reports whether the stream
// ends with it.
func (r *reply) goWrong(w http.ResponseWriter, send func(any) bool) (over bool) {
	switch r.fault {
	case midStream:
		if send(map[string]*apiError{"error": internal("misbehaving on purpose")}) {
			_, _ = w.Write([]byte("data: [DONE]\n\n"))
		}
	case truncated:
		_, _ = w.Write([]byte(`data: {"id": "` + r.id + `", "object": "` + r.object(true)[:11]))
	case cut:
		panic(http.ErrAbortHandler) // closes the connection
	default:
		return false
	}
	return true
}
